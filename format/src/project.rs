//! The files of a project, and how the project of a package is found.

use std::path::{Path, PathBuf};

/// The manifest: the skills that a project asks for.
pub const MANIFEST_FILE: &str = "helix.skills.json";
/// The lockfile: the exact versions that it has.
pub const LOCK_FILE: &str = "helix.skills.lock";
/// The store: the files of the skills.
pub const STORE_DIR: &str = "helix.skills";

/// Finds the project of a package: the nearest directory with a manifest, as `skills` finds it, or
/// else with a lockfile, as a published package may have it. Searches from the package up to the
/// root of its workspace, which is the first directory at or above the package whose `Cargo.toml`
/// has a table `[workspace]`. Outside a workspace, only the package itself counts: directories
/// above it, for example in a registry's checkout, are not part of the project.
///
/// `read` returns the text of a file, `exists` whether a file exists.
pub fn find_project(
    package: &Path,
    read: impl Fn(&Path) -> Option<String>,
    exists: impl Fn(&Path) -> bool,
) -> Option<PathBuf> {
    let is_root =
        |dir: &&Path| read(&dir.join("Cargo.toml")).is_some_and(|text| is_workspace(&text));
    let root = package.ancestors().find(is_root).unwrap_or(package);
    let dirs = || package.ancestors().take_while(|dir| dir.starts_with(root));
    let find = |file| dirs().find(|dir| exists(&dir.join(file)));
    find(MANIFEST_FILE).or_else(|| find(LOCK_FILE)).map(Path::to_path_buf)
}

/// Returns whether the text of a `Cargo.toml` has the table `[workspace]`. Checking each line is
/// enough: no other construct in a `Cargo.toml` starts a line like this.
pub fn is_workspace(cargo_toml: &str) -> bool {
    cargo_toml.lines().any(|line| {
        let table = line.trim_start().strip_prefix('[').map(str::trim_start);
        let rest = table.and_then(|table| table.strip_prefix("workspace")).map(str::trim_start);
        rest.is_some_and(|rest| rest.starts_with([']', '.']))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn workspace_tables_are_recognized() {
        for text in [
            "[workspace]",
            "[package]\nname = \"x\"\n\n [ workspace . lints.rust ]",
            "a = 1\r\n[workspace] # here\r\n",
        ] {
            assert!(is_workspace(text), "{text}");
        }
        for text in [
            "",
            "[package]\nworkspace = \"..\"",
            "# [workspace]",
            "[workspaces]",
            "[package.workspace]",
        ] {
            assert!(!is_workspace(text), "{text}");
        }
    }

    #[test]
    fn projects_are_found_up_to_the_workspace_root() {
        let find = |workspace: Option<&str>, project: &str| {
            // As paths, because names are joined by `\` on Windows.
            let is_root = |path: &Path| workspace.is_some_and(|root| path == Path::new(root));
            let read = |path: &Path| is_root(path).then(|| "[workspace]".to_owned());
            find_project(Path::new("/a/b/c"), read, |path| path == Path::new(project))
        };
        let at = |path: &str| Some(PathBuf::from(path));
        assert_eq!(find(None, "/a/b/c/helix.skills.lock"), at("/a/b/c"));
        assert_eq!(find(None, "/a/b/helix.skills.lock"), None);
        assert_eq!(find(Some("/a/Cargo.toml"), "/a/b/helix.skills.json"), at("/a/b"));
        assert_eq!(find(Some("/a/Cargo.toml"), "/a/helix.skills.json"), at("/a"));
        assert_eq!(find(Some("/a/b/Cargo.toml"), "/a/helix.skills.json"), None);
        // A nearer lockfile without a manifest is not what a check in the workspace reads.
        let both = ["/a/b/c/helix.skills.lock", "/a/helix.skills.json"].map(Path::new);
        let root = |path: &Path| (path == Path::new("/a/Cargo.toml")).then(|| "[workspace]".into());
        let found = find_project(Path::new("/a/b/c"), root, |path| both.contains(&path));
        assert_eq!(found, at("/a"));
    }
}
