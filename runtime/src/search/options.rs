//! Options of indexes and searches.

use super::Words;

/// Which hits a search returns.
///
/// ```
/// # use helix_skills::{Skill, SkillSet, skill_set, search::IndexOptions};
/// use helix_skills::search::SearchOptions;
/// # const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build();
/// # const PLAN: Skill = Skill::define("plan", "Plans deployments.", "Write a list.").build();
/// # let index = skill_set![PDF, PLAN].index(&IndexOptions::new());
/// # let skills = skill_set![PDF, PLAN].with_index(&index);
/// assert_eq!(skills.search("deploy a pdf", &SearchOptions::new()).len(), 2);
/// assert_eq!(skills.search("deploy a pdf", &SearchOptions::new().limit(1)).len(), 1);
/// assert_eq!(skills.search("deploy a pdf", &SearchOptions::new().prefix(false)).len(), 1);
/// assert!(skills.search("deploy a pdf", &SearchOptions::new().threshold(9.0)).is_empty());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct SearchOptions {
    pub(crate) limit: usize,
    pub(crate) threshold: f64,
    pub(crate) prefix: Option<bool>,
}

impl SearchOptions {
    /// Creates the default options: five hits, every score above 0, and prefixes match.
    #[must_use]
    pub const fn new() -> Self {
        Self { limit: 5, threshold: 0.0, prefix: None }
    }

    /// Sets the maximum number of hits [default: 5, as in Deep Agents].
    #[must_use]
    pub const fn limit(self, limit: usize) -> Self {
        Self { limit, ..self }
    }

    /// Accepts only scores greater than `threshold`. A score of 0 is never a hit.
    #[must_use]
    pub const fn threshold(self, threshold: f64) -> Self {
        Self { threshold, ..self }
    }

    /// Sets whether a word of the query also matches longer words that start with it: `deploy`
    /// matches `deployment` [default: true, except in the profile `DeepAgents`].
    ///
    /// Applies to words of at least three characters that are not stop words. The weight of a
    /// longer word is multiplied by the length of the query's word over its own, in bytes: 6/10 for
    /// `deployment`. The score of a skill is the sum over all matches. Off, words match whole words
    /// only, as in the reference, the package `tiny-tfidf`.
    #[must_use]
    pub const fn prefix(self, prefix: bool) -> Self {
        Self { prefix: Some(prefix), ..self }
    }
}

impl Default for SearchOptions {
    fn default() -> Self {
        Self::new()
    }
}

/// Which parts of skills are indexed, and how. The default is that of `tiny-tfidf`.
///
/// ```
/// # use helix_skills::{Skill, SkillSet, skill_set};
/// use helix_skills::search::{IndexOptions, SearchOptions, Words};
/// # const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build();
/// # static SKILLS: SkillSet = skill_set![PDF];
/// let index = SKILLS.index(&IndexOptions::new().body(true).words(Words::Unicode));
/// let hits = SKILLS.with_index(&index).search("pdftotext", &SearchOptions::new());
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

    /// Sets how skills and queries are split into words.
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
