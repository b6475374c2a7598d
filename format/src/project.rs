//! The files of a project, and how the project of a package is found.

use std::path::Path;

/// The manifest: the skills that a project asks for.
pub const MANIFEST_FILE: &str = "helix.skills.json";
/// The lockfile: the exact versions that it has.
pub const LOCK_FILE: &str = "helix.skills.lock";
/// The store: the files of the skills.
pub const STORE_DIR: &str = "helix.skills";

/// Finds the project of a package: the nearest directory with a manifest, from the package up, as
/// `skills` finds it. If there is none, it is the package itself if that has a lockfile, as a
/// published package may have it.
///
/// `exists` returns whether a file exists.
///
/// # Errors
/// The package has a lockfile without a manifest, and the returned directory above it has one: no
/// check in there reads this lockfile.
pub fn find_project(
    package: &Path,
    exists: impl Fn(&Path) -> bool,
) -> Result<Option<&Path>, &Path> {
    let found = package.ancestors().find(|dir| exists(&dir.join(MANIFEST_FILE)));
    match found {
        Some(above) if above != package && exists(&package.join(LOCK_FILE)) => Err(above),
        None if exists(&package.join(LOCK_FILE)) => Ok(Some(package)),
        found => Ok(found),
    }
}

/// Returns the message and the hint of the error of [`find_project`].
pub fn stray_lockfile(package: &Path, above: &Path) -> (String, &'static str) {
    let (own, above) = (package.join(LOCK_FILE), above.join(MANIFEST_FILE));
    let what = format!("`{}` has no manifest, but there is `{}`", own.display(), above.display());
    (what, "remove this lockfile and its store, or add its manifest")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn project_is_the_nearest_manifest_or_the_package() {
        let package = Path::new("/a/b/c");
        // As paths, because names are joined by `\` on Windows.
        let find = |files: &[&str]| {
            find_project(package, |path| files.iter().any(|file| path == Path::new(file)))
        };
        let at = |path: &'static str| Ok(Some(Path::new(path)));
        assert_eq!(find(&[]), Ok(None));
        assert_eq!(find(&["/a/b/helix.skills.json", "/a/helix.skills.json"]), at("/a/b"));
        assert_eq!(find(&["/a/b/c/helix.skills.json", "/a/b/c/helix.skills.lock"]), at("/a/b/c"));
        assert_eq!(find(&["/a/b/c/helix.skills.lock"]), at("/a/b/c"));
        assert_eq!(find(&["/a/b/helix.skills.lock"]), Ok(None));
        assert_eq!(find(&["/a/b/helix.skills.lock", "/a/helix.skills.json"]), at("/a"));
        let both = ["/a/b/c/helix.skills.lock", "/a/helix.skills.json"];
        assert_eq!(find(&both), Err(Path::new("/a")));
    }
}
