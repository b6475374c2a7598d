//! Where the skills of a source are: from its entry to a directory of a commit.

use super::{plugin::PluginRoot, references::Release};
use crate::{
    fetch::{FetchKind, FetchRequest, MissingSkill, PreviousLock},
    manifest::{LockedSource, Pin, Source, VersionPin},
    marketplace::Plugin,
    tags::TagNames,
};
use helix_skills_format::{
    GitUrl, Limits, LockedPlugin, LockedSkill, ObjectId, SkillName, SourceKey,
};

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
    /// The locked ref and commit if the pin is not to be resolved again.
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
    /// Whether the locked commit stays.
    pub(super) is_same_commit: bool,
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
    /// Check that upstream still has what was locked.
    Check {
        locked: Box<LockedSource>,
        commit: ObjectId,
        /// The skills to check.
        skills: Vec<(SkillName, LockedSkill)>,
        /// What to do if the index of the marketplace has the locked plugin.
        then: Option<Box<Location>>,
    },
    /// Read the files of locked skills.
    Restore(Vec<MissingSkill>),
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
            is_same_commit: false,
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

    /// Begins to check a locked source, or with `is_plugin` the repository of its plugin.
    pub(super) fn check(
        (key, source): (&SourceKey, &Source),
        locked: &LockedSource,
        is_plugin: bool,
        skills: Vec<(SkillName, LockedSkill)>,
        then: Option<Self>,
    ) -> Option<Self> {
        let (url, commit) = match (is_plugin, &locked.plugin) {
            (true, plugin) => (plugin.as_ref()?.url.clone()?, plugin.as_ref()?.commit?),
            (false, _) => (locked.entry.repository()?.url.clone(), locked.commit?),
        };
        let task = Task::Check {
            locked: Box::new(locked.clone()),
            commit,
            skills,
            then: then.map(Box::new),
        };
        let (sha, known) = (None, Some((None, commit)));
        let begun = Self::new(key.clone(), source.clone(), task)?;
        Some(Self { url, is_plugin, sha, known, ..begun })
    }

    /// Begins with what a sync requests; `None` for a source that is not in a repository.
    pub(super) fn from_fetch(request: FetchRequest) -> Option<Self> {
        let FetchRequest { key, source, kind, .. } = request;
        let (mut locked, needed) = match kind {
            FetchKind::Resolve { known, before } => {
                return Self::select(key, source, known, before, true);
            }
            FetchKind::Locked { locked, needed } => (locked, needed),
        };
        locked.entry = source.clone();
        let begun = Self::new(key.clone(), source.clone(), Task::Restore(needed))?;
        let reference = locked.skills_reference().map(str::to_owned);
        let known = locked.skills_commit().map(|commit| (reference, *commit));
        let plugin = locked.plugin.as_ref().and_then(|plugin| plugin.url.clone());
        let Some(url) = plugin else { return Some(Self { known, sha: None, locked, ..begun }) };
        // The marketplace must have had the plugin there.
        let market = locked.clone();
        let then = Self { url, is_plugin: true, known, sha: None, locked, ..begun };
        let check = Self::check((&key, &source), &market, false, Vec::new(), Some(then))?;
        let known = check.known.map(|(_, commit)| (market.reference, commit));
        Some(Self { known, ..check })
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
            Task::Check { commit, skills, .. } => {
                Some(commit).filter(|_| !skills.is_empty() || self.reads_index())
            }
            Task::Restore(_) => None,
        }
    }

    /// Returns whether the index of a marketplace has to be read in this repository.
    pub(super) fn reads_index(&self) -> bool {
        !self.is_plugin
            && match &self.task {
                Task::Select { .. } => self.source().plugin().is_some(),
                Task::Check { locked, .. } => locked.plugin.is_some(),
                Task::Restore(_) => false,
            }
    }

    /// Returns whether there is a SHA-256 object id, which this build does not support.
    pub(super) fn names_sha256(&self) -> bool {
        let known = self.known.as_ref().map(|(_, commit)| commit);
        let checked = self.locked_commit().filter(|_| self.before.is_none());
        let mut named = self.sha.iter().chain(known).chain(checked);
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
