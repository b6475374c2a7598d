//! A registry of skills that is shared between threads.

mod load;
mod provider;

pub use load::LoadedSkills;

use crate::lock::lock;
use helix_skills_agent::{Registry, RegistryChange};
use helix_skills_runtime::Skill;
use std::{
    fmt,
    sync::{
        Arc, Condvar, Mutex, PoisonError,
        mpsc::{self, Receiver, Sender},
    },
    thread::{self, ThreadId},
};

/// A [`Registry`] that several threads can read and change. Clones share the same registry.
///
/// Readers take a [`snapshot`](Self::snapshot), which holds no lock and does not change any more.
/// Writers call [`update`](Self::update). [`subscribe`](Self::subscribe) reports changes.
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
/// let changes = skills.subscribe();
/// skills.update(|skills| skills.register(TRIAGE))?;
/// for problem in skills.load_dir(path)?.problems {
///     eprintln!("warning: {problem:?}"); // a broken skill affects no other
/// }
/// let now = skills.snapshot();
/// assert!(now.set().names().eq(["pdf", "triage"]));
/// assert_eq!(SkillQuery::new().text("issue").search(now.set())[0].name(), "triage");
///
/// // At every turn of an agent, take a new snapshot.
/// let toolbox = Toolbox::builder(now.set()).profile(Profile::Agentick).build()?;
/// # assert_eq!(toolbox.tools([])?.count(), 1);
/// for (change, skills) in changes.try_iter() {
///     println!("{change:?}; there were {} then", skills.set().len());
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Default)]
pub struct SharedRegistry(Arc<Shared>);

/// The state that clones of a registry share.
#[derive(Default)]
struct Shared {
    state: Mutex<RegistryState>,
    /// Notified when there is no editor any more.
    is_free: Condvar,
}

#[derive(Default)]
struct RegistryState {
    registry: Arc<Registry>,
    subscribers: Vec<Sender<(RegistryChange, Arc<Registry>)>>,
    /// The thread that is editing a copy of the registry.
    editor: Option<ThreadId>,
}

impl Shared {
    /// Waits until no other thread edits the registry.
    fn wait_to_edit(&self) -> Editing<'_> {
        let this = thread::current().id();
        let mut state = lock(&self.state);
        let is_nested = state.editor == Some(this);
        assert!(!is_nested, "`SharedRegistry::update` cannot be called in an update");
        state = self
            .is_free
            .wait_while(state, |state| state.editor.is_some())
            .unwrap_or_else(PoisonError::into_inner);
        state.editor = Some(this);
        Editing(self)
    }
}

/// The only edit of a registry at this time. It ends when this is dropped, also after a panic.
struct Editing<'s>(&'s Shared);

impl Drop for Editing<'_> {
    fn drop(&mut self) {
        lock(&self.0.state).editor = None;
        self.0.is_free.notify_one();
    }
}

impl SharedRegistry {
    /// Creates an empty registry.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Changes the registry, and returns the result of `edit`.
    ///
    /// `edit` gets a copy of the registry, which replaces it afterwards: other threads see all of
    /// its changes or none, and can read meanwhile. Their updates wait. Subscribers get all changes
    /// together, and nothing if nothing has [changed](Registry::changes_since).
    ///
    /// If `edit` panics, the registry stays as it is.
    ///
    /// ```
    /// use helix_skills::Skill;
    /// use helix_skills_host::SharedRegistry;
    /// const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build();
    /// const CSV: Skill = Skill::define("csv", "Reads CSV files.", "Use `cut`.").build();
    ///
    /// let skills = SharedRegistry::new();
    /// skills.update(|skills| {
    ///     skills.register(PDF)?;
    ///     skills.register(CSV)
    /// })?;
    /// let removed = skills.update(|skills| skills.remove("pdf"));
    /// assert!(removed.is_some() && skills.snapshot().set().names().eq(["csv"]));
    /// # Ok::<(), helix_skills::Error>(())
    /// ```
    ///
    /// # Panics
    /// If `edit` calls this, or a method that loads skills, for the same registry.
    pub fn update<R>(&self, edit: impl FnOnce(&mut Registry) -> R) -> R {
        let editing = self.0.wait_to_edit();
        let before = self.snapshot();
        let mut registry = Registry::clone(&before);
        let outcome = edit(&mut registry);
        let change = registry.changes_since(&before);
        if change != RegistryChange::default() {
            let registry = Arc::new(registry);
            let mut state = lock(&self.0.state);
            state.registry = Arc::clone(&registry);
            let update = (change, registry);
            state.subscribers.retain(|subscriber| subscriber.send(update.clone()).is_ok());
        }
        // The skills before may own values whose destructors change the registry.
        drop(editing);
        drop(before);
        outcome
    }

    /// Returns a receiver of every later change, with the registry right after it, until it is
    /// dropped.
    ///
    /// Changes arrive in the order in which they are made, each once. The receiver ends when the
    /// registry is dropped. It keeps changes until they are received: read it regularly, for
    /// example at every turn of an agent with [`try_iter`](Receiver::try_iter), or on a thread of
    /// its own.
    ///
    /// ```
    /// use helix_skills_host::SharedRegistry;
    /// use helix_skills::Skill;
    /// const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build();
    ///
    /// let skills = SharedRegistry::new();
    /// let changes = skills.subscribe();
    /// skills.update(|skills| skills.register(PDF))?;
    /// skills.update(|skills| skills.remove("pdf"));
    /// drop(skills);
    ///
    /// let received: Vec<_> =
    ///     changes.iter().map(|(change, now)| (change.added.len(), now.set().len())).collect();
    /// assert_eq!(received, [(1, 1), (0, 0)]);
    /// # Ok::<(), helix_skills::Error>(())
    /// ```
    #[must_use]
    pub fn subscribe(&self) -> Receiver<(RegistryChange, Arc<Registry>)> {
        let (subscriber, changes) = mpsc::channel();
        lock(&self.0.state).subscribers.push(subscriber);
        changes
    }

    /// Returns the skill `name` as it is registered now. This copies no text.
    ///
    /// ```
    /// use helix_skills::Skill;
    /// use helix_skills_host::SharedRegistry;
    /// const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build();
    ///
    /// let skills = SharedRegistry::new();
    /// skills.update(|skills| skills.register(PDF))?;
    /// let pdf = skills.get("pdf").expect("it is registered");
    /// skills.update(|skills| skills.remove("pdf"));
    /// assert_eq!(pdf.description(), "Reads PDF files.");
    /// assert!(skills.get("pdf").is_none());
    /// # Ok::<(), helix_skills::Error>(())
    /// ```
    #[must_use]
    pub fn get(&self, name: &str) -> Option<Skill> {
        self.snapshot().set().get(name).cloned()
    }

    /// Returns the registry as it is now. This copies a pointer. Snapshots without a change in
    /// between are [`Arc::ptr_eq`].
    #[must_use]
    pub fn snapshot(&self) -> Arc<Registry> {
        Arc::clone(&lock(&self.0.state).registry)
    }
}

impl From<Registry> for SharedRegistry {
    fn from(registry: Registry) -> Self {
        let state = RegistryState { registry: Arc::new(registry), ..RegistryState::default() };
        Self(Arc::new(Shared { state: Mutex::new(state), ..Shared::default() }))
    }
}

impl fmt::Debug for SharedRegistry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.snapshot().fmt(f)
    }
}
