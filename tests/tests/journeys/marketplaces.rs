//! Plugins in the repository of their marketplace, and errors of an index.

use crate::market::{Market, index, plugin_json, publish, url};
use helix_skills_tests::{Change, skill_md};
use serde_json::{Value, json};

const RELATIVE: [&str; 4] = ["ls-refs", "fetch", "fetch", "fetch"];

fn plugin(source: &str, keys: Value) -> Value {
    let mut plugin = json!({"name": "p", "source": source});
    plugin.as_object_mut().unwrap().extend(keys.as_object().unwrap().clone());
    json!([plugin])
}

/// Checks that a first sync fails with this code and message and writes nothing.
#[track_caller]
fn sync_fails(market: &Market, code: i32, says: &[&str]) {
    market.sync().exits(code).says(says);
    market.assert_nothing_written();
}

#[test]
fn root_plugin_takes_four_requests_and_locks_both_hops() {
    let files = plugin_json(Change::new(), "", &json!({"name": "p", "version": "1.4.0"}))
        .skill("a")
        .skill("b");
    let market = Market::with(&plugin("./", json!({})), files);
    market.sync().succeeds();
    assert_eq!(market.requests_to("market"), RELATIVE);
    assert_eq!(market.sandbox.locked_skills(), ["a", "b"]);
    assert_eq!(market.locked_plugin(), json!({"path": ".", "version": "1.4.0"}));
    assert_eq!(market.sandbox.locked_commit("team"), market.upstream.id("main"));
    assert_eq!(market.sandbox.lock_json()["sources"]["team"]["ref"], "refs/heads/main");

    market.server.take_traffic();
    market.sandbox.skills(["sync", "--frozen"]).succeeds();
    market.sandbox.skills(["sync", "--check", "--store"]).succeeds();
    market.sandbox.remove_store();
    market.sandbox.skills(["sync", "--offline"]).succeeds(); // from the cache
    assert_eq!(market.server.traffic().requests, 0);

    market.sandbox.remove_store();
    market.sandbox.remove_cache();
    market.sandbox.skills(["sync", "--locked"]).succeeds();
    assert_eq!(market.requests_to("market"), ["fetch", "fetch"]);
}

#[test]
fn subdirectory_plugin_takes_four_requests() {
    for directory in ["plugins/p", "plugins/other", "deep/in/there"] {
        let files = plugin_json(
            Change::new(),
            &format!("{directory}/"),
            &json!({"name": "p", "skills": "./more"}),
        );
        let files = files.skill_at(&format!("{directory}/skills/a"), "a").skill("other");
        let market = Market::with(
            &plugin(&format!("./{directory}"), json!({})),
            files.text(&format!("{directory}/more/b/SKILL.md"), &skill_md("b")),
        );
        market.sync().succeeds();
        assert_eq!(market.sandbox.locked_skills(), ["a", "b"]);
        // A skill that only the plugin's manifest names takes one more request.
        assert_eq!(market.requests_to("market").len(), 5, "{directory}");

        market.upstream.commit(Change::new().remove(&format!("{directory}/more")));
        market.upstream.commit(plugin_json(
            Change::new(),
            &format!("{directory}/"),
            &json!({"name": "p"}),
        ));
        market.sync().succeeds();
        assert_eq!(market.sandbox.locked_skills(), ["a"]);
        assert_eq!(market.requests_to("market"), RELATIVE, "{directory}");
        assert_eq!(market.locked_plugin(), json!({ "path": directory }));
    }
}

#[test]
fn plugins_of_a_marketplace_share_requests() {
    let plugins =
        json!([{"name": "p", "source": "./plugins/p"}, {"name": "q", "source": "./plugins/q"}]);
    let mut files = Change::new();
    for name in ["p", "q"] {
        files = plugin_json(files, &format!("plugins/{name}/"), &json!({ "name": name }));
        files = files.skill_at(&format!("plugins/{name}/skills/of-{name}"), &format!("of-{name}"));
    }
    let market = Market::with(&plugins, files);
    let source =
        |plugin| json!({"type": "claude-marketplace", "url": url("market"), "plugin": plugin});
    market.sandbox.sources(&json!({"one": source("p"), "two": source("q")}));
    market.sync().succeeds();
    assert_eq!(market.requests_to("market"), RELATIVE);
    assert_eq!(market.sandbox.locked_skills(), ["of-p", "of-q"]);
}

#[test]
fn only_selected_skills_of_a_plugin_are_fetched() {
    let files = plugin_json(Change::new(), "plugins/p/", &json!({"name": "p"}));
    let files = files.skill_at("plugins/p/skills/a", "a").skill_at("plugins/p/skills/b", "b");
    let market =
        Market::with(&plugin("./plugins/p", json!({})), files.skill_at("plugins/p/skills/c", "c"));
    market.request(json!({"include": ["a"]}));
    market.sync().succeeds();
    assert_eq!(market.sandbox.locked_skills(), ["a"]);
    let exchanges = market.server.exchanges();
    let mut wants = exchanges[3].wants();
    wants.sort_unstable();
    let files = ["plugins/p/.claude-plugin/plugin.json", "plugins/p/skills/a/SKILL.md"];
    let mut expected = files.map(|path| market.upstream.id(&format!("main:{path}")));
    expected.sort();
    assert_eq!(wants, expected);

    // Another selection does not move the pin.
    let before = market.sandbox.locked_commit("team");
    market.upstream.commit(Change::new().skill_at("plugins/p/skills/d", "d"));
    market.request(json!({"include": ["b"]}));
    market.sandbox.skills(["sync", "--check"]).exits(1).says(["`include`"]);
    market.sandbox.skills(["sync", "--locked"]).exits(1);
    market.sandbox.skills(["sync"]).succeeds();
    assert_eq!(
        (market.sandbox.locked_skills(), market.sandbox.locked_commit("team")),
        (vec!["b".to_owned()], before)
    );
    market.request(json!({"include": ["d"]}));
    market.sandbox.skills(["sync"]).exits(2).says(["`include` names `d`"]);
}

#[test]
fn changed_plugin_is_resolved_again() {
    let plugins = json!([{"name": "p", "source": "./one"}, {"name": "q", "source": "./two"}]);
    let market = Market::with(
        &plugins,
        Change::new().skill_at("one/skills/a", "a").skill_at("two/skills/b", "b"),
    );
    market.sync().succeeds();
    let moved = market.upstream.commit(Change::new().text("README.md", "new\n"));
    market.request(json!({"plugin": "q"}));
    market.sandbox.skills(["sync", "--check"]).exits(1).says(["`plugin`"]);
    market.sandbox.skills(["sync"]).succeeds();
    assert_eq!(
        (market.sandbox.locked_skills(), market.sandbox.locked_commit("team")),
        (vec!["b".to_owned()], moved)
    );
    assert_eq!(market.locked_plugin(), json!({"path": "two"}));
}

#[test]
fn version_is_a_tag_or_declared_by_the_plugin() {
    let market = Market::with(&plugin("./", json!({"version": "3.0.0"})), Change::new().skill("a"));
    let tagged = market.upstream.id("main");
    market.upstream.tag("v1.0.0");
    let head = market.upstream.commit(Change::new().text("x.md", "x\n"));

    market.request(json!({"version": "1.0.0"}));
    market.sync().succeeds();
    assert_eq!(market.sandbox.locked_commit("team"), tagged);
    for declared in ["3.0.0", "v3.0.0", "^3"] {
        market.request(json!({ "version": declared }));
        market.sync().succeeds();
        assert_eq!(market.sandbox.locked_commit("team"), head, "{declared}");
        assert_eq!(market.locked_plugin()["version"], "3.0.0");
        market.sandbox.skills(["sync", "--check"]).succeeds();
    }
    market.request(json!({"version": "2.0.0"}));
    sync_fails(&market, 2, &["`2.0.0`", "`p` declares 3.0.0", "pin `3.0.0`"]);

    // The version in the plugin's manifest takes precedence over that of its entry.
    market.upstream.commit(plugin_json(
        Change::new(),
        "",
        &json!({"name": "p", "version": "4.0.0"}),
    ));
    market.request(json!({"version": "3.0.0"}));
    sync_fails(&market, 2, &["`3.0.0`", "`p` declares 4.0.0"]);
    market
        .upstream
        .commit(publish(&index(&plugin("./", json!({})))).remove(".claude-plugin/plugin.json"));
    sync_fails(&market, 2, &["`3.0.0`", "`p` declares none", "`ref`"]);
}

#[test]
fn plugin_lists_skills_or_their_directories() {
    let files = Change::new()
        .skill_at("x/skills/default", "default")
        .skill_at("x/box/one", "one")
        .skill_at("x/box/two", "two")
        .skill_at("x/direct", "direct")
        .skill_at("x/unlisted", "unlisted");
    let lists: [(Value, &[&str]); 5] = [
        (json!("./direct"), &["default", "direct"]),
        (json!("./box"), &["default", "one", "two"]),
        (json!(["./box/one", "./direct"]), &["default", "direct", "one"]),
        (json!(["./box", "./skills/"]), &["default", "one", "two"]),
        (json!([]), &["default"]),
    ];
    let market = Market::with(&json!([]), files);
    for (list, expected) in &lists {
        // It means the same in the index and in the plugin's manifest.
        market.upstream.commit(
            publish(&index(&plugin("./x", json!({ "skills": list })))).remove("x/.claude-plugin"),
        );
        market.sync().succeeds();
        assert_eq!(market.sandbox.locked_skills(), *expected, "{list}");
        market.upstream.commit(plugin_json(
            publish(&index(&plugin("./x", json!({})))),
            "x/",
            &json!({"name": "p", "skills": list}),
        ));
        market.sync().succeeds();
        assert_eq!(market.sandbox.locked_skills(), *expected, "{list}");
    }
    let stale = [("./empty", "it has no SKILL.md"), ("./gone", "there is no such directory")];
    for (path, says) in stale {
        market.upstream.commit(
            publish(&index(&plugin("./x", json!({"skills": ["./direct", path]}))))
                .remove("x/.claude-plugin")
                .text("x/empty/README.md", "x\n"),
        );
        let run = market.sync().succeeds();
        run.says(["warning: team: x/", "marketplace.json of the plugin `p` lists it", says]);
        assert_eq!(market.sandbox.locked_skills(), ["default", "direct"]);
    }
    // Without another skill, it is an error.
    market.upstream.commit(Change::new().remove("x/skills"));
    for (path, says) in stale {
        market.upstream.commit(publish(&index(&plugin("./x", json!({"skills": [path]})))));
        sync_fails(&market, 1, &["marketplace.json of the plugin `p` lists it", says]);
    }
}

#[test]
fn index_is_read_in_the_directories_of_other_programs() {
    for directory in [".github/plugin", ".agents/plugins"] {
        let market = Market::empty();
        let plugins = json!([{"name": "p", "source": "./x"}, {"name": "q", "source": "./y"}]);
        let file = format!("{directory}/marketplace.json");
        let change = Change::new().text(&file, &index(&plugins));
        market.upstream.commit(change.skill_at("x/skills/a", "a").skill_at("y/skills/b", "b"));
        market.request(json!({}));
        market.sync().succeeds();
        assert_eq!(market.sandbox.locked_skills(), ["a"]);
        market.sandbox.skills(["sync", "--check", "--store"]).succeeds();
        // The first index counts.
        let other = json!([{"name": "p", "source": "./y"}]);
        market.upstream.commit(publish(&index(&other)));
        market.sandbox.skills(["update"]).succeeds();
        assert_eq!(market.sandbox.locked_skills(), ["b"]);
    }
}

#[test]
fn paths_without_a_dot_are_accepted_with_a_warning() {
    let files = Change::new().skill_at("x/one/a", "a");
    let market = Market::with(&plugin("x/", json!({"skills": ["one/a"]})), files);
    let warning = "the plugin `p` lists `x/`, `one/a` without `./`, which Claude Code requires";
    market.sync().succeeds().says([format!("warning: the source `team`: {warning}")]);
    assert_eq!(market.sandbox.locked_skills(), ["a"]);
    market.upstream.commit(publish(&index(&plugin("./x", json!({"skills": ["./one/a"]})))));
    market.sandbox.skills(["update"]).succeeds().never_prints("without `./`");
}

#[test]
fn several_plugins_are_added_at_once() {
    let plugins = json!([{"name": "p", "source": "./x"}, {"name": "q", "source": "./y"}]);
    let files = Change::new().skill_at("x/skills/a", "a").skill_at("y/skills/b", "b");
    let market = Market::with(&plugins, files);
    market.sandbox.manifest("{\"skills\": {}}\n");
    let url = url("market");
    let plugins = ["add", &url, "--plugin", "p", "--plugin", "q"];
    let run = market.sandbox.skills(plugins.iter().chain(&["--json"])).exits(2);
    assert_eq!(run.json()["errors"].as_array().map(Vec::len), Some(1));
    market.sandbox.skills(plugins).succeeds();
    assert_eq!(market.sandbox.locked_skills(), ["a", "b"]);
    let run = market.sandbox.skills(["remove", "source:p", "source:q"]).succeeds();
    assert!(market.sandbox.locked_skills().is_empty(), "{run}");
}

#[test]
fn root_plugin_has_only_its_listed_skills() {
    let files = || Change::new().skill("a").skill("b").skill_at("extra/c", "c");
    let lists: [(Value, &[&str]); 5] = [
        (json!(["./skills/a"]), &["a"]),
        (json!("./extra"), &["c"]),
        (json!(["./skills/a", "./skills"]), &["a", "b"]),
        (json!(["./extra/c", "."]), &["a", "b", "c"]),
        // A list without any existing directory is ignored.
        (json!(["./nowhere", "./neither"]), &["a", "b"]),
    ];
    let market = Market::with(&json!([]), files());
    for (list, expected) in &lists {
        market
            .upstream
            .commit(publish(&index(&plugin("./", json!({"skills": list, "strict": false})))));
        market.sync().succeeds();
        assert_eq!(market.sandbox.locked_skills(), *expected, "{list}");
    }
    market.sync().succeeds().says(["ignored", "nowhere"]);
}

#[test]
fn single_skill_plugin_has_all_but_the_parts_of_a_plugin() {
    let files = plugin_json(Change::new(), "one/", &json!({"name": "p"}))
        .skill_at("one", "solo")
        .text("one/references/r.md", "r\n")
        .text("one/agents/a.md", "a\n")
        .text("one/data/hooks/d.csv", "d\n")
        .text("one/template.md", "t\n")
        .text("one/hooks/h.json", "{}");
    let market = Market::with(&plugin("./one", json!({})), files);
    let run = market.sync().succeeds().says(["excluded from team: one/hooks\n"]);
    run.never_prints("warning: the skill at the root");
    assert_eq!(market.requests_to("market"), RELATIVE);
    assert_eq!(
        market.stored(),
        [
            "solo/SKILL.md",
            "solo/agents/a.md",
            "solo/data/hooks/d.csv",
            "solo/references/r.md",
            "solo/template.md"
        ]
    );
    let store = market.sandbox.snapshot("project/helix.skills");
    market.sandbox.remove_store();
    market.sandbox.remove_cache();
    market.sandbox.skills(["sync", "--locked"]).succeeds();
    assert_eq!(market.sandbox.snapshot("project/helix.skills").contents(), store.contents());
    market.sandbox.skills(["sync", "--check", "--store"]).succeeds();
    // Its directory is its name in a selection.
    market.request(json!({"include": ["one"], "rename": {"one": "alone"}}));
    market.sync().succeeds();
    assert_eq!(market.sandbox.locked_skills(), ["alone"]);
}

#[test]
fn skills_below_a_root_skill_have_all_their_files() {
    let files = Change::new().text("SKILL.md", &skill_md("p")).skill_at("a", "a");
    let files = files.text("a/data/x.md", "x\n");
    let market = Market::with(&plugin("./", json!({"skills": ["./"]})), files);
    market.sync().succeeds();
    let files = ["a/SKILL.md", "a/data/x.md", "p/SKILL.md"];
    assert_eq!(market.stored(), files);
    market.sandbox.remove_store();
    market.sandbox.remove_cache();
    market.sandbox.skills(["sync", "--locked"]).succeeds();
    assert_eq!(market.stored(), files);
}

#[test]
fn renamed_single_skill_plugin_keeps_its_manifest_name() {
    let text =
        json!({"renames": {"p": "q"}, "plugins": [{"name": "q", "source": "./"}]}).to_string();
    let market = Market::with_index(&text, Change::new().text("SKILL.md", &skill_md("solo")));
    market.request(json!({"include": ["p"], "rename": {"p": "mine"}}));
    market.sync().succeeds().says(["`p` was renamed to `q`"]);
    assert_eq!(market.sandbox.locked_skills(), ["mine"]);
    market.sandbox.skills(["sync", "--check", "--store"]).succeeds();
}

#[test]
fn t15_only_skills_of_a_plugin_are_written() {
    let files = plugin_json(
        Change::new(),
        "x/",
        &json!({"name": "p", "mcpServers": {"evil": {"command": "touch"}}, "hooks": "./hooks/hooks.json"}),
    );
    let files = files
        .skill_at("x/skills/a", "a")
        .text("x/hooks/hooks.json", "{}")
        .text("x/commands/run.md", "x\n")
        .text("x/agents/a.md", "x\n")
        .text("x/.mcp.json", "{}")
        .text("x/.lsp.json", "{}")
        .executable("x/bin/tool", "#!/bin/sh\n");
    let market = Market::with(&plugin("./x", json!({})), files);
    let parts = [
        "`hooks`",
        "`mcpServers`",
        "`agents/`",
        "`bin/`",
        "`commands/`",
        "`hooks/`",
        "`.mcp.json`",
        "`.lsp.json`",
    ];
    market.sync().succeeds().says(parts).says(["ignored parts of the plugin `p`"]);
    assert_eq!(market.stored(), ["a/SKILL.md"]);
    market.sandbox.forget();
    market.sandbox.skills(["sync"]).succeeds().never_prints("mcpServers");

    // A plugin without skills is an error that lists what it has.
    market.upstream.commit(Change::new().remove("x/skills"));
    sync_fails(
        &market,
        2,
        &["the plugin `p` has no skills", "`commands/`", "only skills are used"],
    );
    // So is one whose links lead to no skill.
    let idle = Change::new().text("p/README.md", "about\n").link("p/skills/x", "../README.md");
    let market = Market::with(&plugin("./p", json!({})), idle);
    sync_fails(&market, 2, &["the plugin `p` has no skills", "there is no SKILL.md in `p`"]);
}

#[test]
fn strict_false_conflicts_with_a_manifest_that_adds_skills() {
    let files = plugin_json(
        Change::new(),
        "x/",
        &json!({"name": "p", "skills": "./more", "hooks": "./h.json"}),
    );
    let market =
        Market::with(&plugin("./x", json!({"strict": false})), files.skill_at("x/skills/a", "a"));
    sync_fails(&market, 2, &["`p` has `\"strict\": false`", "`skills`", "`git`"]);
    market.upstream.commit(plugin_json(
        Change::new(),
        "x/",
        &json!({"name": "p", "version": "1.0.0"}),
    ));
    market.sync().succeeds();
    assert_eq!(market.sandbox.locked_skills(), ["a"]);
}

#[test]
fn plugin_root_is_for_bare_names_and_a_fallback_for_paths() {
    let text = |source: &str| {
        json!({"metadata": {"pluginRoot": "./plugins"}, "plugins": [{"name": "p", "source": source}]}).to_string()
    };
    let market = Market::with_index(&text("x"), Change::new().skill_at("plugins/x/skills/a", "a"));
    market.sync().succeeds().never_prints("as the marketplace says");
    assert_eq!(market.locked_plugin(), json!({"path": "plugins/x"}));
    market.upstream.commit(publish(&text("./x")));
    market.sync().succeeds().says(["warning: ", "`plugins/x`, not in `x`"]);
    assert_eq!(market.locked_plugin(), json!({"path": "plugins/x"}));
    market.sandbox.skills(["sync", "--check", "--store"]).succeeds();
    market.upstream.commit(Change::new().skill_at("x/skills/b", "b"));
    market.sync().succeeds().never_prints("as the marketplace says");
    assert_eq!(market.sandbox.locked_skills(), ["b"]);
    // Of a plugin that is in neither place, the written one is printed.
    market.upstream.commit(publish(&text("./plugins/gone")));
    let run = market.sandbox.skills(["add", &url("market"), "--list"]).succeeds();
    run.prints(["the plugin `p` should be in `plugins/gone`, but there is no such directory"]);

    market.upstream.commit(publish(&index(&plugin("x", json!({})))));
    sync_fails(&market, 1, &["marketplace.json:", "`pluginRoot`", "`./x`"]);
}

#[test]
fn renames_are_followed_with_a_warning() {
    let text = |renames: Value| {
        json!({"renames": renames, "plugins": [{"name": "now", "source": "./"}, {"name": "pp", "source": "./"}]})
            .to_string()
    };
    let market =
        Market::with_index(&text(json!({"p": "then", "then": "now"})), Change::new().skill("a"));
    market.sync().succeeds().says(["warning: ", "`p` was renamed to `now`"]);
    market.sandbox.skills(["sync", "--check"]).succeeds();
    let cases: [(Value, &[&str]); 4] = [
        (json!({"p": null}), &["removed the plugin `p`"]),
        (json!({"p": "q", "q": "r", "r": "q"}), &["in a circle", "`q`", "`r`"]),
        (json!({"p": "lost"}), &["no plugin `p`, now `lost`", "`now`", "`pp`"]),
        (json!({}), &["no plugin `p`", "its plugins are `pp`, `now`"]),
    ];
    for (renames, says) in cases {
        market.upstream.commit(publish(&text(renames)));
        sync_fails(&market, 2, says);
    }
}

#[test]
fn index_errors_have_a_location() {
    let market = Market::with_index("{", Change::new().skill("a"));
    let cases = [
        ("{\"plugins\": [}", "marketplace.json:1:14"),
        ("[]", "marketplace.json:1:1"),
        ("{}", "`plugins`"),
        (
            "{\"plugins\": [{\"name\": \"p\"}]}",
            "marketplace.json:1:14: a plugin needs the key `source`",
        ),
        ("{\"plugins\": [{\"name\": \"p\", \"source\": 7}]}", "marketplace.json:1:38"),
        (
            "{\"plugins\": [{\"name\": \"p\", \"source\": \"./x/../../y\"}]}",
            "`./x/../../y` is refused",
        ),
        ("{\"plugins\": [{\"name\": \"p\", \"source\": \"/etc\"}]}", "`/etc` is refused"),
        (
            "{\"plugins\": [{\"name\": \"p\", \"source\": \"./\", \"skills\": [\"../x\"]}]}",
            "`../x` is refused",
        ),
        (
            "{\"plugins\": [{\"name\": \"p\", \"source\": \"https://x.example/y\"}]}",
            "is a URL, expected a path",
        ),
        (
            "{\"plugins\": [{\"name\": \"p\", \"source\": {\"source\": \"npm\", \"package\": \"x\"}}]}",
            "unsupported type of plugin source `npm`",
        ),
        (
            "{\"plugins\": [{\"name\": \"p\", \"source\": {\"source\": \"archive\", \"url\": \"https://x.example/y.zip\"}}]}",
            "unsupported type of plugin source `archive`",
        ),
        (
            "{\"plugins\": [{\"name\": \"p\", \"source\": {\"source\": \"command\", \"command\": \"touch x\"}}]}",
            "unsupported type of plugin source `command`",
        ),
        (
            "{\"plugins\": [{\"name\": \"p\", \"source\": {\"source\": \"gitub\", \"repo\": \"a/b\"}}]}",
            "did you mean `github`?",
        ),
    ];
    for (text, says) in cases {
        market.upstream.commit(publish(text));
        sync_fails(&market, 1, &["error: team: .claude-plugin/marketplace.json", says]);
    }
    let twice = json!([{"name": "p", "source": "./"}, {"name": "p", "source": "./x"}]);
    market.upstream.commit(publish(&index(&twice)));
    sync_fails(&market, 2, &["lists the plugin `p` 2 times: at 7:5, at 11:5"]);
    market
        .upstream
        .commit(publish("\u{feff}{\"plugins\": [{\"name\": \"p\", \"source\": \"./gone\"}]}"));
    sync_fails(&market, 2, &["`p` should be in `gone`, but there is no such directory"]);
    market
        .upstream
        .commit(Change::new().bytes(".claude-plugin/marketplace.json", b"{\"plugins\": \"\xff\"}"));
    sync_fails(&market, 1, &["marketplace.json", "not UTF-8"]);
    market.upstream.commit(Change::new().remove(".claude-plugin"));
    sync_fails(
        &market,
        2,
        &["not a marketplace", "`.claude-plugin/marketplace.json`", "`\"type\": \"git\"`"],
    );
}

/// An error of one plugin does not affect the others.
#[test]
fn broken_entry_does_not_affect_other_plugins() {
    let plugins = json!([{"name": "p", "source": "./"}, {"name": "broken", "source": "../../x"}, {"source": "./"}, {"name": "twice", "source": "./"}, {"name": "twice", "source": "./"}]);
    let market = Market::with(&plugins, Change::new().skill("a"));
    // `-v` reports them.
    market
        .sync()
        .succeeds()
        .says(["a plugin needs the key `name`", "`twice` is listed more than once"]);
    assert_eq!(market.sandbox.locked_skills(), ["a"]);
}

#[test]
fn plugin_manifest_errors_have_a_location() {
    let market = Market::with(&plugin("./x", json!({})), Change::new().skill_at("x/skills/a", "a"));
    for (text, says) in [
        ("{", "plugin.json:1:"),
        ("{}", "`name`"),
        (
            "{\"name\": \"p\", \"skills\": [\"./../../y\"]}",
            "plugin.json:1:26: the path `./../../y` is refused",
        ),
        ("{\"name\": \"p\", \"skills\": 3}", "`skills` must be a path or a list of paths"),
    ] {
        market.upstream.commit(Change::new().text("x/.claude-plugin/plugin.json", text));
        sync_fails(&market, 1, &["error: team: x/.claude-plugin/plugin.json", says]);
    }
}

#[test]
fn duplicate_plugin_skills_are_an_error_with_a_fix() {
    let plugins = json!([{"name": "p", "source": "./one"}, {"name": "q", "source": "./two"}]);
    let files = Change::new()
        .skill_at("one/skills/access", "access")
        .skill_at("two/skills/access", "access");
    let market = Market::with(&plugins, files);
    let source = |plugin: &str, keys: Value| {
        let mut source =
            json!({"type": "claude-marketplace", "url": url("market"), "plugin": plugin});
        source.as_object_mut().unwrap().extend(keys.as_object().unwrap().clone());
        source
    };
    market.sandbox.sources(&json!({"one": source("p", json!({})), "two": source("q", json!({}))}));
    sync_fails(
        &market,
        2,
        &[
            "`access`",
            "one: one/skills/access",
            "two: two/skills/access",
            r#"write `"rename": {"access":"two-access"}` in the source `two`"#,
        ],
    );
    market.sandbox.sources(
        &json!({"one": source("p", json!({})), "two": source("q", json!({"prefix": "q-"}))}),
    );
    market.sync().succeeds();
    assert_eq!(market.sandbox.locked_skills(), ["access", "q-access"]);
}

#[test]
fn plugin_links_stay_inside_the_commit() {
    let files = Change::new()
        .skill_at("shared/a", "a")
        .text("shared/notes.md", "shared\n")
        .link("plugins/p/skills/a", "../../../shared/a")
        .skill_at("plugins/p/skills/b", "b")
        .link("plugins/p/skills/b/notes.md", "../../../../shared/notes.md");
    let market = Market::with(&plugin("./plugins/p", json!({})), files);
    market.sync().succeeds();
    assert_eq!(market.stored(), ["a/SKILL.md", "b/SKILL.md", "b/notes.md"]);
    let store = market.sandbox.snapshot("project/helix.skills");
    market.sandbox.remove_store();
    market.sandbox.remove_cache();
    market.sandbox.skills(["sync", "--locked"]).succeeds();
    assert_eq!(market.sandbox.snapshot("project/helix.skills").contents(), store.contents());

    market
        .upstream
        .commit(Change::new().link("plugins/p/skills/b/notes.md", "../../../../../outside"));
    sync_fails(&market, 1, &["b/notes.md: the link leads out of the repository"]);
    // The plugin's directory itself may be a link.
    market.upstream.commit(Change::new().remove("plugins/p/skills/b").link("way", "plugins/p"));
    market.upstream.commit(publish(&index(&plugin("./way", json!({})))));
    market.sync().succeeds();
    assert_eq!(market.stored(), ["a/SKILL.md"]);
    market.upstream.commit(Change::new().link("way", "../../elsewhere"));
    sync_fails(
        &market,
        2,
        &["the plugin `p` should be in `way`, but the link leads out of the repository"],
    );
}

#[test]
fn limits_apply_to_plugins() {
    let files = plugin_json(Change::new(), "x/", &json!({"name": "p"})).skill_at("x/skills/a", "a");
    let market =
        Market::with(&plugin("./x", json!({})), files.bytes("x/skills/a/big.bin", &[7; 3000]));
    let source = json!({"type": "claude-marketplace", "url": url("market"), "plugin": "p"});
    for (limits, says) in [
        (json!({"bytesPerFile": 2000}), "bytesPerFile"),
        (json!({"filesPerSkill": 1}), "filesPerSkill"),
        (json!({"bytesPerSkill": 2500}), "bytesPerSkill"),
        (json!({"objectsPerFetch": 3}), "objectsPerFetch"),
    ] {
        market.sandbox.manifest(&json!({"skills": {"team": source}, "limits": limits}).to_string());
        sync_fails(&market, 6, &[says]);
    }
}

#[test]
fn local_marketplace_needs_no_network() {
    let market = Market::with(&plugin("./x", json!({})), Change::new().skill_at("x/skills/a", "a"));
    market.request(json!({"url": "../upstream/market.git"}));
    market.sandbox.skills(["sync", "--offline"]).succeeds();
    assert_eq!(market.sandbox.locked_skills(), ["a"]);
    market.sandbox.remove_store();
    market.sandbox.remove_cache();
    market.sandbox.skills(["sync", "--frozen"]).succeeds();
    assert_eq!(market.server.traffic().requests, 0);
}

#[test]
fn add_accepts_a_plugin_and_lists_those_of_a_marketplace() {
    let plugins = json!([{"name": "p", "source": "./x"}, {"name": "other", "source": "./y"}]);
    let market = Market::with(&plugins, Change::new().text("x/README.md", "soon\n"));
    market.sandbox.manifest("{\"skills\": {}}\n");
    let added = market.sandbox.skills(["add", &url("market")]).exits(2);
    added.says([
        "there are no skills in the repository",
        "the repository is a plugin marketplace",
        "its plugins are `other`, `p`",
    ]);
    market
        .sandbox
        .skills(["add", &url("market"), "--plugin", "o"])
        .exits(2)
        .says(["no plugin `o`", "`other`"]);
    assert_eq!(market.sandbox.read("project/helix.skills.json"), "{\"skills\": {}}\n");

    market.upstream.commit(Change::new().skill_at("x/skills/a", "a"));
    market.upstream.tag("v0.2.0");
    market.sandbox.skills(["add", &url("market"), "--plugin", "p"]).succeeds();
    let manifest: Value =
        serde_json::from_str(&market.sandbox.read("project/helix.skills.json")).unwrap();
    let entry = json!({"type": "claude-marketplace", "url": url("market"), "plugin": "p", "version": "0.2.0"});
    assert_eq!(manifest["skills"], json!({ "p": entry }));
    assert_eq!(market.sandbox.locked_skills(), ["a"]);
    // A skill of a plugin is found without it.
    market.sandbox.manifest("{\"skills\": {}}\n");
    market.sandbox.skills(["add", &url("market"), "--include", "a"]).succeeds();
    let manifest: Value =
        serde_json::from_str(&market.sandbox.read("project/helix.skills.json")).unwrap();
    let entry = json!({"type": "git", "url": url("market"), "version": "0.2.0", "include": ["a"]});
    assert_eq!(manifest["skills"], json!({ "market": entry }));
}

#[test]
fn plugin_newer_than_the_release_is_taken_from_the_branch() {
    let files = Change::new().text("x/README.md", "soon\n").skill_at("y/skills/b", "b");
    let market = Market::with(&plugin("./x", json!({})), files);
    market.upstream.tag("v0.2.0");
    let plugins = json!([{"name": "p", "source": "./x"}, {"name": "late", "source": "./y"}]);
    market.upstream.commit(publish(&index(&plugins)).skill_at("x/skills/a", "a"));
    for (plugin, skill) in [("late", "b"), ("p", "a")] {
        market.sandbox.forget();
        market.sandbox.manifest("{\"skills\": {}}\n");
        let add = ["add", &url("market"), "--plugin", plugin];
        let what = format!("version 0.2.0 does not have `{plugin}`; the branch `main` is used\n");
        market.sandbox.skills(add).succeeds().says([what]);
        assert_eq!(market.sandbox.locked_skills(), [skill]);
        market.sandbox.skills(["sync", "--check", "--upstream"]).succeeds();
    }
    // Not if neither has it, or the release was typed.
    market.sandbox.manifest("{\"skills\": {}}\n");
    for arguments in [&["none"][..], &["late", "--version", "0.2.0"]] {
        let market_url = url("market");
        let add = [&["add", &market_url, "--plugin"], arguments].concat();
        let what = format!("the marketplace has no plugin `{}`", arguments[0]);
        market.sandbox.skills(add).exits(2).says([what, "(at refs/tags/v0.2.0)".to_owned()]);
    }
}

#[test]
fn plugin_manifest_alone_is_not_a_marketplace() {
    let market = Market::empty();
    market
        .upstream
        .commit(plugin_json(Change::new(), "", &json!({"name": "p"})).skill_at("in/a", "a"));
    market.sandbox.sources(&json!({"team": {"type": "git", "url": url("market")}}));
    market.sync().succeeds();
    assert_eq!(market.stored(), ["a/SKILL.md"]);
    let why = "the repository is not a marketplace";
    market.request(json!({}));
    market.sync().exits(2).says([why]).never_prints("--plugin");
}
