//! Where manifest, lock and store of a package are.

use crate::problem::Problem;
use helix_skills_format::{LOCK_FILE, MANIFEST_FILE, STORE_DIR, find_project};
use std::{
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
};

/// The directory with a project's files, which may not exist.
pub(crate) struct Project {
    pub(crate) dir: PathBuf,
}

/// The directory of the package that is being compiled.
///
/// Asked for at every expansion: one process of an editor's server expands macros of many packages.
pub(crate) fn package_dir() -> Result<PathBuf, Problem> {
    match std::env::var_os("CARGO_MANIFEST_DIR") {
        Some(dir) if !dir.is_empty() => Ok(dir.into()),
        _ => Err(Problem::new("cannot find the package: `CARGO_MANIFEST_DIR` is not set").advice(
            "build with cargo, or set the variable to the directory of the package's Cargo.toml",
        )),
    }
}

impl Project {
    /// The project in `dir`.
    pub(crate) fn at(dir: PathBuf) -> Self {
        Self { dir }
    }

    /// The project of a package; the package itself if it has none.
    pub(crate) fn of_package(package: &Path) -> Self {
        let found = find_project(package, |path| fs::read_to_string(path).ok(), Path::exists);
        Self::at(found.unwrap_or_else(|| package.to_path_buf()))
    }

    pub(crate) fn lock(&self) -> PathBuf {
        self.dir.join(LOCK_FILE)
    }

    pub(crate) fn manifest(&self) -> PathBuf {
        self.dir.join(MANIFEST_FILE)
    }

    pub(crate) fn store(&self) -> PathBuf {
        self.dir.join(STORE_DIR)
    }
}

/// Whether the entry of a directory is git's own, and thus no file of a skill.
pub(crate) fn is_git(name: &OsStr) -> bool {
    name.to_str().is_some_and(helix_skills_runtime::is_git_name)
}
