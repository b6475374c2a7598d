//! A registry of skills that is shared between threads.

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

/// A [`Registry`] that several threads can read and change, with notifications of changes. Clones
/// share the same registry.
///
/// Readers take a [`snapshot`](Self::snapshot), or a single skill, and hold no lock. What they took
/// does not change when the registry does.
///
/// It is a [`Provider`](helix_skills_agent::Provider): an
/// [`AsyncToolbox`](helix_skills_agent::AsyncToolbox) built after a change lists the changed
/// skills, and loading a skill returns what is registered at that time.
///
/// ```
/// use helix_skills_host::SharedRegistry;
/// use helix_skills::{Profile, Skill, registry::SkillQuery, Toolbox};
/// const TRIAGE: Skill = Skill::define("triage", "Sorts new issues.", "Label $0.").build();
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path();
/// # std::fs::create_dir(path.join("pdf")).unwrap();
/// # let text = "---\nname: pdf\ndescription: Reads PDF files.\n---\nUse it.\n";
/// # std::fs::write(path.join("pdf/SKILL.md"), text).unwrap();
/// # std::fs::create_dir(path.join("broken")).unwrap();
/// # std::fs::write(path.join("broken/SKILL.md"), "---\nname: broken\n---\n").unwrap();
///
/// let skills = SharedRegistry::new();
/// let subscription = skills.subscribe(|change, skills| {
///     println!("{change:?}; there are {} now", skills.len());
/// });
/// skills.register(TRIAGE)?;
/// for (_, problem) in skills.load_dir(path)?.problems {
///     eprintln!("warning: {problem:?}"); // a broken skill affects no other
/// }
/// assert!(skills.snapshot().names().eq(["pdf", "triage"]));
/// assert_eq!(skills.search(&SkillQuery::new().text("issue"))[0].name(), "triage");
///
/// // At every turn of an agent, use the current skills.
/// let tools = skills.view(|set| {
///     let toolbox = Toolbox::builder(set).profile(Profile::Agentick).build()?;
///     toolbox.tools([]).map(Iterator::count)
/// })?;
/// # assert_eq!(tools, 1);
/// drop(subscription);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Default)]
pub struct SharedRegistry(Arc<Shared>);

/// The state that clones of a registry share.
#[derive(Default)]
pub(crate) struct Shared(RwLock<RegistryState>);

/// No caller's code runs while this is locked: neither a callback nor its destructor.
#[derive(Default)]
struct RegistryState {
    registry: Arc<Registry>,
    /// In the order of subscription.
    subscribers: Vec<Arc<Subscriber>>,
    queue: Queue,
}

impl Shared {
    fn read(&self) -> RwLockReadGuard<'_, RegistryState> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, RegistryState> {
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the registry and notifies subscribers of the change that `edit` returns.
    fn change<T>(&self, edit: impl FnOnce(&mut Registry) -> (T, RegistryChange)) -> T {
        let mut state = self.write();
        // If there are snapshots, this changes a clone, so that they stay as they are.
        let (outcome, change) = edit(Arc::make_mut(&mut state.registry));
        let notifies = !change.is_empty() && !state.subscribers.is_empty();
        if notifies {
            let RegistryState { registry, subscribers, queue } = &mut *state;
            queue.push(change, Arc::clone(registry), subscribers.clone());
        }
        drop(state);
        if notifies {
            self.notify();
        }
        outcome
    }
}

impl SharedRegistry {
    /// Creates an empty registry.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a skill.
    ///
    /// # Errors
    /// If there is a skill of this name, which is kept; [`replace`](Self::replace) replaces it.
    pub fn register(&self, entry: impl Into<RegistryEntry>) -> Result<(), NameTaken> {
        let entry = entry.into();
        let change = RegistryChange::added(entry.skill().name());
        self.0.change(|registry| match registry.register(entry) {
            Ok(()) => (Ok(()), change),
            Err(taken) => (Err(taken), RegistryChange::default()),
        })
    }

    /// Adds a skill instead of the one of its name, which is returned: see [`Registry::replace`].
    /// If both [entries](RegistryEntry) are equal, nothing has changed, and no subscriber is
    /// called.
    pub fn replace(&self, entry: impl Into<RegistryEntry>) -> Option<Arc<SkillBuf>> {
        let entry = entry.into();
        self.0.change(|registry| {
            let name = entry.skill().name().to_owned();
            let before = registry.entry(&name).cloned();
            let replaced = registry.replace(entry);
            let change = match before {
                None => RegistryChange::added(&name),
                Some(before) if registry.entry(&name) == Some(&before) => RegistryChange::default(),
                Some(_) => RegistryChange::replaced(&name),
            };
            (replaced, change)
        })
    }

    /// Returns a run of the skill `name` as it is now: see [`Registry::run`].
    ///
    /// # Errors
    /// If the skill does not exist.
    pub fn run(&self, name: &str) -> Result<Run<'static>, RunError> {
        self.snapshot().run(name)
    }

    /// Removes and returns a skill.
    pub fn remove(&self, name: &str) -> Option<Arc<SkillBuf>> {
        self.0.change(|registry| match registry.remove(name) {
            Some(before) => (Some(before), RegistryChange::removed(name)),
            None => (None, RegistryChange::default()),
        })
    }

    /// Adds skills with their origins in one change: see [`Registry::extend`].
    pub fn extend<E, S: Into<RegistryEntry>>(
        &self,
        skills: impl IntoIterator<Item = (impl Into<String>, Result<S, E>)>,
    ) -> Extended<E> {
        // The iterator may use this registry, so it runs before the lock is taken.
        let entry = |skill: S| -> RegistryEntry { skill.into() };
        let skills: Vec<(String, _)> =
            skills.into_iter().map(|(origin, skill)| (origin.into(), skill.map(entry))).collect();
        self.0.change(|registry| {
            let extended = registry.extend(skills);
            let change = extended.change.clone();
            (extended, change)
        })
    }

    /// Returns the skill with exactly this name, as it is now.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<Arc<SkillBuf>> {
        self.0.read().registry.get(name).map(Arc::clone)
    }

    /// Returns all skills as they are now, sorted by the bytes of their names.
    #[must_use]
    pub fn list(&self) -> Vec<Arc<SkillBuf>> {
        self.snapshot().iter().map(Arc::clone).collect()
    }

    /// Returns the skills that match `query` now: see [`Registry::search`].
    #[must_use]
    pub fn search(&self, query: &SkillQuery<'_>) -> Vec<Arc<SkillBuf>> {
        self.snapshot().search(query).into_iter().map(Arc::clone).collect()
    }

    /// Calls `read` with the current skills as a set: see [`Registry::view`]. Holds no lock
    /// meanwhile.
    pub fn view<R>(&self, read: impl FnOnce(SkillSet<'_>) -> R) -> R {
        self.snapshot().view(read)
    }

    /// Returns the registry as it is now. This copies a pointer. Snapshots without a change in
    /// between are [`Arc::ptr_eq`].
    #[must_use]
    pub fn snapshot(&self) -> Arc<Registry> {
        Arc::clone(&self.0.read().registry)
    }
}

impl From<Registry> for SharedRegistry {
    fn from(registry: Registry) -> Self {
        let state = RegistryState { registry: Arc::new(registry), ..RegistryState::default() };
        Self(Arc::new(Shared(RwLock::new(state))))
    }
}

/// Creates a registry with copies of the skills of a set, for example embedded ones.
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
