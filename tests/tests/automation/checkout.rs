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
    static PACKAGES: LazyLock<Vec<Json>> = LazyLock::new(|| {
        let mut cargo = Command::new(env!("CARGO"));
        cargo
            .args(["metadata", "--no-deps", "--offline", "--format-version", "1"])
            .current_dir(root());
        let output = cargo.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let metadata: Json = serde_json::from_slice(&output.stdout).unwrap();
        metadata["packages"].as_array().unwrap().clone()
    });
    &PACKAGES
}

/// Returns cargo's metadata of the package `helix-skills-cli`.
pub(crate) fn package() -> &'static Json {
    packages().iter().find(|package| package["name"] == "helix-skills-cli").unwrap()
}

/// Returns the current version, which the next release would have.
pub(crate) fn version() -> &'static str {
    package()["version"].as_str().unwrap()
}

/// Returns the targets that the release workflow builds for.
pub(crate) fn targets() -> Vec<String> {
    let workflow = yaml(".github/workflows/release.yml");
    let rows =
        workflow["jobs"]["build"]["strategy"]["matrix"]["include"].as_sequence().unwrap().clone();
    rows.iter().map(|row| row["target"].as_str().unwrap().to_owned()).collect()
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
