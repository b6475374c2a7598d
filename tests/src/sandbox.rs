//! A directory tree in which the built program runs, with a check that it changes nothing else.

mod command;
mod program;
mod run;
mod running;
mod schema;
mod snapshot;
#[cfg(unix)]
mod terminal;

pub use command::Command;
pub use program::{is_in_wine, kill_stride, program};
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

/// A temporary directory with these subdirectories:
///
/// - `project`, the working directory, and `cache`, which the program may change;
/// - `home`, `outside` and `upstream`, which it may read;
/// - `tmp`, its directory for temporary files, which must be empty when it ends.
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
    /// Creates an empty sandbox.
    ///
    /// # Panics
    /// Like every function of this module, if the disk fails.
    #[must_use]
    pub fn new() -> Self {
        Self::in_directory(
            tempfile::Builder::new()
                .prefix("skills-journey-")
                .tempdir()
                .expect("a temporary directory"),
        )
    }

    fn in_directory(root: TempDir) -> Self {
        for name in DIRECTORIES {
            fs::create_dir(root.path().join(name)).expect("a directory of the sandbox");
        }
        Self { root }
    }

    /// Creates an empty sandbox in memory if the system supports that, otherwise on disk. For tests
    /// with hundreds of runs that would each wait for the disk.
    ///
    /// # Panics
    /// Like [`Sandbox::new`].
    #[must_use]
    pub fn in_memory() -> Self {
        let memory = tempfile::Builder::new().prefix("skills-journey-").tempdir_in("/dev/shm");
        memory.map_or_else(|_| Self::new(), Self::in_directory)
    }

    /// Creates a sandbox whose project has this manifest.
    #[must_use]
    pub fn with_manifest(manifest: &str) -> Self {
        let sandbox = Self::new();
        sandbox.manifest(manifest);
        sandbox
    }

    /// Returns a path below the sandbox, such as `home/.netrc`.
    #[must_use]
    pub fn path(&self, path: impl AsRef<Path>) -> PathBuf {
        self.root.path().join(path)
    }

    /// Returns a path below the project.
    #[must_use]
    pub fn project(&self, path: impl AsRef<Path>) -> PathBuf {
        self.path("project").join(path)
    }

    /// Creates the bare repository `upstream/NAME.git`.
    #[must_use]
    pub fn upstream(&self, name: &str) -> Upstream {
        Upstream::create(&self.path(format!("upstream/{name}.git")))
    }

    /// Serves the repositories in `upstream` like a large forge.
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

    /// Writes a manifest with only these sources.
    pub fn sources(&self, sources: &serde_json::Value) {
        self.manifest(&format!("{:#}\n", serde_json::json!({ "skills": sources })));
    }

    /// Allows invisible text in these files (`skill/path`). The manifest has to be JSON without
    /// comments.
    pub fn allow_invisible_text(&self, files: &[&str]) {
        let mut manifest: serde_json::Value =
            serde_json::from_str(&self.read("project/helix.skills.json"))
                .expect("a manifest of a test");
        for file in files {
            manifest["allow"][*file] = serde_json::json!(["invisible-text"]);
        }
        self.manifest(&format!("{manifest:#}\n"));
    }

    /// Replaces the manifest atomically, as an editor does, by one with this version of the
    /// repository `upstream/repo.git`, and syncs. Threads have different numbers.
    ///
    /// # Panics
    /// If the sync fails.
    pub fn switch(&self, version: &str, thread: usize) {
        let source =
            serde_json::json!({"type": "git", "url": "../upstream/repo.git", "version": version});
        let temporary = format!("project/{thread}.tmp");
        self.write(&temporary, serde_json::json!({"skills": {"repo": source}}).to_string());
        fs::rename(self.path(&temporary), self.project("helix.skills.json"))
            .expect("a manifest of the sandbox");
        self.command(["sync"]).alongside_others().run().succeeds();
    }

    /// Writes a file below the sandbox and creates its parent directories.
    pub fn write(&self, path: impl AsRef<Path>, bytes: impl AsRef<[u8]>) {
        let path = self.path(path);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).expect("a directory of the sandbox");
        }
        fs::write(&path, bytes)
            .unwrap_or_else(|why| panic!("failed to write {}: {why}", path.display()));
    }

    /// Reads a text file below the sandbox.
    #[must_use]
    pub fn read(&self, path: impl AsRef<Path>) -> String {
        let path = self.path(path);
        fs::read_to_string(&path)
            .unwrap_or_else(|why| panic!("failed to read {}: {why}", path.display()))
    }

    /// Reads a file below the sandbox.
    #[must_use]
    pub fn read_bytes(&self, path: impl AsRef<Path>) -> Vec<u8> {
        let path = self.path(path);
        fs::read(&path).unwrap_or_else(|why| panic!("failed to read {}: {why}", path.display()))
    }

    /// Reads the project's lockfile.
    #[must_use]
    pub fn lock(&self) -> String {
        self.read("project/helix.skills.lock")
    }

    /// Reads and parses the project's lockfile.
    #[must_use]
    pub fn lock_json(&self) -> serde_json::Value {
        serde_json::from_str(&self.lock()).expect("the lockfile is JSON")
    }

    /// Returns the names of the skills in the project's lockfile, sorted.
    #[must_use]
    pub fn locked_skills(&self) -> Vec<String> {
        self.lock_json()["skills"].as_object().expect("an object").keys().cloned().collect()
    }

    /// Returns the commit of a source in the project's lockfile.
    #[must_use]
    pub fn locked_commit(&self, source: &str) -> String {
        self.lock_json()["sources"][source]["commit"].as_str().expect("a locked commit").to_owned()
    }

    /// Removes the results of earlier runs: lockfile, store and cache.
    pub fn forget(&self) {
        self.remove("project/helix.skills.lock");
        self.remove_store();
        self.remove_cache();
    }

    /// Returns whether a path below the sandbox exists, even as a broken link.
    #[must_use]
    pub fn exists(&self, path: impl AsRef<Path>) -> bool {
        self.path(path).symlink_metadata().is_ok()
    }

    /// Removes a file or directory below the sandbox, if it exists.
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

    /// Removes the project's store.
    pub fn remove_store(&self) {
        self.remove("project/helix.skills");
    }

    /// Takes a snapshot of a directory of the sandbox.
    #[must_use]
    pub fn snapshot(&self, path: impl AsRef<Path>) -> Snapshot {
        Snapshot::take(&self.path(path))
    }

    /// Returns the paths of the files and links below a directory of the sandbox, sorted and
    /// relative to it, without the origin files of a store, whose names are commits.
    #[must_use]
    pub fn files(&self, path: impl AsRef<Path>) -> Vec<String> {
        let mut files = self.snapshot(path).files();
        files.retain(|path| !path.ends_with(".origin"));
        files
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
    #[must_use = "check the result of the run"]
    pub fn skills<A: AsRef<std::ffi::OsStr>>(&self, arguments: impl IntoIterator<Item = A>) -> Run {
        self.command(arguments).run()
    }

    /// Takes a snapshot of what a run must not change: everything except the project and the cache.
    fn protected_files(&self) -> Snapshot {
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
