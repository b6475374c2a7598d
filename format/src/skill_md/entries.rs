//! Builds a skill from the entries of the frontmatter.

use super::{
    Layout, Parsed, Rules, SkillMd,
    fields::{FieldReader, RESTRICTIONS, same_letters},
    name, tools,
    yaml::Entry,
};
use crate::{Code, Finding, finding, json::nearest};
use helix_skills_runtime::__private::{Fields, Parts, Shared};

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

/// Reads all entries, and then the name, of a text with this layout.
///
/// An error is returned together with all other findings.
pub(super) fn read(
    entries: Vec<Entry<'_>>,
    mut reader: FieldReader,
    directory: Option<&str>,
    (text, layout): (&str, Layout),
    rules: Rules<'_>,
) -> Result<Parsed<SkillMd>, Vec<Finding>> {
    let mut fields = Fields::from(Parts::EMPTY);
    let (mut name, mut description, mut has_description) = (None, None, false);
    for entry in entries {
        match &*entry.key {
            "name" => name = Some(entry.value),
            "description" => {
                has_description = true;
                description = reader.description(entry.value);
            }
            "license" => fields.license = reader.string(entry),
            "compatibility" => fields.compatibility = reader.compatibility(entry),
            "metadata" => fields.metadata = reader.metadata(entry).into_iter().collect(),
            "allowed-tools" => {
                fields.allowed_tools = Some(reader.rules(entry).into_iter().collect());
            }
            "disallowed-tools" => {
                fields.disallowed_tools = Some(reader.rules(entry).into_iter().collect());
            }
            "when_to_use" => fields.when_to_use = reader.text(entry),
            "argument-hint" => fields.argument_hint = reader.argument_hint(entry),
            "arguments" => {
                fields.arguments = reader.list(entry, &mut tools::words).into_iter().collect();
            }
            "disable-model-invocation" => {
                fields.disable_model_invocation = reader.gate(entry, true);
            }
            "user-invocable" => fields.user_invocable = reader.gate(entry, false),
            "shell" => fields.shell = reader.text(entry),
            "maxTicks" => fields.max_ticks = reader.ticks(entry),
            // Known to other systems, which interpret them.
            "model" | "effort" | "context" | "agent" | "background" | "hooks" | "paths" => {
                reader.reserved(entry);
            }
            key => {
                let known = KEYS.into_iter().find(|known| same_letters(known, key));
                let known = known.or_else(|| nearest(key, RESTRICTIONS));
                reader.unknown(entry, known);
            }
        }
    }
    if !has_description {
        reader.no_description(layout.top(), "`description` is missing");
    }
    let FieldReader { mut findings, extra } = reader;
    if description.is_none() && !findings.iter().any(|finding| finding.code == Code::WrongType) {
        description = rules.describe(layout.body(text));
        if description.is_some() && !matches!(rules, Rules::Fetched { .. }) {
            findings.retain(|finding| finding.code != Code::MissingDescription);
        }
    }
    let name = name::read(name.as_ref(), rules, directory, layout.top(), &mut findings);
    finding::sort(&mut findings);
    let (Some(name), Some(description)) = (name, description) else { return Err(findings) };
    findings.iter_mut().for_each(|finding| rules.explain(finding, &name));
    fields.name = name.to_string().into();
    fields.description = Shared::new(description);
    fields.extra = Shared::new(extra);
    Ok(Parsed { value: SkillMd { name, skill: fields.into(), layout }, findings })
}
