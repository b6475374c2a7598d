//! `skills diff`: compares the lockfile with the store, or with an older lockfile.
//!
//! Old text comes from the store next to the old lockfile, the project's store, the originals of
//! `path` sources or the cache, and each file is verified by its digest. For text that is in none
//! of them, a hint says how to get it. A skill that is not in the store is a warning, as for `sync
//! --check`.

mod text;

use super::usage_error::usage_error;
use super::{
    Context, args,
    sync::{names, not_stored, skills},
};
use helix_skills_format::{
    __internal::{LOCK_FILE, counted},
    Code, Lock,
};
use helix_skills_project::{
    __internal::{Comparison, with_slashes},
    Error, ErrorKind,
};
use serde_json::{Value, json};
use std::{
    fs,
    io::{self, Read as _},
    path::{Path, PathBuf},
};

/// Number of bytes of a lockfile that are read: more than [`Lock::parse`] takes.
const MAX_LOCK_BYTES: u64 = 32 << 20;

/// The hint on comparing with a commit.
const COMMIT_HINT: &str =
    "run `git show COMMIT:./helix.skills.lock | skills diff -` to compare with a commit";

pub(super) fn diff(context: &Context<'_>, args: &args::Diff) -> Result<Option<ErrorKind>, Error> {
    let output = context.output;
    let project = context.project()?;
    let lock = project.require_lock()?;
    let old = args.old.as_deref().map(|named| read_old(context, named)).transpose()?;
    let mut comparison = match &old {
        None => project.diff(args.unified as usize)?,
        Some((old, at)) => project.diff_since(old, at.as_deref(), args.unified as usize)?,
    };
    if args.stat {
        let files = comparison.skills.iter_mut().filter_map(|skill| skill["files"].as_array_mut());
        files.flatten().for_each(|file| file["diff"] = Value::Null);
    }
    let errors = std::mem::take(&mut comparison.errors);
    let Comparison { warnings, absent, .. } = &comparison;
    let is_empty = comparison.is_empty();
    if output.json {
        let old = args.old.as_ref().map(|old| old.display().to_string());
        let document = json!({
            "from": old.as_deref().unwrap_or("lock"),
            "to": if old.is_some() { "lock" } else { "store" },
            "identical": is_empty && errors.is_empty(),
            "sources": comparison.sources,
            "skills": comparison.skills,
            "absent": names(absent),
            "notes": warnings,
        });
        match errors.is_empty() {
            true => output.document(document),
            false => output.attach(document),
        }
    } else {
        output.data(&text::page(&comparison, args.stat));
        for warning in warnings.iter().chain(&not_stored(absent)) {
            output.warning(warning);
        }
        if !is_empty {
            output.note("differs:", summary(&comparison));
        } else if errors.is_empty() {
            let same = match old {
                Some(_) => "the lockfiles are the same".to_owned(),
                None => format!("{}: as locked", skills(lock.skills.len() - absent.len())),
            };
            output.note("ok", same);
        }
    }
    Error::unless_empty(errors)?;
    Ok((args.exit_code && !is_empty).then_some(ErrorKind::Drift))
}

/// "2 skills, 3 files, +4 -1 lines"
fn summary(Comparison { sources, skills, .. }: &Comparison) -> String {
    let files: Vec<&Value> =
        skills.iter().flat_map(|it| it["files"].as_array()).flatten().collect();
    let counts = [(sources.len(), "source"), (skills.len(), "skill"), (files.len(), "file")];
    let counts = counts.into_iter().filter(|(count, what)| *count > 0 || *what != "source");
    let mut parts: Vec<String> = counts.map(|(count, what)| counted(count, what)).collect();
    // The lines of other files are not known.
    if files.iter().any(|file| file["shown"] == "lines") {
        let [added, removed] = ["added", "removed"]
            .map(|key| files.iter().filter_map(|file| file[key].as_u64()).sum::<u64>());
        parts.push(format!("+{added} -{removed} lines"));
    }
    parts.join(", ")
}

/// Returns the hint on comparing with a commit, filled in if the argument looks like a commit.
fn commit_hint(named: &str) -> String {
    let is_commit = !named.starts_with(['-', '.', '/', '~'])
        && !named.ends_with(".lock")
        && named.bytes().all(|b| b.is_ascii_alphanumeric() || b"~^-_./@".contains(&b));
    if is_commit { COMMIT_HINT.replace("COMMIT", named) } else { COMMIT_HINT.to_owned() }
}

/// Reads the old lockfile, and returns it with its directory if it is a file.
fn read_old(context: &Context<'_>, named: &Path) -> Result<(Lock, Option<PathBuf>), Error> {
    let is_stdin = named.as_os_str() == "-";
    let shown = if is_stdin { "standard input".to_owned() } else { named.display().to_string() };
    let path = context.start.join(named);
    if path.is_dir() && !is_stdin {
        let file = with_slashes(&named.join(LOCK_FILE));
        let hint = format!("pass the lockfile in it: `skills diff {}`", file.display());
        return Err(usage_error(format!("`{shown}` is a directory"), &hint));
    }
    let reader: Box<dyn io::Read> = match is_stdin {
        true => Box::new(io::stdin().lock()),
        // May be a pipe: `skills diff <(git show COMMIT:./helix.skills.lock)`
        false => Box::new(fs::File::open(&path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => {
                usage_error(format!("cannot find the lockfile `{shown}`"), commit_hint(&shown))
            }
            _ => Error::read(named)(error),
        })?),
    };
    let refused =
        |why: &str| usage_error(format!("`{shown}` is not a lockfile: {why}"), COMMIT_HINT);
    let text =
        io::read_to_string(reader.take(MAX_LOCK_BYTES)).map_err(|error| match error.kind() {
            io::ErrorKind::InvalidData => refused("it is not UTF-8"),
            _ => Error::read(Path::new(&shown))(error),
        })?;
    if text.is_empty() {
        return Err(refused("it is empty"));
    }
    let lock = Lock::parse(&text).map_err(|mut findings| {
        // Hints on the project's lockfile do not apply to this one.
        for finding in findings.iter_mut().filter(|finding| finding.code != Code::NewerVersion) {
            finding.hint = Some(COMMIT_HINT.to_owned());
        }
        Error::invalid(ErrorKind::Drift, Path::new(&shown), findings)
    })?;
    let checkout = path.parent().filter(|_| !is_stdin && path.is_file());
    Ok((lock, checkout.map(Path::to_owned)))
}
