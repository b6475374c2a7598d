//! The text of a comparison: a unified diff with headings.

use anstyle::{AnsiColor, Style};
use helix_skills_format::__internal::{listed_all, printable, size};
use helix_skills_project::__internal::Comparison;
use serde_json::Value;
use std::{collections::BTreeSet, fmt::Write as _};

const HEADING: Style = Style::new().bold();
const PLAIN: Style = Style::new();

/// Appends a line, escaped, so that it is safe to print on a terminal.
fn line(page: &mut String, style: Style, text: &str) {
    let _ = writeln!(page, "{style}{}{style:#}", printable(text));
}

/// Returns all differences; with `stat`, one line per file.
pub(super) fn page(comparison: &Comparison, stat: bool) -> String {
    let mut page = String::new();
    for source in &comparison.sources {
        line(&mut page, HEADING, &about_source(source));
    }
    for skill in &comparison.skills {
        about_skill(&mut page, skill);
        for file in skill["files"].as_array().into_iter().flatten() {
            match file["diff"].as_str() {
                Some(diff) => color(&mut page, diff),
                None => about_file(&mut page, file, stat),
            }
        }
    }
    page
}

/// Appends a unified diff with colors.
fn color(page: &mut String, unified: &str) {
    for (at, row) in unified.lines().enumerate() {
        let style = match row.as_bytes().first() {
            _ if at < 2 => HEADING,
            Some(b'@') => AnsiColor::Cyan.on_default(),
            Some(b'-') => AnsiColor::Red.on_default(),
            Some(b'+') => AnsiColor::Green.on_default(),
            _ => PLAIN,
        };
        line(page, style, row);
    }
}

/// Returns a text of the document; empty if there is none.
fn text<'v>(value: &'v Value, pointer: &str) -> &'v str {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
}

/// Joins the texts that are not empty.
fn joined<T: AsRef<str>>(texts: impl IntoIterator<Item = T>, between: &str) -> String {
    let texts = texts.into_iter().filter(|text| !text.as_ref().is_empty());
    texts.map(|text| text.as_ref().to_owned()).collect::<Vec<_>>().join(between)
}

/// "1.0 -> 1.1", or the only text if it is the same or on one side.
fn change(value: &Value, shown: impl Fn(&Value) -> String) -> String {
    let sides = ["before", "after"].map(|side| &value[side]).into_iter();
    let mut sides: Vec<String> = sides.filter(|side| !side.is_null()).map(shown).collect();
    sides.dedup();
    joined(sides, " -> ")
}

/// Says what a source is locked to: ref and commit, for marketplaces also of the plugin, or a path.
fn about_source(source: &Value) -> String {
    // A change of the repository must be visible to a reviewer.
    let urls = |side| ["/request/url", "/plugin/url"].map(|url| text(&source[side], url));
    let has_moved = urls("before") != urls("after");
    let words = |side: &Value, pointers: &[&str]| {
        let shown = pointers.iter().filter(|pointer| has_moved || !pointer.ends_with("url"));
        joined(shown.map(|pointer| text(side, pointer)), " ")
    };
    let change = change(source, |side| {
        let locked = words(side, &["/request/url", "/ref", "/commit", "/request/path"]);
        let plugin = ["/version", "/url", "/ref", "/commit", "/path"];
        joined([locked, words(&side["plugin"], &plugin)], " with the plugin ")
    });
    let fields = source["fields"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let change = joined([change, listed_all(fields)], "; changed in the manifest: ");
    format!("{} source {}: {change}", text(source, "/change"), text(source, "/source"))
}

fn about_skill(page: &mut String, skill: &Value) {
    let names = change(skill, |side| text(side, "/name").to_owned());
    let origins =
        change(skill, |side| format!("{}: {}", text(side, "/source"), text(side, "/path")));
    line(page, HEADING, &format!("{} skill {names} ({origins})", text(skill, "/change")));
    if let Some(why) = skill["why"].as_str() {
        line(page, PLAIN, &format!("  {}.sha256: {why}", text(skill, "/before/directory")));
    }
    if let [Some(was), Some(is)] = ["before", "after"].map(|side| executable(&skill[side])) {
        for path in was.symmetric_difference(&is).filter(|_| skill["after"].is_object()) {
            let bit = if is.contains(path) { "is now" } else { "is no longer" };
            let place = text(skill, "/after/directory");
            line(page, PLAIN, &format!("  {place}/{path}: {bit} executable"));
        }
    }
    if skill["files"].is_null() {
        line(page, PLAIN, "  cannot compare the files: the listing is not available");
    }
}

/// Returns the executable files of a side; `None` if its lockfile does not list them.
fn executable(side: &Value) -> Option<BTreeSet<&str>> {
    let paths = if side.is_null() { &[][..] } else { side["executable"].as_array()? };
    Some(paths.iter().filter_map(Value::as_str).collect())
}

/// Appends what is known of a file whose lines are not shown.
fn about_file(page: &mut String, file: &Value, stat: bool) {
    let sizes = |side: &Value| side["bytes"].as_u64().map(size).unwrap_or_default();
    let paths = change(file, |side| text(side, "/file").to_owned());
    let heading = format!("{} {paths}", text(file, "/change"));
    let why = match (file["added"].as_u64(), file["removed"].as_u64()) {
        (Some(added), Some(removed)) => format!("+{added} -{removed}"),
        _ => text(file, "/why").to_owned(),
    };
    if stat {
        let facts = joined([why, change(file, sizes)], ", ");
        return line(page, PLAIN, &format!("  {heading}: {facts}"));
    }
    if file["shown"] == "same" {
        return line(page, HEADING, &heading);
    }
    line(page, HEADING, &format!("{heading}: {why}"));
    for label in ["before", "after"] {
        let side = &file[label];
        let digest = side["sha256"].as_str().map(|digest| format!("sha256 {digest}"));
        let facts = joined([sizes(side), digest.unwrap_or_default()], ", ");
        if !facts.is_empty() {
            line(page, PLAIN, &format!("  {label:6}  {facts}"));
        }
    }
}
