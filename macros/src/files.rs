//! Verifying the files of a locked skill against its listing.

use crate::{
    problem::{Fix, Problem, help},
    skill::Files,
};
use helix_skills_format::{__internal::is_inert_leftover, Digest, Listing, SkillName};
use std::{fs, io, path::Path};

/// Maximum number of files of one skill that are reported individually.
const MAX_REPORTED: usize = 20;

/// Reads and hashes each file once, and reports every file that does not match the listing.
///
/// A file in the store (`is_stored`) may not be a link.
///
/// The macro verifies whenever it runs, because the store is a directory that anyone with access to
/// the checkout can edit.
pub(crate) fn verify(
    name: &SkillName,
    dir: &Path,
    listing: &Listing,
    is_stored: bool,
) -> Result<Files, Vec<Problem>> {
    let fix = if is_stored { Fix::STORED } else { Fix::IN_PLACE };
    let mut problems = Vec::new();
    let mut files = Files::default();
    for (path, expected) in listing.iter() {
        let file = path.split('/').fold(dir.to_path_buf(), |dir, part| dir.join(part));
        if let Some(problem) = refused_link(&file).filter(|_| is_stored) {
            problems.push(problem);
            continue;
        }
        let title = |is_missing| {
            let what = if is_missing { "is missing" } else { "does not match the lockfile" };
            format!("the file `{path}` of the skill `{name}` {what}")
        };
        let help = |bytes: &[u8]| match expected.matches_other_line_endings(bytes) {
            true => fix.line_endings,
            false => fix.content,
        };
        match read_expected(&file, expected, title, fix.content, help) {
            Ok(bytes) => files.add(path.clone(), file, bytes, Some(expected)),
            Err(problem) => problems.push(problem),
        }
    }
    if problems.len() > MAX_REPORTED {
        let more = problems.len() - MAX_REPORTED;
        problems.truncate(MAX_REPORTED);
        let title = format!("{more} more files of the skill `{name}` do not match the lockfile");
        problems.push(Problem::new(title).help(fix.content));
    }
    if problems.is_empty() && files.skill_md.is_none() {
        let title = format!("the listing of the skill `{name}` names no `SKILL.md`");
        problems.push(Problem::new(title).file(dir).help(help::SYNC));
    }
    if problems.is_empty() { Ok(files) } else { Err(problems) }
}

/// Reports files in the directory of a stored skill that are not in its listing. They would not be
/// baked, although they look like part of the skill. Files that editors and systems leave behind do
/// not, and are ignored.
///
/// Adding a file only reruns the macro if a build script watches the store.
pub(crate) fn unlisted(name: &SkillName, dir: &Path, listing: &Listing) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut found = Vec::new();
    let mut open = vec![(dir.to_path_buf(), String::new())];
    while let Some((dir, prefix)) = open.pop() {
        let entries = match fs::read_dir(&dir) {
            Ok(entries) => entries,
            Err(error) => {
                problems.push(Problem::from_io(&dir, &error));
                continue;
            }
        };
        for entry in entries.flatten() {
            let path = format!("{prefix}{}", entry.file_name().to_string_lossy());
            // A link to a directory is an unlisted file.
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                open.push((entry.path(), format!("{path}/")));
            } else if listing.get(&path).is_none() && !is_inert_leftover(&path) {
                found.push((path, entry.path()));
            }
        }
    }
    found.sort_unstable();
    problems.extend(found.iter().take(MAX_REPORTED).map(|(path, file)| {
        let title = format!("the file `{}` is not part of the skill `{name}`", path.escape_debug());
        Problem::new(title)
            .file(file)
            .help("move it elsewhere, or run `skills sync --restore` to remove it")
    }));
    problems
}

/// Returns the problem of a link in the store, into which a sync writes none.
pub(crate) fn refused_link(path: &Path) -> Option<Problem> {
    let problem = || Problem::new("symbolic links in the store are not followed").file(path);
    path.is_symlink().then(|| problem().help("remove the link, then run `skills sync --restore`"))
}

/// Reads a file with the digest `expected`.
///
/// # Errors
/// `title` returns the title of the problem that it is missing (`true`) or differs, `absent` is the
/// help if it cannot be read, and `help` returns that for other content.
pub(crate) fn read_expected(
    file: &Path,
    expected: Digest,
    title: impl FnOnce(bool) -> String,
    absent: &str,
    help: impl FnOnce(&[u8]) -> &'static str,
) -> Result<Vec<u8>, Problem> {
    let problem = |is_missing| {
        Problem::new(title(is_missing)).file(file).detail("expected", sha256(expected))
    };
    match read_digested(file, expected) {
        Ok((found, bytes)) if found == expected => Ok(bytes),
        Ok((found, bytes)) => Err(problem(false).detail("found", sha256(found)).help(help(&bytes))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(problem(true).help(absent)),
        Err(error) => Err(Problem::from_io(file, &error).help(absent)),
    }
}

/// Returns the digest and the bytes of a file. The bytes of a long file are left out if its digest
/// is not the expected one, so that an edited store cannot exhaust memory.
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

/// Reads a regular file, or the target of a link to one. Reading a device or a pipe might never
/// end.
pub(crate) fn read(file: &Path) -> io::Result<Vec<u8>> {
    if fs::metadata(file)?.is_file() {
        fs::read(file)
    } else {
        Err(io::Error::other("not a regular file"))
    }
}

/// Reads a regular file that is UTF-8.
pub(crate) fn read_text(file: &Path) -> io::Result<String> {
    String::from_utf8(read(file)?).map_err(io::Error::other)
}

pub(crate) fn sha256(digest: Digest) -> String {
    format!("sha256:{digest}")
}
