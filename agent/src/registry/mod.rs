//! Skills that are added and removed while an application runs.

mod change;
mod entry;
mod provider;
mod query;
mod text_match;

pub use change::RegistryChange;
pub use entry::RegistryEntry;
pub use query::SkillQuery;

use crate::{
    Error, ErrorKind, ProviderError,
    error_text::truncate_chars,
    run::{Run, unknown_skill},
};
use alloc::{
    borrow::ToOwned,
    collections::BTreeSet,
    format,
    string::{String, ToString},
    vec::Vec,
};
use core::{fmt, mem};
use helix_skills_runtime::{OneLine, Skill, SkillSet};

/// Maximum number of characters of an origin or a description in an error.
const MAX_LABEL: usize = 80;

/// A mutable collection of skills: they are registered, replaced, removed, looked up and searched
/// while an application runs.
///
/// Skills are sorted by name, also in search results. A registry is plain data with one owner. A
/// clone does not copy the text of skills, and is not affected by later changes of the original.
/// `SharedRegistry` of the crate `helix-skills-host` is shared between threads and reports changes
/// to subscribers.
///
/// An agent uses its [set](Self::set), or the registry as a [`Provider`](crate::Provider). A
/// toolbox that is built after a change reflects the change.
///
/// ```
/// use helix_skills::{
///     Profile, Skill, Toolbox,
///     registry::{Registry, SkillQuery},
/// };
///
/// let mut skills = Registry::new();
/// let metadata = [("author", "alice")];
/// skills.register(
///     Skill::define("triage", "Sorts new issues.", "Label $0.")
///         .metadata(&metadata)
///         .try_build()?,
/// )?;
/// skills.register(
///     Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").try_build()?,
/// )?;
/// assert!(skills.set().names().eq(["pdf", "triage"]));
///
/// let query = SkillQuery::new().text("ISSUE").metadata(&[("author", "alice")]);
/// let found = query.search(skills.set());
/// assert_eq!(found[0].description(), "Sorts new issues.");
///
/// let toolbox = Toolbox::builder(skills.set()).profile(Profile::Agentick).build()?;
/// let tool = toolbox.tools([])?.next().unwrap().description();
/// assert!(tool.ends_with("\n- pdf: Reads PDF files.\n- triage: Sorts new issues.\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Default)]
pub struct Registry {
    /// Sorted by name, each name once.
    entries: Vec<RegistryEntry>,
    /// The skill of each entry, for the [set](Self::set).
    skills: Vec<Skill>,
}

impl Registry {
    /// Creates an empty registry.
    #[must_use]
    pub const fn new() -> Self {
        Self { entries: Vec::new(), skills: Vec::new() }
    }

    /// Adds a skill, or an [entry](RegistryEntry) with the contract of its input or with lazy
    /// files.
    ///
    /// ```
    /// use helix_skills::{registry::Registry, Skill};
    /// const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build();
    /// const FORMS: Skill = Skill::define("pdf", "Fills in PDF forms.", "Use `qpdf`.").build();
    ///
    /// let mut skills = Registry::new();
    /// skills.register(PDF)?;
    /// assert_eq!(
    ///     skills.register(FORMS).unwrap_err().to_string(),
    ///     "two skills have the name `pdf`: `Reads PDF files.` is registered, \
    ///      `Fills in PDF forms.` is not",
    /// );
    /// # Ok::<(), helix_skills::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the registry has another skill of this name, which stays; [`replace`](Self::replace)
    /// replaces it.
    pub fn register(&mut self, entry: impl Into<RegistryEntry>) -> Result<(), Error> {
        self.insert(entry.into(), false)
    }

    /// Adds a skill, and returns the skill of the same name that it replaces, if any.
    ///
    /// If the entry has the registered skill itself, for example to attach a contract to it, it
    /// keeps the skill's origin: [`extend`](Self::extend) can reload the skill.
    pub fn replace(&mut self, entry: impl Into<RegistryEntry>) -> Option<Skill> {
        let mut entry = entry.into();
        match self.position(entry.skill.name()) {
            Ok(at) => {
                if entry.origin.is_none() && entry.skill == self.skills[at] {
                    entry.origin.clone_from(&self.entries[at].origin);
                }
                self.entries[at] = entry.clone();
                Some(mem::replace(&mut self.skills[at], entry.skill))
            }
            Err(at) => {
                self.insert_at(at, entry);
                None
            }
        }
    }

    /// Removes a skill, and returns it.
    pub fn remove(&mut self, name: &str) -> Option<Skill> {
        let at = self.position(name).ok()?;
        self.entries.remove(at);
        Some(self.skills.remove(at))
    }

    /// Adds loaded skills, each given as its origin and the result of loading it. Returns the
    /// skills that were left out: the origin of each, and the reason.
    ///
    /// A skill whose name is taken is left out, unless the registered skill has the same origin:
    /// then it was reloaded, and is replaced. The contract and the lazy files of its entry stay,
    /// unless the new entry has its own.
    ///
    /// ```
    /// use helix_skills::{Skill, registry::Registry};
    /// let rows = [
    ///     ("row 1", "pdf", "Reads PDF files."),
    ///     ("row 2", "csv", " "),
    ///     ("row 3", "pdf", "Fills in forms."),
    /// ];
    /// let skill =
    ///     |name, about| Skill::define(name, about, "…").try_build();
    ///
    /// let mut skills = Registry::new();
    /// let problems = skills.extend(rows.map(|(row, name, about)| (row, skill(name, about))));
    /// assert!(skills.set().names().eq(["pdf"]));
    /// let problems: Vec<String> =
    ///     problems.iter().map(|(row, why)| format!("{row}: {why}")).collect();
    /// assert_eq!(
    ///     problems,
    ///     [
    ///         "row 2: the description is blank: say what the skill does and when to use it",
    ///         "row 3: two skills have the name `pdf`: `row 1` is registered, `row 3` is not",
    ///     ]
    /// );
    /// ```
    #[must_use = "skills that were left out should be reported"]
    pub fn extend<E: Into<ProviderError>, S: Into<RegistryEntry>>(
        &mut self,
        skills: impl IntoIterator<Item = (impl Into<String>, Result<S, E>)>,
    ) -> Vec<(String, ProviderError)> {
        let mut problems = Vec::new();
        let mut loaded = BTreeSet::new();
        for (origin, skill) in skills {
            let origin: String = origin.into();
            let mut entry: RegistryEntry = match skill {
                Ok(skill) => skill.into(),
                Err(why) => {
                    problems.push((origin, why.into()));
                    continue;
                }
            };
            entry.origin = Some((*origin).into());
            let name = entry.skill.name().to_owned();
            // Two skills of one call never replace each other, even if their origin is the same.
            match self.insert(entry, !loaded.contains(&name)) {
                Ok(()) => drop(loaded.insert(name)),
                Err(taken) => problems.push((origin, taken.into())),
            }
        }
        problems
    }

    /// Returns what has changed since `before`, a clone of this registry. A skill whose
    /// [entry](RegistryEntry) is equal has not changed.
    ///
    /// ```
    /// use helix_skills::{Skill, registry::Registry};
    /// # const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build();
    /// let mut skills = Registry::new();
    /// let before = skills.clone();
    /// skills.register(PDF)?;
    /// let change = skills.changes_since(&before);
    /// assert!(change.added.contains("pdf") && change.removed.is_empty());
    /// # Ok::<(), helix_skills::Error>(())
    /// ```
    #[must_use]
    pub fn changes_since(&self, before: &Self) -> RegistryChange {
        let mut change = RegistryChange::default();
        for entry in &self.entries {
            let name = entry.skill.name();
            match before.entry(name) {
                None => drop(change.added.insert(name.to_owned())),
                Some(before) if before == entry => {}
                Some(_) => drop(change.replaced.insert(name.to_owned())),
            }
        }
        let is_gone = |name: &&str| self.position(name).is_err();
        change.removed = before.set().names().filter(is_gone).map(str::to_owned).collect();
        change
    }

    /// Returns the entry of the skill with exactly this name.
    #[must_use]
    pub fn entry(&self, name: &str) -> Option<&RegistryEntry> {
        self.entries.get(self.position(name).ok()?)
    }

    /// Creates a [run](Run) of the skill `name`, whose input is checked against the contract of its
    /// entry.
    ///
    /// ```
    /// use helix_skills::{Skill, registry::Registry};
    /// # const TRIAGE: Skill = Skill::define("triage", "Sorts issues.", "Label it.").build();
    /// let mut skills = Registry::new();
    /// skills.register(TRIAGE)?;
    /// let run = skills.run("triage")?;
    /// assert!(skills.run("tirage").is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If there is no such skill.
    pub fn run(&self, name: &str) -> Result<Run<'static>, Error> {
        match self.entry(name) {
            Some(entry) => Ok(Run::new(entry.listed()).with_contract(entry.contract.clone())),
            None => Err(unknown_skill(name, self.set().names())),
        }
    }

    /// Returns the skills as a set, sorted by the bytes of their names: for a
    /// [`Toolbox`](helix_skills_runtime::Toolbox), an index, a template, or a [`SkillQuery`].
    #[must_use]
    pub const fn set(&self) -> SkillSet<'_> {
        SkillSet::new(self.skills.as_slice())
    }

    /// Inserts an entry. If `may_reload` is set, it replaces an entry of the same name and origin.
    fn insert(&mut self, entry: RegistryEntry, may_reload: bool) -> Result<(), Error> {
        match self.position(entry.skill.name()) {
            Err(at) => self.insert_at(at, entry),
            Ok(at) if may_reload && self.entries[at].origin == entry.origin => {
                self.skills[at] = entry.skill.clone();
                self.entries[at] = entry.or_data_of(&self.entries[at]);
            }
            Ok(at) => return Err(name_taken(&self.entries[at], &entry)),
        }
        Ok(())
    }

    fn insert_at(&mut self, at: usize, entry: RegistryEntry) {
        self.skills.insert(at, entry.skill.clone());
        self.entries.insert(at, entry);
    }

    /// Returns the index of the skill of this name, or the index to insert it at as an error.
    fn position(&self, name: &str) -> Result<usize, usize> {
        self.skills.binary_search_by(|skill| skill.name().cmp(name))
    }
}

/// Registers the skills of a set, such as embedded ones.
impl From<SkillSet<'_>> for Registry {
    fn from(set: SkillSet<'_>) -> Self {
        let skills = set.to_vec();
        Self { entries: skills.iter().map(RegistryEntry::from).collect(), skills }
    }
}

impl fmt::Debug for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.set().names()).finish()
    }
}

/// Returns the error that the name of two skills is taken. It identifies both skills by where they
/// were loaded from, or by their descriptions.
fn name_taken(registered: &RegistryEntry, refused: &RegistryEntry) -> Error {
    // An origin that both share does not distinguish them.
    let by_origin = registered.origin != refused.origin;
    let label = |entry: &RegistryEntry| {
        let origin = entry.origin.as_deref().filter(|_| by_origin);
        let label = origin.unwrap_or(entry.skill.description());
        truncate_chars(OneLine(label).to_string(), MAX_LABEL)
    };
    let (name, [label, of_refused]) = (refused.skill.name(), [registered, refused].map(label));
    let message = match label == of_refused {
        true => format!("the skill `{name}` (`{label}`) is already registered"),
        false => format!(
            "two skills have the name `{name}`: `{label}` is registered, `{of_refused}` is not"
        ),
    };
    Error::new(ErrorKind::Duplicate, message).with_hint(Some(
        "rename one of the two skills, or replace the registered one with `replace`",
    ))
}
