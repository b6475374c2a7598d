//! The text of a comparison: a unified diff with headings.

use anstyle::{AnsiColor, Style};
use helix_skills_format::__internal::{listed_all, printable, size};
use helix_skills_project::__internal::diff::{
    ComparedFile, ComparedSkill, Comparison, FileChange, FileDiff, Lines, MissingSides,
    SkillChange, SourceChange,
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
        let bits = ["is now executable", "is no longer executable"];
        for (files, text) in skill.executable().iter().zip(bits) {
            for path in files {
                page.line(PLAIN, &format!("  {}: {text}", path_in(skill.after.as_ref(), path)));
            }
        }
        if let Err(missing) = &skill.files {
            let why = unavailable(*missing, "listing");
            page.line(PLAIN, &format!("  cannot compare the files: {why}"));
        }
        for file in skill.files.iter().flatten() {
            match unified(skill, file) {
                _ if stat => count(&mut page, skill, file),
                Some(text) => color(&mut page, &text),
                None => about_file(&mut page, skill, file),
            }
            print(&std::mem::take(&mut page).0);
        }
    }
    print(&page.0);
}

/// Returns the change of a file as an escaped unified diff; `None` if it has no text to show.
pub(super) fn unified(skill: &SkillChange, file: &FileChange) -> Option<String> {
    let FileDiff::Lines(Lines { rows, .. }) = &file.diff else { return None };
    let newer = skill.after.as_ref().or(skill.before.as_ref());
    let side = |letter: char, half: Option<_>, version| match half {
        None => "/dev/null".to_owned(),
        Some(_) => format!("{letter}/{}", printable(&path_in(version, &file.path))),
    };
    let old = side('a', file.before, skill.before.as_ref());
    let new = side('b', file.after, newer);
    (!rows.is_empty()).then(|| format!("--- {old}\n+++ {new}\n{rows}"))
}

/// Appends a unified diff with colors.
fn color(page: &mut Page, unified: &str) {
    for (at, row) in unified.lines().enumerate() {
        let style = match row.as_bytes().first() {
            _ if at < 2 => HEADING,
            Some(b'@') => HUNK,
            Some(b'-') => OLD,
            Some(b'+') => NEW,
            _ => PLAIN,
        };
        page.line(style, row);
    }
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
    format!("{} source {}: {change}{fields}", source.kind(), source.key)
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
    let repository = source.entry.repository().filter(|_| with_urls);
    let mut words: Vec<String> = Vec::new();
    words.extend(repository.map(|repository| repository.url.to_string()));
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
    words.join(" ")
}

fn about_skill(skill: &SkillChange) -> String {
    let (before, after) = (skill.before.as_ref(), skill.after.as_ref());
    let name = |version: &ComparedSkill| version.name.to_string();
    let names = change(before.map(name), after.map(name));
    let origins = change(before.map(ComparedSkill::origin), after.map(ComparedSkill::origin));
    format!("{} skill {names} ({origins})", skill.kind)
}

/// Says which side is not available.
fn unavailable(missing: MissingSides, what: &str) -> String {
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
    let newest = skill.after.as_ref().filter(|_| file.kind != "removed");
    path_in(newest.or(skill.before.as_ref()), &file.path)
}

/// Appends one line with the numbers of lines, or the sizes.
fn count(page: &mut Page, skill: &SkillChange, file: &FileChange) {
    let size = |half: Option<ComparedFile>| half?.bytes.map(size);
    let sizes = change(size(file.before), size(file.after));
    let counts = match &file.diff {
        FileDiff::Lines(Lines { added, removed, .. }) => format!("+{added} -{removed}"),
        other if sizes.is_empty() => why_not(other),
        other => format!("{}, {sizes}", why_not(other)),
    };
    let (kind, place) = (file.kind, newest_path(skill, file));
    page.line(PLAIN, &format!("  {kind:7}  {place}  {counts}"));
}

/// Appends what is known of a file without text to show.
fn about_file(page: &mut Page, skill: &SkillChange, file: &FileChange) {
    let (kind, place) = (file.kind, newest_path(skill, file));
    if let Some(from) = &file.from {
        let from = path_in(skill.before.as_ref(), from);
        return page.line(HEADING, &format!("{kind} {from} -> {place}"));
    }
    page.line(HEADING, &format!("{kind} {place}: {}", why_not(&file.diff)));
    for (label, half) in [("before", file.before), ("after", file.after)] {
        let Some(ComparedFile { digest, bytes, is_file, .. }) = half else { continue };
        let mut facts: Vec<String> = bytes.map(size).into_iter().collect();
        facts.extend(digest.map(|digest| format!("sha256 {digest}")));
        facts.extend((!is_file).then(|| "a link or special file".to_owned()));
        page.line(PLAIN, &format!("  {label:6}  {}", facts.join(", ")));
    }
}

/// Returns why a file has no lines to show.
pub(super) fn why_not(diff: &FileDiff) -> String {
    match diff {
        FileDiff::Lines(_) => "an empty file".to_owned(),
        FileDiff::Unavailable(missing) => unavailable(*missing, "text"),
        FileDiff::Other(_, why) => why.clone(),
        _ => "not shown".to_owned(),
    }
}
