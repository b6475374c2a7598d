//! `skills update`.

use crate::market::{Market, index, publish, url};
use helix_skills_tests::{Behavior, Change, Fault, GitServer, Login, Sandbox, Upstream, skill_md};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Two repositories, `one` with releases and `two` without, and a server.
struct TwoRepositories {
    server: GitServer,
    one: Upstream,
    two: Upstream,
    sandbox: Sandbox,
}

impl TwoRepositories {
    fn new() -> Self {
        let sandbox = Sandbox::new();
        let (one, two) = (sandbox.upstream("one"), sandbox.upstream("two"));
        one.commit(
            Change::new()
                .skill("a")
                .text("skills/a/guide.md", "A guide that is long enough to be known.\n"),
        );
        one.tag("v1.0.0");
        two.commit(Change::new().skill("b"));
        let server = sandbox.serve();
        Self { server, one, two, sandbox }
    }

    /// Syncs a manifest with a source `one` with these keys, and `two` on its default branch.
    fn pinned(&self, keys: Value) {
        let mut source = json!({"type": "git", "url": self.server.url("one")});
        source.as_object_mut().unwrap().extend(keys.as_object().unwrap().clone());
        self.sandbox.sources(
            &json!({"one": source, "two": {"type": "git", "url": self.server.url("two")}}),
        );
        self.sandbox.forget();
        self.sandbox.skills(["sync"]).succeeds();
    }

    /// Commits and tags a newer release of `one` on its branch, and returns its commit.
    fn release(&self) -> String {
        let text = format!("{}More.\n", skill_md("a"));
        let commit = self.one.commit(Change::new().text("skills/a/SKILL.md", &text));
        self.one.tag("v1.1.0");
        commit
    }
}

#[test]
fn ranges_and_branches_move_with_a_summary() {
    let repositories = TwoRepositories::new();
    for (pin, reference) in [
        (json!({"version": "^1"}), "refs/tags/v1.1.0"),
        (json!({"ref": "main"}), "refs/heads/main"),
        (json!({}), "refs/heads/main"),
    ] {
        repositories.one.git(["update-ref", "refs/heads/main", "refs/tags/v1.0.0"]);
        repositories.one.git(["update-ref", "-d", "refs/tags/v1.1.0"]);
        repositories.pinned(pin.clone());
        let before = repositories.sandbox.locked_commit("one");
        let after = repositories.release();
        // A sync moves nothing.
        repositories.sandbox.skills(["sync"]).succeeds();
        assert_eq!(repositories.sandbox.locked_commit("one"), before);

        let snapshot = repositories.sandbox.snapshot("project");
        let dry = repositories.sandbox.skills(["update", "--dry-run"]).succeeds();
        dry.prints([
            format!("locked one {reference} at {}, was {}", &after[..12], &before[..12]),
            "updated a".to_owned(),
        ])
        .says(["nothing was written"]);
        assert_eq!(
            repositories.sandbox.snapshot("project").changes_since(&snapshot),
            Vec::<String>::new()
        );

        let run = repositories.sandbox.skills(["update"]).succeeds();
        run.says([
            format!("locked one {reference} at {}, was {}", &after[..12], &before[..12]),
            "updated a".to_owned(),
        ]);
        assert_eq!(repositories.sandbox.locked_commit("one"), after, "{pin}");
        assert!(repositories.sandbox.read("project/helix.skills/a/SKILL.md").ends_with("More.\n"));
        repositories.sandbox.skills(["sync", "--check", "--store"]).succeeds();

        let snapshot = repositories.sandbox.snapshot("project");
        repositories.sandbox.skills(["update"]).succeeds().says(["nothing to do"]);
        assert_eq!(
            repositories.sandbox.snapshot("project").changes_since(&snapshot),
            Vec::<String>::new()
        );
    }
}

#[test]
fn exact_pins_stay_with_a_note() {
    let repositories = TwoRepositories::new();
    let commit = repositories.one.id("main");
    for (pin, says) in [
        (
            json!({"version": "1.0.0"}),
            "one is pinned to the version 1.0.0; `skills outdated one` shows newer releases"
                .to_owned(),
        ),
        (
            json!({"sha": commit}),
            format!("one is pinned to the commit {}; change it with", &commit[..12]),
        ),
    ] {
        repositories.pinned(pin);
        repositories.release();
        repositories
            .sandbox
            .skills(["update"])
            .succeeds()
            .says([says, "nothing to do".to_owned()])
            .never_prints("two is pinned");
        assert_eq!(repositories.sandbox.locked_commit("one"), commit);
        repositories.one.git(["update-ref", "refs/heads/main", &commit]);
    }
}

#[test]
fn only_named_sources_move() {
    let repositories = TwoRepositories::new();
    repositories.pinned(json!({"ref": "main"}));
    let one = repositories.release();
    let before = repositories.sandbox.locked_commit("two");
    repositories.two.commit(Change::new().skill("c"));
    repositories.server.take_traffic();
    repositories.sandbox.skills(["update", "one"]).succeeds();
    assert!(
        repositories
            .server
            .exchanges()
            .iter()
            .all(|exchange| exchange.target.starts_with("/one.git/"))
    );
    assert_eq!(
        (repositories.sandbox.locked_commit("one"), repositories.sandbox.locked_commit("two")),
        (one, before)
    );

    let snapshot = repositories.sandbox.snapshot("project");
    let run = repositories.sandbox.skills(["update", "ome", "two", "three"]).exits(2);
    run.says(["no source or skill `ome`", "did you mean `one`?", "no source or skill `three`"]);
    assert_eq!(
        repositories.sandbox.snapshot("project").changes_since(&snapshot),
        Vec::<String>::new()
    );
    repositories.sandbox.skills(["update", "two"]).succeeds().says(["added c"]);
    assert_eq!(repositories.sandbox.locked_skills(), ["a", "b", "c"]);
}

#[test]
fn summary_is_printed_before_the_first_write() {
    let repositories = TwoRepositories::new();
    repositories.pinned(json!({"ref": "main"}));
    let commit = repositories.release();
    let snapshot = repositories.sandbox.snapshot("project");
    // The first changes to the disk are in the cache; the program is killed before one of them.
    let run = repositories.sandbox.command(["update"]).crash_at(1).run();
    let run = run
        .says([format!("locked one refs/heads/main at {}", &commit[..12]), "updated a".to_owned()]);
    assert_ne!(run.code, Some(0));
    assert_eq!(repositories.sandbox.snapshot("project").contents(), snapshot.contents());
    repositories.sandbox.skills(["update"]).succeeds();
}

/// Problems that are found only while files are written are reported, too.
#[test]
fn unknown_store_entry_is_mentioned_once() {
    let repositories = TwoRepositories::new();
    repositories.pinned(json!({"ref": "main"}));
    repositories.release();
    repositories.sandbox.write("project/helix.skills/notes.txt", "mine\n");
    let run = repositories
        .sandbox
        .skills(["update"])
        .succeeds()
        .says(["ignored `helix.skills/notes.txt`"]);
    assert_eq!(run.stderr.matches("notes.txt").count(), 1, "{run}");
}

#[test]
fn moved_upstream_directory_is_reported() {
    let repositories = TwoRepositories::new();
    repositories.pinned(json!({"ref": "main"}));
    let same = repositories.one.id("main:skills/a");
    repositories.one.commit(Change::new().remove("skills/a").tree("skills/more/alpha", &same));
    let run = repositories.sandbox.skills(["update"]).succeeds();
    run.says(["upstream moved the skill `a` from `skills/a` to `skills/more/alpha`"]);
    assert_eq!(repositories.sandbox.locked_skills(), ["a", "b"]);
    let lock = repositories.sandbox.lock_json();
    assert_eq!(lock["skills"]["a"]["path"], "skills/more/alpha");

    // A directory with another tree is another skill.
    let other = Change::new().remove("skills/more").skill("a2").skill("other");
    repositories.one.commit(other);
    let run = repositories.sandbox.skills(["update", "--json"]).succeeds().json();
    assert_eq!(
        run["upstream"]["one"],
        json!({"renamed": [], "gone": ["a"], "added": ["a2", "other"]})
    );
}

/// The manifest names another repository, plugin or directory, so upstream has removed nothing.
#[test]
fn skills_of_another_place_are_not_compared() {
    let repositories = TwoRepositories::new();
    repositories.one.commit(Change::new().skill_at("more/c", "c"));
    repositories.pinned(json!({"version": "1.0.0"}));
    let (one, two) = (repositories.server.url("one"), repositories.server.url("two"));
    for source in [
        json!({"type": "git", "url": two, "prefix": "x-"}),
        json!({"type": "git", "url": one, "ref": "main", "skillsDir": "more"}),
    ] {
        repositories.sandbox.sources(&json!({"one": source, "two": {"type": "git", "url": two}}));
        let run = repositories.sandbox.skills(["sync"]).succeeds();
        run.says(["removed "]).never_prints("upstream");
    }
}

#[test]
fn moved_included_directory_is_an_error_with_new_name() {
    let repositories = TwoRepositories::new();
    repositories.pinned(json!({"ref": "main", "include": ["a"]}));
    let same = repositories.one.id("main:skills/a");
    let moved = Change::new().remove("skills/a").tree("skills/zulu", &same);
    repositories.one.commit(moved.skill("ab"));
    let snapshot = repositories.sandbox.snapshot("project");
    let run = repositories.sandbox.skills(["update"]).exits(2);
    run.says([
        "`include` names `a`",
        "help: upstream moved it; run `skills add ",
        " --include zulu --exclude a`\n",
    ])
    .never_prints("did you mean");
    repositories
        .one
        .commit(Change::new().remove("skills/zulu").remove("skills/ab").skill("quite-other"));
    repositories.sandbox.skills(["update"]).exits(2).says([
        "`include` names `a`, but no skill is in a directory of that name",
        "help: upstream removed it: remove it from `include`, or run `skills remove a`\n",
    ]);
    assert_eq!(
        repositories.sandbox.snapshot("project").changes_since(&snapshot),
        Vec::<String>::new()
    );
}

/// At the locked commit, the new name of `orgs` is the name of the skill in it.
#[test]
fn renamed_directories_are_followed_by_one_command() {
    let repositories = TwoRepositories::new();
    let skill = |directory: &str, name: &str, text: &str| {
        Change::new()
            .skill_at(&format!("skills/{directory}"), name)
            .text(&format!("skills/{directory}/x.md"), text)
    };
    repositories.one.commit(skill("orgs", "acme-orgs", "old"));
    repositories.one.commit(skill("gone", "gone", "old"));
    repositories.pinned(json!({"ref": "main", "include": ["a", "orgs", "gone"]}));
    repositories.one.commit(Change::new().remove("skills/orgs").remove("skills/gone"));
    repositories.one.commit(skill("acme-orgs", "acme-orgs", "new"));
    let run = repositories.sandbox.skills(["update"]).exits(2);
    let command = run.offered().remove(0);
    assert!(command.ends_with(" --include acme-orgs --exclude gone,orgs"), "{run}");
    let run = repositories.sandbox.skills(command.split(' ').skip(1)).succeeds();
    run.says(["include a, acme-orgs\n", "updated acme-orgs (2 files, ", "removed gone\n"]);
    assert_eq!(repositories.sandbox.read("project/helix.skills/acme-orgs/x.md"), "new");
    repositories.sandbox.skills(["sync", "--check", "--store"]).succeeds();
    // Without another skill of that name, both options mean the same one.
    let url = repositories.server.url("one");
    let add = ["add", &url, "--include", "acme-orgs", "--exclude", "acme-orgs"];
    let what = "`--include` and `--exclude` both name the skill `acme-orgs`";
    repositories.sandbox.skills(add).exits(2).says([what]);
}

/// New skills upstream that cannot be taken are left out or renamed by the printed command.
#[test]
fn update_is_unblocked_by_the_printed_command() {
    let hidden = Change::new().skill("new").text("skills/new/a.md", "a\u{2060}b");
    let twin = Change::new().skill_at("more/skills/a", "a").text("more/skills/a/x.md", "x");
    for (change, code, option) in
        [(hidden, 6, "--exclude new"), (twin, 2, "--rename more/skills/a=more-a")]
    {
        for keys in [json!({}), json!({"ref": "main"})] {
            let repositories = TwoRepositories::new();
            let TwoRepositories { server, one, sandbox, .. } = &repositories;
            let mut keys = keys;
            keys["skillsDir"] = json!(".");
            repositories.pinned(keys);
            one.commit(change.clone());
            let run = sandbox.skills(["update"]).exits(code);
            let [command, update] = run.offered().try_into().unwrap();
            assert_eq!(update, "skills update");
            assert!(command.starts_with(&format!("skills add {} ", server.url("one"))), "{run}");
            assert!(command.contains(option), "{run}");
            sandbox.skills(command.split(' ').skip(1)).succeeds();
            sandbox.skills(["update"]).succeeds().says(["nothing to do"]);
            let taken = if code == 6 { vec!["a", "b"] } else { vec!["b", "more-a"] };
            assert!(taken.iter().all(|name| sandbox.locked_skills().contains(&(*name).to_owned())));
        }
    }
}

#[test]
fn edited_store_fails_an_update() {
    let repositories = TwoRepositories::new();
    repositories.pinned(json!({"ref": "main"}));
    repositories.release();
    for edit in ["project/helix.skills/a/SKILL.md", "project/helix.skills/b/SKILL.md"] {
        let (before, commit) =
            (repositories.sandbox.read(edit), repositories.sandbox.locked_commit("one"));
        repositories.sandbox.write(edit, "edited\n");
        repositories
            .sandbox
            .skills(["update"])
            .exits(5)
            .says([edit.trim_start_matches("project/")]);
        assert_eq!(
            (repositories.sandbox.read(edit), repositories.sandbox.locked_commit("one")),
            ("edited\n".to_owned(), commit)
        );
        repositories.sandbox.write(edit, before);
    }
}

#[test]
fn access_errors_move_nothing() {
    let repositories = TwoRepositories::new();
    repositories.pinned(json!({"ref": "main"}));
    repositories.release();
    let snapshot = repositories.sandbox.snapshot("project");
    let login = Some(Login { user: None, password: "right".to_owned() });
    let faults = (1..100).map(|number| (number, Fault::Status(503))).collect::<BTreeMap<_, _>>();
    repositories.server.behave(Behavior { login, ..Behavior::default() });
    repositories.sandbox.skills(["update"]).exits(4);
    repositories.server.behave(Behavior { faults, ..Behavior::default() });
    repositories.sandbox.skills(["update"]).exits(3);
    assert_eq!(
        repositories.sandbox.snapshot("project").changes_since(&snapshot),
        Vec::<String>::new()
    );
    repositories.server.behave(Behavior::default());
    repositories.sandbox.skills(["update"]).succeeds();
}

#[test]
fn json_of_an_update_has_the_moved_pins() {
    let repositories = TwoRepositories::new();
    repositories.pinned(json!({"version": "^1"}));
    let before = repositories.sandbox.locked_commit("one");
    let after = repositories.release();
    for arguments in [&["update", "--dry-run", "--json"][..], &["update", "--json"]] {
        let document = repositories.sandbox.skills(arguments).succeeds().json();
        assert_eq!(
            (&document["command"], &document["lockChanged"]),
            (&json!("update"), &json!(true))
        );
        let moved = json!({"source": "one", "pluginUrl": null, "ref": "refs/tags/v1.1.0", "before": before, "commit": after});
        assert_eq!(document["sources"], json!([moved]));
        let skills =
            json!([{"name": "a", "change": "updated"}, {"name": "b", "change": "unchanged"}]);
        assert_eq!(document["skills"], skills);
    }
    let failed = repositories.sandbox.skills(["update", "unknown", "--json"]).exits(2).json();
    assert_eq!((&failed["ok"], &failed["errors"][0]["code"]), (&json!(false), &json!("usage")));
}

/// Returns an index whose plugin is in `x` of another repository.
fn external_plugin(name: &str, pin: Value) -> Change {
    let mut source = json!({"source": "git-subdir", "url": url(name), "path": "x"});
    source.as_object_mut().unwrap().extend(pin.as_object().unwrap().clone());
    publish(&index(&json!([{"name": "p", "source": source}])))
}

#[test]
fn hops_of_a_plugin_move_separately() {
    let market = Market::empty();
    let (tools, other) = (market.sandbox.upstream("tools"), market.sandbox.upstream("other"));
    let first = tools.commit(Change::new().skill_at("x/skills/a", "a"));
    market.upstream.commit(external_plugin("tools", json!({ "sha": first })));
    market.request(json!({}));
    market.sync().succeeds();
    let short = |id: &str| id[..12].to_owned();

    // The plugin has a new commit, but the marketplace still pins the old one.
    let second = tools.commit(Change::new().skill_at("x/skills/b", "b"));
    market.sandbox.skills(["update"]).succeeds().says(["nothing to do"]);
    // The marketplace pins the new one.
    market.upstream.commit(external_plugin("tools", json!({ "sha": second })));
    let run = market.sandbox.skills(["update"]).succeeds();
    run.says([format!(
        "locked team plugin {} at {}, was {}",
        url("tools"),
        short(&second),
        short(&first)
    )]);
    assert_eq!(market.sandbox.locked_skills(), ["a", "b"]);

    // The marketplace makes the plugin follow a branch: only the second hop moves.
    market.upstream.commit(external_plugin("tools", json!({})));
    market.sandbox.skills(["update"]).succeeds();
    let third = tools.commit(Change::new().skill_at("x/skills/c", "c"));
    let document = market.sandbox.skills(["update", "--json"]).succeeds().json();
    let moved = json!({"source": "team", "pluginUrl": url("tools"), "ref": "refs/heads/main", "before": second, "commit": third});
    assert_eq!(document["sources"], json!([moved]));

    // The plugin moves to another repository.
    let fourth = other.commit(Change::new().skill_at("x/skills/c", "c"));
    market.upstream.commit(external_plugin("other", json!({ "sha": fourth })));
    let run = market.sandbox.skills(["update"]).succeeds();
    run.says([
        format!("locked team plugin {} at {}", url("other"), short(&fourth)),
        "removed a".to_owned(),
    ]);
    assert_eq!(market.locked_plugin()["url"], url("other"));
    market.sandbox.skills(["sync", "--check", "--store"]).succeeds();
}

#[test]
fn removed_plugin_is_an_error() {
    let market = Market::with(
        &json!([{"name": "p", "source": "./x"}]),
        Change::new().skill_at("x/skills/a", "a"),
    );
    market.sync().succeeds();
    let snapshot = market.sandbox.snapshot("project");
    market.upstream.commit(publish(&json!({"renames": {"p": null}, "plugins": []}).to_string()));
    market.sandbox.skills(["update"]).exits(2).says(["removed the plugin `p`", "older version"]);
    assert_eq!(market.sandbox.snapshot("project").changes_since(&snapshot), Vec::<String>::new());
    // The locked commit has it, and is on the branch.
    let has_locked_commit = |outdated: &str| {
        let run = market.sandbox.skills(["sync", "--check", "--upstream"]).succeeds();
        run.never_prints("not proved");
        market.sandbox.skills(["outdated"]).exits(2).says([outdated]);
    };
    has_locked_commit("removed the plugin `p`");
    market.upstream.commit(Change::new().remove(".claude-plugin"));
    has_locked_commit("the repository is not a marketplace");
    market.upstream.commit(publish(&index(&json!([{"name": "p", "source": "./x"}]))).remove("x"));
    has_locked_commit("the plugin `p` should be in `x`");
}

#[test]
fn t07_moved_tag_is_accepted_only_for_a_named_source() {
    let repositories = TwoRepositories::new();
    repositories.pinned(json!({"version": "1.0.0"}));
    let before = repositories.one.id("v1.0.0");
    repositories.one.commit(
        Change::new().text("skills/a/SKILL.md", &format!("{}Something else.\n", skill_md("a"))),
    );
    repositories.one.tag("v1.0.0");
    let after = repositories.one.id("v1.0.0");
    let (lock, store) =
        (repositories.sandbox.lock(), repositories.sandbox.snapshot("project/helix.skills"));
    let both = [before.as_str(), after.as_str(), "refs/tags/v1.0.0", "from the lockfile"];
    repositories
        .sandbox
        .skills(["update"])
        .exits(5)
        .says(both)
        .says(["review the new commit, then run `skills update one`\n"]);
    repositories.sandbox.skills(["update", "--dry-run"]).exits(5).says(both);
    assert_eq!(
        (repositories.sandbox.lock(), repositories.sandbox.snapshot("project/helix.skills")),
        (lock, store),
        "nothing was written"
    );
    repositories.sandbox.skills(["update", "one"]).succeeds().says(both);
    assert!(repositories.sandbox.lock().contains(&after));
}
