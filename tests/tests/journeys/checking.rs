//! `sync --check` verifies offline that manifest, lockfile and store agree, and writes nothing.

use crate::{
    market::{Market, plugin_json},
    project::{Project, project},
};
use helix_skills_tests::{Change, Run, Sandbox, skill_md};
use serde_json::json;

fn synced() -> Project {
    let project = project(Change::new().skill("a").text("skills/a/docs/x.md", "x\n").skill("b"));
    project.upstream.tag("v1.0.0");
    project.select(json!({"version": "1.0.0"}));
    project.sandbox.skills(["sync"]).succeeds();
    project.server.take_traffic();
    project
}

/// Runs the check without cache and server, and checks that it wrote nothing.
fn check(sandbox: &Sandbox, more: &[&str]) -> Run {
    sandbox.remove_cache();
    let before = sandbox.snapshot("");
    let arguments: Vec<_> = ["sync", "--check"].iter().chain(more).collect();
    let run = sandbox.skills(arguments);
    assert_eq!(sandbox.snapshot("").changes_since(&before), Vec::<String>::new(), "{run}");
    run
}

#[test]
fn check_needs_no_network_git_or_token() {
    let Project { sandbox, server, .. } = synced();
    check(&sandbox, &[]).succeeds();
    check(&sandbox, &["--store"]).succeeds();
    assert_eq!(server.traffic().requests, 0);
    drop(server);
    check(&sandbox, &[]).succeeds();
    let nothing = sandbox.path("outside");
    sandbox.command(["sync", "--check"]).env("PATH", &nothing).run().succeeds();
    sandbox.command(["sync", "--check"]).without_env("PATH").without_env("HOME").run().succeeds();
}

#[test]
fn missing_lockfile_exits_1_and_names_the_command() {
    let Project { sandbox, .. } = synced();
    sandbox.remove("project/helix.skills.lock");
    check(&sandbox, &[]).exits(1).says(["helix.skills.lock", "skills sync"]);
}

#[test]
fn skill_missing_from_the_store_is_a_note_by_default() {
    let Project { sandbox, .. } = synced();
    sandbox.remove("project/helix.skills/a");
    sandbox.remove("project/helix.skills/a.sha256");
    let run = check(&sandbox, &[]).succeeds();
    run.says(["manifest and lockfile agree; the skill `a` is not in the store; run `skills sync`"]);
    check(&sandbox, &["--store"]).exits(1).says(["`a`", "skills sync"]);
    sandbox.remove_store();
    check(&sandbox, &[]).succeeds().says(["`a`", "`b`"]);
    check(&sandbox, &["--store"]).exits(1).says(["`a`", "`b`"]);
}

#[test]
fn missing_store_is_one_line() {
    let Project { sandbox, .. } = synced();
    let lines = |run: &Run| run.stderr.lines().map(str::to_owned).collect::<Vec<_>>();
    sandbox.remove_store();
    let run = check(&sandbox, &[]).succeeds();
    let summary = "ok manifest and lockfile agree; \
                   the skills `a`, `b` are not in the store; run `skills sync`";
    assert_eq!(lines(&run), [summary]);
    let document = check(&sandbox, &["--json"]).succeeds().json();
    assert_eq!((&document["absent"], &document["notes"]), (&json!(["a", "b"]), &json!([])));
    let run = check(&sandbox, &["--store"]).exits(1);
    let error = "error: the skills `a`, `b` are not in the store";
    assert_eq!(lines(&run), [error, "help: run `skills sync`"]);
    for command in [&["catalog"][..], &["search", "a"]] {
        let run = sandbox.skills(command).exits(1);
        assert_eq!(lines(&run), [error, "help: run `skills sync`"]);
    }
    let run = sandbox.skills(["diff"]).succeeds();
    let warning = "warning: the skills `a`, `b` are not in the store; run `skills sync`";
    assert_eq!(lines(&run), [warning, "ok 0 skills: as locked"]);

    let names = ["a", "b", "c", "d", "e", "f", "g"];
    let many = project(names.iter().fold(Change::new(), |change, name| change.skill(name)));
    many.sandbox.skills(["sync"]).succeeds();
    many.sandbox.remove_store();
    let run = check(&many.sandbox, &[]).succeeds();
    run.says(["the skills `a`, `b`, `c`, `d`, `e` and 2 more are not in the store"]);
}

#[test]
fn manifest_changes_are_drift() {
    let Project { sandbox, server, .. } = synced();
    let url = server.url("repo");
    sandbox.write("project/own/c/SKILL.md", skill_md("c"));
    for source in [
        json!({"type": "git", "url": url, "version": "1.0.1"}),
        json!({"type": "git", "url": url, "ref": "main"}),
        json!({"type": "git", "url": url}),
        json!({"type": "git", "url": format!("{url}/"), "version": "1.0.0"}),
        json!({"type": "git", "url": url, "version": "1.0.0", "include": ["a"]}),
        json!({"type": "git", "url": url, "version": "1.0.0", "skillsDir": "other"}),
        json!({"type": "git", "url": url, "version": "1.0.0", "prefix": "x-"}),
        json!({"type": "git", "url": url, "version": "1.0.0", "files": {"exclude": ["docs/**"]}}),
        json!({"type": "path", "path": "own"}),
    ] {
        sandbox.sources(&json!({ "repo": source }));
        let run = check(&sandbox, &[]).exits(1).says(["repo", "skills sync"]);
        assert!(!run.stderr.contains("panicked"), "{run}");
    }
    sandbox.sources(&json!({"renamed": {"type": "git", "url": url, "version": "1.0.0"}}));
    check(&sandbox, &[]).exits(1).says(["renamed"]);
    sandbox.sources(&json!({}));
    check(&sandbox, &[]).exits(1).says(["repo"]);
}

/// `request` is compared as data.
#[test]
fn equivalent_manifest_is_not_drift() {
    let Project { sandbox, server, .. } = synced();
    sandbox.manifest(&format!(
        "// ours\n{{\"skills\":{{\"repo\":{{\"version\":\"1.0.0\",\"skillsDir\":\"skills\",\n\t\"url\":\"{}\",\"type\":\"git\",}},}},\"limits\":{{}}}}",
        server.url("repo")
    ));
    check(&sandbox, &[]).succeeds();
    let lock: serde_json::Value = sandbox.lock_json();
    sandbox.write("project/helix.skills.lock", lock.to_string());
    check(&sandbox, &[]).succeeds();
}

#[test]
fn t18_changed_missing_or_unlisted_file_exits_5() {
    let Project { sandbox, .. } = synced();
    let store = "project/helix.skills";
    let original = sandbox.read(format!("{store}/a/docs/x.md"));
    sandbox.write(format!("{store}/a/docs/x.md"), "mine\n");
    check(&sandbox, &[]).exits(5).says(["helix.skills/a/docs/x.md"]);

    sandbox.remove(format!("{store}/a/docs/x.md"));
    let missing = check(&sandbox, &[]).fails();
    assert!(missing.stderr.contains("a/docs/x.md"), "{missing}");
    sandbox.write(format!("{store}/a/docs/x.md"), original);

    sandbox.write(format!("{store}/b/extra.md"), "extra\n");
    check(&sandbox, &[]).exits(5).says(["helix.skills/b/extra.md"]);
    sandbox.remove(format!("{store}/b/extra.md"));
    check(&sandbox, &[]).succeeds();
}

#[test]
fn all_differences_are_reported_at_once() {
    let Project { sandbox, .. } = synced();
    sandbox.write("project/helix.skills/a/SKILL.md", "mine\n");
    sandbox.write("project/helix.skills/a/extra.md", "mine\n");
    sandbox.write("project/helix.skills/b/SKILL.md", "mine\n");
    check(&sandbox, &[]).exits(5).says(["a/SKILL.md", "a/extra.md", "b/SKILL.md"]);
}

#[test]
fn listing_other_than_the_locked_one_is_an_error() {
    let Project { sandbox, .. } = synced();
    let listing = sandbox.read("project/helix.skills/a.sha256");
    // File and listing changed together: only the lockfile shows it.
    sandbox.write("project/helix.skills/a/docs/x.md", "mine\n");
    let digest = |bytes: &[u8]| {
        use sha2::Digest as _;
        sha2::Sha256::digest(bytes).iter().map(|b| format!("{b:02x}")).collect::<String>()
    };
    let forged = listing.replace(&digest(b"x\n"), &digest(b"mine\n"));
    assert_ne!(forged, listing);
    sandbox.write("project/helix.skills/a.sha256", forged);
    check(&sandbox, &[]).exits(5).says(["helix.skills/a.sha256"]);
    sandbox.write("project/helix.skills/a.sha256", "not a listing\n");
    check(&sandbox, &[]).fails();
}

#[test]
fn link_in_the_store_is_an_error() {
    let Project { sandbox, upstream: _upstream, server: _server } = synced();
    let file = sandbox.project("helix.skills/a/docs/x.md");
    sandbox.write("outside/x.md", "x\n");
    std::fs::remove_file(&file).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(sandbox.path("outside/x.md"), &file).unwrap();
    check(&sandbox, &[]).fails().says(["a/docs/x.md"]);
    sandbox.skills(["sync", "--restore"]).succeeds();
    let listing = sandbox.project("helix.skills/a.sha256");
    std::fs::rename(&listing, sandbox.path("outside/a.sha256")).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(sandbox.path("outside/a.sha256"), &listing).unwrap();
    check(&sandbox, &[]).fails().says(["helix.skills/a.sha256"]);
    sandbox.skills(["sync", "--restore"]).succeeds();
    check(&sandbox, &["--store"]).succeeds();
    assert!(!listing.is_symlink());
}

#[test]
fn check_ignores_moved_upstream_tags() {
    let Project { sandbox, upstream, server: _server } = synced();
    upstream.commit(Change::new().text("skills/a/docs/x.md", "another\n"));
    upstream.tag("v1.0.0");
    check(&sandbox, &[]).succeeds();
}

#[test]
fn file_in_place_of_a_skill_is_reported() {
    let Project { sandbox, server: _server, .. } = synced();
    sandbox.remove("project/helix.skills/a");
    sandbox.write("project/helix.skills/a", "mine\n");
    let says = ["`helix.skills/a` of the skill `a`: is a file, expected a directory\n"];
    check(&sandbox, &[]).exits(5).says(says);
    sandbox.skills(["sync"]).exits(5).says(says);
    sandbox.skills(["sync", "--restore"]).succeeds();
    check(&sandbox, &["--store"]).succeeds();
}

/// One wording for the manifest, the lockfile and the store.
#[test]
fn directories_and_files_of_the_other_type_are_errors() {
    for (name, is_file, code) in
        [("helix.skills.json", true, 2), ("helix.skills.lock", true, 7), ("helix.skills", false, 1)]
    {
        let Project { sandbox, .. } = synced();
        let path = format!("project/{name}");
        sandbox.remove(&path);
        sandbox.write(if is_file { format!("{path}/x") } else { path }, "x");
        let types =
            if is_file { "a directory, expected a file" } else { "a file, expected a directory" };
        let start = format!("error: `{name}` is {types}\nhelp: remove it, ");
        for arguments in [&["sync"][..], &["sync", "--check"], &["sync", "--locked"]] {
            let run = sandbox.skills(arguments).exits(code);
            assert!(run.stderr.starts_with(&start), "{run}");
        }
    }
}

#[test]
fn unreadable_manifest_exits_2_and_lockfile_exits_1() {
    let Project { sandbox, .. } = synced();
    let manifest = sandbox.read("project/helix.skills.json");
    sandbox.manifest("{");
    check(&sandbox, &[]).exits(2).says(["helix.skills.json:"]);
    sandbox.manifest(&manifest);
    sandbox.write("project/helix.skills.lock", "{");
    check(&sandbox, &[]).exits(1).says(["helix.skills.lock:"]);
}

#[test]
fn check_prints_one_json_document() {
    let Project { sandbox, .. } = synced();
    drop(check(&sandbox, &["--json"]).succeeds().json());
    sandbox.write("project/helix.skills/a/SKILL.md", "mine\n");
    let run = check(&sandbox, &["--json"]).exits(5);
    let document = run.json();
    assert!(document.to_string().contains("helix.skills/a/SKILL.md"), "{run}");
    assert_eq!(document["errors"].as_array().map(Vec::len), Some(1), "{run}");
}

#[test]
fn t22_committed_store_survives_line_ending_conversion() {
    let sandbox = Sandbox::new();
    let upstream = sandbox.upstream("repo");
    upstream.commit(
        Change::new()
            .skill("a")
            .text("skills/a/.gitattributes", "*.md text eol=crlf\n")
            .text("skills/a/.gitignore", "*\n")
            .text("skills/a/crlf.md", "one\r\ntwo\r\n")
            .text("skills/a/lf.txt", "one\ntwo\n"),
    );
    let server = sandbox.serve();
    sandbox.sources(&json!({"repo": {"type": "git", "url": server.url("repo")}}));
    sandbox.skills(["sync"]).succeeds();
    let git = |directory: &str, arguments: &[&str]| {
        let mut git = helix_skills_tests::upstream::git_command();
        git.args(["-c", "core.autocrlf=true", "-c", "core.safecrlf=false"]).args(arguments);
        let output = git.current_dir(sandbox.path(directory)).output().unwrap();
        assert!(
            output.status.success(),
            "git {arguments:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
    };
    git("project", &["init", "--quiet", "--template="]);
    git("project", &["add", "--all"]);
    git("project", &["commit", "--quiet", "--message=skills"]);
    git("project", &["clone", "--quiet", ".", "clone"]);
    assert!(
        sandbox.read("project/clone/helix.skills.json").contains("\r\n"),
        "expected the clone to convert line endings"
    );
    sandbox.command(["sync", "--check", "--store"]).current_dir("project/clone").run().succeeds();
    // Manifest and lockfile were converted as well, but are equal as data.
    let before = sandbox.snapshot("project/clone");
    sandbox.command(["sync", "--frozen"]).current_dir("project/clone").run().succeeds();
    assert_eq!(sandbox.snapshot("project/clone").changes_since(&before), Vec::<String>::new());
}

fn git(sandbox: &Sandbox, arguments: &[&str]) -> String {
    let mut git = helix_skills_tests::upstream::git_command();
    let output = git.args(arguments).current_dir(sandbox.path("project")).output().unwrap();
    assert!(output.status.success(), "git {arguments:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// Attributes of the repository would hide all changes of the store, also through a macro.
#[test]
fn t22_attributes_of_the_store_win_over_those_of_the_repository() {
    let Project { sandbox, upstream: _upstream, server: _server } = synced();
    git(&sandbox, &["init", "--quiet", "--template="]);
    let all = "-diff eol=crlf working-tree-encoding=UTF-16 filter=x ident merge=ours text linguist-generated";
    sandbox.write(
        "project/.gitattributes",
        format!("[attr]hidden {all}\n[attr]linguist-vendored {all}\n* hidden\n* {all}\n*.md binary\nhelix.skills/** {all}\n"),
    );
    for file in ["helix.skills/a/SKILL.md", "helix.skills/.gitattributes"] {
        let found = git(&sandbox, &["check-attr", "--all", file]);
        let mut states: Vec<_> = found.lines().filter_map(|line| line.split_once(": ")).collect();
        // The macros themselves do nothing.
        states.retain(|(_, state)| !["hidden: set", "binary: set"].contains(state));
        states.sort_unstable();
        let expected = ["linguist-generated: unset", "linguist-vendored: true", "text: unset"];
        assert_eq!(states, expected.map(|state| (file, state)));
    }
}

/// A clone that an earlier version synced passes its checks, and is updated by the next sync.
#[test]
fn former_store_attributes_are_a_note_until_the_next_sync() {
    let Project { sandbox, upstream: _upstream, server: _server } = synced();
    let path = "project/helix.skills/.gitattributes";
    let ours = sandbox.read(path);
    let former = "* -text linguist-vendored\n";
    sandbox.write(path, former);
    let note = "`helix.skills/.gitattributes`: an earlier version of `skills` wrote it; run `skills sync` to update it";
    for more in [&[][..], &["--store"]] {
        check(&sandbox, more).succeeds().says([note]);
    }
    for option in ["--locked", "--frozen", "--dry-run"] {
        sandbox.skills(["sync", option]).succeeds();
        assert_eq!(sandbox.read(path), former, "{option}");
    }
    let updated =
        "`helix.skills/.gitattributes` was updated: an earlier version of `skills` wrote it";
    sandbox.skills(["sync"]).succeeds().says([updated]).never_prints("nothing to do");
    assert_eq!(sandbox.read(path), ours);
    check(&sandbox, &[]).succeeds().never_prints("helix.skills/.gitattributes");
    sandbox.skills(["sync"]).succeeds().says(["nothing to do"]);
}

#[test]
fn t22_attributes_that_hide_changes_are_noted() {
    let Project { sandbox, upstream: _upstream, server: _server } = synced();
    let what = "attributes of git can hide changes of ";
    let unread = "`.gitattributes` has a NUL, is too large, or is unreadable";
    // Outside of a repository, they do nothing.
    sandbox.write("project/.gitattributes", "* -diff\n");
    check(&sandbox, &[]).succeeds().never_prints(what);
    git(&sandbox, &["init", "--quiet", "--template="]);
    check(&sandbox, &[]).succeeds().says([
        format!("{what}`helix.skills.json`: `-diff`"),
        format!("{what}`helix.skills.lock`: `-diff`"),
    ]);
    for (attributes, noted) in [
        ("helix.skills.* diff=x", Some("`diff=x`")),
        ("/helix.skills.lock binary", Some("`-diff`, `-merge`")),
        ("[attr]x filter=y\nhelix.skills.lock x", Some("`filter=y`")),
        ("*.lock\tworking-tree-encoding=UTF-16", Some("`working-tree-encoding=UTF-16`")),
        ("\"helix.skills.lock\" ident", Some("`ident`")),
        ("*.lock merge=union", Some("`merge=union`")),
        ("[[:lower:]]*.lock linguist-generated", Some("`linguist-generated`")),
        ("*.json linguist-generated=true", Some("`linguist-generated")),
        ("*.lock -diff\0", Some(unread)),
        ("helix.skills/.gitattributes -diff", None),
        ("*.lock -diff\n*.lock !diff", None),
        ("* text=auto eol=lf\n*.lock diff merge -filter -ident linguist-generated=false", None),
        ("*.png binary\nother/** -diff\n# * -diff", None),
    ] {
        sandbox.write("project/.gitattributes", format!("{attributes}\n"));
        let run = check(&sandbox, &[]).succeeds();
        match noted {
            Some(noted) => drop(run.says([what, noted])),
            None => drop(run.never_prints(what)),
        }
    }
    let large = std::fs::File::create(sandbox.path("project/.gitattributes")).unwrap();
    large.set_len((64 << 20) + 1).unwrap();
    check(&sandbox, &[]).succeeds().says([what, unread]);
    sandbox.remove("project/.gitattributes");
    // The clone's own attributes win over the store's.
    sandbox.write("project/.git/info/attributes", "helix.skills/** -diff\n");
    check(&sandbox, &[]).succeeds().says([format!("{what}`helix.skills/.gitattributes`: `-diff`")]);
}

/// `-diff` hides later changes of the store in a review.
#[test]
fn t22_changed_store_attributes_are_drift() {
    let Project { sandbox, upstream: _upstream, server: _server } = synced();
    let path = "project/helix.skills/.gitattributes";
    let ours = sandbox.read(path);
    for text in [
        "*.md -diff linguist-generated\n",
        "",
        &format!("{ours}* -diff\n"),
        &ours.replace('\n', "\r\n"),
    ] {
        sandbox.write(path, text);
        for more in [&[][..], &["--store"]] {
            check(&sandbox, more).exits(1).says([
                "`helix.skills/.gitattributes`: ",
                " changed",
                "skills sync",
            ]);
        }
        sandbox.skills(["sync"]).succeeds().says(["`helix.skills/.gitattributes` was restored"]);
        assert_eq!(sandbox.read(path), ours);
        sandbox.skills(["sync"]).succeeds().never_prints("was restored");
    }
    sandbox.remove(path);
    check(&sandbox, &[])
        .exits(1)
        .says(["`helix.skills/.gitattributes`: the file is missing", "skills sync"]);
    let restored = ["restored: the file is missing"];
    let dry_run = sandbox.skills(["sync", "--dry-run"]).succeeds();
    dry_run.says(restored).never_prints("nothing would change");
    sandbox.skills(["sync", "--locked"]).succeeds().says(restored).never_prints("nothing to do");
    check(&sandbox, &["--store"]).succeeds();
    // Without a store there is nothing to review.
    sandbox.remove_store();
    check(&sandbox, &[]).succeeds();
}

#[test]
fn directory_instead_of_attributes_is_reported() {
    let Project { sandbox, upstream: _upstream, server: _server } = synced();
    sandbox.remove("project/helix.skills/.gitattributes");
    sandbox.write("project/helix.skills/.gitattributes/mine.md", "mine\n");
    check(&sandbox, &[]).exits(1).says(["helix.skills/.gitattributes"]);
    sandbox
        .skills(["sync"])
        .exits(7)
        .says(["helix.skills/.gitattributes`", "move or remove that directory"]);
    assert_eq!(sandbox.read("project/helix.skills/.gitattributes/mine.md"), "mine\n");
}

#[cfg(unix)]
#[test]
fn t22_linked_store_attributes_are_drift() {
    let Project { sandbox, upstream: _upstream, server: _server } = synced();
    sandbox.write("outside/attributes", sandbox.read("project/helix.skills/.gitattributes"));
    sandbox.remove("project/helix.skills/.gitattributes");
    std::os::unix::fs::symlink(
        sandbox.path("outside/attributes"),
        sandbox.project("helix.skills/.gitattributes"),
    )
    .unwrap();
    check(&sandbox, &[]).exits(1).says(["helix.skills/.gitattributes"]);
    let run = sandbox.skills(["sync", "--dry-run", "--json"]).succeeds();
    assert_eq!(
        run.json()["replaced"],
        json!([{"file": "helix.skills/.gitattributes", "code": "not-a-file"}])
    );
    sandbox.skills(["sync"]).succeeds().says(["helix.skills/.gitattributes"]);
    check(&sandbox, &["--store"]).succeeds();
}

#[test]
fn coreutils_can_check_a_skill() {
    let Project { sandbox, .. } = synced();
    let sha256sum = |directory: &str, arguments: &[&str]| {
        let mut command = std::process::Command::new("sha256sum");
        command.args(arguments).current_dir(sandbox.path(directory)).output().expect("coreutils")
    };
    for name in ["a", "b"] {
        let listing = format!("../{name}.sha256");
        let files =
            sha256sum(&format!("project/helix.skills/{name}"), &["--strict", "-c", &listing]);
        assert!(files.status.success(), "{}", String::from_utf8_lossy(&files.stderr));
        let digest = sha256sum("project/helix.skills", &[&format!("{name}.sha256")]);
        let digest = String::from_utf8_lossy(&digest.stdout);
        let digest = format!("sha256:{}", digest.split(' ').next().unwrap());
        assert_eq!(sandbox.lock_json()["skills"][name]["integrity"], digest);
    }
    let listing = sandbox.read("project/helix.skills/a.sha256");
    let paths: Vec<_> = listing.lines().map(|line| &line[66..]).collect();
    assert_eq!(paths, ["SKILL.md", "docs/x.md"]);
    assert_eq!(sandbox.read("project/helix.skills/b/SKILL.md"), skill_md("b"));
}

/// Skills that a merge or an editor removed from the lockfile, or added to it, are found offline; a
/// sync fixes it.
#[test]
fn locked_skills_other_than_included_are_drift() {
    let Project { sandbox, server, .. } = synced();
    sandbox.sources(
        &json!({"repo": {"type": "git", "url": server.url("repo"), "version": "1.0.0", "include": ["a", "b"]}}),
    );
    sandbox.skills(["sync"]).succeeds();
    let lock = sandbox.lock();
    let edit = |change: &dyn Fn(&mut serde_json::Value)| {
        let mut edited: serde_json::Value = serde_json::from_str(&lock).unwrap();
        change(&mut edited);
        sandbox.write("project/helix.skills.lock", format!("{edited:#}\n"));
    };
    edit(&|lock| {
        lock["skills"].as_object_mut().unwrap().remove("a");
        lock["sources"]["repo"].as_object_mut().unwrap().remove("directories");
    });
    check(&sandbox, &[]).exits(1).says(["includes `a`", "`repo`"]);
    edit(&|lock| drop(lock["skills"].as_object_mut().unwrap().remove("a")));
    check(&sandbox, &[]).exits(1).says(["`skills/a`", "`repo`"]).never_prints("includes `a`");
    sandbox.skills(["sync", "--locked"]).exits(1);
    assert!(
        sandbox.exists("project/helix.skills/a/SKILL.md"),
        "expected a failed sync to remove nothing"
    );
    sandbox.skills(["sync"]).succeeds();
    assert_eq!(sandbox.lock(), lock);

    // A name means one directory, except those that `include` has by their paths.
    let other = [json!("a"), json!("b"), json!("x/a")];
    for (include, is_unclear) in [(&other[..2], true), (&other, false)] {
        let source = json!({"repo": {"type": "git", "url": server.url("repo"), "version": "1.0.0", "include": include}});
        sandbox.sources(&source);
        edit(&|lock| {
            lock["sources"]["repo"]["request"]["include"] = json!(include);
            lock["sources"]["repo"]["directories"] = json!(["skills/a", "skills/b", "x/a"]);
        });
        let run = check(&sandbox, &[]).exits(1).says(["the directory `x/a`"]);
        let unclear = "includes `a`, and the lockfile has several directories of that name";
        match is_unclear {
            true => drop(run.says([unclear])),
            false => drop(run.never_prints("includes `")),
        }
    }
    sandbox.sources(
        &json!({"repo": {"type": "git", "url": server.url("repo"), "version": "1.0.0", "include": ["a", "b"]}}),
    );

    edit(&|lock| lock["skills"]["a"]["path"] = json!("elsewhere/a"));
    check(&sandbox, &[]).exits(1).says(["elsewhere/a"]);
    edit(&|lock| lock["skills"]["a"]["files"] = json!(u64::MAX));
    check(&sandbox, &[]).exits(1).says(["`a`"]);
    sandbox.skills(["sync"]).succeeds();
    assert_eq!(sandbox.lock(), lock);
}

#[test]
fn locked_commit_other_than_sha_is_drift() {
    let Project { sandbox, upstream, server } = synced();
    let sha = upstream.id("v1.0.0");
    sandbox
        .sources(&json!({"repo": {"type": "git", "url": server.url("repo"), "version": "1.0.0", "sha": sha.as_str()}}));
    sandbox.skills(["sync"]).succeeds();
    check(&sandbox, &[]).succeeds();
    let other = "0".repeat(40);
    sandbox.write(
        "project/helix.skills.lock",
        sandbox
            .lock()
            .replace(&format!("\"commit\": \"{sha}\""), &format!("\"commit\": \"{other}\"")),
    );
    check(&sandbox, &[]).exits(1).says([other.as_str(), sha.as_str()]);
    sandbox.skills(["sync"]).succeeds();
    assert_eq!(sandbox.locked_commit("repo"), sha);
}

/// Writes the lockfile after replacing a text in it, which fails every check.
fn tamper(sandbox: &Sandbox, (from, to): (&str, &str), says: &[&str]) {
    let lock = sandbox.lock();
    assert!(lock.contains(from), "{lock}");
    sandbox.write("project/helix.skills.lock", lock.replace(from, to));
    check(sandbox, &[]).exits(1).says(says);
    sandbox.skills(["sync", "--locked"]).exits(1).says(says);
}

#[test]
fn locked_ref_outside_the_version_is_drift() {
    let Project { sandbox, upstream, server } = synced();
    upstream.tag("v1.1.0");
    for (version, locked) in [("1.0.0", "v1.0.0"), ("^1", "v1.1.0")] {
        sandbox.sources(
            &json!({"repo": {"type": "git", "url": server.url("repo"), "version": version}}),
        );
        sandbox.skills(["sync"]).succeeds();
        let lock = sandbox.lock();
        let tag = format!("\"ref\": \"refs/tags/{locked}\"");
        for found in ["refs/tags/v2.0.0", "refs/heads/main"] {
            let pinned = format!("pins the version `{version}`, but the lockfile has {found}");
            let to = format!("\"ref\": \"{found}\"");
            tamper(&sandbox, (&tag, &to), &[&pinned, "run `skills sync`"]);
            sandbox.skills(["sync", "--offline"]).exits(3).says(["`repo`"]);
            sandbox.skills(["sync"]).succeeds();
            assert_eq!(sandbox.lock(), lock);
        }
        tamper(&sandbox, (&format!("{tag},"), ""), &["but the lockfile has no tag"]);
        sandbox.write("project/helix.skills.lock", &lock);
    }
    // The manifest was edited as well, to a version that does not exist.
    let edit = |path: &str| {
        let path = format!("project/{path}");
        sandbox.write(&path, sandbox.read(&path).replace("\"^1\"", "\"^2\""));
    };
    ["helix.skills.json", "helix.skills.lock"].into_iter().for_each(edit);
    check(&sandbox, &[]).exits(1).says(["pins the version `^2`", "refs/tags/v1.1.0"]);
    sandbox.skills(["sync"]).fails().says(["`repo`", "^2"]);
}

#[test]
fn locked_plugin_outside_the_version_is_drift() {
    let plugin = json!({"name": "p", "version": "1.2.0"});
    let files =
        plugin_json(Change::new(), "plugins/p/", &plugin).skill_at("plugins/p/skills/a", "a");
    let plugins = json!([{"name": "p", "source": "./plugins/p"}]);
    let market = Market::with(&plugins, files);
    for version in ["1.2.0", "^1"] {
        market.request(json!({"version": version}));
        market.sandbox.skills(["sync"]).succeeds();
        check(&market.sandbox, &["--store"]).succeeds();
        let lock = market.sandbox.lock();
        let pinned = format!(
            "pins the version `{version}`, but the lockfile has refs/heads/main and version 2.2.0 of the plugin"
        );
        tamper(
            &market.sandbox,
            ("\"version\": \"1.2.0\"\n      },", "\"version\": \"2.2.0\"\n      },"),
            &[&pinned],
        );
        market.sandbox.skills(["sync"]).succeeds();
        assert_eq!(market.sandbox.lock(), lock);
    }
}

#[test]
fn locked_id_in_upper_case_is_invalid() {
    let Project { sandbox, .. } = synced();
    let lock = sandbox.lock();
    for field in ["commit", "tree"] {
        let value = match field {
            "commit" => sandbox.lock_json()["sources"]["repo"][field].clone(),
            _ => sandbox.lock_json()["skills"]["a"][field].clone(),
        };
        let id = value.as_str().unwrap();
        let upper = id.to_uppercase();
        let says = [
            format!("`{field}` `{upper}` is refused: its normal form is `{id}`"),
            "delete it and run `skills sync`".to_owned(),
        ];
        tamper(&sandbox, (id, &upper), &says.each_ref().map(String::as_str));
        sandbox.skills(["sync"]).exits(1).says(says);
        sandbox.write("project/helix.skills.lock", &lock);
    }
}

#[test]
fn exchanged_names_are_drift() {
    let Project { sandbox, server, .. } = synced();
    for (more, names) in [
        (json!({}), ["a", "b"]),
        (json!({"prefix": "x-"}), ["x-a", "x-b"]),
        (json!({"rename": {"a": "c"}}), ["b", "c"]),
    ] {
        let mut source = json!({"type": "git", "url": server.url("repo"), "version": "1.0.0"});
        source.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        sandbox.sources(&json!({"repo": source}));
        sandbox.skills(["sync"]).succeeds();
        check(&sandbox, &["--store"]).succeeds();
        let (lock, before) = (sandbox.lock(), sandbox.snapshot("project"));
        let mut edited = sandbox.lock_json();
        let [first, second] = names.map(|name| edited["skills"][name].take());
        (edited["skills"][names[0]], edited["skills"][names[1]]) = (second, first);
        sandbox.write("project/helix.skills.lock", format!("{edited:#}\n"));
        for end in ["", ".sha256"] {
            let [one, two] =
                names.map(|name| sandbox.path(format!("project/helix.skills/{name}{end}")));
            let other = sandbox.path("other");
            for (from, to) in [(&one, &other), (&two, &one), (&other, &two)] {
                std::fs::rename(from, to).unwrap();
            }
        }
        let [one, two] = names;
        let renames = more.get("rename").is_some();
        let says = if renames {
            // `rename` was checked without the store before.
            vec!["does not select the skill `b` in `skills/a`".to_owned()]
        } else {
            vec![
                format!(
                    "the name `{one}` for the skill in `skills/b` of the source `repo`, expected `{two}`"
                ),
                format!(
                    "the name `{two}` for the skill in `skills/a` of the source `repo`, expected `{one}`"
                ),
                "run `skills sync`".to_owned(),
            ]
        };
        check(&sandbox, &[]).exits(1).says(&says);
        sandbox.skills(["sync", "--locked", "--frozen"]).exits(1).says(&says);
        sandbox.skills(["sync", "--offline"]).exits(3).says(["`repo`"]);
        let exchanged = sandbox.lock();
        let run = sandbox.skills(["sync"]).succeeds().never_prints("added");
        drop(run.says(names.map(|name| format!("updated {name} ("))));
        assert_eq!(sandbox.lock(), lock);
        assert_eq!(sandbox.snapshot("project").contents(), before.contents());

        // Without the files, a sync finds it in what it restores.
        sandbox.write("project/helix.skills.lock", exchanged);
        sandbox.remove_store();
        for arguments in [&["sync"][..], &["sync", "--locked"]] {
            if !renames {
                sandbox.skills(arguments).exits(1).says(&says[..2]).says(["skills update repo"]);
                assert!(!sandbox.exists("project/helix.skills"));
            }
        }
        sandbox.skills(["update", "repo"]).succeeds();
        assert_eq!(sandbox.lock(), lock);
    }
}

/// Git converts the originals of a `path` source, which the store's `.gitattributes` does not
/// cover.
#[test]
fn converted_line_endings_differ_from_edits() {
    let sandbox = Sandbox::new();
    sandbox.write("project/own/a/SKILL.md", skill_md("a"));
    sandbox.sources(&json!({"own": {"type": "path", "path": "own"}}));
    sandbox.skills(["sync"]).succeeds();
    sandbox.write("project/own/a/SKILL.md", skill_md("a").replace('\n', "\r\n"));
    check(&sandbox, &[]).exits(5).says(["line endings", "* -text", "own/a/SKILL.md"]);
    sandbox.skills(["sync"]).succeeds().says(["git converted them"]);
}

/// On Unix a backslash is an ordinary character: `docs\x.md` is not the listed `docs/x.md`.
#[cfg(unix)]
#[test]
fn file_with_a_backslash_is_unlisted() {
    let Project { sandbox, upstream: _upstream, server: _server } = synced();
    sandbox.write("project/helix.skills/a/docs\\x.md", "not part of it\n");
    check(&sandbox, &[]).exits(5);
    sandbox.skills(["sync"]).exits(5);
    sandbox.skills(["sync", "--restore"]).succeeds();
    check(&sandbox, &["--store"]).succeeds();
}

#[test]
fn edited_integrity_is_not_restored_by_a_sync() {
    let Project { sandbox, .. } = synced();
    let mut lock = sandbox.lock_json();
    lock["skills"]["a"]["integrity"] = lock["skills"]["b"]["integrity"].clone();
    sandbox.write("project/helix.skills.lock", format!("{lock:#}\n"));
    let run = check(&sandbox, &[])
        .exits(5)
        .says(["helix.skills/a.sha256", "restore both from version control"]);
    run.never_prints("to restore it");
    // If a file is edited as well, the error is that the listing does not match.
    sandbox.write("project/helix.skills/a/docs/x.md", "mine\n");
    check(&sandbox, &[]).exits(5).says(["helix.skills/a.sha256", "to restore it"]);
}
