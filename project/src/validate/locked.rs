//! Locked skills, in the store or in their `path` sources.

use super::{ProjectBounds, Sought, ValidateOptions};
use crate::manifest::{Lock, Select, Source};
use crate::{Error, Failure, contents::FileRules, error::Usage, paths::ProjectPaths};
use helix_skills_format::{Limits, SkillName};
use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
};

/// Converts what the user named: paths, or names of locked skills where there is no such path.
pub(crate) fn paths_or_names(
    start: &Path,
    paths: &[PathBuf],
    project: &ProjectPaths,
) -> Result<Vec<Sought>, Failure> {
    let is_missing = |path: &Path| {
        let found = fs::symlink_metadata(start.join(path));
        found.is_err_and(|error| error.kind() == io::ErrorKind::NotFound)
    };
    let lock = if paths.iter().any(|path| is_missing(path)) { project.read_lock()? } else { None };
    let (mut sought, mut absent) = (Vec::new(), Vec::new());
    for path in paths {
        let name = lock.as_ref().filter(|_| is_missing(path)).and_then(|lock| {
            let name = lock.skills.keys().find(|name| path.as_os_str() == name.as_str())?;
            Some((lock, name))
        });
        match name {
            None => sought.push(Sought::all(path.clone())),
            Some((lock, name)) => sought.extend(locked(project, lock, name, &mut absent)),
        }
    }
    Failure::unless_empty(not_stored(absent))?;
    Ok(sought)
}

/// Returns the skills in the store of a project that has only remote sources; `None` for others.
pub(crate) fn stored(
    project: &ProjectPaths,
    options: ValidateOptions,
) -> Result<Option<Vec<Sought>>, Failure> {
    let manifest = project.read_manifest()?;
    let is_own = |source: &Source| matches!(source, Source::Path(_));
    if manifest.sources.is_empty() || manifest.sources.values().any(is_own) {
        return Ok(None);
    }
    let (lock, mut absent) = (project.need_lock()?, Vec::new());
    if lock.skills.is_empty() {
        return Ok(None);
    }
    if options.fix {
        return Err(Error::from(Usage::InStore { path: project.show(&project.store) }).into());
    }
    let names = lock.skills.keys();
    let sought = names.filter_map(|name| locked(project, &lock, name, &mut absent)).collect();
    Failure::unless_empty(not_stored(absent))?;
    Ok(Some(sought))
}

/// Returns the directory of a locked skill, or adds the skill to `absent` if it is not stored.
fn locked(
    project: &ProjectPaths,
    lock: &Lock,
    name: &SkillName,
    absent: &mut Vec<SkillName>,
) -> Option<Sought> {
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
    let bounds = ProjectBounds::new(&project.root, path.parent().unwrap_or(&path));
    let upstream_name = skill.path.as_str().rsplit('/').next().filter(|_| !skill.path.is_root());
    Some(Sought {
        project: Some(bounds),
        upstream_name: upstream_name.map(str::to_owned),
        files: files.map(Arc::new),
        ..Sought::all(path)
    })
}

fn not_stored(skills: Vec<SkillName>) -> Vec<Error> {
    if skills.is_empty() { Vec::new() } else { vec![Error::NotStored { skills }] }
}
