//! From jobs to directories whose trees are here.

use super::{Kind, Open, Repository, discover, from_format, resolve};
use crate::{
    Error,
    candidate::{idle_selections, wanted},
    contents::FileRules,
    git::{Commit, GitError, GitErrorKind, Session},
    sync::{Job, Needed},
};
use helix_skills_format::{GitSource, ObjectId, SourceKey};
use resolve::{Answer, Question};
use std::collections::BTreeMap;

/// The commits of a repository that were fetched already.
type Commits = BTreeMap<gix::ObjectId, Commit>;

impl Repository<'_, '_> {
    /// Resolves what has to be resolved, and fetches the trees of everything. `failed` gets what is wrong with single jobs.
    pub(super) fn open(&mut self, jobs: Vec<Job>, failed: &mut Vec<Error>) -> Result<Vec<Open>, GitError> {
        let (jobs, foreign): (Vec<_>, Vec<_>) = jobs.into_iter().partition(|job| !names_sha256(job));
        failed.extend(foreign.iter().map(|job| Error::Unanswered {
            key: job.key().clone(),
            what: "it names an object by 64 digits: repositories with SHA-256 ids are not supported yet".to_owned(),
            hint: Some("name the commit by its 40 digits".to_owned()),
        }));
        let questions: Vec<Question<'_>> = jobs
            .iter()
            .filter_map(|job| match job {
                Job::Resolve { key, source, known } => Some(Question { key, source, known: known.as_ref() }),
                Job::Locked { .. } => None,
            })
            .collect();
        let answers = resolve::pins(self.session, &questions)?;
        let commits: Vec<gix::ObjectId> = answers.iter().flatten().map(|answer| answer.commit).collect();
        self.session.prefetch_commits(&commits)?;
        self.fetch_locked_trees(&jobs)?;
        let mut answers = answers.into_iter();
        let mut commits = Commits::new();
        let mut open = Vec::new();
        for job in jobs {
            let opened = match job {
                Job::Resolve { key, source, .. } => match answers.next() {
                    Some(Ok(answer)) => self.open_resolved(key, source, answer, &mut commits)?,
                    Some(Err(error)) => Err(vec![error]),
                    // There is an answer to each question.
                    None => continue,
                },
                Job::Locked { key, source, commit, reference, needed } => {
                    let all_here = needed.iter().all(|needed| has_tree(self.session, needed));
                    let root = match all_here {
                        true => None,
                        false => Some(self.commit(&mut commits, from_format(&commit), reference.as_deref())?.tree),
                    };
                    let rules = FileRules::new(&source.select, self.limits).map_err(|error| vec![error]);
                    rules.map(|rules| Open { key, source, rules, kind: Kind::Locked { needed, root } })
                }
            };
            match opened {
                Ok(opened) => open.push(opened),
                Err(errors) => failed.extend(errors),
            }
        }
        Ok(open)
    }

    fn open_resolved(
        &mut self,
        key: SourceKey,
        source: GitSource,
        answer: Answer,
        commits: &mut Commits,
    ) -> Result<Result<Open, Vec<Error>>, GitError> {
        let rules = match FileRules::new(&source.select, self.limits) {
            Ok(rules) => rules,
            Err(error) => return Ok(Err(vec![error])),
        };
        let commit = match self.commit(commits, answer.commit, answer.reference.as_deref()) {
            Err(error) if error.kind() == GitErrorKind::NotFound => {
                let hint = Some("`sha` must be a commit that the repository still has".to_owned());
                return Ok(Err(vec![Error::Unanswered { key, what: error.to_string(), hint }]));
            }
            other => other?,
        };
        if let Err(error) = answer.check_sha(&key, &source, commit.id) {
            return Ok(Err(vec![error]));
        }
        let directories = match discover::directories(self.session, &key, &source, commit.tree)? {
            Ok(directories) => directories,
            Err(error) => return Ok(Err(vec![error])),
        };
        let names: Vec<String> = directories.found.iter().map(|found| found.name.clone()).collect();
        let mut found = directories.found;
        match wanted(&key, &source.select, &names) {
            Ok(wanted) => found.retain(|found| wanted.contains(found.name.as_str())),
            Err(errors) => {
                return Ok(Err(errors.into_iter().map(|error| at(error, answer.reference.as_deref())).collect()));
            }
        }
        let mut warnings = answer.warnings;
        warnings.extend(idle_selections(&key, &source.select, &names));
        let (reference, commit, details) = (answer.reference, commit.id, directories.details);
        let kind = Kind::Resolved { reference, commit, found, warnings, details };
        Ok(Ok(Open { key, source, rules, kind }))
    }

    /// The trees of locked skills, whole: the cheapest fetch there is, where the server plays along.
    fn fetch_locked_trees(&mut self, jobs: &[Job]) -> Result<(), GitError> {
        let needed = jobs.iter().filter_map(|job| match job {
            Job::Locked { needed, .. } => Some(needed),
            Job::Resolve { .. } => None,
        });
        // The tree of a root skill is the whole repository: of that only some directories are wanted.
        let (mut trees, mut links) = (Vec::new(), Vec::new());
        for skill in needed.flatten().filter(|needed| !needed.locked.path.is_root()) {
            trees.extend(skill.locked.tree.as_ref().map(from_format));
            links.extend(skill.locked.links.values().map(from_format));
        }
        trees.sort_unstable();
        trees.dedup();
        links.sort_unstable();
        links.dedup();
        if !trees.is_empty() {
            // Refused: the commit is asked for instead.
            self.session.whole_trees(&trees, &links)?;
        }
        Ok(())
    }

    fn commit(&mut self, known: &mut Commits, id: gix::ObjectId, reference: Option<&str>) -> Result<Commit, GitError> {
        if let Some(commit) = known.get(&id) {
            return Ok(*commit);
        }
        let commit = self.session.commit(&id, reference)?;
        known.insert(id, commit);
        Ok(commit)
    }
}

/// An error that also says where the pin led.
fn at(error: Error, reference: Option<&str>) -> Error {
    match (error, reference) {
        (Error::Unanswered { key, what, hint }, Some(reference)) => {
            Error::Unanswered { key, what: format!("{what} (at {reference})"), hint }
        }
        (error, _) => error,
    }
}

/// Whether a job names an object by a SHA-256 id, which gix was built without.
fn names_sha256(job: &Job) -> bool {
    let is_long = |id: &ObjectId| id.as_str().len() == 64;
    job.source().repository.sha.as_ref().is_some_and(is_long)
        || match job {
            Job::Resolve { known, .. } => known.as_ref().is_some_and(|(_, commit)| is_long(commit)),
            Job::Locked { commit, needed, .. } => {
                let ids = |needed: &Needed| needed.locked.tree.iter().chain(needed.locked.links.values()).any(is_long);
                is_long(commit) || needed.iter().any(ids)
            }
        }
}

/// Whether the trees of a locked skill came already.
fn has_tree(session: &Session<'_>, needed: &Needed) -> bool {
    needed.locked.tree.as_ref().is_some_and(|tree| session.has(&from_format(tree)))
        && needed.locked.links.values().all(|id| session.has(&from_format(id)))
}
