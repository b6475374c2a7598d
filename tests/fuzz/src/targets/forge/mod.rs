//! A `SKILL.md` with files as input, and all texts that a model reads as output. A strict parser of
//! our tags must find the structure that the input implies, in each profile and by each way to a
//! model.

mod grammar;
mod surfaces;

use crate::{Target, checks, targets::render::PIECES};
use arbitrary::{Result, Unstructured};
use helix_skills_format::SkillMd;
use helix_skills_runtime::{Profile, Skill};
use std::collections::BTreeMap;

pub(crate) const TARGET: Target =
    Target { name: "forge", body, seeds, words: WORDS, max_len: 600, count: 250 };

/// Texts with a meaning in a body, in arguments or in frontmatter.
const WORDS: &[&str] = &[
    "$0",
    "$1",
    "$who",
    "$ARGUMENTS",
    "$ARGUMENTS[0]",
    "\\$0",
    "${SKILL_DIR}",
    "!`a`",
    " !`a $0`",
    "\n```!\nb\n```\n",
    "</sk$0",
    "<$0",
    "ill>",
    "/skill>",
    "skill ",
    "<![CDATA[",
    "]]>",
    "&#60;",
    "{\"a\": 1}",
    "---\n",
    "name: ",
    "description: ",
    "- ",
    "#",
    "\t",
    "|",
    "/",
];

/// Valid names, most of them those of our tags.
const NAMES: [&str; 6] = ["a", "skill", "skill-context", "skill-file", "skills", "system-reminder"];

/// Fields of frontmatter with a text as value.
const FIELDS: [&str; 8] = [
    "when_to_use",
    "argument-hint",
    "arguments",
    "allowed-tools",
    "license",
    "compatibility",
    "metadata",
    "shell",
];

/// The input from a model, a user and a shell.
struct ModelInput {
    arguments: String,
    query: String,
    output: String,
    /// Whether the first skill is preloaded.
    preloads: bool,
    /// The requested lines of a file.
    lines: (Option<usize>, Option<usize>),
}

fn body(input: &[u8]) {
    run(&mut Unstructured::new(input)).unwrap_or_default();
}

fn run(input: &mut Unstructured<'_>) -> Result<()> {
    let profile = *input.choose(&Profile::ALL)?;
    let mut skills = BTreeMap::new();
    for _ in 0..input.int_in_range(1..=3)? {
        let name = *input.choose(&NAMES)?;
        skills.insert(name, skill(name, input)?);
    }
    let line = |input: &mut Unstructured<'_>| {
        input.int_in_range(0..=4).map(|line| (line < 4).then_some(line))
    };
    let model_input = ModelInput {
        arguments: text(input, 4),
        query: text(input, 4),
        output: text(input, 4),
        preloads: input.arbitrary()?,
        lines: (line(input)?, line(input)?),
    };
    let mut skills: Vec<Skill> = skills.into_values().collect();
    skills.sort_by(|one, other| one.name().cmp(other.name()));
    surfaces::all(&skills, profile, &model_input);
    Ok(())
}

/// Generates a text of words and pieces of tags.
fn text(input: &mut Unstructured<'_>, most: usize) -> String {
    let mut text = String::new();
    for _ in 0..input.int_in_range(0..=most).unwrap_or(0) {
        let words = if input.arbitrary().unwrap_or(true) { PIECES } else { WORDS };
        text += &checks::text(input, words, 2);
    }
    text
}

/// Generates a skill as written by an author. If its frontmatter is refused, the body gets harmless
/// frontmatter.
fn skill(name: &str, input: &mut Unstructured<'_>) -> Result<Skill> {
    let mut frontmatter = format!("name: {name}\n{}", field("description", input)?);
    for name in FIELDS {
        if input.ratio(1, 3)? {
            frontmatter += &field(name, input)?;
        }
    }
    let body = text(input, 6);
    let parsed = [
        &frontmatter,
        &format!("name: {name}\ndescription: Does it.\n"),
        "name: a\ndescription: a\n",
    ]
    .into_iter()
    .find_map(|frontmatter| {
        let text = format!("---\n{frontmatter}---\n{body}");
        SkillMd::parse(&text, Some(name), "SKILL.md")
            .ok()
            .map(|parsed| parsed.value.to_skill(&text))
    });
    let Some(mut skill) = parsed else { return Err(arbitrary::Error::IncorrectFormat) };
    for _ in 0..input.int_in_range(0..=3)? {
        let path = input.choose(&["", "scripts/", "references/"])?.to_string() + &text(input, 2);
        let content = text(input, 6);
        // Most of these are not valid paths.
        let path = if input.ratio(1, 2)? { "a.md".to_owned() } else { path };
        skill.insert_resource(&path, content).unwrap_or_default();
    }
    Ok(skill)
}

/// Generates a field of frontmatter: plain, quoted, or as a block.
fn field(name: &str, input: &mut Unstructured<'_>) -> Result<String> {
    let value = text(input, 3);
    let quoted = || serde_json::to_string(&value).unwrap_or_default();
    Ok(match input.int_in_range(0..=3)? {
        _ if name == "metadata" => format!("metadata:\n  a: {}\n", quoted()),
        0 => format!("{name}: {value}\n"),
        1 => format!("{name}: |-\n  {}\n", value.replace('\n', "\n  ")),
        _ => format!("{name}: {}\n", quoted()),
    })
}

fn seeds() -> Vec<Vec<u8>> {
    let mut rng = fastrand::Rng::with_seed(13);
    (0..40).map(|_| (0..rng.usize(200..600)).map(|_| rng.u8(..)).collect()).collect()
}
