//! `skills add SOURCE --list`: what a source offers, without writing anything.

use crate::{
    market::{Market, index, plugin_json, url},
    requests::commands,
};
use helix_skills_tests::{Change, GitServer, Run, Sandbox, Upstream};
use serde_json::{Value, json};

fn tools(sandbox: &Sandbox) -> (Upstream, GitServer) {
    let upstream = sandbox.upstream("tools");
    let text =
        "---\nname: beta-tool\ndescription: |\n  Fills in\n  forms.\nlicense: MIT\n---\nDo.\n";
    upstream.commit(
        Change::new()
            .skill("alpha")
            .text("skills/alpha/LICENSE.txt", "A\n")
            .text("skills/beta/SKILL.md", text)
            .text("skills/beta/references/x.md", "x\n")
            .text("skills/broken/SKILL.md", "---\nname: [\n---\nDo.\n")
            .text("skills/no-skill/README.md", "x\n"),
    );
    upstream.tag("v1.0.0");
    upstream.commit(Change::new().skill("gamma"));
    sandbox.skills(["init"]).succeeds();
    (upstream, sandbox.serve())
}

/// Runs the command and checks that it writes nothing.
#[track_caller]
fn list(sandbox: &Sandbox, arguments: &[&str]) -> Run {
    let before = sandbox.snapshot("project");
    let run = sandbox.skills([&["add"], arguments].concat());
    assert_eq!(sandbox.snapshot("project").changes_since(&before), Vec::<String>::new());
    run
}

/// Returns the names of the listed skills.
fn names(document: &Value) -> Vec<&str> {
    let skills = document["skills"].as_array().unwrap().iter();
    skills.map(|skill| skill["name"].as_str().unwrap()).collect()
}

#[test]
fn list_shows_the_skills_of_the_newest_release() {
    let sandbox = Sandbox::new();
    let (upstream, server) = tools(&sandbox);
    let run = list(&sandbox, &[&server.url("tools"), "--list"]).succeeds();
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert_eq!(lines[0], "skill             size     license          description", "{run}");
    assert!(lines[1].starts_with("alpha             2 files  see LICENSE.txt  "), "{run}");
    assert_eq!(lines[2], "beta-tool (beta)  2 files  MIT              Fills in forms.");
    assert!(lines[3].starts_with("broken            1 file   none found       cannot be added: "));
    assert_eq!(lines.len(), 4, "{run}");
    let run = run.says(["listed 3 skills of `v1.0.0`; nothing was written"]);
    run.says(["next: run `skills add ", "--include alpha"]);
    let document = list(&sandbox, &[&server.url("tools"), "--list", "--json"]).succeeds().json();
    assert_eq!(document["commit"], upstream.id("v1.0.0^{commit}"));
    assert_eq!(document["ref"], "refs/tags/v1.0.0");
    assert_eq!(document["source"]["version"], "1.0.0");
    assert_eq!(document["skills"][1]["description"], "Fills in\nforms.");
    assert_eq!(document["skills"][1]["directory"], "beta");
    assert_eq!(document["skills"][1]["path"], "skills/beta");
    assert_eq!(document["skills"][0]["license"], "see LICENSE.txt");
    assert!(document["skills"][2]["error"].is_string(), "{document}");
    assert_eq!(document["plugins"], json!([]));
}

#[test]
fn list_fetches_only_the_texts_of_skills() {
    let sandbox = Sandbox::new();
    let (upstream, server) = tools(&sandbox);
    list(&sandbox, &[&server.url("tools"), "--version", "1.0.0", "--list"]).succeeds();
    let exchanges = server.exchanges();
    assert_eq!(commands(&exchanges), ["ls-refs", "fetch", "fetch"]);
    assert_eq!(exchanges[1].filter(), Some("blob:none"));
    let mut wanted = ["alpha", "beta", "broken"]
        .map(|name| upstream.id(&format!("v1.0.0:skills/{name}/SKILL.md")));
    wanted.sort();
    let mut wants = exchanges[2].wants();
    wants.sort_unstable();
    assert_eq!(wants, wanted);
}

#[test]
fn list_takes_pins_directories_and_a_word() {
    let sandbox = Sandbox::new();
    let (upstream, server) = tools(&sandbox);
    let url = server.url("tools");
    let listed = |arguments: &[&str]| {
        list(&sandbox, &[&[url.as_str(), "--json"], arguments].concat()).succeeds().json()
    };
    assert_eq!(names(&listed(&["--list", "--ref", "main"])).len(), 4);
    let sha = upstream.id("v1.0.0^{commit}");
    assert_eq!(names(&listed(&["--sha", &sha, "--list"])).len(), 3);
    let directory = listed(&["--list", "--skills-dir", "skills/beta"]);
    assert_eq!(names(&directory), ["beta-tool"]);
    assert_eq!(names(&listed(&["--list", "FORMS"])), ["beta-tool"]);
    assert_eq!(names(&listed(&["alpha", "--list"])), ["alpha"]);
    let run = list(&sandbox, &[&url, "--list", "zebra"]).succeeds();
    assert!(run.stdout.is_empty(), "{run}");
    run.says(["listed 0 skills of `v1.0.0`; nothing was written\n"]);
    // Without `--list`, a word is most likely a skill.
    list(&sandbox, &[&url, "alpha"]).exits(2).says([
        "error: unexpected arguments after the source: `alpha`",
        "--include alpha` for these",
    ]);
    list(&sandbox, &[&url, "--list", "--ref", "none"]).exits(2).says(["`none`"]);
    // The next step is about the skill of that name, not the first that mentions it.
    let text = "---\nname: aaa\ndescription: Unlike alpha.\n---\nDo.\n";
    upstream.commit(Change::new().text("skills/aaa/SKILL.md", text));
    let run = list(&sandbox, &[&url, "--list", "alpha", "--ref", "main"]).succeeds();
    run.prints(["\naaa "]).says(["listed 2 skills", "--include alpha`\n"]);
    // A copy has the same files and the same name.
    let same = upstream.id("main:skills/alpha");
    let mut twins = Change::new().tree("skills/other/alpha", &same);
    for at in 0..50 {
        twins = twins.tree(&format!("skills/twin-{at}"), &same);
    }
    upstream.commit(twins);
    let document = listed(&["--list", "--ref", "main"]);
    let copies = document["skills"].as_array().unwrap().iter().map(|skill| &skill["copies"]);
    let copies: Vec<&Value> = copies.filter(|copies| **copies != json!([])).collect();
    assert_eq!(copies, [&json!(["skills/other/alpha"])], "{document}");
}

#[test]
fn list_shows_what_a_directory_has() {
    let sandbox = Sandbox::new();
    sandbox.write("project/own/a/SKILL.md", "---\nname: a\ndescription: Does a.\n---\nDo it.\n");
    sandbox.skills(["init"]).succeeds();
    let run = list(&sandbox, &["./own", "--list"]).succeeds();
    run.prints(["a      1 file, 44 B  none found  Does a.\n"]);
    let document = list(&sandbox, &["./own", "--list", "--json"]).succeeds().json();
    assert_eq!(document["skills"][0]["bytes"], 44);
    assert_eq!((&document["ref"], &document["commit"]), (&json!(null), &json!(null)));
}

#[test]
fn list_shows_all_plugins_of_a_marketplace() {
    let plugins = json!([
        {"name": "p", "source": "./plugins/p", "description": "Fills in forms.", "license": "MIT"},
        {"name": "q", "source": {"source": "url", "url": url("other")}, "description": "Far."},
        {"name": "empty", "source": "./plugins/empty"},
        {"name": "bad", "source": "../x"},
    ]);
    let files = Change::new()
        .skill("at-root")
        .skill_at("plugins/p/skills/one", "one")
        .skill_at("plugins/p/extra/two", "two")
        .text("plugins/empty/README.md", "x\n");
    let manifest = json!({"name": "p", "license": "BSD-3-Clause", "skills": "./extra"});
    let market = Market::with(&plugins, plugin_json(files, "plugins/p/", &manifest));
    market.sandbox.manifest("{\"skills\": {}}\n");
    let url = url("market");
    let run = list(&market.sandbox, &[&url, "--list"]).succeeds();
    let lines: Vec<Vec<&str>> =
        run.stdout.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(lines[0], ["skill", "size", "license", "description"], "{run}");
    assert_eq!(lines[1][0], "at-root");
    assert!(lines[2].is_empty());
    assert_eq!(lines[3], ["plugin", "skills", "license", "description"]);
    assert_eq!(lines[4][..4], ["bad", "cannot", "be", "used:"]);
    assert_eq!(
        lines[5].join(" "),
        "empty none cannot be used: the plugin `empty` has no skills; there is no SKILL.md in `plugins/empty` or in a directory of its `skills`"
    );
    assert_eq!(lines[6], ["p", "2", "BSD-3-Clause", "Fills", "in", "forms."]);
    assert_eq!(lines[7], ["q", "elsewhere", "Far."]);
    let next = [format!("{url} --include at-root"), format!("{url} --plugin p")];
    assert_eq!(run.offered(), next.map(|command| format!("skills add {command}")));
    let document = list(&market.sandbox, &[&url, "--list", "empty", "--json"]).succeeds().json();
    let error = document["plugins"][0]["error"].as_str().unwrap();
    assert!(error.starts_with("the plugin `empty` has no skills; there is no SKILL.md"), "{error}");
    let document = list(&market.sandbox, &[&url, "--list", "form", "--json"]).succeeds().json();
    assert_eq!(names(&document), [""; 0]);
    assert_eq!(document["plugins"][0]["name"], "p");
    assert_eq!(document["plugins"][0]["skills"], json!(["two", "one"]));
    assert_eq!(market.requests_to("other"), [""; 0]);
    let document =
        list(&market.sandbox, &[&url, "--list", "--plugin", "p", "--json"]).succeeds().json();
    assert_eq!(names(&document), ["two", "one"]);
}

/// A marketplace without https may name its own URL, and no other one of that kind.
#[test]
fn list_and_add_judge_the_urls_of_plugins_alike() {
    let sandbox = Sandbox::new();
    let upstream = sandbox.upstream("market");
    let server = sandbox.serve();
    let url = server.url("market");
    let plugin = |name: &str, url: &str| json!({"name": name, "source": {"source": "git-subdir", "url": url, "path": "x"}});
    let whole = json!({"name": "whole", "source": "./"});
    let plugins = json!([plugin("own", &url), plugin("other", &server.url("other")), whole]);
    let change = Change::new().text(".claude-plugin/marketplace.json", &index(&plugins));
    upstream.commit(change.skill("else").skill_at("x/skills/a", "a").skill_at("x/skills/b", "bee"));
    let document = list(&sandbox, &[&url, "--list", "--json"]).succeeds().json();
    assert_eq!(document["plugins"][1]["error"], json!(null));
    assert!(document["plugins"][0]["error"].as_str().unwrap().contains("url"), "{document}");
    assert_eq!(names(&document), ["else"]);
    assert_eq!(document["skills"][0]["plugins"], json!(["whole"]));
    sandbox.skills(["add", &url, "--plugin", "other"]).exits(1);
    sandbox.skills(["add", &url, "--plugin", "own"]).succeeds();
    assert_eq!(sandbox.locked_skills(), ["a", "bee"]);
    // Its skills are found by the names in their files and their paths, and no other ones.
    sandbox.forget();
    sandbox.sources(&json!({}));
    for (name, found) in [("bee", "bee"), ("x/skills/a", "a")] {
        sandbox.skills(["add", &url, "--plugin", "own", "--include", name]).succeeds();
        assert!(sandbox.locked_skills().contains(&found.to_owned()));
    }
    let unknown = sandbox.skills(["add", &url, "--plugin", "own", "--include", "else"]).exits(2);
    unknown.says(["the source `own` has no skill `else`", "it has `a`, `b`"]);
}

#[test]
fn list_needs_no_manifest() {
    let sandbox = Sandbox::new();
    let (_upstream, server) = tools(&sandbox);
    sandbox.remove("project/helix.skills.json");
    sandbox.write("project/own/one/SKILL.md", helix_skills_tests::skill_md("one"));
    let url = server.url("tools");
    let run = list(&sandbox, &[&url, "--list"]).succeeds().says(["--include alpha"]);
    run.never_prints("skills init");
    assert_eq!(names(&list(&sandbox, &[&url, "--list", "--json"]).succeeds().json()).len(), 3);
    assert_eq!(names(&list(&sandbox, &["./own", "--list", "--json"]).succeeds().json()), ["one"]);
    list(&sandbox, &["./own", "--dry-run"]).succeeds().prints(["created helix.skills.json"]);
    list(&sandbox, &["--manifest", "other.json", "own", "--list"]).exits(2).says(["other.json"]);
}
