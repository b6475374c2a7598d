//! Recognizes calls of a skill as if it were a tool, a mistake that catalogs warn of.

use super::{Toolbox, tool_kind::ToolKind};
use crate::{
    Excerpt, OneLine, Skill,
    render::{Render, rendered},
};
use core::fmt::{self, Write};

/// A skill that a model called as if it were a tool. `Display` is the answer for the call: that
/// the tool does not exist, and how to use the skill.
///
/// ```
/// use helix_skills::{Profile, Skill, skill_set, SkillSet, Toolbox};
/// # const PDF: Skill = Skill::define("pdf-forms", "Fills forms.", "Use `pdftk`.").build();
/// # static SKILLS: SkillSet = skill_set![PDF];
/// let toolbox = Toolbox::new(SKILLS);
/// let tools = ["get_weather"]; // the agent's own tools
/// let mistake = toolbox.skill_as_tool("pdf_forms", tools).unwrap();
/// assert_eq!(mistake.skill().name(), "pdf-forms");
/// assert_eq!(
///     mistake.to_string(),
///     "there is no tool `pdf_forms`: `pdf-forms` is a skill, a set of instructions. \
///      Call the tool `load_skill` with the skill's name, `pdf-forms`, and follow what it \
///      returns.",
/// );
/// assert!(toolbox.skill_as_tool("get_weather", tools).is_none());
/// assert!(toolbox.skill_as_tool("get_time", tools).is_none());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct SkillAsTool<'a> {
    toolbox: Toolbox<'a>,
    skill: &'a Skill,
    called: &'a str,
}

impl<'a> Toolbox<'a> {
    /// Returns the skill that the model meant by calling the tool `called`, unless `called` is one
    /// of `tools`, the agent's own, or one of [the skill tools](Self::tools).
    ///
    /// Case and separators do not matter (`pdf-forms`, `pdf_forms`, `PdfForms`), nor do common
    /// prefixes and suffixes (`skills__pdf-forms`, `use_pdf_forms`, `pdf-forms-skill`,
    /// `plugin:pdf-forms`, `/skills/pdf-forms/SKILL.md`). Skills that the agent may not load are
    /// never returned. If `called` differs from the name of a tool only in case and separators, it
    /// is taken for that tool, misspelled.
    #[must_use]
    pub fn skill_as_tool<'c, 'n>(
        &self,
        called: &'c str,
        tools: impl IntoIterator<Item = &'n str>,
    ) -> Option<SkillAsTool<'c>>
    where
        'a: 'c,
    {
        let (mut is_tool, mut is_nearly_tool) =
            (ToolKind::named(called, self.profile).is_some_and(|kind| self.has(kind)), false);
        for tool in tools {
            is_tool |= tool == called;
            is_nearly_tool |= is_same(tool, called);
        }
        if is_tool {
            return None;
        }
        let found = |skill| SkillAsTool { toolbox: *self, skill, called };
        if let Some(skill) = self.view().find(called) {
            return Some(found(skill));
        }
        if is_nearly_tool || called.len() > MAX_BYTES {
            return None;
        }
        let candidates =
            WithoutLeading(Some(called)).flat_map(|leading| WithoutTrailing(Some(leading)));
        let mut candidates = candidates.take(MAX_SPELLINGS);
        candidates
            .find_map(|name| self.view().iter().find(|skill| is_same(skill.name(), name)))
            .map(found)
    }
}

impl<'a> SkillAsTool<'a> {
    /// Returns the skill.
    #[must_use]
    pub const fn skill(&self) -> &'a Skill {
        self.skill
    }
}

impl Render for SkillAsTool<'_> {
    fn render(&self, out: &mut dyn Write) -> fmt::Result {
        let name = self.skill.name();
        write!(
            out,
            "there is no tool `{}`: `{}` is a skill, a set of instructions. ",
            Excerpt(self.called),
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
        match self.toolbox.directory_of(self.skill) {
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

/// Maximum length in bytes of a called name that is compared without prefixes and suffixes.
const MAX_BYTES: usize = 512;

/// Maximum number of shortened spellings that are compared with the names of all skills. A name of
/// 512 bytes can have ten thousand.
const MAX_SPELLINGS: usize = 64;

/// Words that may precede the name of a skill.
const LEADING_WORDS: [&str; 16] = [
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

/// Words that may follow the name of a skill.
const TRAILING_WORDS: [&str; 5] = ["skill", "skills", "tool", "tools", "md"];

/// Returns whether `c` separates words.
const fn is_separator(c: char) -> bool {
    matches!(c, '-' | '_' | '.' | ':' | '/' | ' ')
}

/// Returns whether two names are equal except for case and separators. A name of separators alone
/// equals none.
fn is_same(one: &str, other: &str) -> bool {
    let letters =
        |name| str::chars(name).filter(|c| !is_separator(*c)).flat_map(char::to_lowercase);
    letters(one).next().is_some() && letters(one).eq(letters(other))
}

fn is_one_of(words: &[&str], word: &str) -> bool {
    words.iter().any(|known| known.eq_ignore_ascii_case(word))
}

/// An iterator over a name and what remains of it after each leading word is removed.
struct WithoutLeading<'c>(Option<&'c str>);

impl<'c> Iterator for WithoutLeading<'c> {
    type Item = &'c str;

    fn next(&mut self) -> Option<&'c str> {
        let name = self.0?;
        let name = name.trim_start_matches(is_separator);
        self.0 = match name.split_once(is_separator) {
            Some((word, rest)) if is_one_of(&LEADING_WORDS, word) => Some(rest),
            // Any prefix of `plugin:name` or `directory/name`.
            _ => name.split_once([':', '/']).map(|(_, rest)| rest),
        };
        Some(name)
    }
}

/// The same for trailing words.
struct WithoutTrailing<'c>(Option<&'c str>);

impl<'c> Iterator for WithoutTrailing<'c> {
    type Item = &'c str;

    fn next(&mut self) -> Option<&'c str> {
        let name = self.0?.trim_end_matches(is_separator);
        self.0 = name
            .rsplit_once(is_separator)
            .filter(|(_, word)| is_one_of(&TRAILING_WORDS, word))
            .map(|(rest, _)| rest);
        Some(name)
    }
}
