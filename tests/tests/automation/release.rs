//! Release archives, and the tools that look for them.

use crate::checkout;
use helix_skills_tests::sandbox::program;
use std::{collections::BTreeSet, fs, path::Path, process::Command, sync::Mutex};
use tempfile::TempDir;

/// Copies the archive that `.ci/package` makes of the built program for a target into a directory.
/// Each archive is made once per test run, because the debug program is large.
pub(crate) fn package(target: &str, out: &Path) {
    static PACKAGED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let made = Path::new(env!("CARGO_TARGET_TMPDIR")).join("packages").join(target);
    let mut names = PACKAGED.lock().unwrap();
    if names.insert(target.to_owned()) {
        drop(fs::remove_dir_all(&made));
        let licenses = TempDir::new().unwrap();
        let licenses = licenses.path().join("licenses");
        fs::write(&licenses, "Apache License 2.0\n").unwrap();
        let mut command = Command::new(checkout::root().join(".ci/package"));
        let output = command.arg(target).arg(program()).arg(licenses).arg(&made).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    for entry in fs::read_dir(made).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), out.join(entry.file_name())).unwrap();
    }
}

/// Releases the built program for a target, like the release workflow, and returns the archive's
/// path.
#[cfg(feature = "action")]
pub(crate) fn release(releases: &helix_skills_tests::Releases, target: &str) -> std::path::PathBuf {
    let directory = releases.release(checkout::version());
    package(target, &directory);
    directory.join(format!("skills-v{}-{target}.tar.gz", checkout::version()))
}

/// Creates an archive in which the programs are pipes, and returns its digest.
#[cfg(feature = "action")]
pub(crate) fn archive_with_pipes(archive: &Path, target: &str) -> String {
    use sha2::Digest as _;
    let (stem, content) =
        (format!("skills-v{}-{target}", checkout::version()), TempDir::new().unwrap());
    fs::create_dir(content.path().join(&stem)).unwrap();
    for program in ["skills", "cargo-skills"] {
        run("mkfifo", &["-m", "755", program], &content.path().join(&stem));
    }
    run("tar", &["-czf", archive.to_str().unwrap(), &stem], content.path());
    let digest = sha2::Sha256::digest(fs::read(archive).unwrap());
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn run(program: &str, arguments: &[&str], directory: &Path) -> String {
    let output = Command::new(program).args(arguments).current_dir(directory).output().unwrap();
    assert!(output.status.success(), "{program}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn binstall_looks_for_the_archives_of_the_workflow() {
    let out = TempDir::new().unwrap();
    let target = "x86_64-unknown-linux-musl";
    package(target, out.path());
    let mut made: Vec<String> = fs::read_dir(out.path())
        .unwrap()
        .map(|e| e.unwrap().file_name().into_string().unwrap())
        .collect();
    made.sort();
    let url = checkout::binstall("pkg-url", target);
    let (release, archive) = url.rsplit_once('/').unwrap();
    assert_eq!(made, [archive.to_owned(), format!("{archive}.sha256")]);
    let repository = checkout::package()["repository"].as_str().unwrap();
    assert_eq!(release, format!("{repository}/releases/download/v{}", checkout::version()));
    assert_eq!(checkout::package()["metadata"]["binstall"]["pkg-fmt"], "tgz");

    run("sha256sum", &["--check", "--strict", &format!("{archive}.sha256")], out.path());
    run("tar", &["-xzf", archive], out.path());
    let says = run(
        out.path().join(checkout::binstall("bin-dir", target)).to_str().unwrap(),
        &["--version"],
        out.path(),
    );
    assert_eq!(says, format!("skills {}\n", checkout::version()));
    // binstall installs every binary of the package.
    let binaries =
        checkout::package()["targets"].as_array().unwrap().iter().filter(|t| t["kind"][0] == "bin");
    for binary in binaries.map(|target| target["name"].as_str().unwrap()) {
        let file = checkout::binstall("bin-dir", target).replace("/skills", &format!("/{binary}"));
        assert!(out.path().join(&file).is_file(), "{file} is not in the archive");
    }
    // Each target has its own archive.
    let mut urls: Vec<String> =
        checkout::targets().iter().map(|target| checkout::binstall("pkg-url", target)).collect();
    urls.sort();
    urls.dedup();
    assert_eq!(urls.len(), checkout::targets().len());
}

/// The file names that each shell looks for.
const COMPLETIONS: [&str; 5] =
    ["skills.bash", "skills.elv", "skills.fish", "_skills.ps1", "_skills"];

#[test]
fn archive_has_the_files_of_a_distribution() {
    let out = TempDir::new().unwrap();
    let target = "x86_64-unknown-linux-musl";
    package(target, out.path());
    let name = format!("skills-v{}-{target}", checkout::version());
    let listed = run("tar", &["-tzf", &format!("{name}.tar.gz")], out.path());
    let mut files: Vec<&str> = listed.lines().filter(|line| !line.ends_with('/')).collect();
    files.sort_unstable();
    let inside = |path: &str| files.binary_search(&&*format!("{name}/{path}")).is_ok();
    for path in [
        "skills",
        "cargo-skills",
        "README.md",
        "CHANGELOG.md",
        "LICENSE-APACHE",
        "LICENSE-MIT",
        "THIRD-PARTY-LICENSES.txt",
    ] {
        assert!(inside(path), "{path} in {listed}");
    }
    for path in COMPLETIONS {
        assert!(inside(&format!("completions/{path}")), "{path} in {listed}");
    }
    assert!(files.iter().all(|file| file.starts_with(&format!("{name}/"))), "{listed}");
    run("tar", &["-xzf", &format!("{name}.tar.gz")], out.path());
    for file in files {
        assert_ne!(fs::metadata(out.path().join(file)).unwrap().len(), 0, "{file}");
    }
}

#[test]
fn missing_program_and_missing_licenses_are_named() {
    let out = TempDir::new().unwrap();
    let package = |program: &Path, licenses: &str| {
        let mut command = Command::new(checkout::root().join(".ci/package"));
        let output =
            command.arg("any").arg(program).arg(licenses).arg(out.path()).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8(output.stderr).unwrap()
    };
    let text = package(Path::new("nowhere/skills"), "licenses");
    assert!(text.contains("`nowhere/skills` does not exist; build it first"), "{text}");
    let text = package(program(), "nowhere/licenses");
    assert!(text.contains("`nowhere/licenses` does not exist or is empty"), "{text}");
    assert!(text.contains("create it with .ci/licenses"), "{text}");
    assert_eq!(fs::read_dir(out.path()).unwrap().count(), 0);
}

/// The list of licenses in an archive would otherwise fail in a release, for a license that the
/// checks of a change allow.
#[test]
fn licenses_of_the_archive_are_those_that_are_allowed() {
    let list = |file: &str, key: &str| -> BTreeSet<String> {
        let text = checkout::text(file);
        let (_, list) = text.split_once(&format!("\n{key} = [\n")).unwrap();
        let (list, _) = list.split_once(']').unwrap();
        list.lines().map(|line| line.trim().trim_matches([',', '"']).to_owned()).collect()
    };
    let allowed = list("deny.toml", "allow");
    assert!(allowed.contains("MIT"));
    assert_eq!(list("release/about.toml", "accepted"), allowed);
}
