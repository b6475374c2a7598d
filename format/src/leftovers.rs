//! Files that editors, interpreters and operating systems leave behind in directories.
//!
//! A skill that is read in place, from a `path` source, `include_skills!(dir = …)` or directories
//! at run time, does not include them: they differ between machines, and change without the skill.
//! In a repository they are part of the commit, which is pinned as a whole, so they are kept.

/// A pattern of the names of files and directories that are leftovers. A `*` at the start or the
/// end stands for any characters; other names match in any case.
struct Leftover {
    pattern: &'static str,
    /// Whether an interpreter loads code from it, so that an added file can change what a script
    /// does.
    is_code: bool,
}

/// The list, which the guide's page of the manifest has as well.
const LEFTOVERS: [Leftover; 9] = [
    Leftover { pattern: ".DS_Store", is_code: false },
    Leftover { pattern: "Thumbs.db", is_code: false },
    Leftover { pattern: "desktop.ini", is_code: false },
    Leftover { pattern: "*~", is_code: false },
    Leftover { pattern: "*.swp", is_code: false },
    Leftover { pattern: ".#*", is_code: false },
    Leftover { pattern: "__pycache__", is_code: true },
    Leftover { pattern: "*.pyc", is_code: true },
    Leftover { pattern: "node_modules", is_code: true },
];

impl Leftover {
    fn matches(&self, name: &str) -> bool {
        if let Some(end) = self.pattern.strip_prefix('*') {
            name.ends_with(end)
        } else if let Some(start) = self.pattern.strip_suffix('*') {
            name.starts_with(start)
        } else {
            name.eq_ignore_ascii_case(self.pattern)
        }
    }
}

/// Returns the pattern that the path of a file in a skill, or a directory that it is in, matches.
/// `None` if the file is not a leftover.
pub fn leftover(path: &str) -> Option<&'static str> {
    find(path).map(|found| found.pattern)
}

/// Returns whether a path is a leftover that no interpreter loads code from. Next to verified files
/// it can be ignored.
pub fn is_inert_leftover(path: &str) -> bool {
    path.split('/').filter_map(find).all(|found| !found.is_code) && find(path).is_some()
}

fn find(path: &str) -> Option<&'static Leftover> {
    path.split('/').find_map(|name| LEFTOVERS.iter().find(|leftover| leftover.matches(name)))
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
