//! Loading directories of skills into a registry.

use super::SharedRegistry;
use crate::{
    Directories, DiscoveredSkill, Error, directories::warnings_of, home, rooted_dir::RootedDir,
};
use helix_skills_agent::{ExtendError, Extended, ProviderWarning};
use std::{collections::BTreeMap, path::Path, sync::Arc};

/// Maximum number of bytes in the skills of one load, which stay in memory. Without it, links to
/// one large file could multiply its size.
const MAX_LOADED_BYTES: u64 = 512 << 20;

impl SharedRegistry {
    /// Loads every skill of a directory, `path/NAME/SKILL.md`, with all files, and registers them
    /// in one change. A skill that cannot be read, or that would exceed a total of 512 MiB, is left
    /// out and is one of the problems.
    ///
    /// Skills that are registered although something about them should be fixed have the same
    /// warnings as in a toolbox over [`Directories`]. A file that no skill can have, because of its
    /// name or because it is not a regular file, is left out with a warning.
    ///
    /// A skill whose name is taken is a problem, too, unless it was loaded from the same directory
    /// before: loading again picks up edits. Skills that were deleted from the disk stay until they
    /// are removed, because a directory may be empty for a moment during a
    /// checkout. To follow a directory, use [`Directories`], which keep no contents.
    ///
    /// ```
    /// use helix_skills_host::SharedRegistry;
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let path = folder.path();
    /// # std::fs::create_dir(path.join("pdf")).unwrap();
    /// # let text = "---\nname: pdf\ndescription: Reads PDF files.\n---\nUse it.\n";
    /// # std::fs::write(path.join("pdf/SKILL.md"), text).unwrap();
    /// let skills = SharedRegistry::new();
    /// let loaded = skills.load_dir(path)?; // `~/.agents/skills`
    /// for (_, problem) in &loaded.problems {
    ///     eprintln!("warning: {problem:?}");
    /// }
    /// for warning in &loaded.warnings {
    ///     eprintln!("warning: {warning}");
    /// }
    /// assert!(loaded.change.added.contains("pdf") && loaded.problems.is_empty());
    /// assert!(skills.load_dir(path.join("pdf/SKILL.md")).is_err());
    /// # Ok::<(), helix_skills_host::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the directory does not exist or cannot be read.
    pub fn load_dir(&self, path: impl AsRef<Path>) -> Result<Extended<Arc<Error>>, Error> {
        let path = home::expand(path.as_ref(), None)?;
        drop(RootedDir::open(&path)?);
        self.load(&Directories::new().root(path))
    }

    /// Loads the [enabled](Directories::enabled) skills of several directories, as
    /// [`load_dir`](Self::load_dir) does, but with custom roots, limits and profile. A missing root
    /// is a problem.
    ///
    /// # Errors
    /// If `~` cannot be expanded because the home directory is not known.
    pub fn load(&self, directories: &Directories) -> Result<Extended<Arc<Error>>, Error> {
        self.load_within(directories, MAX_LOADED_BYTES)
    }

    fn load_within(
        &self,
        directories: &Directories,
        mut remaining: u64,
    ) -> Result<Extended<Arc<Error>>, Error> {
        let found = directories.discover()?;
        let enabled = found.iter().filter(|skill| directories.is_enabled(skill.name()));
        let mut warnings: BTreeMap<&str, Vec<ProviderWarning>> = BTreeMap::new();
        let mut skills = Vec::new();
        for skill in enabled.clone() {
            let mut of_skill: Vec<_> = warnings_of(skill).collect();
            let whole = directories.load_complete(skill, &mut remaining, &mut of_skill);
            warnings.insert(skill.name(), of_skill);
            skills.push((origin(skill.path()), whole.map_err(Arc::new)));
        }
        let mut extended = self.update(|registry| registry.extend(skills));
        let is_left_out = |skill: &DiscoveredSkill| {
            let origin = origin(skill.path());
            extended.problems.iter().any(|(left_out, _)| *left_out == origin)
        };
        let registered = enabled.filter(|skill| !is_left_out(skill));
        let warnings = registered.filter_map(|skill| warnings.remove(skill.name()));
        extended.warnings = warnings.flatten().collect();
        extended.problems.extend(found.0.problems.iter().map(|why| {
            let path = why.path().map(|path| path.display().to_string());
            (path.unwrap_or_default(), ExtendError::Unusable(Arc::clone(why)))
        }));
        Ok(extended)
    }
}

/// Returns the origin of a skill: the absolute path of its directory.
fn origin(path: &Path) -> String {
    std::path::absolute(path).as_deref().unwrap_or(path).to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_of_one_load_are_bounded() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["a", "b", "c"] {
            std::fs::create_dir(folder.path().join(name)).unwrap();
            let body = if name == "b" { "x".repeat(100) } else { String::new() };
            let text = format!("---\nname: {name}\ndescription: d\n---\n{body}");
            std::fs::write(folder.path().join(name).join("SKILL.md"), text).unwrap();
        }
        let skills = SharedRegistry::new();
        let loaded = skills.load_within(&Directories::new().root(folder.path()), 150).unwrap();
        assert!(skills.snapshot().names().eq(["a", "c"]));
        let [(_, ExtendError::Unusable(why))] = &*loaded.problems else {
            panic!("{:?}", loaded.problems)
        };
        assert!(
            why.to_string()
                .ends_with("b` has more bytes than are left for one load; the limit is 119"),
            "{why}"
        );
        assert_eq!(
            why.hint().unwrap(),
            "load fewer skills into one registry, or remove large files"
        );
    }
}
