//! The text of a comparison: a unified diff with headings.

use anstyle::{AnsiColor, Style};
use helix_skills_format::__internal::{listed_all, printable, size};
use helix_skills_project::__internal::diff::{
    ChangeKind, ComparedFile, ComparedSkill, Comparison, FileChange, FileDiff, Hunk, Hunks, Lines,
    MissingSides, SkillChange, SourceChange,
};
use helix_skills_project::manifest::LockedSource;
use std::fmt::Write as _;

const HEADING: Style = Style::new().bold();
const HUNK: Style = AnsiColor::Cyan.on_default();
const OLD: Style = AnsiColor::Red.on_default();
const NEW: Style = AnsiColor::Green.on_default();
const PLAIN: Style = Style::new();

/// Text in which every line is safe to print on a terminal.
#[derive(Default)]
struct Page(String);

impl Page {
    /// Appends a line, escaped.
    fn line(&mut self, style: Style, text: &str) {
        let _ = writeln!(self.0, "{style}{}{style:#}", printable(text));
    }
}

/// Passes all differences to `print`, one file at a time; with `stat`, one line per file.
pub(super) fn print(comparison: &Comparison, stat: bool, print: impl Fn(&str)) {
    let mut page = Page::default();
    for source in &comparison.sources {
        page.line(HEADING, &about_source(source));
    }
    for skill in &comparison.skills {
        page.line(HEADING, &about_skill(skill));
        if let (Some(difference), Some(before)) = (skill.listing, &skill.before) {
            page.line(PLAIN, &format!("  {}.sha256: {difference}", before.place));
        }
        for (files, text) in
            skill.executable().iter().zip(["is now executable", "is no longer executable"])
        {
            for path in files {
                page.line(PLAIN, &format!("  {}: {text}", path_in(skill.after.as_ref(), path)));
            }
        }
        match &skill.files {
            Err(missing) => page.line(
                PLAIN,
                &format!("  cannot compare the files: {}", unavailable(*missing, "listing")),
            ),
            Ok(files) if stat => counts(&mut page, skill, files),
            Ok(files) => {
                for file in files {
                    write_file(&mut page, skill, file);
                    print(&std::mem::take(&mut page).0);
                }
            }
        }
    }
    print(&page.0);
}

/// Returns the change of a file as an escaped unified diff; `None` if it has no text to show.
pub(super) fn unified(skill: &SkillChange, file: &FileChange) -> Option<String> {
    let FileDiff::Lines(Lines { hunks: Hunks::Shown(hunks), .. }) = &file.diff else { return None };
    let mut page = Page::default();
    write_hunks(&mut page, skill, file, hunks);
    Some(anstream::adapter::strip_str(&page.0).to_string())
}

fn about_source(source: &SourceChange) -> String {
    let (before, after) = (source.before.as_ref(), source.after.as_ref());
    // A change of the repository must be visible to a reviewer.
    let urls = |source: &LockedSource| {
        let repository = source.entry.repository();
        (repository.map(|repository| repository.url.clone()), source.skills_url().cloned())
    };
    let has_moved = before.map(urls) != after.map(urls);
    let locked = |source| locked_to(source, has_moved);
    let change = change(before.map(locked), after.map(locked));
    let fields = match source.fields.as_slice() {
        [] => String::new(),
        fields => format!("; changed in the manifest: {}", listed_all(fields)),
    };
    format!("{} source {}: {change}{fields}", change_of_source(source), source.key)
}

/// Returns what happened to a source.
pub(super) fn change_of_source(source: &SourceChange) -> &'static str {
    match (&source.before, &source.after) {
        (None, _) => "added",
        (_, None) => "removed",
        _ => "changed",
    }
}

/// "1.0 -> 1.1", or the only text if it is the same or on one side.
fn change(before: Option<String>, after: Option<String>) -> String {
    match (before, after) {
        (Some(before), Some(after)) if before != after => format!("{before} -> {after}"),
        (before, after) => after.or(before).unwrap_or_default(),
    }
}

/// Returns what a source is locked to: ref and commit, for marketplaces also of the plugin, or a
/// path.
fn locked_to(source: &LockedSource, with_urls: bool) -> String {
    let mut words: Vec<String> = Vec::new();
    words.extend(
        source
            .entry
            .repository()
            .filter(|_| with_urls)
            .map(|repository| repository.url.to_string()),
    );
    words.extend(source.reference.clone());
    words.extend(source.commit.as_ref().map(ToString::to_string));
    if let Some(plugin) = &source.plugin {
        words.push("with the plugin".to_owned());
        words.extend(plugin.version.clone());
        words.extend(plugin.url.as_ref().filter(|_| with_urls).map(ToString::to_string));
        words.extend(plugin.reference.clone());
        words.extend(plugin.commit.as_ref().map(ToString::to_string));
        if !plugin.path.is_root() {
            words.push(format!("in {}", plugin.path));
        }
    }
    words.extend(source.entry.directory().map(ToString::to_string));
    if words.is_empty() { source.entry.type_name().to_owned() } else { words.join(" ") }
}

fn about_skill(skill: &SkillChange) -> String {
    let (before, after) = (skill.before.as_ref(), skill.after.as_ref());
    let name = |version: &ComparedSkill| version.name.to_string();
    let names = change(before.map(name), after.map(name));
    let origins = change(before.map(ComparedSkill::origin), after.map(ComparedSkill::origin));
    format!("{} skill {names} ({origins})", skill.kind.as_str())
}

/// Says which side is not available.
pub(super) fn unavailable(missing: MissingSides, what: &str) -> String {
    match missing {
        MissingSides { before: true, after: true } => {
            format!("neither the old nor the new {what} is available")
        }
        MissingSides { before: true, .. } => format!("the old {what} is not available"),
        MissingSides { .. } => format!("the new {what} is not available"),
    }
}

/// Returns the path of a file in a version of its skill.
pub(super) fn path_in(version: Option<&ComparedSkill>, path: &str) -> String {
    let directory = version.map(|version| version.place.as_str()).unwrap_or_default();
    if path.is_empty() { directory.to_owned() } else { format!("{directory}/{path}") }
}

/// Returns the new path of a file, or the old one if it was removed.
fn newest_path(skill: &SkillChange, file: &FileChange) -> String {
    let newest = skill.after.as_ref().filter(|_| file.kind != ChangeKind::Removed);
    path_in(newest.or(skill.before.as_ref()), &file.path)
}

fn counts(page: &mut Page, skill: &SkillChange, files: &[FileChange]) {
    let rows: Vec<_> = files.iter().map(|file| (file, newest_path(skill, file))).collect();
    let width = rows.iter().map(|(_, place)| place.chars().count()).max().unwrap_or_default();
    for (file, place) in &rows {
        let count = match &file.diff {
            FileDiff::Lines(lines) => format!("+{} -{}", lines.added, lines.removed),
            other => [why_not(other)].into_iter().chain(sizes(file)).collect::<Vec<_>>().join(", "),
        };
        page.line(PLAIN, &format!("  {:7}  {place:width$}  {count}", file.kind.as_str()));
    }
}

fn write_file(page: &mut Page, skill: &SkillChange, file: &FileChange) {
    if let FileDiff::Lines(Lines { hunks: Hunks::Shown(hunks), .. }) = &file.diff
        && !hunks.is_empty()
    {
        return write_hunks(page, skill, file, hunks);
    }
    let place = newest_path(skill, file);
    let word = file.kind.as_str();
    if let Some(from) = &file.from {
        return page
            .line(HEADING, &format!("{word} {} -> {place}", path_in(skill.before.as_ref(), from)));
    }
    page.line(HEADING, &format!("{word} {place}: {}", why_not(&file.diff)));
    for (label, half) in [("before", &file.before), ("after", &file.after)] {
        if let Some(half) = half {
            page.line(PLAIN, &format!("  {label:6}  {}", facts(half)));
        }
    }
}

fn write_hunks(page: &mut Page, skill: &SkillChange, file: &FileChange, hunks: &[Hunk]) {
    let newer = skill.after.as_ref().or(skill.before.as_ref());
    let side =
        |letter: char, half: Option<&ComparedFile>, version: Option<&ComparedSkill>| match half {
            None => "/dev/null".to_owned(),
            Some(_) => format!("{letter}/{}", path_in(version, &file.path)),
        };
    page.line(HEADING, &format!("--- {}", side('a', file.before.as_ref(), skill.before.as_ref())));
    page.line(HEADING, &format!("+++ {}", side('b', file.after.as_ref(), newer)));
    for hunk in hunks {
        page.line(HUNK, &hunk.place());
        for row in hunk.rows.lines() {
            let style = match row.as_bytes().first() {
                Some(b'-') => OLD,
                Some(b'+') => NEW,
                _ => PLAIN,
            };
            page.line(style, row);
        }
    }
}

/// Returns why a file has no lines to show.
pub(super) fn why_not(shown: &FileDiff) -> String {
    match shown {
        FileDiff::Lines(Lines { added, removed, hunks: Hunks::OverLimit, .. }) => {
            format!("+{added} -{removed}, not shown because of the limit of lines")
        }
        FileDiff::Lines(_) => "an empty file".to_owned(),
        FileDiff::Same => "the same bytes".to_owned(),
        FileDiff::LineEnds(None) => "only line endings differ (CRLF)".to_owned(),
        FileDiff::LineEnds(Some((before, after))) => {
            format!("only line endings differ: {before} lines with CRLF before, {after} after")
        }
        FileDiff::Binary => "binary".to_owned(),
        FileDiff::TooLarge => "larger than 1 MiB, not shown".to_owned(),
        FileDiff::NotAFile => "not a regular file".to_owned(),
        FileDiff::Unavailable(missing) => unavailable(*missing, "text"),
        _ => "not shown".to_owned(),
    }
}

/// Returns sizes as in "2 B -> 3 B", if they are known.
fn sizes(file: &FileChange) -> Option<String> {
    let size = |half: &ComparedFile| half.bytes.map(size);
    let (before, after) = (file.before.as_ref().and_then(size), file.after.as_ref().and_then(size));
    let is_known = before.is_some() || after.is_some();
    is_known.then(|| change(before, after))
}

fn facts(half: &ComparedFile) -> String {
    let mut facts = Vec::new();
    facts.extend(half.bytes.map(size));
    facts.extend(half.digest.map(|digest| format!("sha256 {digest}")));
    if !half.is_file {
        facts.push("a link or special file".to_owned());
    }
    facts.join(", ")
}
