//! Skills of a repository without a usable name or frontmatter, embedded from the lockfile.

use crate::cargo::{Consumer, facade};
use helix_skills_tests::{Change, Sandbox};
use serde_json::json;

const BARE: &str = "\n# Bare\n\nNeeds no\nfrontmatter.\n\n---\n\nMore.\n";

#[test]
fn skills_without_name_or_frontmatter_are_embedded() {
    let sandbox = Sandbox::new();
    let upstream = sandbox.upstream("texts");
    let text = "---\nname: Agent Development\n---\n# Agents\n\nMakes agents.\n";
    upstream.commit(
        Change::new()
            .text("skills/agent-dev/SKILL.md", text)
            .text("skills/bare/SKILL.md", BARE)
            .text("skills/!!/SKILL.md", BARE),
    );
    let upstream = sandbox.path("upstream").display().to_string();
    sandbox.write(
        "home/.gitconfig",
        format!("[url \"file://{upstream}/\"]\n\tinsteadOf = https://plugins.example/\n"),
    );
    let url = "https://plugins.example/texts.git";
    let rename = json!({"!!": "renamed"});
    sandbox.sources(&json!({"texts": {"type": "git", "url": url, "rename": rename}}));
    sandbox.skills(["sync"]).succeeds();

    let consumer = Consumer::new("unnamed");
    for path in sandbox.files("project") {
        consumer.write(&path, sandbox.read_bytes(format!("project/{path}")));
    }
    consumer.package("", "unnamed", &facade("helix-skills", ""));
    consumer.write(
        "src/main.rs",
        "use helix_skills::{SkillSet, include_skills};\n\
         static SKILLS: SkillSet = include_skills!();\n\
         fn main() {\n    \
             print!(\"{}{}\", SKILLS.catalog(), SKILLS.load_skill(\"bare\").unwrap());\n    \
             for skill in SKILLS.iter() { print!(\"<<{}>>\", skill.skill_md().concat()); }\n\
         }\n",
    );
    let run = consumer.cargo(&["run", "--quiet"]).success();
    let out = &run.stdout;
    for expected in [
        "- agent-dev: Makes agents.\n- bare: Needs no frontmatter.\n- renamed: Needs no frontmatter.\n",
        "<skill name=\"bare\">\n# Bare\n\nNeeds no\nfrontmatter.\n\n---\n\nMore.\n</skill>",
        &format!("<<{text}>><<{BARE}>><<{BARE}>>"),
    ] {
        assert!(out.contains(expected), "{expected}\n{out}");
    }
}
