//! The skills in the definitions of tools: the list in the description of Agentick's tool, and the
//! names in the parameters of all tools.

use crate::{Attribute, OneLine, Toolbox, budget::Count, escape::escaped, toolbox::ToolListFn};
use core::fmt::{self, Write};

/// Maximum size in UTF-16 units of the skills in the definition of a tool.
const MAX_UNITS: usize = 8000;

/// Returns whether the parameters of a tool contain the names of the skills. `list` writes the list
/// of skills, if the description of the tool contains it.
///
/// Without the names, a model knows them from the catalog, the list or a search.
#[must_use]
pub fn has_names(toolbox: &Toolbox<'_>, list: Option<ToolListFn>) -> bool {
    let count = Count::measure(|out| {
        write_names(toolbox, out)?;
        list.map_or(Ok(()), |list| list(toolbox, out))
    });
    let is_within_budget =
        list.is_none() || toolbox.budget.catalog.is_none_or(|most| most.allows(count));
    toolbox.lists_skills() && count.units() <= MAX_UNITS && is_within_budget
}

/// Writes the names as the items of a JSON array.
pub(crate) fn write_names(toolbox: &Toolbox<'_>, out: &mut dyn Write) -> fmt::Result {
    for (at, name) in toolbox.view().names().enumerate() {
        out.write_str(if at == 0 { "\"" } else { ",\"" })?;
        // Only unchecked names can have control characters, which become spaces.
        escaped(name, out, |c| match c {
            '"' => Some("\\\""),
            '\\' => Some("\\\\"),
            _ => c.is_control().then_some(" "),
        })?;
        out.write_char('"')?;
    }
    Ok(())
}

/// Writes whole lines of `- name: description` up to the first one that does not fit, then the
/// number of skills left out, which does not count towards the limit of the list.
pub(crate) fn write_tool_list(toolbox: &Toolbox<'_>, out: &mut dyn Write) -> fmt::Result {
    let (mut count, mut omitted) = (Count::default(), 0_usize);
    for skill in toolbox.view().iter() {
        let line = |out: &mut dyn Write| {
            writeln!(out, "- {}: {}", Attribute(skill.name()), OneLine(skill.description()))
        };
        line(&mut count)?;
        let is_within_budget = toolbox.budget.catalog.is_none_or(|most| most.allows(count));
        let fits = count.units() <= MAX_UNITS && is_within_budget;
        if !fits || omitted > 0 {
            omitted += 1;
        } else {
            line(out)?;
        }
    }
    match omitted {
        0 => return Ok(()),
        1 => out.write_str("(1 more skill is not listed here")?,
        _ => write!(out, "({omitted} more skills are not listed here")?,
    }
    match toolbox.search_tool() {
        Some(tool) => writeln!(out, "; the tool `{tool}` finds more.)"),
        None => out.write_str(".)\n"),
    }
}
