//! `skills add` of local directories, in and around the project's own repository.

use super::manifest;
use helix_skills_tests::{Change, Sandbox, skill_md, upstream::git_command};
use serde_json::json;

/// A project whose directory is a git repository with a skill of its own.
fn repository() -> Sandbox {
    let sandbox = Sandbox::with_manifest("{\"skills\": {}}\n");
    sandbox.write("project/skills/own/SKILL.md", skill_md("own"));
    init(&sandbox, "project");
    sandbox
}

fn init(sandbox: &Sandbox, directory: &str) {
    let directory = sandbox.path(directory);
    std::fs::create_dir_all(&directory).unwrap();
    let status = git_command().arg("init").arg("--quiet").arg(&directory).status().unwrap();
    assert!(status.success());
}

#[test]
fn own_skills_get_another_name_if_theirs_is_taken() {
    let sandbox = repository();
    let remote = json!({"type": "git", "url": "https://github.com/someone/skills.git"});
    sandbox.sources(&json!({"skills": remote}));
    sandbox.skills(["add", "./skills", "--no-sync"]).succeeds();
    let expected = json!({"skills": remote, "local-skills": {"type": "path", "path": "skills"}});
    assert_eq!(manifest(&sandbox)["skills"], expected);
}

#[test]
fn own_repository_means_its_directory_skills() {
    let sandbox = repository();
    for source in [".", "./", "../project"] {
        sandbox.forget();
        sandbox.manifest("{\"skills\": {}}\n");
        let run = sandbox.skills(["add", source]).succeeds().never_prints("warning:");
        run.says(["contains the project; its directory `skills` is added"]);
        let expected = json!({"skills": {"type": "path", "path": "skills"}});
        assert_eq!(manifest(&sandbox)["skills"], expected);
        assert_eq!(sandbox.locked_skills(), ["own"]);
    }
    // Its other directories are added as they are.
    sandbox.write("project/more/other/SKILL.md", skill_md("other"));
    sandbox.skills(["add", "./more"]).succeeds().never_prints("note:");
    assert_eq!(manifest(&sandbox)["skills"]["more"], json!({"type": "path", "path": "more"}));
}

#[test]
fn own_repository_is_above_a_nested_project() {
    let sandbox = repository();
    sandbox.remove("project/helix.skills.json");
    sandbox.write("project/app/helix.skills.json", "{\"skills\": {}}\n");
    let add = sandbox.command(["add", ".."]).current_dir("project/app").run();
    add.succeeds().says(["`..` contains the project"]).never_prints("warning:");
    assert!(sandbox.read("project/app/helix.skills.json").contains("\"path\": \"../skills\""));
}

#[test]
fn own_repository_without_skills_is_refused() {
    let sandbox = repository();
    sandbox.remove("project/skills");
    sandbox.skills(["add", "."]).exits(2).says(["the source `skills`: "]);
    // Nor is it a repository to pin.
    sandbox.write("project/skills/own/SKILL.md", skill_md("own"));
    sandbox.skills(["add", ".", "--ref", "main"]).exits(2).says(["remove `--ref`"]);
}

#[test]
fn path_outside_of_the_repository_warns() {
    let sandbox = repository();
    sandbox.write("outside/shared/one/SKILL.md", skill_md("one"));
    let warning = "the source `shared`: `../outside/shared` is outside of the project's repository: a clone does not have it";
    let run = sandbox.skills(["--json", "add", "../outside/shared"]).succeeds();
    assert_eq!(run.json()["sync"]["warnings"], json!([warning]));
    // Once per source, whether or not it was added by this command.
    sandbox.skills(["sync"]).succeeds().never_prints("warning:");
    sandbox.remove("project/helix.skills.lock");
    sandbox.skills(["sync"]).succeeds().says([format!("warning: {warning}")]);
    sandbox.upstream("tools").commit(Change::new().skill("alpha"));
    let run = sandbox.skills(["add", "../upstream/tools.git"]).succeeds();
    run.says(["warning: the source `tools`: `../upstream/tools.git` is outside of the project's"]);
    // A project without a repository is not cloned.
    let plain = Sandbox::with_manifest("{\"skills\": {}}\n");
    plain.write("outside/shared/one/SKILL.md", skill_md("one"));
    plain.skills(["add", "../outside/shared"]).succeeds().never_prints("warning:");
}

#[test]
fn plugin_of_a_local_repository_is_added() {
    let sandbox = Sandbox::with_manifest("{\"skills\": {}}\n");
    let index = json!({"name": "market", "owner": {"name": "Team"}, "plugins": [
        {"name": "p", "source": "./p"},
    ]});
    let change = Change::new().text(".claude-plugin/marketplace.json", &index.to_string());
    sandbox.upstream("market").commit(change.skill_at("p/skills/one", "one").skill("other"));
    let url = "../upstream/market.git";
    sandbox.skills(["add", url, "--plugin", "p"]).succeeds();
    let entry = json!({"type": "claude-marketplace", "url": url, "plugin": "p"});
    assert_eq!(manifest(&sandbox)["skills"], json!({ "p": entry }));
    assert_eq!(sandbox.locked_skills(), ["one"]);
}

#[test]
fn directory_without_a_prefix_is_an_error() {
    let sandbox = Sandbox::with_manifest("{\"skills\": {}}\n");
    sandbox.write("project/my-skills/one/SKILL.md", skill_md("one"));
    for source in ["my-skills", "my-skills/"] {
        sandbox.skills(["add", source]).exits(2).says([
            &format!("error: `{source}` is a local directory, but does not start with `./`\n"),
            "help: use `./my-skills` for the directory\n",
        ]);
    }
    assert_eq!(manifest(&sandbox)["skills"], json!({}));
    sandbox.skills(["add", "./my-skills/"]).succeeds();
}
