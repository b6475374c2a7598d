//! Skills that are added and removed while an application runs.

mod case_fold;
mod change;
mod entry;
mod error;
mod provider;
mod query;
mod text_match;

pub use change::{Extended, RegistryChange};
pub use entry::RegistryEntry;
pub use error::{ExtendError, NameTaken};
pub use query::SkillQuery;

use crate::{
    Error,
    run::{Run, unknown_skill},
};
use alloc::{borrow::ToOwned, collections::BTreeSet, string::String, vec::Vec};
use core::{fmt, mem};
use entry::EntryData;
use helix_skills_runtime::{__internal::known_names, Skill, SkillSet};

/// A mutable collection of skills: they are registered, replaced, removed, looked up and searched
/// while an application runs.
///
/// Skills are sorted by name, also in search results. A registry is plain data with one owner. A
/// clone does not copy the text of skills, and is not affected by later changes of the original.
/// `SharedRegistry` of the crate `helix-skills-host` is shared between threads and notifies
/// subscribers of changes.
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
/// assert!(skills.names().eq(["pdf", "triage"]));
///
/// let found =
///     skills.search(&SkillQuery::new().text("ISSUE").metadata(&[("author", "alice")]));
/// assert_eq!(found[0].description(), "Sorts new issues.");
///
/// let toolbox = Toolbox::builder(skills.set()).profile(Profile::Agentick).build()?;
/// let tool = toolbox.tools([])?.next().unwrap().description().to_string();
/// assert!(tool.ends_with("\n- pdf: Reads PDF files.\n- triage: Sorts new issues.\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Default)]
pub struct Registry {
    /// Sorted by name, each name once.
    skills: Vec<Skill>,
    /// The rest of each skill's entry.
    data: Vec<EntryData>,
}

impl Registry {
    /// Creates an empty registry.
    #[must_use]
    pub const fn new() -> Self {
        Self { skills: Vec::new(), data: Vec::new() }
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
    /// # Ok::<(), helix_skills::registry::NameTaken>(())
    /// ```
    ///
    /// # Errors
    /// If the registry has another skill of this name, which stays; [`replace`](Self::replace)
    /// replaces it.
    pub fn register(&mut self, entry: impl Into<RegistryEntry>) -> Result<(), NameTaken> {
        self.insert(entry.into(), false)
    }

    /// Adds a skill, and returns the skill of the same name that it replaces, if any.
    ///
    /// If the entry has the registered skill itself, for example to attach a contract to it, it
    /// keeps the skill's origin: [`extend`](Self::extend) can reload the skill.
    pub fn replace(&mut self, entry: impl Into<RegistryEntry>) -> Option<Skill> {
        let RegistryEntry { skill, mut data } = entry.into();
        match self.position(skill.name()) {
            Ok(at) => {
                if data.origin.is_none() && skill == self.skills[at] {
                    data.origin.clone_from(&self.data[at].origin);
                }
                self.data[at] = data;
                Some(mem::replace(&mut self.skills[at], skill))
            }
            Err(at) => {
                self.skills.insert(at, skill);
                self.data.insert(at, data);
                None
            }
        }
    }

    /// Removes a skill, and returns it.
    pub fn remove(&mut self, name: &str) -> Option<Skill> {
        let at = self.position(name).ok()?;
        self.data.remove(at);
        Some(self.skills.remove(at))
    }

    /// Adds loaded skills, each given as its origin and the result of loading it. A skill that
    /// failed to load does not affect the others.
    ///
    /// A skill whose name is taken is reported as a problem, unless the registered skill has the
    /// same origin: then it was reloaded, and is replaced. The contract and the lazy files of its
    /// entry stay, unless the new entry has its own.
    ///
    /// ```
    /// use helix_skills::{Skill, define::DefinitionError, registry::Registry};
    /// let rows = [
    ///     ("row 1", "pdf", "Reads PDF files."),
    ///     ("row 2", "csv", " "),
    ///     ("row 3", "pdf", "Fills in forms."),
    /// ];
    /// let skill =
    ///     |name, about| Skill::define(name, about, "…").try_build();
    ///
    /// let mut skills = Registry::new();
    /// let outcome = skills.extend(rows.map(|(row, name, about)| (row, skill(name, about))));
    /// assert!(outcome.change.added.iter().eq(["pdf"]));
    /// let problems: Vec<String> =
    ///     outcome.problems.iter().map(|(row, why)| format!("{row}: {why}")).collect();
    /// assert_eq!(
    ///     problems,
    ///     [
    ///         "row 2: the description is blank: say what the skill does and when to use it",
    ///         "row 3: two skills have the name `pdf`: `row 1` is registered, `row 3` is not",
    ///     ]
    /// );
    /// ```
    pub fn extend<E, S: Into<RegistryEntry>>(
        &mut self,
        skills: impl IntoIterator<Item = (impl Into<String>, Result<S, E>)>,
    ) -> Extended<E> {
        let before = self.clone();
        let mut problems = Vec::new();
        let mut loaded = BTreeSet::new();
        for (origin, skill) in skills {
            let origin: String = origin.into();
            let mut entry = match skill {
                Ok(skill) => skill.into(),
                Err(why) => {
                    problems.push((origin, ExtendError::Unusable(why)));
                    continue;
                }
            };
            entry.data.origin = Some((*origin).into());
            let name = entry.skill.name().to_owned();
            // Two skills of one call never replace each other, even if their origin is the same.
            match self.insert(entry, !loaded.contains(&name)) {
                Ok(()) => drop(loaded.insert(name)),
                Err(taken) => problems.push((origin, ExtendError::Taken(taken))),
            }
        }
        Extended { change: self.changes_since(&before), problems, warnings: Vec::new() }
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
    /// # Ok::<(), helix_skills::registry::NameTaken>(())
    /// ```
    #[must_use]
    pub fn changes_since(&self, before: &Self) -> RegistryChange {
        let mut change = RegistryChange::default();
        for (skill, data) in self.skills.iter().zip(&self.data) {
            match before.position(skill.name()) {
                Err(_) => drop(change.added.insert(skill.name().to_owned())),
                Ok(at) if before.skills[at] == *skill && before.data[at] == *data => {}
                Ok(_) => drop(change.replaced.insert(skill.name().to_owned())),
            }
        }
        let is_gone = |name: &&str| self.get(name).is_none();
        change.removed = before.names().filter(is_gone).map(str::to_owned).collect();
        change
    }

    /// Returns the skill with exactly this name. A clone is not affected by later changes of the
    /// registry.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Skill> {
        self.skills.get(self.position(name).ok()?)
    }

    /// Returns a clone of the entry of the skill with exactly this name.
    #[must_use]
    pub fn entry(&self, name: &str) -> Option<RegistryEntry> {
        let at = self.position(name).ok()?;
        Some(RegistryEntry { skill: self.skills[at].clone(), data: self.data[at].clone() })
    }

    /// Returns where the skill `name` was loaded from, as passed to [`extend`](Self::extend).
    /// `None` for skills that were added by [`register`](Self::register), or by
    /// [`replace`](Self::replace) as other skills than before.
    #[must_use]
    pub fn origin(&self, name: &str) -> Option<&str> {
        self.data.get(self.position(name).ok()?)?.origin.as_deref()
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
        match self.position(name) {
            Ok(at) => {
                let (skill, data) = (&self.skills[at], &self.data[at]);
                Ok(Run::new(data.listed(skill)).with_contract(data.input.clone()))
            }
            Err(_) => Err(unknown_skill(name, &known_names(name, self.names()))),
        }
    }

    /// Returns the skills, sorted by the bytes of their names.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Skill> + DoubleEndedIterator + Clone {
        self.skills.iter()
    }

    /// Returns the names of the skills, sorted by bytes.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> + DoubleEndedIterator + Clone {
        self.skills.iter().map(Skill::name)
    }

    /// Returns the number of skills.
    #[must_use]
    pub fn len(&self) -> usize {
        self.skills.len()
    }

    /// Returns whether the registry is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.skills.is_empty()
    }

    /// Returns the skills that match `query`, including those that are not for models, because the
    /// host searches. [`SkillSet::search`] ranks skills by the words of a task instead.
    #[must_use]
    pub fn search(&self, query: &SkillQuery<'_>) -> Vec<&Skill> {
        query.search(&self.skills)
    }

    /// Returns the skills as a set: for a [`Toolbox`](helix_skills_runtime::Toolbox), an index, or
    /// a template.
    #[must_use]
    pub const fn set(&self) -> SkillSet<'_> {
        SkillSet::new(self.skills.as_slice())
    }

    /// Inserts an entry. If `may_reload` is set, it replaces an entry of the same name and origin.
    fn insert(&mut self, entry: RegistryEntry, may_reload: bool) -> Result<(), NameTaken> {
        let name = entry.skill.name();
        match self.position(name) {
            Err(at) => {
                self.skills.insert(at, entry.skill);
                self.data.insert(at, entry.data);
                Ok(())
            }
            Ok(at) if may_reload && self.data[at].origin == entry.data.origin => {
                self.data[at] = entry.data.or_data_of(&self.data[at]);
                self.skills[at] = entry.skill;
                Ok(())
            }
            Ok(at) => {
                let (skill, data) = (self.skills[at].clone(), self.data[at].clone());
                Err(NameTaken::new(name, &RegistryEntry { skill, data }, &entry))
            }
        }
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
        Self { data: alloc::vec![EntryData::default(); skills.len()], skills }
    }
}

impl fmt::Debug for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.names()).finish()
    }
}
