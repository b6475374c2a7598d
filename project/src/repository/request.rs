//! What is asked of one repository for one source.

use super::resolve::{Question, Release};
use crate::sync::{FetchKind, FetchRequest, MissingSkill, PreviousLock};
use crate::{
    manifest::{LockedSource, MarketplaceSource, Pin, Source, VersionPin},
    marketplace::Plugin,
};
use helix_skills_format::{
    DirPath, GitUrl, LockedPlugin, LockedSkill, ObjectId, SkillName, SourceKey,
};

/// What is asked of one repository for one source.
pub(super) struct RepositoryRequest {
    pub(super) key: SourceKey,
    /// The manifest's entry.
    pub(super) source: Source,
    /// The repository.
    pub(super) url: GitUrl,
    pub(super) kind: RequestKind,
    /// Whether only the state of things is wanted, and no files.
    pub(super) status_only: bool,
}

pub(super) enum RequestKind {
    /// What the entry's pin means, and which skills are there.
    Pin { known: Option<LockedSource>, before: Option<Box<PreviousLock>> },
    /// The same of a plugin that lies in another repository than its marketplace.
    Plugin(Box<ExternalPlugin>),
    /// The bytes of locked skills.
    Locked { locked: LockedSource, needed: Vec<MissingSkill> },
    /// Whether what was locked is still what upstream has.
    Check(LockedRevision),
}

/// What was locked of a repository.
pub(super) struct LockedRevision {
    pub(super) commit: ObjectId,
    /// The tag that meant the commit. Branches move, tags should not.
    pub(super) tag: Option<Pin>,
    pub(super) skills: Vec<(SkillName, LockedSkill)>,
    /// The plugin, if the repository is its marketplace, and the entry of the manifest that asked for it.
    pub(super) plugin: Option<(MarketplaceSource, LockedPlugin)>,
}

impl LockedRevision {
    /// Whether anything of the commit is compared.
    pub(super) fn needs_commit(&self) -> bool {
        !self.skills.is_empty() || self.plugin.is_some()
    }
}

/// A plugin that lies in another repository than its marketplace.
pub(super) struct ExternalPlugin {
    /// The marketplace as it will be locked, but for the plugin.
    pub(super) market: LockedSource,
    pub(super) plugin: Plugin,
    /// The plugin's root in its repository.
    pub(super) path: DirPath,
    /// What the marketplace's entry pins.
    pub(super) pin: Pin,
    pub(super) sha: Option<ObjectId>,
    /// Where the plugin was when it was locked, if it is still asked for in the same way.
    pub(super) known: Option<LockedPlugin>,
    /// The version that the plugin must declare, because no tag of the marketplace has it.
    pub(super) version: Option<VersionPin>,
    pub(super) before: Option<Box<PreviousLock>>,
    /// The newest release of the marketplace.
    pub(super) newest: Option<Release>,
    pub(super) warnings: Vec<String>,
    pub(super) details: Vec<String>,
}

impl RepositoryRequest {
    /// None for a source that lies in no repository.
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

    /// The pin that has to be resolved, if one has.
    pub(super) fn question(&self) -> Option<Question<'_>> {
        let key = &self.key;
        match &self.kind {
            RequestKind::Pin { known, .. } => {
                let repository = self.source.repository()?;
                let known = known
                    .as_ref()
                    .and_then(|known| Some((known.reference.as_deref(), known.commit.as_ref()?)));
                // Without a tag, the version of a marketplace's pin is the plugin's.
                let or_default_branch = matches!(self.source, Source::Marketplace(_));
                let (pin, sha) = (&repository.pin, repository.sha.as_ref());
                // Branches have no releases to be compared with.
                let newest = self.status_only && matches!(pin, Pin::Version(_));
                Some(Question { key, pin, sha, known, newest, or_default_branch })
            }
            RequestKind::Plugin(external) => {
                let known = external.known.as_ref().filter(|_| external.sha.is_none());
                let known = known
                    .and_then(|known| Some((known.reference.as_deref(), known.commit.as_ref()?)));
                let (pin, sha) = (&external.pin, external.sha.as_ref());
                Some(Question { key, pin, sha, known, newest: false, or_default_branch: false })
            }
            RequestKind::Check(revision) => {
                let pin = revision.tag.as_ref()?;
                Some(Question {
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

    /// A commit that was locked, if it shall be compared and lies in this repository.
    pub(super) fn locked_commit(&self) -> Option<&ObjectId> {
        let before = match &self.kind {
            RequestKind::Pin { before, .. } => before.as_ref(),
            RequestKind::Plugin(external) => external.before.as_ref(),
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

    /// Whether an object is named by a SHA-256 id, which gix was built without.
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

/// The commit that an entry names.
pub(super) fn sha_of(source: &Source) -> Option<&ObjectId> {
    source.repository()?.sha.as_ref()
}
