//! Reading sources from git repositories: resolves pins to commits, and finds and fetches skills.
//!
//! All requests to one repository are answered together, because they share network requests. An
//! error of a repository is reported for each of its sources, because none of them can be
//! read.

mod affected;
mod commit_files;
mod details;
mod discover;
mod links;
mod market;
mod offer;
mod open;
mod plugin;
mod references;
mod request;
mod resolve;
mod site;
mod skill_tree;
mod source_error;
mod source_status;
mod tags;
mod upstream;

pub(crate) use offer::offer;
pub use references::References;
pub use resolve::Release;
pub(crate) use resolve::newest_release;
pub(crate) use source_status::source_statuses;
pub use source_status::{SourceStatus, UpstreamState};

use crate::manifest::{LockedSource, Select, Source};
use crate::{
    Error,
    candidate::{Candidate, SourceSkill, excluding},
    contents::{Collector, FileRules, leftovers_kept, show_place},
    error::{ErrorsBySource, ExceededLimit, FileProblem, PathProblem, SourceErrors},
    parallel,
    paths::ProjectPaths,
    sync::{FetchRequest, Fetched, MissingSkill, Remote, Upstream},
};
use affected::AffectedSources;
use details::Details;
use discover::{DirectoryKind, FoundDirectory, KnownDirectories};
use helix_skills_format::{__internal::listed, Limits, ObjectId, SourceKey};
use helix_skills_git::{self as git, Commit, Git, Session};
use links::{LinkCache, LinkScope};
use request::{RepositoryRequest, RequestKind};
use skill_tree::{Outcome, SkillTree};
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
    ) -> Vec<Result<Fetched, Error>> {
        let requests = requests.into_iter().filter_map(RepositoryRequest::from_fetch).collect();
        let answer = |repository: Repository<'_, '_>, requests, follow_ups: &mut _| {
            repository.answer(requests, follow_ups)
        };
        read_repositories(
            self,
            project,
            limits,
            [requests, Vec::new()],
            answer,
            |affected, error| Err(affected.error(error)),
        )
    }
}

/// Reads all repositories, and for each of them all its sources together.
///
/// The repositories of the requests `open` are read first. Meanwhile, `read` may add requests to
/// further repositories, because a plugin may be in another repository than its marketplace. The
/// requests `later` are read in the second round, so that they share network requests with the
/// added ones. `lost` returns the answer for sources whose repository cannot be opened.
fn read_repositories<T: Send>(
    git: &Git,
    project: &ProjectPaths,
    limits: Limits,
    [mut open, mut later]: [Vec<RepositoryRequest>; 2],
    read: impl Fn(Repository<'_, '_>, Vec<RepositoryRequest>, &mut Vec<RepositoryRequest>) -> Vec<T>
    + Sync,
    lost: impl Fn(AffectedSources, git::Error) -> T + Sync,
) -> Vec<T> {
    let mut answers = Vec::new();
    while !open.is_empty() || !later.is_empty() {
        let mut groups: BTreeMap<String, Vec<RepositoryRequest>> = BTreeMap::new();
        for request in open.drain(..) {
            groups.entry(request.url.as_str().to_owned()).or_default().push(request);
        }
        let groups: Vec<_> = groups.into_values().collect();
        let results = parallel::map_on(CONNECTIONS, groups, |requests| {
            let mut follow_ups = Vec::new();
            let (url, base) = (&requests[0].url, &*project.root);
            let session = match names_host(&requests) {
                true => git.session(url, base),
                false => git.unnamed_session(url, base),
            };
            let answers = match session {
                Ok(mut session) => {
                    let repository = Repository::new(&mut session, limits);
                    let answers = read(repository, requests, &mut follow_ups);
                    session.keep();
                    answers
                }
                Err(error) => vec![lost(AffectedSources::new(&requests), error)],
            };
            (answers, follow_ups)
        });
        for (found, follow_ups) in results {
            answers.extend(found);
            open.extend(follow_ups);
        }
        open.append(&mut later);
    }
    answers
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
    directories: KnownDirectories,
    /// The commits that were fetched.
    commits: BTreeMap<ObjectId, Commit>,
}

/// A source whose directories of skills are known, before their files are fetched.
struct OpenedSource {
    key: SourceKey,
    source: Source,
    rules: FileRules,
    /// The newest release of the source, if requested.
    newest: Option<Release>,
    kind: OpenedKind,
}

/// The kind of an [`OpenedSource`].
enum OpenedKind {
    /// A resolved pin, and the selected directories.
    Resolved {
        locked: Box<LockedSource>,
        found: Vec<FoundDirectory>,
        upstream: Option<Upstream>,
        warnings: Vec<String>,
        details: Vec<String>,
    },
    /// A pin that an update resolved to what is locked.
    Unmoved { warnings: Vec<String> },
    /// Locked skills, with the root tree of their commit if a skill has no tree of its own.
    Locked { locked: Box<LockedSource>, needed: Vec<MissingSkill>, root: Option<ObjectId> },
}

impl<'s, 'g> Repository<'s, 'g> {
    fn new(session: &'s mut Session<'g>, limits: Limits) -> Self {
        Self {
            session,
            limits,
            link_cache: LinkCache::default(),
            directories: KnownDirectories::default(),
            commits: BTreeMap::new(),
        }
    }

    fn answer(
        mut self,
        requests: Vec<RepositoryRequest>,
        follow_ups: &mut Vec<RepositoryRequest>,
    ) -> Vec<Result<Fetched, Error>> {
        // A redirect is a warning if it affects what a pin resolves to. Locked files are verified,
        // so it is only a detail.
        let resolves =
            requests.iter().any(|request| !matches!(request.kind, RequestKind::Locked { .. }));
        let affected = AffectedSources::new(&requests);
        let mut failed = ErrorsBySource::default();
        let opened = self.open(requests, &mut failed, follow_ups);
        let opened = opened.and_then(|mut open| self.fetch_files(&mut open).map(|()| open));
        let mut failed = failed.into_vec();
        let mut results: Vec<Result<Fetched, Error>> = Vec::new();
        match opened {
            Ok(open) => results.extend(open.into_iter().map(|open| self.finish(open))),
            Err(error) => failed.push(affected.error(error)),
        }
        if let Some(fetched) = results.iter_mut().find_map(|result| result.as_mut().ok()) {
            let lines = if resolves { &mut fetched.warnings } else { &mut fetched.details };
            let redirects = self.session.take_redirects().into_iter();
            lines.extend(redirects.map(|redirect| {
                format!("{redirect}; if you trust it, use that URL in the manifest")
            }));
        }
        results.extend(Error::unless_empty(failed).err().map(Err));
        results
    }

    /// Fetches the files of all skills with one network request, and one more per level of links.
    fn fetch_files(&mut self, open: &mut [OpenedSource]) -> Result<(), git::Error> {
        loop {
            let mut missing: Vec<ObjectId> = Vec::new();
            for open in open.iter_mut() {
                self.session.count_steps_for(open.key.as_str());
                if let OpenedKind::Resolved { found, .. } = &mut open.kind {
                    for found in found.iter_mut() {
                        missing.extend(discover::follow(self.session, found)?);
                    }
                }
                for (_, tree) in open.trees() {
                    missing.extend(tree.missing(self.session, &self.link_cache, &open.rules)?);
                }
            }
            missing.sort_unstable();
            missing.dedup();
            if missing.is_empty() {
                return Ok(());
            }
            self.session.blobs(&missing)?;
        }
    }

    fn finish(&self, open: OpenedSource) -> Result<Fetched, Error> {
        self.session.count_steps_for(open.key.as_str());
        let mut errors = SourceErrors::new();
        if let OpenedKind::Resolved { found, .. } = &open.kind {
            errors.extend(
                found.iter().filter_map(|found| link_error(&open.key, open.source.select(), found)),
            );
        }
        let mut details = Details::default();
        let resolves = matches!(open.kind, OpenedKind::Resolved { .. });
        let mut read = Vec::new();
        // Skills that share files can be much larger than what was fetched.
        let mut total = 0_u64;
        let limit = self.limits.bytes_per_fetch.saturating_mul(EXPANSION_FACTOR);
        for (place, tree) in open.trees() {
            let mut collector =
                Collector::new(&open.rules, show_place(&open.key, &place), &mut errors);
            let outcome = tree
                .collect(self.session, &self.link_cache, &mut collector)
                .map_err(|error| vec![error.into()])?;
            let (contents, mut left_out) = collector.finish();
            if !(resolves && tree.is_root) {
                for path in left_out.drain(..) {
                    details.add(|| format!("excluded from {}: {place}/{path}", open.key));
                }
            }
            match contents {
                Some(contents) => {
                    total = total.saturating_add(contents.bytes());
                    if total > limit {
                        let what = ExceededLimit::SourceBytes { key: open.key };
                        return Err(what.error(limit));
                    }
                    read.push(Some((contents, outcome, left_out)));
                }
                None => read.push(None),
            }
        }
        let mut details: Vec<String> = details.lines().collect();
        match open.kind {
            OpenedKind::Locked { needed, .. } => {
                let restored = needed.into_iter().zip(read);
                let restored =
                    restored.filter_map(|(needed, read)| Some((needed, read?.0))).collect();
                errors.finish(&open.key)?;
                Ok(Fetched { restored, details, ..Fetched::empty(open.key) })
            }
            OpenedKind::Unmoved { warnings } => {
                Ok(Fetched { is_unmoved: true, warnings, ..Fetched::empty(open.key) })
            }
            OpenedKind::Resolved {
                locked,
                mut found,
                upstream,
                mut warnings,
                details: noticed,
            } => {
                let (mut skills, mut leftovers) = (Vec::new(), Vec::new());
                details.splice(..0, noticed);
                found.retain(|found| matches!(found.place, DirectoryKind::Tree { .. }));
                for (found, read) in found.into_iter().zip(read) {
                    let Some((contents, Outcome { links }, paths)) = read else { continue };
                    warnings.extend(excluded_at_root(&open.key, &locked, paths));
                    let tree = found.tree;
                    let links = links.clone();
                    let candidate = Candidate {
                        place: show_place(&open.key, &found.path),
                        directory: found.name,
                        // The name of a root directory depends on where the repository was copied
                        // to.
                        is_named: !found.path.is_root(),
                        path: found.path,
                        tree,
                        links,
                        contents,
                    };
                    match candidate.resolve(&open.key, open.source.select()) {
                        Ok(resolved) => {
                            let SourceSkill { locked, listing, .. } = &resolved;
                            leftovers.extend(open.rules.leftovers(&locked.path, listing));
                            skills.push(resolved);
                        }
                        Err(found) => errors.extend(found),
                    }
                }
                errors.finish(&open.key)?;
                warnings.extend(leftovers_kept(&open.key, &leftovers));
                Ok(Fetched {
                    resolved: Some(*locked),
                    upstream,
                    skills,
                    warnings,
                    details,
                    ..Fetched::empty(open.key)
                })
            }
        }
    }
}

impl OpenedSource {
    /// Returns the directories to read, each with how its links are resolved.
    fn trees(&self) -> Vec<(helix_skills_format::DirPath, SkillTree)> {
        match &self.kind {
            OpenedKind::Resolved { found, .. } => found
                .iter()
                .filter_map(|found| Some((found.path.clone(), found.skill_tree()?)))
                .collect(),
            OpenedKind::Unmoved { .. } => Vec::new(),
            OpenedKind::Locked { locked: source, needed, root } => {
                let tree = |needed: &MissingSkill| {
                    let locked = &needed.locked;
                    let tree = locked.tree;
                    SkillTree {
                        // The lockfile's parser checks that there is one; no object has the null
                        // id.
                        tree: tree.or(*root).unwrap_or_else(|| ObjectId::from([0; 20])),
                        is_root: source.is_root(&locked.path),
                        scope: LinkScope::Locked { links: locked.links.clone() },
                    }
                };
                needed.iter().map(|needed| (needed.locked.path.clone(), tree(needed))).collect()
            }
        }
    }
}

/// Returns a warning on files at the root of a repository or plugin that do not belong to its
/// skill.
fn excluded_at_root(
    key: &SourceKey,
    locked: &LockedSource,
    mut paths: Vec<String>,
) -> Option<String> {
    let root = match &locked.plugin {
        Some(_) => {
            // The plugin's own manifest is expected.
            paths.retain(|path| path != PLUGIN_DIR);
            "the plugin of the source"
        }
        None => "the source",
    };
    if paths.is_empty() {
        return None;
    }
    let excluded = listed(&paths, MAX_LISTED);
    Some(format!(
        "the skill at the root of {root} `{key}` consists of SKILL.md, references/, scripts/ and assets/; excluded {excluded}"
    ))
}

/// Returns the error for a link to a directory that cannot be used.
///
/// A link that does not lead to a skill is an error only if the manifest includes it.
fn link_error(key: &SourceKey, select: &Select, found: &FoundDirectory) -> Option<Error> {
    let is_required = select.requires(&found.name);
    let problem = match &found.place {
        DirectoryKind::Broken(problem) => *problem,
        DirectoryKind::Other if is_required => PathProblem::LinkToNoSkill,
        _ => return None,
    };
    let (place, exclude) = (show_place(key, &found.path), excluding(&found.name));
    Some(Error::excludable(place, FileProblem::Path(problem), Some(&exclude)))
}
