//! Access to the files of this checkout.

use serde_json::Value as Json;
use serde_yaml::Value as Yaml;
use std::{fs, path::Path, process::Command, sync::LazyLock};

/// Returns the root of the checkout.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

/// Reads a file of the checkout.
#[track_caller]
pub(crate) fn text(path: &str) -> String {
    fs::read_to_string(root().join(path))
        .unwrap_or_else(|why| panic!("failed to read {path}: {why}"))
}

/// Parses a YAML file of the checkout.
#[track_caller]
pub(crate) fn yaml(path: &str) -> Yaml {
    serde_yaml::from_str(&text(path)).unwrap_or_else(|why| panic!("{path}: {why}"))
}

/// Returns the paths of the workflows.
pub(crate) fn workflows() -> Vec<String> {
    let entries = fs::read_dir(root().join(".github/workflows")).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| format!(".github/workflows/{}", entry.unwrap().file_name().to_string_lossy()))
        .collect();
    names.sort();
    names
}

/// Returns cargo's metadata of the packages of the workspace.
pub(crate) fn packages() -> &'static [Json] {
    static PACKAGES: LazyLock<Vec<Json>> = LazyLock::new(|| packages_of("Cargo.toml"));
    &PACKAGES
}

/// Returns cargo's metadata of the packages of another workspace.
pub(crate) fn packages_of(manifest: &str) -> Vec<Json> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["metadata", "--no-deps", "--offline", "--format-version", "1"]);
    let output = cargo.args(["--manifest-path", manifest]).current_dir(root()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Json = serde_json::from_slice(&output.stdout).unwrap();
    metadata["packages"].as_array().unwrap().clone()
}

/// Returns cargo's metadata of the package `helix-skills-cli`.
pub(crate) fn package() -> &'static Json {
    packages().iter().find(|package| package["name"] == "helix-skills-cli").unwrap()
}

/// Returns the current version, which the next release would have.
pub(crate) fn version() -> &'static str {
    package()["version"].as_str().unwrap()
}

/// A line of `release/targets`.
#[cfg_attr(not(feature = "action"), expect(dead_code, reason = "the installers have a feature"))]
pub(crate) struct Target {
    pub(crate) name: String,
    pub(crate) system: String,
    pub(crate) npm: String,
    pub(crate) homebrew: String,
}

/// Returns the lines of `release/targets`.
pub(crate) fn table() -> Vec<Target> {
    let text = text("release/targets");
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let read = |line: &str| {
        let fields: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        let [name, system, npm, homebrew] = fields.try_into().unwrap();
        Target { name, system, npm, homebrew }
    };
    lines.map(read).collect()
}

/// Returns the released targets.
pub(crate) fn targets() -> Vec<String> {
    table().into_iter().map(|target| target.name).collect()
}

/// Fills in a template of the binstall metadata for a target, as `cargo binstall` does.
#[track_caller]
pub(crate) fn binstall(key: &str, target: &str) -> String {
    let template = package()["metadata"]["binstall"][key].as_str().unwrap();
    let suffix = if target.contains("-windows-") { ".exe" } else { "" };
    let filled = [
        ("{ repo }", package()["repository"].as_str().unwrap()),
        ("{ version }", version()),
        ("{ target }", target),
        ("{ bin }", "skills"),
        ("{ binary-ext }", suffix),
    ]
    .iter()
    .fold(template.to_owned(), |text, (from, to)| text.replace(from, to));
    assert!(!filled.contains('{'), "unknown variable in {filled}");
    filled
}
