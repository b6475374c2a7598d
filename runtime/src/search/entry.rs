//! The texts that describe a document in a list of hits.

use crate::SkillSet;

/// The name, description and path of a document, for a list of hits.
///
/// ```
/// use helix_skills::search::SearchEntry;
/// const DEPLOY: SearchEntry =
///     SearchEntry::new("deploy", "Deploys services.").path("/skills/deploy/SKILL.md");
/// assert_eq!((DEPLOY.name(), DEPLOY.description()), ("deploy", "Deploys services."));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchEntry<'a> {
    pub(super) name: &'a str,
    pub(super) description: &'a str,
    pub(super) path: Option<&'a str>,
}

impl<'a> SearchEntry<'a> {
    /// Creates an entry without a path.
    #[must_use]
    pub const fn new(name: &'a str, description: &'a str) -> Self {
        Self { name, description, path: None }
    }

    /// Returns the name of the document.
    #[must_use]
    pub const fn name(&self) -> &'a str {
        self.name
    }

    /// Returns the description of the document.
    #[must_use]
    pub const fn description(&self) -> &'a str {
        self.description
    }

    /// Sets the path of the document's `SKILL.md`, for models that read files themselves.
    #[must_use]
    pub const fn path(self, path: &'a str) -> Self {
        Self { path: Some(path), ..self }
    }
}

/// The entries of a corpus by document position, such as those of a [`SkillSet`] or a slice.
///
/// ```
/// use helix_skills::search::{SearchEntries, SearchEntry, Hit, Reminder};
///
/// /// The rows of a table.
/// struct Rows(Vec<(String, String)>);
///
/// impl SearchEntries for Rows {
///     fn entry(&self, document: usize) -> Option<SearchEntry<'_>> {
///         self.0.get(document).map(|(name, about)| SearchEntry::new(name, about))
///     }
/// }
///
/// let rows = Rows(vec![("pdf".into(), "Reads PDF files.".into())]);
/// let hits = [Hit::new(0, 1.5)];
/// let reminder = Reminder::new(&rows, &hits).untagged();
/// assert_eq!(reminder.to_string(), "Relevant skills:\n- pdf (1.50): Reads PDF files.");
/// ```
pub trait SearchEntries {
    /// Returns the entry of `document`, or `None` if it does not exist.
    fn entry(&self, document: usize) -> Option<SearchEntry<'_>>;
}

impl SearchEntries for SkillSet<'_> {
    fn entry(&self, document: usize) -> Option<SearchEntry<'_>> {
        self.skills.get(document).map(|skill| SearchEntry::new(skill.name(), skill.description()))
    }
}

impl SearchEntries for [SearchEntry<'_>] {
    fn entry(&self, document: usize) -> Option<SearchEntry<'_>> {
        self.get(document).copied()
    }
}

impl<const N: usize> SearchEntries for [SearchEntry<'_>; N] {
    fn entry(&self, document: usize) -> Option<SearchEntry<'_>> {
        self.get(document).copied()
    }
}

impl<E: SearchEntries + ?Sized> SearchEntries for &E {
    fn entry(&self, document: usize) -> Option<SearchEntry<'_>> {
        (**self).entry(document)
    }
}
