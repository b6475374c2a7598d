//! The first step: from pins to commits and the directories that have the skills.

use super::{
    Repository, SourceResult, commit_files,
    links::Target,
    location::{LocatedPlugin, Location},
    locked::OpenedSkills,
    market::PluginCheck,
    request::{CheckRequest, LocateRequest, PluginElsewhere, RepositoryRequest, Request},
    resolve::{self, Answer, PinQuery},
    source_error::SourceError,
};
use crate::Error;
use crate::{
    manifest::{LockedSource, Pin, Source, SourceKind},
    marketplace::{Marketplace, PluginSource},
};
use helix_skills_format::{LockedPlugin, SourceKey};
use helix_skills_git::{self as git, Commit, EntryKind, ErrorKind};

/// The hint for a mistake of a marketplace.
pub(super) const REPORT: &str =
    "report it to the owner of the marketplace, or pin an earlier version of it";

/// A request to locate skills whose commit was fetched.
struct Resolved {
    key: SourceKey,
    source: Source,
    request: LocateRequest,
    answer: Answer,
    commit: Commit,
}

/// What the first step found.
#[derive(Default)]
pub(super) struct Located {
    pub(super) locations: Vec<Location>,
    /// The locked skills that were requested.
    pub(super) locked: Vec<OpenedSkills>,
    /// The sources whose pins an update resolved to what is locked.
    pub(super) unmoved: Vec<SourceKey>,
}

impl Repository<'_, '_> {
    /// Resolves pins, and locates the skills of each source by the index of its marketplace.
    ///
    /// Adds requests to the repositories of plugins to the follow-ups. A [`CheckRequest`] has no
    /// result, only errors of its source.
    pub(super) fn locate(
        &mut self,
        requests: Vec<RepositoryRequest>,
    ) -> Result<Located, git::Error> {
        let queries: Vec<PinQuery<'_>> =
            requests.iter().filter_map(RepositoryRequest::pin_query).collect();
        let answers = resolve::pins(self.session, &queries, &mut self.notes)?;
        let mut answers = answers.into_iter();
        let (mut located, mut open, mut wants) = (Located::default(), Vec::new(), Vec::new());
        for request in requests {
            let answer = request.pin_query().is_some().then(|| answers.next()).flatten();
            if let (Request::Locate(locate), Some(Ok(answer))) = (&request.kind, &answer)
                && locate.is_unmoved(answer)
            {
                located.unmoved.push(request.key);
                continue;
            }
            wants.extend(answer.iter().flatten().map(|answer| answer.commit));
            wants.extend(request.locked_commit());
            open.push((request, answer));
        }
        self.session.prefetch_commits(&wants)?;
        let (mut resolved, mut checks) = (Vec::new(), Vec::new());
        for (request, answer) in open {
            let key = request.key.clone();
            match (request.kind, answer) {
                (Request::Check(check), answer) => {
                    checks.extend(self.verify_locked(&key, *check, answer)?);
                }
                (Request::Locate(locate), Some(Ok(answer))) => {
                    let commit = self.resolved_commit(&key, &request.source, &locate, &answer);
                    resolved.extend(self.keep(&key, commit)?.map(|commit| {
                        let (source, request) = (request.source, *locate);
                        Resolved { key, source, request, answer, commit }
                    }));
                }
                (Request::Locate(locate), Some(Err(error))) => {
                    let error = match locate.plugin {
                        None => error,
                        // The marketplace and not the manifest names the repository.
                        Some(elsewhere) => {
                            let (plugin, url) = (elsewhere.plugin.entry.name, request.url);
                            let error = error.map_unresolved(|why| {
                                format!("its plugin `{plugin}` is in `{url}`, and {why}")
                            });
                            error.with_hint(REPORT)
                        }
                    };
                    self.failed.for_source(&key).push(error);
                }
                (Request::Locked(locked), _) => {
                    let skills = self.open_locked(&key, &request.source, *locked);
                    located.locked.extend(self.keep(&key, skills)?);
                }
                // Each request to locate has an answer.
                (Request::Locate(_), None) => {}
            }
        }
        self.fetch_indexes(&resolved, &checks)?;
        for (check, then) in checks {
            let key = check.key.clone();
            match self.verify_plugin(check)? {
                Some(error) => self.failed.for_source(&key).push(error),
                None => self.follow_ups.extend(then),
            }
        }
        for resolved in resolved {
            let (key, reference) = (resolved.key.clone(), resolved.answer.reference.clone());
            let location = at(self.location(resolved), reference.as_deref());
            located.locations.extend(self.keep(&key, location)?.flatten());
        }
        Ok(located)
    }

    /// Checks that a tag still points to the locked commit, and that the commit has the locked
    /// trees. Returns what remains to be checked in the marketplace's index, and the request that
    /// follows if it is correct.
    fn verify_locked(
        &mut self,
        key: &SourceKey,
        check: CheckRequest,
        answer: Option<Result<Answer, Error>>,
    ) -> Result<Option<(PluginCheck, Option<RepositoryRequest>)>, git::Error> {
        self.session.count_steps_for(key.as_str());
        let tag = match &check.tag {
            Some(Pin::Ref(name)) => name.as_str(),
            _ => "",
        };
        let commit = check.commit;
        let of_tag = match answer {
            Some(Ok(answer)) if answer.commit != commit => {
                let pin = format!("the tag `{tag}`");
                Some(Error::moved(key, &pin, &commit, &answer.commit))
            }
            Some(Err(_)) => Some(Error::vanished(key, Some(tag), &commit)),
            _ => None,
        };
        let has_error = of_tag.is_some();
        self.failed.for_source(key).extend(of_tag);
        if !check.needs_commit() {
            return Ok(None);
        }
        let reference = match check.then.as_ref().map(|then| &then.kind) {
            Some(Request::Locked(request)) => request.locked.reference.as_deref(),
            _ => None,
        };
        let root = match self.commit(commit, reference) {
            Ok(found) => found.tree,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                // The error about its tag already says so.
                if !has_error {
                    self.failed.for_source(key).push(Error::vanished(key, None, &commit));
                }
                return Ok(None);
            }
            Err(error) => return Err(error),
        };
        for (name, skill) in &check.skills {
            let found = match commit_files::follow(self.session, root, skill.path.as_str())? {
                Target::Object { kind: EntryKind::Directory, id, .. } => Some(id),
                _ => None,
            };
            let Some(expected) = skill.tree.filter(|tree| found != Some(*tree)) else { continue };
            let mismatch =
                Error::tree_mismatch(name, &commit, &skill.path, &expected, found.as_ref());
            self.failed.for_source(key).push(mismatch);
        }
        Ok(check.plugin.map(|(market, plugin)| {
            let then = check.then.map(|then| *then);
            (PluginCheck { key: key.clone(), market, commit, root, plugin }, then)
        }))
    }

    /// Fetches the commit of a resolved pin, with its trees.
    fn resolved_commit(
        &mut self,
        key: &SourceKey,
        source: &Source,
        request: &LocateRequest,
        answer: &Answer,
    ) -> SourceResult<Commit> {
        let commit = match self.commit(answer.commit, answer.reference.as_deref()) {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                if answer.was_locked {
                    return Err(Error::vanished(key, None, &answer.commit).into());
                }
                let hint = match request.plugin {
                    Some(_) => {
                        "report it to the owner of the marketplace, which pins a commit that the plugin's repository no longer has"
                    }
                    None => "set `sha` to a commit of the repository",
                };
                let why = "the repository does not have the pinned commit";
                return Err(Error::unresolved(key, why).with_hint(hint).with_source(error).into());
            }
            other => other?,
        };
        if request.plugin.is_none() {
            let sha = source.repository().and_then(|repository| repository.sha.as_ref());
            answer.check_sha(key, sha, commit.id)?;
        }
        Ok(commit)
    }

    /// Fetches the indexes of the marketplaces with one network request.
    fn fetch_indexes(
        &mut self,
        resolved: &[Resolved],
        checks: &[(PluginCheck, Option<RepositoryRequest>)],
    ) -> Result<(), git::Error> {
        let markets = resolved.iter().filter(|resolved| {
            resolved.source.plugin().is_some() && resolved.request.plugin.is_none()
        });
        let roots = markets.map(|resolved| (&resolved.key, resolved.commit.tree));
        let mut indexes = Vec::new();
        for (key, root) in roots.chain(checks.iter().map(|(check, _)| (&check.key, check.root))) {
            self.session.count_steps_for(key.as_str());
            indexes.extend(commit_files::file(self.session, root, Marketplace::FILE)?);
        }
        self.session.blobs(&indexes)
    }

    /// Returns the location of a source's skills; `None` after requesting the repository of its
    /// plugin.
    fn location(&mut self, resolved: Resolved) -> SourceResult<Option<Location>> {
        let Resolved { key, source, request, answer, commit } = resolved;
        let LocateRequest { known, before, needs_files, plugin } = request;
        let (root, is_same_commit) = (commit.tree, answer.was_locked);
        if let Some(elsewhere) = plugin {
            let PluginElsewhere { mut locked, plugin, newest, .. } = *elsewhere;
            if let Some(place) = &mut locked.plugin {
                (place.reference, place.commit) = (answer.reference, Some(commit.id));
            }
            let plugin = Some(plugin);
            return Ok(Some(Location {
                key,
                locked,
                root,
                plugin,
                before,
                is_same_commit,
                newest,
                needs_files,
            }));
        }
        let mut locked = LockedSource::new(source);
        (locked.reference, locked.commit) = (answer.reference, Some(commit.id));
        let newest = answer.newest;
        let SourceKind::Marketplace { repository, plugin } = locked.entry.kind.clone() else {
            let plugin = None;
            return Ok(Some(Location {
                key,
                locked,
                root,
                plugin,
                before,
                is_same_commit,
                newest,
                needs_files,
            }));
        };
        let entry = self.find_plugin(&key, (&repository.url, &plugin), root)?;
        let must_declare = match repository.pin {
            Pin::Version(version) if answer.has_no_tag => Some(version),
            _ => None,
        };
        let place = entry.source.clone();
        let plugin = LocatedPlugin { entry, must_declare };
        match place {
            PluginSource::Relative { path, .. } => {
                locked.plugin = Some(LockedPlugin::new(path));
                let plugin = Some(plugin);
                Ok(Some(Location {
                    key,
                    locked,
                    root,
                    plugin,
                    before,
                    is_same_commit,
                    newest,
                    needs_files,
                }))
            }
            PluginSource::Git { url, path, reference, sha } => {
                let mut place = LockedPlugin::new(path);
                place.url = Some(url.clone());
                locked.plugin = Some(place);
                // A `sha` takes precedence over a tag or branch.
                let pin = reference.filter(|_| sha.is_none()).map_or(Pin::None, Pin::Ref);
                let source = locked.entry.clone();
                let elsewhere = PluginElsewhere { locked, plugin, pin, sha, newest };
                let plugin = Some(Box::new(elsewhere));
                let request = LocateRequest { known, before, needs_files, plugin };
                let kind = Request::Locate(Box::new(request));
                self.follow_ups.push(RepositoryRequest { key, source, url, kind });
                Ok(None)
            }
        }
    }
}

/// Adds the resolved reference to the errors of a source.
pub(super) fn at<T>(result: SourceResult<T>, reference: Option<&str>) -> SourceResult<T> {
    let Some(reference) = reference else { return result };
    let at = |why: &str| format!("{why} (at {reference})");
    result.map_err(|error| match error {
        SourceError::Source(error) => error.map_unresolved(at).into(),
        error => error,
    })
}
