//! `skills outdated`: what upstream offers, without ever reporting "up to date" by mistake.

use crate::{
    market::{Market, index, publish, url},
    requests::commands,
};
use helix_skills_tests::{Behavior, Change, Fault, GitServer, Login, Sandbox, Upstream, skill_md};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// A repository `tools` with a release, and a source for it.
struct Released {
    server: GitServer,
    tools: Upstream,
    sandbox: Sandbox,
}

impl Released {
    fn new(pin: Value) -> Self {
        let sandbox = Sandbox::new();
        let tools = sandbox.upstream("tools");
        tools.commit(Change::new().skill("a").skill("b"));
        tools.tag("v1.0.0");
        let server = sandbox.serve();
        let released = Self { server, tools, sandbox };
        let source = released.source("tools", pin);
        released.sandbox.sources(&json!({ "tools": source }));
        released.sandbox.skills(["sync"]).succeeds();
        released.server.take_traffic();
        released
    }

    fn source(&self, repository: &str, keys: Value) -> Value {
        let mut source = json!({"type": "git", "url": self.server.url(repository)});
        source.as_object_mut().unwrap().extend(keys.as_object().unwrap().clone());
        source
    }

    fn change(&self, skill: &str) -> String {
        let text = format!("{}{}\n", skill_md(skill), self.tools.id("main"));
        self.tools.commit(Change::new().text(&format!("skills/{skill}/SKILL.md"), &text))
    }

    fn outdated(&self) -> Value {
        self.sandbox.skills(["outdated", "--json"]).json()
    }
}

#[test]
fn reports_newest_within_the_pin_and_overall() {
    let released = Released::new(json!({"version": "^1"}));
    let first = released.tools.id("main");
    let project = released.sandbox.snapshot("project");
    released
        .sandbox
        .skills(["outdated", "--exit-code"])
        .succeeds()
        .says(["all sources are up to date"])
        .prints(["the same"]);
    // The refs and the commit, but no files.
    assert_eq!(commands(&released.server.exchanges()), ["ls-refs", "fetch"]);
    assert_eq!(released.server.exchanges()[1].filter(), Some("blob:none"));

    let within = released.change("b");
    released.tools.tag("v1.2.0");
    released.tools.tag("v1.3.0-rc.1");
    let newest = released.change("a");
    released.tools.tag("v2.0.0");
    released.server.take_traffic();
    let run = released.sandbox.skills(["outdated"]).succeeds();
    // A command for the release that the range does not allow, with a range.
    let run = run.says(["skills update --dry-run", "2.0.0 is available", "--version '^2.0.0'`"]);
    let lines: Vec<Vec<&str>> =
        run.stdout.lines().map(|line| line.split_whitespace().collect()).collect();
    let (then, now) = (format!("v1.0.0@{}", &first[..12]), format!("v1.2.0@{}", &within[..12]));
    assert_eq!(
        lines[1..],
        [vec!["tools", then.as_str(), now.as_str(), "2.0.0"], vec!["changed:", "`b`"]]
    );
    assert_eq!(commands(&released.server.exchanges()), ["ls-refs", "fetch"]);

    released.sandbox.skills(["outdated", "--exit-code"]).exits(1);
    let document = released.outdated();
    let source = &document["sources"][0];
    assert_eq!(
        (&document["ok"], &source["outdated"], &source["changed"]),
        (&json!(true), &json!(true), &json!(["b"]))
    );
    assert_eq!(source["within"]["commit"], json!(within));
    assert_eq!(
        source["newest"],
        json!({"version": "2.0.0", "ref": "refs/tags/v2.0.0", "commit": newest})
    );
    assert_eq!(released.sandbox.snapshot("project").changes_since(&project), Vec::<String>::new());
}

#[test]
fn exact_pin_is_never_outdated_but_shows_newer_releases() {
    let released = Released::new(json!({"version": "1.0.0"}));
    released.change("a");
    released.tools.tag("v1.1.0");
    let run = released
        .sandbox
        .skills(["outdated", "--exit-code"])
        .succeeds()
        .prints(["the same", "1.1.0"]);
    let run = run.says([
        "tools 1.1.0 is available; to use it, run ",
        "1 source has a newer release than its pin allows\n",
    ]);
    let [command] = run.offered().try_into().unwrap();
    assert!(command.ends_with(" --version 1.1.0"), "{command}");
    released.sandbox.skills(command.split(' ').skip(1)).succeeds();
    assert_eq!(released.sandbox.locked_commit("tools"), released.tools.id("v1.1.0^{commit}"));
}

/// Nothing moves, so that "up to date" would hide newer releases.
#[test]
fn sources_without_looked_up_releases_are_not_up_to_date() {
    let released = Released::new(json!({"ref": "v1.0.0"}));
    released.change("a");
    released.tools.tag("v1.1.0");
    let source = |pin: Value| released.source("tools", pin);
    let sha = source(json!({"sha": released.tools.id("v1.0.0"), "prefix": "x-"}));
    let branch = source(json!({"ref": "main", "prefix": "y-"}));
    released
        .sandbox
        .sources(&json!({"tools": source(json!({"ref": "v1.0.0"})), "sha": sha, "branch": branch}));
    released.sandbox.skills(["sync"]).succeeds();
    let outdated = |arguments: &[&str]| {
        let arguments = ["outdated", "--exit-code"].iter().chain(arguments);
        released.sandbox.skills(arguments).succeeds()
    };
    outdated(&["branch"]).says(["all sources are up to date"]);
    for (arguments, count) in
        [(&["tools"][..], "1 source"), (&["sha", "branch"], "1 source"), (&[], "2 sources")]
    {
        let says = format!("releases were not looked up for {count} pinned to a commit or tag\n");
        outdated(arguments).says([says]).never_prints("up to date");
    }
}

#[test]
fn branch_reports_renamed_and_removed_skills() {
    let released = Released::new(json!({"ref": "main"}));
    released.tools.commit(
        Change::new()
            .remove("skills/b")
            .remove("skills/a")
            .skill("c")
            .text("skills/c/SKILL.md", &skill_md("a")),
    );
    let document = released.outdated();
    let source = &document["sources"][0];
    assert_eq!(source["newest"], Value::Null);
    assert_eq!(
        source["upstream"],
        json!({
            "renamed": [{"name": "a", "from": "skills/a", "to": "skills/c"}],
            "gone": ["b"],
            "added": [],
        })
    );
    released.sandbox.skills(["outdated"]).succeeds().prints([
        "from `skills/a` to `skills/c`",
        "upstream removed the skill `b` from `skills/b`",
    ]);
    // Both directories have other names and other files now: the skills stay in them.
    released.tools.commit(Change::new().remove("skills").skill("a").skill("b"));
    released.sandbox.skills(["update"]).succeeds();
    let renamed = |name: &str| format!("{}More.\n", skill_md(name));
    let to = Change::new().remove("skills/a").remove("skills/b");
    let to = to.text("skills/a2/SKILL.md", &renamed("a")).text("skills/b2/SKILL.md", &renamed("b"));
    released.tools.commit(to.text("skills/more/a2/SKILL.md", &renamed("a")));
    let run = released.sandbox.skills(["outdated"]).succeeds();
    run.prints([
        "upstream removed 2 skills: `skills/a`, `skills/b`",
        "new upstream: `skills/a2`, `skills/b2`\n",
    ]);
}

#[test]
fn skills_that_are_new_upstream_are_named() {
    for include in [json!({}), json!({"include": ["a"]})] {
        let mut pin = json!({"ref": "main"});
        pin.as_object_mut().unwrap().extend(include.as_object().unwrap().clone());
        let released = Released::new(pin);
        // A copy of a locked skill is not new, and one of a new skill is the same.
        let tree = |skill| released.tools.id(&format!("main:skills/{skill}"));
        let (change, a) = (Change::new().skill("c").skill("d"), tree("a"));
        released.tools.commit(change.tree("skills/x/a", &a));
        released.tools.commit(Change::new().tree("skills/x/c", &tree("c")));
        released.server.take_traffic();
        let run = released.sandbox.skills(["outdated"]).succeeds();
        run.prints(["new upstream: `skills/c`, `skills/d`"]);
        assert_eq!(commands(&released.server.exchanges()), ["ls-refs", "fetch"]);
        let upstream = &released.outdated()["sources"][0]["upstream"];
        assert_eq!(*upstream, json!({"renamed": [], "gone": [], "added": ["c", "d"]}));
    }
}

/// A linked directory has no tree of its own, and a skill at the root consists of only some
/// entries.
#[test]
fn unchanged_linked_and_root_skills_are_not_reported() {
    let released = Released::new(json!({"ref": "main"}));
    let (linked, root) = (released.sandbox.upstream("linked"), released.sandbox.upstream("root"));
    linked.commit(Change::new().skill_at("real/l", "l").link("skills/l", "../real/l"));
    root.commit(Change::new().text("SKILL.md", &skill_md("r")).text("references/x.md", "x\n"));
    released
        .sandbox
        .sources(&json!({"linked": released.source("linked", json!({})), "root": released.source("root", json!({}))}));
    released.sandbox.skills(["sync"]).succeeds();
    let changed = || {
        let document = released.outdated();
        let of = |number: usize| {
            (
                document["sources"][number]["outdated"].clone(),
                document["sources"][number]["changed"].clone(),
            )
        };
        (of(0), of(1))
    };
    for upstream in [&linked, &root] {
        upstream.commit(Change::new().text("README.md", "nothing to a skill\n"));
    }
    assert_eq!(changed(), ((json!(true), json!([])), (json!(true), json!([]))));
    linked.commit(Change::new().text("real/l/new.md", "new\n"));
    root.commit(Change::new().text("references/x.md", "y\n"));
    assert_eq!(changed(), ((json!(true), json!(["l"])), (json!(true), json!(["r"]))));
}

#[test]
fn t07_moved_tag_is_reported_and_never_followed() {
    for pin in [json!({"version": "1.0.0"}), json!({"version": "^1"}), json!({"ref": "v1.0.0"})] {
        let released = Released::new(pin.clone());
        let before = released.tools.id("v1.0.0");
        let after = released.change("a");
        released.tools.tag("v1.0.0");
        let project = released.sandbox.snapshot("project");
        released.sandbox.skills(["sync"]).succeeds();
        released.sandbox.skills(["sync", "--check"]).succeeds();
        for arguments in [&["outdated"][..], &["outdated", "--exit-code"]] {
            let run = released.sandbox.skills(arguments).exits(5);
            run.says(["the tag `refs/tags/v1.0.0`", &before, &after, "review"]);
        }
        let document = released.outdated();
        assert_eq!(
            (&document["ok"], &document["errors"][0]["code"]),
            (&json!(false), &json!("moved")),
            "{pin}"
        );
        assert_eq!(document["sources"][0]["errors"], json!(["moved"]));
        assert_eq!(document["sources"][0]["within"]["commit"], json!(after));
        assert_eq!(
            released.sandbox.snapshot("project").changes_since(&project),
            Vec::<String>::new()
        );
    }
}

#[test]
fn deleted_tag_is_reported() {
    let released = Released::new(json!({"version": "^1"}));
    let locked = released.tools.id("main");
    released.change("a");
    released.tools.tag("v1.1.0");
    released.tools.git(["update-ref", "-d", "refs/tags/v1.0.0"]);
    let run = released.sandbox.skills(["outdated"]).exits(5).prints(["v1.1.0@"]);
    run.says(["the tag `refs/tags/v1.0.0` no longer exists", &locked]);
}

#[test]
fn deleted_tag_of_the_pin_is_one_error_with_another_pin() {
    for pin in [json!({"version": "1.0.0"}), json!({"version": "^1"})] {
        let released = Released::new(pin);
        released.change("a");
        released.tools.tag("v2.0.0");
        released.tools.tag("v3.0.0-rc.1");
        released.tools.git(["update-ref", "-d", "refs/tags/v1.0.0"]);
        let run = released.sandbox.skills(["outdated"]).exits(5);
        assert_eq!(run.stderr.matches("error: ").count(), 1, "{run}");
        let run = run.says(["the tag `refs/tags/v1.0.0` no longer exists"]);
        let [command] = run.offered().try_into().unwrap();
        assert!(command.ends_with(" --version 2.0.0"), "{command}");
        assert_eq!(released.outdated()["sources"][0]["errors"], json!(["vanished"]));
        released.sandbox.skills(command.split(' ').skip(1)).succeeds();
        assert_eq!(released.sandbox.locked_commit("tools"), released.tools.id("v2.0.0^{commit}"));
    }
    let released = Released::new(json!({"ref": "v1.0.0"}));
    released.tools.git(["update-ref", "-d", "refs/tags/v1.0.0"]);
    let run = released.sandbox.skills(["outdated"]).exits(5);
    assert_eq!(run.stderr.matches("error: ").count(), 1, "{run}");
    run.says(["help: the default branch is `main`"]);
}

/// T8: the URL has a new owner, with tags and branches of the same names.
#[test]
fn t08_replaced_history_is_not_a_newer_version() {
    for pin in [json!({"version": "1.0.0"}), json!({"ref": "main"}), json!({})] {
        let released = Released::new(pin);
        let locked = released.tools.id("main");
        std::fs::remove_dir_all(released.tools.path()).unwrap();
        let evil = released.sandbox.upstream("tools");
        evil.commit(Change::new().skill("a").skill("b").text("skills/a/evil.md", "evil\n"));
        evil.tag("v1.0.0");
        let run = released.sandbox.skills(["outdated"]).exits(5);
        let is_tag = released.sandbox.lock().contains("refs/tags/");
        run.says([if is_tag { "resolves to the commit" } else { "no longer exists" }, &locked]);
        released.sandbox.remove_store();
        released.sandbox.remove_cache();
        released.sandbox.skills(["sync", "--locked"]).exits(5).says(["no longer exists", &locked]);
        assert!(!released.sandbox.exists("project/helix.skills/a"));
    }
}

/// T21: the server can provide any tree, so the lockfile alone cannot show which commit it belongs
/// to.
#[test]
fn t21_tree_outside_the_locked_commit_is_detected() {
    let released = Released::new(json!({"version": "1.0.0"}));
    let evil = Change::new().text("skills/a/SKILL.md", &format!("{}Evil.\n", skill_md("a")));
    let honest = released.tools.id("main:skills/a");
    released.tools.commit_to("evil", evil);
    let foreign = released.tools.id("evil:skills/a");
    // An attacker syncs the other branch and copies its tree and integrity into the lockfile.
    let lock = released.sandbox.lock_json();
    released.sandbox.sources(
        &json!({"tools": released.source("tools", json!({"ref": "evil", "include": ["a"]}))}),
    );
    released.sandbox.forget();
    released.sandbox.skills(["sync"]).succeeds();
    let mut forged = lock;
    forged["skills"]["a"] = released.sandbox.lock_json()["skills"]["a"].clone();
    assert_eq!(forged["skills"]["a"]["tree"], json!(foreign));
    released
        .sandbox
        .sources(&json!({"tools": released.source("tools", json!({"version": "1.0.0"}))}));
    released.sandbox.forget();
    released.sandbox.write("project/helix.skills.lock", format!("{forged:#}\n"));

    let says = [
        "the skill `a`",
        &*honest,
        &foreign,
        "restore the store and the lockfile from version control",
    ];
    released.sandbox.skills(["outdated"]).exits(5).says(says);
    assert_eq!(released.outdated()["errors"][0]["code"], "tree-mismatch");
    released.server.take_traffic();
    let run = released.sandbox.skills(["sync", "--locked"]).exits(5).says(says);
    run.says(["`skills/a` of the commit", &released.tools.id("main")]);
    let exchanges = released.server.exchanges();
    assert!(exchanges.iter().all(|it| !it.wants().contains(&&*foreign)), "{exchanges:#?}");
    assert!(!released.sandbox.exists("project/helix.skills"));
}

#[test]
fn access_errors_are_per_source_and_never_up_to_date() {
    let released = Released::new(json!({"version": "^1"}));
    let good = released.sandbox.upstream("good");
    good.commit(Change::new().skill("g"));
    released.sandbox.sources(&json!({
        "good": released.source("good", json!({})),
        "one": released.source("tools", json!({"version": "^1", "include": ["a"]})),
        "two": released.source("tools", json!({"version": "^1", "include": ["b"]})),
    }));
    released.sandbox.skills(["sync"]).succeeds();
    good.commit(Change::new().text("skills/g/new.md", "new\n"));
    std::fs::rename(released.tools.path(), released.sandbox.path("outside/away.git")).unwrap();
    let run = released.sandbox.skills(["outdated"]).exits(3).prints(["unknown", "changed: `g`"]);
    // Reported once for both sources.
    assert_eq!(run.stderr.matches("error: ").count(), 1, "{run}");
    run.never_prints("all sources are up to date");
    let document = released.outdated();
    assert_eq!(document["exitCode"], 3);
    let state = |number: usize| {
        (
            document["sources"][number]["outdated"].clone(),
            document["sources"][number]["errors"].clone(),
        )
    };
    assert_eq!(state(0), (json!(true), json!([])));
    assert_eq!([state(1), state(2)], [(); 2].map(|()| (Value::Null, json!(["not-found"]))));

    let faults = (1..100).map(|number| (number, Fault::Status(503))).collect::<BTreeMap<_, _>>();
    released.server.behave(Behavior { faults, ..Behavior::default() });
    released.server.take_traffic();
    released.sandbox.skills(["outdated"]).exits(3).never_prints("all sources are up to date");
    let login = Some(Login { user: None, password: "right".to_owned() });
    released.server.behave(Behavior { login, ..Behavior::default() });
    released
        .sandbox
        .skills(["outdated", "good"])
        .exits(4)
        .never_prints("all sources are up to date");
}

#[test]
fn missing_include_is_an_error_for_its_source_only() {
    let released = Released::new(json!({"ref": "main", "include": ["a"]}));
    let other = released.sandbox.upstream("other");
    other.commit(Change::new().skill("o"));
    released.sandbox.sources(&json!({
        "other": released.source("other", json!({})),
        "tools": released.source("tools", json!({"ref": "main", "include": ["a"]})),
    }));
    released.sandbox.skills(["sync"]).succeeds();
    released.tools.commit(Change::new().remove("skills/a").skill_at("skills/aa", "a"));
    other.commit(Change::new().skill("new"));
    let run = released
        .sandbox
        .skills(["outdated"])
        .exits(2)
        .says(["upstream moved it to `skills/aa`: include `aa` instead"]);
    assert!(!run.stdout.contains("unknown"), "{run}");
    assert_eq!(released.outdated()["sources"][0]["outdated"], json!(true));
    // The locked commit has it, and is on the branch.
    released.sandbox.skills(["sync", "--check", "--upstream"]).succeeds();
}

#[test]
fn unlocked_source_is_not_up_to_date() {
    let released = Released::new(json!({"version": "^1"}));
    released.sandbox.sources(&json!({
        "new": released.source("tools", json!({"ref": "main", "prefix": "n-"})),
        "tools": released.source("tools", json!({"version": "^1"})),
    }));
    let run = released
        .sandbox
        .skills(["outdated"])
        .succeeds()
        .says(["the source `new` is not locked yet", "skills sync"]);
    run.never_prints("all sources are up to date");
    released.sandbox.skills(["outdated", "--exit-code"]).exits(1);
    assert_eq!(released.outdated()["unlocked"], json!(["new"]));
    released.sandbox.skills(["outdated", "tools", "--exit-code"]).succeeds();
    released
        .sandbox
        .skills(["outdated", "tolls"])
        .exits(2)
        .says(["no source or skill `tolls`", "did you mean `tools`?"]);
    released.sandbox.remove("project/helix.skills.lock");
    released.sandbox.skills(["outdated"]).exits(1).says(["cannot find the lockfile"]);
}

#[test]
fn outdated_reads_local_repositories() {
    let released = Released::new(json!({"version": "^1"}));
    released.sandbox.sources(
        &json!({"tools": {"type": "git", "url": "../upstream/tools.git", "version": "^1"}}),
    );
    released.sandbox.skills(["sync"]).succeeds();
    released.server.take_traffic();
    released.sandbox.skills(["outdated", "--exit-code"]).succeeds();
    released.change("a");
    released.tools.tag("v1.1.0");
    released
        .sandbox
        .skills(["outdated", "--exit-code"])
        .exits(1)
        .prints(["v1.1.0@", "changed: `a`"]);
    released.tools.tag("v1.0.0");
    released.sandbox.skills(["outdated"]).exits(5).says(["the tag `refs/tags/v1.0.0`"]);
    assert_eq!(released.server.traffic().requests, 0);
}

#[test]
fn outdated_checks_both_hops_of_a_plugin() {
    let market = Market::empty();
    let tools = market.sandbox.upstream("tools");
    let first = tools.commit(Change::new().skill_at("x/skills/a", "a"));
    let publish_at = |commit: &str| {
        let source =
            json!({"source": "git-subdir", "url": url("tools"), "path": "x", "sha": commit});
        market.upstream.commit(publish(&index(&json!([{"name": "p", "source": source}]))))
    };
    publish_at(&first);
    market.upstream.tag("v1.0.0");
    market.request(json!({"version": "^1"}));
    market.sync().succeeds();
    let outdated = || {
        market.server.take_traffic();
        market.sandbox.skills(["outdated", "--json"]).json()
    };
    assert_eq!(outdated()["sources"][0]["outdated"], json!(false));
    assert_eq!(market.requests_to("market"), ["ls-refs", "fetch", "fetch"]);
    assert_eq!(market.requests_to("tools"), ["fetch"]);

    // The plugin has a new commit that the marketplace does not use: nothing to update.
    let second = tools.commit(Change::new().text("x/skills/a/new.md", "new\n"));
    assert_eq!(outdated()["sources"][0]["outdated"], json!(false));
    publish_at(&second);
    market.upstream.tag("v1.1.0");
    let document = outdated();
    let source = &document["sources"][0];
    assert_eq!((&source["outdated"], &source["changed"]), (&json!(true), &json!(["a"])));
    assert_eq!(
        (&source["current"]["skillsCommit"], &source["within"]["skillsCommit"]),
        (&json!(first), &json!(second))
    );
    assert_eq!(source["within"]["skillsUrl"], json!(url("tools")));
    // Both commits of each repository, and both indexes, take one fetch each.
    assert_eq!(market.requests_to("market"), ["ls-refs", "fetch", "fetch"]);
    assert_eq!(market.requests_to("tools"), ["fetch"]);

    // The tag of the first hop moves.
    market.upstream.tag("v1.0.0");
    market.sandbox.skills(["outdated"]).exits(5).says(["the tag `refs/tags/v1.0.0`"]);
    market.upstream.tag_at("v1.0.0", "main~1");

    // The history of the second hop is replaced.
    std::fs::remove_dir_all(tools.path()).unwrap();
    let evil = market.sandbox.upstream("tools");
    evil.commit(Change::new().skill_at("x/skills/a", "a").text("x/evil.md", "evil\n"));
    market.sandbox.skills(["outdated"]).exits(5).says(["no longer exists", &first]);
    // The second hop is unreachable.
    std::fs::remove_dir_all(evil.path()).unwrap();
    let run = market
        .sandbox
        .skills(["outdated"])
        .exits(3)
        .says(["the plugin of the source `team`", "tools.git"]);
    run.prints(["unknown"]).never_prints("all sources are up to date");
}

#[test]
fn outdated_of_a_relative_plugin_takes_three_requests() {
    let market = Market::with(
        &json!([{"name": "p", "source": "./x"}]),
        Change::new().skill_at("x/skills/a", "a"),
    );
    market.sync().succeeds();
    market.server.take_traffic();
    market.sandbox.skills(["outdated", "--exit-code"]).succeeds();
    assert_eq!(market.requests_to("market"), ["ls-refs", "fetch", "fetch"]);
    market.upstream.commit(Change::new().text("x/skills/a/new.md", "new\n"));
    market.server.take_traffic();
    market.sandbox.skills(["outdated", "--exit-code"]).exits(1).prints(["changed: `a`"]);
    assert_eq!(market.requests_to("market"), ["ls-refs", "fetch", "fetch"]);
}

/// A path that the locked commit never had was not renamed by upstream.
#[test]
fn false_path_or_tree_in_the_lockfile_is_not_a_change() {
    for (key, value, message) in [
        ("path", "skills/brain", "has no `skills/brain`"),
        ("tree", "b", "restore the store and the lockfile from version control"),
    ] {
        let released = Released::new(json!({"version": "1.0.0"}));
        let mut forged = released.sandbox.lock_json();
        forged["skills"]["a"][key] = match key {
            "tree" => json!(released.tools.id("main:skills/b")),
            _ => json!(value),
        };
        released.sandbox.write("project/helix.skills.lock", format!("{forged:#}\n"));
        let run = released.sandbox.skills(["outdated"]).exits(5);
        run.says(["the skill `a`", message]).never_prints("renamed").never_prints("removed");
        let state = released.outdated();
        assert_eq!(state["errors"].as_array().map(Vec::len), Some(1), "{state}");
    }
}

#[test]
fn moved_tag_with_a_missing_commit_is_one_error() {
    let released = Released::new(json!({"version": "1.0.0"}));
    let locked = released.tools.id("main");
    std::fs::remove_dir_all(released.tools.path()).unwrap();
    let other = released.sandbox.upstream("tools");
    other.commit(Change::new().skill("a").skill("b").text("skills/a/new.md", "new\n"));
    other.tag("v1.0.0");
    let run = released
        .sandbox
        .skills(["outdated"])
        .exits(5)
        .says(["the tag `refs/tags/v1.0.0` resolves to", &locked]);
    run.never_prints("is gone");
}
