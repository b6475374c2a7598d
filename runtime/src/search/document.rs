//! What is indexed.

use super::Words;
use crate::Skill;

/// The texts of one document, which is one skill as a rule.
///
/// ```
/// use helix_skills::{search::Document, Skill};
/// # const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build();
/// let of_text = Document::new("pdf", "Reads PDF files.").body("Use `pdftotext`.");
/// assert_eq!(Document::from(&PDF), of_text);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Document<'a> {
    pub(super) name: &'a str,
    pub(super) description: &'a str,
    pub(super) when_to_use: &'a str,
    pub(super) body: &'a str,
}

impl<'a> Document<'a> {
    /// A document of these two, which are indexed always.
    #[must_use]
    pub const fn new(name: &'a str, description: &'a str) -> Self {
        Self { name, description, when_to_use: "", body: "" }
    }

    /// With more triggers, indexed if the options say so.
    #[must_use]
    pub const fn when_to_use(self, when_to_use: &'a str) -> Self {
        Self { when_to_use, ..self }
    }

    /// With the body of a skill, indexed if the options say so.
    #[must_use]
    pub const fn body(self, body: &'a str) -> Self {
        Self { body, ..self }
    }
}

impl<'a> From<&Skill<'a>> for Document<'a> {
    fn from(skill: &Skill<'a>) -> Self {
        Self {
            name: skill.name(),
            description: skill.description(),
            when_to_use: skill.when_to_use().unwrap_or_default(),
            body: skill.body(),
        }
    }
}

/// What of the documents is indexed, and how. The default is that of the reference classifier.
///
/// ```
/// use helix_skills::{search::{Hit, IndexOptions, SearchOptions, Words}, Skill, skill_set, SkillSet};
/// # const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build();
/// # static SKILLS: SkillSet = skill_set![PDF];
/// let index = SKILLS.index(&IndexOptions::new().body(true).words(Words::Unicode));
/// let found = index.as_index().search("pdftotext", &SearchOptions::new(), &mut [Hit::default()]).len();
/// assert_eq!(found, 1); // a word of the body
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IndexOptions {
    pub(super) words: Words,
    pub(super) when_to_use: bool,
    pub(super) body: bool,
}

impl IndexOptions {
    /// Names and descriptions, with the words of the reference.
    #[must_use]
    pub const fn new() -> Self {
        Self { words: Words::Compatible, when_to_use: false, body: false }
    }

    /// How texts are taken apart, those of the documents and those of queries.
    #[must_use]
    pub const fn words(self, words: Words) -> Self {
        Self { words, ..self }
    }

    /// Whether `when_to_use` is searched.
    #[must_use]
    pub const fn when_to_use(self, when_to_use: bool) -> Self {
        Self { when_to_use, ..self }
    }

    /// Whether bodies are searched. An index of them is many times as large.
    #[must_use]
    pub const fn body(self, body: bool) -> Self {
        Self { body, ..self }
    }
}
