//! Recording what proves the origin of locked skills.

use super::{
    Answers, Reader, Repository,
    location::{Location, Task},
};
use crate::{Error, fetch::FetchRequest, notes::Notes};
use helix_skills_format::{ObjectId, SourceKey};
use helix_skills_git as git;

/// The objects of a commit that resolving a source reads, as [`git::Session::take_read`] returns
/// them.
pub(crate) type Recorded = (SourceKey, ObjectId, String);

impl Reader<'_> {
    /// Returns what answering the requests reads of each commit, without the contents of files, and
    /// why other sources cannot be read.
    pub(crate) fn record(
        &self,
        requests: impl Iterator<Item = FetchRequest>,
    ) -> (Vec<Recorded>, Vec<(SourceKey, Error)>) {
        let locations = requests.filter_map(Location::from_fetch);
        let read = |repository: &mut Repository<'_, '_>, locations| repository.record(locations);
        let Answers { found, failed, lost } =
            self.read(locations.collect(), &mut Notes::default(), read);
        let failed = failed.into_iter().map(|(key, errors)| (key, errors.into()));
        let lost =
            lost.iter().flat_map(|lost| lost.keys.iter().map(|key| (key.clone(), lost.error())));
        (found, failed.chain(lost).collect())
    }
}

impl Repository<'_, '_> {
    fn record(&mut self, locations: Vec<Location>) -> Result<Vec<Recorded>, git::Error> {
        let mut recorded = Vec::new();
        for mut location in locations {
            if let Task::Select { needs_files, .. } = &mut location.task {
                *needs_files = false;
            }
            // What an earlier source has found would not be read again.
            (self.links, self.scopes, self.everything) = Default::default();
            let (key, commit) = (location.key.clone(), location.known_commit());
            let (located, _) = self.locate(vec![location])?;
            let mut opened = self.open(located)?;
            self.fetch_files(&mut opened, false)?;
            let read = self.session.take_read();
            recorded.extend(commit.map(|commit| (key, commit, read)));
        }
        Ok(recorded)
    }
}
