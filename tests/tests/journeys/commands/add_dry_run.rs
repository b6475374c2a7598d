//! `--dry-run` of `skills add` and `skills remove`.

use super::upstream;
use helix_skills_tests::Sandbox;
use serde_json::json;

#[test]
fn dry_run_of_add_shows_the_changes_and_writes_nothing() {
    let sandbox = Sandbox::new();
    let (upstream, server) = upstream(&sandbox);
    let url = server.url("tools");
    sandbox.skills(["init"]).succeeds();
    let before = sandbox.snapshot("project");
    let commit = &upstream.id("v1.2.0^{commit}")[..7];
    let run = sandbox.skills(["add", &url, "--include", "alpha", "--dry-run"]).succeeds();
    run.prints([
        "added the source tools, version 1.2.0\n".to_owned(),
        format!("locked tools refs/tags/v1.2.0 at {commit}"),
        "added alpha (1 file, ".to_owned(),
    ])
    .says(["dry run: nothing was written\n"])
    .never_prints("next:");
    let run = sandbox.skills(["--json", "add", &url, "--dry-run", "--no-sync"]).succeeds();
    let json = run.json();
    assert_eq!((&json["change"], &json["dryRun"]), (&json!("added"), &json!(true)), "{run}");
    assert_eq!(sandbox.snapshot("project").changes_since(&before), Vec::<String>::new());

    sandbox.skills(["add", &url, "--include", "alpha"]).succeeds();
    let before = sandbox.snapshot("project");
    sandbox
        .skills(["add", &url, "--include", "beta", "--ref", "main", "--dry-run"])
        .succeeds()
        .prints([
            "changed tools from version 1.2.0 to ref main\nchanged the source tools, ref main: include alpha, beta\n",
            "updated alpha (",
            "added beta (",
        ]);
    assert_eq!(sandbox.snapshot("project").changes_since(&before), Vec::<String>::new());
}

#[test]
fn dry_run_of_remove_shows_the_changes_and_writes_nothing() {
    let sandbox = Sandbox::new();
    let (_upstream, server) = upstream(&sandbox);
    sandbox.skills(["init"]).succeeds();
    sandbox.skills(["add", &server.url("tools")]).succeeds();
    let before = sandbox.snapshot("project");
    sandbox
        .skills(["remove", "tools", "--dry-run"])
        .succeeds()
        .prints(["removed the source tools\n", "removed alpha\n", "removed beta\n"])
        .says(["dry run: nothing was written\n"]);
    let run = sandbox.skills(["--json", "remove", "tools", "--dry-run"]).succeeds();
    assert_eq!(run.json()["dryRun"], true, "{run}");
    assert_eq!(sandbox.snapshot("project").changes_since(&before), Vec::<String>::new());
}
