//! Reading sources from git repositories, in three steps: where the skills are, which directories
//! have them, and their files.
//!
//! `locate` resolves pins to commits, and reads the indexes of marketplaces. `open` finds and
//! selects the skills of these locations. `files` reads them. `skills outdated` and `skills add`
//! stop before the files, and a sync of locked skills begins with them.
//!
//! An entry becomes a [`Location`], each [`FoundDirectory`](skill_tree::FoundDirectory) of an
//! [`OpenedSource`](open::OpenedSource) is walked once to its
//! [`SkillFiles`](skill_tree::SkillFiles), and their contents are [`Fetched`] for the store.
//!
//! All requests to one repository are answered together, because they share network requests. An
//! error of a repository is reported for each of its sources, because none of them can be
//! read.

mod commit_files;
mod discover;
mod files;
mod find;
mod links;
mod locate;
mod location;
mod market;
mod mentioned;
mod offer;
mod open;
mod plugin;
mod references;
mod resolve;
mod resolved;
mod skill_tree;
mod source_error;
mod source_status;
mod upstream;

pub(crate) use references::newest_release;
pub use references::{References, Release};
pub(crate) use resolved::{Resolved, ResolvedSkill};
pub use source_status::SourceStatus;

use crate::{
    Error,
    error::ErrorsBySource,
    fetch::{FetchRequest, Fetched},
    notes::Notes,
    parallel,
    paths::ProjectPaths,
};
use discover::KnownScopes;
use helix_skills_format::{GitUrl, Limits, ObjectId, SourceKey};
use helix_skills_git::{self as git, Commit, Git, Session};
use links::LinkCache;
use location::Location;
use source_error::{SourceResult, of_source};
use std::collections::{BTreeMap, BTreeSet};

/// The directory with the manifest of a plugin or marketplace.
const PLUGIN_DIR: &str = ".claude-plugin";

/// Maximum number of files of a source that a warning lists.
const MAX_LISTED: usize = 12;

/// The total size of the skills of a source may be this many times `limits.bytesPerFetch`; so may
/// the total size of the objects of a repository.
const EXPANSION_FACTOR: u64 = 2;

/// Number of repositories that are read in parallel. The threads mostly wait for servers.
const CONNECTIONS: usize = 8;

/// A reader of all repositories of a command.
pub(crate) struct Reader<'r> {
    pub(crate) git: &'r Git,
    pub(crate) project: &'r ProjectPaths,
    pub(crate) limits: Limits,
    /// What is read instead of repositories.
    pub(crate) saved: Option<&'r SavedObjects>,
}

/// The saved objects of each commit, as [`Session::take_read`] returns them, with the name of their
/// file.
pub(crate) type SavedObjects = BTreeMap<ObjectId, (String, String)>;

/// What was found in repositories, and the errors of each source.
type Answers<T> = (Vec<T>, Vec<(SourceKey, Error)>);

/// Returns the errors of all sources. Those of a repository that cannot be read have the same one.
pub(crate) fn distinct_errors(mut failed: Vec<(SourceKey, Error)>) -> Vec<Error> {
    failed.dedup_by_key(|(_, error)| error.to_string());
    failed.into_iter().map(|(_, error)| error).collect()
}

impl Reader<'_> {
    /// Answers the requests of a sync.
    pub(crate) fn fetch(
        &self,
        requests: Vec<FetchRequest>,
        notes: &mut Notes,
    ) -> Vec<Result<Fetched, Error>> {
        let locations = requests.into_iter().filter_map(Location::from_fetch).collect();
        let read = |repository: &mut Repository<'_, '_>, locations| repository.answer(locations);
        let (found, failed) = self.read(locations, notes, read);
        found.into_iter().chain(distinct_errors(failed).into_iter().map(Err)).collect()
    }

    /// Reads all repositories, and for each of them all its sources together.
    ///
    /// Meanwhile, `read` may add further repositories, because a plugin may be in another
    /// repository than its marketplace.
    fn read<T: Send>(
        &self,
        mut locations: Vec<Location>,
        notes: &mut Notes,
        read: impl Fn(&mut Repository<'_, '_>, Vec<Location>) -> Result<Vec<T>, git::Error> + Sync,
    ) -> Answers<T> {
        let (mut answers, mut failed, mut lost) = (Vec::new(), Vec::new(), Vec::new());
        while !locations.is_empty() {
            let mut groups: BTreeMap<String, Vec<Location>> = BTreeMap::new();
            for location in locations.drain(..) {
                groups.entry(location.url.as_str().to_owned()).or_default().push(location);
            }
            let groups: Vec<_> = groups.into_values().collect();
            let results = parallel::map_on(CONNECTIONS, groups, |locations| {
                let keys: BTreeSet<_> = locations.iter().map(|it| it.key.clone()).collect();
                let keys: Vec<SourceKey> = keys.into_iter().collect();
                // Whether the manifest names the repository, directly or as that of a marketplace.
                let names = |is_same: fn(&GitUrl, &GitUrl) -> bool| {
                    let names = |location: &Location| {
                        let named = location.source().repository();
                        named.is_some_and(|named| is_same(&named.url, &location.url))
                    };
                    locations.iter().any(names)
                };
                let is_plugin = !names(GitUrl::eq);
                let lost = |error: git::Error| -> Vec<_> {
                    let error = || match Error::git(&keys, is_plugin, &error) {
                        error if self.saved.is_some() => Error::not_proved(&error),
                        error => error,
                    };
                    keys.iter().map(|key| (key.clone(), error())).collect()
                };
                let (url, base) = (&locations[0].url, &*self.project.root);
                let session = match (self.saved, names(|named, url| named.host() == url.host())) {
                    (Some(saved), _) => {
                        let commits: BTreeSet<_> =
                            locations.iter().filter_map(Location::known_commit).collect();
                        let texts = commits.iter().filter_map(|commit| saved.get(commit));
                        self.git.saved_session(&texts.cloned().collect::<Vec<_>>())
                    }
                    (None, true) => self.git.session(url, base),
                    (None, false) => self.git.unnamed_session(url, base),
                };
                let mut session = match session {
                    Ok(session) => session,
                    Err(error) => return (Err(lost(error)), Notes::default(), Vec::new()),
                };
                let mut repository = Repository {
                    session: &mut session,
                    limits: self.limits,
                    links: LinkCache::default(),
                    scopes: KnownScopes::default(),
                    commits: BTreeMap::new(),
                    failed: ErrorsBySource::default(),
                    notes: Notes::default(),
                    follow_ups: Vec::new(),
                };
                let found = read(&mut repository, locations);
                let Repository { notes, follow_ups, failed, .. } = repository;
                session.keep();
                (found.map(|found| (found, failed)).map_err(lost), notes, follow_ups)
            });
            for (result, noted, follow_ups) in results {
                match result {
                    Ok((found, errors)) => {
                        answers.extend(found);
                        failed.extend(errors.into_sources().map(|(key, it)| (key, it.into())));
                    }
                    Err(errors) => lost.extend(errors),
                }
                notes.append(noted);
                locations.extend(follow_ups);
            }
        }
        failed.extend(lost);
        (answers, failed)
    }
}

/// A repository that is being read for several sources, which share its network requests.
struct Repository<'s, 'g> {
    session: &'s mut Session<'g>,
    limits: Limits,
    links: LinkCache,
    scopes: KnownScopes,
    /// The commits that were fetched.
    commits: BTreeMap<ObjectId, Commit>,
    /// Errors of single sources, without which the others are read.
    failed: ErrorsBySource,
    notes: Notes,
    /// Sources that are in other repositories.
    follow_ups: Vec<Location>,
}

impl Repository<'_, '_> {
    /// Returns what was found for a source; `None` after noting the source's errors.
    fn keep<T>(
        &mut self,
        key: &SourceKey,
        result: SourceResult<T>,
    ) -> Result<Option<T>, git::Error> {
        Ok(match of_source(result)? {
            Ok(found) => Some(found),
            Err(error) => {
                self.failed.for_source(key).push(error);
                None
            }
        })
    }

    /// Fetches a commit with its trees, unless it was fetched before.
    fn commit(&mut self, id: ObjectId, reference: Option<&str>) -> Result<Commit, git::Error> {
        if let Some(commit) = self.commits.get(&id) {
            return Ok(*commit);
        }
        let commit = self.session.commit(&id, reference)?;
        self.commits.insert(id, commit);
        Ok(commit)
    }
}
