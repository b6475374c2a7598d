//! The manifest's token budgets.

use helix_skills_tests::{Change, Sandbox, skill_md};
use serde_json::json;

/// A project with a body of 1,000 tokens, and three short skills with descriptions of different
/// length.
fn project() -> Sandbox {
    let sandbox = Sandbox::new();
    let body = "x".repeat(4_000);
    sandbox
        .write("project/own/a/SKILL.md", format!("---\nname: a\ndescription: Short.\n---\n{body}"));
    for (name, description) in
        [("b", "y".repeat(90)), ("c", "z".repeat(400)), ("hidden", "h".repeat(900))]
    {
        let hidden = name == "hidden";
        let text = format!(
            "---\nname: {name}\ndescription: {description}\ndisable-model-invocation: {hidden}\n---\nDo it.\n"
        );
        sandbox.write(format!("project/own/{name}/SKILL.md"), text);
    }
    sandbox
}

fn budget(sandbox: &Sandbox, field: &str, tokens: u64) {
    let own = json!({"type": "path", "path": "own"});
    sandbox.manifest(&json!({"skills": {"own": own}, "budget": {field: tokens}}).to_string());
}

/// Returns the tokens of the catalog as the runtime counts them.
fn catalog_tokens(sandbox: &Sandbox) -> u64 {
    budget(sandbox, "catalogTokens", 100_000);
    sandbox.skills(["sync"]).succeeds();
    let run = sandbox.skills(["catalog"]).succeeds();
    (run.stdout.len() as u64).div_ceil(4)
}

#[test]
fn body_over_the_budget_is_reported_with_its_tokens() {
    let sandbox = project();
    budget(&sandbox, "bodyTokens", 999);
    let run = sandbox.skills(["sync"]).exits(6);
    let run = run.says([
        "the body of `a` costs about 1000 tokens, over the budget of 999 (`budget.bodyTokens`)",
    ]);
    run.says(["`exclude`", "raise `budget.bodyTokens`"]).never_prints("`b`");
    assert!(
        !sandbox.exists("project/helix.skills.lock") && !sandbox.exists("project/helix.skills")
    );
    budget(&sandbox, "bodyTokens", 1_000);
    sandbox.skills(["sync"]).succeeds();
}

#[test]
fn catalog_over_the_budget_lists_its_largest_lines() {
    let sandbox = project();
    let tokens = catalog_tokens(&sandbox);
    sandbox.forget();
    sandbox.remove("project/helix.skills");
    budget(&sandbox, "catalogTokens", tokens - 1);
    let before = sandbox.snapshot("project");
    let run = sandbox.skills(["sync"]).exits(6);
    let run = run.says([format!(
        "the catalog costs about {tokens} tokens, over the budget of {} (`budget.catalogTokens`); \
         the largest are `c` (102), `b` (24), `a` (3)",
        tokens - 1
    )]);
    run.says(["exclude skills with `exclude` or `include`, or raise `budget.catalogTokens`"])
        .never_prints("hidden");
    let document = sandbox.skills(["sync", "--json"]).exits(6).json();
    assert_eq!(
        (&document["errors"][0]["code"], &document["exitCode"]),
        (&json!("budget"), &json!(6))
    );
    assert_eq!(sandbox.snapshot("project").changes_since(&before), Vec::<String>::new());
    budget(&sandbox, "catalogTokens", tokens);
    sandbox.skills(["sync"]).succeeds();
}

/// Only the manifest changes: what is locked and stored exceeds a new budget.
#[test]
fn budgets_apply_to_every_checking_or_changing_command() {
    let sandbox = Sandbox::new();
    let upstream = sandbox.upstream("repo");
    upstream.commit(Change::new().skill("a"));
    let server = sandbox.serve();
    let manifest = |tokens: u64| {
        let source = json!({"type": "git", "url": server.url("repo"), "ref": "main"});
        sandbox.manifest(
            &json!({"skills": {"repo": source}, "budget": {"bodyTokens": tokens}}).to_string(),
        );
    };
    manifest(1_000);
    sandbox.skills(["sync"]).succeeds();
    manifest(0);
    let before = sandbox.snapshot("project");
    for arguments in [
        &["sync"][..],
        &["sync", "--locked"],
        &["sync", "--frozen"],
        &["sync", "--dry-run"],
        &["sync", "--restore"],
        &["sync", "--check"],
        &["sync", "--check", "--store"],
        &["update"],
        &["update", "repo", "--dry-run"],
    ] {
        let run = sandbox
            .skills(arguments)
            .exits(6)
            .says(["the body of `a` costs about ", "over the budget of 0"]);
        assert!(run.stdout.is_empty(), "{run}");
    }
    assert_eq!(sandbox.snapshot("project").changes_since(&before), Vec::<String>::new());

    // An update and a new source that exceed the budget.
    manifest(1_000);
    let before = sandbox.snapshot("project");
    let long = format!("---\nname: a\ndescription: Does a.\n---\n{}\n", "x".repeat(5_000));
    upstream.commit(Change::new().text("skills/a/SKILL.md", &long));
    sandbox.skills(["update"]).exits(6).says(["the body of `a` costs about 1250 tokens"]);
    assert_eq!(sandbox.snapshot("project").changes_since(&before), Vec::<String>::new());
    sandbox.write("project/own/b/SKILL.md", format!("{}{}", skill_md("b"), "y".repeat(5_000)));
    let before = sandbox.snapshot("project");
    sandbox.skills(["add", "./own"]).exits(6).says(["the body of `b` costs about "]);
    assert_eq!(sandbox.snapshot("project").changes_since(&before), Vec::<String>::new());
}

#[test]
fn large_catalog_of_new_skills_is_a_warning() {
    let sandbox = Sandbox::new();
    let upstream = sandbox.upstream("many");
    let text = |name: &str| {
        format!(
            "---\nname: {name}\ndescription: {}\n---\nDo.\n",
            "Says when to use it.  ".repeat(20)
        )
    };
    let change = (10..60).fold(Change::new(), |change, number| {
        change.text(&format!("skills/s{number}/SKILL.md"), &text(&format!("s{number}")))
    });
    upstream.commit(change);
    let server = sandbox.serve();
    let url = server.url("many");
    let warning = "warning: the catalog of the 50 new skills costs about ";
    sandbox
        .skills(["add", &url, "--all"])
        .succeeds()
        .says([warning, "select fewer with `include`"]);
    sandbox.skills(["sync"]).succeeds().never_prints("the catalog of");
    sandbox.forget();
    sandbox.sources(&serde_json::json!({}));
    sandbox.skills(["add", &url, "--include", "s10"]).succeeds().never_prints("the catalog of");
}
