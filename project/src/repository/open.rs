//! Resolving requests to directories, with their trees fetched.

use super::{
    OpenedKind, OpenedSource, Repository, RepositoryRequest, RequestKind, SourceResult,
    commit_files,
    links::Target,
    market::PluginCheck,
    request::{LockedRevision, sha_of},
    resolve::{self, Answer, PinQuery, Pinned},
    site::Located,
    source_error::SourceError,
};
use crate::error::{ResolvedPin, Unresolved};
use crate::{Error, contents::FileRules, error::ErrorsBySource, sync::MissingSkill};
use crate::{
    manifest::{LockedSource, Pin, Source},
    marketplace::Marketplace,
};
use helix_skills_format::{ObjectId, SourceKey};
use helix_skills_git::EntryKind;
use helix_skills_git::{self as git, Commit, ErrorKind, Session};
use std::{collections::BTreeMap, sync::Arc};

/// The commits of a repository that were already fetched.
type Commits = BTreeMap<ObjectId, Commit>;

impl Repository<'_, '_> {
    /// Resolves pins, and fetches the trees of all sources.
    ///
    /// Adds errors of single sources to `failed`, and requests to other repositories to
    /// `follow_ups`.
    pub(super) fn open(
        &mut self,
        requests: Vec<RepositoryRequest>,
        failed: &mut ErrorsBySource,
        follow_ups: &mut Vec<RepositoryRequest>,
    ) -> Result<Vec<OpenedSource>, git::Error> {
        let (requests, unsupported): (Vec<_>, Vec<_>) =
            requests.into_iter().partition(|request| !request.names_sha256());
        for RepositoryRequest { key, .. } in unsupported {
            failed.for_source(&key).push(Error::unresolved(&key, Unresolved::Sha256Id));
        }
        let queries: Vec<PinQuery<'_>> =
            requests.iter().filter_map(RepositoryRequest::pin_query).collect();
        let answers = resolve::pins(self.session, &queries)?;
        let mut answers = answers.into_iter();
        let mut open = Vec::new();
        let mut resolved = Vec::new();
        for request in requests {
            let answer = request.pin_query().is_some().then(|| answers.next()).flatten();
            match answer {
                Some(Ok(answer)) if request.is_unmoved(&answer) => {
                    let rules = FileRules::new(request.source.select(), self.limits);
                    let rules = failed.keep(&request.key, rules.map_err(SourceError::from))?;
                    open.extend(rules.map(|rules| OpenedSource {
                        key: request.key,
                        source: request.source,
                        rules,
                        newest: None,
                        kind: OpenedKind::Unmoved { warnings: answer.warnings },
                    }));
                }
                answer => resolved.push((request, answer)),
            }
        }
        let mut wants: Vec<ObjectId> = resolved
            .iter()
            .filter_map(|(_, answer)| Some(answer.as_ref()?.as_ref().ok()?.commit))
            .collect();
        wants.extend(resolved.iter().filter_map(|(request, _)| request.locked_commit()));
        self.session.prefetch_commits(&wants)?;
        self.fetch_locked_trees(resolved.iter().map(|(request, _)| request))?;
        let mut commits = Commits::new();
        let (mut pinned, mut checks) = (Vec::new(), Vec::new());
        for (request, answer) in resolved {
            let key = request.key.clone();
            match request {
                RepositoryRequest {
                    key,
                    source,
                    kind: RequestKind::Locked { locked, needed },
                    ..
                } => {
                    let opened =
                        self.open_locked(key.clone(), source, locked, needed, &mut commits);
                    open.extend(failed.keep(&key, opened)?);
                }
                RepositoryRequest { key, kind: RequestKind::Check(revision), .. } => {
                    let errors =
                        self.verify_locked(&key, revision, answer, &mut commits, &mut checks)?;
                    failed.for_source(&key).extend(errors);
                }
                request => match answer {
                    Some(Ok(answer)) => {
                        let found = self.pinned(&request, answer, &mut commits);
                        pinned.extend(failed.keep(&key, found)?.map(|found| (request, found)));
                    }
                    Some(Err(error)) => failed.for_source(&key).push(in_plugin(error, &request)),
                    // Each query has an answer.
                    None => {}
                },
            }
        }
        self.fetch_indexes(&pinned, &checks)?;
        for check in checks {
            let key = check.key.clone();
            failed.for_source(&key).extend(self.verify_plugin(check)?);
        }
        let mut sites = Vec::new();
        for (request, pinned) in pinned {
            let (key, reference) = (request.key.clone(), pinned.answer.reference.clone());
            let located = at(self.locate(request, pinned), reference.as_deref());
            match failed.keep(&key, located)? {
                Some(Located::Here(site)) => sites.push(*site),
                Some(Located::ExternalPlugin(request)) => follow_ups.push(*request),
                None => {}
            }
        }
        self.commits = commits;
        self.fetch_plugins(&sites)?;
        for site in sites {
            let (key, reference) = (site.key.clone(), site.reference.clone());
            let opened = at(self.open_site(site), reference.as_deref());
            open.extend(failed.keep(&key, opened)?);
        }
        Ok(open)
    }

    /// Checks that a tag still points to the locked commit, and that the commit has the locked
    /// trees.
    fn verify_locked(
        &mut self,
        key: &SourceKey,
        revision: LockedRevision,
        answer: Option<Result<Answer, Error>>,
        commits: &mut Commits,
        checks: &mut Vec<PluginCheck>,
    ) -> Result<Vec<Error>, git::Error> {
        self.session.count_steps_for(key.as_str());
        let mut errors = Vec::new();
        let tag = match &revision.tag {
            Some(Pin::Ref(name)) => name.as_str(),
            _ => "",
        };
        let commit = revision.commit;
        match answer {
            Some(Ok(answer)) if answer.commit != commit => {
                let pin = ResolvedPin::Tag(tag.to_owned());
                errors.push(Error::moved(key, &pin, &commit, &answer.commit));
            }
            Some(Err(_)) => errors.push(Error::vanished(key, Some(tag), &commit)),
            _ => {}
        }
        if !revision.needs_commit() {
            return Ok(errors);
        }
        let root = match self.commit(commits, commit, None) {
            Ok(found) => found.tree,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                // The error about its tag already says so.
                if errors.is_empty() {
                    errors.push(Error::vanished(key, None, &commit));
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
            let mismatch =
                Error::tree_mismatch(name, &commit, &skill.path, &expected, found.as_ref());
            errors.push(mismatch);
        }
        if let Some((market, plugin)) = revision.plugin {
            checks.push(PluginCheck { key: key.clone(), market, commit, root, plugin });
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
    ) -> SourceResult<OpenedSource> {
        let rules = FileRules::new(source.select(), self.limits)?;
        let all_here = needed.iter().all(|needed| has_tree(self.session, needed));
        let root = match locked.skills_commit().filter(|_| !all_here) {
            None => None,
            Some(commit) => match self.commit(commits, *commit, locked.skills_reference()) {
                Err(error) if error.kind() == ErrorKind::NotFound => {
                    return Err(Error::vanished(&key, None, commit).into());
                }
                other => Some(other?.tree),
            },
        };
        let kind = OpenedKind::Locked { locked: Box::new(locked), needed, root };
        Ok(OpenedSource { key, source, rules, newest: None, kind })
    }

    /// Fetches the commit of a resolved pin, with its trees.
    fn pinned(
        &mut self,
        request: &RepositoryRequest,
        answer: Answer,
        commits: &mut Commits,
    ) -> SourceResult<Pinned> {
        let commit = match self.commit(commits, answer.commit, answer.reference.as_deref()) {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                if answer.was_locked {
                    return Err(Error::vanished(&request.key, None, &answer.commit).into());
                }
                let of_marketplace = matches!(request.kind, RequestKind::Plugin(_));
                let why = Unresolved::NoCommit { of_marketplace, source: Arc::new(error) };
                return Err(Error::unresolved(&request.key, why).into());
            }
            other => other?,
        };
        if let RequestKind::Pin { .. } = request.kind {
            answer.check_sha(&request.key, sha_of(&request.source), commit.id)?;
        }
        Ok(Pinned { answer, commit })
    }

    /// Fetches the indexes of the marketplaces with one network request.
    fn fetch_indexes(
        &mut self,
        pinned: &[(RepositoryRequest, Pinned)],
        checks: &[PluginCheck],
    ) -> Result<(), git::Error> {
        let is_index = |(request, _): &&(RepositoryRequest, Pinned)| {
            matches!(
                (&request.kind, &request.source),
                (RequestKind::Pin { .. }, Source::Marketplace(_))
            )
        };
        let roots = pinned
            .iter()
            .filter(is_index)
            .map(|(request, pinned)| (&request.key, pinned.commit.tree));
        let mut indexes = Vec::new();
        for (key, root) in roots.chain(checks.iter().map(|check| (&check.key, check.root))) {
            self.session.count_steps_for(key.as_str());
            indexes.extend(commit_files::file(self.session, root, Marketplace::FILE)?);
        }
        if indexes.is_empty() { Ok(()) } else { self.session.blobs(&indexes) }
    }

    /// Fetches the whole trees of locked skills, which is the cheapest fetch if the server allows
    /// it.
    fn fetch_locked_trees<'r>(
        &mut self,
        requests: impl Iterator<Item = &'r RepositoryRequest>,
    ) -> Result<(), git::Error> {
        let (mut trees, mut links) = (Vec::new(), Vec::new());
        for request in requests {
            let RequestKind::Locked { locked, needed } = &request.kind else { continue };
            // The tree of a root skill is the whole repository or plugin, of which it needs only a
            // part.
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
            // If the server refuses, the commit is fetched instead.
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

/// Adds the resolved reference to the errors of a source.
fn at<T>(result: SourceResult<T>, reference: Option<&str>) -> SourceResult<T> {
    let Some(reference) = reference else { return result };
    let at = |why| Unresolved::At { reference: reference.to_owned(), why: Box::new(why) };
    result.map_err(|error| match error {
        SourceError::Source(error) => error.map_unresolved(at).into(),
        error => error,
    })
}

/// Adds the plugin to an error, because the marketplace and not the manifest names its repository.
fn in_plugin(error: Error, request: &RepositoryRequest) -> Error {
    let RequestKind::Plugin(external) = &request.kind else { return error };
    let (plugin, url) = (external.plugin.clone(), request.url.clone());
    error.map_unresolved(|why| Unresolved::InPlugin { plugin, url, why: Box::new(why) })
}

/// Returns whether the trees of a locked skill were already fetched.
fn has_tree(session: &Session<'_>, needed: &MissingSkill) -> bool {
    needed.locked.tree.as_ref().is_some_and(|tree| session.has(tree))
        && needed.locked.links.values().all(|id| session.has(id))
}
