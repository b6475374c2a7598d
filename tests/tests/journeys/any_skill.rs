//! Any skill of a repository, wherever it is: what `skills add` finds and writes, and what a
//! manifest that names it means later.

use crate::commands::manifest;
use helix_skills_tests::{Change, GitServer, Run, Sandbox, Upstream, skill_md};
use serde_json::{Value, json};

/// A project without sources, and the repository `kit` with a release.
struct Kit {
    // Dropped before the directories that it serves.
    server: GitServer,
    upstream: Upstream,
    sandbox: Sandbox,
}

impl Kit {
    fn new(change: Change) -> Self {
        let sandbox = Sandbox::new();
        let upstream = sandbox.upstream("kit");
        upstream.commit(change);
        upstream.tag("v1.0.0");
        let server = sandbox.serve();
        sandbox.sources(&json!({}));
        Self { server, upstream, sandbox }
    }

    /// Skills in and out of the scope, and one that is a part of another one.
    fn layouts() -> Self {
        Self::new(
            Change::new()
                .skill("a")
                .skill_at("skills/group/b", "b")
                .skill_at("skills/a/inner", "inner")
                .skill_at("plugins/p/skills/c", "c"),
        )
    }

    /// Syncs a manifest with these keys of the source.
    fn locked(change: Change, keys: Value) -> Self {
        let kit = Self::new(change);
        kit.select(keys);
        kit.sandbox.skills(["sync"]).succeeds();
        kit
    }

    /// Writes a manifest with these additional keys of the source.
    fn select(&self, keys: Value) {
        let mut source = json!({"type": "git", "url": self.server.url("kit"), "ref": "main"});
        source.as_object_mut().unwrap().extend(keys.as_object().unwrap().clone());
        self.sandbox.sources(&json!({ "kit": source }));
    }

    fn add(&self, arguments: &[&str]) -> Run {
        let url = self.server.url("kit");
        self.sandbox.skills(["add", &url].iter().chain(arguments))
    }

    /// Runs a command that a message offered.
    fn paste(&self, command: &str) -> Run {
        let words = command.split(' ').skip(1).map(|word| word.trim_matches('\''));
        self.sandbox.skills(words)
    }

    /// Returns what the only source has besides its type and URL.
    fn entry(&self) -> Value {
        let mut skills = manifest(&self.sandbox)["skills"].take();
        assert_eq!(skills.as_object().unwrap().len(), 1, "{skills}");
        let mut entry = skills["kit"].take();
        entry.as_object_mut().unwrap().retain(|key, _| key != "type" && key != "url");
        entry
    }

    /// Returns the paths of the locked skills, sorted.
    fn paths(&self) -> Vec<String> {
        let lock = self.sandbox.lock_json();
        let skills = lock["skills"].as_object().unwrap().values();
        let mut paths: Vec<_> =
            skills.map(|skill| skill["path"].as_str().unwrap().to_owned()).collect();
        paths.sort();
        paths
    }

    /// Checks that the origin is proved after what a note says: another `include`, and an update.
    fn is_proved_as_the_note_says(&self, note: &str, include: Value) {
        let run = self.sandbox.skills(["sync", "--check", "--upstream"]).succeeds().says([note]);
        assert_eq!(run.stderr.matches(note).count(), 1, "{run}");
        self.select(json!({ "include": include }));
        self.sandbox.skills(["update"]).succeeds();
        let run = self.sandbox.skills(["sync", "--check", "--upstream"]).succeeds();
        run.never_prints("not proved");
        self.is_consistent();
    }

    /// Checks that manifest, lockfile and store agree without the network.
    fn is_consistent(&self) {
        let requests = self.server.traffic().requests;
        self.sandbox.skills(["sync", "--check", "--store"]).succeeds();
        self.sandbox.skills(["sync", "--locked", "--offline"]).succeeds();
        assert_eq!(self.server.traffic().requests, requests);
    }
}

/// Returns the entries that the hints of a run say to include.
fn keys_to_include(run: &Run) -> Vec<String> {
    let hints = run.stderr.lines().filter(|line| line.starts_with("help: "));
    let keys = hints.filter_map(|hint| hint.split_once("include ")).flat_map(|(_, keys)| {
        let keys = keys.split(" instead").next().unwrap();
        keys.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>()
    });
    keys.collect()
}

#[test]
fn skill_out_of_the_scope_extends_an_entry_without_include() {
    let kit = Kit::layouts();
    kit.add(&[]).succeeds();
    assert_eq!(kit.entry(), json!({"version": "1.0.0"}));
    assert_eq!(kit.paths(), ["skills/a", "skills/group/b"]);
    kit.add(&["--include", "c"]).succeeds().says([
        "changed the source kit, version 1.0.0: include a, b, plugins/p/skills/c\n",
        "note: kit no longer takes skills by itself that upstream adds\n",
    ]);
    let include = json!(["a", "b", "plugins/p/skills/c"]);
    assert_eq!(kit.entry(), json!({"version": "1.0.0", "include": include}));
    assert_eq!(kit.paths(), ["plugins/p/skills/c", "skills/a", "skills/group/b"]);
    kit.is_consistent();
    // Which is so.
    kit.upstream.commit(Change::new().skill("d"));
    kit.upstream.tag("v1.1.0");
    kit.add(&["--version", "1.1.0"]).succeeds();
    assert_eq!(kit.sandbox.locked_skills(), ["a", "b", "c"]);
    // It has all skills that are named then, also one that was excluded.
    let kit = Kit::layouts();
    kit.add(&["--exclude", "b"]).succeeds();
    kit.add(&["--include", "b,c"]).succeeds();
    assert_eq!(kit.entry(), json!({"version": "1.0.0", "include": include}));
    assert_eq!(kit.paths(), ["plugins/p/skills/c", "skills/a", "skills/group/b"]);
}

#[test]
fn skill_out_of_the_scope_extends_include() {
    let kit = Kit::layouts();
    kit.add(&["--include", "b"]).succeeds().says(["note: b is in skills/group/b\n"]);
    assert_eq!(kit.entry(), json!({"version": "1.0.0", "include": ["b"]}));
    let run = kit.add(&["--include", "c"]).succeeds().never_prints("no longer takes");
    run.says(["changed the source kit, version 1.0.0: include b, plugins/p/skills/c\n"]);
    let include = json!(["b", "plugins/p/skills/c"]);
    assert_eq!(kit.entry(), json!({"version": "1.0.0", "include": include}));
    assert_eq!(kit.paths(), ["plugins/p/skills/c", "skills/group/b"]);
    kit.is_consistent();
    // Again, by its name and by its path, without a request.
    let requests = kit.server.traffic().requests;
    for name in ["c", "plugins/p/skills/c"] {
        kit.add(&["--include", name]).succeeds().says(["unchanged"]);
    }
    assert_eq!(kit.server.traffic().requests, requests);
    kit.sandbox.skills(["remove", "c"]).succeeds();
    assert_eq!(kit.entry(), json!({"version": "1.0.0", "include": ["b"]}));
}

#[test]
fn skill_in_a_skill_is_taken_by_its_path() {
    for name in ["inner", "skills/a/inner"] {
        let kit = Kit::layouts();
        kit.add(&["--include", name]).succeeds();
        assert_eq!(kit.entry(), json!({"version": "1.0.0", "include": ["skills/a/inner"]}));
        assert_eq!(kit.paths(), ["skills/a/inner"]);
        kit.add(&["--include", "a"]).succeeds();
        assert_eq!(kit.paths(), ["skills/a", "skills/a/inner"]);
        // It is also a file of the outer one.
        assert!(kit.sandbox.exists("project/helix.skills/a/inner/SKILL.md"));
        kit.is_consistent();
    }
}

/// Pages and READMEs show the `name` of the frontmatter.
#[test]
fn name_of_the_frontmatter_becomes_the_directory_or_path() {
    let change = Change::new()
        .skill_at("skills/patterns", "acme-patterns")
        .skill_at("plugins/p/skills/review", "acme-review")
        .skill("other");
    for (typed, key, path) in [
        ("acme-patterns", "patterns", "skills/patterns"),
        ("Acme-Patterns", "patterns", "skills/patterns"),
        ("acme-review", "plugins/p/skills/review", "plugins/p/skills/review"),
    ] {
        let kit = Kit::new(change.clone());
        kit.add(&["--include", typed]).succeeds().says([path]);
        assert_eq!(kit.entry(), json!({"version": "1.0.0", "include": [key]}));
        assert_eq!(kit.paths(), [path]);
        kit.is_consistent();
        kit.add(&["--include", typed]).succeeds();
        assert_eq!(kit.entry(), json!({"version": "1.0.0", "include": [key]}));
    }
    // A directory of that name comes first, wherever it is.
    let kit = Kit::new(change.skill_at("docs/acme-patterns", "docs"));
    kit.add(&["--include", "acme-patterns"]).succeeds().says(["docs/acme-patterns"]);
    assert_eq!(kit.paths(), ["docs/acme-patterns"]);
}

#[test]
fn name_of_the_frontmatter_in_a_manifest_is_an_error() {
    let change = Change::new()
        .skill_at("skills/patterns", "acme-patterns")
        .skill_at("plugins/p/skills/review", "acme-review");
    let kit = Kit::new(change);
    for (written, key) in [
        ("acme-patterns", "patterns"),
        ("acme-review", "plugins/p/skills/review"),
        ("review", "plugins/p/skills/review"),
    ] {
        kit.select(json!({"include": [written]}));
        let run = kit.sandbox.skills(["sync"]).exits(2);
        let what = format!("`include` names `{written}`, but no skill is in a directory of that");
        let run = run.says([what]);
        assert_eq!(kit.sandbox.files("project"), ["helix.skills.json"]);
        assert_eq!(keys_to_include(&run), [key], "{run}");
        kit.select(json!({ "include": keys_to_include(&run) }));
        kit.sandbox.skills(["sync"]).succeeds();
        assert_eq!(kit.paths().len(), 1);
        kit.is_consistent();
        kit.sandbox.forget();
    }
}

#[test]
fn skill_newer_than_the_release_is_taken_from_the_branch() {
    for name in ["late", "acme-late"] {
        let kit = Kit::layouts();
        kit.upstream.commit(Change::new().skill_at("plugins/p/late", "acme-late"));
        let run = kit.add(&["--include", name]).succeeds();
        run.says([format!("version 1.0.0 does not have `{name}`; the branch `main` is used\n")]);
        assert_eq!(kit.entry(), json!({"ref": "main", "include": ["plugins/p/late"]}));
        kit.is_consistent();
    }
    // A release may have no skill at all.
    let kit = Kit::new(Change::new().text("README.md", "soon\n"));
    kit.upstream.commit(Change::new().skill("late"));
    let run = kit.add(&[]).succeeds();
    run.says(["version 1.0.0 does not have `SKILL.md`; the branch `main` is used\n"]);
    assert_eq!(kit.entry(), json!({"ref": "main"}));
    // Not if neither has it, or the release was typed.
    let kit = Kit::layouts();
    kit.upstream.commit(Change::new().skill("late"));
    for arguments in [&["--include", "none"][..], &["--include", "late", "--version", "1.0.0"]] {
        kit.add(arguments).exits(2).says(["the source `kit` has no skill `"]);
        assert_eq!(manifest(&kit.sandbox)["skills"], json!({}));
    }
}

#[test]
fn pin_of_an_entry_is_changed_only_by_a_command() {
    for (at, is_released, place) in [
        (0, false, "the branch `main`"),
        (1, false, "the branch `main`"),
        (0, true, "version 1.1.0"),
    ] {
        let kit = Kit::layouts();
        kit.add(&["--include", "a"]).succeeds();
        kit.upstream.commit(Change::new().skill("late"));
        if is_released {
            kit.upstream.tag("v1.1.0");
        }
        let before = kit.sandbox.snapshot("project");
        let run = kit.add(&["--include", "late"]).exits(2);
        let what = "the source `kit`: version 1.0.0 does not have `late`";
        let run = run.says([what, &format!("{place} has it: run `skills add ")]);
        assert_eq!(kit.sandbox.snapshot("project").changes_since(&before), Vec::<String>::new());
        let commands = run.offered();
        assert_eq!(commands.len(), 2, "{run}");
        kit.paste(&commands[at]).succeeds();
        assert_eq!(kit.sandbox.locked_skills(), ["a", "late"]);
        let skills = manifest(&kit.sandbox)["skills"].clone();
        let pins: Vec<_> = skills.as_object().unwrap().values().map(|it| &it["ref"]).collect();
        match at {
            _ if is_released => assert_eq!(skills["kit"]["version"], "1.1.0"),
            0 => assert_eq!(pins, [&json!("main")], "{skills}"),
            _ => assert_eq!(pins, [&Value::Null, &json!("main")], "{skills}"),
        }
        kit.is_consistent();
    }
}

#[test]
fn several_skills_of_a_name_are_an_error_with_commands() {
    let change = || {
        let change = Change::new().skill_at("skills/x/a", "a").skill_at("skills/y/a", "a");
        change.text("skills/y/a/notes.md", "x\n").skill("b")
    };
    for at in 0..2 {
        let kit = Kit::new(change());
        let run = kit.add(&["--include", "a,b"]).exits(2);
        let run = run.says(["`a` is in 2 directories: `skills/x/a`, `skills/y/a`"]);
        assert_eq!(run.offered().len(), 2, "{run}");
        kit.paste(&run.offered()[at]).succeeds();
        let path = ["skills/x/a", "skills/y/a"][at];
        assert_eq!(kit.entry(), json!({"version": "1.0.0", "include": ["b", path]}));
        assert_eq!(kit.paths(), ["skills/b", path]);
        kit.is_consistent();
    }
    let kit = Kit::new(change());
    kit.select(json!({"include": ["a"]}));
    let run = kit.sandbox.skills(["sync"]).exits(2);
    let keys: Vec<_> = run.stderr.split('`').filter(|key| key.starts_with("skills/")).collect();
    assert!(keys.ends_with(&["skills/x/a", "skills/y/a"]), "{run}");
    for key in &keys[keys.len() - 2..] {
        kit.select(json!({ "include": [key] }));
        kit.sandbox.skills(["sync"]).succeeds();
        assert_eq!(kit.paths(), [*key]);
    }
}

#[test]
fn copies_are_one_skill_and_the_locked_one_stays() {
    let kit = Kit::locked(
        Change::new().skill_at("plugins/p/skills/a", "a").skill_at("b", "b"),
        json!({}),
    );
    assert_eq!(kit.paths(), ["b", "plugins/p/skills/a"]);
    // A copy nearer to the root.
    let same = kit.upstream.id("main:plugins/p/skills/a");
    kit.upstream.commit(Change::new().tree("lib/a", &same).tree("x/y/a", &same));
    kit.sandbox.skills(["update"]).succeeds();
    assert_eq!(kit.paths(), ["b", "plugins/p/skills/a"]);
    kit.is_consistent();
    kit.sandbox.forget();
    kit.sandbox.skills(["sync"]).succeeds();
    assert_eq!(kit.paths(), ["b", "lib/a"]);
    kit.sandbox.sources(&json!({}));
    kit.sandbox.forget();
    kit.add(&["--include", "a", "--ref", "main"]).succeeds().says(["note: a is in lib/a\n"]);
    assert_eq!(kit.entry(), json!({"ref": "main", "include": ["lib/a"]}));
}

/// Another skill of the name of a locked one is reported, not taken.
#[test]
fn second_skill_of_a_locked_name_is_a_note() {
    for keys in [json!({"include": ["a"]}), json!({})] {
        let kit = Kit::locked(Change::new().skill_at("plugins/p/skills/a", "a"), keys);
        kit.upstream.commit(Change::new().skill("a").text("skills/a/other.md", "x\n"));
        let run = kit.sandbox.skills(["update"]).succeeds();
        run.says(["`a` stays in `plugins/p/skills/a`, and is also in `skills/a`"]);
        assert_eq!(kit.paths(), ["plugins/p/skills/a"]);
        kit.is_consistent();
        let note = "to keep them, include `plugins/p/skills/a`, then run `skills update kit`\n";
        kit.is_proved_as_the_note_says(note, json!(["plugins/p/skills/a"]));
    }
    // Upstream begins a directory `skills`, and a new project would get only the skills in it.
    let kit = Kit::locked(Change::new().skill_at("a", "a").skill_at("x/b", "b"), json!({}));
    kit.upstream.commit(Change::new().skill("c"));
    kit.sandbox.skills(["update"]).succeeds();
    assert_eq!(kit.paths(), ["a", "skills/c", "x/b"]);
    let note = "include `./a`, `x/b`, `skills/c`, then run `skills update kit`\n";
    kit.is_proved_as_the_note_says(note, json!(["./a", "x/b", "skills/c"]));
    assert_eq!(kit.paths(), ["a", "skills/c", "x/b"]);
}

#[test]
fn moved_directory_is_an_error_with_the_command_to_paste() {
    let path = "plugins/p/skills/c";
    let kit = Kit::locked(Change::new().skill("a").skill_at(path, "c"), json!({"include": [path]}));
    let same = kit.upstream.id("main:plugins/p/skills/c");
    kit.upstream.commit(Change::new().remove("plugins").tree("lib/c", &same));
    let before = kit.sandbox.snapshot("project");
    let run = kit.sandbox.skills(["update"]).exits(2);
    let run =
        run.says(["`include` names `plugins/p/skills/c`", "help: upstream moved it; run `skills "]);
    assert_eq!(kit.sandbox.snapshot("project").changes_since(&before), Vec::<String>::new());
    kit.sandbox.skills(run.offered()[0].split(' ').skip(1)).succeeds();
    assert_eq!(kit.paths(), ["lib/c"]);
    kit.is_consistent();
}

#[test]
fn excluded_or_renamed_skill_that_moved_is_an_error() {
    for (keys, field, fixed) in [
        (json!({"exclude": ["b"]}), "exclude", json!({"exclude": ["b2"]})),
        (json!({"exclude": ["skills/b"]}), "exclude", json!({"exclude": ["skills/b2"]})),
        (json!({"rename": {"b": "x"}}), "rename", json!({"rename": {"b2": "x"}})),
    ] {
        let kit = Kit::locked(Change::new().skill("a").skill("b"), keys);
        let same = kit.upstream.id("main:skills/b");
        kit.upstream.commit(Change::new().remove("skills/b").tree("skills/b2", &same));
        let before = kit.sandbox.snapshot("project");
        let run = kit.sandbox.skills(["update"]).exits(2);
        let run = run.says([&*format!("`{field}` names `"), "b`, which upstream moved or removed"]);
        let help = format!("help: upstream moved it to `skills/b2`: use `b2` in `{field}` instead");
        run.says([format!("{help}, then run `skills update ")]);
        assert_eq!(kit.sandbox.snapshot("project").changes_since(&before), Vec::<String>::new());
        kit.select(fixed);
        kit.sandbox.skills(["update"]).succeeds();
        assert!(kit.sandbox.locked_skills().starts_with(&["a".to_owned()]));
        assert_eq!(kit.sandbox.locked_skills().contains(&"x".to_owned()), field == "rename");
    }
    // With other files, it is the only one of its name.
    let kit = Kit::locked(Change::new().skill("a").skill("b"), json!({"exclude": ["skills/b"]}));
    let moved = Change::new()
        .remove("skills/b")
        .text("skills/x/b/SKILL.md", &format!("{}More.\n", skill_md("b")));
    kit.upstream.commit(moved);
    let help = "help: upstream moved it to `skills/x/b`: use `b` in `exclude` instead";
    kit.sandbox.skills(["update"]).exits(2).says([help]);
    kit.upstream.commit(Change::new().skill_at("skills/y/b", "b").text("skills/y/b/x.md", "x\n"));
    let help = "help: remove it from `exclude`, or name the directory that the skill is in now";
    kit.sandbox.skills(["update"]).exits(2).says([help]);
    // A key that never named a skill stays a warning.
    let kit = Kit::locked(Change::new().skill("a"), json!({"exclude": ["none"]}));
    kit.upstream.commit(Change::new().skill("b"));
    let run = kit.sandbox.skills(["update"]).succeeds();
    run.says(["`exclude` names `none`, which is not a skill of the source"]);
}

/// A lockfile of a version that searched only the first level.
fn older_lockfile() -> Kit {
    let change = Change::new().skill("a").skill_at("skills/group/b", "b");
    let kit = Kit::locked(change, json!({"include": ["a"]}));
    let mut lock = kit.sandbox.lock_json();
    let source = lock["sources"]["kit"].as_object_mut().unwrap();
    source.remove("directories");
    source["request"].as_object_mut().unwrap().remove("include");
    kit.sandbox.write("project/helix.skills.lock", format!("{lock:#}\n"));
    kit.select(json!({}));
    kit
}

#[test]
fn older_lockfile_is_kept_until_an_update() {
    let note = "the source `kit`: now also found: 1 skill; \
                `skills update kit` takes them";
    let kit = older_lockfile();
    kit.is_consistent();
    let lock = kit.sandbox.lock();
    kit.sandbox.skills(["sync"]).succeeds().never_prints("now also found");
    assert_eq!(kit.sandbox.lock(), lock);
    kit.select(json!({"prefix": "x-"}));
    kit.sandbox.skills(["sync"]).succeeds().says([note]);
    assert_eq!(kit.paths(), ["skills/a"]);
    kit.is_consistent();
    kit.sandbox.skills(["update"]).succeeds();
    assert_eq!(kit.paths(), ["skills/a", "skills/group/b"]);
    kit.is_consistent();
    // Without a changed entry, and with a newer commit, too.
    let kit = older_lockfile();
    kit.sandbox.skills(["update"]).succeeds();
    assert_eq!(kit.paths(), ["skills/a", "skills/group/b"]);
    let kit = older_lockfile();
    kit.upstream.commit(Change::new().text("README.md", "x\n"));
    kit.sandbox.skills(["update"]).succeeds();
    assert_eq!(kit.paths(), ["skills/a", "skills/group/b"]);
    // What the manifest names is taken.
    let kit = older_lockfile();
    kit.add(&["--include", "b"]).succeeds();
    assert_eq!(kit.entry(), json!({"ref": "main", "include": ["a", "b"]}));
    assert_eq!(kit.paths(), ["skills/a", "skills/group/b"]);
}

#[test]
fn submodule_is_named_with_the_command_that_adds_it() {
    let commit = "1616a4ab2e7d28c39ce64cc6a6722908550d6c63";
    let url = "https://example.com/vendor.git";
    let modules = |path: &str| {
        let text = format!("[submodule \"{path}\"]\n\tpath = {path}\n\turl = {url}\n");
        Change::new().text(".gitmodules", &text).submodule(path, commit)
    };
    let help = |path: &str| format!("`{path}` is a submodule: run `skills add {url}`");
    // A skill, typed and in a manifest.
    let kit = Kit::new(modules("skills/vendor").skill("own"));
    for name in ["vendor", "skills/vendor"] {
        kit.add(&["--include", name]).exits(2).says([help("skills/vendor")]);
        kit.select(json!({ "include": [name] }));
        kit.sandbox.skills(["sync"]).exits(2).says([help("skills/vendor")]);
        kit.sandbox.sources(&json!({}));
    }
    // The scope, named and by default.
    kit.select(json!({"skillsDir": "skills/vendor"}));
    kit.sandbox.skills(["sync"]).exits(2).says([help("skills/vendor")]);
    for path in ["skills", "vendor/skills"] {
        let kit = Kit::new(modules(path));
        kit.add(&[]).exits(2).says([help(path)]);
    }
    // A directory of a submodule is in it.
    let run = kit.add(&["--include", "skills/vendor/pdf"]).exits(2);
    run.says([format!("is a submodule: run `skills add {url}`")]);
    // So is one out of the scope.
    let kit = Kit::new(modules("external/vendor").skill("own"));
    kit.add(&["--include", "vendor"]).exits(2).says([help("external/vendor")]);
}

/// Without an entry, a typed directory is searched.
#[test]
fn directory_of_skills_is_a_scope() {
    let kit = Kit::layouts();
    kit.add(&["--include", "plugins/p"]).succeeds();
    assert_eq!(kit.entry(), json!({"version": "1.0.0", "skillsDir": "plugins/p"}));
    assert_eq!(kit.paths(), ["plugins/p/skills/c"]);
    kit.add(&["--skills-dir", "skills/group"]).succeeds();
    let directories = json!(["plugins/p", "skills/group"]);
    assert_eq!(kit.entry(), json!({"version": "1.0.0", "skillsDir": directories}));
    assert_eq!(kit.paths(), ["plugins/p/skills/c", "skills/group/b"]);
    kit.is_consistent();
    // Next to a skill that is not in it, its skills are named.
    let include = json!(["a", "plugins/p/skills/c"]);
    for names in ["a,plugins/p", "plugins/p,a", "plugins/p,skills/a,plugins/p/skills/c"] {
        let kit = Kit::layouts();
        kit.add(&["--include", names]).succeeds();
        assert_eq!(kit.entry(), json!({"version": "1.0.0", "include": include}));
        assert_eq!(kit.paths(), ["plugins/p/skills/c", "skills/a"]);
        kit.is_consistent();
    }
    let kit = Kit::new(Change::new().skill("a").skill_at("x/b", "b").skill_at("y/c", "c"));
    kit.add(&[]).succeeds();
    kit.add(&["--include", "./y,x/b"]).succeeds();
    assert_eq!(kit.entry(), json!({"version": "1.0.0", "include": ["a", "x/b", "y/c"]}));
    assert_eq!(kit.paths(), ["skills/a", "x/b", "y/c"]);
}

/// Texts of skills that are not selected are not fetched.
#[test]
fn skill_out_of_the_scope_takes_no_more_requests() {
    let kit = Kit::layouts();
    kit.select(json!({"include": ["plugins/p/skills/c"]}));
    kit.server.take_traffic();
    kit.sandbox.skills(["sync"]).succeeds();
    let exchanges = kit.server.exchanges();
    assert_eq!(crate::requests::commands(&exchanges), ["ls-refs", "fetch", "fetch"]);
    assert_eq!(exchanges[2].wants(), [kit.upstream.id("main:plugins/p/skills/c/SKILL.md")]);
    assert_eq!(kit.sandbox.read("project/helix.skills/c/SKILL.md"), skill_md("c"), "byte for byte");
}
