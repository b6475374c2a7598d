//! A directory to put skills into.

use helix_skills_host::{Directories, Discovered};
pub(crate) use pollster::block_on as done;
use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

pub(crate) struct Folder(tempfile::TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// One that no disk has to keep, where there is such a place.
    #[cfg(target_os = "linux")]
    pub(crate) fn in_memory() -> Self {
        tempfile::tempdir_in("/dev/shm").map_or_else(|_| Self::new(), Self)
    }

    pub(crate) fn path(&self, inner: &str) -> PathBuf {
        self.0.path().join(inner)
    }

    /// The path as text.
    pub(crate) fn text(&self, inner: &str) -> String {
        self.path(inner).into_os_string().into_string().unwrap()
    }

    /// Writes a file, with the directories above it.
    pub(crate) fn write(&self, inner: &str, content: impl AsRef<[u8]>) {
        let path = self.path(inner);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    /// Writes a skill of this name, and a body that tells which one it is.
    pub(crate) fn skill(&self, directory: &str, name: &str, description: &str) {
        let text = format!(
            "---\nname: {name}\ndescription: {description}\n---\n\nI lie in {directory}.\n"
        );
        self.write(&format!("{directory}/SKILL.md"), text);
    }

    #[cfg(unix)]
    pub(crate) fn link(&self, inner: &str, target: impl AsRef<Path>) {
        let path = self.path(inner);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(target, path).unwrap();
    }

    pub(crate) fn remove(&self, inner: &str) {
        let path = self.path(inner);
        if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) }.unwrap();
    }

    /// The skills below these directories, looked at whenever somebody asks.
    pub(crate) fn directories(&self, roots: &[&str]) -> Directories {
        let directories = Directories::new().cool_down(Duration::ZERO);
        roots.iter().fold(directories, |directories, root| directories.root(self.path(root)))
    }

    /// What an error says, without the path of this folder.
    pub(crate) fn said(&self, error: &dyn ToString) -> String {
        error.to_string().replace(&format!("{}/", self.0.path().display()), "")
    }

    /// The problems, without where this folder lies, in order.
    pub(crate) fn problems(&self, found: &Discovered) -> Vec<String> {
        let mut problems: Vec<_> =
            found.problems().map(|problem| self.said(&format!("{problem:?}"))).collect();
        problems.sort();
        problems
    }
}

pub(crate) fn names(found: &Discovered) -> Vec<&str> {
    found.iter().map(|skill| skill.name()).collect()
}
