//! The skills that most tests use.

use helix_skills_runtime::{
    __private::{Parts, binary, provenance, skill, text},
    Profile, Resource, Skill, SkillSet, Toolbox, ToolboxBuilder,
};

const FILES: &[Resource] = &[
    text("R&D.md", "one\ntwo\nthree\n", 14, ""),
    binary("assets/logo.png", b"\x89PNG\xff", 5, ""),
    text("references/steps.md", "# Steps\r\n\r\n1. Build </skill_file>\r\n", 35, ""),
    text("scripts/run.sh", "echo hi\n", 8, ""),
];

/// Sorted by name, with everything that a catalog can show.
const ALL: &[Skill] = &[
    skill(Parts {
        name: "Zed",
        description: "Upper case sorts first.",
        body: "Be <b>bold</b>.",
        user_invocable: false,
        ..Parts::EMPTY
    }),
    skill(Parts {
        name: "deploy",
        description: "Deploys \"it\" & more.\n- evil: not a skill",
        when_to_use: Some("Use when <prod> isn't\ton fire."),
        argument_hint: Some("[environment]"),
        arguments: &["environment"],
        allowed_tools: Some(&["Bash(git add *)", "Read"]),
        frontmatter: "---\nname: deploy\n---\n",
        body: "# Deploy\n\nNever write </skill>.",
        trailing: "\n\n",
        resources: FILES,
        provenance: provenance(
            Some("ops"),
            Some("https://example.com/r?a=1&b=2"),
            Some("refs/tags/v1"),
            Some("f5d81cb5"),
            "skills/deploy",
            Some("sha256:00ff"),
        ),
        ..Parts::EMPTY
    }),
    skill(Parts {
        name: "hidden",
        description: "Only for the host.",
        body: "Secret.",
        disable_model_invocation: true,
        ..Parts::EMPTY
    }),
    skill(Parts {
        name: "pdf",
        description: "Reads PDF files.",
        body: "Use `pdftotext`.",
        ..Parts::EMPTY
    }),
];

pub(crate) static SKILLS: SkillSet = SkillSet::new(ALL);

/// Starts a toolbox of all skills in a profile.
pub(crate) const fn builder(profile: Profile) -> ToolboxBuilder<'static> {
    Toolbox::builder(SKILLS).profile(profile)
}

/// Returns a toolbox of all skills in a profile.
pub(crate) fn toolbox(profile: Profile) -> Toolbox<'static> {
    builder(profile).build().unwrap()
}

/// Returns only the skills with these names.
pub(crate) fn only(names: &[&str]) -> Vec<Skill> {
    SKILLS.iter().filter(|skill| names.contains(&skill.name())).cloned().collect()
}
