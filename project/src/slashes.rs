//! Paths in messages, which are the same on every system.

use std::path::{Path, PathBuf};

/// Returns a path with `/` between its names. On Windows, an absolute path is not changed.
pub fn with_slashes(path: &Path) -> PathBuf {
    match path.to_str() {
        Some(text) if cfg!(windows) && path.is_relative() => text.replace('\\', "/").into(),
        _ => path.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relative_paths_have_slashes() {
        let path = Path::new("skills").join("a").join("SKILL.md");
        assert_eq!(with_slashes(&path).to_str(), Some("skills/a/SKILL.md"));
        // A name on Unix.
        let name = Path::new(r"a\b");
        assert_eq!(with_slashes(name).to_str(), Some(if cfg!(windows) { "a/b" } else { r"a\b" }));
    }
}
