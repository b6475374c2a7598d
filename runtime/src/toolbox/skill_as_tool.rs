//! A guard against the mistake that catalogs warn of: a skill that is called like a tool.

use super::{Toolbox, tool::Kind};
use crate::{
    Excerpt, OneLine, Skill,
    render::{Render, rendered},
};
use core::fmt::{self, Write};

/// A skill that a model called as if it were a tool. `Display` is what to answer the call with: that there is no such tool, and
/// how this agent uses a skill.
///
/// ```
/// use helix_skills::{Profile, Skill, skill_set, SkillSet, Toolbox};
/// # const PDF: Skill = Skill::define("pdf-forms", "Fills forms.", "Use `pdftk`.").build();
/// # static SKILLS: SkillSet = skill_set![PDF];
/// let toolbox = Toolbox::new(SKILLS);
/// let tools = ["get_weather"]; // the agent's own
/// let mistake = toolbox.skill_as_tool("pdf_forms", tools).unwrap();
/// assert_eq!(mistake.skill().name(), "pdf-forms");
/// assert_eq!(
///     mistake.to_string(),
///     "there is no tool `pdf_forms`: `pdf-forms` is a skill, a set of instructions. Call the tool `load_skill` with the \
///      skill's name, `pdf-forms`, and follow what it returns.",
/// );
/// assert!(toolbox.skill_as_tool("get_weather", tools).is_none());
/// assert!(toolbox.skill_as_tool("get_time", tools).is_none());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct SkillAsTool<'a> {
    toolbox: Toolbox<'a>,
    skill: &'a Skill<'a>,
    called: Excerpt,
}

impl<'a> Toolbox<'a> {
    /// The skill that a model means who called the tool `called`, if that is no tool: neither one of `tools`, which are the
    /// agent's own, nor one of [these](Self::tools).
    ///
    /// A skill is meant by its name, in upper or lower case, whatever stands between its words (`pdf-forms`, `pdf_forms`,
    /// `PdfForms`), also as something that is used or lies somewhere (`skills__pdf-forms`, `use_pdf_forms`, `pdf-forms-skill`,
    /// `plugin:pdf-forms`, `/skills/pdf-forms/SKILL.md`). A skill that the agent may not load is never meant, and a name that
    /// is that of a tool but for such differences is that tool, misspelled.
    #[must_use]
    pub fn skill_as_tool<'n>(
        &self,
        called: &str,
        tools: impl IntoIterator<Item = &'n str>,
    ) -> Option<SkillAsTool<'a>> {
        let (mut is_tool, mut is_nearly_tool) =
            (Kind::named(called, self.profile).is_some_and(|kind| self.has(kind)), false);
        for tool in tools {
            is_tool |= tool == called;
            is_nearly_tool |= is_same(tool, called);
        }
        if is_tool {
            return None;
        }
        let found = |skill| SkillAsTool { toolbox: *self, skill, called: Excerpt::new(called) };
        if let Ok(skill) = self.view().get(called) {
            return Some(found(skill));
        }
        if is_nearly_tool || called.len() > MAX_BYTES {
            return None;
        }
        let meant = Spellings(Some(called)).flat_map(|leading| TrailingSpellings(Some(leading)));
        let mut meant = meant.take(MAX_SPELLINGS);
        meant
            .find_map(|name| self.view().iter().find(|skill| is_same(skill.name(), name)))
            .map(found)
    }
}

impl<'a> SkillAsTool<'a> {
    /// The skill.
    #[must_use]
    pub const fn skill(&self) -> &'a Skill<'a> {
        self.skill
    }
}

impl Render for SkillAsTool<'_> {
    fn render(&self, out: &mut dyn Write) -> fmt::Result {
        let name = self.skill.name();
        write!(
            out,
            "there is no tool `{}`: `{}` is a skill, a set of instructions. ",
            self.called,
            OneLine(name)
        )?;
        if self.toolbox.is_preloaded(name) {
            return out.write_str("They are in front of you already: follow them.");
        }
        if let Some(tool) = self.toolbox.load_tool() {
            let name = OneLine(name);
            return write!(
                out,
                "Call the tool `{tool}` with the skill's name, `{name}`, and follow what it returns."
            );
        }
        match self.toolbox.directory_of(name) {
            Some(directory) => {
                out.write_str("Read `")?;
                directory.write_skill_md(out)?;
                out.write_str("`, and follow it.")
            }
            None => out.write_str("Read its `SKILL.md`, and follow it."),
        }
    }
}

rendered!(SkillAsTool);

/// The longest name that is looked at in parts.
const MAX_BYTES: usize = 512;

/// Parts of a name that are compared with the names of all skills: a name of 512 bytes can have ten
/// thousand.
const MAX_SPELLINGS: usize = 64;

/// What may stand in front of a skill's name in the name of a tool that there is not.
const BEFORE: [&str; 16] = [
    "skill",
    "skills",
    "use",
    "load",
    "run",
    "call",
    "invoke",
    "activate",
    "execute",
    "read",
    "open",
    "mcp",
    "function",
    "functions",
    "tool",
    "tools",
];

/// What may stand behind it.
const BEHIND: [&str; 5] = ["skill", "skills", "tool", "tools", "md"];

/// What stands between words.
const fn is_between(c: char) -> bool {
    matches!(c, '-' | '_' | '.' | ':' | '/' | ' ')
}

/// Whether two names are the same but for case and for what stands between words. Neither of them may be nothing else.
fn is_same(one: &str, other: &str) -> bool {
    let letters = |name| str::chars(name).filter(|c| !is_between(*c)).flat_map(char::to_lowercase);
    letters(one).next().is_some() && letters(one).eq(letters(other))
}

fn is_one_of(words: &[&str], word: &str) -> bool {
    words.iter().any(|known| known.eq_ignore_ascii_case(word))
}

/// A name, and what is left of it without the words in front of it, one after the other.
struct Spellings<'c>(Option<&'c str>);

impl<'c> Iterator for Spellings<'c> {
    type Item = &'c str;

    fn next(&mut self) -> Option<&'c str> {
        let name = self.0?;
        let name = name.trim_start_matches(is_between);
        self.0 = match name.split_once(is_between) {
            Some((word, rest)) if is_one_of(&BEFORE, word) => Some(rest),
            // `plugin:name` and `directory/name`, whatever they are called.
            _ => name.split_once([':', '/']).map(|(_, rest)| rest),
        };
        Some(name)
    }
}

/// The same at the end of a name.
struct TrailingSpellings<'c>(Option<&'c str>);

impl<'c> Iterator for TrailingSpellings<'c> {
    type Item = &'c str;

    fn next(&mut self) -> Option<&'c str> {
        let name = self.0?.trim_end_matches(is_between);
        self.0 = name
            .rsplit_once(is_between)
            .filter(|(_, word)| is_one_of(&BEHIND, word))
            .map(|(rest, _)| rest);
        Some(name)
    }
}
