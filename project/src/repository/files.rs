//! The third step: the files of the skills.

use super::{
    EXPANSION_FACTOR, MAX_LISTED, PLUGIN_DIR, Repository,
    discover::FoundDirectory,
    location::{Location, Task},
    open::OpenedSource,
};
use crate::{
    Error,
    candidate::Candidate,
    contents::{Collector, Contents, FileRules, leftovers_kept, show_place},
    error::SourceErrors,
    fetch::{Fetched, FetchedKind, MissingSkill},
};
use helix_skills_format::{__internal::listed, ObjectId, RelPath, SourceKey};
use helix_skills_git as git;
use std::collections::BTreeMap;

/// What was read of one directory.
struct ReadTree {
    contents: Contents,
    /// Links that lead out of the skill's tree, with their target objects.
    links: BTreeMap<RelPath, ObjectId>,
    /// Paths at the root of a repository that do not belong to its skill.
    left_out: Vec<String>,
}

impl Repository<'_, '_> {
    /// Answers the requests of a sync.
    pub(super) fn answer(&mut self, locations: Vec<Location>) -> Result<Vec<Fetched>, git::Error> {
        let resolves = locations.iter().any(|it| matches!(it.task, Task::Select { .. }));
        let (locations, unmoved) = self.locate(locations)?;
        let sources = self.open(locations)?;
        self.fetch_files(&sources)?;
        let unmoved = unmoved.into_iter().map(|key| Fetched { key, kind: FetchedKind::Unmoved });
        let mut answers: Vec<_> = unmoved.collect();
        for source in sources {
            let key = source.location.key.clone();
            match self.finish(source) {
                Ok(kind) => answers.push(Fetched { key, kind }),
                Err(errors) => self.failed.for_source(&key).push(errors),
            }
        }
        for redirect in self.session.take_redirects() {
            let line = format!("{redirect}; if you trust it, use that URL in the manifest");
            // It affects what a pin resolves to. Locked files are verified.
            let lines = if resolves { &mut self.notes.warnings } else { &mut self.notes.details };
            lines.push(line);
        }
        Ok(answers)
    }

    /// Fetches the files of all skills with one network request, and one more per level of links.
    fn fetch_files(&mut self, sources: &[OpenedSource]) -> Result<(), git::Error> {
        loop {
            let mut missing: Vec<ObjectId> = Vec::new();
            for OpenedSource { location, rules, found, .. } in sources {
                self.session.count_steps_for(location.key.as_str());
                for found in found {
                    missing.extend(found.place.missing(self.session, &self.link_cache, rules)?);
                }
            }
            if missing.is_empty() {
                return Ok(());
            }
            self.session.blobs(&missing)?;
        }
    }

    /// Reads the files of directories; `None` for one after adding its errors.
    fn read_trees(
        &mut self,
        key: &SourceKey,
        rules: &FileRules,
        trees: &[FoundDirectory],
        errors: &mut SourceErrors,
    ) -> Result<Vec<Option<ReadTree>>, Error> {
        self.session.count_steps_for(key.as_str());
        // Skills that share files can be much larger than what was fetched.
        let limit = self.limits.bytes_per_fetch.saturating_mul(EXPANSION_FACTOR);
        let (mut read, mut total) = (Vec::new(), 0_u64);
        for FoundDirectory { path, place: tree, .. } in trees {
            let mut collector = Collector::new(rules, show_place(key, path), errors);
            let links = tree.collect(self.session, &self.link_cache, &mut collector)?;
            let (contents, mut left_out) = collector.finish();
            if !tree.is_root {
                for file in left_out.drain(..) {
                    self.notes.detail(key, || format!("excluded from {key}: {path}/{file}"));
                }
            }
            total = total.saturating_add(contents.as_ref().map_or(0, Contents::bytes));
            if total > limit {
                let what = format!("the total size of the skills of the source `{key}`");
                return Err(Error::limit(what, limit, Some("bytesPerFetch")));
            }
            read.push(contents.map(|contents| ReadTree { contents, links, left_out }));
        }
        Ok(read)
    }

    fn finish(&mut self, source: OpenedSource) -> Result<FetchedKind, Error> {
        let OpenedSource { location, rules, found, upstream } = source;
        let (key, select) = (&location.key, &location.source().select);
        let mut errors = SourceErrors::new();
        let read = self.read_trees(key, &rules, &found, &mut errors)?;
        if let Task::Restore(needed) = location.task {
            let mut restored = Vec::new();
            for (needed, read) in needed.into_iter().zip(read) {
                let Some(ReadTree { contents, links, .. }) = read else { continue };
                let MissingSkill { name, locked, .. } = &needed;
                if let (true, Some(commit)) =
                    (links != locked.links, location.locked.skills_commit())
                {
                    errors.push(Error::links_mismatch(name, commit, &locked.path));
                }
                restored.push((needed, contents));
            }
            errors.finish(key)?;
            return Ok(FetchedKind::Restored(restored));
        }
        let (mut skills, mut leftovers) = (Vec::new(), Vec::new());
        for (found, read) in found.into_iter().zip(read) {
            let Some(ReadTree { contents, links, left_out }) = read else { continue };
            self.notes.warnings.extend(excluded_at_root(&location, left_out));
            let candidate = Candidate {
                place: show_place(key, &found.path),
                directory: found.name,
                // The name of a root directory depends on where the repository was copied to.
                is_named: !found.path.is_root(),
                path: found.path,
                tree: Some(found.place.tree),
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
        errors.finish(key)?;
        self.notes.warnings.extend(leftovers_kept(key, &leftovers));
        let source = Box::new(location.locked);
        Ok(FetchedKind::Resolved { source, skills, upstream })
    }
}

/// Returns a warning on files at the root of a repository or plugin that do not belong to its
/// skill.
fn excluded_at_root(location: &Location, mut paths: Vec<String>) -> Option<String> {
    let root = match location.plugin {
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
    let (key, excluded) = (&location.key, listed(&paths, MAX_LISTED));
    Some(format!(
        "the skill at the root of {root} `{key}` consists of SKILL.md, references/, scripts/ and assets/; excluded {excluded}"
    ))
}
