//! Listing the files of a skill other than its `SKILL.md`.

use crate::{
    Error,
    error::{ExceededLimit, PathProblem, Problem},
    rooted_dir::{EntryKind, RootedDir},
};
use helix_skills_format::{__internal::leftover, Code, Finding, Limits};
use helix_skills_runtime::{__internal::is_git_name, check_path};
use std::{
    fmt::Display,
    path::{Path, PathBuf},
};

/// Maximum number of directory entries per allowed file.
const ENTRIES_PER_FILE: u64 = 4;

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
    /// links, special files and names that are not valid in a path. A link that leads out of the
    /// root is listed, so that reading it returns an error that says so.
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
        let mut leave_out = |code, path: String, why: &dyn Display| {
            left_out.push(Finding::new(code, None, format!("{why}")).in_file(path));
        };
        let mut entries = 0;
        let mut below = vec![(String::new(), 1)];
        while let Some((prefix, depth)) = below.pop() {
            let full_path = |inner: &str| root.path_to(&relative(directory, inner));
            if depth > limits.tree_depth {
                let exceeded = ExceededLimit::Depth(depth);
                return Err(
                    Problem::Limit { exceeded, limit: limits.tree_depth }.at(full_path(&prefix))
                );
            }
            for entry in root.read_dir(&relative(directory, &prefix))? {
                let (name, kind) = entry?;
                entries += 1;
                if entries > limits.files_per_skill.saturating_mul(ENTRIES_PER_FILE) {
                    return Err(too_many(full_path(""), limits, ExceededLimit::Entries));
                }
                let text = name.to_string_lossy();
                let path =
                    if prefix.is_empty() { text.to_string() } else { format!("{prefix}/{text}") };
                if path == skill_md || is_leftover(&text) {
                    continue;
                }
                if name.to_str().is_none() {
                    leave_out(Code::BadPath, path, &PathProblem::NotUtf8);
                    continue;
                }
                if let Err(why) = check_path(&path) {
                    leave_out(Code::BadPath, path, &why);
                    continue;
                }
                match kind.unwrap_or_else(|| root.entry_kind(&relative(directory, &path))) {
                    EntryKind::File | EntryKind::Outside => paths.push(path),
                    EntryKind::Directory => below.push((path, depth + 1)),
                    EntryKind::Other => leave_out(
                        Code::Unreadable,
                        path,
                        &"it is a broken link, or not a regular file",
                    ),
                }
                if paths.len() as u64 > limits.files_per_skill {
                    return Err(too_many(full_path(""), limits, ExceededLimit::Files));
                }
            }
        }
        paths.sort_unstable();
        left_out.sort_by(|one, other| one.file.cmp(&other.file));
        Ok(Self { paths, left_out })
    }
}

/// Returns whether a file or directory of this name is not part of a skill, without a warning.
pub(crate) fn is_leftover(name: &str) -> bool {
    is_git_name(name) || leftover(name).is_some()
}

/// Returns a path in the skill, relative to the root.
fn relative(directory: &str, inner: &str) -> PathBuf {
    if inner.is_empty() { PathBuf::from(directory) } else { Path::new(directory).join(inner) }
}

fn too_many(path: PathBuf, limits: &Limits, exceeded: ExceededLimit) -> Error {
    Problem::Limit { exceeded, limit: limits.files_per_skill }.at(path)
}
