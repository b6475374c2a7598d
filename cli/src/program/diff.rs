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
    sync::{not_stored, skills},
};
use helix_skills_format::{
    __internal::{LOCK_FILE, MANIFEST_FILE},
    Code,
};
use helix_skills_project::manifest::{Lock, Source};
use helix_skills_project::{
    __internal::diff::{Comparison, DiffOptions, FileChange, FileDiff, Hunks, Lines, MissingSides},
    Error, ErrorKind,
};
use serde_json::json;
use std::{
    fs,
    io::{self, Read as _},
    path::{Path, PathBuf},
};

/// Maximum size of a lockfile in bytes.
const MAX_LOCK_BYTES: u64 = 64 << 20;

/// The hint on comparing with a commit.
const COMMIT_HINT: &str =
    "run `git show COMMIT:helix.skills.lock | skills diff -` to compare with a commit";

pub(super) fn diff(context: &Context<'_>, args: &args::Diff) -> Result<Option<ErrorKind>, Error> {
    let output = context.output;
    let project = context.project()?;
    let lock = project.require_lock()?;
    let options = DiffOptions::new().context(args.unified as usize).max_lines(args.max_lines);
    let options = if args.stat { options.counts_only() } else { options };
    let old = args.old.as_deref().map(|named| read_old(context, named)).transpose()?;
    let mut comparison = match &old {
        None => project.diff(&options)?,
        Some((old, checkout)) => project.diff_since(old, checkout.as_deref(), &options)?,
    };
    let errors = std::mem::take(&mut comparison.errors);
    let over_limit = over_limit(&comparison, args.max_lines);
    if output.json {
        let sides = match &args.old {
            None => ("lock".to_owned(), "store"),
            Some(old) => (old.display().to_string(), "lock"),
        };
        let warnings = comparison.warnings.iter().cloned();
        let notes: Vec<_> =
            warnings.chain(over_limit).chain(hints(&comparison, &lock, old.is_some())).collect();
        let mut fields = document::fields(&comparison);
        fields.extend([
            ("from".to_owned(), json!(sides.0)),
            ("to".to_owned(), json!(sides.1)),
            ("identical".to_owned(), json!(comparison.is_empty() && errors.is_empty())),
            ("notes".to_owned(), json!(notes)),
        ]);
        match errors.is_empty() {
            true => output.document(fields.into()),
            false => output.attach(fields.into()),
        }
    } else {
        text::print(&comparison, args.stat, |text| output.data(text));
        for warning in comparison.warnings.iter().chain(&over_limit) {
            output.warning(warning);
        }
        if let Some(absent) = not_stored(&comparison.absent) {
            output.warning(&absent);
        }
        for hint in hints(&comparison, &lock, old.is_some()) {
            output.note("help:", hint);
        }
        if !comparison.is_empty() {
            output.note("differs:", summary(&comparison));
        } else if errors.is_empty() {
            let there = skills(lock.skills.len() - comparison.absent.len());
            let same = if old.is_some() {
                "the lockfiles are the same".to_owned()
            } else {
                format!("{there}: as locked")
            };
            output.note("ok", same);
        }
    }
    Error::unless_empty(errors)?;
    Ok((args.exit_code && !comparison.is_empty()).then_some(ErrorKind::Drift))
}

/// "2 skills, 3 files, +4 -1 lines"
fn summary(comparison: &Comparison) -> String {
    let mut parts = Vec::new();
    match comparison.sources.len() {
        0 => {}
        1 => parts.push("1 source".to_owned()),
        more => parts.push(format!("{more} sources")),
    }
    parts.push(skills(comparison.skills.len()));
    let files = all_files(comparison).count();
    parts.push(if files == 1 { "1 file".to_owned() } else { format!("{files} files") });
    // The lines of other files are not known.
    let lines = all_files(comparison).filter_map(|file| match &file.diff {
        FileDiff::Lines(lines) => Some((lines.added, lines.removed)),
        _ => None,
    });
    let total = lines.reduce(|total, file| (total.0 + file.0, total.1 + file.1));
    parts.extend(total.map(|(added, removed)| format!("+{added} -{removed} lines")));
    parts.join(", ")
}

fn all_files(comparison: &Comparison) -> impl Iterator<Item = &FileChange> {
    comparison.skills.iter().flat_map(|skill| skill.files.iter().flatten())
}

/// Returns the warning on files that exceed the limit of lines.
fn over_limit(comparison: &Comparison, max_lines: usize) -> Option<String> {
    let (mut files, mut added, mut removed) = (0, 0, 0);
    for file in all_files(comparison) {
        if let FileDiff::Lines(Lines {
            added: more, removed: less, hunks: Hunks::OverLimit, ..
        }) = &file.diff
        {
            (files, added, removed) = (files + 1, added + more, removed + less);
        }
    }
    let files = if files == 1 { "1 file is".to_owned() } else { format!("{files} files are") };
    (added + removed > 0).then(|| {
        format!(
            "{files} not shown (+{added} -{removed} lines), because of the limit of {max_lines} lines; raise it with `--max-lines N`, or omit context lines with `-U0`"
        )
    })
}

/// Returns hints on how to get text that is not available, one line each.
fn hints(comparison: &Comparison, lock: &Lock, has_old: bool) -> Vec<String> {
    let mut hints: Vec<String> = Vec::new();
    for skill in &comparison.skills {
        let missing = |missing: &MissingSides| (missing.before, missing.after);
        let of_files = skill.files.iter().flatten().filter_map(|file| match &file.diff {
            FileDiff::Unavailable(found) => Some(missing(found)),
            FileDiff::LineEnds(None) => Some((false, false)),
            _ => None,
        });
        let sides = of_files.chain(skill.files.as_ref().err().map(missing));
        let (before, after) =
            sides.fold((false, false), |sum, side| (sum.0 || side.0, sum.1 || side.1));
        let version = skill.before.as_ref();
        let request = version
            .and_then(|version| lock.sources.get(&version.locked.source))
            .map(|source| &source.entry);
        if before {
            hints.push(match (has_old, request, version) {
                (true, ..) => "the text of the old lockfile is neither in a store nor in the cache; check out its commit with `git worktree add DIR COMMIT` and pass the lockfile in DIR (if the store is not committed, first run `skills -C DIR sync --locked`)".to_owned(),
                (false, Some(Source::Path(_)), Some(version)) => format!("the locked text of a `path` source is only in version control; run `git diff -- {}`", version.place),
                _ => "the locked text is neither in the store nor in the cache; if the store is not committed, run `skills sync --locked --out DIR` to fetch it to a new directory".to_owned(),
            });
        }
        if after {
            hints.push(
                "the text of the lockfile is neither in the store nor in the cache; run `skills sync` to fetch it".to_owned(),
            );
        }
    }
    let mut seen = std::collections::BTreeSet::new();
    hints.retain(|hint| seen.insert(hint.clone()));
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
    let mut bytes = Vec::new();
    if is_stdin {
        io::stdin()
            .lock()
            .take(MAX_LOCK_BYTES + 1)
            .read_to_end(&mut bytes)
            .map_err(Error::read("standard input"))?;
    } else {
        if path.is_dir() {
            let hint = format!(
                "pass the lockfile in it: `skills diff {}`",
                named.join(LOCK_FILE).display()
            );
            return Err(usage_error(format!("`{shown}` is a directory"), &hint));
        }
        if path.file_name().is_some_and(|name| name == MANIFEST_FILE) {
            let hint = "pass an older lockfile, or nothing to compare the lockfile with the store";
            return Err(usage_error(format!("`{shown}` is a manifest, expected a lockfile"), hint));
        }
        // May be a pipe: `skills diff <(git show COMMIT:helix.skills.lock)`
        let file = fs::File::open(&path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => {
                usage_error(format!("cannot find the lockfile `{shown}`"), commit_hint(&shown))
            }
            _ => Error::read(named)(error),
        })?;
        file.take(MAX_LOCK_BYTES + 1).read_to_end(&mut bytes).map_err(Error::read(named))?;
    }
    let refused =
        |why: &str| usage_error(format!("`{shown}` is not a lockfile: {why}"), COMMIT_HINT);
    if bytes.len() as u64 > MAX_LOCK_BYTES {
        return Err(refused("it is larger than 64 MiB"));
    }
    if bytes.is_empty() {
        return Err(refused("it is empty"));
    }
    let text = String::from_utf8(bytes).map_err(|_| refused("it is not UTF-8"))?;
    let lock = Lock::parse(&text).map_err(|findings| {
        let error = |mut finding: helix_skills_format::Finding| {
            // Hints on the project's lockfile do not apply to this one.
            if finding.code != Code::NewerVersion {
                finding.hint = Some(COMMIT_HINT.to_owned());
            }
            Error::lock(Path::new(&shown), finding)
        };
        findings.into_iter().map(error).collect::<Vec<_>>()
    })?;
    let checkout = path.parent().filter(|_| !is_stdin && path.is_file());
    Ok((lock, checkout.map(Path::to_owned)))
}
