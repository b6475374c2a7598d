//! Requests to repositories.

use super::resolve::{Answer, PinQuery, Release};
use crate::sync::{FetchKind, FetchRequest, MissingSkill, PreviousLock};
use crate::{
    manifest::{LockedSource, MarketplaceSource, Pin, Source, VersionPin},
    marketplace::{Plugin, PluginName},
};
use helix_skills_format::{GitUrl, LockedPlugin, LockedSkill, ObjectId, SkillName, SourceKey};

/// A request to one repository for one source.
pub(super) struct RepositoryRequest {
    pub(super) key: SourceKey,
    /// The manifest's entry.
    pub(super) source: Source,
    /// The repository.
    pub(super) url: GitUrl,
    pub(super) kind: RequestKind,
    /// Whether files are not needed, because only the status of the source is requested.
    pub(super) status_only: bool,
}

/// What a repository is requested to do.
pub(super) enum RequestKind {
    /// Resolve the entry's pin, and find the skills.
    Pin { known: Option<LockedSource>, before: Option<Box<PreviousLock>> },
    /// The same for a plugin in another repository than its marketplace.
    Plugin(Box<ExternalPlugin>),
    /// Fetch the files of locked skills.
    Locked { locked: LockedSource, needed: Vec<MissingSkill> },
    /// Check that upstream still has what was locked.
    Check(LockedRevision),
}

/// What the lockfile has of a repository.
pub(super) struct LockedRevision {
    pub(super) commit: ObjectId,
    /// The tag that pointed to the commit. Branches move, tags should not.
    pub(super) tag: Option<Pin>,
    pub(super) skills: Vec<(SkillName, LockedSkill)>,
    /// The plugin with its entry in the manifest, if the repository is its marketplace.
    pub(super) plugin: Option<(MarketplaceSource, LockedPlugin)>,
}

impl LockedRevision {
    /// Returns whether anything in the commit is checked.
    pub(super) fn needs_commit(&self) -> bool {
        !self.skills.is_empty() || self.plugin.is_some()
    }
}

/// A commit that contains the skills of a source.
pub(super) struct Site {
    pub(super) key: SourceKey,
    pub(super) source: Source,
    pub(super) status_only: bool,
    pub(super) root: ObjectId,
    /// The plugin that has the skills; `None` if the repository has them.
    pub(super) plugin: Option<SitePlugin>,
    /// The source as it will be locked, without the version of the plugin.
    pub(super) locked: LockedSource,
    pub(super) before: Option<Box<PreviousLock>>,
    pub(super) newest: Option<Release>,
    pub(super) warnings: Vec<String>,
    pub(super) details: Vec<String>,
    /// The resolved tag or branch, for messages.
    pub(super) reference: Option<String>,
}

/// The plugin of a source.
pub(super) struct SitePlugin {
    pub(super) plugin: Plugin,
    /// Its location.
    pub(super) place: LockedPlugin,
    /// The name of the plugin's root if it is a skill and a repository's root, too.
    pub(super) root_name: String,
    /// Whether its root is that of its marketplace.
    pub(super) at_marketplace_root: bool,
    /// The version that it must declare, because no tag of the marketplace has it.
    pub(super) version: Option<VersionPin>,
}

/// A plugin in another repository than its marketplace.
pub(super) struct ExternalPlugin {
    /// The site of the skills. Its commit is that of the marketplace until the plugin's is known.
    pub(super) site: Site,
    pub(super) plugin: PluginName,
    /// The pin of the marketplace's entry.
    pub(super) pin: Pin,
    pub(super) sha: Option<ObjectId>,
    /// The locked plugin, if its entry has not changed.
    pub(super) known: Option<LockedPlugin>,
}

impl RepositoryRequest {
    /// Converts a request; `None` for a source that is not in a repository.
    pub(super) fn from_fetch(request: FetchRequest) -> Option<Self> {
        let (url, kind) = match request.kind {
            FetchKind::Resolve { known, before } => {
                (request.source.repository()?.url.clone(), RequestKind::Pin { known, before })
            }
            FetchKind::Locked { locked, needed } => {
                (locked.skills_url()?.clone(), RequestKind::Locked { locked, needed })
            }
        };
        Some(Self { key: request.key, source: request.source, url, kind, status_only: false })
    }

    /// Returns the pin to resolve, if any.
    pub(super) fn pin_query(&self) -> Option<PinQuery<'_>> {
        let key = &self.key;
        match &self.kind {
            RequestKind::Pin { known, before } => {
                let repository = self.source.repository()?;
                let known = known
                    .as_ref()
                    .and_then(|known| Some((known.reference.as_deref(), known.commit.as_ref()?)));
                // If no tag has the version of a marketplace's pin, it is the version of the
                // plugin.
                let or_default_branch = matches!(self.source, Source::Marketplace(_));
                let (pin, sha) = (&repository.pin, repository.sha.as_ref());
                // Branches have no releases to compare with, and listing all tags is expensive.
                let newest = self.status_only && before.is_some() && matches!(pin, Pin::Version(_));
                Some(PinQuery { key, pin, sha, known, newest, or_default_branch })
            }
            RequestKind::Plugin(external) => {
                let known = external.known.as_ref().filter(|_| external.sha.is_none());
                let known = known
                    .and_then(|known| Some((known.reference.as_deref(), known.commit.as_ref()?)));
                let (pin, sha) = (&external.pin, external.sha.as_ref());
                Some(PinQuery { key, pin, sha, known, newest: false, or_default_branch: false })
            }
            RequestKind::Check(revision) => {
                let pin = revision.tag.as_ref()?;
                Some(PinQuery {
                    key,
                    pin,
                    sha: None,
                    known: None,
                    newest: false,
                    or_default_branch: false,
                })
            }
            RequestKind::Locked { .. } => None,
        }
    }

    /// Returns whether an update resolved the pin to what is locked, so that there is nothing to
    /// fetch.
    ///
    /// The reference of a plugin in another repository than its marketplace may have moved.
    pub(super) fn is_unmoved(&self, answer: &Answer) -> bool {
        let RequestKind::Pin { before: Some(before), .. } = &self.kind else { return false };
        let locked = &before.source;
        before.is_current
            && locked.commit == Some(answer.commit)
            && locked.reference == answer.reference
            && locked.plugin.as_ref().is_none_or(|plugin| plugin.reference.is_none())
    }

    /// Returns the locked commit to compare with, if it is in this repository.
    pub(super) fn locked_commit(&self) -> Option<&ObjectId> {
        let before = match &self.kind {
            RequestKind::Pin { before, .. } => before.as_ref(),
            RequestKind::Plugin(external) => external.site.before.as_ref(),
            RequestKind::Check(revision) if revision.needs_commit() => {
                return Some(&revision.commit);
            }
            RequestKind::Check(_) | RequestKind::Locked { .. } => None,
        };
        before
            .filter(|before| before.source.skills_url() == Some(&self.url))?
            .source
            .skills_commit()
    }

    /// Returns whether the request has a SHA-256 object id, which this build does not support.
    pub(super) fn names_sha256(&self) -> bool {
        let is_long = |id: &ObjectId| id.as_bytes().len() != 20;
        let in_source = |locked: &LockedSource| locked.skills_commit().is_some_and(is_long);
        match &self.kind {
            RequestKind::Pin { known, .. } => {
                sha_of(&self.source).is_some_and(is_long) || known.as_ref().is_some_and(in_source)
            }
            RequestKind::Plugin(external) => external.sha.as_ref().is_some_and(is_long),
            RequestKind::Check(revision) => is_long(&revision.commit),
            RequestKind::Locked { locked, needed } => {
                let ids = |needed: &MissingSkill| {
                    needed.locked.tree.iter().chain(needed.locked.links.values()).any(is_long)
                };
                in_source(locked) || needed.iter().any(ids)
            }
        }
    }
}

/// Returns the `sha` of an entry.
pub(super) fn sha_of(source: &Source) -> Option<&ObjectId> {
    source.repository()?.sha.as_ref()
}
