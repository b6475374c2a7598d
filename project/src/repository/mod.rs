//! Reading sources from git repositories, in three steps: where the skills are, which directories
//! have them, and their files.
//!
//! `locate` resolves pins to commits, and reads the indexes of marketplaces. `open` finds and
//! selects the skills of these locations. `files` reads them. The status of a source, what it
//! offers, and the proof of its origin stop before the contents of files.
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
mod open;
mod plugin;
mod skill_tree;
mod source_error;
mod upstream;

pub(crate) use {
    discover::{Scope, has_link, mark_copies},
    location::{Location, Task},
    market::place,
    open::OpenedSource,
    plugin::PluginRoot,
    skill_tree::{FoundDirectory, SkillFiles},
    source_error::{SourceError, SourceResult, of_source},
};

use crate::{
    Error,
    error::ErrorsBySource,
    fetch::{FetchRequest, Fetched},
    manifest::Source,
    notes::Notes,
    parallel,
    paths::ProjectPaths,
};
use discover::KnownScopes;
use helix_skills_format::{GitUrl, Limits, ObjectId, SourceKey};
use helix_skills_git::{self as git, Commit, Git, Session};
use std::{
    collections::{BTreeMap, BTreeSet},
    mem,
};

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
        let (found, failed) = self.read(locations, notes, Repository::answer);
        found.into_iter().chain(distinct_errors(failed).into_iter().map(Err)).collect()
    }

    /// Reads all repositories, and for each of them all its sources together.
    ///
    /// Meanwhile, `read` may add further repositories, because a plugin may be in another
    /// repository than its marketplace.
    pub(crate) fn read<'s, T: Send>(
        &'s self,
        mut locations: Vec<Location>,
        notes: &mut Notes,
        read: impl Fn(&mut Repository<'s>, Vec<Location>) -> Result<Vec<T>, git::Error> + Sync,
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
                let is_named =
                    |it: &Location| it.source().repository().is_some_and(|of| of.url == it.url);
                let is_plugin = !locations.iter().any(is_named);
                let opened = self.open(&locations).map(|session| {
                    let mut repository = Repository {
                        session,
                        limits: self.limits,
                        scopes: KnownScopes::default(),
                        commits: BTreeMap::new(),
                        failed: ErrorsBySource::default(),
                        notes: Notes::default(),
                        follow_ups: Vec::new(),
                    };
                    let found = read(&mut repository, locations);
                    let Repository { session, notes, follow_ups, failed, .. } = repository;
                    session.keep();
                    (found.map(|found| (found, failed)), notes, follow_ups)
                });
                (keys.into_iter().collect::<Vec<_>>(), is_plugin, opened)
            });
            for (keys, is_plugin, opened) in results {
                let found = opened.and_then(|(found, noted, follow_ups)| {
                    notes.append(noted);
                    locations.extend(follow_ups);
                    found
                });
                match found {
                    Ok((found, errors)) => {
                        answers.extend(found);
                        failed.extend(errors.into_sources().map(|(key, it)| (key, it.into())));
                    }
                    Err(error) => lost.extend(keys.iter().map(|key| {
                        let error = Error::git(&keys, is_plugin, &error);
                        let is_saved = self.saved.is_some();
                        (key.clone(), if is_saved { Error::not_proved(&error) } else { error })
                    })),
                }
            }
        }
        failed.extend(lost);
        (answers, failed)
    }

    /// Opens the repository of locations, or what is read instead of it.
    fn open(&self, locations: &[Location]) -> Result<Session<'_>, git::Error> {
        let Some(saved) = self.saved else {
            return self.session(&locations[0].url, locations.iter().map(Location::source));
        };
        let commits: BTreeSet<_> = locations.iter().filter_map(Location::known_commit).collect();
        let texts = commits.iter().filter_map(|commit| saved.get(commit));
        self.git.saved_session(&texts.cloned().collect::<Vec<_>>())
    }

    /// Opens the repository at `url`. Its host is not trusted if none of the entries names it.
    pub(crate) fn session<'s>(
        &self,
        url: &GitUrl,
        mut entries: impl Iterator<Item = &'s Source>,
    ) -> Result<Session<'_>, git::Error> {
        let is_same_host =
            |entry: &Source| entry.repository().is_some_and(|it| it.url.host() == url.host());
        match entries.any(is_same_host) {
            true => self.git.session(url, &self.project.root),
            false => self.git.unnamed_session(url, &self.project.root),
        }
    }
}

/// A repository that is being read for several sources, which share its network requests.
pub(crate) struct Repository<'g> {
    pub(crate) session: Session<'g>,
    limits: Limits,
    pub(crate) scopes: KnownScopes,
    /// The commits that were fetched.
    commits: BTreeMap<ObjectId, Commit>,
    /// Errors of single sources, without which the others are read.
    pub(crate) failed: ErrorsBySource,
    pub(crate) notes: Notes,
    /// Sources that are in other repositories.
    follow_ups: Vec<Location>,
}

impl Repository<'_> {
    /// Returns what was found for a source; `None` after noting the source's errors, with the
    /// resolved reference that they are about.
    pub(crate) fn keep<T>(
        &mut self,
        (key, reference): (&SourceKey, Option<&str>),
        result: SourceResult<T>,
    ) -> Result<Option<T>, git::Error> {
        let at = |why: &str| match reference {
            Some(reference) => format!("{why} (at {reference})"),
            None => why.to_owned(),
        };
        let failed = |error: Error| self.failed.for_source(key).push(error.map_unresolved(at));
        Ok(of_source(result)?.map_err(failed).ok())
    }

    /// Calls `read` without keeping its notes, which were reported before, or are about something
    /// that is not taken.
    pub(crate) fn quietly<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> T {
        let notes = mem::take(&mut self.notes);
        let found = read(self);
        self.notes = notes;
        found
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

    /// Returns the root of the only commit that was fetched.
    pub(crate) fn root(&self) -> Option<ObjectId> {
        self.commits.values().next().map(|commit| commit.tree)
    }
}
