//! Plugins that lie in the repository of their marketplace, and what can be wrong with an index.

use crate::market::{Market, index, plugin_json, publish, url};
use helix_skills_tests::{Change, skill_md};
use serde_json::{Value, json};

const RELATIVE: [&str; 5] = ["GET", "ls-refs", "fetch", "fetch", "fetch"];

fn plugin(source: &str, keys: Value) -> Value {
    let mut plugin = json!({"name": "p", "source": source});
    plugin.as_object_mut().unwrap().extend(keys.as_object().unwrap().clone());
    json!([plugin])
}

/// A sync from nothing fails, says this, and leaves nothing.
#[track_caller]
fn refuses(market: &Market, code: i32, says: &[&str]) {
    market.sync().exits(code).says(says);
    market.nothing_was_written();
}

#[test]
fn a_plugin_at_the_root_takes_five_requests_and_both_hops_are_locked() {
    let files = plugin_json(Change::new(), "", &json!({"name": "p", "version": "1.4.0"}))
        .skill("a")
        .skill("b");
    let market = Market::with(&plugin("./", json!({})), files);
    market.sync().succeeds();
    assert_eq!(market.asked_of("market"), RELATIVE);
    assert_eq!(market.sandbox.locked_skills(), ["a", "b"]);
    assert_eq!(market.locked_plugin(), json!({"path": ".", "version": "1.4.0"}));
    assert_eq!(market.sandbox.locked_commit("team"), market.upstream.id("main"));
    assert_eq!(market.sandbox.lock_json()["sources"]["team"]["ref"], "refs/heads/main");

    market.server.take_traffic();
    market.sandbox.skills(["sync", "--frozen"]).succeeds();
    market.sandbox.skills(["sync", "--check", "--store"]).succeeds();
    market.sandbox.remove_store();
    market.sandbox.skills(["sync", "--offline"]).succeeds(); // by the cache
    assert_eq!(market.server.traffic().requests, 0);

    market.sandbox.remove_store();
    market.sandbox.remove_cache();
    market.sandbox.skills(["sync", "--locked"]).succeeds();
    assert_eq!(market.asked_of("market"), ["GET", "fetch"]);
}

#[test]
fn a_plugin_in_a_subdirectory_takes_five_requests_whatever_the_directory_is_called() {
    for directory in ["plugins/p", "plugins/other", "deep/in/there"] {
        let files = plugin_json(
            Change::new(),
            &format!("{directory}/"),
            &json!({"name": "p", "skills": "./more"}),
        );
        let files = files.skill_at(&format!("{directory}/skills/a"), "a").skill("stranger");
        let market = Market::with(
            &plugin(&format!("./{directory}"), json!({})),
            files.text(&format!("{directory}/more/b/SKILL.md"), &skill_md("b")),
        );
        market.sync().succeeds();
        assert_eq!(market.sandbox.locked_skills(), ["a", "b"]);
        // What only the manifest of the plugin names comes with one request more.
        assert_eq!(market.asked_of("market").len(), 6, "{directory}");

        market.upstream.commit(Change::new().remove(&format!("{directory}/more")));
        market.upstream.commit(plugin_json(
            Change::new(),
            &format!("{directory}/"),
            &json!({"name": "p"}),
        ));
        market.sync().succeeds();
        assert_eq!(market.sandbox.locked_skills(), ["a"]);
        assert_eq!(market.asked_of("market"), RELATIVE, "{directory}");
        assert_eq!(market.locked_plugin(), json!({ "path": directory }));
    }
}

#[test]
fn two_plugins_of_a_marketplace_share_their_requests() {
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
    assert_eq!(market.asked_of("market"), RELATIVE);
    assert_eq!(market.sandbox.locked_skills(), ["of-p", "of-q"]);
}

#[test]
fn only_what_is_selected_is_fetched_of_a_plugin() {
    let files = plugin_json(Change::new(), "plugins/p/", &json!({"name": "p"}));
    let files = files.skill_at("plugins/p/skills/a", "a").skill_at("plugins/p/skills/b", "b");
    let market =
        Market::with(&plugin("./plugins/p", json!({})), files.skill_at("plugins/p/skills/c", "c"));
    market.ask(json!({"include": ["a", "b"], "exclude": ["b"]}));
    market.sync().succeeds();
    assert_eq!(market.sandbox.locked_skills(), ["a"]);
    let exchanges = market.server.exchanges();
    let mut wants = exchanges[4].wants();
    wants.sort_unstable();
    let files = ["plugins/p/.claude-plugin/plugin.json", "plugins/p/skills/a/SKILL.md"];
    let mut expected = files.map(|path| market.upstream.id(&format!("main:{path}")));
    expected.sort();
    assert_eq!(wants, expected);

    // Another selection does not move the pin.
    let before = market.sandbox.locked_commit("team");
    market.upstream.commit(Change::new().skill_at("plugins/p/skills/d", "d"));
    market.ask(json!({"include": ["b"]}));
    market.sandbox.skills(["sync", "--check"]).exits(1).says(["`include`"]);
    market.sandbox.skills(["sync", "--locked"]).exits(1);
    market.sandbox.skills(["sync"]).succeeds();
    assert_eq!(
        (market.sandbox.locked_skills(), market.sandbox.locked_commit("team")),
        (vec!["b".to_owned()], before)
    );
    market.ask(json!({"include": ["d"]}));
    market.sandbox.skills(["sync"]).exits(2).says(["`include` names `d`"]);
}

#[test]
fn another_plugin_is_resolved_anew() {
    let plugins = json!([{"name": "p", "source": "./one"}, {"name": "q", "source": "./two"}]);
    let market = Market::with(
        &plugins,
        Change::new().skill_at("one/skills/a", "a").skill_at("two/skills/b", "b"),
    );
    market.sync().succeeds();
    let moved = market.upstream.commit(Change::new().text("README.md", "new\n"));
    market.ask(json!({"plugin": "q"}));
    market.sandbox.skills(["sync", "--check"]).exits(1).says(["`plugin`"]);
    market.sandbox.skills(["sync"]).succeeds();
    assert_eq!(
        (market.sandbox.locked_skills(), market.sandbox.locked_commit("team")),
        (vec!["b".to_owned()], moved)
    );
    assert_eq!(market.locked_plugin(), json!({"path": "two"}));
}

#[test]
fn the_version_is_a_tag_or_what_the_plugin_declares() {
    let market = Market::with(&plugin("./", json!({"version": "3.0.0"})), Change::new().skill("a"));
    let tagged = market.upstream.id("main");
    market.upstream.tag("v1.0.0");
    let head = market.upstream.commit(Change::new().text("x.md", "x\n"));

    market.ask(json!({"version": "1.0.0"}));
    market.sync().succeeds();
    assert_eq!(market.sandbox.locked_commit("team"), tagged);
    for declared in ["3.0.0", "v3.0.0", "^3"] {
        market.ask(json!({ "version": declared }));
        market.sync().succeeds();
        assert_eq!(market.sandbox.locked_commit("team"), head, "{declared}");
        assert_eq!(market.locked_plugin()["version"], "3.0.0");
        market.sandbox.skills(["sync", "--check"]).succeeds();
    }
    market.ask(json!({"version": "2.0.0"}));
    refuses(&market, 2, &["`2.0.0`", "`p` declares 3.0.0", "ask for `3.0.0`"]);

    // The plugin's own word counts before that of its entry.
    market.upstream.commit(plugin_json(
        Change::new(),
        "",
        &json!({"name": "p", "version": "4.0.0"}),
    ));
    market.ask(json!({"version": "3.0.0"}));
    refuses(&market, 2, &["`3.0.0`", "`p` declares 4.0.0"]);
    market
        .upstream
        .commit(publish(&index(&plugin("./", json!({})))).remove(".claude-plugin/plugin.json"));
    refuses(&market, 2, &["`3.0.0`", "`p` declares none", "`ref`"]);
}

#[test]
fn skills_are_listed_as_a_text_or_a_list_as_skills_or_directories_of_skills() {
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
        // In the index and in the manifest of the plugin it means the same.
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
    for (path, says) in
        [("./empty", "it has no SKILL.md"), ("./gone", "there is no such directory")]
    {
        market.upstream.commit(
            publish(&index(&plugin("./x", json!({"skills": ["./direct", path]}))))
                .remove("x/.claude-plugin")
                .text("x/empty/README.md", "x\n"),
        );
        refuses(&market, 1, &["marketplace.json of the plugin `p` lists it", says]);
    }
}

#[test]
fn at_the_root_of_the_marketplace_the_list_is_all_there_is() {
    let files = || Change::new().skill("a").skill("b").skill_at("extra/c", "c");
    let lists: [(Value, &[&str]); 5] = [
        (json!(["./skills/a"]), &["a"]),
        (json!("./extra"), &["c"]),
        (json!(["./skills/a", "./skills"]), &["a", "b"]),
        (json!(["./extra/c", "."]), &["a", "b", "c"]),
        // What is not there is ignored, if nothing of the list is.
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
fn a_plugin_that_is_one_skill_has_the_files_of_a_skill_at_a_root() {
    let files = plugin_json(Change::new(), "one/", &json!({"name": "p"}))
        .skill_at("one", "solo")
        .text("one/references/r.md", "r\n")
        .text("one/notes.md", "n\n")
        .text("one/hooks/h.json", "{}");
    let market = Market::with(&plugin("./one", json!({})), files);
    let run = market
        .sync()
        .succeeds()
        .says(["at the root of the plugin of the source `team`", "left out `hooks`, `notes.md`"]);
    run.never_prints("`.claude-plugin");
    assert_eq!(market.asked_of("market"), RELATIVE);
    assert_eq!(market.stored(), ["solo/SKILL.md", "solo/references/r.md"]);
    let store = market.sandbox.snapshot("project/helix.skills");
    market.sandbox.remove_store();
    market.sandbox.remove_cache();
    market.sandbox.skills(["sync", "--locked"]).succeeds();
    assert_eq!(market.sandbox.snapshot("project/helix.skills").contents(), store.contents());
    market.sandbox.skills(["sync", "--check", "--store"]).succeeds();
    // Its directory is its name in a selection.
    market.ask(json!({"include": ["one"], "rename": {"one": "alone"}}));
    market.sync().succeeds();
    assert_eq!(market.sandbox.locked_skills(), ["alone"]);
}

#[test]
fn a_renamed_plugin_that_is_one_skill_at_a_root_keeps_the_name_of_the_manifest() {
    let text =
        json!({"renames": {"p": "q"}, "plugins": [{"name": "q", "source": "./"}]}).to_string();
    let market = Market::with_index(&text, Change::new().text("SKILL.md", &skill_md("solo")));
    market.ask(json!({"include": ["p"], "rename": {"p": "mine"}}));
    market.sync().succeeds().says(["`p` is called `q` now"]);
    assert_eq!(market.sandbox.locked_skills(), ["mine"]);
    market.sandbox.skills(["sync", "--check", "--store"]).succeeds();
}

#[test]
fn t15_nothing_but_skills_is_written_and_what_is_ignored_is_told_to_those_who_ask() {
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
    market.sync().succeeds().says(parts).says(["ignored of the plugin `p`"]);
    assert_eq!(market.stored(), ["a/SKILL.md"]);
    market.sandbox.forget();
    market.sandbox.skills(["sync"]).succeeds().never_prints("mcpServers");

    // A plugin of nothing else has no skills, and says what it has.
    market.upstream.commit(Change::new().remove("x/skills"));
    refuses(&market, 2, &["the plugin `p` has no skills", "`commands/`", "only skills are taken"]);
    // Nor has one whose links lead to none.
    let idle = Change::new().text("p/README.md", "about\n").link("p/skills/x", "../README.md");
    let market = Market::with(&plugin("./p", json!({})), idle);
    refuses(&market, 2, &["the plugin `p` has no skills", "no SKILL.md is in `p`"]);
}

#[test]
fn strict_false_and_a_manifest_that_declares_more_is_a_conflict() {
    let files = plugin_json(
        Change::new(),
        "x/",
        &json!({"name": "p", "skills": "./more", "hooks": "./h.json"}),
    );
    let market =
        Market::with(&plugin("./x", json!({"strict": false})), files.skill_at("x/skills/a", "a"));
    refuses(&market, 2, &["`p` has `\"strict\": false`", "`hooks`, `skills`", "`git`"]);
    market.upstream.commit(plugin_json(
        Change::new(),
        "x/",
        &json!({"name": "p", "version": "1.0.0"}),
    ));
    market.sync().succeeds();
    assert_eq!(market.sandbox.locked_skills(), ["a"]);
}

#[test]
fn plugin_root_is_for_bare_names_and_a_last_resort_for_paths() {
    let text = |source: &str| {
        json!({"metadata": {"pluginRoot": "./plugins"}, "plugins": [{"name": "p", "source": source}]}).to_string()
    };
    let market = Market::with_index(&text("x"), Change::new().skill_at("plugins/x/skills/a", "a"));
    market.sync().succeeds().never_prints("lies in");
    assert_eq!(market.locked_plugin(), json!({"path": "plugins/x"}));
    market.upstream.commit(publish(&text("./x")));
    market.sync().succeeds().says(["warning: ", "`plugins/x`, not in `x`"]);
    assert_eq!(market.locked_plugin(), json!({"path": "plugins/x"}));
    market.sandbox.skills(["sync", "--check", "--store"]).succeeds();
    market.upstream.commit(Change::new().skill_at("x/skills/b", "b"));
    market.sync().succeeds().never_prints("lies in");
    assert_eq!(market.sandbox.locked_skills(), ["b"]);

    market.upstream.commit(publish(&index(&plugin("x", json!({})))));
    refuses(&market, 1, &["marketplace.json:", "`pluginRoot`", "`./x`"]);
}

#[test]
fn renames_are_followed_and_told() {
    let text = |renames: Value| {
        json!({"renames": renames, "plugins": [{"name": "now", "source": "./"}, {"name": "pp", "source": "./"}]})
            .to_string()
    };
    let market =
        Market::with_index(&text(json!({"p": "then", "then": "now"})), Change::new().skill("a"));
    market.sync().succeeds().says(["warning: ", "`p` is called `now` now"]);
    market.sandbox.skills(["sync", "--check"]).succeeds();
    let cases: [(Value, &[&str]); 4] = [
        (json!({"p": null}), &["removed the plugin `p`"]),
        (json!({"p": "q", "q": "r", "r": "q"}), &["in a circle", "`q`", "`r`"]),
        (json!({"p": "lost"}), &["no plugin `p`, now `lost`", "`now`", "`pp`"]),
        (json!({}), &["no plugin `p`", "its plugins are `pp`, `now`"]),
    ];
    for (renames, says) in cases {
        market.upstream.commit(publish(&text(renames)));
        refuses(&market, 2, says);
    }
}

#[test]
fn what_is_wrong_with_an_index_is_told_with_its_place() {
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
            "the kind `npm` is refused",
        ),
        (
            "{\"plugins\": [{\"name\": \"p\", \"source\": {\"source\": \"archive\", \"url\": \"https://x.example/y.zip\"}}]}",
            "the kind `archive` is refused",
        ),
        (
            "{\"plugins\": [{\"name\": \"p\", \"source\": {\"source\": \"command\", \"command\": \"touch x\"}}]}",
            "the kind `command` is refused",
        ),
        (
            "{\"plugins\": [{\"name\": \"p\", \"source\": {\"source\": \"gitub\", \"repo\": \"a/b\"}}]}",
            "did you mean `github`?",
        ),
    ];
    for (text, says) in cases {
        market.upstream.commit(publish(text));
        refuses(&market, 1, &["error: team: .claude-plugin/marketplace.json", says]);
    }
    let twice = json!([{"name": "p", "source": "./"}, {"name": "p", "source": "./x"}]);
    market.upstream.commit(publish(&index(&twice)));
    refuses(&market, 2, &["lists the plugin `p` 2 times: at 7:5, at 11:5"]);
    market
        .upstream
        .commit(publish("\u{feff}{\"plugins\": [{\"name\": \"p\", \"source\": \"./gone\"}]}"));
    refuses(&market, 2, &["`p` should be in `gone`, but there is no such directory"]);
    market
        .upstream
        .commit(Change::new().bytes(".claude-plugin/marketplace.json", b"{\"plugins\": \"\xff\"}"));
    refuses(&market, 1, &["marketplace.json", "not UTF-8"]);
    market.upstream.commit(Change::new().remove(".claude-plugin"));
    refuses(
        &market,
        2,
        &["not a marketplace", "`.claude-plugin/marketplace.json`", "`\"type\": \"git\"`"],
    );
}

/// What is wrong with one plugin does not concern the others.
#[test]
fn a_broken_entry_beside_it_does_not_concern_a_plugin() {
    let plugins = json!([{"name": "p", "source": "./"}, {"name": "broken", "source": "../../x"}, {"source": "./"}, {"name": "twice", "source": "./"}, {"name": "twice", "source": "./"}]);
    let market = Market::with(&plugins, Change::new().skill("a"));
    // Those who look closely hear of them.
    market
        .sync()
        .succeeds()
        .says(["a plugin needs the key `name`", "`twice` is listed more than once"]);
    assert_eq!(market.sandbox.locked_skills(), ["a"]);
}

#[test]
fn what_is_wrong_with_the_manifest_of_a_plugin_is_told_with_its_place() {
    let market = Market::with(&plugin("./x", json!({})), Change::new().skill_at("x/skills/a", "a"));
    for (text, says) in [
        ("{", "plugin.json:1:"),
        ("{}", "`name`"),
        (
            "{\"name\": \"p\", \"skills\": [\"./../../y\"]}",
            "plugin.json:1:26: the path `./../../y` is refused",
        ),
        ("{\"name\": \"p\", \"skills\": \"more\"}", "`./more`"),
    ] {
        market.upstream.commit(Change::new().text("x/.claude-plugin/plugin.json", text));
        refuses(&market, 1, &["error: team: x/.claude-plugin/plugin.json", says]);
    }
}

#[test]
fn two_skills_of_one_name_are_told_with_both_places_and_what_helps() {
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
    refuses(
        &market,
        2,
        &["`access`", "one: one/skills/access", "two: two/skills/access", "`rename` or `prefix`"],
    );
    market.sandbox.sources(
        &json!({"one": source("p", json!({})), "two": source("q", json!({"prefix": "q-"}))}),
    );
    market.sync().succeeds();
    assert_eq!(market.sandbox.locked_skills(), ["access", "q-access"]);
}

#[test]
fn links_stay_inside_the_commit_of_the_marketplace() {
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
    refuses(&market, 1, &["b/notes.md: the link leads out of the repository"]);
    // The plugin itself may be one.
    market.upstream.commit(Change::new().remove("plugins/p/skills/b").link("way", "plugins/p"));
    market.upstream.commit(publish(&index(&plugin("./way", json!({})))));
    market.sync().succeeds();
    assert_eq!(market.stored(), ["a/SKILL.md"]);
    market.upstream.commit(Change::new().link("way", "../../elsewhere"));
    refuses(
        &market,
        2,
        &["the plugin `p` should be in `way`, but the link leads out of the repository"],
    );
}

#[test]
fn limits_hold_for_plugins() {
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
        refuses(&market, 6, &[says]);
    }
}

#[test]
fn a_local_marketplace_is_no_network() {
    let market = Market::with(&plugin("./x", json!({})), Change::new().skill_at("x/skills/a", "a"));
    market.ask(json!({"url": "../upstream/market.git"}));
    market.sandbox.skills(["sync", "--offline"]).succeeds();
    assert_eq!(market.sandbox.locked_skills(), ["a"]);
    market.sandbox.remove_store();
    market.sandbox.remove_cache();
    market.sandbox.skills(["sync", "--frozen"]).succeeds();
    assert_eq!(market.server.traffic().requests, 0);
}

#[test]
fn skills_add_takes_a_plugin_and_tells_what_a_marketplace_has() {
    let plugins = json!([{"name": "p", "source": "./x"}, {"name": "other", "source": "./y"}]);
    let market = Market::with(&plugins, Change::new().skill_at("x/in/a", "a"));
    market.sandbox.manifest("{\"skills\": {}}\n");
    let added = market.sandbox.skills(["add", &url("market")]).exits(2);
    added.says([
        "marketplace",
        &format!("skills add {} --plugin NAME", url("market")),
        "`other`, `p`",
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
}

#[test]
fn a_repository_with_a_plugin_manifest_alone_is_no_marketplace() {
    let market = Market::empty();
    market
        .upstream
        .commit(plugin_json(Change::new(), "", &json!({"name": "p"})).skill_at("in/a", "a"));
    market.sandbox.sources(&json!({"team": {"type": "git", "url": url("market")}}));
    market.sync().exits(2).says(["`in/a/SKILL.md`"]).never_prints("--plugin");
}
