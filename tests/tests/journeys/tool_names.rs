//! Skills that are named like a tool for skills.

use helix_skills_tests::{Change, Sandbox};
use serde_json::json;

#[test]
fn skill_named_like_a_tool_is_a_warning_of_sync() {
    let sandbox = Sandbox::new();
    let upstream = sandbox.upstream("repo");
    upstream.commit(Change::new().skill("a").skill("skill").skill("load_skill"));
    let server = sandbox.serve();
    let source = |more: serde_json::Value| {
        let mut source = json!({"type": "git", "url": server.url("repo")});
        source.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        sandbox.sources(&json!({ "repo": source }));
    };
    source(json!({}));
    for name in ["skill", "load_skill"] {
        let warning = format!(
            "{name}/SKILL.md:2:7: the name `{name}` is that of a tool for skills: agents with this \
             tool leave the skill out, or confuse the two"
        );
        sandbox.forget();
        sandbox.skills(["sync"]).succeeds().says([&*warning]);
    }
    let validated = sandbox.skills(["validate", "skill"]).succeeds();
    assert!(validated.stdout.contains("[tool-name]"), "{validated}");

    // Another name fixes it.
    source(json!({"rename": {"skill": "crafts", "load_skill": "loads"}}));
    sandbox.forget();
    let run = sandbox.skills(["sync"]).succeeds();
    run.never_prints("a tool for skills");
    assert_eq!(sandbox.locked_skills(), ["a", "crafts", "loads"]);
}
