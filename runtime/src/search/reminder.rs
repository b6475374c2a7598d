//! Reminders of skills, in what a user says.

use super::{Entries, Hit};
use crate::{
    OneLine,
    render::{Render, rendered},
};
use core::fmt::{self, Write};

/// A note to the model that goes into a user's message: which skills it is about.
///
/// `Relevant skills:`, and after it `- name (score): description [path]` for every hit, one line each whatever the description
/// holds; the path is there if the entry has one. No hit: no text at all, and nothing is added to the message.
///
/// Its text is a `<system-reminder>`, to be appended as it is to the last text part of the message. Without tags it can be a
/// part of its own.
///
/// ```
/// use helix_skills::search::{Classifier, Document, Entry, Hit, IndexOptions, Reminder, SearchIndexBuf, SearchOptions};
///
/// let skills = [Entry::new("pdf", "Reads\nPDF files."), Entry::new("deploy", "Deploys services.").path("/s/deploy/SKILL.md")];
/// let documents = [Document::new("pdf", "Reads\nPDF files."), Document::new("deploy", "Deploys services.")];
/// let index = SearchIndexBuf::build(documents, &IndexOptions::new());
///
/// let mut message = String::from("Please deploy this.");
/// let mut hits = [Hit::default(); Hit::TOP];
/// let hits = index.classify(&message, &SearchOptions::new(), &mut hits);
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
    entries: &'a (dyn Entries + Sync),
    hits: &'a [Hit],
    tags: [&'static str; 2],
}

impl<'a> Reminder<'a> {
    /// A reminder of what was found among `entries`: those that were searched, in the same order. Hits of documents that
    /// are not there are left out.
    #[must_use]
    pub const fn new(entries: &'a (dyn Entries + Sync), hits: &'a [Hit]) -> Self {
        Self { entries, hits, tags: ["<system-reminder>", "</system-reminder>"] }
    }

    /// The same text without its tags, for a part of its own.
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
