//! What there is to tell the authors of skills on this disk.

mod draft;
mod files;
mod walls;

use crate::{Error, audit, contents::FileRules, directory, parallel, project::Project};
use draft::{Place, Visit};
use helix_skills_format::{Allow, Code, Finding, STORE_DIR, Severity, Source, audit::Audited, lint::Rules};
use std::{
    borrow::Cow,
    cmp::Reverse,
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};
use walls::Walls;

/// So deep below a directory that was named skills are looked for.
const MAX_DEPTH: usize = 16;

/// How to judge.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Task {
    pub(crate) rules: Rules,
    /// Whether to mend what has one right answer.
    pub(crate) fix: bool,
}

/// A skill, and what is wrong with it.
#[derive(Debug)]
pub(crate) struct Judged {
    /// Its SKILL.md, as a person here would write the path.
    pub(crate) file: String,
    /// What was mended, and is told no more.
    pub(crate) mended: Vec<Code>,
    /// From top to bottom, none of them silent.
    pub(crate) findings: Vec<Finding>,
    /// What else was noticed in any of its files.
    pub(crate) audited: Audited,
}

impl Judged {
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
pub(crate) struct Report {
    pub(crate) rules: Rules,
    pub(crate) skills: Vec<Judged>,
}

impl Report {
    /// Every finding with its file and how much it weighs.
    pub(crate) fn findings(&self) -> impl Iterator<Item = (Cow<'_, str>, Severity, &Finding)> {
        self.skills.iter().flat_map(|skill| {
            skill.findings.iter().map(|found| (skill.file_of(found), self.rules.severity(found.code), found))
        })
    }

    /// Everything else that was noticed, as notes with their files.
    pub(crate) fn notes(&self) -> impl Iterator<Item = (Cow<'_, str>, Severity, &Finding)> {
        self.skills
            .iter()
            .flat_map(|skill| skill.audited.notes.iter().map(|note| (skill.file_of(note), Severity::Note, note)))
    }

    /// What was looked at and noticed in all of them.
    pub(crate) fn audited(&self) -> Audited {
        let mut sum = Audited::default();
        self.skills.iter().for_each(|skill| sum.add(&skill.audited));
        sum
    }

    /// Leaves out what the manifest says somebody has looked at.
    pub(crate) fn let_through(&mut self, allow: &Allow) {
        for skill in &mut self.skills {
            let file = Path::new(&skill.file);
            let name = file.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy();
            let own = file.file_name().unwrap_or_default().to_string_lossy();
            skill.findings.retain(|found| !allow.allows(&name, found.file.as_deref().unwrap_or(&own), found.code));
            audit::let_through(&mut skill.audited, allow, &name);
        }
    }

    pub(crate) fn count(&self, severity: Severity) -> usize {
        self.findings().filter(|(_, weight, _)| *weight == severity).count()
    }
}

/// Where to look for skills.
pub(crate) struct Sought {
    /// A skill, or a directory with some below it.
    path: PathBuf,
    /// Which files the manifest leaves out.
    files: Option<Arc<FileRules>>,
}

impl Sought {
    /// A path that somebody named, with all that is there.
    pub(crate) fn all(path: PathBuf) -> Self {
        Self { path, files: None }
    }
}

/// Judges the skills that are sought. `start` is where relative paths begin.
///
/// # Errors
/// All paths where there is no skill.
pub(crate) fn validate(start: &Path, sought: &[Sought], task: Task) -> Result<Report, Vec<Error>> {
    let (mut wave, mut errors) = (Vec::new(), Vec::new());
    for (root, Sought { path, files }) in sought.iter().enumerate() {
        match named(start, path, task) {
            Ok(directory) => {
                let walls = Arc::new(Walls::around(start, &directory));
                wave.push(Place { root, directory, files: files.clone(), walls, depth: 0, is_link: false });
            }
            Err(error) => errors.push(error),
        }
    }
    let mut skills = Vec::new();
    let mut has_skill = vec![false; sought.len()];
    // One level after the other, each on all cores: the directories of a level are read once, by whoever judges them.
    while !wave.is_empty() && errors.is_empty() {
        let mut below = Vec::new();
        for (root, visit) in parallel::map(wave, |place| (place.root, draft::visit(start, &place, task))) {
            match visit {
                Visit::Skill(judged) => {
                    has_skill[root] = true;
                    skills.push(judged);
                }
                Visit::Below(places) => below.extend(places.into_iter().filter(|place| place.depth <= MAX_DEPTH)),
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
    Ok(Report { rules: task.rules, skills })
}

/// Where the skills of a project are that are written there: what its sources of type `path` take, else `skills`, else all of
/// it.
pub(crate) fn usual(start: &Path, project: Option<&Project>) -> Result<Vec<Sought>, crate::Failure> {
    let (mut sought, mut errors, mut has_own) = (Vec::new(), Vec::new(), false);
    if let Some(project) = project {
        let manifest = project.read_manifest()?;
        for (key, source) in &manifest.sources {
            let Source::Path(source) = source else { continue };
            has_own = true;
            match directory::taken(project, key, source, manifest.limits) {
                Ok((paths, files)) => {
                    let files = Arc::new(files);
                    sought.extend(paths.into_iter().map(|path| Sought { path, files: Some(Arc::clone(&files)) }));
                }
                Err(found) => errors.extend(found),
            }
        }
    }
    if !errors.is_empty() {
        return Err(errors.into());
    }
    if !has_own {
        let root = project.map_or(start, |project| &project.root);
        let skills = root.join("skills");
        sought.push(Sought::all(if skills.is_dir() { skills } else { root.to_owned() }));
    }
    Ok(sought)
}

/// The directory that a path means: itself, or that of the SKILL.md.
fn named(start: &Path, path: &Path, task: Task) -> Result<PathBuf, Error> {
    let found = start.join(path);
    let shown = path.display();
    let usage = |what: String, hint: &str| Error::Usage { what, hint: Some(hint.to_owned()) };
    let metadata = fs::metadata(&found).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => usage(format!("there is no `{shown}`"), "PATH is a directory, or a SKILL.md"),
        _ => Error::disk("read", path)(error),
    })?;
    if task.fix && fs::canonicalize(&found).is_ok_and(|real| real.iter().any(|part| part == STORE_DIR)) {
        let what = format!("`{shown}` is in the store, which holds upstream's text");
        return Err(usage(what, "mend it upstream, or validate it without `--fix`"));
    }
    if metadata.is_dir() {
        return Ok(found);
    }
    let name = found.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    match found.parent() {
        Some(parent) if helix_skills_format::SkillMd::is_file_name(name) => Ok(parent.to_owned()),
        _ => Err(usage(format!("`{shown}` is neither a directory nor a SKILL.md"), "name the skill's directory")),
    }
}

fn nothing_at(path: &Path) -> Error {
    Error::Usage {
        what: format!("neither `{}` nor a directory below it has a SKILL.md", path.display()),
        hint: Some("name a skill, or a directory with skills below it".to_owned()),
    }
}
