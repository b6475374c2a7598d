//! The installer for Windows, run by each PowerShell against a release on loopback.
//!
//! On other systems, PowerShell 7 runs it with the environment variables and the `tar.exe` of
//! Windows.

#![cfg(feature = "powershell")]
#![allow(clippy::unwrap_used)]

use helix_skills_tests::{Releases, releases::names, sandbox::program};
use sha2::{Digest as _, Sha256};
use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    sync::LazyLock,
};
use tempfile::TempDir;

/// The versions of PowerShell: 5.1 is a part of Windows only.
const SHELLS: &[&str] = if cfg!(windows) { &["powershell", "pwsh"] } else { &["pwsh"] };

const TARGET: &str = "x86_64-pc-windows-msvc";

/// The programs of a release.
const PROGRAMS: [&str; 2] = ["cargo-skills.exe", "skills.exe"];

/// The archive of the built programs, and its installer.
struct Package {
    version: String,
    archive: Vec<u8>,
    installer: String,
}

static PACKAGE: LazyLock<Package> = LazyLock::new(|| {
    let output = Command::new(program()).arg("--version").output().unwrap();
    let version = stdout(&output).trim().strip_prefix("skills ").unwrap().to_owned();
    let (name, content) = (format!("skills-v{version}-{TARGET}"), TempDir::new().unwrap());
    fs::create_dir(content.path().join(&name)).unwrap();
    for file in PROGRAMS {
        let built = program().with_file_name(file).with_extension(env::consts::EXE_EXTENSION);
        fs::copy(built, content.path().join(&name).join(file)).unwrap();
    }
    let mut command = Command::new(tar());
    command.args(["-czf", "archive", &name]).current_dir(content.path());
    assert!(command.status().unwrap().success());
    let archive = fs::read(content.path().join("archive")).unwrap();
    let digest: String =
        Sha256::digest(&archive).iter().map(|byte| format!("{byte:02x}")).collect();
    let template = Path::new(env!("CARGO_MANIFEST_DIR")).join("../release/install.ps1");
    let case = format!("'Windows-AMD64' {{ $target = '{TARGET}'; $digest = '{digest}' }}");
    let installer = fs::read_to_string(template)
        .unwrap()
        .replace("@VERSION@", &version)
        .replace("@REPOSITORY@", "https://example.com/skills")
        .replace("@WINDOWS@", &case);
    Package { version, archive, installer }
});

/// Returns the path of `tar`. On Windows, another one on the PATH does not know drives.
fn tar() -> PathBuf {
    if cfg!(windows) {
        return Path::new(&env::var_os("SystemRoot").unwrap()).join("System32").join("tar.exe");
    }
    let path = env::var_os("PATH").unwrap();
    let mut files = env::split_paths(&path).map(|directory| directory.join("tar"));
    files.find(|file| file.is_file()).unwrap()
}

/// Returns a text that a program wrote, with the line ends of Unix.
fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).replace("\r\n", "\n")
}

fn stdout(output: &Output) -> String {
    text(&output.stdout)
}

fn stderr(output: &Output) -> String {
    text(&output.stderr)
}

/// A machine with a PowerShell, and the release on loopback.
struct Machine {
    shell: &'static str,
    home: TempDir,
    releases: Releases,
    archive: PathBuf,
}

impl Machine {
    /// Returns one machine for each PowerShell.
    fn all() -> impl Iterator<Item = Self> {
        SHELLS.iter().map(|shell| Self::new(shell))
    }

    fn new(shell: &'static str) -> Self {
        let (home, releases) = (TempDir::new().unwrap(), Releases::serve());
        fs::create_dir(home.path().join("shell")).unwrap();
        #[cfg(unix)]
        {
            let system = home.path().join("windows/System32");
            fs::create_dir_all(&system).unwrap();
            std::os::unix::fs::symlink(tar(), system.join("tar.exe")).unwrap();
        }
        let release = releases.release(&PACKAGE.version);
        let archive = release.join(format!("skills-v{}-{TARGET}.tar.gz", PACKAGE.version));
        fs::write(&archive, &PACKAGE.archive).unwrap();
        releases.write("install.ps1", PACKAGE.installer.as_bytes());
        Self { shell, home, releases, archive }
    }

    fn installed(&self) -> PathBuf {
        self.home.path().join("user").join(".local").join("bin")
    }

    /// Returns the command that users paste.
    fn command(&self) -> String {
        format!("irm {}/install.ps1 | iex", self.releases.url())
    }

    /// Runs a command; an empty variable is removed from the environment.
    fn run(&self, command: &str, environment: &[(&str, &str)]) -> Output {
        let mut shell = Command::new(self.shell);
        shell.args(["-NoProfile", "-NonInteractive", "-ExecutionPolicy", "Bypass"]);
        shell.args(["-OutputFormat", "Text", "-Command", command]);
        shell.current_dir(self.home.path()).stdin(Stdio::null());
        shell.env_remove("SKILLS_INSTALL_DIR").env("SKILLS_RELEASES", self.releases.url());
        shell.env("USERPROFILE", self.home.path().join("user"));
        shell.env("NO_COLOR", "1").env("NO_PROXY", "127.0.0.1");
        if cfg!(unix) {
            shell.env("HOME", self.home.path().join("shell"));
            shell.env("SystemRoot", self.home.path().join("windows"));
            shell.env("PROCESSOR_ARCHITECTURE", "AMD64").env_remove("PROCESSOR_ARCHITEW6432");
        }
        for (name, value) in environment {
            match *value {
                "" => shell.env_remove(name),
                value => shell.env(name, value),
            };
        }
        shell.output().unwrap_or_else(|why| panic!("failed to run `{}`: {why}", self.shell))
    }

    /// Runs the installer, which has to succeed, and returns what it prints.
    #[track_caller]
    fn install(&self, environment: &[(&str, &str)]) -> String {
        let output = self.run(&self.command(), environment);
        assert!(output.status.success(), "{}: {}", self.shell, stderr(&output));
        stdout(&output)
    }

    /// Checks that the installer fails with these words, and leaves no file.
    #[track_caller]
    fn refuses(&self, environment: &[(&str, &str)], words: &[&str]) {
        let output = self.run(&self.command(), environment);
        let text = stderr(&output);
        assert_eq!((output.status.code(), &*stdout(&output)), (Some(1), ""), "{text}");
        assert!(text.contains("error: ") && text.contains("\nhelp: "), "{}: {text}", self.shell);
        for word in words {
            assert!(text.contains(word), "{}: expected `{word}` in {text}", self.shell);
        }
        assert_eq!(names(&self.installed()), Vec::<String>::new());
    }
}

#[test]
fn installs_and_replaces_the_programs() {
    let built = fs::read(program()).unwrap();
    for machine in Machine::all() {
        let directory = machine.installed();
        let shown = directory.display();
        let expected = format!(
            "installed skills {} in {shown}\nhelp: add {shown} to the PATH\n",
            PACKAGE.version
        );
        assert_eq!(machine.install(&[]), expected);
        assert_eq!(names(&directory), PROGRAMS);
        assert!(fs::read(directory.join("skills.exe")).unwrap() == built);
        let archive = format!("v{0}/skills-v{0}-{TARGET}.tar.gz", PACKAGE.version);
        assert_eq!(machine.releases.requested_paths(), ["install.ps1", &archive]);

        fs::write(directory.join("skills.exe"), "an old program").unwrap();
        machine.install(&[]);
        assert_eq!(names(&directory), PROGRAMS);
        assert!(fs::read(directory.join("skills.exe")).unwrap() == built);

        let other = machine.home.path().join("other directory");
        let path = env::var_os("PATH").unwrap();
        let path = env::join_paths([other.clone()].into_iter().chain(env::split_paths(&path)));
        let path = path.unwrap().into_string().unwrap();
        let environment = [("SKILLS_INSTALL_DIR", other.to_str().unwrap()), ("PATH", &*path)];
        let expected = format!("installed skills {} in {}\n", PACKAGE.version, other.display());
        assert_eq!(machine.install(&environment), expected);
        assert_eq!(names(&other), PROGRAMS);
    }
}

#[test]
fn refuses_a_damaged_archive() {
    for machine in Machine::all() {
        let mut bytes = PACKAGE.archive.clone();
        bytes.push(0);
        fs::write(&machine.archive, bytes).unwrap();
        machine.refuses(&[], &[" has the digest ", " instead of ", "it was not unpacked"]);
        fs::remove_file(&machine.archive).unwrap();
        let words = ["failed to fetch http://127.0.0.1:", "404", "cargo install helix-skills-cli"];
        machine.refuses(&[], &words);
    }
}

#[test]
fn names_what_it_does_not_support() {
    for machine in Machine::all() {
        for url in ["http://example.com", "file:///etc"] {
            machine.refuses(&[("SKILLS_RELEASES", url)], &[url, "expected an https URL"]);
        }
        for directory in ["bin", "C:bin", "\\bin"] {
            let words = [&*format!("`{directory}`"), "expected an absolute path"];
            machine.refuses(&[("SKILLS_INSTALL_DIR", directory)], &words);
        }
        // Windows sets these variables itself.
        if cfg!(unix) {
            let machine_is = |name| [("PROCESSOR_ARCHITECTURE", name)];
            machine.refuses(&machine_is("ARM64"), &["there is no archive for Windows-ARM64"]);
            machine.refuses(&machine_is(""), &["this installer is for Windows", "install.sh"]);
            machine.refuses(&[("USERPROFILE", "")], &["USERPROFILE is not set"]);
            machine.refuses(&[("SystemRoot", "/nowhere")], &["/nowhere/System32/tar.exe does not"]);
            let in_32_bits =
                [("PROCESSOR_ARCHITECTURE", "x86"), ("PROCESSOR_ARCHITEW6432", "AMD64")];
            machine.install(&in_32_bits);
        }
    }
}

#[test]
fn failure_leaves_the_shell_as_it_was() {
    for machine in Machine::all() {
        fs::remove_file(&machine.archive).unwrap();
        let state = "@($ErrorActionPreference, $ProgressPreference, (Get-Location).Path, \
                     [Net.ServicePointManager]::SecurityProtocol, (Test-Path function:Fail), \
                     (Test-Path variable:releases)) -join ','";
        let command = format!(
            "$before = {state}; try {{ {} }} catch {{ Write-Host $_.Exception.Message }}; \
             Write-Host ($before -eq ({state}))",
            machine.command()
        );
        let output = machine.run(&command, &[]);
        let expected = "the installation of skills failed\nTrue\n";
        assert_eq!(stdout(&output), expected, "{}: {}", machine.shell, stderr(&output));
        assert!(stderr(&output).starts_with("error: failed to fetch "), "{}", stderr(&output));
    }
}

#[test]
fn installer_that_was_cut_off_does_nothing() {
    for machine in Machine::all() {
        // The last line is the end of the block.
        let command = format!(
            "$lines = (irm {}/install.ps1).TrimEnd().Split([char]10); \
             for ($i = 0; $i -lt $lines.Count - 1; $i++) {{ \
             try {{ iex ($lines[0..$i] -join [char]10) }} catch {{ }} }}; Write-Host $i",
            machine.releases.url()
        );
        let output = machine.run(&command, &[]);
        let tried = PACKAGE.installer.trim_end().lines().count() - 1;
        assert!(tried > 50);
        assert_eq!(stdout(&output), format!("{tried}\n"), "{}", stderr(&output));
        assert_eq!(machine.releases.requested_paths(), ["install.ps1"], "{}", machine.shell);
        assert!(!machine.home.path().join("user").exists());
    }
}

/// A copy of the command interpreter runs until its input ends.
#[cfg(windows)]
#[test]
fn replaces_a_program_that_is_running() {
    for machine in Machine::all() {
        let directory = machine.installed();
        fs::create_dir_all(&directory).unwrap();
        let interpreter = tar().with_file_name("cmd.exe");
        fs::copy(interpreter, directory.join("skills.exe")).unwrap();
        let mut running = Command::new(directory.join("skills.exe"));
        let mut running = running.stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
        machine.install(&[]);
        let found = names(&directory);
        let [old, programs @ ..] = &found[..] else { panic!("{found:?}") };
        assert!(old.starts_with(".skills.") && old.ends_with(".skills.old"), "{found:?}");
        assert_eq!(programs, PROGRAMS);
        assert!(running.try_wait().unwrap().is_none());

        drop(running.stdin.take());
        running.wait().unwrap();
        machine.install(&[]);
        assert_eq!(names(&directory), PROGRAMS);
    }
}
