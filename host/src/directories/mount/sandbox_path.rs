//! Paths of directories in a sandbox.

use helix_skills_runtime::check_path;

/// Returns an absolute POSIX path other than `/`, without `.` and `..` components and without a
/// trailing slash, or why `text` is none.
pub(super) fn sandbox_path(text: &str) -> Result<String, String> {
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
    Ok(format!("/{inner}"))
}

/// Returns whether one of two paths is inside the other.
pub(super) fn overlap(one: &str, other: &str) -> bool {
    let is_in = |inner: &str, outer: &str| {
        inner.strip_prefix(outer).is_some_and(|rest| rest.starts_with('/'))
    };
    is_in(one, other) || is_in(other, one)
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
            assert_eq!(sandbox_path(text).unwrap(), path);
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
            assert!(sandbox_path(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn paths_overlap_if_one_is_inside_the_other() {
        let overlap =
            |one, other| overlap(&sandbox_path(one).unwrap(), &sandbox_path(other).unwrap());
        assert!(overlap("/skills", "/skills/pdf") && overlap("/a/b/c", "/a/"));
        assert!(!overlap("/skills", "/skills-2") && !overlap("/a", "/b") && !overlap("/a", "/a/"));
    }
}
