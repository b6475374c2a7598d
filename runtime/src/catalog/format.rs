//! What all forms of a catalog have in common: a head, an entry for each skill, an end, and a budget.

use crate::{Skill, TextLimit, Toolbox, budget::Count, render::Render};
use core::fmt::{self, Write};

/// One system's way of listing skills.
pub(super) trait CatalogFormat {
    /// What comes before the first skill.
    fn head(&self, toolbox: &Toolbox<'_>, out: &mut dyn Write) -> fmt::Result;

    /// A skill by its name, which no budget leaves out, and its description if that fits.
    fn entry(
        &self,
        toolbox: &Toolbox<'_>,
        skill: &Skill<'_>,
        described: bool,
        out: &mut dyn Write,
    ) -> fmt::Result;

    /// What comes after the last skill.
    fn end(&self, out: &mut dyn Write) -> fmt::Result;
}

/// Writes the catalog of a toolbox that shows at least one skill.
pub(super) fn render(
    format: &dyn CatalogFormat,
    toolbox: &Toolbox<'_>,
    out: &mut dyn Write,
) -> fmt::Result {
    format.head(toolbox, out)?;
    if toolbox.lists_skills() {
        let described = toolbox.budget().catalog.and_then(|most| described(format, toolbox, most));
        for (at, skill) in toolbox.view().iter().enumerate() {
            format.entry(toolbox, skill, described.is_none_or(|described| at < described), out)?;
        }
        format.end(out)?;
        if let Some(described) = described {
            note(toolbox, toolbox.view().len() - described, out)?;
        }
    }
    Ok(())
}

/// How many of the first skills can keep their descriptions; none if all of them can.
fn described(format: &dyn CatalogFormat, toolbox: &Toolbox<'_>, most: TextLimit) -> Option<usize> {
    let entry = |skill: &Skill<'_>, described| {
        Count::measure(&RenderFn(|out: &mut dyn Write| {
            format.entry(toolbox, skill, described, out)
        }))
    };
    let frame = Count::measure(&RenderFn(|out: &mut dyn Write| {
        format.head(toolbox, out).and_then(|()| format.end(out))
    }));
    let view = toolbox.view();
    if most.allows(view.iter().fold(frame, |count, skill| count.plus(entry(skill, true)))) {
        return None;
    }
    // No note is longer than the one that says that all were left out.
    let note = Count::measure(&RenderFn(|out: &mut dyn Write| note(toolbox, view.len(), out)));
    let mut count =
        view.iter().fold(frame.plus(note), |count, skill| count.plus(entry(skill, false)));
    let fits = |skill: &&Skill<'_>| {
        count = count.plus(entry(skill, true)).minus(entry(skill, false));
        most.allows(count)
    };
    Some(view.iter().take_while(fits).count())
}

/// How many descriptions a budget left out, and what to do about it.
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

/// A function as a text.
struct RenderFn<F>(F);

impl<F: Fn(&mut dyn Write) -> fmt::Result> Render for RenderFn<F> {
    fn render(&self, out: &mut dyn Write) -> fmt::Result {
        (self.0)(out)
    }
}

/// Whether there is anything to say of a skill besides its name.
pub(super) fn is_described(skill: &Skill<'_>) -> bool {
    !is_blank(skill.description()) || when_to_use(skill).is_some()
}

/// Writes a text, knowing which one follows: a tag may start in the one and end in the other.
type Escape = fn(&str, &str, &mut dyn Write) -> fmt::Result;

/// `description`, and `when_to_use` after it.
pub(super) fn describe(skill: &Skill<'_>, out: &mut dyn Write, text: Escape) -> fmt::Result {
    let when = when_to_use(skill).unwrap_or_default();
    if !is_blank(skill.description()) {
        text(skill.description(), when, out)?;
        out.write_str(if when.is_empty() { "" } else { " " })?;
    }
    text(when, "", out)
}

fn when_to_use<'a>(skill: &Skill<'a>) -> Option<&'a str> {
    skill.when_to_use().filter(|when| !is_blank(when))
}

fn is_blank(text: &str) -> bool {
    text.chars().all(|c| c.is_whitespace() || c.is_control())
}
