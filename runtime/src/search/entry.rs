//! What a document is called when a hit is shown.

use crate::SkillSet;

/// What is said of a document that was found.
///
/// ```
/// use helix_skills::search::Entry;
/// const DEPLOY: Entry = Entry::new("deploy", "Deploys services.").path("/skills/deploy/SKILL.md");
/// assert_eq!((DEPLOY.name(), DEPLOY.description()), ("deploy", "Deploys services."));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Entry<'a> {
    pub(super) name: &'a str,
    pub(super) description: &'a str,
    pub(super) path: Option<&'a str>,
}

impl<'a> Entry<'a> {
    /// An entry without a path.
    #[must_use]
    pub const fn new(name: &'a str, description: &'a str) -> Self {
        Self { name, description, path: None }
    }

    /// What the document is called.
    #[must_use]
    pub const fn name(&self) -> &'a str {
        self.name
    }

    /// What it is about.
    #[must_use]
    pub const fn description(&self) -> &'a str {
        self.description
    }

    /// With the path of its `SKILL.md`, for models that read files by themselves.
    #[must_use]
    pub const fn path(self, path: &'a str) -> Self {
        Self { path: Some(path), ..self }
    }
}

/// The documents of a corpus, by their positions: a [`SkillSet`], entries, or whatever a program has.
///
/// ```
/// use helix_skills::search::{Entries, Entry, Hit, Reminder};
///
/// /// Rows of a table.
/// struct Rows(Vec<(String, String)>);
///
/// impl Entries for Rows {
///     fn entry(&self, document: usize) -> Option<Entry<'_>> {
///         self.0.get(document).map(|(name, about)| Entry::new(name, about))
///     }
/// }
///
/// let rows = Rows(vec![("pdf".into(), "Reads PDF files.".into())]);
/// let hits = [Hit::new(0, 1.5)];
/// let reminder = Reminder::new(&rows, &hits).untagged();
/// assert_eq!(reminder.to_string(), "Relevant skills:\n- pdf (1.50): Reads PDF files.");
/// ```
pub trait Entries {
    /// What is said of a document, if there is such a one.
    fn entry(&self, document: usize) -> Option<Entry<'_>>;
}

impl Entries for SkillSet<'_> {
    fn entry(&self, document: usize) -> Option<Entry<'_>> {
        self.skills.get(document).map(|skill| Entry::new(skill.name(), skill.description()))
    }
}

impl Entries for [Entry<'_>] {
    fn entry(&self, document: usize) -> Option<Entry<'_>> {
        self.get(document).copied()
    }
}

impl<const N: usize> Entries for [Entry<'_>; N] {
    fn entry(&self, document: usize) -> Option<Entry<'_>> {
        self.get(document).copied()
    }
}

impl<E: Entries + ?Sized> Entries for &E {
    fn entry(&self, document: usize) -> Option<Entry<'_>> {
        (**self).entry(document)
    }
}
