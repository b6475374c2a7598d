//! The cache: trees of skills by their integrity, shared by projects.

use crate::{
    Error,
    contents::{Contents, SkillFile},
    directory::is_executable,
    disk::{self, Durable},
    hold,
    project::Project,
    store::{files_below, listed_name},
};
use helix_skills_format::{Integrity, RelPath};
use std::{
    env, fs, io,
    path::{Path, PathBuf},
};

/// Tells tools that make backups to pass it over; the text is that of the specification at bford.info/cachedir.
const TAG: &str =
    "Signature: 8a477f597d28d172789f06886806bc55\n# This file marks the cache of helix-skills. It can be deleted.\n";

/// Trees of skills by integrity.
const TREES: &str = "trees-v1";
/// Trees that are not complete yet: one directory for each project, because only whoever holds it keeps anything.
const STAGING: &str = "staging-v1";
/// A file for each directory that cannot be locked itself, locked while somebody works there.
const LOCKS: &str = "locks-v1";

/// The cache of one user.
#[derive(Clone, Debug)]
pub(crate) struct Cache(PathBuf);

impl Cache {
    /// The cache at `$HELIX_SKILLS_CACHE` (from the directory `start`), else in `$XDG_CACHE_HOME`, else where the platform
    /// keeps such things.
    pub(crate) fn locate(start: &Path) -> Result<Self, Error> {
        use etcetera::BaseStrategy as _;
        let variable = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        if let Some(path) = variable("HELIX_SKILLS_CACHE") {
            return Ok(Self(start.join(path)));
        }
        // A relative path there is to be ignored, as the specification of these variables says.
        if let Some(path) = variable("XDG_CACHE_HOME").filter(|path| path.is_absolute()) {
            return Ok(Self(path.join("helix-skills")));
        }
        let base = etcetera::base_strategy::choose_native_strategy().map_err(|_| Error::Usage {
            what: "cannot tell where to keep the cache: there is no home directory".to_owned(),
            hint: Some("set HELIX_SKILLS_CACHE to a directory".to_owned()),
        })?;
        Ok(Self(base.cache_dir().join("helix-skills")))
    }

    /// A cache in this directory.
    pub(crate) fn in_directory(directory: &Path) -> Self {
        Self(directory.to_owned())
    }

    /// Where it lies.
    #[cfg(feature = "program")]
    pub(crate) fn root(&self) -> &Path {
        &self.0
    }

    /// The file that stands for a directory where that cannot be locked itself.
    pub(crate) fn lock_of(&self, place: &Path) -> Result<(PathBuf, fs::File), Error> {
        let attempt = || {
            disk::create_own_dir(&self.0)?;
            let locks = self.0.join(LOCKS);
            disk::create_dir(&locks)?;
            let path = locks.join(format!("{}.lock", hold::name_of(place)));
            let file = disk::open_to_lock(&path)?;
            Ok((path, file))
        };
        attempt().map_err(cache_error)
    }

    /// The files of a skill, if the cache has exactly those.
    pub(crate) fn get(&self, integrity: Integrity) -> Result<Option<Contents>, Error> {
        let directory = self.directory(integrity);
        if !directory.is_dir() {
            return Ok(None);
        }
        match read(&directory) {
            Ok(contents) => Ok(contents.filter(|contents| contents.listing().integrity() == integrity)),
            // Somebody cleans the cache right now.
            Err(Error::Disk { source, .. }) if source.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Keeps the files of a skill for a project that is held ([`Hold`](hold::Hold)). They are put in place as a whole, so that
    /// a reader sees all or nothing. What an earlier run of the same project left half-way goes.
    pub(crate) fn put(&self, project: &Project, integrity: Integrity, contents: &Contents) -> Result<(), Error> {
        let directory = self.directory(integrity);
        if let Some(known) = self.get(integrity)? {
            // The executable bits are not digested: those that came last count.
            for (known, file) in known.files().iter().zip(contents.files()) {
                if known.executable != file.executable {
                    disk::make_executable(&directory.join(file.path.as_str()), file.executable)?;
                }
            }
            return Ok(());
        }
        let staged = self.0.join(STAGING).join(hold::name_of(&project.real_root()?));
        let kept = self.keep(&staged, &directory, integrity, contents);
        if staged.exists() {
            let _ = disk::remove_tree(&staged);
        }
        kept.map_err(cache_error)
    }

    fn keep(&self, staged: &Path, directory: &Path, integrity: Integrity, contents: &Contents) -> Result<(), Error> {
        // What others put there would be found out, but only after it was read.
        disk::create_own_dir(&self.0)?;
        if staged.exists() {
            disk::remove_tree(staged)?;
        }
        disk::create_dir(staged)?;
        self.tag(staged)?;
        for file in contents.files() {
            let path = staged.join(file.path.as_str());
            if let Some(above) = path.parent() {
                disk::create_dir(above)?;
            }
            disk::write(&path, &file.bytes, Durable::No)?;
            disk::make_executable(&path, file.executable)?;
        }
        if let Some(above) = directory.parent() {
            disk::create_dir(above)?;
        }
        let Err(why) = disk::rename(staged, directory) else { return Ok(()) };
        if self.get(integrity)?.is_some() {
            // Another sync was first, with the same bytes.
            return Ok(());
        }
        if !directory.exists() {
            return Err(why);
        }
        // What is there under that name was damaged.
        disk::remove_tree(directory)?;
        disk::rename(staged, directory)
    }

    /// Removes everything; gives the number of files and bytes that went.
    #[cfg(feature = "program")]
    pub(crate) fn clean(&self) -> Result<(u64, u64), Error> {
        let tag = self.0.join("CACHEDIR.TAG");
        if self.0.exists() && !disk::holds(&tag, TAG.as_bytes()) {
            let what = format!("`{}` is no cache of this program: it has not our `CACHEDIR.TAG`", self.0.display());
            return Err(Error::Usage {
                what,
                hint: Some("set HELIX_SKILLS_CACHE to the cache's directory".to_owned()),
            });
        }
        let (mut files, mut bytes) = (0, 0);
        // Locks stay: another sync may hold one.
        for part in [TREES, STAGING] {
            let directory = self.0.join(part);
            for path in files_below(&directory)? {
                files += 1;
                bytes += fs::symlink_metadata(directory.join(path)).map_or(0, |metadata| metadata.len());
            }
            disk::remove_tree(&directory)?;
        }
        Ok((files, bytes))
    }

    fn directory(&self, integrity: Integrity) -> PathBuf {
        let hex = integrity.0.to_string();
        self.0.join(TREES).join(&hex[..2]).join(&hex[2..])
    }

    /// Writes the tag where it is missing. As a whole, because another sync may do the same.
    fn tag(&self, staged: &Path) -> Result<(), Error> {
        let tag = self.0.join("CACHEDIR.TAG");
        // One that was torn is mended, somebody else's is left alone.
        let found = fs::read(&tag).unwrap_or_default();
        if found.len() >= TAG.len() || !TAG.as_bytes().starts_with(&found) {
            return Ok(());
        }
        let staged = staged.join("CACHEDIR.TAG");
        disk::write(&staged, TAG.as_bytes(), Durable::No)?;
        disk::rename(&staged, &tag)
    }
}

/// What is wrong with a file of the cache is wrong with the cache: another one will do.
fn cache_error(error: Error) -> Error {
    match error {
        Error::Disk { path, source, .. } => Error::Cache { path, source },
        other => other,
    }
}

/// The files below a directory; none if anything there could not be a skill's.
fn read(directory: &Path) -> Result<Option<Contents>, Error> {
    let mut files = Vec::new();
    for relative in files_below(directory)? {
        let absolute = directory.join(&relative);
        let metadata = fs::symlink_metadata(&absolute).map_err(Error::disk("read", &absolute))?;
        let path = listed_name(&relative).and_then(|path| RelPath::new(path).ok());
        let (Some(path), true) = (path, metadata.is_file()) else { return Ok(None) };
        let bytes = fs::read(&absolute).map_err(Error::disk("read", &absolute))?;
        files.push(SkillFile { path, bytes, executable: is_executable(&metadata) });
    }
    Ok(Some(Contents::new(files)))
}
