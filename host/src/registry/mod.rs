//! The skills of a running application, for all of its threads.

mod load;
mod notify;
mod provider;
mod subscription;

pub use subscription::Subscription;

use helix_skills_agent::{
    Extended, NameTaken, Registry, RegistryChange, RegistryEntry, SkillQuery,
    run::{Run, RunError},
};
use helix_skills_runtime::{SkillBuf, SkillSet, SkillSetBuf};
use notify::Queue;
use std::{
    fmt,
    sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard},
};
use subscription::Subscriber;

/// A [`Registry`] that several threads change and read, and that tells who wants to know of changes. A clone is the same
/// registry.
///
/// Whoever reads takes a [`snapshot`](Self::snapshot), or one skill of it, and holds no lock: what was taken stays whole as it
/// was, whatever takes its place meanwhile.
///
/// It is a [`Provider`](helix_skills_agent::Provider): a
/// [`AsyncToolbox`](helix_skills_agent::AsyncToolbox) that is built after a change has it, and what is loaded is what
/// is registered by then.
///
/// ```
/// use helix_skills_host::SharedRegistry;
/// use helix_skills::{Profile, Skill, registry::SkillQuery, Toolbox};
/// const TRIAGE: Skill = Skill::define("triage", "Sorts new issues.", "Label $0.").build();
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path();
/// # std::fs::create_dir(path.join("pdf")).unwrap();
/// # std::fs::write(path.join("pdf/SKILL.md"), "---\nname: pdf\ndescription: Reads PDF files.\n---\nUse it.\n").unwrap();
/// # std::fs::create_dir(path.join("broken")).unwrap();
/// # std::fs::write(path.join("broken/SKILL.md"), "---\nname: broken\n---\n").unwrap();
///
/// let skills = SharedRegistry::new();
/// let subscription = skills.subscribe(|change, skills| {
///     println!("{change:?}; there are {} now", skills.len());
/// });
/// skills.register(TRIAGE)?;
/// for (_, problem) in skills.load_dir(path)?.problems {
///     eprintln!("warning: {problem:?}"); // a skill that cannot be read breaks nothing but itself
/// }
/// assert!(skills.snapshot().names().eq(["pdf", "triage"]));
/// assert_eq!(skills.search(&SkillQuery::new().text("issue"))[0].name(), "triage");
///
/// // At every turn of an agent: what there is now.
/// let tools = skills.view(|set| Toolbox::builder(set).profile(Profile::Agentick).build()?.tools([]).map(Iterator::count))?;
/// # assert_eq!(tools, 1);
/// drop(subscription);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Default)]
pub struct SharedRegistry(Arc<Shared>);

/// What the clones of a registry share.
#[derive(Default)]
pub(crate) struct Shared(RwLock<State>);

/// Nothing of a stranger runs while it is locked: neither a callback nor the end of one.
#[derive(Default)]
struct State {
    registry: Arc<Registry>,
    /// In the order in which they came.
    subscribers: Vec<Arc<Subscriber>>,
    queue: Queue,
}

impl Shared {
    fn read(&self) -> RwLockReadGuard<'_, State> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, State> {
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the registry, and tells of it what `edit` says has changed.
    fn change<T>(&self, edit: impl FnOnce(&mut Registry) -> (T, RegistryChange)) -> T {
        let mut state = self.write();
        // Whoever has a snapshot keeps it: then a clone is changed.
        let (outcome, change) = edit(Arc::make_mut(&mut state.registry));
        let is_told = !change.is_empty() && !state.subscribers.is_empty();
        if is_told {
            let State { registry, subscribers, queue } = &mut *state;
            queue.push(change, Arc::clone(registry), subscribers.clone());
        }
        drop(state);
        if is_told {
            self.tell();
        }
        outcome
    }
}

impl SharedRegistry {
    /// No skills.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a skill.
    ///
    /// # Errors
    /// If there is a skill of this name, which stays; [`replace`](Self::replace) replaces it.
    pub fn register(&self, entry: impl Into<RegistryEntry>) -> Result<(), NameTaken> {
        let entry = entry.into();
        let change = RegistryChange::added(entry.skill().name());
        self.0.change(|registry| match registry.register(entry) {
            Ok(()) => (Ok(()), change),
            Err(taken) => (Err(taken), RegistryChange::default()),
        })
    }

    /// Adds a skill instead of the one of its name, which is returned. If both [entries](RegistryEntry)
    /// are equal, nothing has changed, and no subscriber is called.
    pub fn replace(&self, entry: impl Into<RegistryEntry>) -> Option<Arc<SkillBuf>> {
        let entry = entry.into();
        self.0.change(|registry| {
            let name = entry.skill().name();
            let change = match registry.entry(name) {
                None => RegistryChange::added(name),
                Some(before) if *before == entry => RegistryChange::default(),
                Some(_) => RegistryChange::replaced(name),
            };
            (registry.replace(entry), change)
        })
    }

    /// A run of the skill called `name`, as it is now: see [`Registry::run`].
    ///
    /// # Errors
    /// If there is no such skill.
    pub fn run(&self, name: &str) -> Result<Run<'static>, RunError> {
        self.snapshot().run(name)
    }

    /// Takes a skill out.
    pub fn remove(&self, name: &str) -> Option<Arc<SkillBuf>> {
        self.0.change(|registry| match registry.remove(name) {
            Some(before) => (Some(before), RegistryChange::removed(name)),
            None => (None, RegistryChange::default()),
        })
    }

    /// Adds skills that were loaded from somewhere, all in one change: see [`Registry::extend`].
    pub fn extend<E, S: Into<RegistryEntry>>(
        &self,
        skills: impl IntoIterator<Item = (impl Into<String>, Result<S, E>)>,
    ) -> Extended<E> {
        // Whatever makes them may use this registry.
        let entry = |skill: S| -> RegistryEntry { skill.into() };
        let skills: Vec<(String, _)> =
            skills.into_iter().map(|(origin, skill)| (origin.into(), skill.map(entry))).collect();
        self.0.change(|registry| {
            let extended = registry.extend(skills);
            let change = extended.change.clone();
            (extended, change)
        })
    }

    /// The skill called `name`, exactly, as it is now.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<Arc<SkillBuf>> {
        self.0.read().registry.get(name).map(Arc::clone)
    }

    /// All skills as they are now, sorted by the bytes of their names.
    #[must_use]
    pub fn list(&self) -> Vec<Arc<SkillBuf>> {
        self.snapshot().iter().map(Arc::clone).collect()
    }

    /// The skills that answer `query` now: see [`Registry::search`].
    #[must_use]
    pub fn search(&self, query: &SkillQuery<'_>) -> Vec<Arc<SkillBuf>> {
        self.snapshot().search(query).into_iter().map(Arc::clone).collect()
    }

    /// Calls `read` with the skills as they are now, as a set: see [`Registry::view`]. Nothing is locked meanwhile.
    pub fn view<R>(&self, read: impl FnOnce(SkillSet<'_>) -> R) -> R {
        self.snapshot().view(read)
    }

    /// The registry as it is now. It costs a pointer, stays as it is, and two of one state are the same
    /// ([`Arc::ptr_eq`]).
    #[must_use]
    pub fn snapshot(&self) -> Arc<Registry> {
        Arc::clone(&self.0.read().registry)
    }
}

impl From<Registry> for SharedRegistry {
    fn from(registry: Registry) -> Self {
        let state = State { registry: Arc::new(registry), ..State::default() };
        Self(Arc::new(Shared(RwLock::new(state))))
    }
}

/// The skills of a set, baked ones among them. Everything that they borrow is copied.
impl From<SkillSet<'_>> for SharedRegistry {
    fn from(set: SkillSet<'_>) -> Self {
        Registry::from(set).into()
    }
}

impl From<SkillSetBuf> for SharedRegistry {
    fn from(set: SkillSetBuf) -> Self {
        Registry::from(set).into()
    }
}

impl fmt::Debug for SharedRegistry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.snapshot().fmt(f)
    }
}
