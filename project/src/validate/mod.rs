//! Mistakes in skills on disk, for their authors.
//!
//! [`Project::validate`](crate::Project::validate) validates the skills of a project, and
//! [`validate`] those outside of any. Both return a [`Report`].
//!
//! Each named directory is resolved once. Below it, links to directories are not searched for
//! skills, and files outside it are never written.

mod draft;
mod files;
mod locked;
mod walk;

pub use helix_skills_lint::Rules;

use crate::error::Fact;
use crate::manifest::Select;
use crate::{
    Error,
    contents::FileRules,
    directory::{self, SelectedDirectories},
    link_boundary::LinkBoundary,
    local::SkillTokens,
    parallel,
    paths::{ProjectPaths, absolute, source_root},
    slashes::{path_hint, with_slashes},
};
use draft::{NearSkill, Root, SearchedDirectory, Visit};
use helix_skills_format::{
    __internal::{STORE_DIR, root_not_read},
    Allow, Finding, Limits, Severity, SkillMd,
};
use helix_skills_lint::report::Reported;
pub(crate) use locked::{paths_or_names, stored};
use std::{
    borrow::Cow,
    cmp::Reverse,
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

/// Maximum depth below a named directory at which skills are found.
const MAX_DEPTH: usize = 16;

/// A skill and the mistakes in it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ValidatedSkill {
    /// The path of its SKILL.md, relative to the base directory if it is inside it.
    pub file: String,
    /// Errors and warnings, from top to bottom.
    pub findings: Vec<Finding>,
    /// What it costs a model; `None` if its SKILL.md cannot be parsed. Exempt from semver.
    #[doc(hidden)]
    pub tokens: Option<SkillTokens>,
}

impl ValidatedSkill {
    fn new(file: String, findings: Vec<Finding>) -> Self {
        Self { file, findings, tokens: None }
    }

    /// Returns the path of the file that a finding is in.
    fn file_of(&self, found: &Finding) -> Cow<'_, str> {
        match &found.file {
            Some(path) => {
                let path = Path::new(&self.file).with_file_name(path);
                with_slashes(&path).display().to_string().into()
            }
            None => self.file.as_str().into(),
        }
    }
}

/// The skills that were found, with their findings.
#[derive(Debug)]
#[non_exhaustive]
pub struct Report {
    /// The rules that the skills were checked against.
    rules: Rules,
    /// The skills, sorted by file.
    pub skills: Vec<ValidatedSkill>,
    /// Directories of skills that were not read because they are links, sorted.
    pub linked: Vec<String>,
    /// Files that look like a SKILL.md and are not read as one, sorted.
    near: Vec<ValidatedSkill>,
}

impl Report {
    /// Returns all errors and warnings with their files and severities.
    pub fn findings(&self) -> impl Iterator<Item = Reported<'_>> {
        self.skills.iter().chain(&self.near).flat_map(|skill| {
            skill.findings.iter().map(|found| {
                Reported::new(skill.file_of(found), self.rules.severity(found.code), found)
            })
        })
    }

    /// Removes the findings that `allow` accepts.
    pub(crate) fn apply_allow(&mut self, allow: &Allow) {
        for skill in self.skills.iter_mut().chain(&mut self.near) {
            let file = Path::new(&skill.file);
            let name =
                file.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy();
            let own = file.file_name().unwrap_or_default().to_string_lossy();
            skill.findings.retain(|found| {
                !allow.allows(&name, found.file.as_deref().unwrap_or(&own), found.code)
            });
        }
    }

    /// Returns the number of findings of this severity.
    #[doc(hidden)]
    #[must_use]
    pub fn count(&self, severity: Severity) -> usize {
        self.findings().filter(|found| found.severity == severity).count()
    }
}

/// A path at which to look for skills.
pub(crate) struct SearchRoot {
    /// The directory or SKILL.md of a skill, or a directory with skills below it.
    path: PathBuf,
    /// The name of the skill's directory upstream, for a locked skill.
    upstream_name: Option<String>,
    /// The file rules of its source in the manifest; `None` if its place decides them.
    files: Option<Arc<FileRules>>,
    /// The directories of the project in which its skills are read; `None` if the user named the
    /// path.
    project: Option<Arc<LinkBoundary>>,
    /// What looks like a skill in the same source.
    near: Vec<ValidatedSkill>,
}

impl SearchRoot {
    /// Creates a request for all files of a path that the user named.
    fn all(path: PathBuf) -> Self {
        Self { path, upstream_name: None, files: None, project: None, near: Vec::new() }
    }
}

/// Finds mistakes in skills outside of any project.
///
/// `paths` are skills, or directories with skills at any depth, relative to the directory `start`.
/// If there are none, the skills in `start/skills` are validated, or those in `start` if there is
/// no such directory. Below a named directory, hidden directories, `node_modules`, `target`, the
/// store and directories of skills are not searched, and links to skills are not followed. Links to
/// files are followed inside the skill, `start`, and the repository or project of the named path,
/// because findings quote files and may be shown to the author of the skill.
///
/// # Errors
/// A path that has no skill, or cannot be read.
pub fn validate(start: &Path, paths: &[PathBuf], rules: Rules) -> Result<Report, Error> {
    let start = absolute(start)?;
    let roots = if paths.is_empty() {
        vec![skills_in(&start)]
    } else {
        paths.iter().cloned().map(SearchRoot::all).collect()
    };
    run(&start, &roots, rules)
}

/// Validates the skills at the paths of `roots`, which are relative to `start`.
///
/// # Errors
/// Paths that have no skill.
pub(crate) fn run(start: &Path, roots: &[SearchRoot], rules: Rules) -> Result<Report, Error> {
    let (mut wave, mut errors) = (Vec::new(), Vec::new());
    let (mut skills, mut linked) = (Vec::new(), BTreeSet::new());
    let mut has_skill = vec![false; roots.len()];
    let mut near = Vec::new();
    for (index, root) in roots.iter().enumerate() {
        match place(start, root, index) {
            Ok(place)
                if root.project.as_ref().is_some_and(|project| !project.contains(&place.real)) =>
            {
                has_skill[index] = true;
                skills.push(draft::outside(start, &place.directory));
            }
            Ok(place) => wave.push(place),
            Err(error) => errors.push(error),
        }
    }
    // Visits the directories level by level, each level on all cores.
    while !wave.is_empty() && errors.is_empty() {
        let mut below = Vec::new();
        for (index, visit) in
            parallel::map(wave, |place| (place.root.index, draft::visit(start, &place, rules)))
        {
            match visit {
                Ok(Visit::Skill(skill)) => {
                    has_skill[index] = true;
                    skills.push(skill);
                }
                Ok(Visit::Below { places, linked: more, near: found }) => {
                    near.extend(found);
                    below.extend(places.into_iter().filter(|place| place.depth <= MAX_DEPTH));
                    linked.extend(more);
                }
                Err(error) => errors.push(error),
            }
        }
        wave = below;
    }
    if errors.is_empty() {
        let empty = roots.iter().enumerate().filter(|(index, _)| !has_skill[*index]);
        let near_of = |index| near.iter().find(|near| near.root == index).map(|near| &near.skill);
        errors.extend(empty.map(|(index, root)| nothing_at(&root.path, near_of(index))));
    }
    if !errors.is_empty() {
        errors.sort_by_key(|error| Reverse(error.kind().rank()));
        return Err(errors.into());
    }
    // A skill may have been found by several paths.
    skills.sort_by(|a, b| a.file.cmp(&b.file));
    skills.dedup_by(|later, earlier| later.file == earlier.file);
    let near = near_skills(start, roots, near, &skills);
    Ok(Report { rules, skills, linked: linked.into_iter().collect(), near })
}

/// Returns what looks like a skill, sorted, without what is far from any skill, such as a
/// `docs/skills.md`.
fn near_skills(
    start: &Path,
    roots: &[SearchRoot],
    found: Vec<NearSkill>,
    skills: &[ValidatedSkill],
) -> Vec<ValidatedSkill> {
    let parents: BTreeSet<_> =
        skills.iter().filter_map(|skill| Path::new(&skill.file).parent()?.parent()).collect();
    let found = found.into_iter().filter(|near| parents.contains(&*near.parent));
    let of_sources = roots.iter().flat_map(|root| root.near.iter().cloned());
    let of_sources = of_sources
        .map(|near| ValidatedSkill { file: draft::shown(start, Path::new(&near.file)), ..near });
    let mut near: Vec<_> = found.map(|near| near.skill).chain(of_sources).collect();
    near.sort_by(|a, b| a.file.cmp(&b.file));
    near.dedup_by(|later, earlier| later.file == earlier.file);
    near
}

/// Returns the skills that are maintained in a project: those that its `path` sources select. If it
/// has no such source, those in `skills`, or, without that directory, in the whole project.
pub(crate) fn maintained(project: &ProjectPaths) -> Result<Vec<SearchRoot>, Error> {
    let (mut roots, mut errors, mut has_own) = (Vec::new(), Vec::new(), false);
    let manifest = project.read_manifest()?;
    for (key, source) in &manifest.sources {
        let Some(path) = source.directory() else { continue };
        has_own = true;
        match directory::selected(project, key, (path, &source.select), manifest.limits) {
            Ok(SelectedDirectories { skills, rules, near, .. }) => {
                let files = Arc::new(rules);
                let near = near
                    .into_iter()
                    .map(|near| ValidatedSkill::new(near.place, vec![near.finding]));
                let mut near: Vec<_> = near.collect();
                let bounds = LinkBoundary::new([&project.root, &source_root(project, path)]);
                let bounds = Arc::new(bounds);
                roots.extend(skills.into_iter().map(|skill| SearchRoot {
                    near: std::mem::take(&mut near),
                    files: Some(Arc::clone(&files)),
                    project: Some(Arc::clone(&bounds)),
                    ..SearchRoot::all(skill.directory)
                }));
            }
            Err(found) => errors.extend(found),
        }
    }
    Error::unless_empty(errors)?;
    if !has_own {
        roots.push(skills_in(&project.root));
    }
    Ok(roots)
}

/// Returns the directory `skills` in `root`, or `root` itself if there is none.
fn skills_in(root: &Path) -> SearchRoot {
    let bounds = Arc::new(LinkBoundary::new([root, root]));
    let skills = root.join("skills");
    if !skills.is_dir() {
        return SearchRoot { project: Some(bounds), ..SearchRoot::all(root.to_owned()) };
    }
    let names = fs::read_dir(root).into_iter().flatten().flatten().map(|entry| entry.file_name());
    let mut names = names.filter_map(|name| name.into_string().ok());
    let file = names.find(|name| SkillMd::is_file_name(name));
    let near = file.map(|file| with_slashes(&root.join(file)).display().to_string());
    let near = near.map(|file| ValidatedSkill::new(file, vec![root_not_read()]));
    SearchRoot {
        project: Some(bounds),
        near: near.into_iter().collect(),
        ..SearchRoot::all(skills)
    }
}

/// Returns the file rules of skills below a directory that no manifest names. Every file in the
/// store is part of a skill.
fn default_rules(real: &Path) -> Result<FileRules, Error> {
    let (select, limits) = (Select::default(), Limits::default());
    if real.iter().any(|part| part == STORE_DIR) {
        FileRules::new(&select, limits)
    } else {
        FileRules::in_place(&select, limits)
    }
}

/// Resolves a path to the directory to visit.
fn place(start: &Path, root: &SearchRoot, index: usize) -> Result<SearchedDirectory, Error> {
    let (directory, real) = directory_of(start, &root.path)?;
    let boundary = LinkBoundary::around(start, &real);
    let files = match &root.files {
        Some(files) => Arc::clone(files),
        None => Arc::new(default_rules(&real)?),
    };
    let upstream_name = root.upstream_name.clone();
    let root = Arc::new(Root { index, files, boundary });
    Ok(SearchedDirectory { root, directory, upstream_name, real, depth: 0 })
}

/// Returns the directory of a path as named and as resolved: the path itself, or the directory of a
/// SKILL.md.
fn directory_of(start: &Path, path: &Path) -> Result<(PathBuf, PathBuf), Error> {
    let found = start.join(path);
    let metadata = fs::metadata(&found).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => Error::usage(
            format!("cannot find `{}`", path.display()),
            path_hint(start, path, "pass a directory, a SKILL.md or the name of a locked skill"),
        ),
        _ => Error::read(path)(error),
    })?;
    let name = found.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let directory = match found.parent() {
        _ if metadata.is_dir() => found,
        Some(parent) if SkillMd::is_file_name(name) => parent.to_owned(),
        _ => {
            return Err(Error::usage(
                format!("`{}` is neither a directory nor a SKILL.md", path.display()),
                "pass the skill's directory",
            ));
        }
    };
    let real = dunce::canonicalize(&directory).map_err(Error::read(path))?;
    Ok((directory, real))
}

fn nothing_at(path: &Path, near: Option<&ValidatedSkill>) -> Error {
    let near = near.and_then(|near| {
        let finding = near.findings.first()?;
        let hint = finding.hint.as_deref()?;
        Some(format!("{}: {finding}; {hint}", near.file))
    });
    let hint = near.unwrap_or_else(|| {
        "pass a skill, a directory that contains skills, or `skill:NAME` for a locked skill"
            .to_owned()
    });
    let message = format!("neither `{}` nor a directory below it has a SKILL.md", path.display());
    Error::usage(message, hint).about(Fact::NoSkillBelow)
}
