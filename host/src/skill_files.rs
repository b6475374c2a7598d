//! Which files a skill has beside its `SKILL.md`.

use crate::{
    Error, ExceededLimit,
    rooted_dir::{EntryKind, RootedDir},
};
use helix_skills_format::Limits;
use helix_skills_runtime::{check_path, is_git_name};
use std::path::{Path, PathBuf};

/// For each file that a skill may have, so many entries of any kind may have to be looked at.
const ENTRIES_PER_FILE: u64 = 4;

/// The files of one skill.
pub(crate) struct SkillFiles {
    /// From the skill's directory on, with `/` between the parts, in the order of bytes.
    pub(crate) paths: Vec<String>,
}

impl SkillFiles {
    /// The files below `directory` but its `SKILL.md`, links followed. None is opened. What git keeps for itself is left out, as
    /// are links to nothing, devices, and names that no path of a file can have. A link that leads out of the root is listed:
    /// who reads it is told.
    ///
    /// # Errors
    /// When a directory cannot be read, or has more than `limits` allow.
    pub(crate) fn list(
        root: &RootedDir,
        directory: &str,
        skill_md: &str,
        limits: &Limits,
    ) -> Result<Self, Error> {
        let mut paths = Vec::new();
        let mut entries = 0;
        let mut below = vec![(String::new(), 1)];
        while let Some((prefix, depth)) = below.pop() {
            let shown = |inner: &str| root.path_to(&place(directory, inner));
            if depth > limits.tree_depth {
                let exceeded = ExceededLimit::Depth(depth);
                return Err(Error::Limit {
                    path: shown(&prefix),
                    exceeded,
                    limit: limits.tree_depth,
                });
            }
            for entry in root.read_dir(&place(directory, &prefix))? {
                let (name, kind) = entry?;
                entries += 1;
                if entries > limits.files_per_skill.saturating_mul(ENTRIES_PER_FILE) {
                    return Err(too_many(shown(""), limits, ExceededLimit::Entries));
                }
                let Some(name) = name.to_str().filter(|name| !is_git_name(name)) else { continue };
                let path =
                    if prefix.is_empty() { name.to_owned() } else { format!("{prefix}/{name}") };
                if path == skill_md || check_path(&path).is_err() {
                    continue;
                }
                match kind.unwrap_or_else(|| root.entry_kind(&place(directory, &path))) {
                    EntryKind::File | EntryKind::Outside => paths.push(path),
                    EntryKind::Directory => below.push((path, depth + 1)),
                    EntryKind::Other => {}
                }
                if paths.len() as u64 > limits.files_per_skill {
                    return Err(too_many(shown(""), limits, ExceededLimit::Files));
                }
            }
        }
        paths.sort_unstable();
        Ok(Self { paths })
    }
}

/// A path of the skill, from the root on.
fn place(directory: &str, inner: &str) -> PathBuf {
    if inner.is_empty() { PathBuf::from(directory) } else { Path::new(directory).join(inner) }
}

fn too_many(path: PathBuf, limits: &Limits, exceeded: ExceededLimit) -> Error {
    Error::Limit { path, exceeded, limit: limits.files_per_skill }
}
