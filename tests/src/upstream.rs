//! Upstream repositories, made by the real git with fixed dates, a fixed author and no user
//! configuration, so that every object id is the same on every machine.

mod change;

pub use change::{Change, skill_md};

use std::{
    cell::Cell,
    env, fs,
    io::Write as _,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    sync::LazyLock,
};

/// The date of the first commit; each following one is a minute later.
const FIRST_DATE: u64 = 1_700_000_000;
const PERSON: &str = "Upstream <upstream@example.invalid>";

/// Returns a git command without user or system configuration and with only the needed environment
/// variables.
#[must_use]
pub fn git_command() -> Command {
    // With a changed `PATH`, only a program with a path is started without a copy of this process,
    // which would take most of the time of many tests.
    static GIT: LazyLock<PathBuf> = LazyLock::new(|| {
        let path = env::var_os("PATH").unwrap_or_default();
        let mut directories = env::split_paths(&path);
        let name = format!("git{}", env::consts::EXE_SUFFIX);
        directories
            .find_map(|directory| Some(directory.join(&name)).filter(|file| file.is_file()))
            .expect("git is in PATH")
    });
    let mut git = Command::new(&*GIT);
    git.env_clear().env("PATH", env::var_os("PATH").unwrap_or_default());
    git.env("GIT_CONFIG_NOSYSTEM", "1").env("GIT_CONFIG_GLOBAL", "/dev/null").env("LC_ALL", "C");
    git.env("GIT_TERMINAL_PROMPT", "0");
    for (name, value) in
        [("NAME", "Upstream"), ("EMAIL", "upstream@example.invalid"), ("DATE", "1700000000 +0000")]
    {
        git.env(format!("GIT_AUTHOR_{name}"), value).env(format!("GIT_COMMITTER_{name}"), value);
    }
    git
}

/// A bare repository with the branch `main`.
#[derive(Debug)]
pub struct Upstream {
    path: PathBuf,
    commits: Cell<u64>,
}

impl Upstream {
    /// Creates an empty repository at `path`, which must not exist.
    ///
    /// # Panics
    /// Like every function of this module, if git fails.
    #[must_use]
    pub fn create(path: &Path) -> Self {
        Self::create_with(path, &[])
    }

    /// Like [`Upstream::create`], with SHA-256 object ids.
    #[must_use]
    pub fn create_sha256(path: &Path) -> Self {
        Self::create_with(path, &["--object-format=sha256"])
    }

    fn create_with(path: &Path, options: &[&str]) -> Self {
        let mut git = git_command();
        git.args(["init", "--quiet", "--bare", "--template=", "--initial-branch=main"])
            .args(options)
            .arg(path);
        succeed(&mut git, &[]);
        Self { path: path.to_owned(), commits: Cell::new(0) }
    }

    /// Returns the path of the repository.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Runs git in the repository and returns its output without trailing white space.
    pub fn git<'a>(&self, arguments: impl IntoIterator<Item = &'a str>) -> String {
        let output = self.run(arguments, &[]);
        String::from_utf8_lossy(&output.stdout).trim_end().to_owned()
    }

    /// Commits a change on top of `main` and returns the commit's id.
    pub fn commit(&self, change: Change) -> String {
        self.commit_to("main", change)
    }

    /// Commits a change on top of a branch, which is created if needed, and returns the commit's
    /// id.
    pub fn commit_to(&self, branch: &str, change: Change) -> String {
        let number = self.commits.get();
        self.commits.set(number + 1);
        let date = FIRST_DATE + 60 * number;
        let reference = format!("refs/heads/{branch}");
        let mut stream =
            format!("commit {reference}\ncommitter {PERSON} {date} +0000\ndata 0\n").into_bytes();
        if self.resolve(&reference).is_some() {
            stream.extend(format!("from {reference}^0\n").bytes());
        }
        change.write_to(&mut stream);
        self.run(["fast-import", "--quiet", "--force", "--date-format=raw"], &stream);
        self.id(&reference)
    }

    /// Commits a tree without parents as the tip of a branch and returns the commit's id.
    pub fn commit_tree(&self, branch: &str, tree: &str) -> String {
        let commit = self.git(["commit-tree", "-m", "", tree]);
        self.branch(branch, &commit);
        commit
    }

    /// Creates a lightweight tag at the tip of `main`, or moves it there.
    pub fn tag(&self, name: &str) {
        self.tag_at(name, "refs/heads/main");
    }

    /// Creates a lightweight tag at an object, or moves it there.
    pub fn tag_at(&self, name: &str, object: &str) {
        self.git(["update-ref", &format!("refs/tags/{name}"), &self.id(object)]);
    }

    /// Creates an annotated tag at an object, or moves it there, and returns the id of the tag
    /// object.
    pub fn annotated_tag(&self, name: &str, object: &str) -> String {
        self.git(["tag", "--force", "--annotate", "-m", name, "--", name, object]);
        self.git(["rev-parse", &format!("refs/tags/{name}")])
    }

    /// Creates or moves a branch.
    pub fn branch(&self, name: &str, object: &str) {
        self.git(["update-ref", &format!("refs/heads/{name}"), &self.id(object)]);
    }

    /// Sets the default branch.
    pub fn default_branch(&self, name: &str) {
        self.git(["symbolic-ref", "HEAD", &format!("refs/heads/{name}")]);
    }

    /// Returns the id of the object that a revision names.
    #[must_use]
    pub fn id(&self, revision: &str) -> String {
        self.resolve(revision)
            .unwrap_or_else(|| panic!("no `{revision}` in {}", self.path.display()))
    }

    /// Returns the bytes of the blob that a revision names, such as `main:skills/a/SKILL.md`.
    #[must_use]
    pub fn blob(&self, revision: &str) -> Vec<u8> {
        self.run(["cat-file", "blob", revision], &[]).stdout
    }

    /// Writes a blob and returns its id.
    pub fn write_blob(&self, bytes: &[u8]) -> String {
        let output = self.run(["hash-object", "-w", "--stdin"], bytes);
        String::from_utf8_lossy(&output.stdout).trim_end().to_owned()
    }

    /// Writes a tree exactly as given. Each entry has a mode (`100644`, `120000`, `40000`,
    /// `160000`), a name and an object id.
    pub fn write_tree(&self, entries: &[(&str, &[u8], &str)]) -> String {
        let output = self.run(
            ["hash-object", "--literally", "-t", "tree", "-w", "--stdin"],
            &crate::forged::tree(entries),
        );
        String::from_utf8_lossy(&output.stdout).trim_end().to_owned()
    }

    /// Deletes an object from the repository's loose objects.
    pub fn delete_object(&self, id: &str) {
        let (directory, file) = id.split_at(2);
        fs::remove_file(self.path.join("objects").join(directory).join(file))
            .expect("a loose object");
    }

    fn resolve(&self, revision: &str) -> Option<String> {
        let mut git = git_command();
        git.arg("--git-dir")
            .arg(&self.path)
            .args(["rev-parse", "--quiet", "--verify", "--end-of-options"])
            .arg(revision);
        let output = git.output().expect("git runs");
        output
            .status
            .success()
            .then(|| String::from_utf8_lossy(&output.stdout).trim_end().to_owned())
    }

    fn run<'a>(&self, arguments: impl IntoIterator<Item = &'a str>, input: &[u8]) -> Output {
        let mut git = git_command();
        git.arg("--git-dir").arg(&self.path).args(arguments);
        succeed(&mut git, input)
    }
}

fn succeed(command: &mut Command, input: &[u8]) -> Output {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap_or_else(|why| panic!("failed to run {command:?}: {why}"));
    let mut stdin = child.stdin.take().expect("a piped input");
    let output = std::thread::scope(|scope| {
        scope.spawn(move || drop(stdin.write_all(input)));
        child.wait_with_output().expect("git ends")
    });
    assert!(
        output.status.success(),
        "{command:?} failed: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    output
}
