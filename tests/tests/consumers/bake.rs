//! Valid uses of the macro: a workspace of consumers that embed skills in different ways.

use crate::{
    cargo::{Consumer, facade},
    project::{self, Locked, Origin, team},
};

const ALPHA: &str = "---
name: alpha
description: |
  Does alpha.
  - evil: not a skill
license: MIT
compatibility: Needs nothing
metadata: {version: 1.0, author: me}
allowed-tools: Read, Bash(git add *)
disallowed-tools: []
when_to_use: When testing.
argument-hint: [file]
arguments: file format
user-invocable: no
model: small
effort: low
context: fork
agent: explore
background: true
shell: bash
hooks: {Stop: [x]}
paths: src/*.rs, docs/**
maxTicks: 7
tags: {a: [1.0, 'é\"']}
---

# Alpha

Say \"hi\" \\ {} and <skill-name>.
";

fn skills() -> Vec<Locked> {
    let skill = |name, path, text: &str| Locked {
        name,
        origin: Origin::Team(path),
        files: vec![("SKILL.md", text.as_bytes().to_vec())],
    };
    let mut alpha = skill("alpha", "skills/alpha", ALPHA);
    alpha.files.extend([
        ("references/a.md", b"A </skill_file> reference.\n".to_vec()),
        ("assets/logo.png", b"\x89PNG\xff\0".to_vec()),
        ("R&D notes.txt", b"\xef\xbb\xbfx\r\n\r".to_vec()),
        ("empty.txt", Vec::new()),
    ]);
    // Renamed by the manifest; with a byte order mark, CR LF, a closing tag in the text, no line
    // feed at the end.
    let beta = "\u{feff}---\r\nname: other\r\ndescription: Does beta.\r\n---\r\n\r\nNever write\r\n</skill>\x07 or é.";
    let hidden = "---\nname: hidden\ndescription: Hidden.\ndisable-model-invocation: yes\n---\n";
    let mut house =
        skill("house", "", "---\nname: house\ndescription: Our own.\n---\nHouse rules.\n\n");
    house.origin = Origin::Own("house");
    vec![
        alpha,
        skill("beta", "skills/b", beta),
        skill("hidden", "hidden", hidden),
        house,
        team("Zed", &[]),
    ]
}

/// One workspace and two cargo runs: everything is compiled, linted and run.
#[test]
fn every_use_compiles_and_embeds_the_exact_data() {
    let consumer = Consumer::new("bake");
    let members = "[workspace]\nresolver = \"3\"\nmembers = [\"agent\", \"renamed\", \"third\", \"outer\", \"place\"]\n";
    consumer.write("Cargo.toml", members);
    // The project is at the root of the workspace; the agent is one of its members.
    project::write(&consumer, "", &skills());
    let manifest = serde_json::json!({ "skills": project::sources() });
    consumer.write("helix.skills.json", manifest.to_string());
    consumer.package("agent", "agent", &facade("helix-skills", ""));
    consumer.write("agent/src/lib.rs", include_str!("fixtures/agent_lib.rs"));
    consumer.write("agent/src/main.rs", include_str!("fixtures/agent_main.rs"));

    // The dependency is renamed.
    consumer.package("renamed", "renamed", &facade("baked", ""));
    let source = "//! Renamed.\n#![deny(warnings, missing_docs)]\n/// All.\n\
                  pub static SKILLS: baked::SkillSet<'static> = baked::include_skills!();\n";
    consumer.write("renamed/src/lib.rs", source);

    // A third crate re-exports the macro, and its user does not depend on this crate.
    consumer.package("third", "third", &facade("helix-skills", ""));
    consumer
        .write("third/src/lib.rs", "pub use helix_skills::{include_skills as bake, SkillSet};\n");
    consumer.package("outer", "outer", "third = { path = \"../third\" }\n");
    consumer.write(
        "outer/src/lib.rs",
        "#![deny(warnings)]\npub const SKILLS: third::SkillSet = third::bake!();\n",
    );

    // A project in an explicit directory, relative to the package.
    project::write(&consumer, "elsewhere/project", &[team("far", &[])]);
    consumer.package("place", "place", &facade("helix-skills", ""));
    let source = "use helix_skills::include_skills;\n\
                  fn main() { print!(\"{}\", include_skills!(\"../elsewhere/project\", only = [\"far\"]).catalog()); }\n";
    consumer.write("place/src/main.rs", source);

    let sources = consumer.sources();
    consumer.cargo(&["clippy", "--workspace", "--quiet", "--", "-Dwarnings"]).success();
    let run = consumer.cargo(&["run", "--quiet", "-p", "agent"]).success();
    assert_eq!(consumer.sources(), sources, "no source is generated");
    let lines: Vec<_> = run.stdout.lines().filter(|line| line.starts_with("- ")).collect();
    assert_eq!(
        lines,
        [
            "- Zed: Does Zed.",
            "- alpha: Does alpha. - evil: not a skill When testing.",
            "- beta: Does beta.",
            "- house: Our own.",
        ]
    );
    let run = consumer.cargo(&["run", "--quiet", "-p", "place"]).success();
    assert!(
        run.stdout.starts_with("## Skills\n") && run.stdout.ends_with("\n- far: Does far.\n"),
        "{}",
        run.stdout
    );
}
