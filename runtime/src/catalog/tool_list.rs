//! The skills in the definitions of tools: the list in the description of Agentick's tool, and the
//! names in the parameters of all tools.

use crate::{
    Attribute, OneLine, TextLimit, Toolbox, budget::Count, escape::escaped, render::Render,
    toolbox::ToolListFn,
};
use core::fmt::{self, Write};

/// Maximum size in UTF-16 units of the skills in the definition of a tool.
const MAX_UNITS: usize = 8000;

/// Returns whether the parameters of a tool contain the names of the skills. `list` writes the list
/// of skills, if the description of the tool contains it.
///
/// Without the names, a model knows them from the catalog, the list or a search.
#[must_use]
pub fn has_names(toolbox: &Toolbox<'_>, list: Option<ToolListFn>) -> bool {
    let (mut units, mut count) = (Utf16::default(), Count::default());
    let names = NameList(toolbox);
    // Counting cannot fail.
    let _ = names.render(&mut units).and_then(|()| names.render(&mut count));
    if let Some(list) = list {
        let _ = list(toolbox, &mut units).and_then(|()| list(toolbox, &mut count));
    }
    let is_within_budget =
        list.is_none() || toolbox.budget.catalog.is_none_or(|most| most.allows(count));
    toolbox.lists_skills() && units.0 <= MAX_UNITS && is_within_budget
}

/// The names as the items of a JSON array.
pub(crate) struct NameList<'t, 'a>(pub(crate) &'t Toolbox<'a>);

impl Render for NameList<'_, '_> {
    fn render(&self, out: &mut dyn Write) -> fmt::Result {
        for (at, name) in self.0.view().names().enumerate() {
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
}

/// Writes whole lines of `- name: description` up to the first one that does not fit, then the
/// number of skills left out, which does not count towards the limit of the list.
pub(crate) fn write_tool_list(toolbox: &Toolbox<'_>, out: &mut dyn Write) -> fmt::Result {
    let mut units = 0;
    let mut count = Count::default();
    let mut omitted = 0_usize;
    for skill in toolbox.view().iter() {
        let line = Line { name: skill.name(), description: skill.description() };
        let mut measure = Utf16::default();
        line.render(&mut measure)?;
        units += measure.0;
        count = count.plus(Count::measure(&line));
        let fits = units <= MAX_UNITS
            && toolbox.budget.catalog.is_none_or(|most: TextLimit| most.allows(count));
        if !fits || omitted > 0 {
            omitted += 1;
        } else {
            line.render(out)?;
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

struct Line<'a> {
    name: &'a str,
    description: &'a str,
}

impl Render for Line<'_> {
    fn render(&self, out: &mut dyn Write) -> fmt::Result {
        writeln!(out, "- {}: {}", Attribute(self.name), OneLine(self.description))
    }
}

/// A writer that counts UTF-16 units, as JavaScript does.
#[derive(Default)]
struct Utf16(usize);

impl Write for Utf16 {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 += text.encode_utf16().count();
        Ok(())
    }
}
