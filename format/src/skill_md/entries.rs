//! Builds a skill from the entries of the frontmatter.

use super::fields::{DESCRIBE, FieldReader};
use super::yaml::Entry;
use super::{Layout, ParsedSkillMd, SkillMd, name, tools};
use crate::{Code, Finding, Position, finding};
use std::collections::BTreeMap;

/// Known keys, for hints on keys that are spelled differently.
const KEYS: [&str; 21] = [
    "name",
    "description",
    "license",
    "compatibility",
    "metadata",
    "allowed-tools",
    "disallowed-tools",
    "when_to_use",
    "argument-hint",
    "arguments",
    "disable-model-invocation",
    "user-invocable",
    "model",
    "effort",
    "context",
    "agent",
    "background",
    "shell",
    "hooks",
    "paths",
    "maxTicks",
];

/// Reads all entries, and then the name. `top` is the position of the frontmatter; `describe` makes
/// a description if there is none.
///
/// An error is returned together with all other findings.
pub(super) fn read(
    entries: Vec<Entry<'_>>,
    mut fields: FieldReader,
    directory: Option<&str>,
    top: Position,
    layout: Layout,
    describe: impl FnOnce() -> Option<String>,
) -> Result<ParsedSkillMd, Vec<Finding>> {
    let mut name = None;
    let mut description = None;
    let mut has_description = false;
    let mut license = None;
    let mut compatibility = None;
    let mut metadata = BTreeMap::new();
    let mut allowed_tools = None;
    let mut disallowed_tools = None;
    let mut when_to_use = None;
    let mut argument_hint = None;
    let mut arguments = Vec::new();
    let mut disable_model_invocation = false;
    let mut user_invocable = true;
    let (mut model, mut effort, mut context, mut agent, mut background, mut shell) =
        Default::default();
    let mut hooks = None;
    let mut paths = Vec::new();
    let mut max_ticks = None;
    for entry in entries {
        match &*entry.key {
            "name" => name = Some(entry.value),
            "description" => {
                has_description = true;
                description = fields.description(entry.value);
            }
            "license" => license = fields.string(entry),
            "compatibility" => compatibility = fields.compatibility(entry),
            "metadata" => metadata = fields.metadata(entry),
            "allowed-tools" => allowed_tools = Some(fields.rules(entry)),
            "disallowed-tools" => disallowed_tools = Some(fields.rules(entry)),
            "when_to_use" => when_to_use = fields.text(entry),
            "argument-hint" => argument_hint = fields.argument_hint(entry),
            "arguments" => {
                arguments =
                    fields.list(entry, |text| text.split_whitespace().map(str::to_owned).collect());
            }
            "disable-model-invocation" => disable_model_invocation = fields.gate(entry, true),
            "user-invocable" => user_invocable = fields.gate(entry, false),
            "model" => model = fields.text(entry),
            "effort" => effort = fields.text(entry),
            "context" => context = fields.text(entry),
            "agent" => agent = fields.text(entry),
            "background" => background = fields.text(entry),
            "shell" => shell = fields.text(entry),
            "hooks" => hooks = fields.value(entry),
            "paths" => paths = fields.list(entry, tools::patterns),
            "maxTicks" => max_ticks = fields.ticks(entry),
            key => {
                let known = KEYS.into_iter().find(|known| same_letters(known, key));
                fields.unknown(entry, known);
            }
        }
    }
    let FieldReader { mut findings, extra, names } = fields;
    if !has_description {
        let found = Finding::new(Code::MissingDescription, top, "`description` is missing");
        findings.push(found.hint(DESCRIBE));
    }
    if description.is_none() && !findings.iter().any(|finding| finding.code == Code::WrongType) {
        description = describe();
        findings
            .retain(|finding| description.is_none() || finding.code != Code::MissingDescription);
    }
    let name = name::read(name.as_ref(), names, directory, top, &mut findings);
    finding::sort(&mut findings);
    let (Some(name), Some(description)) = (name, description) else { return Err(findings) };
    let skill = SkillMd {
        name,
        description,
        license,
        compatibility,
        metadata,
        allowed_tools,
        disallowed_tools,
        when_to_use,
        argument_hint,
        arguments,
        disable_model_invocation,
        user_invocable,
        model,
        effort,
        context,
        agent,
        background,
        shell,
        hooks,
        paths,
        max_ticks,
        extra,
        layout,
    };
    Ok(ParsedSkillMd { skill, findings })
}

/// Returns whether two keys differ only in case, hyphens and underscores.
fn same_letters(known: &str, key: &str) -> bool {
    let letters = |text| {
        str::bytes(text).filter(|b| !matches!(b, b'-' | b'_')).map(|b| b.to_ascii_lowercase())
    };
    key.len() <= known.len() + 4 && letters(known).eq(letters(key))
}
