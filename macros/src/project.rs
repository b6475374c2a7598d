//! The paths of manifest, lockfile and store of a package.

use crate::{files, problem::Problem};
use helix_skills_format::{
    __internal::{LOCK_FILE, MANIFEST_FILE, STORE_DIR, find_project, stray_lockfile},
    Finding,
};
use std::{
    io,
    path::{Path, PathBuf},
};

/// The directory of a project, whose files may not exist.
pub(crate) struct Project {
    pub(crate) dir: PathBuf,
}

/// Returns the absolute directory of the package that is being compiled.
///
/// The macro reads a relative path from the working directory, `include_str!` from the directory of
/// the source file.
///
/// It is read at every expansion, because an editor's macro server expands macros of many packages
/// in one process.
pub(crate) fn package_dir() -> Result<PathBuf, Problem> {
    match std::env::var_os("CARGO_MANIFEST_DIR") {
        Some(dir) if !dir.is_empty() => {
            std::path::absolute(&dir).map_err(|error| Problem::from_io(Path::new(&dir), &error))
        }
        _ => Err(Problem::new("cannot find the package: `CARGO_MANIFEST_DIR` is not set").help(
            "build with cargo, or set the variable to the directory of the package's Cargo.toml",
        )),
    }
}

impl Project {
    /// Finds the project of a package; the directory of the package if there is none.
    pub(crate) fn find(package: &Path) -> Result<Self, Problem> {
        let found = find_project(package, Path::exists).map_err(|above| {
            let (what, hint) = stray_lockfile(package, above);
            Problem::new(what).help(hint)
        })?;
        Ok(Self { dir: found.unwrap_or(package).to_path_buf() })
    }

    pub(crate) fn lock(&self) -> PathBuf {
        self.dir.join(LOCK_FILE)
    }

    pub(crate) fn manifest(&self) -> PathBuf {
        self.dir.join(MANIFEST_FILE)
    }

    /// Reads and parses the manifest, and adds it to the files that cargo watches; `None` if there
    /// is none.
    pub(crate) fn parse_manifest<T>(
        &self,
        tracked: &mut Vec<PathBuf>,
        parse: impl FnOnce(&str) -> Result<T, Vec<Finding>>,
    ) -> Result<Option<T>, Vec<Problem>> {
        let file = self.manifest();
        let text = match files::read_text(&file) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(vec![Problem::from_io(&file, &error)]),
        };
        let problem = |found: &Finding| {
            Problem::from_finding("cannot read the manifest", &file, found, "fix the manifest")
        };
        let parsed = parse(&text).map_err(|found| found.iter().map(problem).collect());
        if !tracked.contains(&file) {
            tracked.push(file);
        }
        parsed.map(Some)
    }

    pub(crate) fn store(&self) -> PathBuf {
        self.dir.join(STORE_DIR)
    }
}
