//! What a search finds.

/// A document that answers a query, and how well. Scores compare the answers of one query with each other; no score
/// means the same in another corpus, and none is the highest.
///
/// ```
/// use helix_skills::{search::{Hit, IndexOptions, SearchOptions}, Skill, skill_set, SkillSet};
/// # const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build();
/// # static SKILLS: SkillSet = skill_set![PDF];
/// let index = SKILLS.index(&IndexOptions::new()); // a baked set has one already
/// let mut hits = [Hit::default(); Hit::TOP];
/// for hit in SKILLS.with_index(index.as_index()).search("a pdf", &SearchOptions::new(), &mut hits) {
///     let skill = SKILLS.iter().nth(hit.document).unwrap();
///     assert_eq!(skill.name(), "pdf");
/// }
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Hit {
    /// The position of the document among those that were indexed: for a set, the position of the skill.
    pub document: usize,
    /// Higher is better.
    pub score: f64,
}

impl Hit {
    /// How many hits the reference gives unless told otherwise: `[Hit::default(); Hit::TOP]` is room for them.
    pub const TOP: usize = 5;

    /// A hit of the document at a position, for a host that searches by itself.
    #[must_use]
    pub const fn new(document: usize, score: f64) -> Self {
        Self { document, score }
    }

    /// Whether this hit comes before `other`: a higher score, or the same and earlier in the corpus.
    pub(super) fn is_before(&self, other: &Self) -> bool {
        self.score > other.score || (self.score == other.score && self.document < other.document)
    }
}
