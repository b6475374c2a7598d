//! The user's cache: files of skills by their integrity, shared by projects and never read by a
//! build.

use crate::{
    Error,
    contents::{Contents, SourceFile},
    disk::{self, Durable, RootedDir},
    locked_file,
    metadata::is_no_directory,
    paths::ProjectPaths,
    regular_file::{self, Links},
};
use helix_skills_format::{Digest, Integrity, RelPath};
use std::{
    borrow::Cow,
    env, fs, io,
    path::{Path, PathBuf},
};

/// The file that marks the directory of a cache.
const TAG_FILE: &str = "CACHEDIR.TAG";
/// Marks a directory that backup tools skip, as specified at bford.info/cachedir.
const TAG: &str = "Signature: 8a477f597d28d172789f06886806bc55\n# This file marks the cache of helix-skills. It can be deleted.\n";

/// One file for each skill, with all of its files, by the skill's integrity.
const SKILLS: &str = "skills-v1";
/// Origin files, by their names in the store.
const ORIGINS: &str = "origins-v1";
/// Incomplete files: one for each project, written only while the project is locked. The next sync
/// of the project overwrites what a killed sync left there.
const STAGING: &str = "staging-v1";

/// A directory with files of skills by their integrity, shared by the projects of a user.
///
/// A sync of locked skills that are in the cache needs no network. Files are verified when they are
/// read. A cache that cannot be written is only a warning, because it merely saves downloads.
#[derive(Clone, Debug)]
pub struct Cache(PathBuf);

impl Cache {
    /// Returns the user's cache: `$HELIX_SKILLS_CACHE`, which may be relative to `start`, else
    /// `helix-skills` in `$XDG_CACHE_HOME`, else in the platform's cache directory.
    ///
    /// # Errors
    /// Neither variable is set, and the home directory is unknown.
    pub fn locate(start: impl AsRef<Path>) -> Result<Self, Error> {
        use etcetera::BaseStrategy as _;
        let variable =
            |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        if let Some(path) = variable("HELIX_SKILLS_CACHE") {
            return Ok(Self(start.as_ref().join(path)));
        }
        // The XDG specification says to ignore relative paths.
        if let Some(path) = variable("XDG_CACHE_HOME").filter(|path| path.is_absolute()) {
            return Ok(Self(path.join("helix-skills")));
        }
        let base = etcetera::base_strategy::choose_native_strategy().map_err(|_| {
            Error::usage(
                "cannot determine the cache directory: there is no home directory",
                "set HELIX_SKILLS_CACHE to a directory",
            )
        })?;
        Ok(Self(base.cache_dir().join("helix-skills")))
    }

    /// Returns the cache in this directory.
    pub(crate) fn at(directory: &Path) -> Self {
        Self(directory.to_owned())
    }

    /// Returns its directory, which need not exist.
    #[must_use]
    pub fn directory(&self) -> &Path {
        &self.0
    }

    /// Returns the files of a skill if the cache has exactly those. `skill_bytes` is the size of
    /// the skill in the lockfile: a file that is much larger is not read.
    ///
    /// # Errors
    /// The directory of the skills is a link or a file. The root itself may be a link.
    pub(crate) fn get(
        &self,
        integrity: Integrity,
        skill_bytes: u64,
    ) -> Result<Option<Contents>, Error> {
        let directory = self.0.join(SKILLS);
        if is_no_directory(&directory) {
            let why = "it is a link or a file, expected a directory";
            let source = io::Error::new(io::ErrorKind::NotADirectory, why);
            return Err(Error::cache(directory, source));
        }
        let path = self.0.join(file_of(integrity));
        let limit = skill_bytes.saturating_add(locked_file::LONG);
        match regular_file::read(&path, Links::Refuse, limit) {
            Ok(bytes) => {
                Ok(unpack(&bytes).filter(|contents| contents.listing().integrity() == integrity))
            }
            Err(error) => match error.kind() {
                io::ErrorKind::NotFound
                | io::ErrorKind::NotADirectory
                | io::ErrorKind::InvalidInput => Ok(None),
                _ => Err(Error::read(path)(error)),
            },
        }
    }

    /// Returns the path of the origin file with this name in the store.
    pub(crate) fn origin_file(&self, name: &str) -> PathBuf {
        self.0.join(ORIGINS).join(name)
    }

    /// Stores the files of skills, and origin files with their names, for a project that is locked.
    /// Each skill is renamed into place, so that other processes see all of its files or none.
    pub(crate) fn put(
        &self,
        project: &ProjectPaths,
        skills: Vec<(Integrity, &Contents)>,
        origins: &[(String, String)],
    ) -> Result<(), Error> {
        let mut missing = Vec::new();
        for (integrity, contents) in skills {
            // Executable bits are not part of the integrity: the cache keeps the ones that were
            // fetched last.
            if self.get(integrity, contents.bytes())?.as_ref() != Some(contents) {
                missing.push((integrity, contents));
            }
        }
        let is_new = |(name, text): &&(String, String)| {
            let file = self.origin_file(name);
            let found = regular_file::read(&file, Links::Refuse, text.len() as u64);
            found.map_or(true, |found| found != text.as_bytes())
        };
        let origins: Vec<_> = origins.iter().filter(is_new).collect();
        if missing.is_empty() && origins.is_empty() {
            return Ok(());
        }
        let staged = Path::new(STAGING).join(name_of(&project.real_root()?));
        let keep = || {
            // Files written by other users would be rejected, but only after they were read.
            disk::create_own_dir(&self.0)?;
            let root = RootedDir::open(&self.0)?;
            for part in [STAGING, SKILLS, ORIGINS] {
                root.create_dir(Path::new(part))?;
            }
            let origins = origins.iter().map(|(name, text)| {
                (Path::new(ORIGINS).join(name), Cow::Borrowed(text.as_bytes()))
            });
            let skills =
                missing.iter().map(|(it, contents)| (file_of(*it), Cow::Owned(pack(contents))));
            let keep_one = |(file, bytes): (PathBuf, Cow<'_, [u8]>)| {
                root.write(&staged, &bytes, Durable::No)?;
                if root.is_dir(&file) {
                    root.remove_tree(&file)?;
                }
                root.rename(&staged, &file)
            };
            let kept =
                tag(&root, &staged).and_then(|()| skills.chain(origins).try_for_each(keep_one));
            if kept.is_err() {
                let _ = root.remove_file(&staged);
            }
            kept
        };
        // The hint says how to use another cache.
        keep().map_err(|error| match error.into_disk() {
            Ok((path, source)) => Error::cache(path, source),
            Err(other) => other,
        })
    }

    /// Removes all skills from the cache, and returns the number of removed files and their total
    /// size in bytes.
    ///
    /// # Errors
    /// The directory is not a cache; a file cannot be removed.
    pub fn clean(&self) -> Result<(u64, u64), Error> {
        let mut cleaned = (0, 0);
        if !self.0.exists() {
            return Ok(cleaned);
        }
        // Opened once, so that the tag and the skills are in the same directory.
        let root = RootedDir::open(&self.0).ok();
        let is_tagged = |root: &RootedDir| root.holds(Path::new(TAG_FILE), TAG.as_bytes());
        let Some(root) = root.filter(is_tagged) else {
            let message = format!(
                "`{}` is not a skills cache: it has no `{TAG_FILE}` of this program",
                self.0.display()
            );
            return Err(Error::usage(message, "set HELIX_SKILLS_CACHE to the cache's directory"));
        };
        // Locks stay: another sync may hold one.
        for part in [SKILLS, ORIGINS, STAGING].map(Path::new) {
            let directory = self.0.join(part);
            if is_no_directory(&directory) || !directory.exists() {
                // A link or a file in its place is removed itself.
                root.remove_tree(part)?;
                continue;
            }
            for entry in fs::read_dir(&directory).map_err(Error::read(&directory))? {
                let entry = entry.map_err(Error::read(&directory))?;
                let bytes = entry.metadata().map_or(0, |metadata| metadata.len());
                root.remove_tree(&part.join(entry.file_name()))?;
                cleaned = (cleaned.0 + 1, cleaned.1 + bytes);
            }
        }
        Ok(cleaned)
    }
}

/// Returns the path of the file with a skill's files below the root of a cache.
fn file_of(integrity: Integrity) -> PathBuf {
    Path::new(SKILLS).join(integrity.0.to_string())
}

/// Returns the bytes of all files of a skill after a line of JSON with the path, the length and the
/// executable bit of each.
fn pack(contents: &Contents) -> Vec<u8> {
    let files = contents.files().iter();
    let header: Vec<_> =
        files.clone().map(|file| (&*file.path, file.bytes.len(), file.executable)).collect();
    let mut packed = serde_json::json!(header).to_string().into_bytes();
    packed.push(b'\n');
    files.for_each(|file| packed.extend_from_slice(&file.bytes));
    packed
}

/// Reads what [`pack`] returned; `None` for anything else.
fn unpack(packed: &[u8]) -> Option<Contents> {
    let end = packed.iter().position(|byte| *byte == b'\n')?;
    let header: Vec<(String, usize, bool)> = serde_json::from_slice(&packed[..end]).ok()?;
    let (mut files, mut rest): (Vec<SourceFile>, _) = (Vec::new(), &packed[end + 1..]);
    for (path, length, executable) in header {
        let path = RelPath::new(&path).ok()?;
        let (bytes, after) = rest.split_at_checked(length)?;
        files.push(SourceFile { path, bytes: bytes.to_owned(), executable });
        rest = after;
    }
    // A path that occurs twice would be verified only once.
    let is_sorted = files.is_sorted_by(|one, other| one.path < other.path);
    (is_sorted && rest.is_empty()).then(|| Contents::new(files))
}

/// Writes the tag if it is missing, incomplete, or not a regular file. A tag with other text is
/// kept. It is renamed into place, because another sync may do the same.
fn tag(root: &RootedDir, staged: &Path) -> Result<(), Error> {
    let tag = Path::new(TAG_FILE);
    let found = root.read_up_to(tag, TAG.len()).unwrap_or_default();
    if found.len() == TAG.len() || !TAG.as_bytes().starts_with(&found) {
        return Ok(());
    }
    root.write(staged, TAG.as_bytes(), Durable::No)?;
    root.rename(staged, tag)
}

/// Returns a short, unique name for the path of a directory, whose links are resolved.
pub(crate) fn name_of(place: &Path) -> String {
    Digest::hash(place.as_os_str().as_encoded_bytes()).to_string()[..32].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_files_are_read_only_as_they_were_written() {
        let file = |path: &str, executable| SourceFile {
            path: RelPath::new(path).unwrap(),
            bytes: path.as_bytes().to_owned(),
            executable,
        };
        let contents = Contents::new(vec![file("b/c\u{e9}", true), file("a", false)]);
        let packed = pack(&contents);
        assert_eq!(unpack(&packed), Some(contents));
        for end in 0..packed.len() {
            assert_eq!(unpack(&packed[..end]), None, "{end}");
        }
        assert_eq!(unpack(&[&packed[..], b"x"].concat()), None);
        for bad in ["[]x\n", "{}\n", "[[\"../a\",0,false]]\n"] {
            assert_eq!(unpack(bad.as_bytes()), None, "{bad}");
        }
        // Only the second one would be verified.
        assert_eq!(unpack(b"[[\"a\",1,false],[\"a\",1,false]]\nxy"), None);
    }
}
