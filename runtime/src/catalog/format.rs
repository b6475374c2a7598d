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
    (format.head)(toolbox, out)?;
    if toolbox.lists_skills() {
        let described = toolbox.budget.catalog.and_then(|most| described(format, toolbox, most));
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
    let entry = |skill: &Skill, described| {
        Count::measure(|out| (format.entry)(CatalogEntry { toolbox, skill, described }, out))
    };
    let frame =
        Count::measure(|out| (format.head)(toolbox, out).and_then(|()| out.write_str(format.end)));
    let view = toolbox.view();
    if most.allows(view.iter().fold(frame, |count, skill| count.plus(entry(skill, true)))) {
        return None;
    }
    // The note that says that all descriptions are left out is the longest one.
    let note = Count::measure(|out| note(toolbox, view.len(), out));
    let mut count =
        view.iter().fold(frame.plus(note), |count, skill| count.plus(entry(skill, false)));
    let fits = |skill: &&Skill| {
        count = count.plus(entry(skill, true)).minus(entry(skill, false));
        most.allows(count)
    };
    Some(view.iter().take_while(fits).count())
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
