//! A store that somebody else wrote into.

use super::within;
use crate::project::project;
use helix_skills_tests::Change;
use serde_json::json;

#[test]
fn t18_a_file_that_grew_is_hashed_and_never_held() {
    let project = project(Change::new().skill("a").text("skills/a/docs/x.md", "x\n"));
    project.upstream.tag("v1.0.0");
    project.select(json!({"version": "1.0.0"}));
    project.sandbox.skills(["sync"]).succeeds();
    let file = std::fs::File::options().write(true).open(project.sandbox.project("helix.skills/a/docs/x.md")).unwrap();
    file.set_len(160 << 20).unwrap();
    for command in [&["sync", "--check"][..], &["catalog"], &["sync"]] {
        let run = within(project.sandbox.command(command.iter().copied()), 96).run().exits(5);
        run.says(["helix.skills/a/docs/x.md", "the file was changed"]);
    }
}
