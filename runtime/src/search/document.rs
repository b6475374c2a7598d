//! Documents to index, and indexing options.

use super::Words;
use crate::Skill;

/// The texts of a document, usually of a skill.
///
/// ```
/// use helix_skills::{search::Document, Skill};
/// # const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build();
/// let document = Document::new("pdf", "Reads PDF files.").body("Use `pdftotext`.");
/// assert_eq!(Document::from(&PDF), document);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Document<'a> {
    pub(super) name: &'a str,
    pub(super) description: &'a str,
    pub(super) when_to_use: &'a str,
    pub(super) body: &'a str,
}

impl<'a> Document<'a> {
    /// Creates a document with a name and a description, which are always indexed.
    #[must_use]
    pub const fn new(name: &'a str, description: &'a str) -> Self {
        Self { name, description, when_to_use: "", body: "" }
    }

    /// Sets further triggers, which [`IndexOptions::when_to_use`] can index.
    #[must_use]
    pub const fn when_to_use(self, when_to_use: &'a str) -> Self {
        Self { when_to_use, ..self }
    }

    /// Sets the body, which [`IndexOptions::body`] can index.
    #[must_use]
    pub const fn body(self, body: &'a str) -> Self {
        Self { body, ..self }
    }
}

impl<'a> From<&'a Skill> for Document<'a> {
    fn from(skill: &'a Skill) -> Self {
        Self {
            name: skill.name(),
            description: skill.description(),
            when_to_use: skill.when_to_use().unwrap_or_default(),
            body: skill.body(),
        }
    }
}

/// Which parts of documents are indexed, and how. The default is that of `tiny-tfidf`.
///
/// ```
/// # use helix_skills::{Skill, SkillSet, skill_set};
/// use helix_skills::search::{Hit, IndexOptions, SearchOptions, Words};
/// # const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build();
/// # static SKILLS: SkillSet = skill_set![PDF];
/// let index = SKILLS.index(&IndexOptions::new().body(true).words(Words::Unicode));
/// let mut hits = [Hit::default()];
/// let hits = index.search("pdftotext", &SearchOptions::new(), &mut hits);
/// assert_eq!(hits.len(), 1); // a word of the body
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IndexOptions {
    pub(super) words: Words,
    pub(super) when_to_use: bool,
    pub(super) body: bool,
}

impl IndexOptions {
    /// Creates the default options: indexes names and descriptions, split by [`Words::Compatible`].
    #[must_use]
    pub const fn new() -> Self {
        Self { words: Words::Compatible, when_to_use: false, body: false }
    }

    /// Sets how documents and queries are split into words.
    #[must_use]
    pub const fn words(self, words: Words) -> Self {
        Self { words, ..self }
    }

    /// Sets whether `when_to_use` is indexed.
    #[must_use]
    pub const fn when_to_use(self, when_to_use: bool) -> Self {
        Self { when_to_use, ..self }
    }

    /// Sets whether bodies are indexed, which makes the index many times larger.
    #[must_use]
    pub const fn body(self, body: bool) -> Self {
        Self { body, ..self }
    }
}
