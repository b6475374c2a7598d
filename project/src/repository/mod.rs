//! Reading sources from git repositories, in three steps: where the skills are, which directories
//! have them, and their files.
//!
//! `locate` resolves pins to commits, and reads the indexes of marketplaces. `open` finds and
//! selects the skills of these locations. `files` reads them. `skills outdated` and `skills add`
//! stop before the files, and a sync of locked skills begins with them.
//!
//! All requests to one repository are answered together, because they share network requests. An
//! error of a repository is reported for each of its sources, because none of them can be
//! read.

mod affected;
mod commit_files;
mod discover;
mod files;
mod find;
mod links;
mod locate;
mod location;
mod locked;
mod market;
mod offer;
mod open;
mod plugin;
mod references;
mod request;
mod resolve;
mod skill_tree;
mod source_error;
mod source_status;
mod upstream;

pub(crate) use find::find;
pub(crate) use offer::offer;
pub use references::References;
pub use resolve::Release;
pub(crate) use resolve::newest_release;
pub use source_status::SourceStatus;
pub(crate) use source_status::source_statuses;

use crate::{
    Error,
    error::ErrorsBySource,
    fetch::{FetchRequest, Fetched, Remote},
    notes::Notes,
    parallel,
    paths::ProjectPaths,
};
use affected::AffectedSources;
use discover::KnownScopes;
use helix_skills_format::{Limits, ObjectId, SourceKey};
use helix_skills_git::{self as git, Commit, Git, Session};
use links::LinkCache;
use request::RepositoryRequest;
use source_error::{SourceResult, of_source};
use std::collections::BTreeMap;

/// The directory with the manifest of a plugin or marketplace.
const PLUGIN_DIR: &str = ".claude-plugin";

/// Maximum number of files of a source that a warning lists.
const MAX_LISTED: usize = 12;

/// The total size of the skills of a source may be this many times `limits.bytesPerFetch`; so may
/// the total size of the objects of a repository.
const EXPANSION_FACTOR: u64 = 2;

/// Number of repositories that are read in parallel. The threads mostly wait for servers.
const CONNECTIONS: usize = 8;

impl Remote for Git {
    fn fetch(
        &self,
        project: &ProjectPaths,
        limits: Limits,
        requests: Vec<FetchRequest>,
        notes: &mut Notes,
    ) -> Vec<Result<Fetched, Error>> {
        let requests = requests.into_iter().filter_map(RepositoryRequest::from_fetch).collect();
        let reader = Reader { git: self, project, limits };
        let answer = |repository: &mut Repository<'_, '_>, requests| {
            let mut answers = repository.answer(requests)?;
            answers.extend(Error::unless_empty(repository.take_failed().into_vec()).err().map(Err));
            Ok(answers)
        };
        let lost = |affected: &AffectedSources, error| vec![Err(affected.error(error))];
        reader.read(requests, notes, answer, lost)
    }
}

/// A reader of all repositories of a command.
struct Reader<'r> {
    git: &'r Git,
    project: &'r ProjectPaths,
    limits: Limits,
}

impl Reader<'_> {
    /// Reads all repositories, and for each of them all its sources together.
    ///
    /// Meanwhile, `read` may add requests to further repositories, because a plugin may be in
    /// another repository than its marketplace. `lost` returns the answers for the sources of a
    /// repository that cannot be read.
    fn read<T: Send>(
        &self,
        mut requests: Vec<RepositoryRequest>,
        notes: &mut Notes,
        read: impl Fn(&mut Repository<'_, '_>, Vec<RepositoryRequest>) -> Result<Vec<T>, git::Error>
        + Sync,
        lost: impl Fn(&AffectedSources, git::Error) -> Vec<T> + Sync,
    ) -> Vec<T> {
        let mut answers = Vec::new();
        while !requests.is_empty() {
            let mut groups: BTreeMap<String, Vec<RepositoryRequest>> = BTreeMap::new();
            for request in requests.drain(..) {
                groups.entry(request.url.as_str().to_owned()).or_default().push(request);
            }
            let groups: Vec<_> = groups.into_values().collect();
            let results = parallel::map_on(CONNECTIONS, groups, |requests| {
                let affected = AffectedSources::new(&requests);
                let (url, base) = (&requests[0].url, &*self.project.root);
                let session = match names_host(&requests) {
                    true => self.git.session(url, base),
                    false => self.git.unnamed_session(url, base),
                };
                let mut session = match session {
                    Ok(session) => session,
                    Err(error) => {
                        return (lost(&affected, error), Notes::default(), Vec::new());
                    }
                };
                let mut repository = Repository::new(&mut session, self.limits);
                let requests = repository.without_sha256(requests);
                let found = read(&mut repository, requests);
                let found = found.unwrap_or_else(|error| lost(&affected, error));
                let Repository { notes, follow_ups, .. } = repository;
                session.keep();
                (found, notes, follow_ups)
            });
            for (found, noted, follow_ups) in results {
                answers.extend(found);
                notes.append(noted);
                requests.extend(follow_ups);
            }
        }
        answers
    }
}

/// Returns whether the manifest names the host of the repository, directly or as that of a
/// marketplace.
fn names_host(requests: &[RepositoryRequest]) -> bool {
    let names = |request: &RepositoryRequest| {
        request.source.repository().is_some_and(|named| named.url.host() == request.url.host())
    };
    requests.iter().any(names)
}

/// A repository that is being read for several sources, which share its network requests.
struct Repository<'s, 'g> {
    session: &'s mut Session<'g>,
    limits: Limits,
    link_cache: LinkCache,
    scopes: KnownScopes,
    /// The commits that were fetched.
    commits: BTreeMap<ObjectId, Commit>,
    /// Errors of single sources, without which the others are read.
    failed: ErrorsBySource,
    notes: Notes,
    /// Requests to other repositories.
    follow_ups: Vec<RepositoryRequest>,
}

impl<'s, 'g> Repository<'s, 'g> {
    fn new(session: &'s mut Session<'g>, limits: Limits) -> Self {
        Self {
            session,
            limits,
            link_cache: LinkCache::default(),
            scopes: KnownScopes::default(),
            commits: BTreeMap::new(),
            failed: ErrorsBySource::default(),
            notes: Notes::default(),
            follow_ups: Vec::new(),
        }
    }

    /// Returns the requests that this build supports.
    fn without_sha256(&mut self, requests: Vec<RepositoryRequest>) -> Vec<RepositoryRequest> {
        let (unsupported, requests): (Vec<_>, Vec<_>) =
            requests.into_iter().partition(RepositoryRequest::names_sha256);
        for RepositoryRequest { key, .. } in unsupported {
            let why = "repositories with SHA-256 object ids are not supported yet";
            let error = Error::unresolved(&key, why);
            let hint = "pin the commit by an id of 40 digits";
            self.failed.for_source(&key).push(error.with_hint(hint));
        }
        requests
    }

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

    /// Returns the errors of single sources, to be reported.
    fn take_failed(&mut self) -> ErrorsBySource {
        std::mem::take(&mut self.failed)
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
