//! The paths of a project's files, and functions that read them.

use crate::manifest::{Lock, Manifest, is_own};
use crate::{
    Error, ErrorKind, disk, locked_file,
    merge::{Merged, merge},
    metadata::instead_of_directory,
    regular_file::{self, Links},
    slashes::with_slashes,
};
use helix_skills_format::{
    __internal::{
        LOCK_FILE, MANIFEST_FILE, STORE_DIR, find_project, parse_utf8, skill_md::Rules,
        stray_lockfile,
    },
    Code, DirPath, Finding, LockedSkill, ProjectPath, SkillMd, SkillName,
};
use std::{
    fs, io,
    path::{Component, Path, PathBuf},
};

/// The paths of a project's files.
#[derive(Clone, Debug)]
pub(crate) struct ProjectPaths {
    /// The directory of the manifest, the base of relative URLs and paths.
    pub(crate) root: PathBuf,
    pub(crate) manifest: PathBuf,
    pub(crate) lock: PathBuf,
    pub(crate) store: PathBuf,
}

impl ProjectPaths {
    /// Returns the project with its manifest in `directory`.
    pub(crate) fn at(directory: &Path) -> Self {
        Self {
            root: directory.to_owned(),
            manifest: directory.join(MANIFEST_FILE),
            lock: directory.join(LOCK_FILE),
            store: directory.join(STORE_DIR),
        }
    }

    /// Returns the project with this manifest, a path relative to `start`.
    pub(crate) fn from_manifest_file(start: &Path, manifest: &Path) -> Self {
        let manifest = start.join(manifest);
        let root = manifest.parent().unwrap_or(start).to_owned();
        Self { manifest, ..Self::at(&root) }
    }

    /// Finds the project that `start` is in: the first directory with a manifest, from `start`
    /// upwards.
    pub(crate) fn find(start: &Path) -> Result<Self, Error> {
        let has_manifest = |dir: &&Path| {
            fs::metadata(dir.join(MANIFEST_FILE)).is_ok_and(|is| is.is_file() || is.is_dir())
        };
        // The ancestors of `a/../b` include `a`, which is no parent directory of `b`.
        let has_up = start.components().any(|part| part == Component::ParentDir);
        let resolved = if has_up { dunce::canonicalize(start).ok() } else { None };
        let found = resolved.as_deref().unwrap_or(start).ancestors().find(has_manifest);
        Ok(Self::at(found.ok_or_else(|| Error::no_manifest(start))?))
    }

    /// Fails if the manifest is a directory.
    pub(crate) fn refuse_directory(&self) -> Result<(), Error> {
        if !self.manifest.is_dir() {
            return Ok(());
        }
        let manifest = self.show(&self.manifest);
        Err(Error::usage(
            format!("`{}` is a directory, expected a file", manifest.display()),
            "remove it, or pass another manifest with `--manifest`",
        ))
    }

    /// Fails if the store is a link or a file. Nothing may be written through it.
    pub(crate) fn refuse_store_link(&self) -> Result<(), Error> {
        let Some(found) = instead_of_directory(&self.store) else { return Ok(()) };
        let store = self.show(&self.store);
        let message = format!("`{}` is {found}, expected a directory", store.display());
        Err(Error::new(ErrorKind::Drift, "file", message)
            .with_hint("remove it, or choose another directory with `--out`"))
    }

    /// Finds the project of a cargo package by the rule of `include_skills!`.
    pub(crate) fn from_package(package: &Path) -> Result<Self, Error> {
        let found = find_project(package, Path::exists).map_err(|above| {
            let (what, hint) = stray_lockfile(package, above);
            Error::usage(what, hint)
        })?;
        Ok(Self::at(found.ok_or_else(|| Error::no_manifest(package))?))
    }

    /// Returns the directory of the manifest with links resolved.
    pub(crate) fn real_root(&self) -> Result<PathBuf, Error> {
        let root = if self.root.as_os_str().is_empty() { Path::new(".") } else { &self.root };
        dunce::canonicalize(root).map_err(Error::read(root))
    }

    /// Returns `path` relative to the project's directory if it is in there, for messages.
    pub(crate) fn show(&self, path: &Path) -> PathBuf {
        with_slashes(path.strip_prefix(&self.root).unwrap_or(path))
    }

    /// Returns the path of an entry of the store, for messages.
    pub(crate) fn show_stored(&self, name: &str) -> String {
        self.show(&self.store.join(name)).display().to_string()
    }

    /// Returns the directory of a skill in the store.
    pub(crate) fn skill_dir(&self, skill: &SkillName) -> PathBuf {
        self.store.join(skill.as_str())
    }

    /// Returns the directory of a skill's files: in the store, or in its `path` source.
    pub(crate) fn directory_of(
        &self,
        lock: &Lock,
        name: &SkillName,
        skill: &LockedSkill,
    ) -> PathBuf {
        match lock.sources.get(&skill.source).and_then(|source| source.entry.directory()) {
            Some(path) => directory_in(&source_root(self, path), &skill.path),
            None => self.skill_dir(name),
        }
    }

    /// Reads the SKILL.md of a locked skill, and returns it with the skill's directory. Does not
    /// verify it.
    pub(crate) fn read_skill(
        &self,
        lock: &Lock,
        name: &SkillName,
        skill: &LockedSkill,
    ) -> Result<(PathBuf, SkillMd), Error> {
        let directory = self.directory_of(lock, name, skill);
        let path = SkillMd::FILE_NAMES
            .map(|file| directory.join(file))
            .into_iter()
            .find(|path| path.is_file());
        let path = path.ok_or_else(|| Error::not_stored(vec![name.clone()]))?;
        let limit = skill.bytes.max(locked_file::LONG);
        let bytes = regular_file::read(&path, Links::Follow, limit).map_err(Error::read(&path))?;
        let rules = Rules::locked(name, is_own(lock, skill));
        let parsed = SkillMd::parse_as(&bytes, Some(name), SkillMd::FILE_NAMES[0], rules).map_err(
            |findings| {
                let place = self.show(&path).display().to_string();
                Error::of_file(&place, findings, None)
            },
        )?;
        Ok((directory, parsed.value))
    }

    /// Returns the path of a skill's listing.
    pub(crate) fn listing(&self, skill: &SkillName) -> PathBuf {
        self.store.join(listing_name(skill))
    }

    /// Reads and parses the manifest.
    pub(crate) fn read_manifest(&self) -> Result<Manifest, Error> {
        let text = self.manifest_text()?;
        let text = text.ok_or_else(|| Error::manifest_missing(&self.show(&self.manifest)))?;
        Manifest::parse(&text).map_err(|findings| self.manifest_failure(findings))
    }

    /// Reads the text of the manifest; `None` if the file does not exist.
    pub(crate) fn manifest_text(&self) -> Result<Option<String>, Error> {
        let Some(bytes) = read_bytes(&self.manifest)? else { return Ok(None) };
        let text = parse_utf8(&bytes).map_err(|finding| self.manifest_failure(vec![finding]))?;
        Ok(Some(text.to_owned()))
    }

    /// Converts findings in the manifest to errors.
    pub(crate) fn manifest_failure(&self, findings: Vec<Finding>) -> Error {
        Error::invalid(ErrorKind::Usage, &self.show(&self.manifest), findings)
    }

    /// Removes temporary files that a killed process left next to the manifest and the lockfile.
    /// The project must be locked.
    pub(crate) fn sweep(&self) -> Result<(), Error> {
        disk::remove_leftover(&self.lock)?;
        if let Ok(manifest) = dunce::canonicalize(&self.manifest) {
            disk::remove_leftover(&manifest)?;
        }
        Ok(())
    }

    /// Reads the lockfile, which must exist.
    pub(crate) fn need_lock(&self) -> Result<Lock, Error> {
        // A manifest that cannot be read is not the error of a command that needs the lockfile.
        let missing = || self.no_lock(self.read_manifest().ok().as_ref());
        self.read_lock()?.ok_or_else(missing)
    }

    /// Returns the error for a missing lockfile.
    pub(crate) fn no_lock(&self, manifest: Option<&Manifest>) -> Error {
        match manifest {
            Some(manifest) if manifest.sources.is_empty() => {
                Error::no_source(self.show(&self.manifest))
            }
            _ => Error::no_lock(self.show(&self.lock)),
        }
    }

    /// Reads the lockfile; `None` if the file does not exist.
    pub(crate) fn read_lock(&self) -> Result<Option<Lock>, Error> {
        let Some(bytes) = self.lock_bytes()? else { return Ok(None) };
        parse_lock(&bytes).map(Some).map_err(|findings| self.invalid_lock(findings))
    }

    /// Reads the lockfile, or merges both sides of one with conflict markers; `None` if the file
    /// does not exist. The second value is set if it was merged.
    pub(crate) fn read_or_merge_lock(
        &self,
        manifest: &Manifest,
        is_offline: bool,
    ) -> Result<(Option<Lock>, Option<Merged>), Error> {
        let Some(bytes) = self.lock_bytes()? else { return Ok((None, None)) };
        let findings = match parse_lock(&bytes) {
            Ok(lock) => return Ok((Some(lock), None)),
            Err(findings) => findings,
        };
        if !findings.iter().any(|finding| finding.code == Code::ConflictMarkers) {
            return Err(self.invalid_lock(findings));
        }
        match str::from_utf8(&bytes).ok().and_then(|text| merge(text, manifest, is_offline)) {
            Some((lock, merged)) => Ok((Some(lock), Some(merged))),
            None => {
                let hint = "one side is not a lockfile: take the other with `git checkout --ours helix.skills.lock` or `--theirs`, then run `skills sync`";
                let findings = findings.into_iter().map(|finding| finding.hint(hint));
                Err(self.invalid_lock(findings.collect()))
            }
        }
    }

    fn lock_bytes(&self) -> Result<Option<Vec<u8>>, Error> {
        read_bytes(&self.lock).map_err(|error| {
            if !self.lock.is_dir() {
                return error;
            }
            let lock = self.show(&self.lock);
            let message = format!("`{}` is a directory, expected a file", lock.display());
            Error::new(ErrorKind::Disk, "disk", message)
                .with_hint("remove it, then restore the file from version control")
                .at(lock, None)
        })
    }

    fn invalid_lock(&self, findings: Vec<Finding>) -> Error {
        Error::invalid(ErrorKind::Drift, &self.show(&self.lock), findings)
    }
}

fn parse_lock(bytes: &[u8]) -> Result<Lock, Vec<Finding>> {
    parse_utf8(bytes).map_err(|finding| vec![finding]).and_then(Lock::parse)
}

/// Returns the name of a skill's listing in the store.
pub(crate) fn listing_name(skill: &SkillName) -> PathBuf {
    format!("{skill}.sha256").into()
}

/// Returns the directory of a `path` source.
pub(crate) fn source_root(project: &ProjectPaths, path: &ProjectPath) -> PathBuf {
    match path.as_str() {
        "." => project.root.clone(),
        path => project.root.join(path),
    }
}

/// Returns the directory of a skill in a `path` source with this root.
pub(crate) fn directory_in(root: &Path, skill: &DirPath) -> PathBuf {
    if skill.is_root() { root.to_owned() } else { root.join(skill.as_str()) }
}

/// Makes `path` absolute. The empty path is the working directory.
pub(crate) fn absolute(path: &Path) -> Result<PathBuf, Error> {
    let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
    std::path::absolute(path).map_err(Error::disk("read the working directory", "."))
}

/// Maximum size in bytes of a manifest, lockfile or listing.
pub(crate) const LARGEST: u64 = 64 << 20;

/// Reads the text of a file; `None` if the file does not exist.
pub(crate) fn read_text(path: &Path) -> Result<Option<String>, Error> {
    let Some(bytes) = read_bytes(path)? else { return Ok(None) };
    String::from_utf8(bytes)
        .map(Some)
        .map_err(|error| Error::read(path)(io::Error::other(error.utf8_error())))
}

/// Reads the bytes of a manifest, lockfile or listing; `None` if the file does not exist.
pub(crate) fn read_bytes(path: &Path) -> Result<Option<Vec<u8>>, Error> {
    match regular_file::read(path, Links::Follow, LARGEST) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Error::read(path)(error)),
    }
}
