//! Where the skills of a source are: from its entry to a directory of a commit.

use super::{plugin::PluginRoot, references::Release};
use crate::{
    fetch::{FetchKind, FetchRequest, MissingSkill, PreviousLock},
    manifest::{LockedSource, Pin, Source, VersionPin},
    marketplace::Plugin,
    tags::TagNames,
};
use helix_skills_format::{GitUrl, Limits, LockedPlugin, ObjectId, SourceKey};

/// A source, with as much of the location of its skills as is known: first its repository and pin,
/// then the commit and the plugin, and eventually the directory.
pub(super) struct Location {
    pub(super) key: SourceKey,
    /// The source as it will be locked. Its entry is the manifest's.
    pub(super) locked: LockedSource,
    /// The repository: the one of the entry, or that of the plugin.
    pub(super) url: GitUrl,
    /// Whether the index of the marketplace, which has been read, names the repository. Then the
    /// pin is the index's, too.
    pub(super) is_plugin: bool,
    pub(super) pin: Pin,
    pub(super) sha: Option<ObjectId>,
    /// The locked ref and commit if the pin is not to be resolved again: the commit stays.
    pub(super) known: Option<(Option<String>, ObjectId)>,
    pub(super) task: Task,
    /// What was locked before, to find renames and removals.
    pub(super) before: Option<Box<PreviousLock>>,
    /// The entry of the plugin in the marketplace; `None` if the repository itself has the skills.
    pub(super) plugin: Option<Plugin>,
    /// The version that the plugin must declare, because no tag of the marketplace has it.
    pub(super) must_declare: Option<VersionPin>,
    /// The newest release of the source, if requested.
    pub(super) newest: Option<Release>,
    /// The root tree of the commit, as soon as it was fetched.
    pub(super) root: ObjectId,
}

/// What is searched: for a source by its key and entry, the commit with a root tree.
pub(super) type Searched<'l> = (&'l SourceKey, &'l Source, ObjectId);

/// What to do with a source.
pub(super) enum Task {
    /// Find and select its skills.
    Select {
        /// The locked plugin if its pin is not to be resolved again.
        known: Option<LockedPlugin>,
        /// Whether the files of the skills are going to be fetched.
        needs_files: bool,
    },
    /// Find the directories of locked skills.
    Restore {
        needed: Vec<MissingSkill>,
        /// Whether to compare everything that is locked with upstream.
        verifies: bool,
    },
}

impl Location {
    /// Begins with the repository of an entry; `None` for a source that is not in a repository.
    fn new(key: SourceKey, source: Source, task: Task) -> Option<Self> {
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

    /// Begins to find the skills of a source. `known` is the locked source if its pin is not to be
    /// resolved again.
    pub(super) fn select(
        key: SourceKey,
        source: Source,
        known: Option<LockedSource>,
        before: Option<Box<PreviousLock>>,
        needs_files: bool,
    ) -> Option<Self> {
        let (known, plugin) = match known {
            Some(known) => (known.commit.map(|commit| (known.reference, commit)), known.plugin),
            None => (None, None),
        };
        let task = Task::Select { known: plugin, needs_files };
        Some(Self { known, before, ..Self::new(key, source, task)? })
    }

    /// Begins with what a sync requests; `None` for a source that is not in a repository.
    pub(super) fn from_fetch(request: FetchRequest) -> Option<Self> {
        let FetchRequest { key, source, kind, .. } = request;
        match kind {
            FetchKind::Resolve { known, before } => Self::select(key, source, known, before, true),
            FetchKind::Locked { mut locked, needed } => {
                locked.entry = source;
                Self::restore(key, locked, Task::Restore { needed, verifies: false })
            }
        }
    }

    /// Begins to compare a locked source with upstream.
    pub(super) fn verify(key: &SourceKey, before: &PreviousLock) -> Option<Self> {
        let skills = before.skills.iter().cloned();
        let needed = skills.map(|(name, locked)| MissingSkill { name, locked, cached: None });
        let task = Task::Restore { needed: needed.collect(), verifies: true };
        Self::restore(key.clone(), before.source.clone(), task)
    }

    /// Begins with the locked commit of a source, or with that of its marketplace.
    fn restore(key: SourceKey, locked: LockedSource, task: Task) -> Option<Self> {
        let known = locked.commit.map(|commit| (locked.reference.clone(), commit));
        let begun = Self::new(key, locked.entry.clone(), task)?;
        Some(Self { known, sha: None, locked, ..begun })
    }

    /// Returns the locked tag that has to mean the locked commit, by its full name.
    pub(super) fn verified_tag(&self) -> Option<&str> {
        let Task::Restore { verifies: true, .. } = self.task else { return None };
        let reference = match self.is_plugin {
            true => &self.locked.plugin.as_ref()?.reference,
            false => &self.locked.reference,
        };
        reference.as_deref().filter(|name| name.starts_with("refs/tags/"))
    }

    /// Returns the names that its tags may have.
    pub(super) fn tag_names(&self) -> TagNames<'_> {
        TagNames::new(&self.key, self.source())
    }

    /// Returns the locked tag or branch, whose form other tags must have.
    pub(super) fn locked_reference(&self) -> Option<&str> {
        self.before.as_ref().and_then(|before| before.source.reference.as_deref())
    }

    /// Returns the commit if that is not to be resolved.
    pub(super) fn known_commit(&self) -> Option<ObjectId> {
        self.known.as_ref().map(|(_, commit)| *commit).or(self.sha)
    }

    /// Returns the manifest's entry.
    pub(super) fn source(&self) -> &Source {
        &self.locked.entry
    }

    /// Returns what to search for skills.
    pub(super) fn searched(&self) -> Searched<'_> {
        (&self.key, self.source(), self.root)
    }

    /// Returns whether to find the newest release, too. Branches have no releases to compare with,
    /// and listing all tags is expensive.
    pub(super) fn needs_newest(&self) -> bool {
        matches!(
            (&self.task, &self.pin),
            (Task::Select { needs_files: false, .. }, Pin::Version(_))
        ) && self.before.is_some()
    }

    /// Returns whether a version without a tag resolves to the default branch: then it is the
    /// version of a plugin.
    pub(super) fn may_use_default_branch(&self) -> bool {
        self.source().plugin().is_some() && matches!(self.pin, Pin::Version(_))
    }

    /// Returns the locked commit to compare with, if it is in this repository.
    pub(super) fn locked_commit(&self) -> Option<&ObjectId> {
        match &self.task {
            Task::Select { .. } => {
                let before = &self.before.as_ref()?.source;
                before.skills_commit().filter(|_| before.skills_url() == Some(&self.url))
            }
            Task::Restore { .. } => None,
        }
    }

    /// Returns whether the index of a marketplace has to be read in this repository.
    pub(super) fn reads_index(&self) -> bool {
        !self.is_plugin
            && match &self.task {
                Task::Select { .. } => self.source().plugin().is_some(),
                Task::Restore { verifies, .. } => {
                    let plugin = self.locked.plugin.as_ref();
                    plugin.is_some_and(|plugin| *verifies || plugin.url.is_some())
                }
            }
    }

    /// Returns whether there is a SHA-256 object id, which this build does not support.
    pub(super) fn names_sha256(&self) -> bool {
        let known = self.known.as_ref().map(|(_, commit)| commit);
        let mut named = self.sha.iter().chain(known);
        named.any(|id| id.as_bytes().len() != 20)
    }

    /// Returns the root directory of the plugin.
    pub(super) fn plugin_root(&self, limits: Limits) -> Option<PluginRoot<'_>> {
        let (plugin, place) = (self.plugin.as_ref()?, self.locked.plugin.as_ref()?);
        Some(PluginRoot {
            root_name: self.source().plugin()?.as_str(),
            at_marketplace_root: place.url.is_none() && place.path.is_root(),
            version: self.must_declare.as_ref(),
            ..PluginRoot::local(&self.key, (plugin, &place.path), self.root, limits)
        })
    }
}
