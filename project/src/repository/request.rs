//! Requests to repositories.

use super::{
    location::LocatedPlugin,
    resolve::{Answer, PinQuery, Release},
};
use crate::fetch::{FetchKind, FetchRequest, LockedRequest, PreviousLock};
use crate::manifest::{LockedSource, Pin, Source};
use helix_skills_format::{
    GitUrl, LockedPlugin, LockedSkill, ObjectId, PluginName, SkillName, SourceKey,
};

/// A request to one repository for one source.
pub(super) struct RepositoryRequest {
    pub(super) key: SourceKey,
    /// The manifest's entry.
    pub(super) source: Source,
    /// The repository.
    pub(super) url: GitUrl,
    pub(super) kind: Request,
}

/// What a repository is requested to do.
pub(super) enum Request {
    Locate(Box<LocateRequest>),
    Check(Box<CheckRequest>),
    Locked(Box<LockedRequest>),
}

/// A request to resolve a pin and to locate the skills.
pub(super) struct LocateRequest {
    /// The locked source if its pin is not to be resolved again.
    pub(super) known: Option<LockedSource>,
    /// What was locked before, to find renames and removals.
    pub(super) before: Option<Box<PreviousLock>>,
    /// Whether the files of the skills are going to be fetched.
    pub(super) needs_files: bool,
    /// The plugin if its marketplace is in another repository, which has been read. Then the pin
    /// is the one of the marketplace's index, and not the manifest's.
    pub(super) plugin: Option<Box<PluginElsewhere>>,
}

/// A plugin in another repository than its marketplace.
pub(super) struct PluginElsewhere {
    /// The source as it will be locked, without the commit of the plugin.
    pub(super) locked: LockedSource,
    pub(super) plugin: LocatedPlugin,
    pub(super) pin: Pin,
    pub(super) sha: Option<ObjectId>,
    /// The newest release of the marketplace, if requested.
    pub(super) newest: Option<Release>,
}

/// A request to check that upstream still has what was locked.
pub(super) struct CheckRequest {
    pub(super) commit: ObjectId,
    /// The tag that pointed to the commit. Branches move, tags should not.
    pub(super) tag: Option<Pin>,
    pub(super) skills: Vec<(SkillName, LockedSkill)>,
    /// The URL of the marketplace and the name of the plugin when it was locked, and where it was,
    /// if the repository is its marketplace.
    pub(super) plugin: Option<((GitUrl, PluginName), LockedPlugin)>,
    /// The request to the repository of the plugin, if the marketplace names it.
    pub(super) then: Option<Box<RepositoryRequest>>,
}

impl RepositoryRequest {
    /// Converts a request; `None` for a source that is not in a repository.
    pub(super) fn from_fetch(request: FetchRequest) -> Option<Self> {
        let FetchRequest { key, source, kind, .. } = request;
        match kind {
            FetchKind::Resolve { known, before } => Self::locate(key, source, known, before, true),
            FetchKind::Locked(request) => Self::locked(key, source, request),
        }
    }

    /// Creates a request for locked skills, beginning with the marketplace if their plugin is in
    /// another repository.
    fn locked(key: SourceKey, source: Source, request: LockedRequest) -> Option<Self> {
        let url = source.repository()?.url.clone();
        let plugin = request.locked.plugin.clone();
        let plugin = plugin.and_then(|plugin| Some((plugin.url.clone()?, plugin)));
        let kind = match source.plugin().cloned().zip(plugin) {
            None => Request::Locked(Box::new(request)),
            Some((name, (plugin_url, plugin))) => {
                let (commit, plugin) =
                    (request.locked.commit?, Some(((url.clone(), name), plugin)));
                let (key, source, url) = (key.clone(), source.clone(), plugin_url);
                let kind = Request::Locked(Box::new(request));
                let then = Some(Box::new(Self { key, source, url, kind }));
                let (tag, skills) = (None, Vec::new());
                Request::Check(Box::new(CheckRequest { commit, tag, skills, plugin, then }))
            }
        };
        Some(Self { key, source, url, kind })
    }

    /// Creates a request to locate the skills of a source, beginning with its own repository.
    pub(super) fn locate(
        key: SourceKey,
        source: Source,
        known: Option<LockedSource>,
        before: Option<Box<PreviousLock>>,
        needs_files: bool,
    ) -> Option<Self> {
        let url = source.repository()?.url.clone();
        let request = LocateRequest { known, before, needs_files, plugin: None };
        Some(Self { key, source, url, kind: Request::Locate(Box::new(request)) })
    }

    /// Returns the pin to resolve, if any.
    pub(super) fn pin_query(&self) -> Option<PinQuery<'_>> {
        let key = &self.key;
        let before = match &self.kind {
            Request::Locate(request) => request.before.as_ref().map(|before| &before.source),
            _ => None,
        };
        let query = |pin, sha| PinQuery {
            key,
            source: &self.source,
            locked: before.and_then(|locked| locked.reference.as_deref()),
            pin,
            sha,
            known: None,
            newest: false,
            or_default_branch: false,
        };
        match &self.kind {
            Request::Locate(request) => match &request.plugin {
                None => {
                    let repository = self.source.repository()?;
                    let (pin, sha) = (&repository.pin, repository.sha.as_ref());
                    let known = request.known.as_ref().and_then(|known| {
                        Some((known.reference.as_deref(), known.commit.as_ref()?))
                    });
                    // Branches have no releases to compare with, and listing all tags is
                    // expensive.
                    let newest = !request.needs_files
                        && request.before.is_some()
                        && matches!(pin, Pin::Version(_));
                    // If no tag has the version of a marketplace's pin, it is the version of the
                    // plugin.
                    let or_default_branch = self.source.plugin().is_some();
                    Some(PinQuery { known, newest, or_default_branch, ..query(pin, sha) })
                }
                Some(plugin) => {
                    let known = request.known_plugin(plugin).and_then(|known| {
                        Some((known.reference.as_deref(), known.commit.as_ref()?))
                    });
                    Some(PinQuery { known, ..query(&plugin.pin, plugin.sha.as_ref()) })
                }
            },
            Request::Check(request) => Some(query(request.tag.as_ref()?, None)),
            Request::Locked(_) => None,
        }
    }

    /// Returns the locked commit to read or to compare with, if it is in this repository.
    pub(super) fn locked_commit(&self) -> Option<&ObjectId> {
        match &self.kind {
            Request::Locate(request) => {
                let before = &request.before.as_ref()?.source;
                before.skills_commit().filter(|_| before.skills_url() == Some(&self.url))
            }
            Request::Check(request) => Some(&request.commit).filter(|_| request.needs_commit()),
            Request::Locked(request) => request.locked.skills_commit(),
        }
    }

    /// Returns whether the request has a SHA-256 object id, which this build does not support.
    pub(super) fn names_sha256(&self) -> bool {
        let is_long = |id: &ObjectId| id.as_bytes().len() != 20;
        let in_source = |locked: &LockedSource| locked.skills_commit().is_some_and(is_long);
        match &self.kind {
            Request::Locate(request) => match &request.plugin {
                None => {
                    let sha = self.source.repository().and_then(|named| named.sha.as_ref());
                    sha.is_some_and(is_long) || request.known.as_ref().is_some_and(in_source)
                }
                Some(plugin) => plugin.sha.as_ref().is_some_and(is_long),
            },
            Request::Check(request) => is_long(&request.commit),
            Request::Locked(request) => in_source(&request.locked),
        }
    }
}

impl LocateRequest {
    /// Returns the locked plugin if its pin is not to be resolved again: the marketplace's index
    /// still has it in the same place, and without a `sha`.
    fn known_plugin(&self, plugin: &PluginElsewhere) -> Option<&LockedPlugin> {
        let known = self.known.as_ref()?.plugin.as_ref()?;
        let now = plugin.locked.plugin.as_ref()?;
        let is_same = plugin.sha.is_none() && known.url == now.url && known.path == now.path;
        is_same.then_some(known)
    }

    /// Returns whether an update resolved the pin to what is locked, so that there is nothing to
    /// fetch.
    ///
    /// The reference of a plugin in another repository than its marketplace may have moved.
    pub(super) fn is_unmoved(&self, answer: &Answer) -> bool {
        let (Some(before), None) = (&self.before, &self.plugin) else { return false };
        let locked = &before.source;
        before.is_current
            && locked.commit == Some(answer.commit)
            && locked.reference == answer.reference
            && locked.plugin.as_ref().is_none_or(|plugin| plugin.reference.is_none())
    }
}

impl CheckRequest {
    /// Returns whether anything in the commit is checked.
    pub(super) fn needs_commit(&self) -> bool {
        !self.skills.is_empty() || self.plugin.is_some()
    }
}
