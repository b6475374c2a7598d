//! The first step: from pins to commits and the directories that have the skills.

use super::{
    Repository, SourceResult,
    location::{Location, Task},
    plugin::REPORT,
    source_error::SourceError,
};
use crate::{
    Error,
    error::Fact,
    manifest::{LockedSource, Pin},
    pins::{Answer, Pinned, References, newest_release},
};
use helix_skills_format::SourceKey;
use helix_skills_git::{self as git, ErrorKind};

impl Repository<'_> {
    /// Resolves pins, and locates the skills of each source by the index of its marketplace.
    /// Returns the locations, and the sources whose pins an update resolved to what is locked.
    ///
    /// Adds the repositories of plugins to the follow-ups. A check has no result, only errors of
    /// its source.
    pub(crate) fn locate(
        &mut self,
        locations: Vec<Location>,
    ) -> Result<(Vec<Location>, Vec<SourceKey>), git::Error> {
        let answers = self.pins(&locations)?;
        let (mut unmoved, mut resolved, mut wants) = (Vec::new(), Vec::new(), Vec::new());
        for (location, answer) in locations.into_iter().zip(answers) {
            if answer.as_ref().is_ok_and(|answer| is_unmoved(&location, answer)) {
                unmoved.push(location.key);
                continue;
            }
            wants.extend(answer.iter().map(|answer| answer.commit));
            wants.extend(location.locked_commit());
            resolved.push((location, answer));
        }
        self.session.prefetch_commits(&wants)?;
        let (mut open, mut indexes) = (Vec::new(), Vec::new());
        for (mut location, answer) in resolved {
            let key = location.key.clone();
            self.session.count_steps_for(key.as_str());
            let is_moved = self.verify_tag(&location)?;
            match self.resolved(&mut location, answer) {
                // The error about its tag already says so.
                Err(SourceError::Source(error)) if is_moved && error.code() == "vanished" => {}
                found => open.extend(self.keep((&key, None), found)?.map(|()| location)),
            }
        }
        // One network request for all of them.
        for location in open.iter().filter(|location| location.reads_index()) {
            self.session.count_steps_for(location.key.as_str());
            indexes.extend(self.index(location.root)?.1);
        }
        self.session.blobs(&indexes)?;
        let mut located = Vec::new();
        for location in open {
            let (key, is_locked) = (location.key.clone(), location.index_commit().is_some());
            let reference = location.locked.reference.clone().filter(|_| !is_locked);
            if !location.reads_index() {
                located.push(location);
                continue;
            }
            let location = self.locate_plugin(location);
            located.extend(self.keep((&key, reference.as_deref()), location)?.flatten());
        }
        Ok((located, unmoved))
    }

    /// Resolves the pins of all sources of a repository with one network request.
    fn pins(&mut self, locations: &[Location]) -> Result<Vec<Result<Answer, Error>>, git::Error> {
        let mut prefixes = Vec::new();
        for location in locations {
            prefixes.extend(location.verified_tag().map(|(tag, _)| tag.to_owned()));
            if location.known().is_none() {
                prefixes.extend(location.pinned().prefixes());
                prefixes.extend(location.may_use_default_branch().then(|| "HEAD".to_owned()));
                prefixes.extend(location.needs_newest().then(|| "refs/tags/".to_owned()));
            }
        }
        prefixes.sort();
        prefixes.dedup();
        let references =
            if prefixes.is_empty() { Vec::new() } else { self.session.refs(&prefixes)? };
        let mut answers = Vec::new();
        for location in locations {
            if location.known_commit().is_some_and(|id| id.as_bytes().len() != 20) {
                let why = "repositories with SHA-256 object ids are not supported yet";
                let hint = "pin the commit by an id of 40 digits";
                answers.push(Err(Error::unresolved(&location.key, why).with_hint(hint)));
                continue;
            }
            if let Some((reference, commit)) = location.known() {
                let (reference, pin) = (reference.map(str::to_owned), "the locked pin".to_owned());
                answers.push(Ok(Answer::new(commit, reference, pin)));
                continue;
            }
            let pinned = location.pinned();
            let mut answer = pinned.resolve(&references, &mut self.notes);
            if answer.is_err()
                && location.may_use_default_branch()
                && let Ok(mut head) = (Pinned { pin: &Pin::None, sha: None, ..location.pinned() })
                    .resolve(&references, &mut self.notes)
            {
                head.has_no_tag = true;
                answer = Ok(head);
            }
            if let (true, Ok(answer)) = (location.needs_newest(), &mut answer) {
                answer.newest = newest_release(&references, &pinned.names);
            }
            if let Err(error) = &answer
                && matches!(error.fact(), Fact::Unresolved { newest: Some(_), .. })
            {
                // Needs a network request.
                let all = self.session.refs(&References::PREFIXES.map(str::to_owned))?;
                let (newest, hint) = pinned.instead(&all);
                answer = answer.map_err(|error| error.without_pin(newest).with_hint(hint));
            }
            answers.push(answer);
        }
        Ok(answers)
    }

    /// Checks that a locked tag still points to the locked commit. Returns whether there is an
    /// error.
    fn verify_tag(&mut self, location: &Location) -> Result<bool, git::Error> {
        let key = &location.key;
        let Some((tag, commit)) = location.verified_tag() else { return Ok(false) };
        let found = self.session.refs(&[tag.to_owned()])?;
        let error = match found.iter().find(|found| found.name == tag) {
            Some(found) if found.peeled == commit => return Ok(false),
            Some(found) => Error::moved(key, &format!("the tag `{tag}`"), &commit, &found.peeled),
            None => Error::vanished(key, Some(tag), &commit),
        };
        self.failed.for_source(key).push(error);
        Ok(true)
    }

    /// Fetches the commit of a resolved pin, with its trees.
    fn resolved(
        &mut self,
        location: &mut Location,
        answer: Result<Answer, Error>,
    ) -> SourceResult<()> {
        let key = &location.key;
        let answer = answer.map_err(|error| match &location.plugin {
            // The marketplace and not the manifest names the repository.
            Some(plugin) if location.is_plugin => {
                let (plugin, url) = (&plugin.name, &location.url);
                let because = |why: &str| format!("its plugin `{plugin}` is in `{url}`, and {why}");
                error.map_unresolved(because).with_hint(REPORT)
            }
            _ => error,
        })?;
        let commit = match self.commit(answer.commit, answer.reference.as_deref()) {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                if location.known().is_some() {
                    return Err(Error::vanished(key, None, &answer.commit).into());
                }
                let hint = match location.is_plugin {
                    true => {
                        "report it to the owner of the marketplace, which pins a commit that the plugin's repository no longer has"
                    }
                    false => "set `sha` to a commit of the repository",
                };
                let why = "the repository does not have the pinned commit";
                return Err(Error::unresolved(key, why).with_hint(hint).with_source(error).into());
            }
            other => other?,
        };
        location.root = commit.tree;
        match &mut location.locked {
            _ if matches!(location.task, Task::Restore { .. }) => {}
            LockedSource { plugin: Some(place), .. } if location.is_plugin => {
                (place.reference, place.commit) = (answer.reference, Some(commit.id));
            }
            locked => {
                answer.check_sha(key, location.sha.as_ref(), commit.id)?;
                (locked.reference, locked.commit) = (answer.reference, Some(commit.id));
                location.newest = answer.newest;
                if let Some(id) = location.index_commit().filter(|id| self.session.has(id)) {
                    location.root = self.commit(id, None)?.tree;
                }
                if let (true, Pin::Version(version)) = (answer.has_no_tag, &location.pin) {
                    location.must_declare = Some(version.clone());
                }
            }
        }
        Ok(())
    }

    /// Locates the plugin of a source by the index of its marketplace; `None` after adding its
    /// repository to the follow-ups.
    fn locate_plugin(&mut self, mut location: Location) -> SourceResult<Option<Location>> {
        match location.task {
            Task::Restore { .. } => self.verify_plugin(&location)?,
            _ => self.select_plugin(&mut location)?,
        }
        let url = location.locked.plugin.as_ref().and_then(|plugin| plugin.url.clone());
        let Some(url) = url else { return Ok(Some(location)) };
        self.follow_ups.push(Location { url, is_plugin: true, ..location });
        Ok(None)
    }
}

/// Returns whether an update resolved the pin to what is locked, so that there is nothing to fetch.
///
/// The reference of a plugin in another repository than its marketplace may have moved.
fn is_unmoved(location: &Location, answer: &Answer) -> bool {
    let (Some(before), false) = (&location.before, location.is_plugin) else { return false };
    let locked = &before.source;
    before.is_current
        && locked.commit == Some(answer.commit)
        && locked.reference == answer.reference
        && locked.plugin.as_ref().is_none_or(|plugin| plugin.reference.is_none())
}
