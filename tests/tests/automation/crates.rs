//! Published crates: what crates.io and docs.rs show of them.

use crate::checkout::{packages, packages_of, root, text, version};
use helix_skills_tests::markdown::blocks;
use regex::Regex;
use serde_json::Value;
use std::{
    path::{Path, PathBuf},
    sync::LazyLock,
};

/// The directories of everything that is not a library or program for users.
const UNPUBLISHED: [&str; 5] = ["benches", "docs", "examples", "fuzz", "tests"];

/// Returns the published packages with their names. `rig` is a workspace of its own.
fn published() -> impl Iterator<Item = (&'static str, &'static Value)> {
    static RIG: LazyLock<Vec<Value>> = LazyLock::new(|| packages_of("rig/Cargo.toml"));
    let all = packages().iter().chain(&*RIG);
    let named = all.map(|package| (package["name"].as_str().unwrap(), package));
    named.filter(|(_, package)| package["publish"].is_null())
}

/// Returns the directory of a package, relative to the checkout.
fn directory(package: &Value) -> PathBuf {
    let manifest = Path::new(package["manifest_path"].as_str().unwrap());
    manifest.parent().unwrap().strip_prefix(root()).unwrap().to_owned()
}

fn strings(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|value| value.as_str().unwrap()).collect()
}

#[test]
fn only_crates_for_users_are_published() {
    for package in packages() {
        let directory = directory(package);
        let first = directory.iter().next().map_or("", |part| part.to_str().unwrap());
        let is_for_users = !UNPUBLISHED.contains(&first);
        assert_eq!(package["publish"].is_null(), is_for_users, "{}", directory.display());
    }
    for manifest in ["benches", "examples/rig-agent", "fuzz"] {
        let manifest = text(&format!("{manifest}/Cargo.toml"));
        assert!(manifest.contains("\npublish = false\n"), "{manifest}");
    }
    assert!(published().count() >= 12);
}

#[test]
fn published_crates_describe_themselves() {
    for (name, package) in published() {
        // That of `rig` names the version of rig after a `+`.
        let own = package["version"].as_str().unwrap();
        assert_eq!(own.split('+').next(), Some(version()), "{name}");
        assert_eq!(package["license"], "MIT OR Apache-2.0", "{name}");
        assert!(package["description"].as_str().is_some_and(|text| text.len() > 20), "{name}");
        let (keywords, categories) = (&package["keywords"], &package["categories"]);
        // What crates.io accepts.
        assert!((1..=5).contains(&strings(keywords).len()), "{name}: {keywords}");
        for keyword in strings(keywords) {
            let is_valid = keyword.len() <= 20
                && keyword.starts_with(|first: char| first.is_ascii_alphanumeric())
                && keyword.chars().all(|c| c.is_ascii_alphanumeric() || "_-+".contains(c));
            assert!(is_valid, "{name}: {keyword}");
        }
        assert!((1..=5).contains(&strings(categories).len()), "{name}: {categories}");
        let is_library = package["targets"]
            .as_array()
            .unwrap()
            .iter()
            .any(|target| target["kind"][0] == "lib" || target["kind"][0] == "proc-macro");
        let docs = &package["metadata"]["docs"]["rs"];
        assert_eq!(docs["rustdoc-args"].is_array(), is_library, "{name}: {docs}");
        let has_features = package["features"].as_object().is_some_and(|all| !all.is_empty());
        let has_all = docs["all-features"] == true;
        assert!(has_all || !has_features || !is_library, "{name}: {docs}");
    }
}

#[test]
fn texts_name_the_version_of_rig() {
    let (_, package) = published().find(|(name, _)| *name == "helix-skills-rig").unwrap();
    let own = package["version"].as_str().unwrap();
    let (_, minor) = own.split_once("+rig-").unwrap();
    let dependencies = package["dependencies"].as_array().unwrap().iter();
    for rig in dependencies.filter(|dependency| dependency["name"] == "rig") {
        assert_eq!(rig["req"], format!("^{minor}"));
    }
    // Such as `rig 0.46`, `rig@0.46` and `+rig-0.46`.
    let of_rig = Regex::new(r"\brig\S*[ @-]\**([0-9]+\.[0-9]+)").unwrap();
    for path in ["rig/README.md", "rig/src/lib.rs", "docs/src/how-to/rig.md"] {
        let text = text(path);
        assert!(text.contains(&format!("`{own}`")), "{path}: expected `{own}`");
        for named in of_rig.captures_iter(&text) {
            assert_eq!(&named[1], minor, "{path}: {}", &named[0]);
        }
    }
}

#[test]
fn other_workspaces_lock_the_version_of_the_crates() {
    for path in ["fuzz/Cargo.lock", "rig/Cargo.lock"] {
        let lockfile = text(path);
        let mut locked = 0;
        for (name, package) in published() {
            let Some((_, after)) = lockfile.split_once(&format!("\nname = \"{name}\"\n")) else {
                continue;
            };
            let expected = format!("version = {}", package["version"]);
            let manifest = path.replace(".lock", ".toml");
            assert_eq!(
                after.lines().next(),
                Some(&*expected),
                "{path}: {name}: run `cargo update --workspace --manifest-path {manifest}`"
            );
            locked += 1;
        }
        assert!(locked >= 3, "{path}");
    }
}

#[test]
fn published_crates_depend_on_exact_versions_of_each_other() {
    for (name, package) in published() {
        for dependency in package["dependencies"].as_array().unwrap() {
            // Without a version, cargo leaves out a dependency of tests when it packages a crate.
            let is_own = dependency["path"].is_string() && dependency["req"] != "*";
            if is_own {
                assert_eq!(dependency["req"], format!("={}", version()), "{name}: {dependency}");
            }
            assert!(
                is_own || dependency["kind"] == "dev" || dependency["path"].is_null(),
                "{name}"
            );
        }
    }
}

#[test]
fn published_crates_have_a_readme_that_is_compiled() {
    let guide = text("docs/guide.rs");
    for (name, package) in published() {
        let directory = directory(package);
        assert_eq!(package["readme"], "README.md", "{name}");
        let readme = text(directory.join("README.md").to_str().unwrap());
        // The README of the repository is that of the facade.
        let title = if directory == Path::new("") { "Helix Skills" } else { name };
        assert!(readme.starts_with(&format!("# {title}\n")), "{name}");
        let mut examples = 0;
        for (language, block) in blocks(&readme) {
            if language.starts_with("rust") {
                assert!(!language.contains("ignore"), "{name}: {block}");
                let is_shown = |line: &str| line != "#" && !line.starts_with("# ");
                assert!(block.lines().all(is_shown), "{name}: crates.io shows hidden lines");
                examples += 1;
            }
        }
        if name == "helix-skills-cli" {
            assert!(readme.contains("\n$ cargo install helix-skills-cli\n"));
            continue;
        }
        assert!(examples >= 1, "{name}: no example");
        let source = text(directory.join("src/lib.rs").to_str().unwrap());
        let is_tested = source.contains("#[cfg(doctest)]\n#[doc = include_str!(\"../README.md\")]")
            || guide.contains(&format!("\"../{}/README.md\"", directory.display()))
            // Built and run by the tests of consumers.
            || name == "helix-skills";
        assert!(is_tested, "{name}: README.md is not a doctest");
    }
}

#[test]
fn published_crates_have_the_licenses() {
    for (name, package) in published() {
        for license in ["LICENSE-APACHE", "LICENSE-MIT"] {
            let path = directory(package).join(license);
            assert_eq!(text(path.to_str().unwrap()), text(license), "{name}");
        }
    }
}
