//! A project: where its files lie, and reading them.

use crate::error::{File, Usage};
use crate::manifest::{Lock, Manifest, PathSource, Source};
use crate::{
    Error, Failure, disk, locked_file,
    metadata::is_no_directory,
    regular_file::{self, Links},
};
use helix_skills_format::{
    Finding, LOCK_FILE, LockedSkill, MANIFEST_FILE, STORE_DIR, SkillMd, SkillName, project_of_package, utf8,
};
use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// Where the files of a project lie.
#[derive(Clone, Debug)]
pub struct ProjectPaths {
    /// The directory of the manifest; relative urls and paths start here.
    pub root: PathBuf,
    pub manifest: PathBuf,
    pub lock: PathBuf,
    pub store: PathBuf,
}

/// Other places than the usual ones, from the command line.
#[derive(Clone, Debug, Default)]
pub struct Places {
    pub manifest: Option<PathBuf>,
    pub lock: Option<PathBuf>,
    pub store: Option<PathBuf>,
}

impl ProjectPaths {
    /// The project whose manifest lies in `directory`.
    pub fn at(directory: &Path) -> Self {
        Self {
            root: directory.to_owned(),
            manifest: directory.join(MANIFEST_FILE),
            lock: directory.join(LOCK_FILE),
            store: directory.join(STORE_DIR),
        }
    }

    /// The project of the manifest that the command line names.
    pub fn named(start: &Path, manifest: &Path) -> Self {
        let manifest = start.join(manifest);
        let root = manifest.parent().unwrap_or(start).to_owned();
        Self { manifest, ..Self::at(&root) }
    }

    /// The project that `start` lies in: upwards to the first manifest, as cargo looks for its own.
    pub fn find(start: &Path, places: &Places) -> Result<Self, Error> {
        let project = match &places.manifest {
            Some(manifest) => {
                let project = Self::named(start, manifest);
                if !project.manifest.exists() {
                    return Err(Error::ManifestMissing { file: manifest.clone() });
                }
                project
            }
            None => {
                let is_there =
                    |dir: &&Path| fs::metadata(dir.join(MANIFEST_FILE)).is_ok_and(|is| is.is_file() || is.is_dir());
                let found = start.ancestors().find(is_there);
                Self::at(found.ok_or_else(|| Error::NoManifest { start: start.to_owned() })?)
            }
        };
        project.refuse_directory()?;
        // Whoever names a directory knows where it leads.
        if places.store.is_none() && is_no_directory(&project.store) {
            return Err(Error::file(project.store.display().to_string(), File::StoreNotADirectory));
        }
        Ok(project.with(start, places))
    }

    /// A directory is no manifest.
    pub fn refuse_directory(&self) -> Result<(), Error> {
        if !self.manifest.is_dir() {
            return Ok(());
        }
        Err(Usage::ManifestIsDirectory { path: self.show(&self.manifest) }.into())
    }

    /// The project of a cargo package, by the same rule as `include_skills!` finds it.
    pub fn from_package(package: &Path) -> Result<Self, Error> {
        let found = project_of_package(package, |path| fs::read_to_string(path).ok(), Path::exists);
        Ok(Self::at(&found.ok_or_else(|| Error::NoManifest { start: package.to_owned() })?))
    }

    /// The same project with lock and store where the command line says.
    pub fn with(mut self, start: &Path, places: &Places) -> Self {
        if let Some(lock) = &places.lock {
            self.lock = start.join(lock);
        }
        if let Some(store) = &places.store {
            self.store = start.join(store);
        }
        self
    }

    /// The directory of the manifest, without links.
    pub fn real_root(&self) -> Result<PathBuf, Error> {
        let root = if self.root.as_os_str().is_empty() { Path::new(".") } else { &self.root };
        fs::canonicalize(root).map_err(Error::disk("read", root))
    }

    /// `path` as a person in the project's directory would write it.
    pub fn show(&self, path: &Path) -> PathBuf {
        path.strip_prefix(&self.root).unwrap_or(path).to_owned()
    }

    pub fn skill_dir(&self, skill: &SkillName) -> PathBuf {
        self.store.join(skill.as_str())
    }

    /// Where the files of a skill lie: in the store, or for a `path` source in place.
    pub fn directory_of(&self, lock: &Lock, name: &SkillName, skill: &LockedSkill) -> PathBuf {
        match lock.sources.get(&skill.source).map(|source| &source.request) {
            Some(Source::Path(path)) if skill.path.is_root() => source_root(self, path),
            Some(Source::Path(path)) => source_root(self, path).join(skill.path.as_str()),
            _ => self.skill_dir(name),
        }
    }

    /// What a locked skill says of itself, and the directory it was read from.
    pub fn read_skill(
        &self,
        lock: &Lock,
        name: &SkillName,
        skill: &LockedSkill,
    ) -> Result<(PathBuf, SkillMd), Failure> {
        let directory = self.directory_of(lock, name, skill);
        let path = SkillMd::FILE_NAMES.map(|file| directory.join(file)).into_iter().find(|path| path.is_file());
        let path = path.ok_or_else(|| Error::NotStored { skill: name.clone() })?;
        let limit = skill.bytes.max(locked_file::LONG);
        let bytes = regular_file::read(&path, Links::Follow, limit).map_err(Error::disk("read", &path))?;
        let parsed = SkillMd::parse_bytes(&bytes, Some(name), SkillMd::FILE_NAMES[0]).map_err(|findings| {
            let place = self.show(&path).display().to_string();
            let error = |finding| Error::Skill { place: place.clone(), finding: Box::new(finding), exclude: None };
            findings.into_iter().map(error).collect::<Vec<_>>()
        })?;
        Ok((directory, parsed.skill))
    }

    pub fn listing(&self, skill: &SkillName) -> PathBuf {
        self.store.join(format!("{skill}.sha256"))
    }

    pub fn read_manifest(&self) -> Result<Manifest, Failure> {
        let text = self.manifest_text()?;
        let text = text.ok_or_else(|| Error::ManifestMissing { file: self.show(&self.manifest) })?;
        Manifest::parse(&text).map_err(|findings| self.manifest_failure(findings))
    }

    /// The manifest as it is written; none where there is no such file.
    pub fn manifest_text(&self) -> Result<Option<String>, Failure> {
        let Some(bytes) = read_bytes(&self.manifest)? else { return Ok(None) };
        let text = utf8(&bytes).map_err(|finding| self.manifest_failure(vec![finding]))?;
        Ok(Some(text.to_owned()))
    }

    pub fn manifest_failure(&self, findings: Vec<Finding>) -> Failure {
        let file = self.show(&self.manifest);
        findings.into_iter().map(|finding| Error::Manifest { file: file.clone(), finding }).collect::<Vec<_>>().into()
    }

    /// Removes what a killed program left beside manifest and lock. The project must be held.
    pub fn sweep(&self) -> Result<(), Error> {
        disk::remove_leftover(&self.lock)?;
        if let Ok(manifest) = fs::canonicalize(&self.manifest) {
            disk::remove_leftover(&manifest)?;
        }
        Ok(())
    }

    /// The lock, which must be there.
    pub fn need_lock(&self) -> Result<Lock, Failure> {
        if let Some(lock) = self.read_lock()? {
            return Ok(lock);
        }
        // Without a lock it is no trouble of this command that the manifest cannot be read.
        let is_empty = self.read_manifest().is_ok_and(|manifest| manifest.sources.is_empty());
        let (file, lock) = (self.show(&self.manifest), self.show(&self.lock));
        Err(if is_empty { Error::NoSource { file } } else { Error::NoLock { file: lock } }.into())
    }

    /// The lock; none where there is no such file.
    pub fn read_lock(&self) -> Result<Option<Lock>, Failure> {
        let Some(bytes) = read_bytes(&self.lock)? else { return Ok(None) };
        let parsed = utf8(&bytes).map_err(|finding| vec![finding]).and_then(Lock::parse);
        let lock = parsed.map_err(|findings| {
            let file = self.show(&self.lock);
            findings.into_iter().map(|finding| Error::Lock { file: file.clone(), finding }).collect::<Vec<_>>()
        })?;
        Ok(Some(lock))
    }
}

/// Where a `path` source lies.
pub(crate) fn source_root(project: &ProjectPaths, source: &PathSource) -> PathBuf {
    match source.path.as_str() {
        "." => project.root.clone(),
        path => project.root.join(path),
    }
}

/// Maximum size of a manifest, lockfile or listing in bytes.
const LARGEST: u64 = 64 << 20;

/// The text of a file; none where there is no such file.
pub fn read_text(path: &Path) -> Result<Option<String>, Error> {
    let Some(bytes) = read_bytes(path)? else { return Ok(None) };
    String::from_utf8(bytes).map(Some).map_err(|error| Error::disk("read", path)(io::Error::other(error.utf8_error())))
}

/// The bytes of a manifest, lock or listing; none where there is no such file.
pub fn read_bytes(path: &Path) -> Result<Option<Vec<u8>>, Error> {
    match regular_file::read(path, Links::Follow, LARGEST) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Error::disk("read", path)(error)),
    }
}
