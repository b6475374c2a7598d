//! Locked skills, in the store or in their `path` sources.

use super::SearchRoot;
use crate::manifest::{Lock, Select, Source};
use crate::{
    Error, contents::FileRules, error::usage, link_boundary::LinkBoundary, paths::ProjectPaths,
};
use helix_skills_format::{__internal::nearest, Limits, SkillName};
use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
};

/// Converts what the user named: paths, or names of locked skills where there is no such path.
/// `skill:NAME` is always a skill.
pub(crate) fn paths_or_names(
    start: &Path,
    paths: &[PathBuf],
    project: &ProjectPaths,
) -> Result<Vec<SearchRoot>, Error> {
    let is_missing = |path: &Path| {
        let found = fs::symlink_metadata(start.join(path));
        found.is_err_and(|error| error.kind() == io::ErrorKind::NotFound)
    };
    let lock = if paths.iter().any(|path| is_missing(path)) { project.read_lock()? } else { None };
    let (mut roots, mut absent, mut unknown) = (Vec::new(), Vec::new(), Vec::new());
    for path in paths {
        let (Some(lock), Some(word), true) = (&lock, path.to_str(), is_missing(path)) else {
            roots.push(SearchRoot::all(path.clone()));
            continue;
        };
        let explicit = word.strip_prefix("skill:");
        let word = explicit.unwrap_or(word);
        let known = || lock.skills.keys().map(|name| name.as_str());
        match lock.skills.keys().find(|name| name.as_str() == word) {
            Some(name) => roots.extend(locked(project, lock, name, &mut absent)),
            None if explicit.is_some() || nearest(word, known()).is_some() => {
                unknown.push(usage::unknown_skill(word, lock));
            }
            None => roots.push(SearchRoot::all(path.clone())),
        }
    }
    unknown.extend(not_stored(absent));
    Error::unless_empty(unknown)?;
    Ok(roots)
}

/// Returns the skills in the store of a project that has only remote sources; `None` for others.
pub(crate) fn stored(project: &ProjectPaths) -> Result<Option<Vec<SearchRoot>>, Error> {
    let manifest = project.read_manifest()?;
    let is_own = |source: &Source| source.directory().is_some();
    if manifest.sources.is_empty() || manifest.sources.values().any(is_own) {
        return Ok(None);
    }
    let (lock, mut absent) = (project.need_lock()?, Vec::new());
    if lock.skills.is_empty() {
        return Ok(None);
    }
    let names = lock.skills.keys();
    let roots = names.filter_map(|name| locked(project, &lock, name, &mut absent)).collect();
    Error::unless_empty(not_stored(absent))?;
    Ok(Some(roots))
}

/// Returns the directory of a locked skill, or adds the skill to `absent` if it is not stored.
fn locked(
    project: &ProjectPaths,
    lock: &Lock,
    name: &SkillName,
    absent: &mut Vec<SkillName>,
) -> Option<SearchRoot> {
    let skill = &lock.skills[name];
    let path = project.directory_of(lock, name, skill);
    let is_stored = path == project.skill_dir(name);
    if is_stored && !path.is_dir() {
        absent.push(name.clone());
        return None;
    }
    // All files in the store are part of the skill.
    let files = FileRules::new(&Select::default(), Limits::default()).ok().filter(|_| is_stored);
    // A link to outside of the project is not followed, because the user did not name it.
    let bounds = LinkBoundary::new([&project.root, path.parent().unwrap_or(&path)]);
    let upstream_name = skill.path.as_str().rsplit('/').next().filter(|_| !skill.path.is_root());
    Some(SearchRoot {
        project: Some(Arc::new(bounds)),
        upstream_name: upstream_name.map(str::to_owned),
        files: files.map(Arc::new),
        ..SearchRoot::all(path)
    })
}

fn not_stored(skills: Vec<SkillName>) -> Vec<Error> {
    if skills.is_empty() { Vec::new() } else { vec![Error::not_stored(skills)] }
}
