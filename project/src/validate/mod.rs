//! Findings on skills on disk, for their authors.
//!
//! Each named directory is resolved once. Below it no link to a directory leads to another skill,
//! and nothing outside of it is written.

mod boundary;
mod draft;
mod files;
mod walk;

use crate::error::Usage;
use crate::manifest::Source;
use crate::{
    Error, audit,
    contents::FileRules,
    directory, parallel,
    paths::{ProjectPaths, source_root},
};
use boundary::LinkBoundary;
use draft::{Place, Visit};
use helix_skills_format::{Allow, Code, Finding, STORE_DIR, Severity};
use helix_skills_lint::{Audited, Rules, report::Reported};
use std::{
    borrow::Cow,
    cmp::Reverse,
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

/// So deep below a directory that was named skills are looked for.
const MAX_DEPTH: usize = 16;

/// How to judge.
#[derive(Clone, Copy, Debug)]
pub struct Task {
    pub rules: Rules,
    /// Whether to mend what has one right answer.
    pub fix: bool,
}

/// A skill, and what is wrong with it.
#[derive(Debug)]
pub struct Judged {
    /// Its SKILL.md, as a person here would write the path.
    pub file: String,
    /// What was mended, and is told no more.
    pub mended: Vec<Code>,
    /// From top to bottom, none of them silent.
    pub findings: Vec<Finding>,
    /// What else was noticed in any of its files.
    pub audited: Audited,
}

impl Judged {
    /// A skill with these findings, of which nothing else is known.
    fn new(file: String, findings: Vec<Finding>) -> Self {
        Self { file, mended: Vec::new(), findings, audited: Audited::default() }
    }

    /// The file that a finding is in.
    fn file_of(&self, found: &Finding) -> Cow<'_, str> {
        match &found.file {
            Some(path) => Path::new(&self.file).with_file_name(path).display().to_string().into(),
            None => self.file.as_str().into(),
        }
    }
}

/// Every skill that was found, by the path of its file.
#[derive(Debug)]
pub struct Report {
    pub rules: Rules,
    pub skills: Vec<Judged>,
    /// Directories of skills that were not read, because a link leads to them; sorted.
    pub linked: Vec<String>,
}

impl Report {
    /// The findings of all skills, without the notes of the audit.
    pub fn findings(&self) -> impl Iterator<Item = Reported<'_>> {
        self.skills.iter().flat_map(|skill| {
            let report = |found| Reported::new(skill.file_of(found), self.rules.severity(found.code), found);
            skill.findings.iter().map(report)
        })
    }

    /// The notes of the audit.
    pub fn notes(&self) -> impl Iterator<Item = Reported<'_>> {
        self.skills.iter().flat_map(|skill| {
            skill.audited.notes.iter().map(|note| Reported::new(skill.file_of(note), Severity::Note, note))
        })
    }

    /// What was looked at and noticed in all of them.
    pub fn audited(&self) -> Audited {
        let mut sum = Audited::default();
        self.skills.iter().for_each(|skill| sum.add(&skill.audited));
        sum
    }

    /// Leaves out what the manifest says somebody has looked at.
    pub fn let_through(&mut self, allow: &Allow) {
        for skill in &mut self.skills {
            let file = Path::new(&skill.file);
            let name = file.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy();
            let own = file.file_name().unwrap_or_default().to_string_lossy();
            skill.findings.retain(|found| !allow.allows(&name, found.file.as_deref().unwrap_or(&own), found.code));
            audit::let_through(&mut skill.audited, allow, &name);
        }
    }

    pub fn count(&self, severity: Severity) -> usize {
        self.findings().filter(|found| found.severity == severity).count()
    }
}

/// Where to look for skills.
pub struct Sought {
    /// A skill, or a directory with some below it.
    path: PathBuf,
    /// Which files the manifest leaves out.
    files: Option<Arc<FileRules>>,
    /// The project whose manifest leads here; `None` for a path that was named itself.
    project: Option<Arc<ProjectBounds>>,
}

/// Where the skills of a project may be if none is named.
struct ProjectBounds {
    /// The resolved directory of the project: only in there a skill may be fixed.
    root: PathBuf,
    /// That of a `path` source.
    source: PathBuf,
}

impl Sought {
    /// A path that somebody named, with all that is there.
    pub fn all(path: PathBuf) -> Self {
        Self { path, files: None, project: None }
    }
}

/// Judges the skills that are sought. `start` is where relative paths begin.
///
/// # Errors
/// All paths where there is no skill.
pub fn validate(start: &Path, sought: &[Sought], task: Task) -> Result<Report, Vec<Error>> {
    let (mut wave, mut errors) = (Vec::new(), Vec::new());
    let (mut skills, mut linked) = (Vec::new(), BTreeSet::new());
    let mut has_skill = vec![false; sought.len()];
    for (root, sought) in sought.iter().enumerate() {
        match place(start, sought, root, task) {
            Ok(place) if sought.project.as_ref().is_some_and(|project| !project.contain(&place.real)) => {
                has_skill[root] = true;
                skills.push(draft::outside(start, &place.directory));
            }
            Ok(place) => wave.push(place),
            Err(error) => errors.push(error),
        }
    }
    // One level after the other, each on all cores: the directories of a level are read once, by whoever judges them.
    while !wave.is_empty() && errors.is_empty() {
        let mut below = Vec::new();
        for (root, visit) in parallel::map(wave, |place| (place.root, draft::visit(start, &place, task))) {
            match visit {
                Visit::Skill(judged) => {
                    has_skill[root] = true;
                    skills.push(judged);
                }
                Visit::Below { places, linked: more } => {
                    below.extend(places.into_iter().filter(|place| place.depth <= MAX_DEPTH));
                    linked.extend(more);
                }
                Visit::Failed(error) => errors.push(error),
            }
        }
        wave = below;
    }
    if errors.is_empty() {
        let empty = sought.iter().zip(&has_skill).filter(|(_, has_skill)| !**has_skill);
        errors.extend(empty.map(|(sought, _)| nothing_at(&sought.path)));
    }
    if !errors.is_empty() {
        errors.sort_by_key(|error| Reverse(error.exit().rank()));
        return Err(errors);
    }
    // A skill that was named twice is told of once.
    skills.sort_by(|a, b| a.file.cmp(&b.file));
    skills.dedup_by(|later, earlier| later.file == earlier.file);
    Ok(Report { rules: task.rules, skills, linked: linked.into_iter().collect() })
}

/// The skills that are maintained in a project: what its `path` sources take, else `skills`, else
/// the whole project.
pub fn usual(start: &Path, project: Option<&ProjectPaths>) -> Result<Vec<Sought>, crate::Failure> {
    let (mut sought, mut errors, mut has_own) = (Vec::new(), Vec::new(), false);
    let root = project.map_or(start, |project| &project.root);
    // A project in the working directory has an empty path.
    let root = start.join(root);
    if let Some(project) = project {
        let manifest = project.read_manifest()?;
        for (key, source) in &manifest.sources {
            let Source::Path(source) = source else { continue };
            has_own = true;
            match directory::taken(project, key, source, manifest.limits) {
                Ok((paths, files)) => {
                    let files = Arc::new(files);
                    let bounds = ProjectBounds::new(&root, &start.join(source_root(project, source)));
                    sought.extend(paths.into_iter().map(|path| Sought {
                        path,
                        files: Some(Arc::clone(&files)),
                        project: Some(Arc::clone(&bounds)),
                    }));
                }
                Err(found) => errors.extend(found),
            }
        }
    }
    if !errors.is_empty() {
        return Err(errors.into());
    }
    if !has_own {
        let skills = root.join("skills");
        let bounds = ProjectBounds::new(&root, &root);
        let path = if skills.is_dir() { skills } else { root };
        sought.push(Sought { project: Some(bounds), ..Sought::all(path) });
    }
    Ok(sought)
}

impl ProjectBounds {
    fn new(root: &Path, source: &Path) -> Arc<Self> {
        let real = |path: &Path| fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        Arc::new(Self { root: real(root), source: real(source) })
    }

    fn contain(&self, real: &Path) -> bool {
        real.starts_with(&self.root) || real.starts_with(&self.source)
    }
}

/// Resolves what is sought to the directory to look into.
fn place(start: &Path, sought: &Sought, root: usize, task: Task) -> Result<Place, Error> {
    let (directory, real) = named(start, &sought.path, task)?;
    let boundary = Arc::new(LinkBoundary::around(start, &real));
    let can_fix = sought.project.as_ref().is_none_or(|project| real.starts_with(&project.root));
    Ok(Place { root, directory, real, files: sought.files.clone(), boundary, depth: 0, can_fix })
}

/// The directory that a path means, as it was named and resolved: itself, or that of the SKILL.md.
fn named(start: &Path, path: &Path, task: Task) -> Result<(PathBuf, PathBuf), Error> {
    let found = start.join(path);
    let metadata = fs::metadata(&found).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => Usage::NoSuchPath { path: path.to_owned() }.into(),
        _ => Error::disk("read", path)(error),
    })?;
    let name = found.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let directory = match found.parent() {
        _ if metadata.is_dir() => found,
        Some(parent) if helix_skills_format::SkillMd::is_file_name(name) => parent.to_owned(),
        _ => return Err(Usage::NotASkill { path: path.to_owned() }.into()),
    };
    let real = fs::canonicalize(&directory).map_err(Error::disk("read", path))?;
    if task.fix && real.iter().any(|part| part == STORE_DIR) {
        return Err(Usage::InStore { path: path.to_owned() }.into());
    }
    Ok((directory, real))
}

fn nothing_at(path: &Path) -> Error {
    Usage::NoSkillBelow { path: path.to_owned() }.into()
}
