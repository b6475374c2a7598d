//! From jobs to directories whose trees are here.

use super::{Asked, Kind, Open, Repository, What, asked::sha_of, discover, from_format, resolve, to_format};
use crate::{
    Error,
    candidate::{idle_selections, wanted},
    contents::FileRules,
    git::{Commit, GitError, GitErrorKind, Session},
    sync::Needed,
};
use helix_skills_format::{LockedSource, Source, SourceKey};
use resolve::{Answer, Question};
use std::collections::BTreeMap;

/// The commits of a repository that were fetched already.
type Commits = BTreeMap<gix::ObjectId, Commit>;

impl Repository<'_, '_> {
    /// Resolves what has to be resolved, and fetches the trees of everything. `failed` gets what is wrong with single sources.
    pub(super) fn open(&mut self, asked: Vec<Asked>, failed: &mut Vec<Error>) -> Result<Vec<Open>, GitError> {
        let (asked, foreign): (Vec<_>, Vec<_>) = asked.into_iter().partition(|asked| !asked.names_sha256());
        failed.extend(foreign.into_iter().map(|asked| Error::Unanswered {
            key: asked.key,
            what: "it names an object by 64 digits: repositories with SHA-256 ids are not supported yet".to_owned(),
            hint: Some("name the commit by its 40 digits".to_owned()),
        }));
        let questions: Vec<Question<'_>> = asked.iter().filter_map(Asked::question).collect();
        let answers = resolve::pins(self.session, &questions)?;
        let commits: Vec<gix::ObjectId> = answers.iter().flatten().map(|answer| answer.commit).collect();
        self.session.prefetch_commits(&commits)?;
        self.fetch_locked_trees(&asked)?;
        let mut answers = answers.into_iter();
        let mut commits = Commits::new();
        let mut open = Vec::new();
        for asked in asked {
            let rules = FileRules::new(asked.source.select(), self.limits);
            let opened = match (asked.what, rules) {
                (What::Pin { .. }, rules) => match (answers.next(), rules) {
                    (Some(Ok(answer)), Ok(rules)) => {
                        self.open_resolved(asked.key, asked.source, rules, answer, &mut commits)?
                    }
                    (Some(Err(error)), _) | (Some(Ok(_)), Err(error)) => Err(vec![error]),
                    // There is an answer to each question.
                    (None, _) => continue,
                },
                (What::Locked { locked, needed }, Ok(rules)) => {
                    let all_here = needed.iter().all(|needed| has_tree(self.session, needed));
                    let root = match locked.commit.as_ref().filter(|_| !all_here) {
                        None => None,
                        Some(commit) => {
                            let reference = locked.reference.as_deref();
                            Some(self.commit(&mut commits, from_format(commit), reference)?.tree)
                        }
                    };
                    Ok(Open { key: asked.key, source: asked.source, rules, kind: Kind::Locked { needed, root } })
                }
                (What::Locked { .. }, Err(error)) => Err(vec![error]),
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
        source: Source,
        rules: FileRules,
        answer: Answer,
        commits: &mut Commits,
    ) -> Result<Result<Open, Vec<Error>>, GitError> {
        let commit = match self.commit(commits, answer.commit, answer.reference.as_deref()) {
            Err(error) if error.kind() == GitErrorKind::NotFound => {
                let hint = Some("`sha` must be a commit that the repository still has".to_owned());
                return Ok(Err(vec![Error::Unanswered { key, what: error.to_string(), hint }]));
            }
            other => other?,
        };
        if let Err(error) = answer.check_sha(&key, sha_of(&source), commit.id) {
            return Ok(Err(vec![error]));
        }
        let Source::Git(git) = &source else {
            return Ok(Err(vec![Error::unanswered(&key, "this version cannot fetch sources of its type")]));
        };
        let directories = match discover::directories(self.session, &key, git, commit.tree)? {
            Ok(directories) => directories,
            Err(error) => return Ok(Err(vec![error])),
        };
        let names: Vec<String> = directories.found.iter().map(|found| found.name.clone()).collect();
        let mut found = directories.found;
        match wanted(&key, source.select(), &names) {
            Ok(wanted) => found.retain(|found| wanted.contains(found.name.as_str())),
            Err(errors) => {
                return Ok(Err(errors.into_iter().map(|error| at(error, answer.reference.as_deref())).collect()));
            }
        }
        let mut warnings = answer.warnings;
        warnings.extend(idle_selections(&key, source.select(), &names));
        let locked = LockedSource {
            request: source.clone(),
            reference: answer.reference,
            commit: Some(to_format(&commit.id)),
            plugin: None,
        };
        let kind = Kind::Resolved { locked: Box::new(locked), found, warnings, details: directories.details };
        Ok(Ok(Open { key, source, rules, kind }))
    }

    /// The trees of locked skills, whole: the cheapest fetch there is, where the server plays along.
    fn fetch_locked_trees(&mut self, asked: &[Asked]) -> Result<(), GitError> {
        let needed = asked.iter().filter_map(|asked| match &asked.what {
            What::Locked { needed, .. } => Some(needed),
            What::Pin { .. } => None,
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

/// Whether the trees of a locked skill came already.
fn has_tree(session: &Session<'_>, needed: &Needed) -> bool {
    needed.locked.tree.as_ref().is_some_and(|tree| session.has(&from_format(tree)))
        && needed.locked.links.values().all(|id| session.has(&from_format(id)))
}
