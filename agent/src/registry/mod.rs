//! Skills that are registered while an application runs.

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

use crate::run::{Run, RunError};
use alloc::{borrow::ToOwned, collections::BTreeSet, string::String, sync::Arc, vec::Vec};
use core::fmt;
use helix_skills_runtime::{
    __internal::{known_names, view_all},
    SkillBuf, SkillSet, SkillSetBuf,
};

/// The skills of an application that come and go while it runs: registered, replaced, removed, looked up and searched.
///
/// It is plain data of one owner. A clone shares the skills and costs a pointer for each: whoever holds one keeps the skills
/// as they were. For several threads, and to hear of changes, there is `SharedRegistry` in the crate `helix-skills-host`.
///
/// What an agent gets is a view, or the registry as a [`Provider`](crate::Provider): a toolbox that is asked after a change
/// has it.
///
/// ```
/// use helix_skills::{Profile, registry::{Registry, SkillQuery}, Skill, Toolbox};
///
/// let mut skills = Registry::new();
/// let metadata = [("author", "alice")];
/// skills.register(Skill::define("triage", "Sorts new issues.", "Label $0.").metadata(&metadata).try_build()?)?;
/// skills.register(Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").try_build()?)?;
/// assert!(skills.names().eq(["pdf", "triage"]));
///
/// let found = skills.search(&SkillQuery::new().text("ISSUE").metadata(&[("author", "alice")]));
/// assert_eq!(found[0].description(), "Sorts new issues.");
///
/// let tool = skills.view(|set| {
///     let toolbox = Toolbox::builder(set).profile(Profile::Agentick).build().ok()?;
///     toolbox.tools([]).ok()?.next().map(|tool| tool.description().to_string())
/// });
/// assert!(tool.unwrap().ends_with("\n- pdf: Reads PDF files.\n- triage: Sorts new issues.\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Default)]
pub struct Registry(Vec<RegistryEntry>);

/// What became of an entry.
enum Insertion {
    Added,
    Replaced,
    /// An equal one was there.
    Unchanged,
}

impl Registry {
    /// No skills.
    #[must_use]
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// Adds a skill: a [`Skill`](helix_skills_runtime::Skill) of this program, one that owns its text,
    /// or an [entry](RegistryEntry) with the contract of its input or files that are read later.
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
    ///     "two skills have the name `pdf`: `Reads PDF files.` is registered, `Fills in PDF forms.` is not",
    /// );
    /// # Ok::<(), helix_skills::registry::NameTaken>(())
    /// ```
    ///
    /// # Errors
    /// If there is a skill of this name, which stays; [`replace`](Self::replace) replaces it.
    pub fn register(&mut self, entry: impl Into<RegistryEntry>) -> Result<(), NameTaken> {
        self.insert(entry.into(), false).map(|_| ())
    }

    /// Adds a skill instead of the one of its name, which is returned.
    pub fn replace(&mut self, entry: impl Into<RegistryEntry>) -> Option<Arc<SkillBuf>> {
        let entry = entry.into();
        match self.position(entry.skill().name()) {
            Ok(at) => Some(Arc::clone(core::mem::replace(&mut self.0[at], entry).skill())),
            Err(at) => {
                self.0.insert(at, entry);
                None
            }
        }
    }

    /// Takes a skill out.
    pub fn remove(&mut self, name: &str) -> Option<Arc<SkillBuf>> {
        self.position(name).ok().map(|at| Arc::clone(self.0.remove(at).skill()))
    }

    /// Adds skills that were loaded from somewhere, or were to be: each with where, and with what it became. A bad one breaks
    /// nothing but itself.
    ///
    /// A skill whose name is taken is a problem, unless the one that has it came from the same place before: then it was loaded
    /// again, and takes its place.
    ///
    /// ```
    /// use helix_skills::{define::DefinitionError, registry::Registry, Skill, SkillBuf};
    /// let rows = [("row 1", "pdf", "Reads PDF files."), ("row 2", "csv", " "), ("row 3", "pdf", "Fills in forms.")];
    /// let skill = |name, about| Skill::define(name, about, "…").try_build().map(SkillBuf::from);
    ///
    /// let mut skills = Registry::new();
    /// let outcome = skills.extend(rows.map(|(row, name, about)| (row, skill(name, about))));
    /// assert!(outcome.change.added.iter().eq(["pdf"]));
    /// let problems: Vec<String> = outcome.problems.iter().map(|(row, why)| format!("{row}: {why}")).collect();
    /// assert_eq!(problems, [
    ///     "row 2: the description is blank: say what the skill does and when to use it",
    ///     "row 3: two skills have the name `pdf`: `row 1` is registered, `row 3` is not",
    /// ]);
    /// ```
    pub fn extend<E, S: Into<RegistryEntry>>(
        &mut self,
        skills: impl IntoIterator<Item = (impl Into<String>, Result<S, E>)>,
    ) -> Extended<E> {
        let mut extended = Extended { change: RegistryChange::default(), problems: Vec::new() };
        let mut loaded = BTreeSet::new();
        for (origin, skill) in skills {
            let origin: String = origin.into();
            let entry = match skill {
                Ok(skill) => skill.into().with_origin(&origin),
                Err(why) => {
                    extended.problems.push((origin, ExtendError::Unusable(why)));
                    continue;
                }
            };
            let name = entry.skill().name().to_owned();
            // Of two that come at once neither is the other one, loaded again.
            match self.insert(entry, !loaded.contains(&name)) {
                Ok(outcome) => {
                    match outcome {
                        Insertion::Added => drop(extended.change.added.insert(name.clone())),
                        Insertion::Replaced => drop(extended.change.replaced.insert(name.clone())),
                        Insertion::Unchanged => {}
                    }
                    loaded.insert(name);
                }
                Err(taken) => extended.problems.push((origin, ExtendError::Taken(taken))),
            }
        }
        extended
    }

    /// The skill called `name`, exactly. A clone of the pointer keeps it as it is, whatever becomes of the registry.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Arc<SkillBuf>> {
        self.entry(name).map(RegistryEntry::skill)
    }

    /// The entry of the skill called `name`, exactly.
    #[must_use]
    pub fn entry(&self, name: &str) -> Option<&RegistryEntry> {
        self.0.get(self.position(name).ok()?)
    }

    /// Where the skill called `name` was loaded from, as it was told to [`extend`](Self::extend); none of a skill that was
    /// registered by itself.
    #[must_use]
    pub fn origin(&self, name: &str) -> Option<&str> {
        self.entry(name)?.origin()
    }

    /// A [run](Run) of the skill called `name`, whose input is checked by the contract of its entry.
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
    pub fn run(&self, name: &str) -> Result<Run<'static>, RunError> {
        let unknown = || RunError::UnknownSkill {
            name: name.to_owned(),
            known: known_names(name, self.names()),
        };
        self.entry(name).map(RegistryEntry::run).ok_or_else(unknown)
    }

    /// The skills, sorted by the bytes of their names.
    pub fn iter(
        &self,
    ) -> impl ExactSizeIterator<Item = &Arc<SkillBuf>> + DoubleEndedIterator + Clone {
        self.0.iter().map(RegistryEntry::skill)
    }

    /// The names, sorted by their bytes.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> + DoubleEndedIterator + Clone {
        self.0.iter().map(|entry| entry.skill().name())
    }

    /// How many skills.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no skill.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The skills that answer `query`, by name. Also those that are not for models: whoever asks is the host. To rank skills
    /// by the words of a task there is [`SkillSet::search`].
    #[must_use]
    pub fn search(&self, query: &SkillQuery<'_>) -> Vec<&Arc<SkillBuf>> {
        query.answers(self.iter(), |skill, rank| skill.view(rank))
    }

    /// Calls `read` with the skills as a set: for a [`Toolbox`](helix_skills_runtime::Toolbox), an index, a template. Lists of borrowed
    /// texts are made for each skill, the texts are not copied.
    pub fn view<R>(&self, read: impl FnOnce(SkillSet<'_>) -> R) -> R {
        view_all(self.iter().map(|skill| &**skill), read)
    }

    /// Adds an entry; or, if it may have been loaded again, puts it in the place of one that came from the same place.
    fn insert(&mut self, entry: RegistryEntry, may_reload: bool) -> Result<Insertion, NameTaken> {
        let name = entry.skill().name();
        match self.position(name) {
            Err(at) => {
                self.0.insert(at, entry);
                Ok(Insertion::Added)
            }
            Ok(at) if may_reload && self.0[at].origin() == entry.origin() => {
                let before = core::mem::replace(&mut self.0[at], entry);
                Ok(if before == self.0[at] { Insertion::Unchanged } else { Insertion::Replaced })
            }
            Ok(at) => Err(NameTaken::new(name, &self.0[at], &entry)),
        }
    }

    /// Where the skill of this name is, or would be.
    fn position(&self, name: &str) -> Result<usize, usize> {
        self.0.binary_search_by(|entry| entry.skill().name().cmp(name))
    }
}

/// The skills of a set, baked ones among them. Everything that they borrow is copied.
impl From<SkillSet<'_>> for Registry {
    fn from(set: SkillSet<'_>) -> Self {
        SkillSetBuf::from(set).into()
    }
}

impl From<SkillSetBuf> for Registry {
    fn from(set: SkillSetBuf) -> Self {
        Self(set.into_iter().map(RegistryEntry::new).collect())
    }
}

impl fmt::Debug for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.names()).finish()
    }
}
