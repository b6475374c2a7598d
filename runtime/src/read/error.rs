//! Errors of reading a file of a skill, as answers for a model.

use super::SKILL_MD;
use crate::{
    Error, ErrorKind, Excerpt, OneLine, Resource, Skill, excerpt,
    known::{self, MAX_LISTED},
    path::PathError,
    similar::{closest, did_you_mean, last_part},
};
use alloc::{format, string::String, vec};
use core::fmt::{self, Write};

/// The path is not valid inside a skill.
#[cold]
pub(super) fn invalid_path(path: &str, reason: PathError) -> Error {
    Error::new(ErrorKind::InvalidPath, format!("cannot read `{}`: {reason}", Excerpt(path)))
}

/// The file of `bytes` bytes is binary.
#[cold]
pub(super) fn binary(path: &str, bytes: usize) -> Error {
    let message = format!(
        "cannot read `{}`: it is a binary file ({}) of {bytes} bytes",
        OneLine(path),
        file_type(path)
    );
    Error::new(ErrorKind::BinaryFile, message)
}

/// The file, which has `total` lines, does not have the lines from `start` to `end`.
#[cold]
pub(super) fn no_lines(
    path: &str,
    start: Option<usize>,
    end: Option<usize>,
    total: usize,
) -> Error {
    let lines = match (start, end) {
        (Some(start), Some(end)) => format!("cannot read lines {start}-{end}"),
        (Some(start), None) => format!("cannot read from line {start}"),
        (None, end) => format!("cannot read up to line {}", end.unwrap_or(total)),
    };
    let message = format!(
        "{lines} of `{}`: lines are numbered from 1 in ascending order, and the file has {total}",
        OneLine(path)
    );
    Error::new(ErrorKind::Input, message)
}

/// The skill has no such file. The message names at most five similar ones, or lists at most 100 if
/// none is similar.
#[cold]
pub(super) fn unknown_file(path: &str, skill: &Skill) -> Error {
    let mut message = String::new();
    // Writing into a string cannot fail.
    let _ = write_unknown_file(path, skill, &mut message);
    Error::new(ErrorKind::UnknownFile, message)
}

fn write_unknown_file(path: &str, skill: &Skill, out: &mut String) -> fmt::Result {
    write!(out, "the skill `{}` has no file `{}`; ", OneLine(skill.name()), Excerpt(path))?;
    let mut paths = vec![SKILL_MD];
    paths.extend(skill.sorted_resources().map(Resource::path));
    let near = closest(excerpt::start(path).0, &mut paths.iter().copied());
    if !near.is_empty() {
        return did_you_mean(&near, out);
    }
    out.write_str("its files are ")?;
    // `SKILL.md` does not count.
    known::list(&paths, 1 + MAX_LISTED, out)
}

/// Returns the type of a binary file from its extension, so that a model can choose another tool.
fn file_type(path: &str) -> &str {
    let name = last_part(path);
    let dot = name.bytes().rposition(|byte| byte == b'.').filter(|at| *at > 0);
    let extension = dot.map(|at| &name[at + 1..]);
    extension
        .filter(|extension| extension.bytes().all(|byte| byte.is_ascii_alphanumeric()))
        .unwrap_or("unknown type")
}
