//! Catalogs in the form of a Markdown section, with one line per skill.

use super::format::{describe, is_described};
use crate::{
    Attribute, OneLine, Toolbox,
    escape::one_line,
    toolbox::{CatalogEntry, CatalogFormat},
};
use core::fmt::{self, Write};

/// `## Skills`, with a sentence that keeps models from calling skills like tools.
pub(crate) static HELIX: CatalogFormat = CatalogFormat {
    head: helix_head,
    entry: |entry, out| {
        let is_preloaded = entry.toolbox.is_preloaded(entry.skill.name());
        line(entry, if is_preloaded { " loaded=\"true\"" } else { "" }, out)
    },
    end: "",
};

/// `## Available Skills`, with argument hints and, at the end, the name of the tool.
pub(crate) static SKILL_USE: CatalogFormat = CatalogFormat {
    head: |_, out| out.write_str("## Available Skills\n\n"),
    entry: skill_use_entry,
    end: "\nUse the `skill_use` tool to load a skill's full instructions when needed.\n",
};

/// `Available Skills:` and the skills.
pub(crate) static DEER_FLOW: CatalogFormat = CatalogFormat {
    head: |_, out| out.write_str("Available Skills:\n"),
    entry: |entry, out| line(entry, "", out),
    end: "",
};

/// Writes `- name: description`, with `marks` after the name. The name is escaped as in an
/// attribute, so it cannot contain a mark.
fn line(entry: CatalogEntry<'_>, marks: &str, out: &mut dyn Write) -> fmt::Result {
    write!(out, "- {}{marks}", Attribute(entry.skill.name()))?;
    described_line(entry, out)
}

/// Writes the rest of a line: `: description`.
fn described_line(entry: CatalogEntry<'_>, out: &mut dyn Write) -> fmt::Result {
    if entry.described && is_described(entry.skill) {
        out.write_str(": ")?;
        describe(entry.skill, out, |text, following, out| one_line(text, following, false, out))?;
    }
    out.write_char('\n')
}

fn helix_head(toolbox: &Toolbox<'_>, out: &mut dyn Write) -> fmt::Result {
    // Each paragraph is one line, because the host decides where lines break.
    out.write_str("## Skills\n\nA skill is NOT a tool: it is a set of instructions, and no tool has its name. ")?;
    if toolbox.lists_skills() {
        out.write_str(
            "When a task matches one of these skills, call the tool `load_skill` with its name first, and follow \
             what it returns.\n\n",
        )
    } else {
        let skills = toolbox.view().len();
        writeln!(
            out,
            "There are {skills} of them. When a task may need one, call the tool `search_skills` with what the \
             task is about, then the tool `load_skill` with the name that fits best, and follow what it returns."
        )
    }
}

fn skill_use_entry(entry: CatalogEntry<'_>, out: &mut dyn Write) -> fmt::Result {
    write!(out, "- **{}**", Attribute(entry.skill.name()))?;
    if let Some(hint) = entry.skill.argument_hint().map(str::trim).filter(|hint| !hint.is_empty()) {
        // A hint in the form `[x]` already has brackets.
        let inside = hint.strip_prefix('[').and_then(|hint| hint.strip_suffix(']'));
        write!(out, " [{}]", OneLine(inside.unwrap_or(hint)))?;
    }
    described_line(entry, out)
}
