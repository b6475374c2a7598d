//! Where the skills of a source are: from its entry to a directory of a commit.

use crate::{
    fetch::{FetchKind, FetchRequest, MissingSkill, PreviousLock},
    manifest::{LockedSource, Pin, Source, VersionPin},
    marketplace::Plugin,
    pins::{Pinned, Release, TagNames},
};
use helix_skills_format::{GitUrl, ObjectId, SourceKey};

/// A source, with as much of the location of its skills as is known: first its repository and pin,
/// then the commit and the plugin, and eventually the directory.
pub(crate) struct Location {
    pub(crate) key: SourceKey,
    /// The source as it will be locked. Its entry is the manifest's.
    pub(crate) locked: LockedSource,
    /// The repository: the one of the entry, or that of the plugin.
    pub(crate) url: GitUrl,
    /// Whether the index of the marketplace, which has been read, names the repository. Then the
    /// pin is the index's, too.
    pub(crate) is_plugin: bool,
    pub(crate) pin: Pin,
    pub(crate) sha: Option<ObjectId>,
    /// The locked source if its pin is not to be resolved again: the commit stays.
    pub(crate) known: Option<LockedSource>,
    pub(crate) task: Task,
    /// What was locked before, to find renames and removals.
    pub(crate) before: Option<Box<PreviousLock>>,
    /// The entry of the plugin in the marketplace; `None` if the repository itself has the skills.
    pub(crate) plugin: Option<Plugin>,
    /// The version that the plugin must declare, because no tag of the marketplace has it.
    pub(crate) must_declare: Option<VersionPin>,
    /// The newest release of the source, if requested.
    pub(crate) newest: Option<Release>,
    /// The root tree of the commit, as soon as it was fetched.
    pub(crate) root: ObjectId,
}

/// What is searched: for a source, the commit with a root tree.
pub(super) type Searched<'l> = (&'l SourceKey, &'l LockedSource, ObjectId);

/// What to do with a source.
pub(crate) enum Task {
    /// Find and select its skills.
    Select,
    /// Find and select its skills, whose files are going to be fetched.
    Fetch,
    /// Resolve its pin, and the one that its plugin has in the index of the locked commit.
    Compare,
    /// Find the directories of locked skills.
    Restore {
        needed: Vec<MissingSkill>,
        /// Whether to compare everything that is locked with upstream.
        verifies: bool,
    },
}

impl Location {
    /// Begins with the repository of an entry; `None` for a source that is not in a repository.
    pub(crate) fn new(key: SourceKey, source: Source, task: Task) -> Option<Self> {
        let repository = source.repository()?.clone();
        Some(Self {
            key,
            locked: LockedSource::new(source),
            url: repository.url,
            is_plugin: false,
            pin: repository.pin,
            sha: repository.sha,
            known: None,
            task,
            before: None,
            plugin: None,
            must_declare: None,
            newest: None,
            root: ObjectId::from([0; 20]),
        })
    }

    /// Begins with what a sync requests; `None` for a source that is not in a repository.
    pub(super) fn from_fetch(FetchRequest { key, source, kind, .. }: FetchRequest) -> Option<Self> {
        match kind {
            FetchKind::Resolve { known, before } => {
                Some(Self { known, before, ..Self::new(key, source, Task::Fetch)? })
            }
            FetchKind::Locked { locked, needed } => {
                Self::restore(key, locked, Task::Restore { needed, verifies: false })
            }
        }
    }

    /// Begins to compare a locked source with upstream.
    pub(crate) fn verify(key: &SourceKey, before: &PreviousLock) -> Option<Self> {
        let skills = before.skills.iter().cloned();
        let needed = skills.map(|(name, locked)| MissingSkill { name, locked, cached: None });
        let task = Task::Restore { needed: needed.collect(), verifies: true };
        Self::restore(key.clone(), before.source.clone(), task)
    }

    /// Begins with the locked commit of a source, or with that of its marketplace.
    fn restore(key: SourceKey, locked: LockedSource, task: Task) -> Option<Self> {
        let begun = Self::new(key, locked.entry.clone(), task)?;
        Some(Self { known: Some(locked.clone()), sha: None, locked, ..begun })
    }

    /// Returns the locked ref and commit in this repository if the pin is not to be resolved again.
    pub(crate) fn known(&self) -> Option<(Option<&str>, ObjectId)> {
        let known = self.known.as_ref()?;
        let (reference, commit) = match &known.plugin {
            Some(plugin) if self.is_plugin => (&plugin.reference, plugin.commit),
            _ => (&known.reference, known.commit),
        };
        Some((reference.as_deref(), commit?))
    }

    /// Returns the commit if that is not to be resolved.
    pub(crate) fn known_commit(&self) -> Option<ObjectId> {
        self.known().map(|(_, commit)| commit).or(self.sha)
    }

    /// Returns the locked tag that has to mean the locked commit, by its full name, and the commit.
    pub(super) fn verified_tag(&self) -> Option<(&str, ObjectId)> {
        let verifies = matches!(self.task, Task::Restore { verifies: true, .. });
        let (reference, commit) = self.known().filter(|_| verifies)?;
        Some((reference.filter(|name| name.starts_with("refs/tags/"))?, commit))
    }

    /// Returns the pin, and what says which tags it means.
    pub(crate) fn pinned(&self) -> Pinned<'_> {
        Pinned {
            key: &self.key,
            names: TagNames::new(&self.key, self.source()),
            pin: &self.pin,
            sha: self.sha.as_ref(),
            locked: self.before.as_ref().and_then(|before| before.source.reference.as_deref()),
        }
    }

    /// Returns the locked commit to compare with, if it is in this repository.
    pub(super) fn locked_commit(&self) -> Option<&ObjectId> {
        let before = &self.before.as_ref()?.source;
        before.skills_commit().filter(|_| before.skills_url() == Some(&self.url))
    }

    /// Returns the locked commit whose index is read instead of the newer one, if there is one.
    pub(super) fn index_commit(&self) -> Option<ObjectId> {
        let before = self.before.as_ref().filter(|_| matches!(self.task, Task::Compare))?;
        before.source.commit
    }

    /// Returns the manifest's entry.
    pub(crate) fn source(&self) -> &Source {
        &self.locked.entry
    }

    /// Returns what to search for skills.
    pub(crate) fn searched(&self) -> Searched<'_> {
        (&self.key, &self.locked, self.root)
    }

    /// Returns whether to find the newest release, too. Branches have no releases to compare with,
    /// and listing all tags is expensive.
    pub(super) fn needs_newest(&self) -> bool {
        let is_select = matches!((&self.task, &self.pin), (Task::Select, Pin::Version(_)));
        is_select && self.before.is_some()
    }

    /// Returns whether a version without a tag resolves to the default branch: then it is the
    /// version of a plugin.
    pub(super) fn may_use_default_branch(&self) -> bool {
        self.source().plugin().is_some() && matches!(self.pin, Pin::Version(_))
    }

    /// Returns whether the index of a marketplace has to be read in this repository.
    pub(super) fn reads_index(&self) -> bool {
        let is_asked = match &self.task {
            Task::Restore { verifies, .. } => {
                let plugin = self.locked.plugin.as_ref();
                plugin.is_some_and(|plugin| *verifies || plugin.url.is_some())
            }
            _ => self.source().plugin().is_some(),
        };
        is_asked && !self.is_plugin
    }
}
