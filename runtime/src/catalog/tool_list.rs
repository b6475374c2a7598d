//! The list of skills in the description of Agentick's tool.

use crate::{Attribute, OneLine, TextLimit, Toolbox, budget::Count, render::Render};
use core::fmt::{self, Write};

/// Maximum size of the lines in UTF-16 units, including line feeds.
const MAX_UNITS: usize = 8000;

/// Whole lines of `- name: description` up to the first one that does not fit, then the number of
/// skills left out, which does not count towards the limit.
pub(crate) struct ToolList<'t, 'a>(pub(crate) &'t Toolbox<'a>);

impl Render for ToolList<'_, '_> {
    fn render(&self, out: &mut dyn Write) -> fmt::Result {
        let mut units = 0;
        let mut count = Count::default();
        let mut omitted = 0_usize;
        for skill in self.0.view().iter() {
            let line = Line { name: skill.name(), description: skill.description() };
            let mut measure = Utf16::default();
            line.render(&mut measure)?;
            units += measure.0;
            count = count.plus(Count::measure(&line));
            let fits = units <= MAX_UNITS
                && self.0.budget().catalog.is_none_or(|most: TextLimit| most.allows(count));
            if !fits || omitted > 0 {
                omitted += 1;
            } else {
                line.render(out)?;
            }
        }
        match omitted {
            0 => Ok(()),
            1 => out.write_str("(1 more skill is not listed here.)\n"),
            _ => writeln!(out, "({omitted} more skills are not listed here.)"),
        }
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
