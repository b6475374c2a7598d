//! `skills diff`: compares the lockfile with the store, or with an older lockfile.
//!
//! Old text comes from the store next to the old lockfile, the project's store, the originals of
//! `path` sources or the cache, and each file is verified by its digest. For text that is in none
//! of them, a hint says how to get it. A skill that is not in the store is a warning, as for `sync
//! --check`.

mod document;
mod text;

use super::usage_error::usage_error;
use super::{
    Context, args,
    pager::Pager,
    sync::{counted, not_stored, skills},
};
use helix_skills_format::{__internal::LOCK_FILE, Code};
use helix_skills_project::manifest::Lock;
use helix_skills_project::{
    __internal::{
        diff::{Comparison, FileChange, FileDiff},
        with_slashes,
    },
    Error, ErrorKind,
};
use serde_json::json;
use std::{
    collections::BTreeSet,
    fs,
    io::{self, Read as _},
    path::{Path, PathBuf},
};

/// Maximum size of a lockfile in bytes.
const MAX_LOCK_BYTES: u64 = 64 << 20;

/// The hint on comparing with a commit.
const COMMIT_HINT: &str =
    "run `git show COMMIT:./helix.skills.lock | skills diff -` to compare with a commit";

pub(super) fn diff(context: &Context<'_>, args: &args::Diff) -> Result<Option<ErrorKind>, Error> {
    let output = context.output;
    let project = context.project()?;
    let lock = project.require_lock()?;
    let unified = args.unified as usize;
    let old = args.old.as_deref().map(|named| read_old(context, named)).transpose()?;
    let mut comparison = match &old {
        None => project.diff(unified)?,
        Some((old, checkout)) => project.diff_since(old, checkout.as_deref(), unified)?,
    };
    let errors = std::mem::take(&mut comparison.errors);
    let hints = hints(&comparison, &lock, old.is_some());
    if output.json {
        let (from, to) = match &args.old {
            None => ("lock".to_owned(), "store"),
            Some(old) => (old.display().to_string(), "lock"),
        };
        let notes = comparison.warnings.iter().chain(&hints);
        let mut document = document::document(&comparison, args.stat);
        document["from"] = json!(from);
        document["to"] = json!(to);
        document["identical"] = json!(comparison.is_empty() && errors.is_empty());
        document["notes"] = json!(notes.collect::<Vec<_>>());
        match errors.is_empty() {
            true => output.document(document),
            false => output.attach(document),
        }
    } else {
        match Pager::start(output) {
            None => text::print(&comparison, args.stat, |text| output.data(text)),
            Some(pager) => {
                text::print(&comparison, args.stat, |text| pager.print(text));
                pager.finish();
            }
        }
        for warning in &comparison.warnings {
            output.warning(warning);
        }
        if let Some(absent) = not_stored(&comparison.absent) {
            output.warning(&absent);
        }
        for hint in hints {
            output.note("help:", hint);
        }
        if !comparison.is_empty() {
            output.note("differs:", summary(&comparison));
        } else if errors.is_empty() {
            let there = skills(lock.skills.len() - comparison.absent.len());
            let same = match old {
                Some(_) => "the lockfiles are the same".to_owned(),
                None => format!("{there}: as locked"),
            };
            output.note("ok", same);
        }
    }
    Error::unless_empty(errors)?;
    Ok((args.exit_code && !comparison.is_empty()).then_some(ErrorKind::Drift))
}

/// "2 skills, 3 files, +4 -1 lines"
fn summary(comparison: &Comparison) -> String {
    let sources = Some(comparison.sources.len()).filter(|count| *count > 0);
    let mut parts: Vec<String> =
        sources.map(|count| counted(count, "source")).into_iter().collect();
    parts.push(skills(comparison.skills.len()));
    parts.push(counted(files(comparison).count(), "file"));
    // The lines of other files are not known.
    let lines = files(comparison).filter_map(|file| match &file.diff {
        FileDiff::Lines(lines) => Some((lines.added, lines.removed)),
        _ => None,
    });
    let total = lines.reduce(|total, file| (total.0 + file.0, total.1 + file.1));
    parts.extend(total.map(|(added, removed)| format!("+{added} -{removed} lines")));
    parts.join(", ")
}

fn files(comparison: &Comparison) -> impl Iterator<Item = &FileChange> {
    comparison.skills.iter().flat_map(|skill| skill.files.iter().flatten())
}

/// Returns hints on how to get text that is not available, one line each.
fn hints(comparison: &Comparison, lock: &Lock, has_old: bool) -> BTreeSet<String> {
    let mut hints = BTreeSet::new();
    for skill in &comparison.skills {
        let of_files = skill.files.iter().flatten().filter_map(|file| match &file.diff {
            FileDiff::Unavailable(missing) => Some(missing),
            _ => None,
        });
        let version = skill.before.as_ref();
        let source = version.and_then(|version| lock.sources.get(&version.locked.source));
        let is_own = source.is_some_and(|source| source.entry.directory().is_some());
        for missing in of_files.chain(skill.files.as_ref().err()) {
            if missing.after {
                hints.insert("the text of the lockfile is neither in the store nor in the cache; run `skills sync` to fetch it".to_owned());
            }
            if missing.before {
                hints.insert(match version {
                    _ if has_old => "the text of the old lockfile is neither in a store nor in the cache; check out its commit with `git worktree add DIR COMMIT` and pass the lockfile in DIR (if the store is not committed, first run `skills -C DIR sync --locked`)".to_owned(),
                    Some(version) if is_own => format!("the locked text of a `path` source is only in version control; run `git diff -- {}`", version.place),
                    _ => "the locked text is neither in the store nor in the cache; if the store is not committed, run `skills sync --locked --out DIR` to fetch it to a new directory".to_owned(),
                });
            }
        }
    }
    hints
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
    let mut bytes = Vec::new();
    let read = reader.take(MAX_LOCK_BYTES + 1).read_to_end(&mut bytes);
    read.map_err(Error::read(Path::new(&shown)))?;
    let refused =
        |why: &str| usage_error(format!("`{shown}` is not a lockfile: {why}"), COMMIT_HINT);
    if bytes.len() as u64 > MAX_LOCK_BYTES {
        return Err(refused("it is larger than 64 MiB"));
    }
    if bytes.is_empty() {
        return Err(refused("it is empty"));
    }
    let text = String::from_utf8(bytes).map_err(|_| refused("it is not UTF-8"))?;
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
