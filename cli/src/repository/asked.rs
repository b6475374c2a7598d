//! What is asked of one repository for one source.

use super::resolve::Question;
use crate::sync::{Job, Needed, Task};
use helix_skills_format::{GitUrl, LockedSource, ObjectId, Source, SourceKey};

/// What is asked of one repository for one source.
pub(super) struct Asked {
    pub(super) key: SourceKey,
    /// The manifest's entry.
    pub(super) source: Source,
    /// The repository.
    pub(super) url: GitUrl,
    pub(super) what: What,
}

pub(super) enum What {
    /// What the pin means, and which skills are there.
    Pin { known: Option<LockedSource> },
    /// The bytes of locked skills.
    Locked { locked: LockedSource, needed: Vec<Needed> },
}

impl Asked {
    /// None for a source that lies in no repository.
    pub(super) fn of(job: Job) -> Option<Self> {
        let url = job.source.repository()?.url.clone();
        let what = match job.task {
            Task::Resolve { known } => What::Pin { known },
            Task::Locked { locked, needed } => What::Locked { locked, needed },
        };
        Some(Self { key: job.key, source: job.source, url, what })
    }

    /// The pin that has to be resolved, if one has.
    pub(super) fn question(&self) -> Option<Question<'_>> {
        let What::Pin { known } = &self.what else { return None };
        let repository = self.source.repository()?;
        let known = known.as_ref().and_then(|known| Some((known.reference.as_deref(), known.commit.as_ref()?)));
        Some(Question { key: &self.key, pin: &repository.pin, sha: repository.sha.as_ref(), known })
    }

    /// Whether an object is named by a SHA-256 id, which gix was built without.
    pub(super) fn names_sha256(&self) -> bool {
        let is_long = |id: &ObjectId| id.as_str().len() == 64;
        sha_of(&self.source).is_some_and(is_long)
            || match &self.what {
                What::Pin { known } => known.as_ref().is_some_and(|known| known.commit.as_ref().is_some_and(is_long)),
                What::Locked { locked, needed } => {
                    let ids =
                        |needed: &Needed| needed.locked.tree.iter().chain(needed.locked.links.values()).any(is_long);
                    locked.commit.as_ref().is_some_and(is_long) || needed.iter().any(ids)
                }
            }
    }
}

/// The commit that an entry names.
pub(super) fn sha_of(source: &Source) -> Option<&ObjectId> {
    source.repository()?.sha.as_ref()
}
