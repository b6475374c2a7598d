//! The pre-commit hook, run as pre-commit runs it.

use crate::checkout::yaml;
use helix_skills_tests::{Sandbox, skill_md};

#[test]
fn hook_checks_commits_with_skills_in_any_directory() {
    let hooks = yaml(".pre-commit-hooks.yaml");
    let [hook] = &hooks.as_sequence().unwrap()[..] else { panic!("expected one hook") };
    assert_eq!(hook["id"], "skills-check");
    for key in ["always_run", "require_serial"] {
        assert_eq!(hook[key], true, "{key}");
    }
    assert_eq!((&hook["language"], &hook["pass_filenames"]), (&"system".into(), &false.into()));
    let mut words = hook["entry"].as_str().unwrap().split_whitespace();
    assert_eq!(words.next(), Some("cargo-skills"));
    let entry: Vec<&str> = words.collect();

    let sandbox = Sandbox::with_manifest(
        "{\"skills\": {\"own\": {\"type\": \"path\", \"path\": \"docs/own\"}}}",
    );
    sandbox.write("project/docs/own/a/SKILL.md", skill_md("a"));
    sandbox.write("project/docs/own/a/notes.txt", "1");
    sandbox.skills(&entry).exits(1);
    sandbox.skills(["sync"]).succeeds();
    let before = sandbox.snapshot("project");
    sandbox.skills(&entry).succeeds();
    // The user's `args` follow the entry.
    sandbox.skills(entry.iter().chain(&["--store"])).succeeds();
    sandbox
        .command(entry.iter().chain(&["-C", "../project"]))
        .current_dir("outside")
        .run()
        .succeeds();
    assert_eq!(sandbox.snapshot("project").changes_since(&before), Vec::<String>::new());
    sandbox.write("project/docs/own/a/notes.txt", "2");
    sandbox.skills(&entry).fails().says(["docs/own", "notes.txt"]);
}
