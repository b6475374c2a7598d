//! The meaning of pins, and its stability.

use helix_skills_tests::{Change, GitServer, Sandbox, Upstream, skill_md};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// A repository with one skill, `a`, and a tag of each form on its own commit.
struct Tagged {
    sandbox: Sandbox,
    upstream: Upstream,
    server: GitServer,
    commits: BTreeMap<&'static str, String>,
}

const TAGS: [&str; 6] =
    ["1.1.0", "tools@1.2.0", "tools-v1.3.0", "tools/v1.4.0", "v2.0.0-rc.1", "v1"];

fn edition(text: &str) -> Change {
    Change::new().text("skills/a/SKILL.md", &format!("{}{text}\n", skill_md("a")))
}

impl Tagged {
    fn new() -> Self {
        Self::with(&TAGS)
    }

    /// Returns a repository whose tags have no names of components.
    fn bare() -> Self {
        Self::with(&["1.1.0", "v1.2.0", "v2.0.0-rc.1", "v1"])
    }

    fn with(tags: &[&'static str]) -> Self {
        let sandbox = Sandbox::new();
        let upstream = sandbox.upstream("tools");
        let mut commits = BTreeMap::from([("v1.0.0", upstream.commit(edition("v1.0.0")))]);
        upstream.annotated_tag("v1.0.0", "main");
        for &tag in tags {
            commits.insert(tag, upstream.commit(edition(tag)));
            upstream.tag(tag);
        }
        commits.insert("main", upstream.commit(edition("main")));
        commits.insert("dev", upstream.commit_to("dev", edition("dev")));
        for noise in ["latest", "other@9.0.0", "20260701", "1.2.3.4", "release-9.0.0"] {
            upstream.tag(noise);
        }
        let server = sandbox.serve();
        Self { sandbox, upstream, server, commits }
    }

    fn pin(&self, pin: Value) {
        let mut source = json!({"type": "git", "url": self.server.url("tools")});
        source.as_object_mut().unwrap().extend(pin.as_object().unwrap().clone());
        self.sandbox.sources(&json!({ "tools": source }));
    }

    /// Syncs from nothing and returns the ref and the value in the lockfile.
    fn resolve(&self, pin: Value) -> (String, Value) {
        self.pin(pin);
        self.sandbox.forget();
        self.sandbox.skills(["sync"]).succeeds();
        (
            self.sandbox.locked_commit("tools"),
            self.sandbox.lock_json()["sources"]["tools"]["ref"].clone(),
        )
    }

    fn resolves_to(&self, pin: Value, tag: &str, reference: &str) {
        let found = self.resolve(pin.clone());
        assert_eq!(found, (self.commits[tag].clone(), json!(reference)), "{pin}");
        let stored = self.sandbox.read("project/helix.skills/a/SKILL.md");
        assert!(stored.ends_with(&format!("{tag}\n")), "{pin}: {stored}");
    }
}

#[test]
fn exact_version_matches_every_form_of_tag() {
    let tagged = Tagged::new();
    for (version, tag) in [
        ("1.0.0", "v1.0.0"),
        ("v1.0.0", "v1.0.0"),
        ("1.1.0", "1.1.0"),
        ("1.2.0", "tools@1.2.0"),
        ("1.3.0", "tools-v1.3.0"),
        ("1.4.0", "tools/v1.4.0"),
        ("2.0.0-rc.1", "v2.0.0-rc.1"),
        ("1", "v1"),
    ] {
        tagged.resolves_to(json!({"version": version}), tag, &format!("refs/tags/{tag}"));
    }
}

#[test]
fn annotated_tag_is_locked_as_its_commit() {
    let tagged = Tagged::new();
    assert_ne!(tagged.upstream.git(["rev-parse", "refs/tags/v1.0.0"]), tagged.commits["v1.0.0"]);
    tagged.resolves_to(json!({"version": "1.0.0"}), "v1.0.0", "refs/tags/v1.0.0");
    tagged.resolves_to(json!({"ref": "v1.0.0"}), "v1.0.0", "refs/tags/v1.0.0");
}

#[test]
fn range_selects_the_newest_release() {
    let tagged = Tagged::new();
    for (range, tag) in [
        ("^1", "tools/v1.4.0"),
        (">=1.0.0, <1.3", "tools@1.2.0"),
        ("*", "tools/v1.4.0"),
        ("1.*", "tools/v1.4.0"),
        ("<=1.3.0", "tools-v1.3.0"),
    ] {
        tagged.resolves_to(json!({"version": range}), tag, &format!("refs/tags/{tag}"));
    }
    let bare = Tagged::bare();
    for (range, tag) in [("^1", "v1.2.0"), ("~1.1", "1.1.0"), ("=1.0.0", "v1.0.0"), ("*", "v1.2.0")]
    {
        bare.resolves_to(json!({"version": range}), tag, &format!("refs/tags/{tag}"));
    }
}

/// Tags of other components, such as `v2.42.0`, are no releases of a source with tags of its own.
#[test]
fn tags_with_a_name_of_the_source_win() {
    let tagged = Tagged::with(&["v2.42.0", "kit-v1.4.0"]);
    let (url, sandbox) = (tagged.server.url("tools"), &tagged.sandbox);
    sandbox.sources(&json!({"kit": {"type": "git", "url": url, "version": "^2"}}));
    sandbox.skills(["sync"]).exits(2).says(["its only version is 1.4.0"]);
    sandbox.manifest("{\"skills\": {}}");
    sandbox.skills(["add", &url, "--name", "kit"]).succeeds().says(["version 1.4.0"]);
    let outdated = sandbox.skills(["outdated", "--json"]).succeeds();
    assert!(!outdated.stdout.contains("2.42.0"), "{outdated}");
    // The lockfile does not decide which tags are meant.
    sandbox.sources(&json!({"kit": {"type": "git", "url": url, "ref": "v2.42.0"}}));
    sandbox.skills(["sync"]).succeeds();
    let mut forged = sandbox.lock_json();
    let request = forged["sources"]["kit"]["request"].as_object_mut().unwrap();
    drop(request.remove("ref"));
    request.insert("version".to_owned(), json!("*"));
    sandbox.write("project/helix.skills.lock", format!("{forged:#}\n"));
    sandbox.sources(&json!({"kit": {"type": "git", "url": url, "version": "*"}}));
    sandbox.skills(["sync", "--check", "--store"]).succeeds();
    let run = sandbox.skills(["sync", "--check", "--upstream"]).exits(5);
    run.says(["the tag `refs/tags/kit-v1.4.0` resolves to the commit"]);
    sandbox.skills(["update"]).succeeds();
    assert_eq!(sandbox.locked_commit("kit"), tagged.commits["kit-v1.4.0"]);
}

/// Tags with the name of the repository are releases of all of it, as those without a name.
#[test]
fn newest_release_may_have_the_name_of_the_repository() {
    let tagged = Tagged::bare();
    tagged.resolves_to(json!({"version": "^1"}), "v1.2.0", "refs/tags/v1.2.0");
    tagged.upstream.tag_at("tools@1.1.9", "v1.0.0");
    tagged.sandbox.skills(["update"]).succeeds();
    assert_eq!(tagged.sandbox.locked_commit("tools"), tagged.commits["v1.2.0"]);
    tagged.upstream.git(["tag", "-d", "tools@1.1.9"]);
    // Nor is an older release taken in silence.
    tagged.upstream.git(["tag", "-d", "v1.2.0"]);
    let run = tagged.sandbox.skills(["update"]).succeeds();
    run.says(["the newest release of `^1` is 1.1.0, which is older than the locked 1.2.0"]);
}

#[test]
fn range_selects_a_pre_release_only_if_it_names_one() {
    let tagged = Tagged::bare();
    tagged.resolves_to(json!({"version": "^2.0.0-rc.0"}), "v2.0.0-rc.1", "refs/tags/v2.0.0-rc.1");
    tagged.pin(json!({"version": "^2"}));
    tagged.sandbox.forget();
    tagged.sandbox.skills(["sync"]).fails().says(["tools", "^2"]);
    assert!(!tagged.sandbox.exists("project/helix.skills.lock"));
}

#[test]
fn unknown_version_is_an_error_with_its_source() {
    let tagged = Tagged::new();
    tagged.pin(json!({"version": "7.7.7"}));
    tagged.sandbox.skills(["sync"]).fails().says(["tools", "7.7.7"]);
    // Tags of another form can only be pinned by their names.
    for tag in ["skill-v7.7.7", "shadcn@7.7.7", "skill-v17.7.7", "skill-v7.7.70", "x-1.7.7.7"] {
        tagged.upstream.tag(tag);
    }
    let hint = "pin one of the tags that have it with `--ref`: `shadcn@7.7.7`, `skill-v7.7.7`\n";
    for version in ["7.7.7", "v7.7.7"] {
        let url = tagged.server.url("tools");
        tagged.sandbox.skills(["add", &url, "--version", version]).exits(2).says([hint]);
        tagged.sandbox.skills(["add", &url, "--ref", "skill-v7.7.7", "--dry-run"]).succeeds();
    }
    tagged.pin(json!({"ref": "no-such-branch"}));
    tagged.sandbox.skills(["sync"]).fails().says(["no-such-branch"]);
    assert_eq!(tagged.sandbox.files("project"), ["helix.skills.json"]);
}

#[test]
fn ambiguous_version_tags_are_an_error() {
    let tagged = Tagged::new();
    tagged.upstream.tag_at("tools@1.4.0", "main");
    tagged.pin(json!({"version": "^1"}));
    tagged.sandbox.skills(["sync"]).fails().says(["tools/v1.4.0", "tools@1.4.0", "refs/tags"]);
    // On one commit they are one release.
    tagged.upstream.tag_at("tools@1.4.0", "tools/v1.4.0");
    let (commit, _) = tagged.resolve(json!({"version": "^1"}));
    assert_eq!(commit, tagged.commits["tools/v1.4.0"]);
}

#[test]
fn ref_is_a_short_or_full_branch_or_tag() {
    let tagged = Tagged::new();
    tagged.resolves_to(json!({"ref": "dev"}), "dev", "refs/heads/dev");
    tagged.resolves_to(json!({"ref": "refs/heads/dev"}), "dev", "refs/heads/dev");
    tagged.resolves_to(json!({"ref": "tools/v1.4.0"}), "tools/v1.4.0", "refs/tags/tools/v1.4.0");
    tagged.resolves_to(json!({"ref": "refs/tags/1.1.0"}), "1.1.0", "refs/tags/1.1.0");
}

#[test]
fn no_pin_selects_the_default_branch() {
    let tagged = Tagged::new();
    assert_eq!(tagged.resolve(json!({})).0, tagged.commits["main"]);
    tagged.upstream.default_branch("dev");
    assert_eq!(tagged.resolve(json!({})).0, tagged.commits["dev"]);
}

#[test]
fn sha_alone_locks_no_ref() {
    let tagged = Tagged::new();
    let commit = &tagged.commits["tools@1.2.0"];
    assert_eq!(tagged.resolve(json!({"sha": commit})), (commit.clone(), Value::Null));
    tagged.pin(json!({"sha": &commit[..12]}));
    tagged.sandbox.skills(["sync"]).exits(2).says(["helix.skills.json:"]);
    tagged.pin(json!({"sha": "0123456789012345678901234567890123456789"}));
    tagged.sandbox.forget();
    tagged.sandbox.skills(["sync"]).fails().says(["0123456789012345678901234567890123456789"]);
}

#[test]
fn sha_next_to_a_pin_is_an_assertion() {
    let tagged = Tagged::new();
    let (reviewed, moved) = (&tagged.commits["v1.0.0"], &tagged.commits["main"]);
    tagged.resolves_to(json!({"version": "1.0.0", "sha": reviewed}), "v1.0.0", "refs/tags/v1.0.0");
    tagged.resolves_to(
        json!({"ref": "dev", "sha": tagged.commits["dev"]}),
        "dev",
        "refs/heads/dev",
    );

    tagged.upstream.tag_at("v1.0.0", "main");
    tagged.pin(json!({"version": "1.0.0", "sha": reviewed}));
    tagged.sandbox.forget();
    let hint = format!("if you changed `version` or `ref`, set `\"sha\": \"{moved}\"`; if not, ");
    tagged.sandbox.skills(["sync"]).exits(5).says([reviewed, moved, &hint]);
    assert_eq!(tagged.sandbox.files("project"), ["helix.skills.json"]);
}

/// T7: the lockfile has the commit; a tag is only a hint.
#[test]
fn t07_moved_tag_does_not_change_a_lockfile() {
    let tagged = Tagged::new();
    tagged.resolves_to(json!({"version": "1.0.0"}), "v1.0.0", "refs/tags/v1.0.0");
    let (lock, store) = (tagged.sandbox.lock(), tagged.sandbox.snapshot("project/helix.skills"));
    tagged.upstream.tag_at("v1.0.0", "main");
    tagged.upstream.tag_at("v1.9.9", "main");

    tagged.sandbox.skills(["sync"]).succeeds();
    tagged.sandbox.skills(["sync", "--check"]).succeeds();
    tagged.sandbox.remove_store();
    tagged.sandbox.remove_cache();
    tagged.sandbox.skills(["sync"]).succeeds();
    assert_eq!(tagged.sandbox.lock(), lock);
    assert_eq!(tagged.sandbox.snapshot("project/helix.skills").contents(), store.contents());
}

#[test]
fn range_keeps_its_release_while_another_range_allows_it() {
    let tagged = Tagged::new();
    tagged.resolves_to(json!({"version": "^1"}), "tools/v1.4.0", "refs/tags/tools/v1.4.0");
    tagged.upstream.tag_at("tools@1.5.0", "main");
    tagged.server.take_traffic();
    tagged.sandbox.skills(["sync"]).succeeds();
    assert_eq!(tagged.server.traffic().requests, 0);
    assert_eq!(tagged.sandbox.locked_commit("tools"), tagged.commits["tools/v1.4.0"]);

    tagged.pin(json!({"version": ">=1.0"}));
    tagged.sandbox.skills(["sync", "--offline"]).succeeds();
    assert_eq!(tagged.sandbox.locked_commit("tools"), tagged.commits["tools/v1.4.0"]);
    tagged.sandbox.skills(["sync", "--check"]).succeeds();

    tagged.pin(json!({"version": "^1.5"}));
    tagged.sandbox.skills(["sync"]).succeeds();
    assert_eq!(tagged.sandbox.locked_commit("tools"), tagged.commits["main"]);
}

/// T8: a new owner of the URL cannot create the locked commit id with other bytes.
#[test]
fn t08_replaced_history_does_not_match_the_lockfile() {
    let tagged = Tagged::new();
    tagged.resolves_to(json!({"version": "1.0.0"}), "v1.0.0", "refs/tags/v1.0.0");
    let lock = tagged.sandbox.lock();
    tagged.sandbox.remove("upstream/tools.git");
    let taken_over = tagged.sandbox.upstream("tools");
    taken_over.commit(edition("taken over"));
    taken_over.tag("v1.0.0");
    tagged.sandbox.remove_store();
    tagged.sandbox.remove_cache();
    let says = ["no longer exists", &tagged.commits["v1.0.0"], "`skills update tools`"];
    tagged.sandbox.skills(["sync"]).exits(5).says(says);
    // Nor for another selection.
    tagged.pin(json!({"version": "1.0.0", "prefix": "x-"}));
    tagged.sandbox.skills(["sync"]).exits(5).says(says);
    assert_eq!(tagged.sandbox.lock(), lock);
    assert!(!tagged.sandbox.exists("project/helix.skills/a"));
}

#[test]
fn nested_tags_are_peeled_to_a_commit() {
    let tagged = Tagged::new();
    let inner = tagged.upstream.annotated_tag("inner", "dev");
    let outer = tagged.upstream.annotated_tag("outer", &inner);
    tagged.upstream.tag_at("file", "main:skills/a/SKILL.md");
    tagged.upstream.tag_at("directory", "main:skills/a");
    tagged.resolves_to(json!({"ref": "outer"}), "dev", "refs/tags/outer");
    for reference in ["file", "directory"] {
        tagged.pin(json!({"ref": reference}));
        tagged.sandbox.forget();
        tagged.sandbox.skills(["sync"]).fails().says(["tools"]);
    }
    // The id of a tag object is not a commit id: it is peeled or rejected.
    tagged.pin(json!({"sha": outer}));
    tagged.sandbox.forget();
    let run = tagged.sandbox.skills(["sync"]);
    if run.code == Some(0) {
        assert_eq!(tagged.sandbox.locked_commit("tools"), tagged.commits["dev"]);
    } else {
        run.fails().says([&outer]);
    }
}

#[test]
fn ambiguous_ref_is_locked_with_its_full_name() {
    let tagged = Tagged::new();
    tagged.upstream.tag_at("both", "v1.0.0");
    tagged.upstream.branch("both", "dev");
    let (commit, reference) = tagged.resolve(json!({"ref": "both"}));
    let taken = reference.as_str().unwrap();
    assert_eq!(commit, tagged.upstream.id(&format!("{taken}^{{commit}}")));
    tagged.resolves_to(json!({"ref": "refs/heads/both"}), "dev", "refs/heads/both");
    tagged.resolves_to(json!({"ref": "refs/tags/both"}), "v1.0.0", "refs/tags/both");
}

#[test]
fn ref_with_the_same_prefix_does_not_match() {
    let tagged = Tagged::new();
    tagged.upstream.tag_at("v3.0.10", "dev");
    tagged.pin(json!({"version": "3.0.1"}));
    tagged.sandbox.skills(["sync"]).fails().says(["3.0.1"]);
    tagged.pin(json!({"ref": "de"}));
    tagged.sandbox.skills(["sync"]).fails();
}

#[test]
fn unknown_branch_suggests_default_and_nearest() {
    let tagged = Tagged::new();
    for (asked, message) in [
        ("deV1", "the default branch is `main`; did you mean `dev`?"),
        ("mian", "did you mean the default branch, `main`?"),
        ("zzzzzz", "the default branch is `main`; it has "),
    ] {
        let source = json!({"type": "git", "url": tagged.server.url("tools"), "ref": asked});
        tagged.sandbox.sources(&json!({ "tools": source }));
        tagged
            .sandbox
            .skills(["sync"])
            .exits(2)
            .says([&format!("no tag or branch `{asked}`"), message]);
    }
}
