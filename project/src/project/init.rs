//! Creating a project.

use super::Project;
use crate::{Error, disk, paths::read_text};
use helix_skills_format::__internal::STORE_DIR;
use std::path::PathBuf;

/// A manifest without sources. Its schema has the address in `$id` of the one in `schemas/`.
pub(super) const EMPTY: &str = "{\n  \"$schema\": \"https://raw.githubusercontent.com/helix-skills/helix-skills/main/schemas/helix.skills.schema.json\",\n  // Where skills come from; `skills add` writes here. Run `skills sync` after a change.\n  \"skills\": {}\n}\n";

/// The file next to the manifest that may name the store.
const IGNORE_FILE: &str = ".gitignore";

impl Project {
    /// Writes a manifest without sources, and returns the files that were written.
    ///
    /// # Errors
    /// If there is already a manifest, or a file cannot be written.
    pub fn init(&self) -> Result<Vec<PathBuf>, Error> {
        self.refuse_manifest("add skills to it with `skills add`".to_owned())?;
        disk::replace(&self.paths.manifest, EMPTY.as_bytes())?;
        Ok(vec![self.paths.manifest.clone()])
    }

    /// Like [`init`](Self::init), and adds the store to the `.gitignore` next to the manifest: only
    /// the lockfile is committed, and each build needs a sync first.
    ///
    /// # Errors
    /// If there is already a manifest, or a file cannot be written.
    #[doc(hidden)]
    pub fn init_ignoring_store(&self) -> Result<Vec<PathBuf>, Error> {
        let paths = &self.paths;
        let line = format!("/{}/", paths.show(&paths.store).display());
        self.refuse_manifest(format!("to ignore the store, add `{line}` to {IGNORE_FILE}"))?;
        let path = paths.root.join(IGNORE_FILE);
        let mut text = read_text(&path)?.unwrap_or_default();
        let is_new = !text.lines().any(|found| found.trim() == line);
        if is_new {
            if !text.is_empty() && !text.ends_with('\n') {
                text.push('\n');
            }
            text.push_str(&line);
            text.push('\n');
            disk::replace(&path, text.as_bytes())?;
        }
        // The manifest is last, because a second call fails if it exists.
        let mut wrote = self.init()?;
        wrote.extend(is_new.then_some(path));
        Ok(wrote)
    }

    fn refuse_manifest(&self, hint: String) -> Result<(), Error> {
        let paths = &self.paths;
        paths.refuse_directory()?;
        if paths.manifest.exists() {
            let message = format!("`{}` already exists", paths.manifest.display());
            return Err(Error::usage(message, hint));
        }
        Ok(())
    }

    /// Returns whether the `.gitignore` next to the manifest has the store in its default location.
    #[doc(hidden)]
    #[must_use]
    pub fn ignores_store(&self) -> bool {
        let text = read_text(&self.paths.root.join(IGNORE_FILE)).ok().flatten();
        let is_store = |line: &str| line.trim().trim_matches('/') == STORE_DIR;
        text.is_some_and(|text| text.lines().any(is_store))
    }
}
