//! The files of a skill, each read once: for what is in them, and for what they mention.

use helix_skills_format::{Finding, invisible::check_file};
use helix_skills_lint::{Audit, Audited};
use std::{collections::HashMap, fs, io, path::Path};

/// Maximum size in bytes of a file that is read: that of a whole skill by default.
const MAX_FILE: u64 = 32 * 1024 * 1024;

/// Maximum number of bytes that are read of a skill, more than a manifest commonly allows: links can
/// make one large file appear many times.
pub(super) const MAX_BYTES: u64 = 8 * MAX_FILE;

/// Texts are kept for the rules up to this size, and so much of them in all.
const MAX_TEXT: usize = 1024 * 1024;
const MAX_TEXTS: usize = 16 * 1024 * 1024;

/// What was noticed in the files of a skill, and the texts among them.
pub(super) struct Looked<'p> {
    pub(super) audited: Audited,
    /// What nobody sees in them. That of the SKILL.md names no file, like all else that is told of it.
    pub(super) invisible: Vec<Finding>,
    pub(super) texts: HashMap<&'p str, String>,
}

impl<'p> Looked<'p> {
    /// Looks at the SKILL.md `file` with these bytes, and at the other files of its directory, of
    /// which at most `bytes_left` bytes are read.
    pub(super) fn at(
        directory: &Path,
        file: &str,
        bytes: &[u8],
        files: &'p [String],
        mut bytes_left: u64,
    ) -> Self {
        let mut audit = Audit::default();
        audit.scan(file, bytes);
        let mut hidden = check_file(file, bytes);
        hidden.iter_mut().for_each(|found| found.file = None);
        let (mut texts, mut left) = (HashMap::new(), MAX_TEXTS);
        for path in files {
            match read(&directory.join(path), bytes_left) {
                Ok(bytes) => {
                    bytes_left -= bytes.len() as u64;
                    audit.scan(path, &bytes);
                    hidden.extend(check_file(path, &bytes));
                    if bytes.len() <= MAX_TEXT.min(left)
                        && let Ok(text) = String::from_utf8(bytes)
                    {
                        left -= text.len();
                        texts.insert(path.as_str(), text);
                    }
                }
                Err(why) => audit.skip(path, &why),
            }
        }
        Self { audited: audit.finish(), invisible: hidden, texts }
    }
}

/// Reads a file that has at most `left` bytes, or returns why it is not read.
fn read(path: &Path, left: u64) -> Result<Vec<u8>, String> {
    let cannot = |error: io::Error| format!("cannot read it: {error}");
    let file = fs::File::open(path).map_err(cannot)?;
    let length = file.metadata().map_err(cannot)?.len();
    let check = |length: u64| match length {
        _ if length > MAX_FILE => Err(format!("it has {length} bytes, more than {MAX_FILE}")),
        _ if length > left => Err("the files of the skill are too large in total".to_owned()),
        _ => Ok(()),
    };
    check(length)?;
    let mut bytes = Vec::with_capacity(usize::try_from(length).unwrap_or(0) + 1);
    io::Read::read_to_end(&mut io::Read::take(file, MAX_FILE.min(left) + 1), &mut bytes)
        .map_err(cannot)?;
    check(bytes.len() as u64)?;
    Ok(bytes)
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use crate::disk::{Durable, write};

    #[test]
    fn bytes_read_of_a_skill_are_bounded() {
        let directory = tempfile::tempdir().unwrap();
        let path = |name: &str| directory.path().join(name);
        write(&path("large"), &[b'x'; 40], Durable::No).unwrap();
        let mut files: Vec<String> = (0..5).map(|n| format!("link{n}")).collect();
        files.iter().for_each(|name| std::os::unix::fs::symlink("large", path(name)).unwrap());
        write(&path("small"), b"y", Durable::No).unwrap();
        files.push("small".to_owned());
        let looked = Looked::at(directory.path(), "SKILL.md", b"", &files, 100);
        // Two of the five, and what still fits.
        let mut read: Vec<_> = looked.texts.into_keys().collect();
        read.sort_unstable();
        assert_eq!((read, looked.audited.unread), (vec!["link0", "link1", "small"], 3));
    }
}
