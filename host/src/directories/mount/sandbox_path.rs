//! Paths of directories in a sandbox.

use helix_skills_runtime::check_path;
use std::fmt;

/// An absolute POSIX path other than `/`, without `.` and `..` components and without a trailing
/// slash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SandboxPath(String);

impl SandboxPath {
    /// Checks a path.
    pub(super) fn new(text: &str) -> Result<Self, String> {
        if text.is_empty() {
            return Err("its root has no path in the sandbox; set one with `Root::at`".to_owned());
        }
        let Some(inner) = text.strip_prefix('/') else {
            return Err("a sandbox path must begin with `/`".to_owned());
        };
        let inner = inner.strip_suffix('/').unwrap_or(inner);
        if inner.is_empty() {
            return Err("a sandbox path cannot be the root of the sandbox".to_owned());
        }
        check_path(inner).map_err(|error| error.to_string())?;
        Ok(Self(format!("/{inner}")))
    }

    /// Returns whether one of the two is inside the other.
    pub(super) fn overlaps(&self, other: &Self) -> bool {
        let is_in = |inner: &str, outer: &str| {
            inner.strip_prefix(outer).is_some_and(|rest| rest.starts_with('/'))
        };
        is_in(&self.0, &other.0) || is_in(&other.0, &self.0)
    }

    /// Returns the path of an entry in it.
    pub(super) fn join(&self, name: &str) -> String {
        format!("{}/{name}", self.0)
    }
}

impl fmt::Display for SandboxPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sandbox_path_is_absolute_and_normalized() {
        for (text, path) in [
            ("/skills", "/skills"),
            ("/skills/", "/skills"),
            ("/home/me/.skills", "/home/me/.skills"),
        ] {
            assert_eq!(SandboxPath::new(text).unwrap().to_string(), path);
        }
        for text in [
            "",
            "skills",
            "/",
            "//",
            "/a//b",
            "/a/../b",
            "/./a",
            "/..",
            "C:\\skills",
            "/a\\b",
            "/a\nb",
            "/a\0",
            "~/a",
        ] {
            assert!(SandboxPath::new(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn paths_overlap_if_one_is_inside_the_other() {
        let overlap =
            |one, other| SandboxPath::new(one).unwrap().overlaps(&SandboxPath::new(other).unwrap());
        assert!(overlap("/skills", "/skills/pdf") && overlap("/a/b/c", "/a/"));
        assert!(!overlap("/skills", "/skills-2") && !overlap("/a", "/b") && !overlap("/a", "/a/"));
    }
}
