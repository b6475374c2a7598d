//! Paths in messages, which are the same on every system.

use helix_skills_format::__internal::nearest;
use std::{
    fs,
    path::{Path, PathBuf},
};

/// Returns a path with `/` between its names. On Windows, an absolute path is not changed.
pub fn with_slashes(path: &Path) -> PathBuf {
    match path.to_str() {
        Some(text) if cfg!(windows) && path.is_relative() => text.replace('\\', "/").into(),
        _ => path.to_owned(),
    }
}

/// Returns the hint for a path that is not there, relative to `start`: a directory with a similar
/// name, or else `otherwise`.
pub fn path_hint(start: &Path, path: &Path, otherwise: &str) -> String {
    let parent = path.parent().unwrap_or(path);
    let entries = fs::read_dir(start.join(parent)).into_iter().flatten().flatten();
    let names = entries.filter(|entry| entry.path().is_dir()).map(|entry| entry.file_name());
    let names: Vec<String> = names.filter_map(|name| name.into_string().ok()).collect();
    let typed = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let near = nearest(typed, names.iter().map(String::as_str));
    let near = near.map(|near| with_slashes(&path.with_file_name(near)));
    near.map_or(otherwise.to_owned(), |near| format!("did you mean `{}`?", near.display()))
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
