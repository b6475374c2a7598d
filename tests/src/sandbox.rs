//! A place where the built program runs and outside of which it must touch nothing.

mod command;
mod program;
mod run;
mod running;
mod schema;
mod snapshot;

pub use command::Command;
pub use program::program;
pub use run::Run;
pub use running::Running;
pub use snapshot::Snapshot;

use crate::{Behavior, GitServer, Upstream};
use std::{
    fs,
    path::{Path, PathBuf},
};
use tempfile::TempDir;

/// The directories of a sandbox that the program may change.
const WRITABLE: [&str; 2] = ["project", "cache"];
/// All directories of a sandbox.
const DIRECTORIES: [&str; 6] = ["project", "cache", "home", "outside", "upstream", "tmp"];

/// A temporary directory with
///
/// - `project`, the working directory, and `cache`, which the program may change;
/// - `home`, `outside` and `upstream`, which it may read;
/// - `tmp`, its directory for temporary files, which must be empty again when it ends.
#[derive(Debug)]
pub struct Sandbox {
    root: TempDir,
}

impl Default for Sandbox {
    fn default() -> Self {
        Self::new()
    }
}

impl Sandbox {
    /// An empty sandbox.
    ///
    /// # Panics
    /// As everything here, when the disk fails.
    #[must_use]
    pub fn new() -> Self {
        Self::of(
            tempfile::Builder::new()
                .prefix("skills-journey-")
                .tempdir()
                .expect("a temporary directory"),
        )
    }

    fn of(root: TempDir) -> Self {
        for name in DIRECTORIES {
            fs::create_dir(root.path().join(name)).expect("a directory of the sandbox");
        }
        Self { root }
    }

    /// An empty sandbox in memory, where the system has a place for that: for hundreds of runs that would each wait for the
    /// disk. Elsewhere it is like any other.
    ///
    /// # Panics
    /// As [`Sandbox::new`].
    #[must_use]
    pub fn in_memory() -> Self {
        let memory = tempfile::Builder::new().prefix("skills-journey-").tempdir_in("/dev/shm");
        memory.map_or_else(|_| Self::new(), Self::of)
    }

    /// A sandbox whose project has this manifest.
    #[must_use]
    pub fn with_manifest(manifest: &str) -> Self {
        let sandbox = Self::new();
        sandbox.manifest(manifest);
        sandbox
    }

    /// A path below the sandbox, such as `home/.netrc`.
    #[must_use]
    pub fn path(&self, path: impl AsRef<Path>) -> PathBuf {
        self.root.path().join(path)
    }

    /// A path below the project.
    #[must_use]
    pub fn project(&self, path: impl AsRef<Path>) -> PathBuf {
        self.path("project").join(path)
    }

    /// Makes the bare repository `upstream/NAME.git`.
    #[must_use]
    pub fn upstream(&self, name: &str) -> Upstream {
        Upstream::create(&self.path(format!("upstream/{name}.git")))
    }

    /// Serves the repositories in `upstream` as the large forges do.
    #[must_use]
    pub fn serve(&self) -> GitServer {
        self.serve_with(Behavior::default())
    }

    /// Serves the repositories in `upstream`.
    #[must_use]
    pub fn serve_with(&self, behavior: Behavior) -> GitServer {
        GitServer::start(&self.path("upstream"), behavior)
    }

    /// Writes the manifest of the project.
    pub fn manifest(&self, text: &str) {
        self.write("project/helix.skills.json", text);
    }

    /// Writes a manifest of the project with these sources and nothing else.
    pub fn sources(&self, sources: &serde_json::Value) {
        self.manifest(&format!("{:#}\n", serde_json::json!({ "skills": sources })));
    }

    /// Lets text that nobody sees through, in files named as `skill/path`, where the manifest is JSON without comments.
    pub fn allow_invisible_text(&self, files: &[&str]) {
        let mut manifest: serde_json::Value =
            serde_json::from_str(&self.read("project/helix.skills.json"))
                .expect("a manifest of a test");
        for file in files {
            manifest["allow"][*file] = serde_json::json!(["invisible-text"]);
        }
        self.manifest(&format!("{manifest:#}\n"));
    }

    /// Writes a file below the sandbox, with the directories above it.
    pub fn write(&self, path: impl AsRef<Path>, bytes: impl AsRef<[u8]>) {
        let path = self.path(path);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).expect("a directory of the sandbox");
        }
        fs::write(&path, bytes)
            .unwrap_or_else(|why| panic!("cannot write {}: {why}", path.display()));
    }

    /// Reads a text below the sandbox.
    #[must_use]
    pub fn read(&self, path: impl AsRef<Path>) -> String {
        let path = self.path(path);
        fs::read_to_string(&path)
            .unwrap_or_else(|why| panic!("cannot read {}: {why}", path.display()))
    }

    /// Reads a file below the sandbox.
    #[must_use]
    pub fn read_bytes(&self, path: impl AsRef<Path>) -> Vec<u8> {
        let path = self.path(path);
        fs::read(&path).unwrap_or_else(|why| panic!("cannot read {}: {why}", path.display()))
    }

    /// The text of the project's lock.
    #[must_use]
    pub fn lock(&self) -> String {
        self.read("project/helix.skills.lock")
    }

    /// The project's lock as data.
    #[must_use]
    pub fn lock_json(&self) -> serde_json::Value {
        serde_json::from_str(&self.lock()).expect("the lock is JSON")
    }

    /// The names of the skills in the project's lock, sorted.
    #[must_use]
    pub fn locked_skills(&self) -> Vec<String> {
        self.lock_json()["skills"].as_object().expect("an object").keys().cloned().collect()
    }

    /// The commit that the lock of the project has for a source.
    #[must_use]
    pub fn locked_commit(&self, source: &str) -> String {
        self.lock_json()["sources"][source]["commit"].as_str().expect("a locked commit").to_owned()
    }

    /// Forgets what earlier runs did: lock, store and cache.
    pub fn forget(&self) {
        self.remove("project/helix.skills.lock");
        self.remove_store();
        self.remove_cache();
    }

    /// Whether something lies at a path below the sandbox, a broken link too.
    #[must_use]
    pub fn exists(&self, path: impl AsRef<Path>) -> bool {
        self.path(path).symlink_metadata().is_ok()
    }

    /// Removes a file or a directory below the sandbox, if there is one.
    pub fn remove(&self, path: impl AsRef<Path>) {
        let path = self.path(path);
        match path.symlink_metadata() {
            Ok(data) if data.is_dir() => {
                fs::remove_dir_all(&path).expect("a directory that can be removed")
            }
            Ok(_) => fs::remove_file(&path).expect("a file that can be removed"),
            Err(_) => {}
        }
    }

    /// Empties the cache.
    pub fn remove_cache(&self) {
        self.remove("cache");
        fs::create_dir(self.path("cache")).expect("a directory of the sandbox");
    }

    /// Removes the store of the project.
    pub fn remove_store(&self) {
        self.remove("project/helix.skills");
    }

    /// Everything below a directory of the sandbox.
    #[must_use]
    pub fn snapshot(&self, path: impl AsRef<Path>) -> Snapshot {
        Snapshot::of(&self.path(path))
    }

    /// The paths of the files (and links) below a directory of the sandbox, sorted, relative to it.
    #[must_use]
    pub fn files(&self, path: impl AsRef<Path>) -> Vec<String> {
        self.snapshot(path).files()
    }

    /// Prepares a run of the program with these arguments in the project.
    #[must_use]
    pub fn command<A: AsRef<std::ffi::OsStr>>(
        &self,
        arguments: impl IntoIterator<Item = A>,
    ) -> Command<'_> {
        Command::new(self, arguments)
    }

    /// Runs the program with these arguments in the project.
    #[must_use = "a run says nothing until its end is checked"]
    pub fn skills<A: AsRef<std::ffi::OsStr>>(&self, arguments: impl IntoIterator<Item = A>) -> Run {
        self.command(arguments).run()
    }

    /// What must be as it was after a run: all but the project and the cache.
    fn untouchable(&self) -> Snapshot {
        let mut everything = Snapshot::default();
        for entry in fs::read_dir(self.root.path()).expect("the sandbox") {
            let entry = entry.expect("an entry of the sandbox");
            let name = entry.file_name().to_string_lossy().into_owned();
            if !WRITABLE.contains(&name.as_str()) {
                everything.add(&name, &entry.path());
            }
        }
        everything
    }
}
