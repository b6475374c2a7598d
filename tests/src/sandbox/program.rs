//! The program under test.

use std::{
    env,
    path::{Path, PathBuf},
    process::Command,
    sync::LazyLock,
};

/// Names a program to test in place of the one built here, such as an installed release.
const OVERRIDE: &str = "HELIX_SKILLS_TEST_PROGRAM";

/// The path of the built `skills`; `cargo-skills` lies beside it. The first call of a test binary builds both, which is
/// cheap when they are fresh: a test must never run against yesterday's program.
///
/// # Panics
/// When it cannot be built.
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
    cargo.args(["build", "--quiet", "--package", "helix-skills-cli", "--bins"]);
    cargo.current_dir(env!("CARGO_MANIFEST_DIR")).arg("--target-dir").arg(target);
    match profile.file_name().and_then(|name| name.to_str()) {
        None | Some("debug") => {}
        Some(name) => {
            cargo.args(["--profile", name]);
        }
    }
    let status = cargo.status().expect("cargo runs");
    assert!(status.success(), "the program does not build");
    profile.join("skills").with_extension(env::consts::EXE_EXTENSION)
}
