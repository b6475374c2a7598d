//! The `<available_skills>` catalog of the open format's reference library.

use super::format::describe;
use crate::{
    escape::escaped,
    toolbox::{CatalogEntry, CatalogFormat},
};
use core::fmt::{self, Write};

/// Maximum number of characters of `description` and `when_to_use` together, as in Claude Code.
const MAX_DESCRIPTION: usize = 1536;

pub(crate) static AVAILABLE_SKILLS: CatalogFormat = CatalogFormat {
    head: |_, out| out.write_str("<available_skills>\n"),
    entry,
    end: "</available_skills>\n",
};

fn entry(entry: CatalogEntry<'_>, out: &mut dyn Write) -> fmt::Result {
    let CatalogEntry { toolbox, skill, described } = entry;
    let is_preloaded = toolbox.is_preloaded(skill.name());
    out.write_str(if is_preloaded { "<skill loaded=\"true\">\n" } else { "<skill>\n" })?;
    element("name", out, |out| text(skill.name(), out))?;
    if described {
        element("description", out, |out| {
            let mut start = Start { out, left: MAX_DESCRIPTION, cut: false };
            describe(skill, &mut start, |text, _, out| out.write_str(text))?;
            if start.cut { start.out.write_str("…") } else { Ok(()) }
        })?;
    }
    if let Some(directory) = toolbox.directory_of(skill) {
        element("location", out, |out| directory.write_skill_md(out))?;
    }
    out.write_str("</skill>\n")
}

/// Writes a tag, its content and its end tag, each on its own lines.
pub(super) fn element(
    tag: &str,
    out: &mut dyn Write,
    content: impl FnOnce(&mut dyn Write) -> fmt::Result,
) -> fmt::Result {
    writeln!(out, "<{tag}>")?;
    content(out)?;
    writeln!(out, "\n</{tag}>")
}

/// Writes text between tags, with the five entities of Python's `html.escape`, and `<` in other
/// widths escaped.
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

/// A writer that passes on a number of characters, escaped, and drops the rest.
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
