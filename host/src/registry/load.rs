//! Loading directories of skills into a registry.

use super::SharedRegistry;
use crate::{
    Directories, Error, ErrorKind,
    directories::warnings_of,
    error::{Problem, path_text},
    home,
    rooted_dir::RootedDir,
};
use helix_skills_agent::{ProviderWarning, RegistryChange};
use std::path::Path;

/// Maximum number of bytes in the skills of one load, which stay in memory. Without it, links to
/// one large file could multiply its size.
const MAX_LOADED_BYTES: u64 = 512 << 20;

/// The outcome of loading directories into a registry.
#[derive(Clone, Debug)]
#[must_use = "skills that were left out should be reported"]
#[non_exhaustive]
pub struct LoadedSkills {
    /// The skills that were added or replaced.
    pub change: RegistryChange,
    /// The skills that were left out, and why.
    pub problems: Vec<Error>,
    /// Warnings about skills that are registered as they are.
    pub warnings: Vec<ProviderWarning>,
}

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
    /// for problem in &loaded.problems {
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
    pub fn load_dir(&self, path: impl AsRef<Path>) -> Result<LoadedSkills, Error> {
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
    pub fn load(&self, directories: &Directories) -> Result<LoadedSkills, Error> {
        self.load_within(directories, MAX_LOADED_BYTES)
    }

    fn load_within(
        &self,
        directories: &Directories,
        mut remaining: u64,
    ) -> Result<LoadedSkills, Error> {
        let found = directories.discover()?;
        let mut problems = found.problems().to_vec();
        let mut skills = Vec::new();
        for skill in found.iter().filter(|skill| directories.is_enabled(skill.name())) {
            match skill.load_within(&mut remaining) {
                Ok((whole, left_out)) => {
                    let left_out = left_out.into_iter().map(|finding| {
                        let file = skill.path().join(finding.file.unwrap_or_default());
                        let what = path_text(&file);
                        ProviderWarning::left_out(None, &what, &finding.message)
                    });
                    let warnings: Vec<_> = warnings_of(skill).chain(left_out).collect();
                    skills.push((origin(skill.path()), whole, warnings));
                }
                Err(error) => problems.push(error),
            }
        }
        let mut warnings = Vec::new();
        let change = self.update(|registry| {
            let before = registry.clone();
            for (origin, skill, of_skill) in skills {
                match registry.extend([(origin, Ok::<_, Error>(skill))]).pop() {
                    None => warnings.extend(of_skill),
                    Some((origin, source)) => {
                        // The message names both skills by the directories that they are from.
                        let hint = "rename or remove one of the two";
                        let why = Problem::other(ErrorKind::Hidden, source.to_string(), hint);
                        problems.push(why.at(origin));
                    }
                }
            }
            registry.changes_since(&before)
        });
        Ok(LoadedSkills { change, problems, warnings })
    }
}

/// Returns the origin of a skill: the absolute path of its directory.
fn origin(path: &Path) -> String {
    path_text(std::path::absolute(path).as_deref().unwrap_or(path))
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
        assert!(skills.snapshot().set().names().eq(["a", "c"]));
        let [why] = &*loaded.problems else { panic!("{:?}", loaded.problems) };
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
