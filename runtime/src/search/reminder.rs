//! Reminders about skills, for user messages.

use super::{Hit, SearchEntries};
use crate::{
    OneLine,
    render::{Render, rendered},
};
use core::fmt::{self, Write};

/// A note to the model about the skills that a user's message needs.
///
/// The text is `Relevant skills:` and a line `- name (score): description [path]` for every hit,
/// without the path if the entry has none. The values are written as [`OneLine`] does. Scores are
/// rounded half to even from their exact value; JavaScript rounds half up. Without hits the text is
/// empty.
///
/// By default the text is in `<system-reminder>` tags, to append to the last text part of the
/// message. The text without [tags](Self::untagged) can be a part of its own.
///
/// ```
/// use helix_skills::search::{
///     Classifier, Document, Hit, IndexOptions, Reminder, SearchEntry, SearchIndex,
///     SearchOptions,
/// };
///
/// let skills = [
///     SearchEntry::new("pdf", "Reads\nPDF files."),
///     SearchEntry::new("deploy", "Deploys services.").path("/s/deploy/SKILL.md"),
/// ];
/// let documents = skills.map(|skill| Document::new(skill.name(), skill.description()));
/// let index = SearchIndex::build(documents, &IndexOptions::new());
///
/// let mut message = String::from("Please deploy this.");
/// let mut hits = [Hit::default(); Hit::TOP];
/// let hits = index.classify(&message, &SearchOptions::new().prefix(false), &mut hits);
/// let reminder = Reminder::new(&skills, hits);
/// message += &reminder.to_string();
/// assert_eq!(
///     message,
///     "Please deploy this.<system-reminder>Relevant skills:\n\
///      - deploy (1.18): Deploys services. [/s/deploy/SKILL.md]</system-reminder>",
/// );
/// ```
#[derive(Clone, Copy)]
pub struct Reminder<'a> {
    entries: &'a (dyn SearchEntries + Sync),
    hits: &'a [Hit],
    tags: [&'static str; 2],
}

impl<'a> Reminder<'a> {
    /// Creates a reminder of `hits` among `entries`, which must be in the order of the index. Hits
    /// without an entry are ignored.
    #[must_use]
    pub const fn new(entries: &'a (dyn SearchEntries + Sync), hits: &'a [Hit]) -> Self {
        Self { entries, hits, tags: ["<system-reminder>", "</system-reminder>"] }
    }

    /// Removes the tags, for a message part of its own.
    #[must_use]
    pub const fn untagged(self) -> Self {
        Self { tags: [""; 2], ..self }
    }
}

impl Render for Reminder<'_> {
    fn render(&self, out: &mut dyn Write) -> fmt::Result {
        let [open, close] = self.tags;
        let found = |hit: &Hit| Some((hit.score, self.entries.entry(hit.document)?));
        let mut found = self.hits.iter().filter_map(found).peekable();
        if found.peek().is_none() {
            return Ok(());
        }
        write!(out, "{open}Relevant skills:")?;
        for (score, entry) in found {
            write!(
                out,
                "\n- {} ({score:.2}): {}",
                OneLine(entry.name),
                OneLine(entry.description)
            )?;
            if let Some(path) = entry.path {
                write!(out, " [{}]", OneLine(path))?;
            }
        }
        out.write_str(close)
    }
}

rendered!(Reminder);

impl fmt::Debug for Reminder<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reminder").field("hits", &self.hits).finish_non_exhaustive()
    }
}
