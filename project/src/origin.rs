//! The origin of locked skills: whether they are what their entries select in the locked commits.
//!
//! A repository proves it, or the origin files of the store, `COMMIT.origin`: the git objects that
//! the resolution of the commit's sources reads, without the contents of files. They are hashed,
//! and take the place of the repository; the contents are those of the store.

mod compare;
mod prove;
mod resolve;
mod saved;

pub(crate) use compare::{compare, prove_pins};
pub(crate) use prove::{check, kept_note};
pub(crate) use saved::stored_files;

use crate::manifest::Lock;
use crate::{
    Cache, Error,
    fetch::{FetchRequest, Fetched, OriginFiles, Remote},
    notes::Notes,
    paths::ProjectPaths,
    repository::Reader,
};
use helix_skills_format::{Limits, SourceKey};
use helix_skills_git::Git;
use std::collections::BTreeSet;

impl Remote for Git {
    fn fetch(
        &self,
        project: &ProjectPaths,
        limits: Limits,
        requests: Vec<FetchRequest>,
        notes: &mut Notes,
    ) -> Vec<Result<Fetched, Error>> {
        Reader { git: self, project, limits, saved: None }.fetch(requests, notes)
    }

    fn other_skills(
        &self,
        project: &ProjectPaths,
        limits: Limits,
        lock: &Lock,
    ) -> BTreeSet<SourceKey> {
        prove::other_skills(self, (project, limits), lock)
    }

    fn origin_files(
        &self,
        inputs: (&ProjectPaths, &Cache, Limits),
        is_offline: bool,
        locks: (&Lock, &Lock),
    ) -> Result<OriginFiles, Error> {
        prove::of_sync(self, inputs, is_offline, locks)
    }
}
