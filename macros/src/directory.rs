//! Skills of a directory, without manifest and lockfile.

use crate::{
    names::{Names, did_you_mean},
    problem::{Problem, help},
    skill::{Bake, BakedSkill, Files, Origin},
};
use helix_skills_format::{
    __internal::{STORE_DIR, leftover, near_skill, skill_md::Rules},
    Finding, Limits, RelPath, SkillMd, SkillName,
};
use helix_skills_runtime::__internal::is_git_name;
use std::{
    collections::BTreeMap,
    convert::Infallible,
    fs, io,
    path::{Path, PathBuf},
};
use syn::LitStr;

/// The default limits of a manifest, because untrusted skills may be of any size.
const LIMITS: Limits = Limits::DEFAULT;

/// The help for a name that no skill of the directory has.
const UNKNOWN_NAME: &str = "correct the name, or put the skill into the directory";

/// Reads every `<dir>/NAME/SKILL.md`.
pub(crate) fn read(package: &Path, dir: &LitStr, names: &Names, bake: &mut Bake) {
    let root = package.join(dir.value());
    let entries = match entries(&root) {
        Ok(entries) => entries,
        Err(error) => {
            let problem = Problem::at(
                dir.span(),
                format!("cannot read the directory `{}`: {error}", root.display()),
            );
            let parent = root.parent().and_then(|parent| entries(parent).ok()).unwrap_or_default();
            let known = parent.iter().filter(|(name, _, kind)| kind.is_dir() && name != STORE_DIR);
            let known: Vec<&str> = known.map(|(name, ..)| &**name).collect();
            let name = root.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            let relative = "the path is relative to the package's Cargo.toml".to_owned();
            return bake
                .problems
                .push(problem.help(did_you_mean(name, &known).unwrap_or(relative)));
        }
    };
    let (mut skills, mut near) = (Vec::new(), None);
    for (name, path, kind) in entries {
        if kind.is_symlink() {
            bake.problems.push(symlink(&path));
        } else if kind.is_dir() {
            match read_skill(&name, &path, &dir.value()) {
                Ok(Some(skill)) => skills.push(skill),
                Ok(None) => near = near.or_else(|| looks_like_skill(&name, &path)),
                Err(problems) => {
                    bake.problems.extend(problems);
                    let name = SkillName::new(&name).ok();
                    bake.unverified.extend(name.map(|name| (name, Vec::new())));
                }
            }
        }
    }
    if skills.is_empty() && bake.problems.is_empty() {
        let problem = Problem::at(dir.span(), "the directory contains no skill").file(&root);
        let help = match &near {
            _ if root.join("SKILL.md").is_file() => {
                "the directory is a skill itself: use its parent directory, and select it with `only`"
            }
            Some(near) => near,
            None => "a skill is a directory with a file `SKILL.md`, one level below this one",
        };
        return bake.problems.push(problem.help(help));
    }
    bake.problems.extend(duplicates(&skills));
    // An invalid skill is known, too, because its own error is reported.
    let unverified = bake.unverified.keys();
    let known: Vec<_> =
        skills.iter().map(|skill| &skill.name).chain(unverified).map(SkillName::as_str).collect();
    bake.problems.extend(names.problems(&known, &root, UNKNOWN_NAME));
    skills.retain(|skill| names.includes(&skill.name));
    bake.skills = skills;
}

/// The name, path and type of an entry of a directory.
type DirectoryEntry = (String, PathBuf, fs::FileType);

/// Returns the entries of a directory, sorted by name, except git's own.
fn entries(dir: &Path) -> io::Result<Vec<DirectoryEntry>> {
    let mut entries = Vec::new();
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if !is_git_name(&name) {
            entries.push((name, entry.path(), entry.file_type()?));
        }
    }
    entries.sort_by(|a, b| a.0.cmp(&b.0));
    Ok(entries)
}

/// Returns whether a directory with these entries is a skill. A link or a pipe named `SKILL.md` is
/// reported as an error.
fn is_skill(entries: &[DirectoryEntry]) -> bool {
    entries.iter().any(|(name, _, kind)| SkillMd::is_file_name(name) && !kind.is_dir())
}

/// Returns a help on what looks like a skill in a directory without a `SKILL.md`.
fn looks_like_skill(name: &str, dir: &Path) -> Option<String> {
    let inner = entries(dir).unwrap_or_default();
    let has_skill =
        |name: &str| Ok::<_, Infallible>(entries(&dir.join(name)).is_ok_and(|it| is_skill(&it)));
    let names = inner.iter().map(|(name, _, kind)| (&**name, kind.is_dir()));
    let Ok(found) = near_skill(name, names, has_skill);
    let (path, found) = found?;
    Some(format!("`{path}`: {found}; {}", found.hint.as_deref().unwrap_or_default()))
}

/// Reads the skill in `dir`; `None` if the directory has no `SKILL.md`.
fn read_skill(directory: &str, dir: &Path, root: &str) -> Result<Option<BakedSkill>, Vec<Problem>> {
    let top = entries(dir).map_err(|error| vec![Problem::from_io(dir, &error)])?;
    if !is_skill(&top) {
        return Ok(None);
    }
    let mut found = SkillFiles::default();
    found.walk(top, "", 0);
    let SkillFiles { mut files, mut problems } = found;
    files.sort_unstable();
    let mut read = Files::default();
    let mut bytes_left = LIMITS.bytes_per_skill;
    for (path, file) in files {
        match read_file(&file, &mut bytes_left) {
            Ok(bytes) => read.add(path, file, bytes, None),
            Err(problem) => problems.push(problem),
        }
    }
    let path = format!("{}/{directory}", root.trim_end_matches('/'));
    let what = format!("the skill in `{directory}` cannot be used");
    let problem =
        |file: &Path, found: &Finding| Problem::from_finding(&what, file, found, help::FIX_FILE);
    match read.bake(directory, Rules::Own, Origin { path, ..Origin::default() }, &problem) {
        Ok(skill) if problems.is_empty() => Ok(Some(skill)),
        baked => Err(problems.into_iter().chain(baked.err().into_iter().flatten()).collect()),
    }
}

/// Reads a file of at most `left` bytes, and subtracts its size from `left`.
fn read_file(file: &Path, left: &mut u64) -> Result<Vec<u8>, Problem> {
    let io = |error| Problem::from_io(file, &error);
    let length = fs::symlink_metadata(file).map_err(io)?.len();
    *left = left.checked_sub(length).ok_or_else(|| {
        let limit = LIMITS.bytes_per_skill;
        let what = format!("with a file of {length} bytes the skill has more than {limit} bytes");
        too_large(what, file)
    })?;
    fs::read(file).map_err(io)
}

/// The files of a skill, by their paths in it.
#[derive(Default)]
struct SkillFiles {
    files: Vec<(RelPath, PathBuf)>,
    problems: Vec<Problem>,
}

impl SkillFiles {
    fn walk(&mut self, entries_here: Vec<DirectoryEntry>, prefix: &str, depth: u64) {
        for (name, path, kind) in entries_here {
            let relative = format!("{prefix}{name}");
            if leftover(&name).is_some() {
                // Not part of the skill.
            } else if kind.is_symlink() {
                self.problems.push(symlink(&path));
            } else if kind.is_dir() && depth == LIMITS.tree_depth {
                let what =
                    format!("directories of the skill are nested more than {depth} levels deep");
                self.problems.push(too_large(what, &path));
            } else if kind.is_dir() {
                match entries(&path) {
                    Ok(below) => self.walk(below, &format!("{relative}/"), depth + 1),
                    Err(error) => self.problems.push(Problem::from_io(&path, &error)),
                }
            } else if !kind.is_file() {
                let problem = Problem::new("a skill may only contain regular files").file(&path);
                self.problems.push(problem.help("remove the pipe, socket or device"));
            } else if self.files.len() as u64 == LIMITS.files_per_skill {
                let what = format!("the skill has more than {} files", LIMITS.files_per_skill);
                return self.problems.push(too_large(what, &path));
            } else {
                match RelPath::new(relative) {
                    Ok(relative) => self.files.push((relative, path)),
                    Err(why) => {
                        let what = format!("a file of a skill has an invalid path: {why}");
                        self.problems.push(Problem::new(what).file(&path).help("rename the file"));
                    }
                }
            }
        }
    }
}

fn too_large(what: String, path: &Path) -> Problem {
    let advice = "remove files that an agent does not read, or lock the skills with other `limits`: `skills init`, then `skills add ./skills`";
    Problem::new(what).file(path).help(advice)
}

fn symlink(path: &Path) -> Problem {
    let problem = Problem::new("symbolic links are not followed").file(path);
    problem.help(
        "replace the link with the file, or lock the skills: `skills init`, then `skills add ./skills`",
    )
}

/// Returns one problem for each pair of skills with the same name. Names are compared case-folded,
/// as on case-insensitive file systems.
fn duplicates(skills: &[BakedSkill]) -> Vec<Problem> {
    let mut seen = BTreeMap::new();
    let mut problems = Vec::new();
    for (at, skill) in skills.iter().enumerate() {
        if let Some(first) = seen.insert(skill.name.folded(), at) {
            let problem = Problem::new(format!("two skills have the name `{}`", skill.name));
            let problem = problem.file(&skills[first].file).file(&skill.file);
            problems.push(problem.help(
                "give one of them another `name`, or bake them from a lockfile with `rename`",
            ));
        }
    }
    problems
}
