//! Skills in other directories than `skills` after `skills add`.

use super::manifest;
use helix_skills_tests::{Change, Sandbox};

#[test]
fn add_answers_with_the_directories_of_the_skills() {
    let sandbox = Sandbox::new();
    let upstream = sandbox.upstream("tools");
    upstream.commit(Change::new().skill_at("docs/a/deep", "deep").skill_at("docs/a/low", "low"));
    let server = sandbox.serve();
    let url = server.url("tools");
    sandbox.skills(["init"]).succeeds();
    let what = "there are no skills in `skills`, and none at the root of the repository";
    let help = format!("help: run `skills add {url} --ref main --skills-dir docs/a`\n");
    sandbox.skills(["add", &url, "--ref", "main"]).exits(2).says([what, &*help]);
    let help = format!("help: run `skills add {url} --skills-dir docs/a`\n");
    sandbox.skills(["add", &url, "--skills-dir", "docs"]).exits(2).says([&*help]);

    // The command of the help takes them.
    sandbox.skills(["add", &url, "--skills-dir", "docs/a"]).succeeds();
    assert_eq!(manifest(&sandbox)["skills"]["tools"]["skillsDir"], "docs/a");
    assert_eq!(sandbox.locked_skills(), ["deep", "low"]);

    // Of several directories, it is the one with the most.
    sandbox.skills(["remove", "tools"]).succeeds();
    upstream.commit(Change::new().skill_at("low", "other"));
    let change = Change::new().skill_at("b/x", "x").skill_at("c/y", "y");
    upstream.commit(change);
    let help = format!(
        "help: run `skills add {url} --skills-dir docs/a` for the most skills; \
         there are skills in `.`, `b`, `c`, `docs/a`\n"
    );
    sandbox.skills(["add", &url]).exits(2).says([&*help]);
}
