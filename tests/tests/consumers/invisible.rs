//! T3 in the macro: invisible text is an error at the call, except where the manifest allows it.

use crate::{
    broken::{Broken, skills},
    cargo::{Consumer, facade},
    project::{self, team},
};
use serde_json::json;

const MAIN: &str = "static SKILLS: helix_skills::SkillSet = helix_skills::include_skills!();\n\
                    fn main() { print!(\"{}\", SKILLS.get(\"alpha\").unwrap().description()); }\n";

const HIDDEN: &[u8] = "one\nhid\u{200b}\u{e0041}den\n".as_bytes();

/// Writes lockfile and store with invisible text in a file of `alpha`.
fn hide(at: &Consumer) {
    at.remove("helix.skills/alpha");
    let mut all = skills();
    all[0] = team(
        "alpha",
        &[
            ("references/a.md", HIDDEN),
            ("references/\u{3164}.md", b"fine\n"),
            ("x.bin", b"\xff\xe2\x80\x8b"),
        ],
    );
    project::write(at, "", &all);
}

fn manifest(at: &Consumer, files: &[&str]) {
    let allow: serde_json::Map<_, _> =
        files.iter().map(|file| ((*file).to_owned(), json!(["invisible-text"]))).collect();
    at.write(
        "helix.skills.json",
        json!({ "skills": project::sources(), "allow": allow }).to_string(),
    );
}

#[test]
fn t03_invisible_text_is_a_compile_error_with_location() {
    let broken = Broken::new("invisible-errors", MAIN);
    let fix = |file: &str| {
        format!(
            "help: models read it, but reviewers do not see it: remove it; if it is intended, write `\"allow\": {{\"{file}\": [\"invisible-text\"]}}` into"
        )
    };
    let text = "error: the skill `alpha` is refused: invisible text: `<U+200B><U+E0041>`\n\
                file: DIR/helix.skills/alpha/references/a.md:2:4\n";
    let path = |into: &str| {
        format!(
            "error: the skill `alpha` is refused: the path contains invisible characters: `references/<U+3164>.md`\n\
             file: DIR/helix.skills/alpha/references/\\u{{3164}}.md\n\
             help: rename the file; if it is intended, write `\"allow\": {{\"alpha/references/\\u3164.md\": [\"invisible-text\"]}}` into {into}\n"
        )
    };
    let none = "a new manifest `helix.skills.json`";
    broken
        .change(hide)
        .says(&[&format!("{text}{} {none}\n", fix("alpha/references/a.md")), &path(none)]);
    let file = "`DIR/helix.skills.json`";
    let allowed = |at: &Consumer| {
        hide(at);
        manifest(at, &["alpha/references/b.md", "beta/references/a.md"]);
    };
    broken
        .change(allowed)
        .says(&[&format!("{text}{} {file}\n", fix("alpha/references/a.md")), &path(file)]);
    let half = |at: &Consumer| {
        hide(at);
        manifest(at, &["alpha/references/a.md"]);
    };
    broken.change(half).says(&[&path(file)]);
    let slip = |at: &Consumer| {
        hide(at);
        at.write("helix.skills.json", "{\"skills\": {}, \"alow\": {}}");
    };
    broken.change(slip).says(&[
        "error: cannot read the manifest: unknown key `alow` in the manifest\n\
         file: DIR/helix.skills.json:1:16\n\
         help: did you mean `allow`?\n",
        &format!("{text}{} {file}\n", fix("alpha/references/a.md")),
        &path(file),
    ]);
    // In the text of a skill, directly and as an escape.
    let skill_md = |at: &Consumer| {
        at.remove("helix.skills/alpha").remove("own");
        let mut all = skills();
        all[0].files[0].1.extend("\u{202e}".bytes());
        all[2].files[0].1 =
            b"---\nname: house\ndescription: \"Our\\u2060 own.\"\n---\nRules.\n".to_vec();
        project::write(at, "", &all);
    };
    broken.change(skill_md).says(&[
        &format!(
            "error: the skill `alpha` is refused: invisible text: `<U+202E>`\n\
             file: DIR/helix.skills/alpha/SKILL.md:6:1\n{} {none}\n",
            fix("alpha/SKILL.md")
        ),
        &format!(
            "error: the skill `house` is refused: YAML escapes in the value produce invisible text: `<U+2060>`\n\
             file: DIR/own/SKILL.md:3:14\n{} {none}\n",
            fix("house/SKILL.md").replace("remove it", "remove the escapes")
        ),
    ]);
    // Skills that are not embedded are not checked.
    broken.0.write(
        "src/main.rs",
        MAIN.replace("!()", "!(only = [\"alpha\"])").replace("alpha\").unwrap", "beta\").unwrap"),
    );
    let beta = |at: &Consumer| {
        at.remove("helix.skills/beta");
        let mut all = skills();
        all[1] = team("beta", &[("a.md", HIDDEN)]);
        project::write(at, "", &all);
    };
    broken.change(beta).0.cargo(&["check", "--quiet"]).success();
}

#[test]
fn t03_exceptions_of_the_manifest_are_tracked() {
    let consumer = Consumer::new("invisible-rebuild");
    consumer.package("", "tracked", &facade("helix-skills", "")).write("src/main.rs", MAIN);
    let build = |expected: Result<&str, &str>| {
        let run = consumer.cargo(&["run", "--verbose"]);
        match expected {
            Ok(word) => assert!(
                run.ok && run.stderr.contains(&format!("{word} tracked ")),
                "{word}:\n{}",
                run.stderr
            ),
            Err(message) => assert!(!run.ok && run.stderr.contains(message), "{}", run.stderr),
        }
    };
    project::write(&consumer, "", &[team("alpha", &[("a.md", HIDDEN)])]);
    build(Err("/helix.skills/alpha/a.md:2:4"));
    manifest(&consumer, &["alpha/a.md"]);
    build(Ok("Compiling"));
    build(Ok("Fresh"));
    manifest(&consumer, &[]);
    build(Err("invisible text: `<U+200B><U+E0041>`"));
    manifest(&consumer, &["alpha/a.md"]);
    build(Ok("Compiling"));
    consumer.remove("helix.skills.json");
    build(Err("into a new manifest `helix.skills.json`"));
}

#[test]
fn t03_manifest_applies_to_directories_without_a_lockfile() {
    let consumer = Consumer::new("invisible-directory");
    let main = MAIN.replace("!()", "!(dir = \"skills\", only = [\"alpha\"])");
    consumer.package("", "directory", &facade("helix-skills", "")).write("src/main.rs", main);
    consumer
        .write("skills/alpha/SKILL.md", "---\nname: alpha\ndescription: Does it.\n---\nBody.\n");
    consumer.write(
        "skills/beta/SKILL.md",
        "---\nname: beta\ndescription: Is left out.\n---\n\u{200b}\n",
    );
    consumer.write("skills/alpha/docs/a.md", HIDDEN);
    let errors = |run: crate::cargo::Run| {
        let dir = consumer.dir.to_str().unwrap().to_owned();
        run.errors().iter().map(|error| error.replace(&dir, "DIR")).collect::<Vec<_>>()
    };
    let expected = |into: &str| {
        vec![format!(
            "error: the skill `alpha` is refused: invisible text: `<U+200B><U+E0041>`\n\
             file: DIR/skills/alpha/docs/a.md:2:4\n\
             help: models read it, but reviewers do not see it: remove it; if it is intended, write `\"allow\": {{\"alpha/docs/a.md\": [\"invisible-text\"]}}` into {into}\n"
        )]
    };
    assert_eq!(
        errors(consumer.cargo(&["check", "--quiet"])),
        expected("a new manifest `helix.skills.json`")
    );
    manifest(&consumer, &[]);
    assert_eq!(errors(consumer.cargo(&["check", "--quiet"])), expected("`DIR/helix.skills.json`"));
    manifest(&consumer, &["alpha/docs/a.md"]);
    assert_eq!(consumer.cargo(&["run", "--quiet"]).success().stdout, "Does it.");
}
