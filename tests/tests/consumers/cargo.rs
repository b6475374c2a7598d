//! Consumer crates on disk, and the cargo runs that build them.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// Returns the checkout that consumers depend on.
pub(crate) fn workspace() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

/// Returns the target directory that all consumers share.
fn target() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("consumers-target")
}

/// The output of a cargo run.
pub(crate) struct Run {
    pub(crate) ok: bool,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Run {
    /// Checks that the run succeeded.
    #[track_caller]
    pub(crate) fn success(self) -> Self {
        assert!(self.ok, "cargo failed:\n{}\n{}", self.stdout, self.stderr);
        self
    }

    /// Returns the compile errors in order, each with its lines but without locations and counts.
    /// Includes warnings and follow-up errors.
    #[track_caller]
    pub(crate) fn errors(&self) -> Vec<String> {
        assert!(!self.ok, "cargo succeeded:\n{}", self.stderr);
        let mut errors: Vec<String> = Vec::new();
        let mut open = false;
        for line in self.stderr.lines() {
            if line.starts_with("error") || line.starts_with("warning") {
                open = !line.starts_with("error: could not compile");
                if open {
                    errors.push(String::new());
                }
            } else if line.trim_start().starts_with("--> ") || line.is_empty() {
                open = false;
            }
            if let (true, Some(error)) = (open, errors.last_mut()) {
                error.push_str(line.trim());
                error.push('\n');
            }
        }
        errors
    }
}

/// A directory with one or more packages.
pub(crate) struct Consumer {
    pub(crate) dir: PathBuf,
}

impl Consumer {
    /// Creates an empty directory with the workspace's Cargo.lock; `name` is unique among the
    /// tests.
    pub(crate) fn new(name: &str) -> Self {
        let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("consumers").join(name);
        if dir.exists() {
            fs::remove_dir_all(&dir).unwrap();
        }
        fs::create_dir_all(&dir).unwrap();
        fs::copy(workspace().join("Cargo.lock"), dir.join("Cargo.lock")).unwrap();
        Self { dir }
    }

    /// Writes a file and creates its parent directories.
    pub(crate) fn write(&self, path: &str, content: impl AsRef<[u8]>) -> &Self {
        let file = self.dir.join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, content).unwrap();
        self
    }

    /// Removes a file or directory.
    pub(crate) fn remove(&self, path: &str) -> &Self {
        let path = self.dir.join(path);
        if path.is_dir() {
            fs::remove_dir_all(path).unwrap()
        } else {
            fs::remove_file(path).unwrap()
        }
        self
    }

    /// Reads a text file.
    pub(crate) fn read(&self, path: &str) -> String {
        fs::read_to_string(self.dir.join(path)).unwrap()
    }

    /// Returns the paths of all Rust files.
    pub(crate) fn sources(&self) -> Vec<PathBuf> {
        let (mut sources, mut below) = (Vec::new(), vec![self.dir.clone()]);
        while let Some(directory) = below.pop() {
            for entry in fs::read_dir(directory).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    below.push(path);
                } else if path.extension().is_some_and(|extension| extension == "rs") {
                    sources.push(path);
                }
            }
        }
        sources.sort();
        sources
    }

    /// Returns the path of a program that cargo built.
    pub(crate) fn program(&self, name: &str) -> PathBuf {
        target().join("debug").join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
    }

    /// Reads a text file that cargo wrote.
    pub(crate) fn built(&self, path: &str) -> String {
        fs::read_to_string(target().join(path)).unwrap()
    }

    /// Creates a package in `path` with these `dependencies` in TOML. If `path` is empty, the
    /// package is at the root and its own workspace.
    pub(crate) fn package(&self, path: &str, name: &str, dependencies: &str) -> &Self {
        let workspace = if path.is_empty() { "\n[workspace]\n" } else { "" };
        let manifest = format!(
            "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\ndescription = \"x\"\n\
             license = \"MIT\"\n{workspace}\n[dependencies]\n{dependencies}\n"
        );
        self.write(&Path::new(path).join("Cargo.toml").to_string_lossy(), manifest)
    }

    /// Runs cargo offline, in the consumer's directory.
    pub(crate) fn cargo(&self, arguments: &[&str]) -> Run {
        self.cargo_in("", arguments)
    }

    /// Runs cargo offline in a directory of the consumer.
    pub(crate) fn cargo_in(&self, path: &str, arguments: &[&str]) -> Run {
        self.cargo_with(path, &[], arguments)
    }

    /// Runs cargo offline in a directory of the consumer, with additional environment variables.
    pub(crate) fn cargo_with(
        &self,
        path: &str,
        environment: &[(&str, &Path)],
        arguments: &[&str],
    ) -> Run {
        let mut command = Command::new("cargo");
        for (key, _) in std::env::vars_os() {
            let name = key.to_string_lossy();
            let ours =
                name.starts_with("CARGO") || name.starts_with("RUST") || name.starts_with("HELIX_");
            if ours && !matches!(&*name, "CARGO_HOME" | "RUSTUP_HOME" | "RUSTUP_TOOLCHAIN") {
                command.env_remove(key);
            }
        }
        command.env(
            "HELIX_SKILLS_CACHE",
            Path::new(env!("CARGO_TARGET_TMPDIR")).join("consumers-cache"),
        );
        command.env("CARGO_TARGET_DIR", target()).env("CARGO_TERM_COLOR", "never");
        // No test looks at either, and both cost time.
        command.env("CARGO_PROFILE_DEV_DEBUG", "0").env("CARGO_INCREMENTAL", "0");
        command.envs(environment.iter().copied());
        let (subcommand, rest) = arguments.split_first().unwrap();
        command.arg(subcommand).arg("--offline").args(rest).current_dir(self.dir.join(path));
        let output = command.output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        Run {
            ok: output.status.success(),
            stdout: text(output.stdout),
            stderr: text(output.stderr),
        }
    }
}

/// Returns the line of a `[dependencies]` table for the facade under the name `key`; `more` has
/// additional keys.
pub(crate) fn facade(key: &str, more: &str) -> String {
    format!("{key} = {{ package = \"helix-skills\", path = {:?}{more} }}\n", workspace())
}
