//! The answer to a search.

use crate::{
    Entries, Excerpt, Hit, OneLine, SearchOptions, SkillSet, Toolbox,
    render::{Render, rendered},
    scalars::floor,
};
use core::fmt::{self, Write};

/// How many skills one answer lists.
pub(super) const MAX_FOUND: usize = 10;

/// Maximum length of a model's query that is searched for, in bytes. A model asks with words of its
/// task; looking up a longer text, word by word as the start of others, takes time and finds no
/// more.
pub(super) const MAX_QUERY: usize = 1024;

/// The answer of `search_skills`: names and descriptions, best first, one line each.
///
/// It is what a [`Reply`](crate::Reply) to a search displays.
///
/// ```
/// use helix_skills::{Call, search::{IndexOptions, SearchMode}, Skill, skill_set, SkillSet, Toolbox};
/// # const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build();
/// # static SKILLS: SkillSet = skill_set![PDF];
/// let index = SKILLS.index(&IndexOptions::new()); // a baked set has one already
/// let toolbox = Toolbox::builder(SKILLS.with_index(index.as_index())).search(SearchMode::ToolAndList).build()?;
/// let reply = toolbox.answer(Call::SearchSkills { query: "open a pdf" });
/// assert!(reply.to_string().ends_with("\n- pdf: Reads PDF files.\n"));
/// # Ok::<(), helix_skills::ToolboxError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct FoundSkills<'a> {
    set: SkillSet<'a>,
    query: Excerpt,
    hits: [Hit; MAX_FOUND],
    len: usize,
}

impl<'a> FoundSkills<'a> {
    /// What the model of `toolbox` finds.
    pub(super) fn of(toolbox: &Toolbox<'a>, query: &str) -> Self {
        // A model asks with the words of its task: `deploy` has to find a deployment.
        let options = SearchOptions::new().prefix(true);
        let mut room = [Hit::default(); MAX_FOUND];
        let found = toolbox.search(&query[..floor(query, MAX_QUERY)], &options, &mut room);
        // A classifier is somebody else's: it may return more than there is room for, and what is not for this model.
        let view = toolbox.view();
        let mut hits = [Hit::default(); MAX_FOUND];
        let shown = found.iter().filter(|hit| view.shows_at(hit.document));
        let len = hits.iter_mut().zip(shown).map(|(place, hit)| *place = *hit).count();
        Self { set: toolbox.set(), query: Excerpt::new(query), hits, len }
    }

    /// What was found, best first: positions in the set, and scores.
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
                "No skill matches `{}`. Search with other words, as a description of the task would have them.",
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
