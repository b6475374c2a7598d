//! The third step: the files of the skills.

use super::{
    EXPANSION_FACTOR, MAX_LISTED, PLUGIN_DIR, Repository,
    location::{Location, Task},
    open::OpenedSource,
    skill_tree::SkillFiles,
};
use crate::{
    Error,
    candidate::Candidate,
    contents::{Collector, leftovers_kept, show_place},
    error::SourceErrors,
    fetch::{Fetched, FetchedKind, MissingSkill},
};
use helix_skills_format::{__internal::listed, SourceKey};
use helix_skills_git as git;
use std::mem;

impl Repository<'_> {
    /// Answers the requests of a sync.
    pub(crate) fn answer(
        &mut self,
        locations: Vec<Location>,
    ) -> Result<Vec<Result<Fetched, Error>>, git::Error> {
        let resolves = locations.iter().any(|it| matches!(it.task, Task::Fetch));
        let (locations, unmoved) = self.locate(locations)?;
        let mut sources = self.open(locations)?;
        self.fetch_files(&mut sources, true)?;
        let unmoved = unmoved.into_iter().map(|key| Fetched { key, kind: FetchedKind::Unmoved });
        let mut answers: Vec<_> = unmoved.map(Ok).collect();
        answers.extend(sources.into_iter().map(|source| self.finish(source)));
        for redirect in self.session.take_redirects() {
            let line = format!("{redirect}; if you trust it, use that URL in the manifest");
            // It affects what a pin resolves to. Locked files are verified.
            let lines = if resolves { &mut self.notes.warnings } else { &mut self.notes.details };
            lines.push(line);
        }
        Ok(answers)
    }

    /// Finds the files of all skills, and fetches them with one network request, and one more per
    /// level of links; only links unless `with_contents`.
    pub(crate) fn fetch_files(
        &mut self,
        sources: &mut [OpenedSource],
        with_contents: bool,
    ) -> Result<(), git::Error> {
        loop {
            let (mut missing, mut is_complete) = (Vec::new(), true);
            for OpenedSource { location, rules, found, files, errors, .. } in &mut *sources {
                let key = &location.key;
                self.session.count_steps_for(key.as_str());
                files.resize_with(found.len(), || None);
                let skills = found.iter().zip(files).filter(|(_, files)| files.is_none());
                for (found, files) in skills {
                    let mut own = SourceErrors::new();
                    let walked = self.walk(found, (key, rules), &mut own)?;
                    match with_contents {
                        true => missing.extend(walked.missing(&self.session)),
                        false => missing.extend(&walked.unknown),
                    }
                    // Until the links are known, it is walked again.
                    is_complete &= walked.unknown.is_empty();
                    if walked.unknown.is_empty() {
                        errors.append(own);
                        *files = Some(walked);
                    }
                }
            }
            if !missing.is_empty() {
                for OpenedSource { location, .. } in &*sources {
                    let (Task::Restore { .. }, Some(plugin)) =
                        (&location.task, &location.locked.plugin)
                    else {
                        continue;
                    };
                    // The index and the plugin's manifest prove which skills a locked source has.
                    if plugin.url.is_none() {
                        missing.extend(self.index(location.root)?.1);
                    }
                    missing.extend(self.plugin_manifest(location.root, plugin)?);
                }
            }
            self.session.blobs(&missing)?;
            if is_complete {
                return Ok(());
            }
        }
    }

    /// Reads the files of the skills: those to restore, or those to name and to lock.
    fn finish(&mut self, source: OpenedSource) -> Result<Fetched, Error> {
        let OpenedSource { mut location, rules, scope, found, files, mut errors, .. } = source;
        let needed = match &mut location.task {
            Task::Restore { needed, .. } => Some(mem::take(needed)),
            _ => None,
        };
        let (key, select) = (&location.key, &location.source().select);
        self.session.count_steps_for(key.as_str());
        // Skills that share files can be much larger than what was fetched.
        let limit = self.limits.bytes_per_fetch.saturating_mul(EXPANSION_FACTOR);
        let (mut restored, mut skills, mut leftovers) = (Vec::new(), Vec::new(), Vec::new());
        let (is_restored, mut needed) = (needed.is_some(), needed.into_iter().flatten());
        let mut total = 0_u64;
        for (found, files) in found.into_iter().zip(files.into_iter().flatten()) {
            let (path, needed) = (found.path, needed.next());
            errors.enter(key, &path);
            let place = (show_place(key, &path), path.file_name());
            let collector = Collector::new(&rules, place, &mut errors);
            let contents = files.read(&self.session, collector)?;
            let SkillFiles { links, excluded, .. } = files;
            if !path.is_root() {
                for file in &excluded {
                    self.notes.detail(key, || format!("excluded from {key}: {path}/{file}"));
                }
            }
            let Some(contents) = contents else { continue };
            total = total.saturating_add(contents.bytes());
            if total > limit {
                let what = format!("the total size of the skills of the source `{key}`");
                return Err(Error::limit(what, limit, Some("bytesPerFetch")));
            }
            if let Some(needed) = needed {
                let MissingSkill { name, locked, .. } = &needed;
                let commit = location.locked.skills_commit().filter(|_| links != locked.links);
                errors.extend(commit.map(|it| Error::fields_mismatch(name, "`links`", it, &path)));
                restored.push((needed, contents));
                continue;
            }
            if path.is_root() {
                self.notes.warnings.extend(excluded_at_root(key, excluded));
            }
            let candidate = Candidate {
                place: show_place(key, &path),
                directory: found.name,
                // The name of a root directory depends on where the repository was copied to.
                is_named: !path.is_root(),
                path,
                tree: Some(found.tree),
                links,
                contents,
            };
            match candidate.resolve(key, select) {
                Ok(skill) => {
                    leftovers.extend(rules.leftovers(&skill.locked.path, &skill.listing));
                    skills.push(skill);
                }
                Err(found) => errors.extend(found),
            }
        }
        if is_restored {
            errors.finish(key)?;
            return Ok(Fetched { key: location.key, kind: FetchedKind::Restored(restored) });
        }
        self.notes.warnings.extend(leftovers_kept(key, &leftovers));
        if let Ok(notes) = self.mentioned(&location, &scope, &skills) {
            self.notes.warnings.extend(notes);
        }
        let errors = errors.into_vec(key);
        let OpenedSource { exclude, upstream, .. } = source;
        let Location { key, locked, .. } = location;
        let source = Box::new(locked);
        let kind = FetchedKind::Resolved { source, skills, errors, exclude, upstream };
        Ok(Fetched { key, kind })
    }
}

/// Returns a warning on files at the root of a repository that do not belong to its skill.
fn excluded_at_root(key: &SourceKey, mut paths: Vec<String>) -> Option<String> {
    // The manifest of a plugin or marketplace is expected.
    paths.retain(|path| path != PLUGIN_DIR);
    let excluded = (!paths.is_empty()).then(|| listed(&paths, MAX_LISTED))?;
    Some(format!(
        "the skill at the root of the source `{key}` consists of SKILL.md, references/, scripts/ and assets/; excluded {excluded}; list those that it needs in `files.include`"
    ))
}
