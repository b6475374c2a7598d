//! Listing the files of one skill for upload.

use crate::{
    DiscoveredSkill, Error,
    error::{Problem, path_text},
    rooted_dir::{EntryKind, RootedDir},
    skill_contents::SKILL_MD,
    skill_files::{SkillUsage, WalkEntry, is_leftover, relative, walk},
};
use helix_skills_agent::ProviderWarning;
use helix_skills_format::Limits;
use helix_skills_runtime::check_path;
use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

/// A file to upload.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Upload {
    /// The path on this machine.
    pub host: PathBuf,
    /// The path in the sandbox.
    pub sandbox: String,
    /// Whether its owner may execute it; `false` where files have no such permission.
    pub is_executable: bool,
    /// The root that the file is in, and its path relative to it.
    root: Arc<Path>,
    inner: PathBuf,
    limit: u64,
}

impl Upload {
    /// Reads the current content. The file must be in the skill's directory, and neither it nor a
    /// directory on the way may be a link.
    ///
    /// # Errors
    /// If the file is gone, is a link or not a regular file, exceeds the limits, or cannot be read.
    pub fn read(&self) -> Result<Vec<u8>, Error> {
        RootedDir::open(&self.root)?.open_file_nofollow(&self.inner)?.read_whole(self.limit)
    }
}

/// Returns the warning that a file, directory or skill is not uploaded.
pub(super) fn left_out(path: &Path, why: &str) -> ProviderWarning {
    ProviderWarning::left_out(None, &path_text(path), why)
}

/// The files of a skill to upload, and what is left out.
pub(super) struct Files {
    /// The skill's directory in the sandbox.
    pub(super) directory: String,
    pub(super) uploads: Vec<Upload>,
    pub(super) left_out: Vec<ProviderWarning>,
}

/// Returns the path of the directory of a skill, or of its `SKILL.md`, if it is a link.
pub(super) fn link(root: &RootedDir, skill: &DiscoveredSkill) -> Option<PathBuf> {
    if skill.is_linked() {
        return Some(skill.path().to_owned());
    }
    let places = [PathBuf::from(&skill.inner), skill.inner_skill_md()];
    places.iter().find(|place| root.is_link(place)).map(|place| root.path_to(place))
}

impl Files {
    /// Lists the files of a skill, which is uploaded completely or not at all.
    pub(super) fn list(
        root: &RootedDir,
        skill: &DiscoveredSkill,
        sandbox: &str,
        limits: &Limits,
    ) -> Result<Self, Error> {
        let top = Path::new(&skill.inner);
        check_path(&skill.directory)
            .map_err(|error| Problem::InvalidPath { source: error.into() }.at(root.path_to(top)))?;
        let directory = format!("{sandbox}/{}", skill.directory);
        let (mut uploads, mut excluded) = (Vec::new(), Vec::new());
        let mut usage = SkillUsage::new(root.path_to(top), limits);
        walk(root, &skill.inner, limits, |entry| {
            let path = &*entry.path;
            let host = root.path_to(&top.join(path));
            if let Some(why) = reason_to_leave_out(entry) {
                excluded.push(left_out(&host, why));
                return Ok(false);
            }
            if entry.kind == Some(EntryKind::Directory) {
                return Ok(true);
            }
            let inner = relative(&skill.inner, path);
            let (len, is_executable) = root.len_and_executable(&inner)?;
            // The prompt contains this name, and most sandboxes distinguish it from lower case.
            let name = if path == skill.file { SKILL_MD } else { path };
            usage.add(path, len)?;
            uploads.push(Upload {
                host,
                sandbox: format!("{directory}/{name}"),
                is_executable,
                root: Arc::clone(&skill.root),
                inner,
                limit: limits.bytes_per_file,
            });
            Ok(false)
        })?;
        Ok(Self { directory, uploads, left_out: excluded })
    }
}

/// Returns why a file or directory is not uploaded; `None` if it is.
fn reason_to_leave_out(WalkEntry { name, kind, problem, .. }: &WalkEntry) -> Option<&'static str> {
    match kind {
        _ if name.as_encoded_bytes().starts_with(b".") => Some("its name begins with a dot"),
        _ if name.to_str().is_some_and(is_leftover) => {
            Some("it is a leftover of an editor or a system")
        }
        None => Some("it is a link"),
        Some(EntryKind::Other | EntryKind::Outside) => Some("it is not a regular file"),
        Some(_) if problem.is_some() => Some("its name is not valid on every system"),
        Some(_) => None,
    }
}
