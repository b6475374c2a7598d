//! Listing the files of a skill, and counting them against its limits.

use crate::{
    Error,
    error::Problem,
    rooted_dir::{EntryKind, RootedDir},
};
use helix_skills_format::{__internal::leftover, Code, Finding, Limits, SkillMd};
use helix_skills_runtime::{__internal::is_git_name, check_path};
use std::{
    ffi::OsString,
    path::{Path, PathBuf},
};

/// Maximum number of directory entries per allowed file.
const ENTRIES_PER_FILE: u64 = 4;

/// An entry of the directories of a skill.
pub(crate) struct WalkEntry {
    pub(crate) name: OsString,
    /// Relative to the skill's directory, separated by `/`.
    pub(crate) path: String,
    /// The type; `None` for a link.
    pub(crate) kind: Option<EntryKind>,
    /// Why no skill can have a file at this path.
    pub(crate) problem: Option<String>,
}

/// Calls `visit` for each entry of the directory of a skill, and of each directory for which it
/// returns `true`.
///
/// # Errors
/// If a directory cannot be read, the number of entries or directories exceeds `limits`, or `visit`
/// fails.
pub(crate) fn walk(
    root: &RootedDir,
    directory: &str,
    limits: &Limits,
    mut visit: impl FnMut(&WalkEntry) -> Result<bool, Error>,
) -> Result<(), Error> {
    let full_path = |inner: &str| root.path_to(&relative(directory, inner));
    let mut entries = 0;
    let mut below = vec![(String::new(), 1)];
    while let Some((prefix, depth)) = below.pop() {
        if depth > limits.tree_depth {
            return Err(Problem::too_deep(depth, limits.tree_depth).at(full_path(&prefix)));
        }
        for entry in root.read_dir(&relative(directory, &prefix))? {
            let (name, kind) = entry?;
            entries += 1;
            if entries > limits.files_per_skill.saturating_mul(ENTRIES_PER_FILE) {
                let limit = limits.files_per_skill;
                let problem = Problem::over_limit("too many entries", limit, "files_per_skill");
                return Err(problem.at(full_path("")));
            }
            let text = name.to_string_lossy();
            let path =
                if prefix.is_empty() { text.to_string() } else { format!("{prefix}/{text}") };
            let problem = match name.to_str() {
                None => Some("it is not UTF-8".to_owned()),
                Some(_) => check_path(&path).err().map(|error| error.to_string()),
            };
            let entry = WalkEntry { name, path, kind, problem };
            if visit(&entry)? {
                below.push((entry.path, depth + 1));
            }
        }
    }
    Ok(())
}

/// The files of one skill.
pub(crate) struct SkillFiles {
    /// Relative to the skill's directory, separated by `/`, sorted by bytes.
    pub(crate) paths: Vec<String>,
    /// Why other files are left out, although they are neither leftovers nor git's.
    pub(crate) left_out: Vec<Finding>,
}

impl SkillFiles {
    /// Lists the files in `directory` except its `SKILL.md`, following links, without opening them.
    ///
    /// Leaves out names that git reserves, files that editors and systems leave behind, dangling
    /// links, links that lead out of the root, special files and names that are not valid in a
    /// path.
    ///
    /// # Errors
    /// If a directory cannot be read, or exceeds `limits`.
    pub(crate) fn list(
        root: &RootedDir,
        directory: &str,
        skill_md: &str,
        limits: &Limits,
    ) -> Result<Self, Error> {
        let (mut paths, mut left_out) = (Vec::new(), Vec::new());
        walk(root, directory, limits, |WalkEntry { name, path, kind, problem }| {
            if path == skill_md || is_leftover(&name.to_string_lossy()) {
                return Ok(false);
            }
            let mut leave_out = |code, why: &str| {
                let hint = "remove it, or replace it by a file that every system can read";
                left_out.push(Finding::new(code, None, why).hint(hint).in_file(path.clone()));
            };
            if let Some(why) = problem {
                leave_out(Code::BadPath, why);
                return Ok(false);
            }
            match kind.unwrap_or_else(|| root.entry_kind(&relative(directory, path))) {
                EntryKind::File => paths.push(path.clone()),
                EntryKind::Directory => return Ok(true),
                EntryKind::Outside => {
                    leave_out(Code::Unreadable, "it leads out of its root by a symbolic link");
                }
                EntryKind::Other => {
                    leave_out(Code::Unreadable, "it is a broken link, or not a regular file");
                }
            }
            if paths.len() as u64 > limits.files_per_skill {
                let problem = too_many_files(limits.files_per_skill);
                return Err(problem.at(root.path_to(Path::new(directory))));
            }
            Ok(false)
        })?;
        paths.sort_unstable();
        left_out.sort_by(|one, other| one.file.cmp(&other.file));
        Ok(Self { paths, left_out })
    }
}

/// The files and bytes of a skill, counted against its limits.
pub(crate) struct SkillUsage<'l> {
    /// The path of the skill, for messages.
    path: PathBuf,
    limits: &'l Limits,
    files: u64,
    pub(crate) bytes: u64,
}

impl<'l> SkillUsage<'l> {
    pub(crate) fn new(path: impl Into<PathBuf>, limits: &'l Limits) -> Self {
        Self { path: path.into(), limits, files: 0, bytes: 0 }
    }

    /// Adds a file. The `SKILL.md` does not count as one.
    pub(crate) fn add(&mut self, path: &str, bytes: u64) -> Result<(), Error> {
        self.files += u64::from(!SkillMd::is_file_name(path));
        self.bytes = self.bytes.saturating_add(bytes);
        let Limits { files_per_skill, bytes_per_skill, bytes_per_file, .. } = *self.limits;
        if bytes > bytes_per_file {
            return Err(Problem::too_large(bytes, bytes_per_file).at(self.path.join(path)));
        }
        if self.files > files_per_skill {
            return Err(too_many_files(files_per_skill).at(&self.path));
        }
        if self.bytes > bytes_per_skill {
            let excess = format!("more than {} bytes in its files", self.bytes);
            let problem = Problem::over_limit(excess, bytes_per_skill, "bytes_per_skill");
            return Err(problem.at(&self.path));
        }
        Ok(())
    }
}

fn too_many_files(limit: u64) -> Problem {
    Problem::over_limit("too many files", limit, "files_per_skill")
}

/// Returns whether a file or directory of this name is not part of a skill, without a warning.
pub(crate) fn is_leftover(name: &str) -> bool {
    is_git_name(name) || leftover(name).is_some()
}

/// Returns a path in the skill, relative to the root.
pub(crate) fn relative(directory: &str, inner: &str) -> PathBuf {
    if inner.is_empty() { PathBuf::from(directory) } else { Path::new(directory).join(inner) }
}
