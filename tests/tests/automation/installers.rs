//! The installers that `.ci/installers` makes, run against a release on loopback. The one for
//! PowerShell has tests of its own.

use crate::{
    action::find_on_path,
    checkout::{self, Target},
    release::{archive_with_pipes, package, release},
};
use base64::Engine as _;
use helix_skills_tests::{Releases, releases::names, sandbox::program};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256, Sha512};
use std::{
    collections::BTreeSet,
    ffi::OsStr,
    fs,
    io::Write as _,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    sync::LazyLock,
};
use tempfile::TempDir;

/// What `.ci/installers` made of one archive for each target.
struct Made {
    archives: PathBuf,
    out: PathBuf,
}

/// The archive for this machine has the built program; the others have a text.
static MADE: LazyLock<Made> = LazyLock::new(|| {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("installers");
    drop(fs::remove_dir_all(&directory));
    let made = Made { archives: directory.join("archives"), out: directory.join("out") };
    fs::create_dir_all(&made.archives).unwrap();
    let here = this_target();
    for target in checkout::table() {
        if target.name == here.name {
            package(&target.name, &made.archives);
            continue;
        }
        let (name, content) = (stem(&target.name), TempDir::new().unwrap());
        fs::create_dir(content.path().join(&name)).unwrap();
        let suffix = if target.name.contains("-windows-") { ".exe" } else { "" };
        let program = format!("skills{suffix}");
        for file in [&program, "LICENSE-APACHE", "LICENSE-MIT", "THIRD-PARTY-LICENSES.txt"] {
            fs::write(content.path().join(&name).join(file), &target.name).unwrap();
        }
        let archive = made.archives.join(format!("{name}.tar.gz"));
        let mut tar = Command::new("tar");
        tar.arg("-czf").arg(archive).arg("-C").arg(content.path()).arg(&name);
        assert!(tar.status().unwrap().success());
    }
    let mut installers = Command::new(checkout::root().join(".ci/installers"));
    let output = installers.arg(&made.archives).arg(&made.out).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    made
});

/// The target of this machine.
fn this_target() -> Target {
    let uname = |option| {
        let output = Command::new("uname").arg(option).output().unwrap();
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    };
    let system = format!("{}-{}", uname("-s"), uname("-m"));
    checkout::table().into_iter().find(|target| target.system == system).unwrap()
}

/// Returns the name of a target's archive, without its extension.
fn stem(target: &str) -> String {
    format!("skills-v{}-{target}", checkout::version())
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[test]
fn every_target_has_its_digest_and_installers() {
    let mut check = Command::new("sha256sum");
    check.args(["--check", "--strict"]).arg(MADE.out.join("SHA256SUMS"));
    let output = check.current_dir(&MADE.archives).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    let read = |name: &str| fs::read_to_string(MADE.out.join(name)).unwrap();
    let (sums, formula) = (read("SHA256SUMS"), read("skills.rb"));
    let (shell, powershell) = (read("install.sh"), read("install.ps1"));
    assert_eq!(sums.lines().count(), checkout::table().len());
    let repository = checkout::package()["repository"].as_str().unwrap();
    for (line, target) in sums.lines().zip(checkout::table()) {
        let archive = format!("{}.tar.gz", stem(&target.name));
        let digest = line.strip_suffix(&format!("  {archive}")).unwrap();
        let url = format!("{repository}/releases/download/v{}/{archive}", checkout::version());
        let block = format!("url \"{url}\"\n      sha256 \"{digest}\"\n");
        assert_eq!(formula.contains(&block), target.homebrew != "-", "{formula}");
        let case =
            format!("        {}) target={} digest={digest} ;;\n", target.system, target.name);
        let is_windows = target.name.contains("-windows-");
        assert_eq!(shell.contains(&case), !is_windows, "{shell}");
        let case = format!(
            "            '{}' {{ $target = '{}'; $digest = '{digest}' }}\n",
            target.system, target.name
        );
        assert_eq!(powershell.contains(&case), is_windows, "{powershell}");
    }
    // Every variable of the templates is filled in.
    let variable = regex::Regex::new("@[A-Z]+@").unwrap();
    assert!([&shell, &powershell, &formula].iter().all(|text| !variable.is_match(text)));
    // Windows PowerShell reads other characters in the encoding of the system.
    assert!(powershell.is_ascii());
}

#[test]
fn missing_archive_is_named() {
    let (archives, out) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let mut installers = Command::new(checkout::root().join(".ci/installers"));
    let output = installers.arg(archives.path()).arg(out.path()).output().unwrap();
    let first = format!("{}.tar.gz` does not exist", stem(&checkout::targets()[0]));
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains(&first), "{}", stderr(&output));
}

#[test]
fn pipe_in_an_archive_is_named() {
    let (archives, out) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let target = &checkout::targets()[0];
    let archive = archives.path().join(format!("{}.tar.gz", stem(target)));
    archive_with_pipes(&archive, target);
    let mut installers = Command::new(checkout::root().join(".ci/installers"));
    let output = installers.arg(archives.path()).arg(out.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).ends_with("is not a regular file\n"), "{}", stderr(&output));
}

/// A machine with the tools of the shell installer.
struct Machine {
    home: TempDir,
    releases: Releases,
    archive: PathBuf,
}

impl Machine {
    fn new() -> Self {
        let (home, releases) = (TempDir::new().unwrap(), Releases::serve());
        fs::create_dir(home.path().join("bin")).unwrap();
        let tools =
            ["curl", "gzip", "mkdir", "mktemp", "mv", "rm", "sh", "sha256sum", "tar", "uname"];
        for tool in tools {
            let link = home.path().join("bin").join(tool);
            std::os::unix::fs::symlink(find_on_path(tool), link).unwrap();
        }
        let archive = release(&releases, &this_target().name);
        Self { home, releases, archive }
    }

    /// Replaces a tool, or removes it.
    fn with_tool(self, name: &str, script: Option<&str>) -> Self {
        let file = self.home.path().join("bin").join(name);
        fs::remove_file(&file).unwrap();
        if let Some(script) = script {
            fs::write(&file, script).unwrap();
            fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
        }
        self
    }

    fn installed(&self) -> PathBuf {
        self.home.path().join(".local/bin")
    }

    /// Runs a script as `curl … | sh` does.
    fn pipe(&self, script: &str, environment: &[(&str, &str)]) -> Output {
        let path = self.home.path().join("bin");
        let mut shell = Command::new(path.join("sh"));
        shell.env_clear().env("PATH", &path).env("HOME", self.home.path());
        shell.env("SKILLS_RELEASES", self.releases.url()).envs(environment.iter().copied());
        shell.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = shell.current_dir(self.home.path()).spawn().unwrap();
        // A script that ends early does not read its rest.
        drop(child.stdin.take().unwrap().write_all(script.as_bytes()));
        child.wait_with_output().unwrap()
    }

    fn install(&self, environment: &[(&str, &str)]) -> Output {
        self.pipe(&fs::read_to_string(MADE.out.join("install.sh")).unwrap(), environment)
    }

    /// Checks that the installer fails with these words, and leaves no file.
    #[track_caller]
    fn refuses(&self, environment: &[(&str, &str)], words: &[&str]) {
        let output = self.install(environment);
        let text = stderr(&output);
        assert_eq!((output.status.code(), &*output.stdout), (Some(1), &b""[..]), "{text}");
        assert!(text.contains("error: ") && text.contains("\nhelp: "), "{text}");
        for word in words {
            assert!(text.contains(word), "expected `{word}` in {text}");
        }
        assert_eq!(names(&self.installed()), Vec::<String>::new());
    }
}

#[test]
fn shell_installer_installs_and_replaces_the_programs() {
    let machine = Machine::new();
    let output = machine.install(&[]);
    let directory = machine.installed();
    let expected = format!(
        "installed skills {} in {1}\nhelp: add {1} to the PATH\n",
        checkout::version(),
        directory.display()
    );
    assert_eq!(stdout(&output), expected, "{}", stderr(&output));
    assert_eq!(names(&directory), ["cargo-skills", "skills"]);
    let skills = directory.join("skills");
    assert_eq!(fs::read(&skills).unwrap(), fs::read(program()).unwrap());
    let url = format!("v{}/{}.tar.gz", checkout::version(), stem(&this_target().name));
    assert_eq!(machine.releases.requested_paths(), [url]);

    fs::write(&skills, "an old program").unwrap();
    assert!(machine.install(&[]).status.success());
    assert_eq!(fs::read(&skills).unwrap(), fs::read(program()).unwrap());

    let other = machine.home.path().join("other directory");
    let path = format!("{}:{}", machine.home.path().join("bin").display(), other.display());
    let output =
        machine.install(&[("SKILLS_INSTALL_DIR", other.to_str().unwrap()), ("PATH", &path)]);
    assert!(!stdout(&output).contains("help") && output.status.success(), "{}", stderr(&output));
    assert_eq!(names(&other), ["cargo-skills", "skills"]);
}

#[test]
fn shell_installer_refuses_a_damaged_archive() {
    let machine = Machine::new();
    let mut bytes = fs::read(&machine.archive).unwrap();
    bytes.push(0);
    fs::write(&machine.archive, bytes).unwrap();
    machine.refuses(&[], &[" has the digest ", " instead of ", "it was not unpacked"]);
    fs::remove_file(&machine.archive).unwrap();
    machine.refuses(&[], &["failed to fetch http://127.0.0.1:", "cargo install helix-skills-cli"]);
}

#[test]
fn shell_installer_does_not_wait_for_a_pipe_in_the_archive() {
    let machine = Machine::new();
    let script = fs::read_to_string(MADE.out.join("install.sh")).unwrap();
    let released = Sha256::digest(fs::read(&machine.archive).unwrap());
    let released: String = released.iter().map(|byte| format!("{byte:02x}")).collect();
    let digest = archive_with_pipes(&machine.archive, &this_target().name);
    let output = machine.pipe(&script.replace(&released, &digest), &[]);
    assert_eq!(output.status.code(), Some(1));
    let expected = "error: `skills` in skills-v";
    assert!(stderr(&output).starts_with(expected), "{}", stderr(&output));
    assert_eq!(names(&machine.installed()), Vec::<String>::new());
}

#[test]
fn shell_installer_names_what_it_does_not_support() {
    for tool in ["curl", "gzip", "mktemp", "tar", "uname"] {
        let machine = Machine::new().with_tool(tool, None);
        machine.refuses(&[], &[&format!("`{tool}` is not installed"), "cargo install"]);
    }
    let machine = Machine::new().with_tool("sha256sum", None);
    machine.refuses(&[], &["neither `sha256sum` nor `shasum` is installed"]);
    let machine = Machine::new().with_tool("uname", Some("#!/bin/sh\necho riscv\n"));
    machine.refuses(&[], &["there is no archive for riscv-riscv", "cargo install"]);
    let machine = Machine::new();
    for url in ["http://example.com", "file:///etc"] {
        machine.refuses(&[("SKILLS_RELEASES", url)], &[url, "expected an https URL"]);
    }
    machine.refuses(&[("SKILLS_INSTALL_DIR", "bin")], &["`bin`", "expected an absolute path"]);
    machine.refuses(&[("HOME", "")], &["HOME is not set", "set SKILLS_INSTALL_DIR"]);
    assert_eq!(machine.releases.requested_paths(), Vec::<String>::new());
}

#[test]
fn shell_installer_that_was_cut_off_does_nothing() {
    let machine = Machine::new();
    let script = fs::read_to_string(MADE.out.join("install.sh")).unwrap();
    let lines: Vec<&str> = script.split_inclusive('\n').collect();
    assert!(lines.len() > 50);
    for length in 0..lines.len() {
        machine.pipe(&lines[..length].concat(), &[]);
        assert_eq!(machine.releases.requested_paths(), Vec::<String>::new(), "{length} lines");
        assert_eq!(names(machine.home.path()), ["bin"], "{length} lines");
    }
}

/// A registry of npm with the packages, on loopback.
struct Registry {
    releases: Releases,
    directory: TempDir,
}

impl Registry {
    fn serve() -> Self {
        let (releases, directory) = (Releases::serve(), TempDir::new().unwrap());
        for name in names(&MADE.out.join("npm")) {
            let file = MADE.out.join("npm").join(&name);
            let bytes = fs::read(&file).unwrap();
            let mut tar = Command::new("tar");
            let output = tar.arg("-xzOf").arg(&file).arg("package/package.json").output().unwrap();
            let mut manifest: Value = serde_json::from_slice(&output.stdout).unwrap();
            let digest = base64::engine::general_purpose::STANDARD.encode(Sha512::digest(&bytes));
            manifest["dist"] = json!({
                "tarball": format!("{}/{name}", releases.url()),
                "integrity": format!("sha512-{digest}"),
            });
            let version = manifest["version"].as_str().unwrap();
            let package = json!({
                "name": manifest["name"],
                "dist-tags": {"latest": version},
                "versions": {version: manifest},
            });
            let path = manifest["name"].as_str().unwrap().replace('/', "%2f");
            releases.write(&path, package.to_string().as_bytes());
            releases.write(&name, &bytes);
        }
        Self { releases, directory }
    }

    /// Installs the package for users, with these options.
    fn install(&self, options: &[&str]) -> Output {
        let mut npm = self.command("npm");
        npm.args(["install", "@helix-skills/cli", "--no-audit", "--no-fund"]).args(options);
        npm.output().unwrap()
    }

    /// Starts a program in the directory of the installation, without any configuration.
    fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.directory.path()).env("HOME", self.directory.path());
        command.env("npm_config_registry", self.releases.url());
        command.env("npm_config_fetch_retries", "0").env("npm_config_update_notifier", "false");
        command
    }

    fn skills(&self, arguments: &[&str]) -> Output {
        let program = self.directory.path().join("node_modules/.bin/skills");
        self.command(program).args(arguments).output().unwrap()
    }

    /// Returns the tarball of the program for this system.
    fn tarball(&self) -> String {
        format!("helix-skills-cli-{}-{}.tgz", this_target().npm, checkout::version())
    }
}

#[test]
fn npm_package_starts_the_program_of_its_system() {
    let registry = Registry::serve();
    let output = registry.install(&["--ignore-scripts"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let installed = registry.directory.path().join("node_modules/@helix-skills");
    let here = format!("cli-{}", this_target().npm);
    assert_eq!(names(&installed), ["cli", &*here]);
    let skills = fs::read(installed.join(&here).join("skills")).unwrap();
    assert_eq!(skills, fs::read(program()).unwrap());
    let files = ["LICENSE-APACHE", "LICENSE-MIT", "THIRD-PARTY-LICENSES.txt"];
    assert!(files.iter().all(|file| installed.join(&here).join(file).is_file()));

    let version = format!("skills {}\n", checkout::version());
    assert_eq!(stdout(&registry.skills(&["--version"])), version);
    // Arguments, output and exit code are those of the program.
    let direct = registry.command(program()).args(["list", "a b"]).output().unwrap();
    let through = registry.skills(&["list", "a b"]);
    assert!(!direct.status.success());
    assert_eq!(through.status.code(), direct.status.code());
    assert_eq!((stdout(&through), stderr(&through)), (stdout(&direct), stderr(&direct)));

    // Another system, and an installation without the package for this one.
    let start = "Object.defineProperty(process, 'arch', {value: 'riscv64'});\
                 require('@helix-skills/cli/skills.js')";
    let output = registry.command("node").args(["-e", start]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).starts_with("error: there is no program for "), "{}", stderr(&output));
    assert!(stderr(&output).ends_with("-riscv64\nhelp: use `cargo install helix-skills-cli`\n"));
    fs::remove_dir_all(installed.join(&here)).unwrap();
    let output = registry.skills(&["--version"]);
    assert_eq!(output.status.code(), Some(1));
    let expected = format!("error: the package @helix-skills/{here} is not installed\nhelp: ");
    assert!(stderr(&output).starts_with(&expected), "{}", stderr(&output));
}

#[test]
fn npm_package_of_other_bytes_is_not_installed() {
    let registry = Registry::serve();
    let mut bytes = fs::read(MADE.out.join("npm").join(registry.tarball())).unwrap();
    bytes.push(0);
    registry.releases.write(&registry.tarball(), &bytes);
    let output = registry.install(&[]);
    // npm leaves out an optional package that it cannot install.
    let installed = registry.directory.path().join("node_modules/@helix-skills");
    let here = format!("cli-{}", this_target().npm);
    assert!(!installed.join(here).join("skills").exists(), "{}", stderr(&output));
    if output.status.success() {
        assert_eq!(registry.skills(&["--version"]).status.code(), Some(1));
    }
}

#[test]
fn npm_packages_are_those_of_the_table() {
    let mut expected = BTreeSet::from([format!("helix-skills-cli-{}.tgz", checkout::version())]);
    for target in checkout::table() {
        expected.insert(format!("helix-skills-cli-{}-{}.tgz", target.npm, checkout::version()));
    }
    assert_eq!(names(&MADE.out.join("npm")), expected.into_iter().collect::<Vec<_>>());
}
