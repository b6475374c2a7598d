//! Validation of one directory: a skill, or a directory that may have skills below it.

use super::{
    Rules, ValidatedSkill,
    files::{MAX_BYTES, ScannedFiles},
    walk::{DirectoryEntry, EntryKind, NOT_A_FILE, Walk, entries},
};
use crate::{
    Error,
    contents::{FileRules, is_skill_directory},
    link_boundary::LinkBoundary,
    local::SkillTokens,
    regular_file::{self, Links},
    slashes::with_slashes,
};
use helix_skills_format::{
    __internal::{STORE_DIR, near_skill, skills_not_read},
    Code, Finding, Severity, SkillMd,
};
use helix_skills_lint::{Draft, lint_and_parse};
use std::{
    borrow::Cow,
    convert::Infallible,
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
};

/// Maximum size in bytes of a SKILL.md: the default of `limits.bytesPerFile`.
const MAX_TEXT: u64 = 8 * 1024 * 1024;

/// Maximum number of entries of a directory in which a skill is searched for a warning.
const MAX_SEARCHED: usize = 1_000;

/// What all directories below a named path share.
pub(super) struct Root {
    /// The index of the named path.
    pub(super) index: usize,
    /// The file rules of its source in the manifest.
    pub(super) files: Arc<FileRules>,
    /// The directories that links of its skills may lead into.
    pub(super) boundary: LinkBoundary,
}

/// A directory to visit.
pub(super) struct SearchedDirectory {
    pub(super) root: Arc<Root>,
    /// The directory as the user named it, for messages.
    pub(super) directory: PathBuf,
    /// The name of the skill's directory upstream, if the store may have it under another name.
    pub(super) upstream_name: Option<String>,
    /// The resolved directory. Only the named path is resolved; below it no links are followed.
    pub(super) real: PathBuf,
    pub(super) depth: usize,
}

/// A directory with a finding on what looks like a skill in it.
pub(super) struct NearSkill {
    /// The index of the named path that it is below.
    pub(super) root: usize,
    /// The directory that would have to be a directory of skills.
    pub(super) parent: PathBuf,
    pub(super) skill: ValidatedSkill,
}

/// The result of visiting a directory.
pub(super) enum Visit {
    Skill(ValidatedSkill),
    Below {
        places: Vec<SearchedDirectory>,
        /// Links to skills, as the user would name them. They are not followed.
        linked: Vec<String>,
        near: Option<NearSkill>,
    },
}

/// Reads a directory, and validates the skill if it is one.
///
/// # Errors
/// The named directory cannot be read.
pub(super) fn visit(start: &Path, place: &SearchedDirectory, rules: Rules) -> Result<Visit, Error> {
    let entries = match entries(&place.real, usize::MAX) {
        Ok(entries) => entries,
        // An unreadable directory is an error only if the user named it.
        Err(_) if place.depth > 0 => {
            return Ok(Visit::Below { places: Vec::new(), linked: Vec::new(), near: None });
        }
        Err(error) => {
            let shown = shown(start, &place.directory);
            return Err(Error::disk("read the directory", shown)(error));
        }
    };
    let is_file = |name: &str| {
        entries.iter().any(|entry| entry.name == name && entry.kind != EntryKind::Directory)
    };
    if let Some(file) = SkillMd::FILE_NAMES.into_iter().find(|name| is_file(name)) {
        let mut skill = validate_skill(start, place, file, &entries, rules);
        skill.findings.extend(skills_below(place, &entries));
        return Ok(Visit::Skill(skill));
    }
    let near = looks_like_skill(start, place, &entries);
    let (mut places, mut linked) = (Vec::new(), Vec::new());
    for entry in entries {
        if entry.kind != EntryKind::Directory || !is_searched(&entry.name) {
            continue;
        }
        let (directory, real) = (place.directory.join(&entry.name), place.real.join(&entry.name));
        if !entry.is_link {
            let (root, depth) = (Arc::clone(&place.root), place.depth + 1);
            places.push(SearchedDirectory { root, directory, upstream_name: None, real, depth });
        } else if SkillMd::FILE_NAMES
            .into_iter()
            .any(|name| fs::symlink_metadata(real.join(name)).is_ok())
        {
            linked.push(shown(start, &directory));
        }
    }
    let near = near.map(|skill| {
        let directory = shown(start, &place.directory);
        let parent = Path::new(&directory).parent().unwrap_or(Path::new("")).to_owned();
        NearSkill { root: place.root.index, parent, skill }
    });
    Ok(Visit::Below { places, linked, near })
}

/// Returns what looks like a skill in a directory without a SKILL.md.
///
/// Skills at any depth are validated. They are too deep if they are two levels below a directory
/// `skills`, which a source reads one level deep.
fn looks_like_skill(
    start: &Path,
    place: &SearchedDirectory,
    entries: &[DirectoryEntry],
) -> Option<ValidatedSkill> {
    let name = place.real.file_name()?.to_str()?;
    let is_in_skills = place.depth > 0 && place.real.parent()?.ends_with("skills");
    let has_skill = |below: &str| {
        let directory = place.real.join(below);
        let has = |file| fs::symlink_metadata(directory.join(file)).is_ok();
        Ok::<_, Infallible>(is_in_skills && SkillMd::FILE_NAMES.into_iter().any(has))
    };
    let names = entries.iter().filter(|entry| !entry.is_link);
    let names = names.map(|entry| (&*entry.name, entry.kind == EntryKind::Directory));
    let Ok(found) = near_skill(name, names, has_skill);
    let (path, finding) = found?;
    let file = place.directory.join(path.strip_prefix(name)?.strip_prefix('/')?);
    Some(ValidatedSkill::new(shown(start, &file), vec![finding]))
}

/// Returns the finding on skills in a directory `skills` of a skill.
fn skills_below(place: &SearchedDirectory, top: &[DirectoryEntry]) -> Option<Finding> {
    let below = place.real.join("skills");
    let files = |directory: &Path| entries(directory, MAX_SEARCHED).unwrap_or_default();
    let has_skill = |entry: &DirectoryEntry| {
        let files = files(&below.join(&entry.name));
        !entry.is_link && files.iter().any(|file| SkillMd::is_file_name(&file.name))
    };
    let is_directory = top.iter().any(|entry| entry.name == "skills" && !entry.is_link);
    let has_skills = is_directory && files(&below).iter().any(has_skill);
    has_skills.then(|| skills_not_read().in_file("skills"))
}

/// Returns whether a directory of this name is searched for skills if it was not named.
fn is_searched(name: &str) -> bool {
    is_skill_directory(name)
        && !name.starts_with('.')
        && !matches!(name, "node_modules" | "target" | STORE_DIR)
}

/// Returns the finding for a skill of a `path` source whose directory is a link out of the project.
pub(super) fn outside(start: &Path, directory: &Path) -> ValidatedSkill {
    let finding = Finding::new(
        Code::Unreadable,
        None,
        "cannot read the skill: its directory is a link out of the project",
    );
    let finding =
        finding.hint("replace the link by the directory, or run `skills validate DIRECTORY`");
    ValidatedSkill::new(shown(start, &directory.join(SkillMd::FILE_NAMES[0])), vec![finding])
}

fn validate_skill(
    start: &Path,
    place: &SearchedDirectory,
    file: &str,
    top: &[DirectoryEntry],
    rules: Rules,
) -> ValidatedSkill {
    let real = &*place.real;
    let path = real.join(file);
    let shown_file = shown(start, &place.directory.join(file));
    let entry =
        top.iter().find(|entry| entry.name == file).filter(|entry| entry.kind == EntryKind::File);
    if entry.is_none_or(|entry| entry.is_link && !place.root.boundary.allows(&path, real)) {
        // Reading a pipe would block until it has a writer.
        let finding =
            Finding::new(Code::Unreadable, None, format!("cannot read the file: {NOT_A_FILE}"));
        return ValidatedSkill::new(shown_file, vec![finding.hint("replace it by a file")]);
    }
    let bytes = match regular_file::read(&path, Links::Follow, MAX_TEXT) {
        Ok(bytes) => bytes,
        Err(error) => {
            let code = match error.kind() {
                io::ErrorKind::InvalidInput => Code::TooLarge,
                _ => Code::Unreadable,
            };
            let finding = Finding::new(code, None, format!("cannot read the file: {error}"));
            return ValidatedSkill::new(shown_file, vec![finding]);
        }
    };
    let name = name_of(place, top);
    let mut walk = Walk::new(&place.root.files, &place.root.boundary, real, file);
    let is_whole = walk.collect(top);
    let Walk { files, findings: unreadable, .. } = walk;
    let draft = Draft {
        bytes: &bytes,
        directory: name.as_deref(),
        file,
        files: is_whole.then_some(files.as_slice()),
    };
    let ScannedFiles { found, mut texts } =
        ScannedFiles::scan(real, file, &bytes, &files, MAX_BYTES);
    let (mut findings, skill) =
        lint_and_parse(&draft, rules, |path| texts.remove(path).map(Cow::Owned));
    findings.extend(unreadable);
    let is_reported = |found: &Finding| rules.severity(found.code) != Severity::Silent;
    findings.extend(found.into_iter().filter(is_reported));
    findings.sort_by(|a, b| (&a.file, a.at).cmp(&(&b.file, b.at)));
    let tokens = skill.as_ref().map(SkillTokens::of);
    ValidatedSkill { tokens, ..ValidatedSkill::new(shown_file, findings) }
}

/// Returns the name of the directory if it is the same on every machine; the root of a repository
/// may be checked out under any name. A skill that the manifest renames keeps its upstream name,
/// because its text is upstream's.
fn name_of(place: &SearchedDirectory, top: &[DirectoryEntry]) -> Option<String> {
    if let Some(name) = &place.upstream_name {
        return Some(name.clone());
    }
    if top.iter().any(|entry| entry.name == ".git") {
        return None;
    }
    // `.` and `..` are not names.
    let name = place.directory.file_name().or_else(|| place.real.file_name())?;
    Some(name.to_string_lossy().into_owned())
}

/// Returns a path relative to `start` if it is in there, for messages.
pub(super) fn shown(start: &Path, path: &Path) -> String {
    let path = path.strip_prefix(start).unwrap_or(path);
    let path = path.strip_prefix(".").unwrap_or(path);
    with_slashes(path).display().to_string()
}
