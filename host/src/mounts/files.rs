//! Listing the files of one skill for upload.

use super::sandbox_path::SandboxPath;
use crate::{
    DiscoveredSkill, Error,
    error::{ExceededLimit, Problem},
    rooted_dir::{EntryKind, RootedDir},
    skill_files::is_leftover,
};
use helix_skills_format::Limits;
use helix_skills_runtime::check_path;
use std::{
    fmt,
    path::{Path, PathBuf},
    sync::Arc,
};

/// Maximum number of directory entries per allowed file.
const ENTRIES_PER_FILE: u64 = 4;

/// A file to upload.
#[derive(Clone, Debug)]
pub struct Upload {
    host: PathBuf,
    sandbox: String,
    len: u64,
    is_executable: bool,
    /// The root that the file is in, and its path relative to it.
    root: Arc<Path>,
    inner: PathBuf,
    limit: u64,
}

impl Upload {
    /// Returns the path on this machine.
    #[must_use]
    pub fn host(&self) -> &Path {
        &self.host
    }

    /// Returns the path in the sandbox.
    #[must_use]
    pub fn sandbox(&self) -> &str {
        &self.sandbox
    }

    /// Returns the size in bytes when the mounts were opened.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Returns whether it was empty when the mounts were opened.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns whether its owner may execute it; `false` where files have no such permission.
    #[must_use]
    pub fn is_executable(&self) -> bool {
        self.is_executable
    }

    /// Reads the current content. The file must be in the skill's directory, and neither it nor a
    /// directory on the way may be a link.
    ///
    /// # Errors
    /// If the file is gone, is a link or not a regular file, exceeds the limits, or cannot be read.
    pub fn read(&self) -> Result<Vec<u8>, Error> {
        RootedDir::open(&self.root)?.open_file_nofollow(&self.inner)?.read_whole(self.limit)
    }
}

/// A file, directory or skill that is not uploaded. `Display` is one line with the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LeftOut {
    /// The file, the directory with all its contents, or the `SKILL.md` of a skill that is left out
    /// as a whole.
    pub path: PathBuf,
    /// The reason.
    pub reason: LeftOutReason,
}

/// Why a file, directory or skill is not uploaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LeftOutReason {
    /// The name begins with a dot.
    Hidden,
    /// A link. If it is the directory or the `SKILL.md` of a skill, the whole skill is left out.
    Link,
    /// A device, a pipe or a socket.
    Special,
    /// A name that is not valid on every system.
    Name,
    /// A leftover of an editor or a system, such as `__pycache__`, as for [`Directories`].
    ///
    /// [`Directories`]: crate::Directories
    Leftover,
    /// The skill is not for models. It is left out because a model can read every file in its
    /// sandbox.
    NotForModels,
}

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let why = match self.reason {
            LeftOutReason::Hidden => "its name begins with a dot",
            LeftOutReason::Link => "it is a link",
            LeftOutReason::Special => "it is not a regular file",
            LeftOutReason::Name => "its name is not valid on every system",
            LeftOutReason::Leftover => "it is a leftover of an editor or a system",
            LeftOutReason::NotForModels => "the skill is not for models",
        };
        let path = self.path.to_string_lossy();
        write!(f, "`{}` is not uploaded: {why}", helix_skills_runtime::OneLine(&path))
    }
}

/// The files of a skill to upload, and what is left out.
pub(super) struct Files {
    /// The skill's directory in the sandbox.
    pub(super) directory: String,
    pub(super) uploads: Vec<Upload>,
    pub(super) left_out: Vec<LeftOut>,
}

/// The result of listing a skill, which is uploaded completely or not at all.
pub(super) enum FileList {
    Whole(Files),
    /// Its directory or its `SKILL.md` is a link: this path.
    Link(PathBuf),
}

impl Files {
    pub(super) fn list(
        root: &RootedDir,
        skill: &DiscoveredSkill,
        sandbox: &SandboxPath,
        limits: &Limits,
    ) -> Result<FileList, Error> {
        if skill.is_linked() {
            return Ok(FileList::Link(skill.path().to_owned()));
        }
        let top = Path::new(&skill.inner);
        for place in [top, &*skill.inner_skill_md()] {
            if root.is_link(place) {
                return Ok(FileList::Link(root.path_to(place)));
            }
        }
        check_path(&skill.directory)
            .map_err(|error| Problem::InvalidPath { source: error.into() }.at(root.path_to(top)))?;
        let files = Self {
            directory: sandbox.join(&skill.directory),
            uploads: Vec::new(),
            left_out: Vec::new(),
        };
        let mut walk = Walk { root, skill, limits, files, entries: 0, bytes: 0 };
        walk.run()?;
        Ok(FileList::Whole(walk.files))
    }
}

struct Walk<'w> {
    root: &'w RootedDir,
    skill: &'w DiscoveredSkill,
    limits: &'w Limits,
    files: Files,
    entries: u64,
    bytes: u64,
}

impl Walk<'_> {
    fn run(&mut self) -> Result<(), Error> {
        let mut below = vec![(String::new(), 1)];
        while let Some((prefix, depth)) = below.pop() {
            if depth > self.limits.tree_depth {
                return Err(self.limit_error(
                    self.relative(&prefix),
                    ExceededLimit::Depth(depth),
                    self.limits.tree_depth,
                ));
            }
            for entry in self.root.read_dir(&self.relative(&prefix))? {
                let (name, kind) = entry?;
                self.entries += 1;
                let too_many = self.limits.files_per_skill.saturating_mul(ENTRIES_PER_FILE);
                if self.entries > too_many {
                    return Err(self.limit_error(
                        self.relative(""),
                        ExceededLimit::Entries,
                        too_many,
                    ));
                }
                let full_path = self.root.path_to(&self.relative(&prefix).join(&name));
                let path = name.to_str().map(|name| {
                    if prefix.is_empty() { name.to_owned() } else { format!("{prefix}/{name}") }
                });
                let reason = match (kind, path) {
                    _ if name.as_encoded_bytes().starts_with(b".") => LeftOutReason::Hidden,
                    _ if name.to_str().is_some_and(is_leftover) => LeftOutReason::Leftover,
                    (None, _) => LeftOutReason::Link,
                    (Some(EntryKind::Other | EntryKind::Outside), _) => LeftOutReason::Special,
                    (Some(kind), Some(path)) if check_path(&path).is_ok() => {
                        if kind == EntryKind::Directory {
                            below.push((path, depth + 1))
                        } else {
                            self.add(&path, full_path)?
                        }
                        continue;
                    }
                    _ => LeftOutReason::Name,
                };
                self.files.left_out.push(LeftOut { path: full_path, reason });
            }
        }
        Ok(())
    }

    fn add(&mut self, path: &str, host: PathBuf) -> Result<(), Error> {
        let inner = self.relative(path);
        let (len, is_executable) = self.root.len_and_executable(&inner)?;
        self.bytes = self.bytes.saturating_add(len);
        let Limits { files_per_skill, bytes_per_skill, bytes_per_file, .. } = *self.limits;
        let is_skill_md = path == self.skill.file;
        if len > bytes_per_file {
            return Err(self.limit_error(inner, ExceededLimit::FileBytes(len), bytes_per_file));
        }
        if self.files.uploads.len() as u64 > files_per_skill {
            return Err(self.limit_error(self.relative(""), ExceededLimit::Files, files_per_skill));
        }
        if self.bytes > bytes_per_skill {
            return Err(self.limit_error(
                self.relative(""),
                ExceededLimit::SkillBytes(self.bytes),
                bytes_per_skill,
            ));
        }
        // The prompt contains this name, and most sandboxes distinguish it from lower case.
        let name = if is_skill_md { "SKILL.md" } else { path };
        let sandbox = format!("{}/{name}", self.files.directory);
        let root = Arc::clone(&self.skill.root);
        self.files.uploads.push(Upload {
            host,
            sandbox,
            len,
            is_executable,
            root,
            inner,
            limit: bytes_per_file,
        });
        Ok(())
    }

    /// Returns a path in the skill, relative to the root.
    fn relative(&self, inner: &str) -> PathBuf {
        let top = Path::new(&self.skill.inner);
        if inner.is_empty() { top.to_owned() } else { top.join(inner) }
    }

    fn limit_error(&self, inner: PathBuf, exceeded: ExceededLimit, limit: u64) -> Error {
        Problem::Limit { exceeded, limit }.at(self.root.path_to(&inner))
    }
}
