//! The files of one locked skill against its listing.

use crate::{
    problem::{Help, Problem},
    skill::{BakedResource, Kind},
};
use helix_skills_format::{Digest, Finding, Listing, SkillMd, SkillName, invisible};
use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// How many files of one skill are reported one by one.
const MAX_REPORTED: usize = 20;

/// Files that are, byte for byte, what the listing says.
pub(crate) struct Proved {
    /// `SKILL.md`: where it is, its bytes, and their digest.
    pub(crate) skill_md: (PathBuf, Vec<u8>, Digest),
    pub(crate) resources: Vec<BakedResource>,
    /// What is invisible in all of them.
    pub(crate) invisible: Vec<Finding>,
}

/// Reads each file once, hashes it once, and tells of every one that is not what it should be.
///
/// `mend` is what puts a wrong file right.
pub(crate) fn prove(
    name: &SkillName,
    dir: &Path,
    listing: &Listing,
    mend: Help,
) -> Result<Proved, Vec<Problem>> {
    let mut problems = Vec::new();
    let (mut skill_md, mut invisible) = (None, Vec::new());
    let mut resources = Vec::with_capacity(listing.len());
    for (path, expected) in listing.iter() {
        let file = path.split('/').fold(dir.to_path_buf(), |dir, part| dir.join(part));
        let (found, bytes) = match read_digested(&file, expected) {
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let title = format!("the file `{path}` of the skill `{name}` is missing");
                problems.push(
                    Problem::new(title).file(&file).detail("expected", sha256(expected)).help(mend),
                );
                continue;
            }
            Err(error) => {
                problems.push(Problem::io(&file, &error).help(mend));
                continue;
            }
        };
        if found != expected {
            let title = format!("the file `{path}` of the skill `{name}` is not what was locked");
            let problem = Problem::new(title).file(&file);
            let problem =
                problem.detail("expected", sha256(expected)).detail("found", sha256(found));
            problems.push(problem.help(if expected.matches_other_line_endings(&bytes) {
                mend.of_line_ends()
            } else {
                mend
            }));
            continue;
        }
        invisible.extend(invisible::check_file_unoptimized(path, &bytes));
        if SkillMd::is_file_name(path) && skill_md.is_none() {
            skill_md = Some((file, bytes, expected));
        } else {
            let (len, kind) = (bytes.len(), Kind::of(&bytes));
            resources.push(BakedResource {
                path: path.clone(),
                file,
                len,
                kind,
                digest: Some(expected),
            });
        }
    }
    if problems.len() > MAX_REPORTED {
        let more = problems.len() - MAX_REPORTED;
        problems.truncate(MAX_REPORTED);
        problems.push(
            Problem::new(format!(
                "{more} more files of the skill `{name}` are not what was locked"
            ))
            .help(mend),
        );
    }
    match skill_md {
        Some(skill_md) if problems.is_empty() => Ok(Proved { skill_md, resources, invisible }),
        None if problems.is_empty() => {
            let title = format!("the listing of the skill `{name}` names no `SKILL.md`");
            Err(vec![Problem::new(title).file(dir).help(Help::Sync)])
        }
        _ => Err(problems),
    }
}

/// Files in the directory of a stored skill that its listing does not name. They would not be
/// baked; but somebody thinks that they are part of the skill.
///
/// Seen whenever the macro runs. A file that is added makes cargo run it only where a build script
/// watches the store.
pub(crate) fn unlisted(name: &SkillName, dir: &Path, listing: &Listing) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut found = Vec::new();
    let mut open = vec![(dir.to_path_buf(), String::new())];
    while let Some((dir, prefix)) = open.pop() {
        let entries = match fs::read_dir(&dir) {
            Ok(entries) => entries,
            Err(error) => {
                problems.push(Problem::io(&dir, &error));
                continue;
            }
        };
        for entry in entries.flatten() {
            let path = format!("{prefix}{}", entry.file_name().to_string_lossy());
            // A link to a directory is a file that no listing names.
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                open.push((entry.path(), format!("{path}/")));
            } else if listing.get(&path).is_none() {
                found.push((path, entry.path()));
            }
        }
    }
    found.sort();
    problems.extend(found.iter().take(MAX_REPORTED).map(|(path, file)| {
        let title = format!("the file `{}` is not part of the skill `{name}`", path.escape_debug());
        Problem::new(title).file(file).help(Help::Remove)
    }));
    problems
}

/// The digest of a file and its bytes; without them if it is long, and not the one that is
/// expected: whoever can edit the store could fill any memory.
fn read_digested(file: &Path, expected: Digest) -> io::Result<(Digest, Vec<u8>)> {
    const LONG: u64 = 64 << 20;
    let metadata = fs::metadata(file)?;
    if metadata.is_file() && metadata.len() > LONG {
        let found = Digest::hash_reader(&mut fs::File::open(file)?)?;
        if found != expected {
            return Ok((found, Vec::new()));
        }
    }
    let bytes = read(file)?;
    Ok((Digest::hash(&bytes), bytes))
}

/// The bytes of a plain file, or of one that a link leads to. A device or a pipe might never end.
pub(crate) fn read(file: &Path) -> io::Result<Vec<u8>> {
    if fs::metadata(file)?.is_file() {
        fs::read(file)
    } else {
        Err(io::Error::other("it is no file"))
    }
}

pub(crate) fn sha256(digest: Digest) -> String {
    format!("sha256:{digest}")
}
