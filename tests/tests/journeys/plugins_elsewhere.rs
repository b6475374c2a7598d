//! Plugins in another repository than their marketplace: two hops, both of which are locked.

use crate::market::{Market, index, plugin_json, publish, url};
use helix_skills_tests::{Behavior, Change, Login, Upstream};
use serde_json::{Value, json};

/// Creates a marketplace whose plugin `p` has this source, and the repository `tools` with a plugin
/// in `x/` and one at its root.
fn market(source: impl FnOnce(&Upstream) -> Value) -> (Market, Upstream) {
    let market = Market::empty();
    let tools = market.sandbox.upstream("tools");
    let files = plugin_json(
        Change::new(),
        "x/",
        &json!({"name": "p", "version": "2.0.0", "hooks": "./h.json"}),
    );
    let files = files
        .skill_at("x/skills/a", "a")
        .skill_at("x/more/b", "b")
        .text("x/h.json", "{}")
        .skill("top");
    tools.commit(plugin_json(files, "", &json!({"name": "p"})));
    let source = source(&tools);
    market.upstream.commit(publish(&index(&json!([{"name": "p", "source": source}]))));
    market.request(json!({}));
    (market, tools)
}

fn subdir(tools: &Upstream) -> Value {
    json!({"source": "git-subdir", "url": url("tools"), "path": "x", "sha": tools.id("main")})
}

#[test]
fn plugin_with_a_commit_takes_five_requests() {
    let (market, tools) = market(subdir);
    market.sync().succeeds().says(["ignored parts of the plugin `p`", "`hooks`"]);
    assert_eq!(market.requests_to("market"), ["ls-refs", "fetch", "fetch"]);
    assert_eq!(market.requests_to("tools"), ["fetch", "fetch"]);
    assert_eq!(market.stored(), ["a/SKILL.md"]);
    let plugin =
        json!({"url": url("tools"), "path": "x", "commit": tools.id("main"), "version": "2.0.0"});
    assert_eq!(market.locked_plugin(), plugin);
    assert_eq!(market.sandbox.locked_commit("team"), market.upstream.id("main"));
    assert!(
        !market.sandbox.lock().contains("127.0.0.1"),
        "expected URLs as written in the lockfile"
    );
    let (lock, store) = (market.sandbox.lock(), market.sandbox.snapshot("project/helix.skills"));

    market.server.take_traffic();
    for arguments in [&["sync", "--check", "--store"][..], &["sync"], &["sync", "--frozen"]] {
        market.sandbox.skills(arguments).succeeds();
    }
    market.sandbox.remove_store();
    // The cache proves the origin, too.
    market.sandbox.skills(["sync", "--frozen"]).succeeds().never_prints("warning");
    assert_eq!(market.server.traffic().requests, 0);

    // The commit of the marketplace, its index, the commit of the plugin, and its files.
    market.sandbox.remove_store();
    market.sandbox.skills(["sync", "--locked"]).succeeds().never_prints("warning");
    assert_eq!(market.requests_to("market"), ["fetch", "fetch"]);
    assert_eq!(market.requests_to("tools"), ["fetch"]);
    market.sandbox.remove_store();
    market.sandbox.remove_cache();
    market.server.take_traffic();
    market.sandbox.skills(["sync", "--locked"]).succeeds();
    assert_eq!(market.requests_to("market"), ["fetch", "fetch"]);
    assert_eq!(market.requests_to("tools"), ["fetch", "fetch"]);
    assert_eq!(market.sandbox.lock(), lock);
    assert_eq!(market.sandbox.snapshot("project/helix.skills").contents(), store.contents());
    market.sandbox.remove_store();
    market.sandbox.remove_cache();
    market.sandbox.skills(["sync", "--frozen"]).exits(3);
}

#[test]
fn every_plugin_source_type_works() {
    let (market, tools) = market(subdir);
    tools.commit_to(
        "dev",
        Change::new()
            .skill_at("x/skills/a", "a")
            .skill_at("x/skills/of-dev", "of-dev")
            .skill("dev-top"),
    );
    tools.tag("v1.0.0");
    let main = tools.id("main");
    let sub = |keys: Value| {
        let mut source = json!({"source": "git-subdir", "url": url("tools"), "path": "./x"});
        source.as_object_mut().unwrap().extend(keys.as_object().unwrap().clone());
        source
    };
    let cases: [(Value, &[&str], Value, &[&str]); 8] = [
        (sub(json!({})), &["a"], json!("refs/heads/main"), &["ls-refs", "fetch", "fetch"]),
        (
            sub(json!({"ref": "v1.0.0"})),
            &["a"],
            json!("refs/tags/v1.0.0"),
            &["ls-refs", "fetch", "fetch"],
        ),
        (
            sub(json!({"ref": "dev"})),
            &["a", "of-dev"],
            json!("refs/heads/dev"),
            &["ls-refs", "fetch", "fetch"],
        ),
        // A commit takes precedence over a branch, which is not requested.
        (sub(json!({"ref": "dev", "sha": main})), &["a"], Value::Null, &["fetch", "fetch"]),
        (sub(json!({"ref": "gone", "sha": main})), &["a"], Value::Null, &["fetch", "fetch"]),
        (
            json!({"source": "url", "url": url("tools"), "sha": main}),
            &["top"],
            Value::Null,
            &["fetch", "fetch"],
        ),
        (
            json!({"source": "url", "url": url("tools"), "path": "x", "sha": main}),
            &["a"],
            Value::Null,
            &["fetch", "fetch"],
        ),
        (
            json!({"source": "url", "url": url("tools").trim_end_matches(".git"), "sha": main}),
            &["top"],
            Value::Null,
            &["fetch", "fetch"],
        ),
    ];
    for (source, skills, reference, requests) in cases {
        market.upstream.commit(publish(&index(&json!([{"name": "p", "source": source}]))));
        if source["url"] == "https://plugins.example/tools" {
            std::os::unix::fs::symlink("tools.git", market.sandbox.path("upstream/tools")).unwrap();
        }
        market.sync().succeeds();
        assert_eq!(market.sandbox.locked_skills(), skills, "{source}");
        assert_eq!(market.locked_plugin()["ref"], reference, "{source}");
        let asked = market.requests_to("tools");
        assert!(
            source["url"] == "https://plugins.example/tools" || asked == requests,
            "{source}: {asked:?}"
        );
        market.sandbox.skills(["sync", "--check", "--store"]).succeeds();
    }
    // `github` and the short form of `git-subdir` are repositories on github.com.
    market.sandbox.write(
        "home/.gitconfig",
        format!(
            "{}[url \"{}/tools.git\"]\n\tinsteadOf = https://github.com/owner/tools.git\n",
            market.sandbox.read("home/.gitconfig"),
            market.server.base()
        ),
    );
    for source in [
        json!({"source": "github", "repo": "owner/tools", "ref": "main"}),
        json!({"source": "git-subdir", "url": "owner/tools", "path": "x"}),
    ] {
        market.upstream.commit(publish(&index(&json!([{"name": "p", "source": source}]))));
        market.sync().succeeds();
        assert_eq!(market.locked_plugin()["url"], "https://github.com/owner/tools.git");
    }
}

#[test]
fn listed_skill_paths_are_relative_to_the_plugin() {
    let (market, _tools) = market(subdir);
    let source = |tools: &str| json!({"source": "git-subdir", "url": tools, "path": "x"});
    let entry = json!({"name": "p", "source": source(&url("tools")), "strict": true, "skills": ["./more/b"]});
    market.upstream.commit(publish(&index(&json!([entry]))));
    market.sync().succeeds();
    // The exception for lists applies only to the root of a marketplace.
    assert_eq!(market.sandbox.locked_skills(), ["a", "b"]);
    assert_eq!(market.requests_to("tools"), ["ls-refs", "fetch", "fetch"]);
}

/// Neither hop moves if only the selection changes, even if the second hop follows a branch.
#[test]
fn changed_selection_moves_neither_hop() {
    let (market, tools) =
        market(|_| json!({"source": "git-subdir", "url": url("tools"), "path": "x"}));
    market.sync().succeeds();
    let (commit, plugin) = (market.sandbox.locked_commit("team"), market.locked_plugin());
    tools.commit(Change::new().text("x/skills/a/new.md", "new\n"));
    market.upstream.commit(Change::new().text("README.md", "new\n"));
    market.request(json!({"rename": {"a": "mine"}}));
    market.server.take_traffic();
    market.sandbox.skills(["sync"]).succeeds();
    assert_eq!((market.sandbox.locked_commit("team"), market.locked_plugin()), (commit, plugin));
    assert_eq!(market.stored(), ["mine/SKILL.md"]);
    assert!(
        !market.server.exchanges().iter().any(|exchange| exchange.command() == Some("ls-refs"))
    );
}

#[test]
fn plugin_may_be_in_the_repository_of_its_marketplace() {
    let market = Market::empty();
    let first = market.upstream.commit(Change::new().skill_at("x/skills/old", "old"));
    let source = json!({"source": "git-subdir", "url": market.server.url("market"), "path": "x", "sha": first});
    market.upstream.commit(publish(&index(&json!([{"name": "p", "source": source}]))));
    market.upstream.commit(Change::new().remove("x").skill_at("x/skills/new", "new"));
    // Its scheme may be any that the user's manifest has.
    market.request(json!({"url": market.server.url("market")}));
    market.sync().succeeds();
    assert_eq!(
        (market.sandbox.locked_skills(), market.locked_plugin()["commit"].clone()),
        (vec!["old".to_owned()], json!(first))
    );
    market.sandbox.skills(["sync", "--check", "--store"]).succeeds();
    market.sandbox.skills(["outdated", "--exit-code"]).succeeds();
}

#[test]
fn plugin_repository_errors_have_url_and_source() {
    let (market, _tools) = market(subdir);
    let lost = "0123456789012345678901234567890123456789";
    let sub = |keys: Value| {
        let mut source = json!({"source": "git-subdir", "url": url("tools"), "path": "x"});
        source.as_object_mut().unwrap().extend(keys.as_object().unwrap().clone());
        source
    };
    let cases: [(Value, i32, &[&str]); 5] = [
        (
            sub(json!({"ref": "nowhere"})),
            2,
            &[
                "the source `team`",
                "plugin `p`",
                "tools.git",
                "no tag or branch `nowhere`",
                "owner",
            ],
        ),
        (
            sub(json!({"sha": lost})),
            2,
            &["the source `team`", lost, "tools.git", "report it to the owner of the marketplace"],
        ),
        (
            sub(json!({"path": "y"})),
            2,
            &["the plugin `p` should be in `y`, but there is no such directory"],
        ),
        (
            sub(json!({"url": url("missing")})),
            3,
            &["the plugin of the source `team`", "missing.git"],
        ),
        (
            sub(json!({"url": "https://closed.example/x.git"})),
            3,
            &["the plugin of the source `team`", "127.0.0.1:1"],
        ),
    ];
    let closed = "[url \"http://127.0.0.1:1/\"]\n\tinsteadOf = https://closed.example/\n";
    let configuration = market.sandbox.read("home/.gitconfig") + closed;
    market.sandbox.write("home/.gitconfig", configuration);
    for (source, code, says) in cases {
        market.upstream.commit(publish(&index(&json!([{"name": "p", "source": source}]))));
        market.sync().exits(code).says(says);
        market.assert_nothing_written();
    }
}

/// A token for the marketplace's host is not sent to the plugin's.
#[test]
fn t15_credentials_of_the_marketplace_stay_with_its_host() {
    let (market, _tools) = market(subdir);
    let private = market.sandbox.upstream("private");
    private.commit(Change::new().skill("secret"));
    let other = market.sandbox.serve_with(Behavior {
        login: Some(Login { user: None, password: "right".to_owned() }),
        ..Behavior::default()
    });
    market.sandbox.write(
        "home/.gitconfig",
        format!(
            "{}[url \"{}/\"]\n\tinsteadOf = https://private.example/\n",
            market.sandbox.read("home/.gitconfig"),
            other.base()
        ),
    );
    let source = json!({"source": "url", "url": "https://private.example/private.git"});
    market.upstream.commit(publish(&index(&json!([{"name": "p", "source": source}]))));
    let run = market.sandbox.command(["sync"]).env("HELIX_SKILLS_TOKEN", "canary-of-the-market");
    let run = run.env("HELIX_SKILLS_TOKEN_HOST", market.server.authority()).run();
    run.exits(4)
        .says(["the plugin of the source `team`", "private.example"])
        .never_prints("canary");
    assert!(other.exchanges().iter().all(|exchange| exchange.authorization.is_none()));
    market.assert_nothing_written();
}

/// T15: locations that a marketplace must not refer to. No request is sent there.
#[test]
fn t15_marketplace_urls_are_never_local_or_unencrypted() {
    let (market, _tools) = market(subdir);
    let refused = market.sandbox.serve();
    let secret = format!("{}/tools.git", refused.base());
    let upstream = market.sandbox.path("upstream/tools.git").display().to_string();
    let urls = [
        secret.as_str(),
        "http://plugins.example/tools.git",
        "file:///etc",
        upstream.as_str(),
        "../upstream/tools.git",
        "ext::touch ran",
        "ext::sh -c touch% ran",
        "--upload-pack=touch ran",
        "-oProxyCommand=touch ran",
        "ssh://-oProxyCommand=touch/x",
        "https://user:canary@plugins.example/tools.git",
        "git://plugins.example/tools.git",
        "javascript:x",
        "",
        "https://localhost/tools.git",
        "https://2130706433/tools.git",
        "https://0x7f.1/tools.git",
        "https://[::ffff:127.0.0.1]/tools.git",
        "https://169.254.169.254/tools.git",
        "https://plugins.localhost./tools.git",
        "ssh://git@localhost/tools.git",
        "git@127.1:tools.git",
    ];
    for kind in ["url", "git-subdir"] {
        for url in urls {
            let source = json!({"source": kind, "url": url, "path": "x"});
            market.upstream.commit(publish(&index(&json!([{"name": "p", "source": source}]))));
            let run = market.sync().exits(1).says([
                "error: team: .claude-plugin/marketplace.json:12:16: ",
                "is refused",
                "help: ",
            ]);
            run.never_prints("canary");
            assert!(market.requests_to("tools").is_empty(), "{url}");
            market.assert_nothing_written();
        }
    }
    let sources = [
        (json!({"source": "github", "repo": "../../etc"}), "expected `OWNER/REPO`"),
        (json!({"source": "github", "repo": "-x/y"}), "expected `OWNER/REPO`"),
        (
            json!({"source": "github", "repo": "https://plugins.example/tools"}),
            "expected `OWNER/REPO`",
        ),
        (
            json!({"source": "url", "url": url("tools"), "ref": "--upload-pack=x"}),
            "it starts with `-`",
        ),
        (json!({"source": "url", "url": url("tools"), "ref": "a..b"}), "`a..b`"),
        (json!({"source": "url", "url": url("tools"), "sha": "HEAD"}), "`HEAD`"),
        (json!({"source": "git-subdir", "url": url("tools"), "path": "../x"}), "`../x` is refused"),
        (json!({"source": "git-subdir", "url": url("tools"), "path": "/x"}), "`/x` is refused"),
        (json!({"source": "git-subdir", "url": url("tools")}), "needs the key `path`"),
        (json!({"source": "url"}), "`url`"),
        (json!("../../x"), "`../../x` is refused"),
        (json!("./x/../../.."), "is refused"),
        (json!("C:\\x"), "is refused"),
    ];
    for (source, says) in sources {
        market.upstream.commit(publish(&index(&json!([{"name": "p", "source": source}]))));
        market.sync().exits(1).says(["error: team: .claude-plugin/marketplace.json:", says]);
        assert!(market.requests_to("tools").is_empty(), "{source}");
        market.assert_nothing_written();
    }
    assert_eq!(refused.traffic().requests, 0);
}

/// An edit of the plugin's entry in the lockfile is rejected, detected or has no effect.
#[test]
fn t15_edited_plugin_in_the_lockfile_is_detected() {
    let (market, tools) = market(subdir);
    let other = tools.commit_to(
        "other",
        Change::new().skill_at("x/skills/a", "a").text("x/skills/a/evil.md", "evil\n"),
    );
    market.sync().succeeds();
    let honest = market.sandbox.lock();
    let edit = |field: &str, value: Value| {
        let mut lock = serde_json::from_str::<Value>(&honest).unwrap();
        let plugin = lock["sources"]["team"]["plugin"].as_object_mut().unwrap();
        if value.is_null() {
            plugin.remove(field)
        } else {
            plugin.insert(field.to_owned(), value)
        };
        market.sandbox.write("project/helix.skills.lock", format!("{lock:#}\n"));
    };
    // Rejected by the parser.
    for (field, value) in [
        ("url", json!("http://plugins.example/tools.git")),
        ("url", json!("file:///etc")),
        ("url", json!("ext::touch ran")),
        ("url", json!("https://user:canary@plugins.example/tools.git")),
        ("url", Value::Null),
        ("path", json!("../x")),
        ("path", Value::Null),
        ("commit", json!("HEAD")),
        ("commit", Value::Null),
        ("ref", json!("-x")),
        ("version", json!("two\nlines")),
    ] {
        edit(field, value.clone());
        market
            .sandbox
            .skills(["sync", "--check"])
            .exits(1)
            .says(["helix.skills.lock"])
            .never_prints("canary");
    }
    // In another directory, the locked skill does not exist.
    edit("path", json!("y"));
    market
        .sandbox
        .skills(["sync", "--check"])
        .exits(1)
        .says(["does not select the skill `a` in `x/skills/a`"]);
    // With another parent directory, URL or commit.
    for (field, value, says) in [
        ("path", json!("."), "in `.` of"),
        ("url", json!(url("market")), "market.git` at"),
        ("commit", json!(other), other.as_str()),
    ] {
        edit(field, value);
        market.sandbox.skills(["sync", "--check", "--store"]).fails();
        let run = market.sandbox.skills(["outdated"]).exits(5);
        run.says([
            "the lockfile has the plugin `p`",
            says,
            "of the marketplace has it in `x` of",
            &tools.id("main"),
        ]);
    }
    // Informative fields without any effect.
    for (field, value) in [("version", json!("9.9.9")), ("ref", json!("refs/heads/dev"))] {
        edit(field, value);
        let says = "the lockfile has another `plugin` for the source `team`";
        market.sandbox.skills(["sync", "--check", "--store"]).exits(5).says([says]);
        market.sandbox.remove_store();
        market.sandbox.remove_cache();
        market.sandbox.skills(["sync", "--locked"]).exits(5).says([says]);
        market.sandbox.write("project/helix.skills.lock", &honest);
        market.sandbox.skills(["sync", "--locked"]).succeeds();
        assert_eq!(market.stored(), ["a/SKILL.md"]);
    }
    // A fresh clone compares it with the index of the locked commit before the plugin is requested.
    for with_cache in [true, false] {
        edit("commit", json!(other));
        market.sandbox.remove_store();
        if !with_cache {
            market.sandbox.remove_cache();
        }
        market.server.take_traffic();
        let run = market.sandbox.skills(["sync", "--locked"]).exits(5);
        run.says(["has the plugin `p` in `x` of", &other, &tools.id("main")]);
        assert_eq!(market.requests_to("tools"), [""; 0]);
    }
}

/// The server that a lockfile names, and the index does not, gets no request.
#[test]
fn t15_forged_plugin_url_in_the_lockfile_is_not_followed() {
    let (market, tools) = market(subdir);
    let evil = market.sandbox.serve();
    let configuration = market.sandbox.read("home/.gitconfig")
        + &format!("[url \"{}/\"]\n\tinsteadOf = https://evil.example/\n", evil.base());
    market.sandbox.write("home/.gitconfig", configuration);
    market.sync().succeeds();
    let honest = market.sandbox.lock();
    let forged = honest.replace(&url("tools"), "https://evil.example/tools.git");
    assert_ne!(honest, forged);
    for with_cache in [true, false] {
        market.sandbox.remove_store();
        if !with_cache {
            market.sandbox.remove_cache();
        }
        market.server.take_traffic();
        market.sandbox.write("project/helix.skills.lock", &forged);
        let run = market.sandbox.skills(["sync", "--locked"]).exits(5);
        run.says([
            "the source `team`: the lockfile has the plugin `p` in `x` of `https://evil.example/tools.git`",
            &format!("of the marketplace has it in `x` of `{}` at {}", url("tools"), tools.id("main")),
            "restore it from version control",
        ]);
        assert_eq!(market.requests_to("market"), ["fetch", "fetch"]);
        assert_eq!((evil.traffic().requests, market.requests_to("tools").len()), (0, 0));
        assert_eq!(market.stored(), [""; 0]);
    }
    market.sandbox.skills(["outdated"]).exits(5).says(["`https://evil.example/tools.git`"]);
    assert_eq!(evil.traffic().requests, 0);
}
