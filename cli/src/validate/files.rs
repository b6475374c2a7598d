//! The files of a skill, each read once: for what is in them, and for what they mention.

use helix_skills_format::{
    Finding, SkillMd,
    audit::{Audit, Audited, invisible},
};
use std::{collections::HashMap, fs, io, path::Path};

/// The most bytes of a file that is looked at: what a whole skill may have, unless a project says otherwise.
const MAX_FILE: u64 = 32 * 1024 * 1024;

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
    /// Looks at the SKILL.md `file`, with these bytes, and at the other files of its directory.
    pub(super) fn at(directory: &Path, file: &str, bytes: &[u8], files: &'p [String]) -> Self {
        let mut audit = Audit::default();
        audit.look(file, bytes);
        let mut hidden = invisible(file, bytes);
        hidden.iter_mut().for_each(|found| found.file = None);
        let (mut texts, mut left) = (HashMap::new(), MAX_TEXTS);
        for path in files {
            match read(&directory.join(path)) {
                Ok(bytes) => {
                    audit.look(path, &bytes);
                    hidden.extend(invisible(path, &bytes));
                    if bytes.len() <= MAX_TEXT.min(left)
                        && let Ok(text) = String::from_utf8(bytes)
                    {
                        left -= text.len();
                        texts.insert(path.as_str(), text);
                    }
                }
                Err(why) => audit.pass_over(path, &why),
            }
        }
        let allowed_tools = || SkillMd::parse_bytes(bytes, None, file).ok()?.skill.allowed_tools;
        Self { audited: audit.finish(allowed_tools), invisible: hidden, texts }
    }
}

/// All bytes of a file; else why not.
fn read(path: &Path) -> Result<Vec<u8>, String> {
    let cannot = |error: io::Error| format!("cannot read it: {error}");
    let file = fs::File::open(path).map_err(cannot)?;
    let length = file.metadata().map_err(cannot)?.len();
    let too_large = |length: u64| format!("it has {length} bytes, more than {MAX_FILE}");
    if length > MAX_FILE {
        return Err(too_large(length));
    }
    let mut bytes = Vec::with_capacity(usize::try_from(length).unwrap_or(0) + 1);
    io::Read::read_to_end(&mut io::Read::take(file, MAX_FILE + 1), &mut bytes).map_err(cannot)?;
    if bytes.len() as u64 > MAX_FILE { Err(too_large(bytes.len() as u64)) } else { Ok(bytes) }
}
