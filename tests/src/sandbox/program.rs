//! The program under test.

use std::{
    env,
    path::{Path, PathBuf},
    process::Command,
    sync::LazyLock,
};

/// Environment variable with the path of a program to test instead of the one built here, such as
/// an installed release.
const OVERRIDE: &str = "HELIX_SKILLS_TEST_PROGRAM";

/// Environment variable that says that this program is for Windows, and runs under Wine.
const WINE: &str = "HELIX_SKILLS_TEST_WINE";

/// Returns whether the program is for Windows, and runs under Wine.
#[must_use]
pub fn is_in_wine() -> bool {
    static IS_IN_WINE: LazyLock<bool> = LazyLock::new(|| env::var_os(WINE).is_some());
    *IS_IN_WINE
}

/// Returns the distance of the changes to the disk before which a test kills the program: all of
/// them, but only some under Wine, where a run takes longer.
#[must_use]
pub fn kill_stride() -> usize {
    if is_in_wine() { 7 } else { 1 }
}

/// Returns the path of the built `skills`; `cargo-skills` is in the same directory.
///
/// The first call in a test binary builds both, so that tests never run against an outdated
/// program. This is cheap if they are fresh.
///
/// # Panics
/// If the build fails.
#[must_use]
pub fn program() -> &'static Path {
    static PROGRAM: LazyLock<PathBuf> =
        LazyLock::new(|| env::var_os(OVERRIDE).map_or_else(build, PathBuf::from));
    &PROGRAM
}

fn build() -> PathBuf {
    // target/debug/deps/journeys-0123
    let test = env::current_exe().expect("the path of this test");
    let profile = test.ancestors().nth(2).expect("a profile's directory above the test");
    let target = profile.parent().expect("the target directory above a profile's");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--quiet", "--workspace", "--bin", "skills", "--bin", "cargo-skills"]);
    // Naming any test makes cargo enable the features that `cargo test --workspace` enables.
    // Otherwise all dependencies would be built twice.
    cargo.args(["--test", "sha256sum"]);
    cargo.current_dir(env!("CARGO_MANIFEST_DIR")).arg("--target-dir").arg(target);
    match profile.file_name().and_then(|name| name.to_str()) {
        None | Some("debug") => {}
        Some(name) => {
            cargo.args(["--profile", name]);
        }
    }
    let status = cargo.status().expect("cargo runs");
    assert!(status.success(), "failed to build the program");
    profile.join("skills").with_extension(env::consts::EXE_EXTENSION)
}
