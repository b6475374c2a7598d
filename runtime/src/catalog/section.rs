//! Catalogs in the form of a Markdown section, with one line per skill.

use super::format::{describe, is_described};
use crate::{Attribute, OneLine, Skill, Toolbox, escape::one_line, toolbox::CatalogFormat};
use core::fmt::{self, Write};

/// Writes `- name: description`, with `marks` after the name. The name is escaped as in an
/// attribute, so it cannot contain a mark.
fn line(skill: &Skill, marks: &str, described: bool, out: &mut dyn Write) -> fmt::Result {
    write!(out, "- {}{marks}", Attribute(skill.name()))?;
    described_line(skill, described, out)
}

/// Writes the rest of a line: `: description`.
fn described_line(skill: &Skill, described: bool, out: &mut dyn Write) -> fmt::Result {
    if described && is_described(skill) {
        out.write_str(": ")?;
        describe(skill, out, |text, following, out| one_line(text, following, false, out))?;
    }
    out.write_char('\n')
}

/// `## Skills`, with a sentence that keeps models from calling skills like tools.
pub(crate) struct Helix;

impl CatalogFormat for Helix {
    fn head(&self, toolbox: &Toolbox<'_>, out: &mut dyn Write) -> fmt::Result {
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

    fn entry(
        &self,
        toolbox: &Toolbox<'_>,
        skill: &Skill,
        described: bool,
        out: &mut dyn Write,
    ) -> fmt::Result {
        line(
            skill,
            if toolbox.is_preloaded(skill.name()) { " loaded=\"true\"" } else { "" },
            described,
            out,
        )
    }
}

/// `## Available Skills`, with argument hints and, at the end, the name of the tool.
pub(crate) struct SkillUse;

impl CatalogFormat for SkillUse {
    fn head(&self, _: &Toolbox<'_>, out: &mut dyn Write) -> fmt::Result {
        out.write_str("## Available Skills\n\n")
    }

    fn entry(
        &self,
        _: &Toolbox<'_>,
        skill: &Skill,
        described: bool,
        out: &mut dyn Write,
    ) -> fmt::Result {
        write!(out, "- **{}**", Attribute(skill.name()))?;
        if let Some(hint) = skill.argument_hint().map(str::trim).filter(|hint| !hint.is_empty()) {
            // A hint in the form `[x]` already has brackets.
            let inside = hint.strip_prefix('[').and_then(|hint| hint.strip_suffix(']'));
            write!(out, " [{}]", OneLine(inside.unwrap_or(hint)))?;
        }
        described_line(skill, described, out)
    }

    fn end(&self, out: &mut dyn Write) -> fmt::Result {
        out.write_str(
            "\nUse the `skill_use` tool to load a skill's full instructions when needed.\n",
        )
    }
}

/// `Available Skills:` and the skills.
pub(crate) struct DeerFlow;

impl CatalogFormat for DeerFlow {
    fn head(&self, _: &Toolbox<'_>, out: &mut dyn Write) -> fmt::Result {
        out.write_str("Available Skills:\n")
    }

    fn entry(
        &self,
        _: &Toolbox<'_>,
        skill: &Skill,
        described: bool,
        out: &mut dyn Write,
    ) -> fmt::Result {
        line(skill, "", described, out)
    }
}
