//! The commands that change a disk, and a project to run them in.

use helix_skills_tests::{Change, Run, Sandbox, Snapshot, Upstream, skill_md};
use serde_json::json;
use std::{collections::BTreeMap, fs};

/// A command, what is there before it, and how it ends.
pub(super) struct Deed {
    pub(super) arguments: &'static [&'static str],
    prepare: fn(&Sandbox),
    /// How it ends when all that it does is done already.
    done: i32,
}

pub(super) const SYNC: Deed = deed(&["sync"], |sandbox| sources(sandbox, "2.0.0"));

/// All of them. `completions` and `man` write what nobody reads back.
pub(super) const DEEDS: [Deed; 9] = [
    SYNC,
    // The first of all, with an empty cache.
    deed(&["sync", "-q"], |sandbox| {
        sandbox.forget();
        sandbox.sources(
            &json!({"repo": {"type": "git", "url": "../upstream/repo.git", "version": "2.0.0"}}),
        );
    }),
    deed(&["sync", "--restore"], |sandbox| {
        sandbox.write("project/helix.skills/a/docs/x.md", "edited\n");
        sandbox.write("project/helix.skills/a/mine.md", "unknown\n");
    }),
    deed(&["update", "moving"], |_| {}),
    Deed { done: 2, ..deed(&["add", "../upstream/other.git", "--ref", "main"], |_| {}) },
    Deed { done: 2, ..deed(&["remove", "moving"], |_| {}) },
    Deed {
        done: 2,
        ..deed(&["init", "--ignore-store"], |sandbox| {
            sandbox.remove("project");
            sandbox.write("project/.gitignore", "target");
        })
    },
    deed(&["cache", "clean"], |_| {}),
    deed(&["validate", "--fix", "skills"], |sandbox| {
        for name in ["tides", "winds", "waves"] {
            let text = format!(
                "\n---\ndescription: Reads {name}: use when a harbour is named.\n---\n# {name}\n"
            );
            sandbox.write(format!("project/skills/{name}/SKILL.md"), text);
        }
    }),
];

const fn deed(arguments: &'static [&'static str], prepare: fn(&Sandbox)) -> Deed {
    Deed { arguments, prepare, done: 0 }
}

fn sources(sandbox: &Sandbox, version: &str) {
    sandbox.sources(&json!({
        "repo": {"type": "git", "url": "../upstream/repo.git", "version": version},
        "moving": {"type": "git", "url": "../upstream/moving.git", "ref": "main"},
    }));
}

/// A project that is locked at the version 1.0.0 of one source, and at a branch of another that has moved since.
pub(super) struct Place {
    pub(super) sandbox: Sandbox,
    _upstreams: [Upstream; 3],
    kept: BTreeMap<String, Vec<u8>>,
}

impl Place {
    pub(super) fn new() -> Self {
        Self::made_in(Sandbox::new())
    }

    /// Where fsync costs nothing.
    pub(super) fn in_memory() -> Self {
        Self::made_in(Sandbox::in_memory())
    }

    fn made_in(sandbox: Sandbox) -> Self {
        let upstreams = ["repo", "moving", "other"].map(|name| sandbox.upstream(name));
        let [repo, moving, other] = &upstreams;
        repo.commit(Change::new().skill("a").text("skills/a/docs/x.md", "one\n").skill("leaves"));
        repo.tag("v1.0.0");
        repo.commit(
            Change::new()
                .text("skills/a/docs/x.md", "two\n")
                .executable("skills/a/new/run.sh", "#!/bin/sh\n")
                .remove("skills/leaves")
                .skill("comes"),
        );
        repo.tag("v2.0.0");
        moving.commit(Change::new().skill("m").text("skills/m/x.md", "one\n"));
        other.commit(Change::new().text("skills/o/SKILL.md", &skill_md("o")));
        sources(&sandbox, "1.0.0");
        sandbox.skills(["sync"]).succeeds();
        moving.commit(Change::new().text("skills/m/x.md", "two\n").text("skills/m/y.md", "new\n"));
        let mut kept = BTreeMap::new();
        for place in ["project", "cache"] {
            for (path, bytes) in sandbox.snapshot(place).contents() {
                kept.insert(format!("{place}/{path}"), bytes.to_vec());
            }
        }
        Self { sandbox, _upstreams: upstreams, kept }
    }

    /// Makes everything what it was before the deed.
    pub(super) fn set_up(&self, deed: &Deed) {
        for place in ["project", "cache", "tmp"] {
            self.sandbox.remove(place);
            fs::create_dir(self.sandbox.path(place)).unwrap();
        }
        self.kept.iter().for_each(|(path, bytes)| self.sandbox.write(path, bytes));
        (deed.prepare)(&self.sandbox);
    }

    /// How the deed ends, and what is there before and after it, in the project and in the cache.
    pub(super) fn learn(&self, deed: &Deed) -> Outcome {
        self.set_up(deed);
        let old = self.sandbox.snapshot("project");
        let run = self.sandbox.skills(deed.arguments);
        let code = run.code.unwrap();
        assert!(code <= 1, "{run}");
        let (new, cache) = (self.sandbox.snapshot("project"), self.sandbox.snapshot("cache"));
        assert_eq!(deed.arguments[0] == "cache", old.contents() == new.contents(), "{run}");
        Outcome { old, new, cache, code, done: deed.done, arguments: deed.arguments }
    }
}

/// What a deed comes to.
pub(super) struct Outcome {
    pub(super) old: Snapshot,
    pub(super) new: Snapshot,
    cache: Snapshot,
    pub(super) code: i32,
    done: i32,
    arguments: &'static [&'static str],
}

impl Outcome {
    /// The same command again does what is left of it, and leaves nothing behind.
    #[track_caller]
    pub(super) fn is_reached_again(&self, sandbox: &Sandbox, what: &str) {
        let again = sandbox.skills(self.arguments);
        assert!(
            again.code.is_some_and(|code| code == self.code || code == self.done),
            "{what}: {again}"
        );
        let now = sandbox.snapshot("project");
        assert_eq!(now.contents(), self.new.contents(), "{what}: not what it should be\n{again}");
        // What could not be kept there is fetched again when it is needed.
        let expected = self.cache.contents();
        for (path, bytes) in sandbox.snapshot("cache").contents() {
            assert_eq!(
                expected.get(path),
                Some(&bytes),
                "{what}: `{path}` is left in the cache\n{again}"
            );
        }
    }

    /// Whether this is how the deed ends when nothing is in the way.
    pub(super) fn is_end(&self, run: &Run) -> bool {
        run.code == Some(self.code)
    }
}
