//! The scripts of the GitHub Action, run as a runner runs them.

use crate::{
    checkout::{self, yaml},
    release::{archive_with_pipes, release},
};
use helix_skills_tests::{Releases, Sandbox, sandbox::program, skill_md};
use std::{
    collections::BTreeMap,
    fs,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    process::Command,
};
use tempfile::TempDir;

/// A runner: its environment variables, its files, and a `PATH` with the tools of the scripts but
/// without `gh`.
struct Runner {
    home: TempDir,
    variables: BTreeMap<String, String>,
}

/// The result of a step.
struct Step {
    ok: bool,
    stdout: String,
    stderr: String,
}

impl Runner {
    fn new(system: &str, machine: &str) -> Self {
        let home = TempDir::new().unwrap();
        for directory in ["bin", "temp", "gh"] {
            fs::create_dir(home.path().join(directory)).unwrap();
        }
        let tools = [
            "bash", "curl", "dirname", "env", "gzip", "head", "mkdir", "mktemp", "mv", "od", "rm",
            "sed", "tar", "tr",
        ];
        for tool in tools.into_iter().chain(["sha256sum"]) {
            std::os::unix::fs::symlink(find_on_path(tool), home.path().join("bin").join(tool))
                .unwrap();
        }
        let path = |name: &str| home.path().join(name).to_str().unwrap().to_owned();
        let variables = BTreeMap::from([
            ("PATH".to_owned(), path("bin")),
            ("HOME".to_owned(), path("temp")),
            ("RUNNER_OS".to_owned(), system.to_owned()),
            ("RUNNER_ARCH".to_owned(), machine.to_owned()),
            ("RUNNER_TEMP".to_owned(), path("temp")),
            ("GITHUB_PATH".to_owned(), path("path")),
            ("GITHUB_OUTPUT".to_owned(), path("output")),
        ]);
        Self { home, variables }
    }

    /// Creates a runner like this machine; also returns the target of its release.
    fn for_this_machine() -> (Self, String) {
        let machine =
            if cfg!(target_arch = "aarch64") { ("ARM64", "aarch64") } else { ("X64", "x86_64") };
        let system = if cfg!(target_os = "macos") {
            ("macOS", "apple-darwin")
        } else {
            ("Linux", "unknown-linux-musl")
        };
        (Self::new(system.0, machine.0), format!("{}-{}", machine.1, system.1))
    }

    fn with_env(mut self, name: &str, value: impl Into<String>) -> Self {
        self.variables.insert(name.to_owned(), value.into());
        self
    }

    /// Adds a `gh` that records its arguments and finds an attestation or not.
    fn with_gh(self, finds: bool) -> Self {
        let answer = if finds { "exit 0" } else { "echo 'no attestations found' >&2; exit 1" };
        let log = self.home.path().join("gh/arguments");
        let options = "--repo, --signer-workflow, --source-ref";
        let script = format!(
            "#!/usr/bin/env bash\ncase \"$*\" in *--help*) echo '{options}'; exit 0 ;; esac\n\
             printf '%s\\n' \"$@\" >>'{}'\n{answer}\n",
            log.display()
        );
        self.with_script("gh", &script)
    }

    fn with_script(self, name: &str, script: &str) -> Self {
        let file = self.home.path().join("bin").join(name);
        fs::write(&file, script).unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
        self
    }

    fn step(&self, script: &str, directory: &Path) -> Step {
        let mut command = Command::new(checkout::root().join(".github/action").join(script));
        let output =
            command.env_clear().envs(&self.variables).current_dir(directory).output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        Step {
            ok: output.status.success(),
            stdout: text(output.stdout),
            stderr: text(output.stderr),
        }
    }

    fn install(&self) -> Step {
        self.step("install.sh", self.home.path())
    }

    /// Returns the name and value of each output of the last step.
    fn outputs(&self) -> BTreeMap<String, String> {
        let text = fs::read_to_string(self.home.path().join("output")).unwrap_or_default();
        text.lines()
            .map(|line| line.split_once('=').unwrap())
            .map(|(k, v)| (k.to_owned(), v.to_owned()))
            .collect()
    }

    /// Returns the files in the runner's directory for temporary files.
    fn temporary_files(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.home.path().join("temp")).unwrap();
        let inside =
            |entry: fs::DirEntry| fs::read_dir(entry.path()).unwrap().map(|e| e.unwrap().path());
        entries.flat_map(|entry| inside(entry.unwrap())).collect()
    }
}

impl Step {
    /// Checks that the step failed with one annotation that contains these words, and installed
    /// nothing.
    #[track_caller]
    fn is_refused(&self, runner: &Runner, words: &[&str]) {
        assert!(!self.ok, "{}", self.stdout);
        let annotations: Vec<&str> =
            self.stderr.lines().filter(|line| line.starts_with("::")).collect();
        assert!(
            matches!(annotations[..], [one] if one.starts_with("::error title=Helix Skills::")),
            "{}",
            self.stderr
        );
        for word in words {
            assert!(annotations[0].contains(word), "expected `{word}` in {}", annotations[0]);
        }
        assert_eq!(runner.temporary_files(), Vec::<PathBuf>::new());
        assert!(runner.outputs().is_empty() && !runner.home.path().join("path").exists());
    }
}

#[test]
fn installs_the_release_of_its_commit_and_checks_a_project() {
    let releases = Releases::serve();
    let (runner, target) = Runner::for_this_machine();
    release(&releases, &target);
    let runner = runner.with_env("SKILLS_RELEASES", releases.url());
    let step = runner.install();
    assert!(step.ok, "{}{}", step.stdout, step.stderr);
    let version = checkout::version();
    let archive = format!("v{version}/skills-v{version}-{target}.tar.gz");
    assert_eq!(releases.requested_paths(), [archive.clone(), format!("{archive}.sha256")]);
    let outputs = runner.outputs();
    assert_eq!(outputs["version"], version);
    let installed = Path::new(&outputs["path"]);
    assert_eq!(fs::read(installed).unwrap(), fs::read(program()).unwrap());
    let on_path = fs::read_to_string(runner.home.path().join("path")).unwrap();
    assert_eq!(Path::new(on_path.trim_end()), installed.parent().unwrap());
    assert_eq!(
        runner.temporary_files(),
        [installed.parent().unwrap()],
        "expected only the program"
    );

    let sandbox =
        Sandbox::with_manifest("{\"skills\": {\"own\": {\"type\": \"path\", \"path\": \"own\"}}}");
    sandbox.write("project/own/a/SKILL.md", skill_md("a"));
    sandbox.skills(["sync"]).succeeds();
    let defaults = yaml("action.yml");
    let arguments = defaults["inputs"]["args"]["default"].as_str().unwrap();
    let runner =
        runner.with_env("SKILLS_PROGRAM", &outputs["path"]).with_env("SKILLS_ARGS", arguments);
    let step = runner.step("run.sh", &sandbox.project("."));
    assert!(step.ok, "{}{}", step.stdout, step.stderr);
    sandbox.write("project/own/a/SKILL.md", skill_md("a") + "edited\n");
    let step = runner.step("run.sh", &sandbox.project("."));
    assert!(!step.ok && step.stdout.contains("`a` in `own/a` was changed"), "{}", step.stdout);
}

#[test]
fn inputs_are_never_commands() {
    let sandbox = Sandbox::new();
    sandbox.write("project/a b.txt", "");
    let runner = Runner::for_this_machine().0;
    let runner =
        runner.with_script("echo-words", "#!/usr/bin/env bash\nprintf '[%s]\\n' \"$@\"\nexit 5\n");
    let echo = runner.home.path().join("bin/echo-words");
    let runner = runner.with_env("SKILLS_PROGRAM", echo.to_str().unwrap());
    let runner = runner.with_env("SKILLS_ARGS", " sync\n  $(touch ran) `touch ran`; * \"x y\" ");
    let step = runner.step("run.sh", &sandbox.project("."));
    assert!(!step.ok);
    let lines: Vec<&str> = step.stdout.lines().collect();
    let (first, last) = (lines[0], lines[lines.len() - 1]);
    assert_eq!(
        lines[1..lines.len() - 1].concat(),
        "[sync][$(touch][ran)][`touch][ran`;][*][\"x][y\"]"
    );
    assert_eq!(sandbox.files("project"), ["a b.txt"]);
    // The program's output is between two lines with a token that only this run knows.
    let token = first.strip_prefix("::stop-commands::").unwrap();
    assert!(token.len() == 32 && last == format!("::{token}::"), "{}", step.stdout);
    assert_ne!(runner.step("run.sh", &sandbox.project(".")).stdout.lines().next().unwrap(), first);
}

#[test]
fn line_ends_of_windows_separate_arguments() {
    let script = "#!/usr/bin/env bash\nprintf '[%s]' \"$@\"\n";
    let runner = Runner::for_this_machine().0.with_script("echo-words", script);
    let echo = runner.home.path().join("bin/echo-words");
    let runner = runner.with_env("SKILLS_PROGRAM", echo.to_str().unwrap());
    let runner = runner.with_env("SKILLS_ARGS", "sync\r\n--check\r\n");
    let step = runner.step("run.sh", runner.home.path());
    assert!(step.ok && step.stdout.contains("\n[sync][--check]\n"), "{:?}", step.stdout);
}

#[test]
fn pipe_in_the_archive_is_not_waited_for() {
    let releases = Releases::serve();
    let (runner, target) = Runner::for_this_machine();
    let runner = runner.with_env("SKILLS_RELEASES", releases.url());
    let archive = release(&releases, &target);
    let digest = archive_with_pipes(&archive, &target);
    let name = archive.file_name().unwrap().to_str().unwrap();
    fs::write(archive.with_extension("gz.sha256"), format!("{digest}  {name}\n")).unwrap();
    runner.install().is_refused(&runner, &["`skills` in", "is not a regular file"]);
}

/// A line of the standard error could be read after the end, and be a command.
#[test]
fn end_of_the_output_is_a_line_that_no_output_changes() {
    let sandbox = Sandbox::new();
    let script = "#!/usr/bin/env bash\nprintf '::warning::a\\n'\n\
                  printf '::warning::b\\n' >&2\nprintf '::0123::\\nc'\n";
    let runner = Runner::for_this_machine().0.with_script("prints", script);
    let prints = runner.home.path().join("bin/prints");
    let runner = runner.with_env("SKILLS_PROGRAM", prints.to_str().unwrap());
    let runner = runner.with_env("SKILLS_ARGS", "sync");
    let step = runner.step("run.sh", &sandbox.project("."));
    assert!(step.ok && step.stderr.is_empty(), "{}", step.stderr);
    let (first, rest) = step.stdout.split_once('\n').unwrap();
    let token = first.strip_prefix("::stop-commands::").unwrap();
    let printed = "::warning::a\n::warning::b\n::0123::\nc";
    assert_eq!(rest, format!("{printed}\n::{token}::\n"));
}

#[test]
fn archive_with_another_digest_is_refused() {
    let releases = Releases::serve();
    let (runner, target) = Runner::for_this_machine();
    let runner = runner.with_env("SKILLS_RELEASES", releases.url());
    let archive = release(&releases, &target);
    let digest = archive.with_extension("gz.sha256");
    let written = fs::read_to_string(&digest).unwrap();

    let mut bytes = fs::read(&archive).unwrap();
    bytes.push(0);
    fs::write(&archive, &bytes).unwrap();
    runner
        .install()
        .is_refused(&runner, &["has the digest", &written[..64], "it was not unpacked"]);

    for bad in [
        "",
        "x",
        &written[..64],
        &written.replace("skills-v", "other-v"),
        &format!("{written}{written}"),
    ] {
        fs::write(&digest, bad).unwrap();
        runner.install().is_refused(&runner, &["does not contain the digest"]);
    }
    fs::remove_file(&digest).unwrap();
    runner.install().is_refused(&runner, &["failed to fetch", ".sha256"]);
}

#[test]
fn missing_release_is_named() {
    let releases = Releases::serve();
    for target in checkout::targets() {
        let machine = if target.starts_with("aarch64-") { "ARM64" } else { "X64" };
        let system = match &target {
            target if target.ends_with("-linux-musl") => "Linux",
            target if target.ends_with("-apple-darwin") => "macOS",
            _ => {
                let runner = Runner::new("Windows", machine);
                runner.install().is_refused(&runner, &["`Windows`", "cargo install"]);
                continue;
            }
        };
        let runner = Runner::new(system, machine)
            .with_env("SKILLS_RELEASES", releases.url())
            .with_env("SKILLS_VERSION", "v9.9.9");
        let archive = format!("v9.9.9/skills-v9.9.9-{target}.tar.gz");
        runner.install().is_refused(&runner, &[&archive, "check that v9.9.9 is released"]);
        assert_eq!(releases.requested_paths(), [archive]);
    }
}

#[test]
fn invalid_inputs_are_refused_before_any_request() {
    let releases = Releases::serve();
    for (name, value, words) in [
        ("SKILLS_VERSION", "latest", ["`version`", "such as 0.1.0"]),
        ("SKILLS_VERSION", "../1.0.0", ["`version`", "such as 0.1.0"]),
        ("SKILLS_VERSION", "1.0.0\n::add-path::/evil", ["%0A::add-path", "such as 0.1.0"]),
        ("SKILLS_ATTESTATION", "maybe", ["`attestation`", "auto, required or never"]),
        ("RUNNER_ARCH", "RISCV", ["`RISCV`", "X64 or ARM64"]),
        ("SKILLS_RELEASES", "http://example.com", ["http://example.com", "https"]),
        ("SKILLS_RELEASES", "file:///etc", ["file:///etc", "https"]),
    ] {
        let runner = Runner::for_this_machine()
            .0
            .with_env("SKILLS_RELEASES", releases.url())
            .with_env(name, value);
        runner.install().is_refused(&runner, &words);
    }
    assert_eq!(releases.requested_paths(), Vec::<String>::new());
}

#[test]
fn attestation_is_checked_if_possible() {
    let releases = Releases::serve();
    let (_, target) = Runner::for_this_machine();
    release(&releases, &target);
    let runner = || Runner::for_this_machine().0.with_env("SKILLS_RELEASES", releases.url());
    let token = "canary-token";

    let good = runner().with_gh(true).with_env("GH_TOKEN", token);
    let step = good.install();
    assert!(step.ok, "{}", step.stderr);
    let arguments = fs::read_to_string(good.home.path().join("gh/arguments")).unwrap();
    let arguments: Vec<&str> = arguments.lines().collect();
    let repository = checkout::package()["repository"]
        .as_str()
        .unwrap()
        .strip_prefix("https://github.com/")
        .unwrap();
    let workflow = format!("{repository}/.github/workflows/release.yml");
    assert_eq!(arguments[..2], ["attestation", "verify"]);
    assert!(arguments[2].ends_with(&format!("skills-v{}-{target}.tar.gz", checkout::version())));
    let tag = format!("refs/tags/v{}", checkout::version());
    assert_eq!(
        arguments[3..],
        ["--repo", repository, "--signer-workflow", &workflow, "--source-ref", &tag]
    );
    assert!(!step.stdout.contains(token) && !step.stderr.contains(token));

    let bad = runner().with_gh(false).with_env("GH_TOKEN", token);
    bad.install().is_refused(&bad, &["has no attestation", "it was not unpacked"]);
    let never = bad.with_env("SKILLS_ATTESTATION", "never");
    assert!(never.install().ok);

    let without_token = runner().with_gh(false);
    let step = without_token.install();
    assert!(
        step.ok && step.stderr.contains("attestation not verified: `gh` has no token"),
        "{}",
        step.stderr
    );
    let required = runner().with_gh(true).with_env("SKILLS_ATTESTATION", "required");
    required.install().is_refused(&required, &["`gh` has no token"]);
    let old = "#!/usr/bin/env bash\ncase \"$*\" in *--help*) echo '--signer-workflow' ;; *) exit 0 ;; esac\n";
    for without in [runner(), runner().with_script("gh", old)] {
        let required =
            without.with_env("GH_TOKEN", token).with_env("SKILLS_ATTESTATION", "required");
        required.install().is_refused(&required, &["no `gh` on the PATH can verify the tag"]);
    }
}

/// Returns the path of a program on the `PATH`.
#[track_caller]
pub(crate) fn find_on_path(name: &str) -> PathBuf {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path)
        .map(|directory| directory.join(name))
        .find(|file| file.is_file());
    found.unwrap_or_else(|| panic!("these tests require `{name}` on the PATH"))
}
