//! `skills add` of a location that the manifest already has.

use super::{manifest, upstream};
use crate::market::{Market, index};
use helix_skills_tests::{Change, GitServer, Sandbox, Upstream, skill_md};
use serde_json::{Value, json};

/// A project that has the skill `alpha` of version 0.9.0 of `tools`.
fn added() -> (Sandbox, Upstream, GitServer) {
    let sandbox = Sandbox::new();
    let (upstream, server) = upstream(&sandbox);
    sandbox.manifest("{\n  \"skills\": {\n  }\n}\n");
    let url = server.url("tools");
    sandbox.skills(["add", &url, "--version", "0.9.0", "--include", "alpha"]).succeeds();
    (sandbox, upstream, server)
}

fn source(sandbox: &Sandbox, key: &str) -> Value {
    manifest(sandbox)["skills"][key].clone()
}

#[test]
fn add_again_extends_include_and_keeps_the_pin() {
    let (sandbox, _upstream, server) = added();
    let url = server.url("tools");
    sandbox.manifest(&format!(
        "{{\n  \"skills\": {{\n    // reviewed\n    \"tools\": {{\n      \"type\": \"git\",\n      \"url\": \"{url}\", // ours\n      \"version\": \"0.9.0\",\n      \"include\": [\n        \"alpha\", // first\n      ],\n    }},\n  }}\n}}\n"
    ));
    sandbox.skills(["sync"]).succeeds();
    let before = sandbox.read("project/helix.skills.json");
    sandbox
        .skills(["add", &url, "--include", "beta"])
        .succeeds()
        .says(["changed the source tools, version 0.9.0: include alpha, beta\n"]);
    let expected =
        before.replace("\"alpha\", // first\n", "\"alpha\", // first\n        \"beta\",\n");
    assert_eq!(sandbox.read("project/helix.skills.json"), expected);
    assert_eq!(sandbox.locked_skills(), ["alpha", "beta"]);
    sandbox.skills(["sync", "--check", "--store"]).succeeds();
}

#[test]
fn add_again_without_changes_writes_and_requests_nothing() {
    let (sandbox, _upstream, server) = added();
    let url = server.url("tools");
    let before = sandbox.snapshot("project");
    let requests = server.traffic().requests;
    for arguments in [&[][..], &["--include", "alpha"], &["--version", "0.9.0"]] {
        sandbox.skills(["add", &url].iter().chain(arguments)).succeeds().says([
            "unchanged the source tools already has alpha; for all skills, remove its `include`\n",
            "nothing to do",
        ]);
    }
    assert_eq!(server.traffic().requests, requests);
    assert_eq!(sandbox.snapshot("project").changes_since(&before), Vec::<String>::new());
}

#[test]
fn add_again_to_a_source_with_all_skills_is_unchanged() {
    let (sandbox, _upstream, server) = added();
    let url = server.url("tools");
    sandbox.sources(&json!({"tools": {"type": "git", "url": url, "version": "0.9.0"}}));
    sandbox.skills(["sync"]).succeeds();
    let before = sandbox.snapshot("project");
    sandbox
        .skills(["add", &url, "--include", "beta"])
        .succeeds()
        .says(["the source tools already has all skills\n"]);
    sandbox.skills(["add", &url, "--include", "betta"]).exits(2).says([format!(
        "error: the source `tools` has no skill `betta`\n\
             help: did you mean `beta`? it has `alpha`, `beta`; or run `skills add {url} --list`; "
    )]);
    assert_eq!(sandbox.snapshot("project").changes_since(&before), Vec::<String>::new());
    sandbox
        .skills(["add", &url, "--exclude", "beta"])
        .succeeds()
        .says(["changed the source tools, version 0.9.0: exclude beta\n"]);
    assert_eq!(source(&sandbox, "tools")["exclude"], json!(["beta"]));
    assert_eq!(sandbox.locked_skills(), ["alpha"]);
    sandbox.skills(["add", &url, "--include", "beta"]).succeeds();
    assert_eq!(source(&sandbox, "tools")["exclude"], Value::Null);
    assert_eq!(sandbox.locked_skills(), ["alpha", "beta"]);
}

#[test]
fn add_again_with_another_pin_changes_the_pin() {
    let (sandbox, upstream, server) = added();
    let url = server.url("tools");
    let commit = upstream.id("v1.2.0^{commit}");
    for (pin, said, entry) in [
        (
            ["--version", "1.2.0"],
            "changed tools from version 0.9.0 to version 1.2.0\n".to_owned(),
            json!({"version": "1.2.0"}),
        ),
        (
            ["--ref", "main"],
            "changed tools from version 1.2.0 to ref main\n".to_owned(),
            json!({"ref": "main"}),
        ),
        (
            ["--sha", &commit],
            format!("changed tools from ref main to sha {commit}\n"),
            json!({"sha": commit}),
        ),
    ] {
        let run = sandbox.skills(["add", &url].iter().chain(&pin)).succeeds();
        run.says([said]);
        let mut expected = json!({"type": "git", "url": url, "include": ["alpha"]});
        expected.as_object_mut().unwrap().extend(entry.as_object().unwrap().clone());
        assert_eq!(source(&sandbox, "tools"), expected);
        sandbox.skills(["sync", "--check", "--store"]).succeeds();
    }
    // A pin that does not exist changes nothing.
    let before = sandbox.snapshot("project");
    sandbox.skills(["add", &url, "--version", "7.0.0"]).exits(2);
    assert_eq!(sandbox.snapshot("project").changes_since(&before), Vec::<String>::new());
}

#[test]
fn add_again_as_json_says_what_happened() {
    let (sandbox, _upstream, server) = added();
    let url = server.url("tools");
    for (arguments, change) in [
        (&[][..], "unchanged"),
        (&["--include", "beta"], "extended"),
        (&["--version", "1.2.0"], "pin-changed"),
        (&["--name", "other", "--ref", "main", "--prefix", "m-"], "added"),
    ] {
        let run = sandbox.skills(["--json", "add", &url].iter().chain(arguments)).succeeds();
        let json = run.json();
        assert_eq!((&json["change"], &json["dryRun"]), (&json!(change), &json!(false)), "{run}");
        assert_eq!(json["before"].is_null(), change == "added", "{run}");
        assert_eq!(json["source"]["url"], url, "{run}");
    }
}

/// The URLs of a repository differ in `.git`, in the protocol, and at github.com in case.
#[test]
fn add_again_with_another_form_of_the_url_is_the_same_source() {
    let sandbox = Sandbox::new();
    let ssh = "git@github.com:someone/tools.git";
    sandbox.sources(&json!({"mine": {"type": "git", "url": ssh, "include": ["a"]}}));
    for (at, form) in
        ["someone/tools", "https://github.com/Someone/tools/", "ssh://git@GitHub.com/someone/tools"]
            .iter()
            .enumerate()
    {
        let name = format!("skill-{at}");
        sandbox.skills(["add", form, "--include", &name, "--no-sync"]).succeeds();
        assert_eq!(source(&sandbox, "mine")["url"], ssh);
    }
    let include = json!(["a", "skill-0", "skill-1", "skill-2"]);
    assert_eq!(manifest(&sandbox)["skills"].as_object().unwrap().len(), 1);
    assert_eq!(source(&sandbox, "mine")["include"], include);
}

#[test]
fn add_again_of_a_path_extends_its_source() {
    let sandbox = Sandbox::new();
    sandbox.write("project/own/one/SKILL.md", skill_md("one"));
    sandbox.write("project/own/two/SKILL.md", skill_md("two"));
    sandbox.skills(["init"]).succeeds();
    sandbox.skills(["add", "./own", "--include", "one"]).succeeds();
    sandbox
        .command(["add", "../own", "--include", "two"])
        .current_dir("project/helix.skills")
        .run()
        .succeeds();
    assert_eq!(
        manifest(&sandbox)["skills"],
        json!({"own": {"type": "path", "path": "own", "include": ["one", "two"]}})
    );
    assert_eq!(sandbox.locked_skills(), ["one", "two"]);
}

#[test]
fn another_directory_of_the_repository_extends_its_source() {
    let sandbox = Sandbox::new();
    let upstream = sandbox.upstream("tools");
    upstream.commit(Change::new().skill("alpha").skill_at("drafts/beta", "beta"));
    upstream.tag("v1.0.0");
    let server = sandbox.serve();
    let url = server.url("tools");
    sandbox.skills(["init"]).succeeds();
    sandbox.skills(["add", &url]).succeeds();
    upstream.commit(Change::new().skill_at("drafts/gamma", "gamma"));
    upstream.tag("v1.1.0");
    sandbox
        .skills(["add", &url, "--skills-dir", "drafts"])
        .succeeds()
        .says(["changed the source tools, version 1.0.0: skillsDir drafts, skills\n"]);
    let directories = json!(["drafts", "skills"]);
    let entry = json!({"type": "git", "url": url, "version": "1.0.0", "skillsDir": directories});
    assert_eq!(manifest(&sandbox)["skills"], json!({ "tools": entry }));
    assert_eq!(sandbox.locked_skills(), ["alpha", "beta"]);
    sandbox.skills(["add", &url]).succeeds().says(["the source tools already has all skills"]);
}

#[test]
fn second_plugin_of_a_marketplace_has_the_same_pin() {
    let plugins = json!([
        {"name": "p", "source": "./p"},
        {"name": "q", "source": "./q"},
    ]);
    let files = Change::new().skill_at("p/skills/one", "one").skill_at("q/skills/two", "two");
    let market = Market::with_index(&index(&plugins), files);
    let url = source(&market.sandbox, "team")["url"].clone();
    let url = url.as_str().unwrap();
    market.sandbox.skills(["sync"]).succeeds();
    market
        .sandbox
        .skills(["add", url, "--plugin", "q"])
        .succeeds()
        .says(["the pin of the source `team` is used: the default branch\n"]);
    let entry = json!({"type": "claude-marketplace", "url": url, "plugin": "q"});
    assert_eq!(source(&market.sandbox, "q"), entry);
    assert_eq!(market.sandbox.locked_skills(), ["one", "two"]);
    // The same plugin extends its source, which has another name.
    market.sandbox.skills(["add", url, "--plugin", "p", "--prefix", "x-"]).succeeds();
    assert_eq!(source(&market.sandbox, "team")["prefix"], "x-");
}

#[test]
fn skill_that_another_source_has_is_unchanged() {
    let plugins = json!([{"name": "p", "source": "./p"}]);
    let files = Change::new().skill_at("p/skills/one", "one").skill("other");
    let market = Market::with_index(&index(&plugins), files);
    let url = source(&market.sandbox, "team")["url"].clone();
    let url = url.as_str().unwrap();
    market.sandbox.skills(["sync"]).succeeds();
    let before = market.sandbox.snapshot("project");
    let requests = market.server.traffic().requests;
    market
        .sandbox
        .skills(["add", url, "--skills-dir", "p/skills", "--include", "one"])
        .succeeds()
        .says(["unchanged the source team already has all skills\n", "nothing to do"]);
    assert_eq!(market.server.traffic().requests, requests);
    assert_eq!(market.sandbox.snapshot("project").changes_since(&before), Vec::<String>::new());
    // Another pin is another skill.
    market
        .sandbox
        .skills(["add", url, "--skills-dir", "p/skills", "--include", "one", "--ref", "main"])
        .exits(2)
        .says(["--rename one=market-one"]);
}

/// The manifest includes `alpha`, which was moved, and `beta`, which is gone.
#[test]
fn upgrade_without_included_skills_is_an_error_for_each() {
    let sandbox = Sandbox::new();
    let upstream = sandbox.upstream("tools");
    let guide = "A guide that is long enough to be known.\n";
    let first = Change::new().skill("alpha").text("skills/alpha/guide.md", guide).skill("beta");
    upstream.commit(first.skill("kept"));
    upstream.tag("v1.0.0");
    let moved = Change::new().tree("skills/omega", &upstream.id("main:skills/alpha"));
    upstream.commit(moved.skill("gamma").remove("skills/alpha").remove("skills/beta"));
    upstream.tag("v2.0.0");
    let server = sandbox.serve();
    let url = server.url("tools");
    let include = json!(["alpha", "beta", "kept"]);
    let entry = json!({"type": "git", "url": url, "version": "1.0.0", "include": include});
    sandbox.sources(&json!({ "tools": entry }));
    sandbox.skills(["sync"]).succeeds();
    sandbox
        .skills(["outdated"])
        .succeeds()
        .says(["tools 2.0.0 is available", "1 source has a newer release than its pin allows\n"]);

    let run = sandbox.skills(["add", &url, "--version", "2.0.0"]).exits(2);
    let upgrade = ["--version", "2.0.0", "--include", "omega", "--exclude", "alpha,beta"];
    let command = format!("skills add {url} {}", upgrade.join(" "));
    run.says([
        "`include` names `alpha`",
        &format!("help: upstream moved it; run `{command}`\n"),
        "`include` names `beta`",
        &format!("help: upstream removed it; run `{command}`\n"),
    ]);
    // The hint of a sync is about the manifest.
    let sources = sandbox.read("project/helix.skills.json");
    sandbox.write("project/helix.skills.json", sources.replace("1.0.0", "2.0.0"));
    sandbox.skills(["sync"]).exits(2).says([
        "help: upstream moved it to `skills/omega`: include `omega` instead, then run `skills update tools`; `skills add` takes `--exclude alpha --include omega`\n",
        "help: upstream removed it: remove it from `include`, or run `skills remove beta`\n",
    ]);
    sandbox.write("project/helix.skills.json", sources);
    sandbox.skills(["add", &url].iter().chain(&upgrade)).succeeds();
    assert_eq!(source(&sandbox, "tools")["include"], json!(["kept", "omega"]));
    // The skill has its name from its SKILL.md.
    assert_eq!(sandbox.locked_skills(), ["alpha", "kept"]);
}

/// The port of the URL is closed.
#[test]
fn without_a_sync_no_network_is_needed() {
    let sandbox = Sandbox::new();
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/tools.git", listener.local_addr().unwrap());
    drop(listener);
    let run = sandbox.command(["add", &url, "--no-sync"]).in_terminal(100).finish().succeeds();
    run.prints(["no release was looked up, so the default branch is used"]);
    assert_eq!(source(&sandbox, "tools"), json!({"type": "git", "url": url}));
    sandbox.skills(["add", &url, "--no-sync", "--version", "^1"]).succeeds();
    assert_eq!(source(&sandbox, "tools")["version"], "^1");
    sandbox.skills(["sync"]).exits(3);
}
