//! Reads the files of a skill, each once, for invisible text and for the rules on mentions.

use crate::regular_file::{self, Links};
use helix_skills_format::{__internal::invisible::check_file, Code, Finding};
use std::{collections::HashMap, io, path::Path};

/// Maximum size in bytes of a file that is read: the default of `limits.bytesPerSkill`.
const MAX_FILE: u64 = 32 * 1024 * 1024;

/// Maximum number of bytes that are read of a skill. There is a limit because links can make one
/// large file appear many times.
pub(super) const MAX_BYTES: u64 = 8 * MAX_FILE;

/// Maximum size in bytes of a text that is kept for the rules.
const MAX_TEXT: usize = 1024 * 1024;
/// Maximum total size in bytes of the texts that are kept.
const MAX_TEXTS: usize = 16 * 1024 * 1024;

/// What was found in the files of a skill, and their texts.
pub(super) struct ScannedFiles<'p> {
    /// Invisible text, and files that were not read. Findings in the SKILL.md name no file, like
    /// all others in it.
    pub(super) found: Vec<Finding>,
    pub(super) texts: HashMap<&'p str, String>,
}

impl<'p> ScannedFiles<'p> {
    /// Checks the SKILL.md `file` with these bytes, and the other files of its directory, of which
    /// at most `bytes_left` bytes are read.
    pub(super) fn scan(
        directory: &Path,
        file: &str,
        bytes: &[u8],
        files: &'p [String],
        mut bytes_left: u64,
    ) -> Self {
        let mut found = check_file(file, bytes);
        found.iter_mut().for_each(|found| found.file = None);
        let (mut texts, mut left) = (HashMap::new(), MAX_TEXTS);
        for path in files {
            match read(&directory.join(path), bytes_left) {
                Ok(bytes) => {
                    bytes_left -= bytes.len() as u64;
                    found.extend(check_file(path, &bytes));
                    if bytes.len() <= MAX_TEXT.min(left)
                        && let Ok(text) = String::from_utf8(bytes)
                    {
                        left -= text.len();
                        texts.insert(path.as_str(), text);
                    }
                }
                Err(why) => {
                    let what = format!("the content of the file was not checked: {why}");
                    let unread = Finding::new(Code::UnreadFile, None, what);
                    found.push(unread.hint("review it yourself, or exclude it").in_file(path));
                }
            }
        }
        Self { found, texts }
    }
}

/// Reads a file of at most `left` bytes, or returns why it is not read.
fn read(path: &Path, left: u64) -> Result<Vec<u8>, String> {
    regular_file::read(path, Links::Follow, MAX_FILE.min(left)).map_err(|error| {
        match error.kind() {
            io::ErrorKind::InvalidInput if left < MAX_FILE => {
                "the files of the skill are too large in total".to_owned()
            }
            io::ErrorKind::InvalidInput => error.to_string(),
            _ => format!("cannot read it: {error}"),
        }
    })
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use crate::disk::{Durable, RootedDir};

    #[test]
    fn bytes_read_of_a_skill_are_bounded() {
        let directory = tempfile::tempdir().unwrap();
        let path = |name: &str| directory.path().join(name);
        let write = |name: &str, bytes: &[u8]| {
            let root = RootedDir::open(directory.path()).unwrap();
            root.write(Path::new(name), bytes, Durable::No).unwrap();
        };
        write("large", &[b'x'; 40]);
        let mut files: Vec<String> = (0..5).map(|n| format!("link{n}")).collect();
        files.iter().for_each(|name| std::os::unix::fs::symlink("large", path(name)).unwrap());
        write("small", b"y");
        files.push("small".to_owned());
        let scanned = ScannedFiles::scan(directory.path(), "SKILL.md", b"", &files, 100);
        // Two of the five links, and the small file that still fits.
        let mut read: Vec<_> = scanned.texts.into_keys().collect();
        read.sort_unstable();
        assert_eq!((read, scanned.found.len()), (vec!["link0", "link1", "small"], 3));
        assert!(scanned.found.iter().all(|found| found.code == Code::UnreadFile));
    }
}
