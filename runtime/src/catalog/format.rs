//! The common parts of all catalog formats: a head, an entry for each skill, an end, and a budget.

use crate::{
    Skill, TextLimit, Toolbox,
    budget::Count,
    toolbox::{CatalogEntry, CatalogFormat},
};
use core::fmt::{self, Write};

/// Writes the catalog of a toolbox with at least one visible skill.
pub(super) fn render(
    format: &CatalogFormat,
    toolbox: &Toolbox<'_>,
    out: &mut dyn Write,
) -> fmt::Result {
    let budget = toolbox.budget.catalog.filter(|_| toolbox.lists_skills());
    write(format, toolbox, budget.and_then(|most| described(format, toolbox, most)), out)
}

/// Writes the catalog. If `described` is set, only the first `described` skills keep their
/// descriptions.
fn write(
    format: &CatalogFormat,
    toolbox: &Toolbox<'_>,
    described: Option<usize>,
    out: &mut dyn Write,
) -> fmt::Result {
    (format.head)(toolbox, out)?;
    if toolbox.lists_skills() {
        for (at, skill) in toolbox.view().iter().enumerate() {
            let described = described.is_none_or(|described| at < described);
            (format.entry)(CatalogEntry { toolbox, skill, described }, out)?;
        }
        out.write_str(format.end)?;
        if let Some(described) = described {
            note(toolbox, toolbox.view().len() - described, out)?;
        }
    }
    Ok(())
}

/// Returns the number of first skills that keep their descriptions; `None` if all of them do.
fn described(format: &CatalogFormat, toolbox: &Toolbox<'_>, most: TextLimit) -> Option<usize> {
    if most.allows(Count::measure(|out| write(format, toolbox, None, out))) {
        return None;
    }
    // The note that says that all descriptions are left out is the longest one.
    let mut count = Count::measure(|out| write(format, toolbox, Some(0), out));
    let entry = |skill: &Skill, described| {
        Count::measure(|out| (format.entry)(CatalogEntry { toolbox, skill, described }, out))
    };
    let fits = |skill: &&Skill| {
        count = count.replacing(entry(skill, false), entry(skill, true));
        most.allows(count)
    };
    Some(toolbox.view().iter().take_while(fits).count())
}

/// Writes how many descriptions the budget left out, and how to find skills without them.
fn note(toolbox: &Toolbox<'_>, omitted: usize, out: &mut dyn Write) -> fmt::Result {
    match omitted {
        1 => out.write_str("\nThe description of the last skill is left out. ")?,
        _ => write!(out, "\nThe descriptions of the last {omitted} skills are left out. ")?,
    }
    match (toolbox.search_tool(), toolbox.load_tool()) {
        (Some(tool), _) => {
            writeln!(
                out,
                "Call `{tool}` with what a task is about to find skills by their descriptions."
            )
        }
        (None, Some(_)) => out.write_str("Load a skill when its name matches a task.\n"),
        (None, None) => {
            out.write_str("Read the `SKILL.md` of a skill when its name matches a task.\n")
        }
    }
}

/// Returns whether a skill has a description or `when_to_use`.
pub(super) fn is_described(skill: &Skill) -> bool {
    !is_blank(skill.description()) || when_to_use(skill).is_some()
}

/// A function that writes its first argument. The second is the text that follows, because a tag
/// may start in one and end in the other.
type Escape = fn(&str, &str, &mut dyn Write) -> fmt::Result;

/// Writes `description`, followed by `when_to_use`.
pub(super) fn describe(skill: &Skill, out: &mut dyn Write, text: Escape) -> fmt::Result {
    let when = when_to_use(skill).unwrap_or_default();
    if !is_blank(skill.description()) {
        text(skill.description(), when, out)?;
        out.write_str(if when.is_empty() { "" } else { " " })?;
    }
    text(when, "", out)
}

fn when_to_use(skill: &Skill) -> Option<&str> {
    skill.when_to_use().filter(|when| !is_blank(when))
}

fn is_blank(text: &str) -> bool {
    text.chars().all(|c| c.is_whitespace() || c.is_control())
}
