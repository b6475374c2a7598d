//! What is asked of one repository for one source.

use super::resolve::{Question, Release};
use crate::sync::{Before, Job, Needed, Task};
use crate::{
    manifest::{LockedSource, MarketplaceSource, Pin, Source, VersionPin},
    marketplace::Plugin,
};
use helix_skills_format::{
    DirPath, GitUrl, LockedPlugin, LockedSkill, ObjectId, SkillName, SourceKey,
};

/// What is asked of one repository for one source.
pub(super) struct Asked {
    pub(super) key: SourceKey,
    /// The manifest's entry.
    pub(super) source: Source,
    /// The repository.
    pub(super) url: GitUrl,
    pub(super) what: What,
    /// Whether only the state of things is wanted, and no files.
    pub(super) looks: bool,
}

pub(super) enum What {
    /// What the entry's pin means, and which skills are there.
    Pin { known: Option<LockedSource>, before: Option<Box<Before>> },
    /// The same of a plugin that lies in another repository than its marketplace.
    Plugin(Box<Elsewhere>),
    /// The bytes of locked skills.
    Locked { locked: LockedSource, needed: Vec<Needed> },
    /// Whether what was locked is still what upstream has.
    Proof(Proof),
}

/// What was locked of a repository.
pub(super) struct Proof {
    pub(super) commit: ObjectId,
    /// The tag that meant the commit. Branches move, tags should not.
    pub(super) tag: Option<Pin>,
    pub(super) skills: Vec<(SkillName, LockedSkill)>,
    /// The plugin, if the repository is its marketplace, and the entry of the manifest that asked for it.
    pub(super) plugin: Option<(MarketplaceSource, LockedPlugin)>,
}

impl Proof {
    /// Whether anything of the commit is compared.
    pub(super) fn needs_commit(&self) -> bool {
        !self.skills.is_empty() || self.plugin.is_some()
    }
}

/// A plugin that lies in another repository than its marketplace.
pub(super) struct Elsewhere {
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
    pub(super) before: Option<Box<Before>>,
    /// The newest release of the marketplace.
    pub(super) newest: Option<Release>,
    pub(super) warnings: Vec<String>,
    pub(super) details: Vec<String>,
}

impl Asked {
    /// None for a source that lies in no repository.
    pub(super) fn from_job(job: Job) -> Option<Self> {
        let (url, what) = match job.task {
            Task::Resolve { known, before } => {
                (job.source.repository()?.url.clone(), What::Pin { known, before })
            }
            Task::Locked { locked, needed } => {
                (locked.skills_url()?.clone(), What::Locked { locked, needed })
            }
        };
        Some(Self { key: job.key, source: job.source, url, what, looks: false })
    }

    /// The pin that has to be resolved, if one has.
    pub(super) fn question(&self) -> Option<Question<'_>> {
        let key = &self.key;
        match &self.what {
            What::Pin { known, .. } => {
                let repository = self.source.repository()?;
                let known = known
                    .as_ref()
                    .and_then(|known| Some((known.reference.as_deref(), known.commit.as_ref()?)));
                // Without a tag, the version of a marketplace's pin is the plugin's.
                let or_default_branch = matches!(self.source, Source::Marketplace(_));
                let (pin, sha) = (&repository.pin, repository.sha.as_ref());
                // Branches have no releases to be compared with.
                let newest = self.looks && matches!(pin, Pin::Version(_));
                Some(Question { key, pin, sha, known, newest, or_default_branch })
            }
            What::Plugin(elsewhere) => {
                let known = elsewhere.known.as_ref().filter(|_| elsewhere.sha.is_none());
                let known = known
                    .and_then(|known| Some((known.reference.as_deref(), known.commit.as_ref()?)));
                let (pin, sha) = (&elsewhere.pin, elsewhere.sha.as_ref());
                Some(Question { key, pin, sha, known, newest: false, or_default_branch: false })
            }
            What::Proof(proof) => {
                let pin = proof.tag.as_ref()?;
                Some(Question {
                    key,
                    pin,
                    sha: None,
                    known: None,
                    newest: false,
                    or_default_branch: false,
                })
            }
            What::Locked { .. } => None,
        }
    }

    /// A commit that was locked, if it shall be compared and lies in this repository.
    pub(super) fn locked_commit(&self) -> Option<&ObjectId> {
        let before = match &self.what {
            What::Pin { before, .. } => before.as_ref(),
            What::Plugin(elsewhere) => elsewhere.before.as_ref(),
            What::Proof(proof) if proof.needs_commit() => return Some(&proof.commit),
            What::Proof(_) | What::Locked { .. } => None,
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
        match &self.what {
            What::Pin { known, .. } => {
                sha_of(&self.source).is_some_and(is_long) || known.as_ref().is_some_and(in_source)
            }
            What::Plugin(elsewhere) => elsewhere.sha.as_ref().is_some_and(is_long),
            What::Proof(proof) => is_long(&proof.commit),
            What::Locked { locked, needed } => {
                let ids = |needed: &Needed| {
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
