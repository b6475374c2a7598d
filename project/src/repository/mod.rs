//! Answering requests from git repositories: pins to commits, commits to skills.

mod commit_files;
mod concerned;
mod details;
mod discover;
mod links;
mod market;
mod open;
mod plugin;
mod request;
mod resolve;
mod site;
mod skill_tree;
mod source_status;
mod tags;
mod upstream;

pub use resolve::Release;
pub(crate) use resolve::newest_release;
pub(crate) use source_status::source_statuses;
pub use source_status::{SourceStatus, UpstreamState};

use crate::manifest::{LockedSource, Select, Source};
use crate::{
    Error,
    candidate::Candidate,
    contents::{Collector, FileRules, show_place},
    error::{ErrorsBySource, ExceededLimit, FileProblem, PathProblem, SourceErrors},
    parallel,
    paths::ProjectPaths,
    sync::{FetchRequest, Fetched, MissingSkill, Remote, Upstream},
};
use concerned::Concerned;
use details::Details;
use discover::{Found, Place};
use helix_skills_format::__internal::listed;
use helix_skills_format::{Limits, ObjectId, SourceKey};
use helix_skills_git::{self as git, Git, Session};
use links::{Resolution, Resolved};
use request::{RepositoryRequest, RequestKind};
use skill_tree::{Outcome, SkillTree};
use std::collections::BTreeMap;

/// Where a plugin has what makes it one.
const PLUGIN_DIR: &str = ".claude-plugin";

/// So many files that were left out at a root are named.
const LEFT_SHOWN: usize = 12;

/// The skills of a source together may have this many times the bytes of the largest fetch, as the objects of a
/// repository may.
const UNFOLDED: u64 = 2;

/// So many repositories are read at once: the work waits for servers.
const CONNECTIONS: usize = 8;

impl Remote for Git {
    fn fetch(
        &self,
        project: &ProjectPaths,
        limits: Limits,
        requests: Vec<FetchRequest>,
    ) -> Vec<Result<Fetched, Vec<Error>>> {
        let asked = requests.into_iter().filter_map(RepositoryRequest::from_fetch).collect();
        let answer = |repository: Repository<'_, '_>, asked, follow_ups: &mut _| {
            repository.answer(asked, follow_ups)
        };
        ask(self, project, limits, [asked, Vec::new()], answer, |concerned, error| {
            Err(vec![concerned.error(error)])
        })
    }
}

/// Asks every repository, all sources of one together; and the repositories that the answers lead to, because plugins may
/// lie elsewhere than their marketplaces. What is asked of such a repository in any case can wait for that and share its
/// requests: it is `later`. `lost` is the answer of sources whose repository cannot be asked.
fn ask<T: Send>(
    git: &Git,
    project: &ProjectPaths,
    limits: Limits,
    [mut open, mut later]: [Vec<RepositoryRequest>; 2],
    read: impl Fn(Repository<'_, '_>, Vec<RepositoryRequest>, &mut Vec<RepositoryRequest>) -> Vec<T>
    + Sync,
    lost: impl Fn(Concerned, git::Error) -> T + Sync,
) -> Vec<T> {
    let mut answers = Vec::new();
    while !open.is_empty() || !later.is_empty() {
        let mut groups: BTreeMap<String, Vec<RepositoryRequest>> = BTreeMap::new();
        for asked in open.drain(..) {
            groups.entry(asked.url.as_str().to_owned()).or_default().push(asked);
        }
        let groups: Vec<_> = groups.into_values().collect();
        let results = parallel::map_on(CONNECTIONS, groups, |asked| {
            let mut follow_ups = Vec::new();
            let answers = match git.session(&asked[0].url, &project.root, names_host(&asked)) {
                Ok(mut session) => {
                    read(Repository::new(&mut session, limits), asked, &mut follow_ups)
                }
                Err(error) => vec![lost(Concerned::new(&asked), error)],
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

/// Whether a source names the host that it is asked of, if only as that of its marketplace.
fn names_host(asked: &[RepositoryRequest]) -> bool {
    let names = |asked: &RepositoryRequest| {
        asked.source.repository().is_some_and(|named| named.url.host() == asked.url.host())
    };
    asked.iter().any(names)
}

/// What was found for one source. The outer error concerns the whole repository, the inner ones this source alone.
type Answered<T> = Result<Result<T, Vec<Error>>, git::Error>;

/// One repository and all that is asked of it: one plan, so that sources share requests.
struct Repository<'s, 'g> {
    session: &'s mut Session<'g>,
    limits: Limits,
    resolved: Resolved,
}

/// A request with what is known of it so far.
struct Open {
    key: SourceKey,
    source: Source,
    rules: FileRules,
    /// The newest release of the source, if that was asked.
    newest: Option<Release>,
    kind: Kind,
}

enum Kind {
    /// A pin that was resolved, and the directories of it that are wanted.
    Resolved {
        locked: Box<LockedSource>,
        found: Vec<Found>,
        upstream: Option<Upstream>,
        warnings: Vec<String>,
        details: Vec<String>,
    },
    /// Locked skills, with the root tree of their commit where the tree alone does not do.
    Locked { locked: Box<LockedSource>, needed: Vec<MissingSkill>, root: Option<ObjectId> },
}

impl<'s, 'g> Repository<'s, 'g> {
    fn new(session: &'s mut Session<'g>, limits: Limits) -> Self {
        Self { session, limits, resolved: Resolved::default() }
    }

    fn answer(
        mut self,
        asked: Vec<RepositoryRequest>,
        follow_ups: &mut Vec<RepositoryRequest>,
    ) -> Vec<Result<Fetched, Vec<Error>>> {
        // That a repository answers from elsewhere matters where it says what a pin means; what is locked is proved.
        let resolves = asked.iter().any(|asked| !matches!(asked.kind, RequestKind::Locked { .. }));
        let concerned = Concerned::new(&asked);
        let mut failed = ErrorsBySource::default();
        let opened = self.open(asked, &mut failed, follow_ups);
        let opened = opened.and_then(|mut open| self.fetch_files(&mut open).map(|()| open));
        let mut failed = failed.into_vec();
        let mut results: Vec<Result<Fetched, Vec<Error>>> = Vec::new();
        match opened {
            Ok(open) => results.extend(open.into_iter().map(|open| self.finish(open))),
            Err(error) => failed.push(concerned.error(error)),
        }
        if let Some(fetched) = results.iter_mut().find_map(|result| result.as_mut().ok()) {
            let told = if resolves { &mut fetched.warnings } else { &mut fetched.details };
            let redirects = self.session.take_redirects().into_iter();
            told.extend(redirects.map(|redirect| {
                format!("{redirect}: if you trust it, write that url into the manifest")
            }));
        }
        if !failed.is_empty() {
            results.push(Err(failed));
        }
        results
    }

    /// Fetches the files of all skills of all requests: one request, and one more for each step that links lead further.
    fn fetch_files(&mut self, open: &mut [Open]) -> Result<(), git::Error> {
        loop {
            let mut missing: Vec<ObjectId> = Vec::new();
            for open in open.iter_mut() {
                self.session.count_steps_for(open.key.as_str());
                if let Kind::Resolved { found, .. } = &mut open.kind {
                    for found in found.iter_mut() {
                        missing.extend(discover::follow(self.session, found)?);
                    }
                }
                for (_, tree) in open.trees() {
                    missing.extend(tree.missing(self.session, &self.resolved, &open.rules)?);
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

    fn finish(&self, open: Open) -> Result<Fetched, Vec<Error>> {
        self.session.count_steps_for(open.key.as_str());
        let mut errors = SourceErrors::new();
        if let Kind::Resolved { found, .. } = &open.kind {
            errors.extend(
                found.iter().filter_map(|found| link_error(&open.key, open.source.select(), found)),
            );
        }
        let mut details = Details::default();
        let resolves = matches!(open.kind, Kind::Resolved { .. });
        let mut read = Vec::new();
        // The limits of a fetch say how much comes; skills that share their files are much more than came.
        let mut together = 0_u64;
        let most = self.limits.bytes_per_fetch.saturating_mul(UNFOLDED);
        for (place, tree) in open.trees() {
            let mut collector =
                Collector::new(&open.rules, show_place(&open.key, &place), &mut errors);
            let outcome = tree
                .collect(self.session, &self.resolved, &mut collector)
                .map_err(|error| vec![error.into()])?;
            let (contents, mut left_out) = collector.finish();
            if !(resolves && tree.is_root) {
                for path in left_out.drain(..) {
                    details.add(|| format!("left out {}: {place}/{path}", open.key));
                }
            }
            match contents {
                Some(contents) => {
                    together = together.saturating_add(contents.bytes());
                    if together > most {
                        let what = Box::new(ExceededLimit::SourceBytes { key: open.key });
                        return Err(vec![Error::Limit { what, limit: most }]);
                    }
                    read.push(Some((contents, outcome, left_out)));
                }
                None => read.push(None),
            }
        }
        let mut details = details.into_lines();
        match open.kind {
            Kind::Locked { needed, .. } => {
                let restored = needed.into_iter().zip(read);
                let restored =
                    restored.filter_map(|(needed, read)| Some((needed, read?.0))).collect();
                if errors.count() > 0 {
                    return Err(errors.into_vec(&open.key));
                }
                Ok(Fetched { restored, details, ..Fetched::empty(open.key) })
            }
            Kind::Resolved { locked, mut found, upstream, mut warnings, details: noticed } => {
                let mut skills = Vec::new();
                details.splice(..0, noticed);
                found.retain(|found| matches!(found.place, Place::Tree { .. }));
                for (found, read) in found.into_iter().zip(read) {
                    let Some((contents, Outcome { links }, paths)) = read else { continue };
                    warnings.extend(left_at_root(&open.key, &locked, paths));
                    let tree = found.tree;
                    let links = links.clone();
                    let candidate = Candidate {
                        place: show_place(&open.key, &found.path),
                        directory: found.name,
                        // A repository may be called otherwise wherever it was copied to.
                        is_named: !found.path.is_root(),
                        path: found.path,
                        tree,
                        links,
                        contents,
                    };
                    match candidate.resolve(&open.key, open.source.select()) {
                        Ok(resolved) => skills.push(resolved),
                        Err(found) => errors.extend(found),
                    }
                }
                if errors.count() > 0 {
                    return Err(errors.into_vec(&open.key));
                }
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

impl Open {
    /// The directories to read, each with how its links are followed.
    fn trees(&self) -> Vec<(helix_skills_format::DirPath, SkillTree)> {
        match &self.kind {
            Kind::Resolved { found, .. } => found
                .iter()
                .filter_map(|found| Some((found.path.clone(), found.skill_tree()?)))
                .collect(),
            Kind::Locked { locked: source, needed, root } => {
                let tree = |needed: &MissingSkill| {
                    let locked = &needed.locked;
                    let tree = locked.tree;
                    SkillTree {
                        // The lock's parser has seen to it that there is one; no object has the null id.
                        tree: tree.or(*root).unwrap_or_else(|| ObjectId::from([0; 20])),
                        is_root: source.is_root(&locked.path),
                        resolution: Resolution::Locked { links: locked.links.clone() },
                    }
                };
                needed.iter().map(|needed| (needed.locked.path.clone(), tree(needed))).collect()
            }
        }
    }
}

/// What belongs to no skill at the root of a repository or plugin, as a line for people, who may have meant it to.
fn left_at_root(key: &SourceKey, locked: &LockedSource, mut paths: Vec<String>) -> Option<String> {
    let root = match &locked.plugin {
        Some(_) => {
            // What makes it a plugin was never meant to.
            paths.retain(|path| path != PLUGIN_DIR);
            "the plugin of the source"
        }
        None => "the source",
    };
    if paths.is_empty() {
        return None;
    }
    let left_out = listed(&paths, LEFT_SHOWN);
    Some(format!(
        "the skill at the root of {root} `{key}` is SKILL.md, references/, scripts/ and assets/; left out {left_out}"
    ))
}

/// What is wrong with a directory that is a link, if anything: one that leads to no skill is only wrong when it was asked for.
fn link_error(key: &SourceKey, select: &Select, found: &Found) -> Option<Error> {
    let is_required = select.requires(&found.name);
    let problem = match &found.place {
        Place::Broken(problem) => *problem,
        Place::Other if is_required => PathProblem::LinkToNoSkill,
        _ => return None,
    };
    let exclude = Some(format!("\"exclude\": [{}]", serde_json::Value::from(found.name.as_str())));
    Some(Error::File {
        place: show_place(key, &found.path),
        why: Box::new(FileProblem::Path(problem)),
        exclude,
    })
}
