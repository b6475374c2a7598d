//! A small upstream repository with fixed ids.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use helix_skills_format::ObjectId;
use tempfile::TempDir;

/// A bare repository `up.git` in its own directory.
pub(super) struct Upstream {
    root: TempDir,
}

/// Returns the `file://` URL of an absolute path.
pub(super) fn file_url(path: &Path) -> String {
    let path = path.to_str().unwrap().replace('\\', "/");
    // A path of Windows begins with a drive.
    format!("file:///{}", path.trim_start_matches('/'))
}

/// Returns the data of the fixture's second file, which does not compress.
pub(super) fn noise(length: usize) -> Vec<u8> {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 32) as u8
    };
    (0..length).map(|_| next()).collect()
}

impl Upstream {
    /// Creates `main` with two commits; `v1` is an annotated tag of the first, `v1-tag` a tag of
    /// that tag, `light` a lightweight tag of the first.
    pub(super) fn new() -> Self {
        let upstream = Self { root: tempfile::tempdir().unwrap() };
        let work = upstream.root.path().join("work");
        let write = |path: &str, bytes: &[u8]| {
            let path = work.join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, bytes).unwrap();
        };
        write("skills/a/SKILL.md", b"---\nname: a\ndescription: A.\n---\nBody\r\n");
        write("skills/a/references/deep.md", "deep\n".repeat(500).as_bytes());
        write("skills/b/SKILL.md", b"---\nname: b\ndescription: B.\n---\n");
        write("assets/noise.bin", &noise(100_000));
        write("empty", b"");
        upstream.git(&work, &["init", "-q", "-b", "main"]);
        upstream.git(&work, &["add", "-A"]);
        upstream.git(&work, &["commit", "-q", "-m", "one"]);
        upstream.git(&work, &["tag", "-a", "-m", "first", "v1"]);
        upstream.git(&work, &["tag", "-a", "-m", "again", "v1-tag", "v1"]);
        upstream.git(&work, &["tag", "light"]);
        write("skills/a/SKILL.md", b"---\nname: a\ndescription: A.\n---\nBody two\n");
        upstream.git(&work, &["commit", "-q", "-a", "-m", "two"]);
        upstream.git(upstream.root.path(), &["clone", "-q", "--bare", "work", "up.git"]);
        upstream
    }

    /// Returns the directory in which `git http-backend` looks for repositories.
    pub(super) fn root(&self) -> &Path {
        self.root.path()
    }

    pub(super) fn bare(&self) -> PathBuf {
        self.root.path().join("up.git")
    }

    /// Returns git's id of a revision such as `v1:skills/a`.
    pub(super) fn id(&self, revision: &str) -> ObjectId {
        let text = self.git(&self.bare(), &["rev-parse", revision]);
        std::str::from_utf8(text.trim_ascii()).unwrap().parse().unwrap()
    }

    /// Returns the bytes of a file.
    pub(super) fn bytes(&self, revision: &str) -> Vec<u8> {
        self.git(&self.bare(), &["cat-file", "blob", revision])
    }

    /// Runs git with fixed dates and without user or system configuration.
    pub(super) fn git(&self, directory: &Path, arguments: &[&str]) -> Vec<u8> {
        let output = command(directory).args(arguments).stderr(Stdio::inherit()).output().unwrap();
        assert!(output.status.success(), "git {arguments:?}");
        output.stdout
    }
}

fn command(directory: &Path) -> Command {
    let mut command = Command::new("git");
    command
        .args(["-c", "advice.nestedTag=false"])
        .current_dir(directory)
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default());
    command
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("HOME", "/nonexistent");
    for who in ["AUTHOR", "COMMITTER"] {
        command
            .env(format!("GIT_{who}_NAME"), "Fixture")
            .env(format!("GIT_{who}_EMAIL"), "fixture@example.com");
        command.env(format!("GIT_{who}_DATE"), "2026-01-01T00:00:00Z");
    }
    command
}
