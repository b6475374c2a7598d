//! Files that editors, interpreters and operating systems leave behind in directories.
//!
//! A skill that is read in place, from a `path` source, `include_skills!(dir = …)` or directories
//! at run time, does not include them: they differ between machines, and change without the skill.
//! In a repository they are part of the commit, which is pinned as a whole, so they are kept.

/// Patterns of the names of files and directories that are leftovers; the guide's page of the
/// manifest has this list as well. A `*` at the start or the end stands for any characters; other
/// names match in any case.
///
/// The flag is set if an interpreter loads code from the file, so that an added file can change
/// what a script does.
const LEFTOVERS: [(&str, bool); 9] = [
    (".DS_Store", false),
    ("Thumbs.db", false),
    ("desktop.ini", false),
    ("*~", false),
    ("*.swp", false),
    (".#*", false),
    ("__pycache__", true),
    ("*.pyc", true),
    ("node_modules", true),
];

/// Returns the pattern that the path of a file in a skill, or a directory that it is in, matches.
/// `None` if the file is not a leftover.
pub fn leftover(path: &str) -> Option<&'static str> {
    path.split('/').find_map(find).map(|(pattern, _)| pattern)
}

/// Returns whether a path is a leftover that no interpreter loads code from. Next to verified files
/// it can be ignored.
pub fn is_inert_leftover(path: &str) -> bool {
    leftover(path).is_some() && path.split('/').filter_map(find).all(|(_, is_code)| !is_code)
}

fn find(name: &str) -> Option<(&'static str, bool)> {
    LEFTOVERS.into_iter().find(|(pattern, _)| {
        if let Some(end) = pattern.strip_prefix('*') {
            name.ends_with(end)
        } else if let Some(start) = pattern.strip_suffix('*') {
            name.starts_with(start)
        } else {
            name.eq_ignore_ascii_case(pattern)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leftovers_match_in_every_directory() {
        for (path, pattern) in [
            (".DS_Store", ".DS_Store"),
            ("a/b/.ds_store", ".DS_Store"),
            ("THUMBS.DB", "Thumbs.db"),
            ("Desktop.ini", "desktop.ini"),
            ("SKILL.md~", "*~"),
            (".SKILL.md.swp", "*.swp"),
            (".#SKILL.md", ".#*"),
            ("scripts/__pycache__/x.txt", "__pycache__"),
            ("scripts/x.pyc", "*.pyc"),
            ("node_modules/a/index.js", "node_modules"),
        ] {
            assert_eq!(leftover(path), Some(pattern), "{path}");
        }
        for path in ["SKILL.md", "a~b", "swp", "#x", ".env", "x.py", "node_modules.md", "DS_Store"]
        {
            assert_eq!(leftover(path), None, "{path}");
        }
    }

    #[test]
    fn leftovers_with_code_are_not_inert() {
        for path in [".DS_Store", "a/Thumbs.db", "SKILL.md~", ".SKILL.md.swp", ".#x"] {
            assert!(is_inert_leftover(path), "{path}");
        }
        for path in ["x.pyc", "a~/x.pyc", "node_modules/.DS_Store", "__pycache__/x~", "SKILL.md"] {
            assert!(!is_inert_leftover(path), "{path}");
        }
    }
}
