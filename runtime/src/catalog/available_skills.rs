//! `<available_skills>`, as the reference library of the open format writes it.

use super::format::{CatalogFormat, describe};
use crate::{Skill, Toolbox, escape::escaped};
use core::fmt::{self, Write};

/// How many characters of `description` and `when_to_use` together Claude Code lists.
const MAX_DESCRIPTION: usize = 1536;

pub(super) struct AvailableSkills;

impl CatalogFormat for AvailableSkills {
    fn head(&self, _: &Toolbox<'_>, out: &mut dyn Write) -> fmt::Result {
        out.write_str("<available_skills>\n")
    }

    fn entry(
        &self,
        toolbox: &Toolbox<'_>,
        skill: &Skill<'_>,
        described: bool,
        out: &mut dyn Write,
    ) -> fmt::Result {
        out.write_str(if toolbox.is_preloaded(skill.name()) {
            "<skill loaded=\"true\">\n"
        } else {
            "<skill>\n"
        })?;
        element("name", out, |out| text(skill.name(), out))?;
        if described {
            element("description", out, |out| {
                let mut start = Start { out, left: MAX_DESCRIPTION, cut: false };
                describe(skill, &mut start, |text, _, out| out.write_str(text))?;
                if start.cut { start.out.write_str("…") } else { Ok(()) }
            })?;
        }
        if let Some(directory) = toolbox.directory_of(skill.name()) {
            element("location", out, |out| directory.write_skill_md(out))?;
        }
        out.write_str("</skill>\n")
    }

    fn end(&self, out: &mut dyn Write) -> fmt::Result {
        out.write_str("</available_skills>\n")
    }
}

/// A tag, its content and its end, each on lines of their own.
pub(super) fn element(
    tag: &str,
    out: &mut dyn Write,
    content: impl FnOnce(&mut dyn Write) -> fmt::Result,
) -> fmt::Result {
    writeln!(out, "<{tag}>")?;
    content(out)?;
    writeln!(out, "\n</{tag}>")
}

/// Text between tags: the five entities of Python's `html.escape`, and `<` in other widths.
pub(super) fn text(text: &str, out: &mut dyn Write) -> fmt::Result {
    escaped(text, out, |c| match c {
        '&' => Some("&amp;"),
        '<' | '\u{ff1c}' | '\u{fe64}' => Some("&lt;"),
        '>' => Some("&gt;"),
        '"' => Some("&quot;"),
        '\'' => Some("&#x27;"),
        _ => None,
    })
}

/// Lets a number of characters through, escaped, and swallows the rest.
struct Start<'o> {
    out: &'o mut dyn Write,
    left: usize,
    cut: bool,
}

impl Write for Start<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let end = text.char_indices().nth(self.left).map_or(text.len(), |(at, _)| at);
        self.cut |= end < text.len();
        self.left -= text[..end].chars().count();
        self::text(&text[..end], self.out)
    }
}
