//! Facts about skills for their reviewers, as text and JSON.

use super::output::Output;
use helix_skills_format::{__internal::counted, SkillName};
use helix_skills_project::__internal::SkillFacts;
use serde_json::{Value, json};

/// Returns the facts that a skill has, each with its name.
pub(super) fn rows(facts: &SkillFacts) -> impl Iterator<Item = (&'static str, &[String])> {
    let SkillFacts { commands, allowed_tools, scripts, binary_files, .. } = facts;
    let rows = [
        ("command", commands.as_slice()),
        ("allowed tool", allowed_tools),
        ("script", scripts),
        ("binary file", binary_files),
    ];
    rows.into_iter().filter(|(_, found)| !found.is_empty())
}

/// Prints one line on a skill that has any of them, and with `-v` each of them.
pub(super) fn print(output: &Output, name: &SkillName, facts: &SkillFacts) {
    let counts: Vec<_> = rows(facts).map(|(what, found)| counted(found.len(), what)).collect();
    if counts.is_empty() {
        return;
    }
    output.note("review", format!("{name}: {}", counts.join(", ")));
    for (what, found) in rows(facts) {
        found.iter().for_each(|found| output.detail(&format!("  {name}: {what} `{found}`")));
    }
}

/// Returns the facts as JSON.
pub(super) fn document(facts: &SkillFacts) -> Value {
    json!({
        "commands": facts.commands,
        "allowedTools": facts.allowed_tools,
        "scripts": facts.scripts,
        "binaryFiles": facts.binary_files,
    })
}
