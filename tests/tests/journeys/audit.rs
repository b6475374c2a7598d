//! T3: invisible text, which a model reads and a person does not see, is refused unless the
//! manifest allows it.

use crate::project::{Project, project};
use helix_skills_tests::{Change, Run, Sandbox, skill_md};
use serde_json::{Value, json};

const HIDDEN: &str = "plain\nhid\u{200b}\u{e0041}den\n";

/// The finding for `docs/a.md` of the skill `alpha`.
const FINDING: &str = "alpha/docs/a.md:2:4: invisible text: `<U+200B><U+E0041>`";

fn hidden(name: &str) -> Change {
    Change::new().skill(name).text(&format!("skills/{name}/docs/a.md"), HIDDEN)
}

/// Writes the manifest of `project` with an `allow` list.
fn allow(project: &Project, select: Value, allow: &Value) {
    let manifest = json!({ "skills": { "repo": project.source(select) }, "allow": allow });
    project.sandbox.manifest(&manifest.to_string());
}

/// Checks that the output has neither control characters nor invisible text.
#[track_caller]
fn is_printable(run: &Run) {
    for text in [&run.stdout, &run.stderr] {
        assert!(!text.chars().any(|c| c.is_control() && c != '\n'), "{run}");
        assert_eq!(*text, helix_skills_format::__internal::escape_invisible(text), "{run}");
    }
}

#[test]
fn t03_invisible_text_fails_a_sync_and_writes_nothing() {
    let project = project(hidden("alpha").skill("beta"));
    let before = project.sandbox.snapshot("project");
    for arguments in [
        &["sync"][..],
        &["sync", "--dry-run"],
        &["sync", "--restore"],
        &["update"],
        &["sync", "-v"],
    ] {
        let run = project.sandbox.skills(arguments).exits(6).says([
            FINDING,
            "exclude the file with `\"files\": {\"exclude\": [\"docs/a.md\"]}`",
            "review `repo: skills/alpha/docs/a.md`, and if it is intended, add `\"allow\": {\"alpha/docs/a.md\": [\"invisible-text\"]}` to the manifest",
        ]);
        assert!(run.stdout.is_empty(), "{run}");
        is_printable(&run);
        assert_eq!(
            project.sandbox.snapshot("project").changes_since(&before),
            Vec::<String>::new()
        );
    }
    assert!(!project.sandbox.exists("cache/skills-v1"), "expected no skills in the cache");

    let run = project.sandbox.skills(["sync", "--json"]).exits(6);
    is_printable(&run);
    let document = run.json();
    assert_eq!((&document["ok"], &document["exitCode"]), (&json!(false), &json!(6)));
    let error = &document["errors"][0];
    assert_eq!(
        [&error["code"], &error["file"], &error["line"], &error["column"], &error["message"]],
        [
            &json!("invisible-text"),
            &json!("alpha/docs/a.md"),
            &json!(2),
            &json!(4),
            &json!(FINDING)
        ]
    );

    // The hint that was printed fixes it.
    project.select(json!({"files": {"exclude": ["docs/a.md"]}}));
    project.sandbox.skills(["sync"]).succeeds();
    assert_eq!(project.sandbox.lock_json()["skills"]["alpha"]["files"], 1);
}

/// Marks of real skills that only change how visible text looks: the error names the skills whose
/// text is hidden, and no other one. The marks are reported once, when the skills are locked.
#[test]
fn t03_harmless_marks_are_warnings_when_locked() {
    let harmless = [
        ("flag", "\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}", "1:2"),
        ("latin", "See \u{200e}https://example.com", "1:5"),
        ("replaced", "## \u{fffd}\u{fe0f} Heading", "1:5"),
        ("hebrew", "שלום\u{200f} (OK)", "1:5"),
        ("khmer", "សួស\u{200b}តី", "1:4"),
        ("letter", "A\u{fe0f} word", "1:2"),
    ];
    let hiding = [
        ("code", "Strip `\u{200b}` from text"),
        ("tags", "hi \u{e0048}\u{e0049}"),
        ("joiner", "a\u{2060}b"),
        ("mark", "text \u{feff} text"),
    ];
    let texts = harmless.iter().map(|(name, text, _)| (*name, *text)).chain(hiding);
    let change = texts.fold(Change::new(), |change, (name, text)| {
        change.skill(name).text(&format!("skills/{name}/a.md"), text)
    });
    let project = project(change);
    let run = project.sandbox.skills(["sync"]).exits(6);
    // The last one has their number.
    assert_eq!(run.stderr.matches("error:").count(), hiding.len() + 1, "{run}");
    for (name, _) in hiding {
        assert!(run.stderr.contains(&format!("{name}/a.md:1:")), "{run}");
    }
    project.select(json!({ "exclude": hiding.map(|(name, _)| name) }));
    let run = project.sandbox.skills(["sync"]).succeeds();
    for (name, _, at) in harmless {
        let line = format!("warning: repo: skills/{name}/a.md:{at}: invisible mark: `<U+");
        assert!(run.stderr.contains(&line), "{line}\n{run}");
    }
    is_printable(&run);
    project.sandbox.skills(["sync"]).succeeds().never_prints("invisible mark");
    project.sandbox.skills(["sync", "--check", "--store"]).succeeds();
    // An exception silences one file.
    project.sandbox.forget();
    let exclude = json!({ "exclude": hiding.map(|(name, _)| name) });
    allow(&project, exclude, &json!({ "flag/a.md": ["invisible-mark"] }));
    let run = project.sandbox.skills(["sync"]).succeeds().never_prints("flag/a.md");
    assert_eq!(run.stderr.matches("invisible mark").count(), harmless.len() - 1, "{run}");
}

#[test]
fn t03_all_findings_are_reported_at_once() {
    let text = format!("{}\u{202e}x\n", skill_md("gamma"));
    let escapes = "---\nname: delta\ndescription: \"Does \\U000E0041 it.\"\n---\nbody\n";
    let change =
        hidden("alpha").skill("beta").text("skills/beta/scripts/run.sh", "#!/bin/sh\n# \u{feff}\n");
    let change =
        change.text("skills/beta/\u{3164}.md", "fine\n").text("skills/gamma/SKILL.md", &text);
    let change = change
        .text("skills/delta/SKILL.md", escapes)
        .bytes("skills/delta/x.bin", b"\xff\xe2\x80\x8b");
    let project = project(change);
    let run = project.sandbox.skills(["sync"]).exits(6).says([
        FINDING,
        "beta/scripts/run.sh:2:3: invisible text: `<U+FEFF>`",
        "beta/\\u{3164}.md: the path contains invisible characters: `<U+3164>.md`",
        "`\"allow\": {\"beta/\\u3164.md\": [\"invisible-text\"]}`",
        "gamma/SKILL.md:9:1: invisible text: `<U+202E>`",
        "exclude the skill with `\"exclude\": [\"gamma\"]`",
        "delta/SKILL.md:3:14: YAML escapes in the value produce invisible text: `<U+E0041>`",
    ]);
    assert_eq!(run.stderr.matches("error:").count(), 5, "{run}");
    is_printable(&run);
    let document = project.sandbox.skills(["sync", "--json"]).exits(6);
    assert_eq!(document.json()["errors"].as_array().map(Vec::len), Some(5));
    is_printable(&document);

    // The printed lines, pasted into the manifest.
    let lines = [
        "alpha/docs/a.md",
        "beta/scripts/run.sh",
        "beta/\u{3164}.md",
        "gamma/SKILL.md",
        "delta/SKILL.md",
    ];
    let lines: Value =
        lines.iter().map(|file| ((*file).to_owned(), json!(["invisible-text"]))).collect();
    allow(&project, json!({}), &lines);
    project.sandbox.skills(["sync"]).succeeds().never_prints("warning");
    assert_eq!(project.sandbox.read("project/helix.skills/alpha/docs/a.md"), HIDDEN);
    is_printable(&project.sandbox.skills(["sync", "--check", "--store"]).succeeds());
}

#[test]
fn t03_removed_exception_fails_every_command() {
    let project = project(hidden("alpha"));
    let exception = json!({ "alpha/docs/a.md": ["invisible-text"] });
    allow(&project, json!({}), &exception);
    project.sandbox.skills(["sync"]).succeeds().never_prints("allow");
    let [stored, cached] = [project.sandbox.snapshot("project"), project.sandbox.snapshot("cache")];
    project.sandbox.skills(["sync", "--frozen"]).succeeds();
    project.sandbox.skills(["catalog"]).succeeds();

    project.select(json!({}));
    let before = project.sandbox.snapshot("project");
    for arguments in [
        &["sync"][..],
        &["sync", "--locked"],
        &["sync", "--frozen"],
        &["sync", "--restore"],
        &["sync", "--dry-run"],
        &["sync", "--check"],
        &["sync", "--check", "--store"],
        &["update"],
        &["update", "repo"],
        &["catalog"],
        &["search", "alpha"],
        &["show", "alpha"],
    ] {
        let run = project.sandbox.skills(arguments).exits(6).says([FINDING]);
        assert!(run.stdout.is_empty(), "{run}");
        is_printable(&run);
    }
    assert_eq!(project.sandbox.snapshot("project").changes_since(&before), Vec::<String>::new());

    // From the cache, and from upstream with a lockfile.
    project.sandbox.remove_store();
    project.sandbox.skills(["sync", "--offline"]).exits(6).says([FINDING]);
    project.sandbox.remove_cache();
    project.sandbox.skills(["sync", "--locked"]).exits(6).says([FINDING]);
    assert!(!project.sandbox.exists("project/helix.skills"));

    allow(&project, json!({}), &exception);
    project.sandbox.skills(["sync", "--locked"]).succeeds();
    assert_eq!(project.sandbox.snapshot("project").contents(), stored.contents());
    assert_eq!(project.sandbox.snapshot("cache").contents().len(), cached.contents().len());
}

#[test]
fn t03_exception_applies_to_one_file_of_one_skill() {
    let change = hidden("alpha")
        .skill("beta")
        .text("skills/beta/docs/a.md", HIDDEN)
        .text("skills/alpha/docs/b.md", HIDDEN);
    let project = project(change);
    allow(&project, json!({}), &json!({ "alpha/docs/a.md": ["invisible-text"] }));
    let run = project
        .sandbox
        .skills(["sync"])
        .exits(6)
        .says(["alpha/docs/b.md:2:4", "beta/docs/a.md:2:4"]);
    assert_eq!(run.stderr.matches("error:").count(), 2, "{run}");

    // The file is named by the skill's name in the lockfile.
    let files = json!({
        "x-alpha/docs/a.md": ["invisible-text"], "x-alpha/docs/b.md": ["invisible-text"],
        "second/docs/a.md": ["invisible-text"],
    });
    allow(&project, json!({"prefix": "x-", "rename": {"beta": "second"}}), &files);
    project.sandbox.skills(["sync"]).succeeds().never_prints("warning");
}

#[test]
fn t17_unused_exceptions_are_counted_after_50() {
    let project = project(Change::new().skill("alpha"));
    let exceptions: serde_json::Map<_, _> =
        (0..2_000).map(|at| (format!("omega/{at}.md"), json!(["invisible-text"]))).collect();
    allow(&project, json!({}), &exceptions.into());
    for arguments in [&["sync"][..], &["sync", "--check"]] {
        let run = project.sandbox.skills(arguments).succeeds();
        assert_eq!(run.stderr.matches("warning:").count(), 51, "{run}");
        run.says(["`allow` in the manifest has 1950 more entries without effect"]);
    }
}

#[test]
fn t03_unused_exception_is_a_warning() {
    let project = project(Change::new().skill("alpha").text("skills/alpha/docs/a.md", "plain\n"));
    let exceptions = json!({
        "alpha/docs/a.md": ["invisible-text"], "alpha/docs/gone.md": ["invisible-text"],
        "omega/SKILL.md": ["invisible-text"], "alpha/SKILL.md": [],
    });
    allow(&project, json!({}), &exceptions);
    for arguments in [&["sync"][..], &["sync"], &["sync", "--check"], &["update"]] {
        let run = project.sandbox.skills(arguments).succeeds().says([
            "warning: `allow` in the manifest has `invisible-text` for `alpha/docs/a.md`, which has no such finding",
            "warning: `allow` in the manifest has `invisible-text` for `alpha/docs/gone.md`, which has no such finding",
            "warning: `allow` in the manifest names `omega/SKILL.md`, but the project has no skill `omega`",
        ]);
        assert_eq!(run.stderr.matches("warning:").count(), 3, "{run}");
    }
    // Missing skills are not checked.
    project.sandbox.remove_store();
    project.sandbox.skills(["sync", "--check"]).succeeds().never_prints("has no such finding");
}

#[test]
fn t03_invalid_exceptions_get_suggestions() {
    let project = project(Change::new().skill("alpha"));
    for (exceptions, expected) in [
        (json!({"alpha/SKILL.md": ["invisble-text"]}), "unknown finding `invisble-text`"),
        (json!({"alpha/SKILL.md": ["invisble-text"]}), "did you mean `invisible-text`?"),
        (json!({"alpha/SKILL.md": ["bad-name"]}), "the finding `bad-name` cannot be allowed"),
        (json!({"SKILL.md": ["invisible-text"]}), "expected `SKILL/PATH`"),
        (json!({"alpha/../x": ["invisible-text"]}), "the file `alpha/../x` is refused"),
    ] {
        allow(&project, json!({}), &exceptions);
        project.sandbox.skills(["sync"]).exits(2).says(["helix.skills.json:1:", expected]);
    }
}

#[test]
fn t03_long_files_are_read_completely() {
    let project = project(
        Change::new()
            .skill("alpha")
            .text("skills/alpha/docs/long.md", &format!("{}\u{2060}", "\n".repeat(200_000))),
    );
    project
        .sandbox
        .skills(["sync"])
        .exits(6)
        .says(["alpha/docs/long.md:200001:1: invisible text: `<U+2060>`"]);
}

#[test]
fn t03_path_sources_are_audited_in_place() {
    let sandbox = Sandbox::new();
    sandbox.write("project/own/alpha/SKILL.md", skill_md("alpha"));
    sandbox.write("project/own/alpha/docs/a.md", HIDDEN);
    sandbox.sources(&json!({"house": {"type": "path", "path": "own"}}));
    let before = sandbox.snapshot("project");
    let expected = "help: models read it, but reviewers do not see it: remove it, in `house: alpha/docs/a.md`; if it is intended, add `\"allow\": ";
    sandbox.skills(["sync"]).exits(6).says([FINDING, expected]);
    sandbox.manifest("{\"skills\": {}}");
    sandbox.skills(["add", "./own"]).exits(6).says([FINDING]);
    assert_eq!(sandbox.read("project/helix.skills.json"), "{\"skills\": {}}");
    sandbox.sources(&json!({"house": {"type": "path", "path": "own"}}));
    assert_eq!(sandbox.snapshot("project").contents(), before.contents());

    // Introduced later, it is reported as drift and as a finding.
    sandbox.write("project/own/alpha/docs/a.md", "plain\n");
    sandbox.skills(["sync"]).succeeds();
    sandbox.write("project/own/alpha/docs/a.md", HIDDEN);
    sandbox.skills(["sync", "--check"]).exits(6).says([FINDING, "was changed since it was locked"]);
    let files = json!({ "alpha/docs/a.md": ["invisible-text"] });
    let source = json!({"house": {"type": "path", "path": "own"}});
    sandbox.manifest(&json!({ "skills": source, "allow": files }).to_string());
    sandbox.skills(["sync"]).succeeds();
    sandbox.skills(["sync", "--check"]).succeeds();
    for arguments in [&["catalog"][..], &["show", "alpha"]] {
        sandbox.skills(arguments).succeeds();
    }
    sandbox.sources(&source);
    for arguments in [&["sync", "--check"][..], &["sync"], &["catalog"], &["show", "alpha"]] {
        sandbox.skills(arguments).exits(6).says([FINDING]);
    }
}

#[test]
fn t03_failed_add_and_update_change_nothing() {
    let project = project(Change::new().skill("alpha"));
    project.sandbox.skills(["sync"]).succeeds();
    let before = project.sandbox.snapshot("project");
    let other = project.sandbox.upstream("other");
    other.commit(Change::new().skill("beta").text("skills/beta/x.md", "a\u{200b}"));
    project
        .sandbox
        .skills(["add", &project.server.url("other")])
        .exits(6)
        .says(["beta/x.md:1:2: invisible text"]);
    project.upstream.commit(hidden("alpha"));
    project.sandbox.skills(["update"]).exits(6).says([FINDING]);
    assert_eq!(project.sandbox.snapshot("project").changes_since(&before), Vec::<String>::new());
}

/// Git shows no difference of a file with a NUL, and a terminal obeys escapes.
#[test]
fn t03_characters_that_hide_other_text_are_refused() {
    for (code, c) in [("0000", '\0'), ("001B", '\u{1b}')] {
        let text = format!("{}a{c}[8mb\n", skill_md("alpha"));
        let project = project(Change::new().text("skills/alpha/SKILL.md", &text));
        let what = format!("invisible text: `<U+{code}>`");
        project.sandbox.skills(["sync"]).exits(6).says([what]);
    }
    let project = project(Change::new().skill("alpha").text("skills/alpha/a.bin", "binary\0"));
    project.sandbox.skills(["sync"]).succeeds();
}

#[test]
fn t03_visible_text_is_not_reported() {
    let text = "\u{feff}👩🏽\u{200d}🚀 ❤\u{fe0f} 1\u{fe0f}\u{20e3} می\u{200c}خواهم क\u{94d}\u{200d}ष ✔\u{fe0f} ─────\n";
    let project =
        project(Change::new().skill("alpha").text("skills/alpha/docs/emoji-☺\u{fe0f}.md", text));
    project.sandbox.skills(["sync"]).succeeds();
    project.sandbox.skills(["sync", "--check"]).succeeds();
}

#[test]
fn t03_validate_checks_every_file_and_honors_exceptions() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "project/skills/alpha/SKILL.md",
        format!("{}[a](docs/a.md) \u{202e}\n", skill_md("alpha")),
    );
    sandbox.write("project/skills/alpha/docs/a.md", HIDDEN);
    sandbox.manifest("{\"skills\": {}}");
    let text = "`<U+200B><U+E0041>`";
    let run = sandbox.skills(["validate"]).exits(1).prints([
        "skills/alpha/SKILL.md:9:16: error: invisible text: `<U+202E>`",
        &format!("skills/alpha/docs/a.md:2:4: error: invisible text: {text}"),
    ]);
    is_printable(&run);
    let run = sandbox.skills(["validate", "--json"]).exits(1);
    is_printable(&run);
    assert!(run.stdout.contains("\"invisible-text\""), "{run}");
    let allow =
        json!({ "alpha/SKILL.md": ["invisible-text"], "alpha/docs/a.md": ["invisible-text"] });
    sandbox.manifest(&json!({ "skills": {}, "allow": allow }).to_string());
    let run = sandbox.skills(["validate"]).succeeds();
    assert!(!run.stdout.contains("invisible"), "{run}");
}
