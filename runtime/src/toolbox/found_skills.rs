//! The answer to a search.

use crate::{
    Excerpt, Hit, OneLine, SearchEntries, SearchOptions, SkillSet, Toolbox,
    render::{Render, rendered},
    scalars::floor,
};
use alloc::string::{String, ToString};
use core::fmt::{self, Write};

/// Maximum number of skills in an answer.
pub(super) const MAX_FOUND: usize = 10;

/// Maximum length of a model's query in bytes; the rest is not searched for. Matching each word of
/// a longer text as a prefix would take time and find nothing more.
pub(super) const MAX_QUERY: usize = 1024;

/// The answer of `search_skills`: names and descriptions, best first, one line each.
///
/// This is what a [`Reply`](crate::Reply) to a search displays.
///
/// ```
/// # use helix_skills::{Call, Skill, SkillSet, Toolbox, skill_set};
/// use helix_skills::search::{IndexOptions, SearchMode};
/// # const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build();
/// # static SKILLS: SkillSet = skill_set![PDF];
/// let index = SKILLS.index(&IndexOptions::new()); // baked sets already have one
/// let set = SKILLS.with_index(&index);
/// let toolbox = Toolbox::builder(set).search(SearchMode::ToolAndList).build()?;
/// let reply = toolbox.answer(Call::SearchSkills { query: "open a pdf" });
/// assert!(reply.to_string().ends_with("\n- pdf: Reads PDF files.\n"));
/// # Ok::<(), helix_skills::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct FoundSkills<'a> {
    set: SkillSet<'a>,
    query: String,
    hits: [Hit; MAX_FOUND],
    len: usize,
}

impl<'a> FoundSkills<'a> {
    /// Searches the skills of `toolbox` for `query`.
    pub(super) fn search(toolbox: &Toolbox<'a>, query: &str) -> Self {
        let mut buffer = [Hit::default(); MAX_FOUND];
        let found =
            toolbox.search(&query[..floor(query, MAX_QUERY)], &SearchOptions::new(), &mut buffer);
        // A custom classifier may return too many hits, or skills that this model may not see.
        let view = toolbox.view();
        let mut hits = [Hit::default(); MAX_FOUND];
        let visible = found.iter().filter(|hit| view.shows_at(hit.document));
        let len = hits.iter_mut().zip(visible).map(|(place, hit)| *place = *hit).count();
        Self { set: toolbox.set(), query: Excerpt(query).to_string(), hits, len }
    }

    /// Returns the hits, best first, as positions in the set with their scores.
    #[must_use]
    pub fn hits(&self) -> &[Hit] {
        &self.hits[..self.len]
    }
}

impl Render for FoundSkills<'_> {
    fn render(&self, out: &mut dyn Write) -> fmt::Result {
        if self.hits().is_empty() {
            return write!(
                out,
                "No skill matches `{}`. Search with other words that describe the task.",
                self.query
            );
        }
        out.write_str("The skills that match best; load one before you follow it:\n")?;
        for entry in self.hits().iter().filter_map(|hit| self.set.entry(hit.document)) {
            writeln!(out, "- {}: {}", OneLine(entry.name()), OneLine(entry.description()))?;
        }
        Ok(())
    }
}

rendered!(FoundSkills);
