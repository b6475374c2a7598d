//! Names that would leave the store, or that some system cannot represent or confuses with others.

use helix_skills_tests::{Change, GitServer, Run, Sandbox, Upstream, skill_md};
use serde_json::json;

struct HostileRepository {
    sandbox: Sandbox,
    upstream: Upstream,
    server: GitServer,
}

fn hostile() -> HostileRepository {
    let sandbox = Sandbox::new();
    let upstream = sandbox.upstream("evil");
    upstream.commit(Change::new().skill("good"));
    let server = sandbox.serve();
    sandbox.sources(&json!({"evil": {"type": "git", "url": server.url("evil"), "ref": "evil"}}));
    HostileRepository { sandbox, upstream, server }
}

impl HostileRepository {
    /// Commits a skill with a SKILL.md and these files to the branch `evil`.
    fn skill_with(&self, names: &[&[u8]]) {
        let md = self.upstream.write_blob(skill_md("a").as_bytes());
        let blob = self.upstream.write_blob(b"hostile\n");
        let mut entries = vec![("100644", b"SKILL.md".as_slice(), md.as_str())];
        entries.extend(names.iter().map(|name| ("100644", *name, blob.as_str())));
        let tree = self.upstream.write_tree(&entries);
        self.skills(&[(b"a", &tree)]);
    }

    fn skills(&self, skills: &[(&[u8], &str)]) {
        let entries: Vec<_> = skills.iter().map(|(name, tree)| ("40000", *name, *tree)).collect();
        let skills = self.upstream.write_tree(&entries);
        let root = self.upstream.write_tree(&[("40000", b"skills", &skills)]);
        self.upstream.commit_tree("evil", &root);
    }

    fn is_refused(&self, what: &str) -> Run {
        self.sandbox.forget();
        let run = self.sandbox.skills(["sync"]).fails();
        assert_eq!(self.sandbox.files("project"), ["helix.skills.json"], "{what}: {run}");
        assert!(
            !run.stderr.chars().any(|c| c.is_control() && c != '\n'),
            "{what}: raw control characters\n{run:?}"
        );
        run
    }
}

#[test]
fn t05_invalid_file_name_fails_and_writes_nothing() {
    let hostile = hostile();
    for name in [
        &b".."[..],
        b".",
        b"",
        b"../escape.md",
        b"sub/inner.md",
        b"/etc/absolute",
        b"back\\slash.md",
        b"..\\up.md",
        b"C:drive.md",
        b"new\nline.md",
        b"bell\x07.md",
        b"escape\x1b[31m.md",
        b"delete\x7f.md",
        b"c1\xc2\x9b31m.md",
        b"not-utf8-\xff.md",
        b"CON",
        b"aux.txt",
        b"com1.tar.gz",
        b"trailing.",
        b"trailing ",
        b"quo\"te.md",
        b"pi|pe.md",
        b"st*r.md",
        b"separator\xe2\x80\xa8.md",
    ] {
        hostile.skill_with(&[name]);
        let run = hostile.is_refused(&String::from_utf8_lossy(name));
        // Git itself never writes some of these names, so that the whole tree is rejected.
        let named =
            name.is_empty() || run.stderr.contains("skills/a") || run.stderr.contains("tree ");
        assert!(named, "{name:?}: {run}");
    }
}

#[test]
fn t05_aliases_of_git_directories_are_never_written() {
    let hostile = hostile();
    for name in [
        &b".git"[..],
        b".GIT",
        b".Git",
        b"git~1",
        b"GIT~1",
        b".g\xe2\x80\x8cit",
        b".git\xe2\x80\x8d",
        b".gitmodules",
        b"GI7EBA~1",
        b"gitatt~1",
        b".gitignore . .",
        b".git::$INDEX_ALLOCATION",
        b".gitattributes:x",
        b".git\\config",
    ] {
        hostile.skill_with(&[name]);
        hostile.sandbox.forget();
        let run = hostile.sandbox.skills(["sync"]);
        // Skipped or rejected, but never on the disk.
        if run.code == Some(0) {
            let stored = hostile.sandbox.files("project/helix.skills");
            assert_eq!(stored, [".gitattributes", "a.sha256", "a/SKILL.md"], "{run}");
        } else {
            run.exits(1);
            assert_eq!(hostile.sandbox.files("project"), ["helix.skills.json"]);
        }
    }
}

#[test]
fn t05_colliding_file_names_are_an_error_with_both() {
    let hostile = hostile();
    for (first, second) in [
        ("README.md", "readme.md"),
        ("caf\u{e9}.md", "cafe\u{301}.md"),
        ("\u{212a}.md", "k.md"),
        ("same.md", "same.md"),
        ("skill.md", "Skill.md"),
    ] {
        hostile.skill_with(&[first.as_bytes(), second.as_bytes()]);
        let run = hostile.is_refused(first);
        assert!(
            run.stderr.contains(first) && run.stderr.contains(second),
            "{first} {second}: {run}"
        );
    }
}

/// These characters alone are allowed in names.
#[test]
fn t05_file_names_that_look_equal_are_refused() {
    let hostile = hostile();
    for c in ['\u{34f}', '\u{ad}', '\u{2062}', '\u{206a}', '\u{fff9}', '\u{1d173}'] {
        let second = format!("a{c}b.md");
        hostile.skill_with(&[b"ab.md", second.as_bytes()]);
        let shown = format!("a{}b.md", c.escape_unicode());
        let run = hostile.is_refused(&shown);
        assert!(
            run.stderr.contains("that of `ab.md`") || run.stderr.contains("`a/ab.md`"),
            "{run}"
        );
    }
}

#[test]
fn t05_file_and_directory_of_one_name_are_refused() {
    let hostile = hostile();
    let blob = hostile.upstream.write_blob(b"x\n");
    let md = hostile.upstream.write_blob(skill_md("a").as_bytes());
    let inner = hostile.upstream.write_tree(&[("100644", b"x.md", &blob)]);
    for name in [&b"docs"[..], b"DOCS"] {
        let tree = hostile.upstream.write_tree(&[
            ("100644", b"SKILL.md", &md),
            ("100644", b"docs", &blob),
            ("40000", name, &inner),
        ]);
        hostile.skills(&[(b"a", &tree)]);
        hostile.is_refused(&String::from_utf8_lossy(name));
    }
}

#[test]
fn t05_hostile_skill_directories_write_nothing_outside() {
    let hostile = hostile();
    let md = hostile.upstream.write_blob(skill_md("a").as_bytes());
    let tree = hostile.upstream.write_tree(&[("100644", b"SKILL.md", &md)]);
    for name in [&b".."[..], b".", b"../up", b"a\nb", b"a\x1b[2Jb", b"back\\slash", b"\xff"] {
        hostile.skills(&[(name, &tree)]);
        hostile.is_refused(&String::from_utf8_lossy(name));
    }
}

#[test]
fn t05_frontmatter_name_is_never_a_path() {
    let hostile = hostile();
    for name in [
        "../../evil",
        "/etc/evil",
        "a/b",
        "a\\\\b",
        "..",
        ".git",
        "con",
        "a.sha256",
        "\"a\\u0001b\"",
        "\"a\\u0007b\"",
    ] {
        let text = format!("---\nname: {name}\ndescription: Evil.\n---\nbody\n");
        hostile
            .upstream
            .commit_to("evil", Change::new().remove_all().text("skills/a/SKILL.md", &text));
        hostile.sandbox.forget();
        let run = hostile.sandbox.skills(["sync"]).succeeds().says(["skills/a/SKILL.md:2:7: "]);
        assert!(!run.stderr.chars().any(|c| c.is_control() && c != '\n'), "{name}: {run:?}");
        assert_eq!(hostile.sandbox.locked_skills(), ["a"], "{name}: {run}");
    }
}

#[test]
fn t09_skill_names_that_differ_in_case_collide() {
    let hostile = hostile();
    for (first, second) in [("pdf", "PDF"), ("caf\u{e9}", "cafe\u{301}"), ("\u{ff50}df", "pdf")] {
        let change =
            Change::new().remove_all().skill_at("skills/one", first).skill_at("skills/two", second);
        hostile.upstream.commit_to("evil", change);
        let run = hostile.is_refused(first);
        assert!(run.stderr.contains("skills/one") && run.stderr.contains("skills/two"), "{run}");
    }
}

/// Upstream text is escaped in every message.
#[test]
fn t03_upstream_text_is_escaped() {
    let hostile = hostile();
    let change = Change::new().remove_all().text(
        "skills/a/SKILL.md",
        "---\nname: a\ndescription: \"red \\u001b[31m and \\u202e bidi\"\n---\nbody \u{1b}[2J\n",
    );
    let change = change.text("skills/a/bidi\u{202e}dm.exe", "x\n");
    hostile.upstream.commit_to("evil", change);
    hostile.sandbox.allow_invisible_text(&["a/SKILL.md", "a/bidi\u{202e}dm.exe"]);
    hostile.sandbox.skills(["sync"]).succeeds();
    for arguments in [
        &["list"][..],
        &["show", "a"],
        &["list", "--json"],
        &["show", "a", "--json"],
        &["sync", "-vv"],
    ] {
        let run = hostile.sandbox.skills(arguments).succeeds();
        let raw = |text: &str| text.chars().any(|c| c == '\u{1b}' || c == '\u{202e}');
        assert!(!raw(&run.stdout) && !raw(&run.stderr), "{run:?}");
    }
    drop(hostile.server);
}
