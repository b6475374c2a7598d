//! From what is asked to directories whose trees are here.

use super::{
    Kind, Open, Repository, RepositoryRequest, RequestKind, commit_files,
    links::Target,
    market::Claim,
    request::{LockedRevision, sha_of},
    resolve::{self, Answer, Pinned, Question},
    site::Located,
};
use crate::error::{ResolvedPin, UnresolvedSource};
use crate::{Error, contents::FileRules, error::ErrorsBySource, sync::MissingSkill};
use crate::{
    manifest::{LockedSource, Pin, Source},
    marketplace::Marketplace,
};
use helix_skills_format::{ObjectId, SourceKey};
use helix_skills_git::EntryKind;
use helix_skills_git::{self as git, Commit, ErrorKind, Session};
use std::{collections::BTreeMap, sync::Arc};

/// The commits of a repository that were fetched already.
type Commits = BTreeMap<ObjectId, Commit>;

impl Repository<'_, '_> {
    /// Resolves what has to be resolved, and fetches the trees of everything. `failed` gets what is wrong with single
    /// sources, `elsewhere` what has to be asked of other repositories.
    pub(super) fn open(
        &mut self,
        asked: Vec<RepositoryRequest>,
        failed: &mut ErrorsBySource,
        follow_ups: &mut Vec<RepositoryRequest>,
    ) -> Result<Vec<Open>, git::Error> {
        let (asked, foreign): (Vec<_>, Vec<_>) =
            asked.into_iter().partition(|asked| !asked.names_sha256());
        for RepositoryRequest { key, .. } in foreign {
            failed.for_source(&key).push(Error::unresolved(&key, UnresolvedSource::Sha256Id));
        }
        let questions: Vec<Question<'_>> =
            asked.iter().filter_map(RepositoryRequest::question).collect();
        let answers = resolve::pins(self.session, &questions)?;
        let mut wants: Vec<ObjectId> =
            answers.iter().flatten().map(|answer| answer.commit).collect();
        wants.extend(asked.iter().filter_map(RepositoryRequest::locked_commit).copied());
        self.session.prefetch_commits(&wants)?;
        self.fetch_locked_trees(&asked)?;
        let mut answers = answers.into_iter();
        let mut commits = Commits::new();
        let (mut pinned, mut open, mut claims) = (Vec::new(), Vec::new(), Vec::new());
        for asked in asked {
            let answer = asked.question().is_some().then(|| answers.next()).flatten();
            let key = asked.key.clone();
            match asked {
                RepositoryRequest {
                    key,
                    source,
                    kind: RequestKind::Locked { locked, needed },
                    ..
                } => match self.open_locked(key.clone(), source, locked, needed, &mut commits)? {
                    Ok(opened) => open.push(opened),
                    Err(error) => failed.for_source(&key).push(error),
                },
                RepositoryRequest { key, kind: RequestKind::Check(revision), .. } => {
                    let errors =
                        self.verify_locked(&key, revision, answer, &mut commits, &mut claims)?;
                    failed.for_source(&key).extend(errors);
                }
                asked => match answer {
                    Some(Ok(answer)) => match self.pinned(&asked, answer, &mut commits)? {
                        Ok(found) => pinned.push((asked, found)),
                        Err(error) => failed.for_source(&key).push(error),
                    },
                    Some(Err(error)) => failed.for_source(&key).push(of_plugin(error, &asked)),
                    // There is an answer to each question.
                    None => {}
                },
            }
        }
        self.fetch_indexes(&pinned, &claims)?;
        for claim in claims {
            let key = claim.key.clone();
            failed.for_source(&key).extend(self.prove_plugin(claim)?);
        }
        let mut sites = Vec::new();
        for (asked, pinned) in pinned {
            let (key, reference) = (asked.key.clone(), pinned.answer.reference.clone());
            match self.locate(asked, pinned)? {
                Ok(Located::Here(site)) => sites.push(*site),
                Ok(Located::ExternalPlugin(asked)) => follow_ups.push(*asked),
                Err(errors) => failed
                    .for_source(&key)
                    .extend(errors.into_iter().map(|e| at(e, reference.as_deref()))),
            }
        }
        self.fetch_plugins(&sites)?;
        for site in sites {
            let (key, reference) = (site.key.clone(), site.reference.clone());
            match self.open_site(site)? {
                Ok(opened) => open.push(opened),
                Err(errors) => failed
                    .for_source(&key)
                    .extend(errors.into_iter().map(|e| at(e, reference.as_deref()))),
            }
        }
        Ok(open)
    }

    /// Whether a tag still means the commit that was locked, and the commit still has the trees that were locked.
    fn verify_locked(
        &mut self,
        key: &SourceKey,
        revision: LockedRevision,
        answer: Option<Result<Answer, Error>>,
        commits: &mut Commits,
        claims: &mut Vec<Claim>,
    ) -> Result<Vec<Error>, git::Error> {
        self.session.count_steps_for(key.as_str());
        let mut errors = Vec::new();
        let tag = match &revision.tag {
            Some(Pin::Ref(name)) => name.as_str(),
            _ => "",
        };
        let commit = revision.commit;
        match answer {
            Some(Ok(answer)) if answer.commit != commit => errors.push(Error::Moved {
                key: key.clone(),
                pin: ResolvedPin::Tag(tag.to_owned()),
                is_sha: false,
                expected: Box::new(commit),
                found: Box::new(answer.commit),
            }),
            Some(Err(_)) => {
                errors.push(Error::Vanished {
                    key: key.clone(),
                    tag: Some(tag.to_owned()),
                    commit,
                });
            }
            _ => {}
        }
        if !revision.needs_commit() {
            return Ok(errors);
        }
        let root = match self.commit(commits, commit, None) {
            Ok(found) => found.tree,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                // That its tag means another one, or is gone, says as much.
                if errors.is_empty() {
                    errors.push(vanished(key, &commit));
                }
                return Ok(errors);
            }
            Err(error) => return Err(error),
        };
        for (name, skill) in &revision.skills {
            let found = match commit_files::follow(self.session, root, skill.path.as_str())? {
                Target::Object { kind: EntryKind::Directory, id, .. } => Some(id),
                _ => None,
            };
            let Some(expected) = skill.tree.filter(|tree| found != Some(*tree)) else { continue };
            let (skill, path, commit) = (name.clone(), skill.path.clone(), commit);
            let (expected, found) = (Box::new(expected), found.map(Box::new));
            errors.push(Error::TreeMismatch { skill, commit, path, expected, found });
        }
        if let Some((market, plugin)) = revision.plugin {
            claims.push(Claim { key: key.clone(), market, commit, root, plugin });
        }
        Ok(errors)
    }

    fn open_locked(
        &mut self,
        key: SourceKey,
        source: Source,
        locked: LockedSource,
        needed: Vec<MissingSkill>,
        commits: &mut Commits,
    ) -> Result<Result<Open, Error>, git::Error> {
        let rules = match FileRules::new(source.select(), self.limits) {
            Ok(rules) => rules,
            Err(error) => return Ok(Err(error)),
        };
        let all_here = needed.iter().all(|needed| has_tree(self.session, needed));
        let root = match locked.skills_commit().filter(|_| !all_here) {
            None => None,
            Some(commit) => match self.commit(commits, *commit, locked.skills_reference()) {
                Err(error) if error.kind() == ErrorKind::NotFound => {
                    return Ok(Err(vanished(&key, commit)));
                }
                other => Some(other?.tree),
            },
        };
        let kind = Kind::Locked { locked: Box::new(locked), needed, root };
        Ok(Ok(Open { key, source, rules, newest: None, kind }))
    }

    /// The commit that a pin means, with its trees.
    fn pinned(
        &mut self,
        asked: &RepositoryRequest,
        answer: Answer,
        commits: &mut Commits,
    ) -> Result<Result<Pinned, Error>, git::Error> {
        let commit = match self.commit(commits, answer.commit, answer.reference.as_deref()) {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                if answer.was_locked {
                    return Ok(Err(vanished(&asked.key, &answer.commit)));
                }
                let of_marketplace = matches!(asked.kind, RequestKind::Plugin(_));
                let why = UnresolvedSource::NoCommit { of_marketplace, source: Arc::new(error) };
                return Ok(Err(Error::unresolved(&asked.key, why)));
            }
            other => other?,
        };
        if let RequestKind::Pin { .. } = asked.kind
            && let Err(error) = answer.check_sha(&asked.key, sha_of(&asked.source), commit.id)
        {
            return Ok(Err(error));
        }
        Ok(Ok(Pinned { answer, commit }))
    }

    /// The indexes of the marketplaces: one request.
    fn fetch_indexes(
        &mut self,
        pinned: &[(RepositoryRequest, Pinned)],
        claims: &[Claim],
    ) -> Result<(), git::Error> {
        let is_index = |(asked, _): &&(RepositoryRequest, Pinned)| {
            matches!(
                (&asked.kind, &asked.source),
                (RequestKind::Pin { .. }, Source::Marketplace(_))
            )
        };
        let roots =
            pinned.iter().filter(is_index).map(|(asked, pinned)| (&asked.key, pinned.commit.tree));
        let mut indexes = Vec::new();
        for (key, root) in roots.chain(claims.iter().map(|claim| (&claim.key, claim.root))) {
            self.session.count_steps_for(key.as_str());
            indexes.extend(commit_files::file(self.session, root, Marketplace::FILE)?);
        }
        if indexes.is_empty() { Ok(()) } else { self.session.blobs(&indexes) }
    }

    /// The trees of locked skills, whole: the cheapest fetch there is, where the server plays along.
    fn fetch_locked_trees(&mut self, asked: &[RepositoryRequest]) -> Result<(), git::Error> {
        let (mut trees, mut links) = (Vec::new(), Vec::new());
        for asked in asked {
            let RequestKind::Locked { locked, needed } = &asked.kind else { continue };
            // The tree of a root skill is the whole repository or plugin: of that only some directories are wanted.
            for skill in needed.iter().filter(|needed| !locked.is_root(&needed.locked.path)) {
                trees.extend(skill.locked.tree);
                links.extend(skill.locked.links.values().copied());
            }
        }
        trees.sort_unstable();
        trees.dedup();
        links.sort_unstable();
        links.dedup();
        if !trees.is_empty() {
            // Refused: the commit is asked for instead.
            self.session.fetch_trees(&trees, &links)?;
        }
        Ok(())
    }

    fn commit(
        &mut self,
        known: &mut Commits,
        id: ObjectId,
        reference: Option<&str>,
    ) -> Result<Commit, git::Error> {
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
        (Error::Unresolved { key, why }, Some(reference)) => {
            Error::unresolved(&key, UnresolvedSource::At { reference: reference.to_owned(), why })
        }
        (error, _) => error,
    }
}

/// The commit of a lock is not to be had.
fn vanished(key: &SourceKey, commit: &ObjectId) -> Error {
    Error::Vanished { key: key.clone(), tag: None, commit: *commit }
}

/// What a plugin's repository does not have is none of the manifest's mistakes.
fn of_plugin(error: Error, asked: &RepositoryRequest) -> Error {
    match (error, &asked.kind) {
        (Error::Unresolved { key, why }, RequestKind::Plugin(external)) => {
            let (plugin, url) = (external.plugin.name.clone(), asked.url.clone());
            Error::unresolved(&key, UnresolvedSource::InPlugin { plugin, url, why })
        }
        (error, _) => error,
    }
}

/// Whether the trees of a locked skill came already.
fn has_tree(session: &Session<'_>, needed: &MissingSkill) -> bool {
    needed.locked.tree.as_ref().is_some_and(|tree| session.has(tree))
        && needed.locked.links.values().all(|id| session.has(id))
}
