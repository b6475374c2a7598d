//! Recognizes calls of a skill as if it were a tool, a mistake that catalogs warn of.

use super::{Reply, Toolbox, reply::text_reply, tool_kind::ToolKind};
use crate::{Excerpt, OneLine, Skill};
use alloc::{borrow::ToOwned, format, string::String};
use core::iter;

impl Toolbox<'_> {
    /// Returns the answer to a call of `called`, a skill that the model took for a tool: that the
    /// tool does not exist, and how to use the skill. `None` if `called` is one of `tools`, the
    /// agent's own, or one of [the skill tools](Self::tools), or is like no skill.
    ///
    /// Case and separators do not matter (`pdf-forms`, `pdf_forms`, `PdfForms`), nor do common
    /// prefixes and suffixes (`skills__pdf-forms`, `use_pdf_forms`, `pdf-forms-skill`,
    /// `plugin:pdf-forms`, `/skills/pdf-forms/SKILL.md`). Skills that the agent may not load are
    /// never named. If `called` differs from the name of a tool only in case and separators, it is
    /// taken for that tool, misspelled.
    ///
    /// ```
    /// use helix_skills::{Profile, Skill, skill_set, SkillSet, Toolbox};
    /// # const PDF: Skill = Skill::define("pdf-forms", "Fills forms.", "Use `pdftk`.").build();
    /// # static SKILLS: SkillSet = skill_set![PDF];
    /// let toolbox = Toolbox::new(SKILLS);
    /// let tools = ["get_weather"]; // the agent's own tools
    /// assert_eq!(
    ///     toolbox.skill_as_tool("pdf_forms", tools).unwrap().to_string(),
    ///     "there is no tool `pdf_forms`: `pdf-forms` is a skill, a set of instructions. \
    ///      Call the tool `load_skill` with the skill's name, `pdf-forms`, and follow what it \
    ///      returns.",
    /// );
    /// assert!(toolbox.skill_as_tool("get_weather", tools).is_none());
    /// assert!(toolbox.skill_as_tool("get_time", tools).is_none());
    /// ```
    #[must_use]
    pub fn skill_as_tool<'n>(
        &self,
        called: &str,
        tools: impl IntoIterator<Item = &'n str>,
    ) -> Option<Reply<'static>> {
        let (mut is_tool, mut is_nearly_tool) =
            (ToolKind::named(called, self.profile).is_some_and(|kind| self.has(kind)), false);
        for tool in tools {
            is_tool |= tool == called;
            is_nearly_tool |= is_same(tool, called);
        }
        if is_tool {
            return None;
        }
        let found = |skill| text_reply(self.skill_is_no_tool(called, skill), true);
        if let Some(skill) = self.view().find(called) {
            return Some(found(skill));
        }
        if is_nearly_tool || called.len() > MAX_BYTES {
            return None;
        }
        let mut candidates = without_leading(called).flat_map(without_trailing).take(MAX_SPELLINGS);
        candidates
            .find_map(|name| self.view().iter().find(|skill| is_same(skill.name(), name)))
            .map(found)
    }

    fn skill_is_no_tool(&self, called: &str, skill: &Skill) -> String {
        let name = OneLine(skill.name());
        let use_it = if self.is_preloaded(skill.name()) {
            "They are in front of you already: follow them.".to_owned()
        } else if let Some(tool) = self.load_tool() {
            format!(
                "Call the tool `{tool}` with the skill's name, `{name}`, and follow what it returns."
            )
        } else {
            let mut path = String::new();
            if let Some(directory) = self.directory_of(skill) {
                // Writing into a string cannot fail.
                let _ = directory.write_skill_md(&mut path);
                format!("Read `{path}`, and follow it.")
            } else {
                "Read its `SKILL.md`, and follow it.".to_owned()
            }
        };
        let called = Excerpt(called);
        format!("there is no tool `{called}`: `{name}` is a skill, a set of instructions. {use_it}")
    }
}

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

/// Returns a name, and what remains of it after each leading word is removed.
fn without_leading(name: &str) -> impl Iterator<Item = &str> {
    iter::successors(Some(name.trim_start_matches(is_separator)), |name| {
        let rest = match name.split_once(is_separator) {
            Some((word, rest)) if is_one_of(&LEADING_WORDS, word) => rest,
            // Any prefix of `plugin:name` or `directory/name`.
            _ => name.split_once([':', '/'])?.1,
        };
        Some(rest.trim_start_matches(is_separator))
    })
}

/// The same for trailing words.
fn without_trailing(name: &str) -> impl Iterator<Item = &str> {
    iter::successors(Some(name.trim_end_matches(is_separator)), |name| {
        let (rest, word) = name.rsplit_once(is_separator)?;
        is_one_of(&TRAILING_WORDS, word).then(|| rest.trim_end_matches(is_separator))
    })
}
