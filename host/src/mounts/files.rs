//! The files of one skill, for another place.

use super::sandbox_path::SandboxPath;
use crate::{
    DiscoveredSkill, Error, ExceededLimit,
    rooted_dir::{EntryKind, RootedDir},
};
use helix_skills_format::Limits;
use helix_skills_runtime::check_path;
use std::{
    fmt,
    path::{Path, PathBuf},
    sync::Arc,
};

/// For each file that a skill may have, so many entries of any kind may have to be looked at.
const ENTRIES_PER_FILE: u64 = 4;

/// A file to upload.
#[derive(Clone, Debug)]
pub struct Upload {
    host: PathBuf,
    sandbox: String,
    len: u64,
    is_executable: bool,
    /// The directory that nothing leads out of, and the path in it.
    root: Arc<Path>,
    inner: PathBuf,
    limit: u64,
}

impl Upload {
    /// Where it lies on this machine.
    #[must_use]
    pub fn host(&self) -> &Path {
        &self.host
    }

    /// Where it is to lie in the sandbox.
    #[must_use]
    pub fn sandbox(&self) -> &str {
        &self.sandbox
    }

    /// How large it was when the mounts were opened.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether it was empty when the mounts were opened.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether its owner may execute it, where files say so.
    #[must_use]
    pub fn is_executable(&self) -> bool {
        self.is_executable
    }

    /// Its content as it is now: a file in the skill's directory, to which no link leads.
    ///
    /// # Errors
    /// When it is gone, became a link or something else, is larger than the limits, or cannot be read.
    pub fn read(&self) -> Result<Vec<u8>, Error> {
        RootedDir::open(&self.root)?.open_file_nofollow(&self.inner)?.read_whole(self.limit)
    }
}

/// Something that is not uploaded. `Display` is one line that says why.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LeftOut {
    /// The file, the directory with all that is in it, or the `SKILL.md` of a skill that is left out whole.
    pub path: PathBuf,
    /// Why.
    pub reason: LeftOutReason,
}

/// Why something is not uploaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LeftOutReason {
    /// The name begins with a dot.
    Hidden,
    /// A link; of a directory or `SKILL.md` of a skill, the whole skill.
    Link,
    /// A device, a pipe or a socket.
    Special,
    /// A name that not every system can have.
    Name,
    /// The skill is not for models, and a model reads every file of its sandbox.
    NotForModels,
}

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let why = match self.reason {
            LeftOutReason::Hidden => "its name begins with a dot",
            LeftOutReason::Link => "it is a link",
            LeftOutReason::Special => "it is no file",
            LeftOutReason::Name => "not every system can have its name",
            LeftOutReason::NotForModels => "the skill is not for models",
        };
        let path = self.path.to_string_lossy();
        write!(f, "`{}` is not uploaded: {why}", helix_skills_runtime::OneLine(&path))
    }
}

/// All files of a skill, and what is none of them.
pub(super) struct Files {
    /// The skill's directory in the sandbox.
    pub(super) directory: String,
    pub(super) uploads: Vec<Upload>,
    pub(super) left_out: Vec<LeftOut>,
}

/// What came of looking at a skill.
pub(super) enum Listed {
    Whole(Files),
    /// Its directory or its `SKILL.md` is a link: this one.
    Link(PathBuf),
}

impl Files {
    pub(super) fn of(
        root: &RootedDir,
        skill: &DiscoveredSkill,
        sandbox: &SandboxPath,
        limits: &Limits,
    ) -> Result<Listed, Error> {
        let top = Path::new(&skill.directory);
        for place in [top, &*skill.inner()] {
            if root.is_link(place) {
                return Ok(Listed::Link(root.path_to(place)));
            }
        }
        check_path(&skill.directory).map_err(|error| Error::InvalidPath {
            path: root.path_to(top),
            source: error.into(),
        })?;
        let files = Self {
            directory: sandbox.join(&skill.directory),
            uploads: Vec::new(),
            left_out: Vec::new(),
        };
        let mut walk = Walk { root, skill, limits, files, entries: 0, bytes: 0 };
        walk.all()?;
        Ok(Listed::Whole(walk.files))
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
    fn all(&mut self) -> Result<(), Error> {
        let mut below = vec![(String::new(), 1)];
        while let Some((prefix, depth)) = below.pop() {
            if depth > self.limits.tree_depth {
                return Err(self.over(
                    self.place(&prefix),
                    ExceededLimit::Depth(depth),
                    self.limits.tree_depth,
                ));
            }
            for entry in self.root.read_dir(&self.place(&prefix))? {
                let (name, kind) = entry?;
                self.entries += 1;
                let too_many = self.limits.files_per_skill.saturating_mul(ENTRIES_PER_FILE);
                if self.entries > too_many {
                    return Err(self.over(self.place(""), ExceededLimit::Entries, too_many));
                }
                let shown = self.root.path_to(&self.place(&prefix).join(&name));
                let path = name.to_str().map(|name| {
                    if prefix.is_empty() { name.to_owned() } else { format!("{prefix}/{name}") }
                });
                let reason = match (kind, path) {
                    _ if name.as_encoded_bytes().starts_with(b".") => LeftOutReason::Hidden,
                    (None, _) => LeftOutReason::Link,
                    (Some(EntryKind::Other | EntryKind::Outside), _) => LeftOutReason::Special,
                    (Some(kind), Some(path)) if check_path(&path).is_ok() => {
                        if kind == EntryKind::Directory {
                            below.push((path, depth + 1))
                        } else {
                            self.add(&path, shown)?
                        }
                        continue;
                    }
                    _ => LeftOutReason::Name,
                };
                self.files.left_out.push(LeftOut { path: shown, reason });
            }
        }
        Ok(())
    }

    fn add(&mut self, path: &str, host: PathBuf) -> Result<(), Error> {
        let inner = self.place(path);
        let (len, is_executable) = self.root.len_and_executable(&inner)?;
        self.bytes = self.bytes.saturating_add(len);
        let Limits { files_per_skill, bytes_per_skill, bytes_per_file, .. } = *self.limits;
        let is_skill_md = path == self.skill.file;
        if len > bytes_per_file {
            return Err(self.over(inner, ExceededLimit::FileBytes(len), bytes_per_file));
        }
        if self.files.uploads.len() as u64 > files_per_skill {
            return Err(self.over(self.place(""), ExceededLimit::Files, files_per_skill));
        }
        if self.bytes > bytes_per_skill {
            return Err(self.over(
                self.place(""),
                ExceededLimit::SkillBytes(self.bytes),
                bytes_per_skill,
            ));
        }
        // The model is told this name, and on most systems it is another one in lower case.
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

    /// A path of the skill, from the root on.
    fn place(&self, inner: &str) -> PathBuf {
        let top = Path::new(&self.skill.directory);
        if inner.is_empty() { top.to_owned() } else { top.join(inner) }
    }

    fn over(&self, inner: PathBuf, exceeded: ExceededLimit, limit: u64) -> Error {
        Error::Limit { path: self.root.path_to(&inner), exceeded, limit }
    }
}
