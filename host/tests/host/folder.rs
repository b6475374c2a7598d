//! A temporary directory with skills.

use helix_skills_host::{Directories, Discovered};
pub(crate) use pollster::block_on;
use std::{fs, path::PathBuf, time::Duration};

pub(crate) struct Folder(tempfile::TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// Uses a file system in memory, if there is one.
    #[cfg(target_os = "linux")]
    pub(crate) fn in_memory() -> Self {
        tempfile::tempdir_in("/dev/shm").map_or_else(|_| Self::new(), Self)
    }

    pub(crate) fn path(&self, inner: &str) -> PathBuf {
        self.0.path().join(inner)
    }

    /// Returns the path as text, with `/` between names.
    pub(crate) fn text(&self, inner: &str) -> String {
        slashes(self.path(inner).to_str().unwrap())
    }

    /// Writes a file, and creates its parent directories.
    pub(crate) fn write(&self, inner: &str, content: impl AsRef<[u8]>) {
        let path = self.path(inner);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    /// Writes a skill with this name and a body that identifies it.
    pub(crate) fn skill(&self, directory: &str, name: &str, description: &str) {
        let text =
            format!("---\nname: {name}\ndescription: {description}\n---\n\nI am in {directory}.\n");
        self.write(&format!("{directory}/SKILL.md"), text);
    }

    #[cfg(unix)]
    pub(crate) fn link(&self, inner: &str, target: impl AsRef<std::path::Path>) {
        let path = self.path(inner);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(target, path).unwrap();
    }

    pub(crate) fn remove(&self, inner: &str) {
        let path = self.path(inner);
        if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) }.unwrap();
    }

    /// Returns a provider of these directories without a cool-down.
    pub(crate) fn directories(&self, roots: &[&str]) -> Directories {
        let directories = Directories::new().cool_down(Duration::ZERO);
        roots.iter().fold(directories, |directories, root| directories.root(self.path(root)))
    }

    /// Returns the message of an error, without the path of this folder.
    pub(crate) fn message(&self, error: &dyn ToString) -> String {
        slashes(&error.to_string()).replace(&self.text(""), "")
    }

    /// Returns the sorted problems, without the path of this folder.
    pub(crate) fn problems(&self, found: &Discovered) -> Vec<String> {
        let mut problems: Vec<_> =
            found.problems().iter().map(|problem| self.message(&format!("{problem:?}"))).collect();
        problems.sort();
        problems
    }
}

/// Writes paths of Windows with `/`.
pub(crate) fn slashes(text: &str) -> String {
    if cfg!(windows) { text.replace('\\', "/") } else { text.to_owned() }
}

pub(crate) fn names(found: &Discovered) -> Vec<&str> {
    found.iter().map(|skill| skill.name()).collect()
}
