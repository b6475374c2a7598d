//! Checks links to files of the skill.

use super::code_paths::{is_in_skill, path_in_code, points_to};
use crate::markdown::Markdown;
use helix_skills_format::{__internal::nearest, Code, Finding};
use helix_skills_runtime::__internal::typos;
use percent_encoding::percent_decode_str;
use std::{borrow::Cow, collections::HashSet, ops::Range};

/// Maximum number of bad links that are reported.
const MAX_REPORTED: usize = 50;

/// Maximum number of links and code spans that are checked in all texts of a skill.
const MAX_CHECKED: usize = 100_000;

/// Maximum number of bad links for which a similar file is searched. Untrusted texts must not make
/// the comparisons slow.
const MAX_SUGGESTIONS: usize = 300;

/// Maximum length in bytes of a target. Longer targets are not written by hand.
const MAX_TARGET: usize = 1024;

/// Maximum length in bytes of a file name, without the extension, for which a similar one is
/// searched.
const MAX_NAME: usize = 64;

/// The files of a skill as targets of links.
pub(super) struct Links<'f> {
    files: &'f [String],
    /// The name of its SKILL.md.
    skill_md: &'f str,
    /// All files and directories; computed when the first link is found.
    known: Option<HashSet<&'f str>>,
    /// Number of bad links that were reported.
    reported: usize,
    /// Number of further links that may be checked.
    checks_left: usize,
    /// Number of further bad links for which a similar file may be searched.
    suggestions_left: usize,
}

impl<'f> Links<'f> {
    pub(super) fn new(files: &'f [String], skill_md: &'f str) -> Self {
        Self {
            files,
            skill_md,
            known: None,
            reported: 0,
            checks_left: MAX_CHECKED,
            suggestions_left: MAX_SUGGESTIONS,
        }
    }

    /// Reports links to files that the skill does not have, and links out of the skill.
    ///
    /// A link is `[text](target)`, an image, a definition `[name]: target`, or a code span that is
    /// nearly the path of a file of the skill, or that the text [points to](points_to); other code
    /// spans may be paths of other skills or of a project. Examples in code, URLs, and targets with
    /// a placeholder (`<name>`) are ignored.
    ///
    /// `file` is the path of the text in the skill. Links are relative to its directory, as usual
    /// in Markdown, or to the skill's directory: models find both.
    pub(super) fn check(
        &mut self,
        markdown: &Markdown<'_>,
        file: &str,
        findings: &mut Vec<Finding>,
    ) {
        let above = file.rsplit_once('/').map_or("", |(above, _)| above);
        // The position of a link with escapes in its target is its start.
        let position = |range: &Range<usize>, target: &str| {
            let offset = markdown.text[range.clone()].rfind(target).unwrap_or_default();
            markdown.position(range.start + offset)
        };
        let (mut seen, mut outside) = (HashSet::new(), Vec::new());
        let links = markdown.links.iter().map(|(range, target)| (range, target.as_str(), true));
        let code = |range: &Range<usize>| markdown.text[range.clone()].trim_matches('`');
        let spans = markdown.spans.iter().map(|range| (range, code(range), false));
        for (range, target, is_link) in links.chain(spans) {
            if self.reported >= MAX_REPORTED || self.checks_left == 0 {
                break;
            }
            self.checks_left -= 1;
            let path = if is_link { local(target) } else { path_in_code(target) };
            let Some(path) = path else { continue };
            // Relative to the text's directory, then to the skill's.
            let from_here = (!above.is_empty()).then(|| resolve(&format!("{above}/{path}")));
            let paths: Vec<String> =
                [from_here.flatten(), resolve(&path)].into_iter().flatten().collect();
            let Some(first) = paths.first() else {
                if seen.insert(path.clone()) {
                    outside.push((range, target, path));
                }
                continue;
            };
            let is_meant = is_link || points_to(markdown.text, range, target);
            let Some(hint) = self.hint(&paths, above, is_link, is_meant) else { continue };
            if seen.insert(path.clone()) {
                self.reported += 1;
                // Printed as written if it may resolve to two paths.
                let shown = if above.is_empty() { first } else { &path };
                let message = format!("the skill has no file `{shown}`");
                let at = position(range, target);
                findings.push(Finding::new(Code::DeadLink, at, message).hint(hint));
            }
        }
        // Links out of a skill that builds on other skills have one cause, and are reported once.
        if let [(range, target, first), others @ ..] = &outside[..] {
            self.reported += 1;
            let more = match others.len() {
                0 => String::new(),
                1 => ", and so does one more link below".to_owned(),
                n => format!(", and so do {n} more links below"),
            };
            let message = format!(
                "`{first}` leads out of the skill{more}; agents get only the files of the skill"
            );
            let hint = "copy the file into the skill, or name the other skill instead";
            let at = position(range, target);
            findings.push(Finding::new(Code::OutsideLink, at, message).hint(hint));
        }
    }

    /// Returns how to fix a link in a text that is in the directory `above`, if the skill has none
    /// of the `paths`. Unless `is_meant`, the link is a problem only if the skill has a similar
    /// file.
    fn hint(
        &mut self,
        paths: &[String],
        above: &str,
        is_link: bool,
        is_meant: bool,
    ) -> Option<String> {
        let (files, skill_md) = (self.files, self.skill_md);
        let known = self.known.get_or_insert_with(|| files_and_directories(files, skill_md));
        if paths.iter().any(|path| path.is_empty() || known.contains(path.as_str())) {
            return None;
        }
        // The path of a file relative to a directory above the skill or in the skill.
        let is_part =
            |path: &str| files.iter().any(|known| is_below(path, known) || is_below(known, path));
        if !is_link && paths.iter().any(|path| is_part(path)) {
            return None;
        }
        let compared = if self.suggestions_left > 0 { paths } else { &[] };
        self.suggestions_left = self.suggestions_left.saturating_sub(1);
        if let Some(similar) = compared.iter().find_map(|path| similar(path, files, is_link)) {
            return Some(format!("did you mean `{}`?", relative_to(above, similar)));
        }
        let is_dead = match is_link {
            // `wiki/page` may not be a file, unless the skill has this directory.
            true => paths.iter().any(|path| {
                let (directory, name) = path.rsplit_once('/').unwrap_or(("", path));
                name.contains('.') || known.contains(directory)
            }),
            // Projects have the same directories, so only the skill's own are meant.
            false => is_meant && paths.last().is_some_and(|path| is_in_skill(path, known)),
        };
        let what = if is_link { "link" } else { "mention" };
        is_dead.then(|| format!("add the file, or remove the {what}"))
    }
}

/// Returns the path of a file relative to the directory `above`.
fn relative_to(above: &str, path: &str) -> String {
    let above: Vec<_> = above.split_terminator('/').collect();
    let common = above.iter().zip(path.split('/')).take_while(|(a, b)| **a == *b).count();
    let up = above.iter().skip(common).map(|_| "..");
    up.chain(path.split('/').skip(common)).collect::<Vec<_>>().join("/")
}

/// Returns the file of the skill that a path is probably meant to be: one with the same name
/// elsewhere, or with a similar name in the same directory.
fn similar<'f>(path: &str, files: &'f [String], is_link: bool) -> Option<&'f str> {
    /// Maximum number of names that are compared, to bound the time.
    const MAX_COMPARED: usize = 200;
    let parts = |path: &'f str| path.rsplit_once('/').unwrap_or(("", path));
    let (directory, name) = path.rsplit_once('/').unwrap_or(("", path));
    let files = || files.iter().map(|known| (known.as_str(), parts(known)));
    let moved =
        files().find(|(_, (_, known))| known.eq_ignore_ascii_case(name)).map(|(path, _)| path);
    let (stem, extension) = name.rsplit_once('.').filter(|(stem, _)| stem.len() <= MAX_NAME)?;
    let in_directory = || {
        let siblings = files().filter(|(_, (known, _))| *known == directory).take(MAX_COMPARED);
        let stems = siblings.filter_map(|(path, (_, name))| Some((path, name.rsplit_once('.')?)));
        let stems: Vec<_> = stems.filter(|(_, (_, known))| *known == extension).collect();
        let found = nearest(stem, stems.iter().map(|(_, (stem, _))| *stem))?;
        // A code span may be the path of a file of another skill, unless it differs only by a typo.
        let is_typo = typos(stem, found).is_some_and(|typos| typos <= 2);
        let found =
            stems.iter().find(|(_, (stem, _))| *stem == found).filter(|_| is_link || is_typo);
        found.map(|(path, _)| *path)
    };
    moved.or_else(in_directory)
}

/// Returns the path of a target, if it is relative.
fn local(target: &str) -> Option<String> {
    let path = target.split(['#', '?']).next().unwrap_or(target);
    let has_gap = path.contains(['<', '>', '{', '}', '$', '*', '|', '`', '\\', '[', ']', '…'])
        || path.contains("...")
        || path.contains(char::is_control);
    let is_elsewhere =
        path.starts_with(['/', '~', '@']) || path.starts_with("www.") || has_scheme(path);
    // `[text](url)` and `path/to/file` are examples.
    let is_example =
        !path.contains(['.', '/']) || path.starts_with("path/to") || path.starts_with("./path/to");
    let is_path = path.len() <= MAX_TARGET && !has_gap && !is_elsewhere && !is_example;
    // Kept as written if it is not UTF-8 after decoding.
    let decoded =
        || percent_decode_str(path).decode_utf8().map_or(path.to_owned(), Cow::into_owned);
    is_path.then(decoded).filter(|path| !path.contains(char::is_control))
}

/// Returns whether a target starts with a URL scheme, `word:`.
fn has_scheme(path: &str) -> bool {
    let scheme = path.split_once(':').map(|(scheme, _)| scheme);
    scheme.is_some_and(|scheme| {
        scheme.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.'))
    })
}

/// Returns whether `path` ends with the path `known`.
fn is_below(path: &str, known: &str) -> bool {
    path.strip_suffix(known).is_some_and(|above| above.ends_with('/'))
}

/// Resolves `.` and `..` in a path; `None` if it leads out of the skill.
fn resolve(path: &str) -> Option<String> {
    let mut parts = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// Returns all files and directories of the skill.
fn files_and_directories<'f>(files: &'f [String], file: &'f str) -> HashSet<&'f str> {
    let mut known: HashSet<&str> = [file, "SKILL.md"].into();
    for path in files {
        let mut path = path.as_str();
        while known.insert(path) {
            let Some((above, _)) = path.rsplit_once('/') else { break };
            path = above;
        }
    }
    known
}

#[cfg(test)]
mod tests {
    use crate::{Draft, Rules, lint};
    use helix_skills_format::Code;

    fn report(body: &str) -> Vec<(Code, String, Option<String>)> {
        let text = format!(
            "---\nname: a\ndescription: Reads tides. Use when asked.\n---\nreferences scripts\n{body}\n"
        );
        let files =
            ["references/a b.md", "references/deep/x.md", "scripts/run.py"].map(str::to_owned);
        let draft = Draft {
            bytes: text.as_bytes(),
            directory: Some("a"),
            file: "SKILL.md",
            files: Some(&files),
        };
        let findings = lint(&draft, Rules::Authors, |_| None);
        let report = findings
            .into_iter()
            .map(|found| (found.code, found.at.unwrap().to_string(), found.hint));
        report.collect()
    }

    #[test]
    fn links_to_files_and_other_texts_are_ignored() {
        for good in [
            "[a](references/a%20b.md) [b](<references/a b.md>) [c](./scripts/run.py#L3 \"run\") [d](references/)",
            "![x](references/deep/../deep/x.md) [y](SKILL.md) [z](#below) [w](.)",
            "[a](https://a.example/x.md) [b](mailto:a@b.example) [c](/etc/x.md) [d](www.a.example/x.html)",
            "[text](url) [text](path/to/file.md) [x]({name}.md) [x](<name>.md) [x](references/*.md)",
            "`[a](gone.md)` and ```` [b](gone.md) ````",
            "```\n[a](gone.md) `scripts/gone.py`\n```",
            "`build/out.txt` `scripts/` `scripts/run.py` `scripts/v1.2` `example.com/a.html` `scripts/*.py` `and/or`",
            "`skills/a/scripts/run.py`, `deep/x.md`, `references/other.md` of the skill b, `scripts/build.sh` of your project, [x](wiki/page)",
            "See `references/other.md` in the skill b. Run `scripts/build.sh` of your project, or e.g. see `scripts/example.py`.",
            "Write `references/new.md`.\n- Save it as `scripts/new.py`.\n- `assets/logo.png`\n\nRead\n`scripts/new.py`",
            "[^1]: gone.md\n[x] yes\n- [ ] no: x.md",
        ] {
            assert_eq!(report(good), [], "{good}");
        }
    }

    #[test]
    fn t17_number_of_checked_links_is_limited() {
        let near = |n: usize| format!("[x](references/{}{n}.md)\n", "f".repeat(60));
        let text: String = (0..5000).map(near).collect();
        let dead =
            |text: &str| report(text).iter().filter(|(code, ..)| *code == Code::DeadLink).count();
        assert_eq!(dead(&text), 50);
        // Very long lines and targets are ignored.
        assert_eq!(report(&format!("{}\n", "](".repeat(4000)).repeat(200)), []);
        let long = format!("[x](references/{}.md)\n", "f".repeat(900));
        assert_eq!(dead(&long.repeat(2000)), 1);
    }

    #[test]
    fn dead_links_are_reported_once_with_their_position() {
        let hint = |text: &str| Some(text.to_owned());
        let at = |place: &str| place.to_owned();
        assert_eq!(
            report("[a](run.py) and [b](run.py), (see [c](zzz(1).md))"),
            [
                (Code::DeadLink, at("6:5"), hint("did you mean `scripts/run.py`?")),
                (Code::DeadLink, at("6:39"), hint("add the file, or remove the link")),
            ]
        );
        assert_eq!(report("\n[a]: refs/x.md")[0].1, "7:6");
        assert_eq!(
            report("Run `scripts/rum.py`."),
            [(Code::DeadLink, at("6:6"), hint("did you mean `scripts/run.py`?"))]
        );
        assert_eq!(report("[a](../b/SKILL.md)")[0].0, Code::OutsideLink);
        for pointer in [
            "See `references/gone.md` for details.",
            "**Reference:** see `scripts/gone.py`",
            "**Template**: `references/gone.tex`",
            "- **`references/gone.md`** - more",
            "| `.rs` | `./scripts/gone.rs` |",
        ] {
            let found = report(pointer);
            let expected = hint("add the file, or remove the mention");
            assert!(
                matches!(&found[..], [(Code::DeadLink, _, hint)] if *hint == expected),
                "{found:?}"
            );
        }
    }
}
