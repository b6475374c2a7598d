//! Reads `path` sources: skills in directories on disk. Links may lead to files of the project and
//! of the source itself.

use crate::manifest::{DEFAULT_SKILLS_DIR, Select, Source, own_name};
use crate::{
    Error,
    candidate::{Candidate, SourceSkill},
    contents::{Admission, Collector, FileRules, LINK_ABOVE, NAME_NOT_UTF8, is_skill_directory},
    error::{SourceErrors, excluding},
    link_boundary::LinkBoundary,
    metadata::is_executable,
    near_skill::{self, NearSkill},
    paths::{ProjectPaths, directory_in, source_root},
    selection::{self, Place},
    slashes::path_hint,
};
use helix_skills_format::{
    __internal::{near_skill as near_skill_in, redacted, root_not_read, skills_not_read},
    DirPath, Finding, Limits, ObjectId, ProjectPath, SkillMd, SkillName, SourceKey,
};
use std::{
    collections::BTreeMap,
    convert::Infallible,
    fs, io,
    path::{Path, PathBuf},
};

/// The skills of a `path` source, with warnings and the excluded paths.
pub(crate) struct PathSkills {
    pub(crate) skills: Vec<SourceSkill>,
    pub(crate) warnings: Vec<String>,
    pub(crate) excluded: Vec<String>,
    /// The files of each locked skill that differ from the lockfile, if all of them differ only in
    /// line endings, which means that git converted them.
    pub(crate) converted: BTreeMap<SkillName, Vec<String>>,
}

/// Reads the skills of a `path` source.
pub(crate) fn read_source(
    project: &ProjectPaths,
    key: &SourceKey,
    (path, select): (&ProjectPath, &Select),
    limits: Limits,
) -> Result<PathSkills, Error> {
    let SelectedDirectories { skills: directories, rules, near, mut warnings } =
        selected(project, key, (path, select), limits)?;
    let root = project.real_root().unwrap_or_default();
    let boundary = LinkBoundary::new([&root, &source_root(project, path)]);
    let (mut skills, mut errors, mut excluded) = (Vec::new(), SourceErrors::new(), Vec::new());
    for SelectedDirectory { name, path: inner, directory } in directories {
        let place = project.show(&directory).display().to_string();
        let real = resolve(&boundary, &directory);
        let contains = |real: &PathBuf| {
            let manifest = dunce::canonicalize(&project.manifest);
            manifest.is_ok_and(|manifest| manifest.starts_with(real))
        };
        let real = match real {
            Err(why) => {
                errors.push(Error::excludable(&place, why, Some(&excluding(&name))));
                continue;
            }
            Ok(real) if contains(&real) => {
                let why = format!(
                    "the skill in `{place}` would contain the project's own manifest, lockfile and store"
                );
                let hint = "move the skill into a directory of its own";
                errors.push(Error::unresolved(key, why).with_hint(hint));
                continue;
            }
            Ok(real) => real,
        };
        let mut collector = Collector::new(&rules, (place.clone(), Some(&name)), &mut errors);
        walk(&directory, "", &boundary, &mut vec![real], &mut collector);
        let (contents, paths) = collector.finish();
        excluded.extend(paths.into_iter().map(|path| format!("{place}/{path}")));
        let Some(contents) = contents else { continue };
        let candidate = Candidate {
            directory: name,
            place,
            is_named: !inner.is_root() || own_name(path).is_some(),
            path: inner,
            tree: None,
            links: BTreeMap::new(),
            contents,
        };
        match candidate.resolve(key, select) {
            Ok(mut skill) => {
                // The files stay where they are, and keep the bits that they have on this machine.
                skill.locked.executable = None;
                skills.push(skill);
            }
            Err(found) => errors.extend(found),
        }
    }
    errors.finish(key)?;
    warnings.extend(near_skill::warnings(&near, select));
    Ok(PathSkills { skills, warnings, excluded, converted: BTreeMap::new() })
}

/// Returns a warning if a local source is outside of the project's repository.
pub(crate) fn outside_repository(
    project: &ProjectPaths,
    key: &SourceKey,
    source: &Source,
) -> Option<String> {
    let path = match source.directory() {
        Some(path) => path.as_str(),
        None => Some(source.repository()?.url.as_str()).filter(|url| url.starts_with('.'))?,
    };
    let root = project.real_root().ok()?;
    let repository = root.ancestors().find(|above| above.join(".git").exists())?;
    let directory = dunce::canonicalize(project.root.join(path)).ok()?;
    (!directory.starts_with(repository)).then(|| {
        format!(
            "the source `{key}`: `{path}` is outside of the project's repository: a clone does not have it"
        )
    })
}

/// The directories of the skills that a `path` source selects.
pub(crate) struct SelectedDirectories {
    pub(crate) skills: Vec<SelectedDirectory>,
    /// The file rules of the source.
    pub(crate) rules: FileRules,
    /// What looks like a selected skill of the source.
    pub(crate) near: Vec<NearSkill>,
    /// Warnings about selections without effect, one line each.
    warnings: Vec<String>,
}

/// The directory of a skill that a `path` source selects.
pub(crate) struct SelectedDirectory {
    name: String,
    /// Its path in the source.
    path: DirPath,
    pub(crate) directory: PathBuf,
}

/// Returns the directories of the skills that a `path` source selects. Reads no file of the skills.
pub(crate) fn selected(
    project: &ProjectPaths,
    key: &SourceKey,
    (path, select): (&ProjectPath, &Select),
    limits: Limits,
) -> Result<SelectedDirectories, Error> {
    let root = source_root(project, path);
    let rules = FileRules::in_place(select, limits)?;
    let (mut found, mut near) = skill_directories(project, &root, key, path)?;
    let mut source = Source::path(path.clone());
    source.select.clone_from(select);
    let selection = selection::select((key, &source), &found, &[], None);
    let errors = selection.unclear.keys().map(|name| {
        let hint = match near.iter().find(|near| near.directory == *name) {
            Some(near) => near.warning(),
            None => selection::known_names(name, found.iter().map(Place::name)),
        };
        Error::not_selected(key, name, 0).with_hint(hint)
    });
    let left_out = selection.left_out.iter().map(|name| Error::left_out(key, name));
    Error::unless_empty(errors.chain(left_out).collect())?;
    let warnings = selection::warnings((key, &source), &selection);
    found.retain(|(_, path)| selection.paths.contains(path));
    near.retain(|near| near.is_selected(select));
    let skills = found.into_iter().map(|(name, path)| SelectedDirectory {
        directory: directory_in(&root, &path),
        name,
        path,
    });
    Ok(SelectedDirectories { skills: skills.collect(), rules, near, warnings })
}

/// The directory of a skill, after its name.
type NamedDirectory = (String, DirPath);

impl Place for NamedDirectory {
    fn name(&self) -> &str {
        &self.0
    }

    fn path(&self) -> &DirPath {
        &self.1
    }

    fn copied_tree(&self) -> Option<ObjectId> {
        None
    }
}

/// Returns all directories of a `path` source that are skills, with their names.
pub(crate) fn skills(
    project: &ProjectPaths,
    key: &SourceKey,
    path: &ProjectPath,
) -> Result<Vec<NamedDirectory>, Error> {
    Ok(skill_directories(project, &source_root(project, path), key, path)?.0)
}

/// Returns the directory itself if it is a skill, else its subdirectories that are skills, sorted,
/// each with its name; and what looks like a skill.
fn skill_directories(
    project: &ProjectPaths,
    root: &Path,
    key: &SourceKey,
    path: &ProjectPath,
) -> Result<(Vec<NamedDirectory>, Vec<NearSkill>), Error> {
    let one = |why: String| Error::unresolved(key, why);
    if !root.is_dir() {
        let shown = redacted(path.as_str());
        return Err(one(format!("cannot find the directory `{}`", shown.escape_debug()))
            .with_hint(path_hint(
                &project.root,
                path.as_str().as_ref(),
                "`path` is relative to the manifest's directory",
            )));
    }
    let entries = |dir: &Path| -> Result<Vec<String>, Error> {
        let read = || {
            fs::read_dir(dir)?
                .map(|entry| entry.map(|entry| entry.file_name()))
                .collect::<Result<Vec<_>, _>>()
        };
        let names = read().map_err(Error::read(dir))?;
        Ok(names.into_iter().filter_map(|name| name.into_string().ok()).collect())
    };
    let has_skill = |names: &[String]| names.iter().any(|name| SkillMd::is_file_name(name));
    let is_skill = |dir: &Path| entries(dir).is_ok_and(|names| has_skill(&names));
    let shown = |path: &str| project.show(&root.join(path)).display().to_string();
    let near_skill = |directory: &str, (path, finding): (String, Finding)| NearSkill {
        directory: directory.to_owned(),
        place: shown(&path),
        finding,
    };
    let names = entries(root)?;
    let (mut found, mut near) = (Vec::new(), Vec::new());
    if has_skill(&names) {
        let name = own_name(path).unwrap_or(key.as_str()).to_owned();
        let skills = entries(&root.join("skills")).unwrap_or_default();
        if skills.iter().any(|name| is_skill(&root.join("skills").join(name))) {
            near.push(near_skill(&name, ("skills".to_owned(), skills_not_read())));
        }
        return Ok((vec![(name, DirPath::root())], near));
    }
    for name in &names {
        let directory = root.join(name);
        if !is_skill_directory(name) || !directory.is_dir() {
            continue;
        }
        let inner = entries(&directory)?;
        if has_skill(&inner) {
            let path = DirPath::new(name).map_err(|problem| {
                let why = format!("invalid directory name `{}`: {problem}", name.escape_debug());
                one(why).with_hint("rename the directory")
            })?;
            found.push((name.clone(), path));
        } else if !directory.is_symlink() {
            let with_kinds = inner.iter().map(|name| (&**name, directory.join(name).is_dir()));
            let has_skill = |name: &str| Ok::<_, Infallible>(is_skill(&directory.join(name)));
            let Ok(looks) = near_skill_in(name, with_kinds, has_skill);
            near.extend(looks.map(|found| near_skill(name, found)));
        }
    }
    near.sort_by(|a, b| a.place.cmp(&b.place));
    if found.is_empty() {
        let here = names.iter().map(|name| (&**name, root.join(name).is_dir()));
        let Ok(here) = near_skill_in("", here, |_| Ok::<_, Infallible>(false));
        near.extend(here.map(|found| near_skill(key, found)));
        let hint = near.first().map(NearSkill::warning).unwrap_or_else(|| {
            "set `path` to a skill, or to a directory whose subdirectories are skills".to_owned()
        });
        let why = format!("neither `{}` nor a directory in it has a SKILL.md", root.display());
        return Err(one(why).with_hint(hint));
    }
    if own_name(path) == Some(DEFAULT_SKILLS_DIR)
        && let Some(above) = root.parent().filter(|above| is_skill(above))
    {
        let place = above.join(SkillMd::FILE_NAMES[0]);
        let place = project.show(&place).display().to_string();
        near.push(NearSkill { directory: key.to_string(), place, finding: root_not_read() });
    }
    found.sort();
    Ok((found, near))
}

/// Resolves a path, or returns why it cannot be read.
fn resolve(boundary: &LinkBoundary, path: &Path) -> Result<PathBuf, String> {
    let real = dunce::canonicalize(path).map_err(|error| unreadable(&error))?;
    boundary.contains(&real).then_some(real).ok_or("the link leads out of the project".to_owned())
}

fn unreadable(error: &io::Error) -> String {
    format!("broken link or unreadable file: {error}")
}

/// Collects every file below `directory`. `above` has the resolved paths of the directories that
/// are being walked, to detect cycles.
fn walk(
    directory: &Path,
    prefix: &str,
    boundary: &LinkBoundary,
    above: &mut Vec<PathBuf>,
    collector: &mut Collector<'_>,
) {
    let read = || -> io::Result<Vec<fs::DirEntry>> {
        let mut entries = fs::read_dir(directory)?.collect::<Result<Vec<_>, _>>()?;
        entries.sort_by_key(fs::DirEntry::file_name);
        Ok(entries)
    };
    let entries = match read() {
        Ok(entries) => entries,
        Err(error) => return collector.fail(Error::read(directory)(error)),
    };
    for entry in entries {
        if collector.is_over() {
            return;
        }
        let file_name = entry.file_name();
        let Some(name) = file_name.to_str() else {
            collector.refuse(&format!("{prefix}{}", file_name.to_string_lossy()), NAME_NOT_UTF8);
            continue;
        };
        let path = format!("{prefix}{name}");
        let on_disk = entry.path();
        let is_link = entry.file_type().is_ok_and(|kind| kind.is_symlink());
        let metadata = match fs::metadata(&on_disk) {
            Ok(metadata) => metadata,
            Err(source) => {
                if let Admission::Include(_) = collector.admit(&path, false) {
                    collector.refuse(&path, unreadable(&source));
                }
                continue;
            }
        };
        let Admission::Include(checked) = collector.admit(&path, metadata.is_dir()) else {
            continue;
        };
        if is_link && let Err(why) = resolve(boundary, &on_disk) {
            collector.refuse(&path, why);
            continue;
        }
        if metadata.is_dir() {
            let real = dunce::canonicalize(&on_disk).unwrap_or_else(|_| on_disk.clone());
            if above.contains(&real) {
                collector.refuse(&path, LINK_ABOVE);
                continue;
            }
            above.push(real);
            walk(&on_disk, &format!("{path}/"), boundary, above, collector);
            above.pop();
        } else if metadata.is_file() {
            if !collector.admit_size(&checked, metadata.len()) {
                continue;
            }
            match fs::read(&on_disk) {
                Ok(bytes) => collector.add(checked, bytes, is_executable(&metadata)),
                Err(error) => collector.fail(Error::read(&on_disk)(error)),
            }
        } else {
            collector.refuse(&path, "it is neither a file nor a directory");
        }
    }
}
