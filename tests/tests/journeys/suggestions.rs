//! Suggestions for incomplete versions and misspelled plugins, in the manifest and for `add`.

use crate::market::{self, Market, plugin_json};
use helix_skills_tests::{Change, Sandbox};
use serde_json::json;

#[test]
fn misspelled_directory_is_answered_with_the_one_that_exists() {
    let sandbox = Sandbox::new();
    sandbox.write("project/skills/tides/SKILL.md", helix_skills_tests::skill_md("tides"));
    for command in [
        &["add", "./skils"][..],
        &["list", "./skils"],
        &["show", "./skils"],
        &["validate", "./skils"],
        &["search", "./skils", "tides"],
    ] {
        sandbox.skills(command).exits(2).says(["./skils", "help: did you mean `./skills`?"]);
    }
    sandbox.skills(["show", "./skills/tide"]).exits(2).says(["did you mean `./skills/tides`?"]);
    sandbox.skills(["add", "../else"]).exits(2).never_prints("did you mean");
    sandbox.sources(&json!({"own": {"type": "path", "path": "skils"}}));
    sandbox.skills(["sync"]).exits(2).says(["cannot find", "did you mean `skills`?"]);
}

#[test]
fn incomplete_version_is_answered_with_a_range() {
    let sandbox = Sandbox::new();
    let upstream = sandbox.upstream("tools");
    upstream.commit(Change::new().skill("a"));
    for tag in ["v0.6.9", "v0.6.70", "v0.6.71-rc.1", "v0.7.0", "v0.84", "1.2.3", "1.3.0"] {
        upstream.tag(tag);
    }
    let server = sandbox.serve();
    let url = server.url("tools");
    for (version, help) in [
        ("0.6", "use the range `~0.6`; the newest is `0.6.70`"),
        ("v0.6", "use the range `~0.6`; the newest is `0.6.70`"),
        ("1.2", "use the range `~1.2`; the newest is `1.2.3`"),
        // Nothing begins with these numbers, or there are three.
        ("0.5", "the newest of its 7 versions are 1.3.0, 1.2.3, 0.84, 0.7.0, "),
        // As the tag has it, and as it is accepted.
        ("0.84.0", "the newest of its 7 versions are 1.3.0, 1.2.3, 0.84, 0.7.0, "),
    ] {
        sandbox.sources(&json!({"tools": {"type": "git", "url": url, "version": version}}));
        let what = format!("no tag has the version `{version}`");
        sandbox.skills(["sync"]).exits(2).says([&what, help]);
        sandbox.manifest("{\"skills\": {}}");
        let run = sandbox.skills(["--json", "add", &url, "--version", version]).exits(2);
        let error = &run.json()["errors"][0];
        let hint = error["hint"].as_str().unwrap();
        assert!(hint.contains(help), "{run}");
        assert_eq!(sandbox.files("project"), ["helix.skills.json"]);
    }
    // A tag with these numbers is taken.
    sandbox.skills(["add", &url, "--version", "0.84"]).succeeds();
}

#[test]
fn incomplete_plugin_version_is_answered_with_a_range() {
    let files =
        plugin_json(Change::new().skill("a"), "", &json!({"name": "p", "version": "0.6.3"}));
    let market = Market::with(&json!([{"name": "p", "source": "./"}]), files);
    market.request(json!({"version": "0.6"}));
    let help =
        "an exact version has all of its numbers: use the range `~0.6`; the newest is `0.6.3`";
    market.sync().exits(2).says(["no tag of the marketplace has the version `0.6`", help]);
    market.assert_nothing_written();
    market.request(json!({"version": "^0.6"}));
    market.sync().succeeds();
    // Only versions that exist are offered.
    market.sandbox.manifest("{\"skills\": {}}");
    let url = market::url("market");
    for version in ["0.7", "99", "1.2.3"] {
        market.request(json!({ "version": version }));
        let help = "pin `0.6.3`, or a branch of the marketplace with `ref`";
        market.sync().exits(2).says([help]);
        market.sandbox.manifest("{\"skills\": {}}");
        let run = market.sandbox.skills(["add", &url, "--plugin", "p", "--version", version]);
        run.exits(2).says([help]);
    }
}

#[test]
fn misspelled_plugin_is_answered_with_similar_ones() {
    let names = [
        "agent-sdk",
        "code-review",
        "commit-commands",
        "document-skills",
        "documentation",
        "example-skills",
        "feature-dev",
        "security-guidance",
    ];
    let plugins = names.map(|name| json!({"name": name, "source": "./"}));
    let market = Market::with(&json!(plugins), Change::new().skill("a"));
    for (plugin, help) in [
        ("documnet-skills", "did you mean `document-skills`?"),
        ("review-code", "did you mean `code-review`?"),
        ("skills", "did you mean `example-skills` or `document-skills`?"),
        ("zzz", "none of its 8 plugins has a similar name; `skills add … --list` lists them"),
    ] {
        market.request(json!({ "plugin": plugin }));
        let what = format!("the marketplace has no plugin `{plugin}`");
        let run = market.sync().exits(2).says([&what, help]);
        assert!(!run.stderr.contains("agent-sdk"), "{run}");
        market.sandbox.manifest("{\"skills\": {}}");
        let url = market::url("market");
        let run = market.sandbox.skills(["add", &url, "--plugin", plugin]).exits(2);
        run.says([what.as_str(), help]);
        market.assert_nothing_written();
    }
}
