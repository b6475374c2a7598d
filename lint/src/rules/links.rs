//! Links of a body to files of the skill.

use super::markdown::{Kind, Markdown, is_in};
use helix_skills_format::{Code, Finding, nearest};
use memchr::{memchr_iter, memchr2};
use std::{borrow::Cow, collections::HashSet};

/// Maximum number of bad links that are reported.
const MOST: usize = 50;

/// So many links and code spans are looked at in all texts of a skill.
const LOOKED_AT: usize = 100_000;

/// For so many bad ones it is asked which file was meant: comparing takes time, and somebody may
/// count on that.
const ASKED: usize = 300;

/// So many of one line: each may be looked for up to the longest target.
const MOST_IN_LINE: usize = 400;

/// Longer targets, and longer names, are nothing that a person wrote.
const LONGEST_TARGET: usize = 1024;
const LONGEST_NAME: usize = 64;

/// The files of a skill, as links name them.
pub(super) struct Links<'f> {
    files: &'f [String],
    /// What its SKILL.md is called.
    skill_md: &'f str,
    /// Every file, and every directory that holds one; made when the first link is found.
    known: Option<HashSet<&'f str>>,
    /// The number of bad links that were reported.
    told: usize,
    /// How many may still be looked at.
    left: usize,
    /// How often it may still be asked which file was meant.
    asks: usize,
}

impl<'f> Links<'f> {
    pub(super) fn new(files: &'f [String], skill_md: &'f str) -> Self {
        Self { files, skill_md, known: None, told: 0, left: LOOKED_AT, asks: ASKED }
    }

    /// Tells of links that lead to no file of the skill, and of those that lead out of it.
    ///
    /// A link is `[text](target)`, an image, a definition `[name]: target`, or a code span that is
    /// nearly the path of a file of the skill: one that is not may well be that of another skill,
    /// or of the project at hand. Examples in code, addresses and what has a gap to be filled in
    /// (`<name>`) are none.
    ///
    /// `file` is the path of the text in the skill. Links begin at its directory, as in every
    /// markdown, or at the skill's: models find both.
    pub(super) fn check(
        &mut self,
        markdown: &Markdown<'_>,
        file: &str,
        findings: &mut Vec<Finding>,
    ) {
        let above = file.rsplit_once('/').map_or("", |(above, _)| above);
        let (mut told, mut outside) = (HashSet::new(), Vec::new());
        for line in markdown.lines().iter().filter(|line| line.kind == Kind::Prose) {
            if self.told >= MOST || self.left == 0 {
                break;
            }
            let content = markdown.content(line);
            if memchr2(b'`', b']', content.as_bytes()).is_none() {
                continue;
            }
            let spans = markdown.spans(line);
            let mut links = targets(content);
            links.retain(|(at, _)| !is_in(&spans, *at));
            let linked = links.len();
            links.extend(spans.into_iter().map(|span| (span.start, &content[span])));
            let looked_at = links.len().min(self.left);
            self.left -= looked_at;
            for (number, (at, target)) in links.into_iter().take(looked_at).enumerate() {
                let is_link = number < linked;
                let path = if is_link { local(target) } else { path_in_code(target) };
                let Some(path) = path else { continue };
                let Some(bad) = self.judge(&path, above, is_link) else { continue };
                if self.told >= MOST || !told.insert(path.clone()) {
                    continue;
                }
                let at = line.start + at;
                match bad {
                    Bad::Dead(mut found) => {
                        self.told += 1;
                        found.at = Some(markdown.position(at));
                        findings.push(found);
                    }
                    Bad::Outside => outside.push((at, path)),
                }
            }
        }
        // A skill that builds on others has many of them, for one reason.
        if let [(at, first), others @ ..] = &outside[..] {
            self.told += 1;
            let more = match others.len() {
                0 => String::new(),
                1 => ", as does one more link below".to_owned(),
                n => format!(", as do {n} more links below"),
            };
            let message = format!(
                "`{first}` leads out of the skill{more}; an agent gets the skill's own files only"
            );
            let hint = "copy the file into the skill, or name the other skill instead";
            findings
                .push(Finding::new(Code::OutsideLink, markdown.position(*at), message).hint(hint));
        }
    }

    /// What is wrong with a path in a text that is in the directory `above`.
    fn judge(&mut self, path: &str, above: &str, is_link: bool) -> Option<Bad> {
        let (files, skill_md) = (self.files, self.skill_md);
        let known = self.known.get_or_insert_with(|| everything(files, skill_md));
        // From the text's directory, then from the skill's.
        let from_here = if above.is_empty() { None } else { resolve(&format!("{above}/{path}")) };
        let from_top = resolve(path);
        let resolved: Vec<String> = [from_here, from_top].into_iter().flatten().collect();
        let Some(first) = resolved.first() else { return Some(Bad::Outside) };
        if resolved.iter().any(|path| path.is_empty() || known.contains(path.as_str())) {
            return None;
        }
        // The path of a file as others see it, from above the skill or from a directory of it.
        let is_part =
            |path: &str| files.iter().any(|known| is_below(path, known) || is_below(known, path));
        if !is_link && resolved.iter().any(|path| is_part(path)) {
            return None;
        }
        // As it is written, where it may mean two places.
        let shown = if above.is_empty() { first.as_str() } else { path };
        let asked = if self.asks > 0 { &resolved[..] } else { &[] };
        self.asks = self.asks.saturating_sub(1);
        if let Some(near) = asked.iter().find_map(|path| near(path, files, is_link)) {
            return Some(Bad::Dead(
                dead(shown).hint(format!("did you mean `{}`?", seen_from(above, near))),
            ));
        }
        let is_file = |path: &String| has_extension(path) || in_known_directory(path, known);
        (is_link && resolved.iter().any(is_file))
            .then(|| Bad::Dead(dead(shown).hint("add the file, or remove the link")))
    }
}

/// What is wrong with a link.
enum Bad {
    /// It leads to no file of the skill.
    Dead(Finding),
    /// It leads out of it.
    Outside,
}

/// The path of a file as a link in the directory `above` has it.
fn seen_from<'p>(above: &str, path: &'p str) -> Cow<'p, str> {
    if above.is_empty() {
        return path.into();
    }
    let common = above.split('/').zip(path.split('/')).take_while(|(a, b)| a == b).count();
    let up = above.split('/').skip(common).map(|_| "..");
    up.chain(path.split('/').skip(common)).collect::<Vec<_>>().join("/").into()
}

fn dead(path: &str) -> Finding {
    Finding::new(Code::DeadLink, None, format!("the skill has no file `{path}`"))
}

/// The file of the skill that a path was probably meant to be: of the same name elsewhere, or of
/// nearly the same name in the same directory.
fn near<'f>(path: &str, files: &'f [String], is_link: bool) -> Option<&'f str> {
    // Bounds the time for skills with very many names.
    const COMPARED: usize = 200;
    let parts = |path: &'f str| path.rsplit_once('/').unwrap_or(("", path));
    let (directory, name) = path.rsplit_once('/').unwrap_or(("", path));
    let files = || files.iter().map(|known| (known.as_str(), parts(known)));
    let moved =
        files().find(|(_, (_, known))| known.eq_ignore_ascii_case(name)).map(|(path, _)| path);
    let (stem, extension) = name.rsplit_once('.').filter(|(stem, _)| stem.len() <= LONGEST_NAME)?;
    let beside = || {
        let beside = files().filter(|(_, (known, _))| *known == directory).take(COMPARED);
        let stems = beside.filter_map(|(path, (_, name))| Some((path, name.rsplit_once('.')?)));
        let stems: Vec<_> = stems.filter(|(_, (_, known))| *known == extension).collect();
        let found = nearest(stem, stems.iter().map(|(_, (stem, _))| *stem))?;
        // What is no link may name a file of another skill: a slip of the finger is all that can be
        // told from that.
        let is_slip = strsim::damerau_levenshtein(&stem.to_lowercase(), &found.to_lowercase()) <= 2;
        let found =
            stems.iter().find(|(_, (stem, _))| *stem == found).filter(|_| is_link || is_slip);
        found.map(|(path, _)| *path)
    };
    moved.or_else(beside)
}

/// The targets of the links of a line, with their places.
fn targets(line: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut end_of = |at: usize| {
        let rest = &line[at..];
        let blanks = rest.len() - rest.trim_start_matches(' ').len();
        let (at, rest) = (at + blanks, &rest[blanks..]);
        match rest.strip_prefix('<') {
            Some(inner) => {
                let length = inner.bytes().take(LONGEST_TARGET).position(|byte| byte == b'>');
                found.extend(length.map(|length| (at + 1, &inner[..length])));
            }
            None => {
                // A parenthesis inside of a target is closed inside of it.
                let mut depth = 0_usize;
                let end = rest.char_indices().take_while(|(at, _)| *at < LONGEST_TARGET).find(
                    |(_, c)| match c {
                        ' ' | '\t' => true,
                        '(' => {
                            depth += 1;
                            false
                        }
                        ')' if depth == 0 => true,
                        ')' => {
                            depth -= 1;
                            false
                        }
                        _ => false,
                    },
                );
                match end {
                    Some((end, _)) => found.push((at, &rest[..end])),
                    None if rest.len() < LONGEST_TARGET => found.push((at, rest)),
                    None => {}
                }
            }
        }
    };
    let opened =
        memchr_iter(b']', line.as_bytes()).filter(|at| line.as_bytes().get(at + 1) == Some(&b'('));
    for at in opened.take(MOST_IN_LINE) {
        end_of(at + 2);
    }
    let start = line.len() - line.trim_start_matches(' ').len();
    if line[start..].starts_with('[')
        && !line[start..].starts_with("[^")
        && let Some(close) = line.find("]:")
        && !line[start + 1..close].contains(['[', ']'])
    {
        end_of(close + 2);
    }
    found
}

/// The path that a target means, if it is one below the skill's directory.
fn local(target: &str) -> Option<String> {
    let path = target.split(['#', '?']).next().unwrap_or(target);
    let has_gap = path.contains(['<', '>', '{', '}', '$', '*', '|', '`', '\\', '[', ']', '…'])
        || path.contains("...");
    let has_gap = has_gap || path.contains(char::is_control);
    let is_elsewhere =
        path.starts_with(['/', '~', '@']) || path.starts_with("www.") || has_scheme(path);
    // `[text](url)` is an example, and so is a path to somewhere.
    let is_example =
        !path.contains(['.', '/']) || path.starts_with("path/to") || path.starts_with("./path/to");
    let is_path = !path.is_empty() && !has_gap && !is_elsewhere && !is_example;
    is_path.then(|| decoded(path)).filter(|path| !path.contains(char::is_control))
}

/// Whether a target begins with `word:`, as addresses do.
fn has_scheme(path: &str) -> bool {
    let scheme = path.split_once(':').map(|(scheme, _)| scheme);
    scheme.is_some_and(|scheme| {
        scheme.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.'))
    })
}

/// A code span that is a path with a directory and an extension, and nothing else.
fn path_in_code(span: &str) -> Option<String> {
    let is_plain =
        span.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-' | b'/'));
    let (directory, name) = span.strip_prefix("./").unwrap_or(span).rsplit_once('/')?;
    let (stem, extension) = name.rsplit_once('.')?;
    let is_file = !stem.is_empty()
        && (1..=5).contains(&extension.len())
        && !extension.bytes().all(|b| b.is_ascii_digit());
    let is_below =
        !directory.is_empty() && !directory.starts_with(['/', '.']) && !span.contains("..");
    (is_plain && is_file && is_below).then(|| span.to_owned())
}

/// Whether `path` ends with all of `known`.
fn is_below(path: &str, known: &str) -> bool {
    path.strip_suffix(known).is_some_and(|above| above.ends_with('/'))
}

/// Whether a path looks like that of a file. `wiki/page` may be anything.
fn has_extension(path: &str) -> bool {
    path.rsplit('/').next().is_some_and(|name| name.contains('.'))
}

/// Whether the skill has the directory of a path.
fn in_known_directory(path: &str, known: &HashSet<&str>) -> bool {
    path.rsplit_once('/').is_some_and(|(directory, _)| known.contains(directory))
}

/// `%20` and the like as the bytes they stand for, where that is text.
fn decoded(path: &str) -> String {
    if !path.contains('%') {
        return path.to_owned();
    }
    let bytes = path.as_bytes();
    let (mut out, mut at) = (Vec::with_capacity(bytes.len()), 0);
    while at < bytes.len() {
        let hex = bytes.get(at + 1..at + 3).and_then(|hex| std::str::from_utf8(hex).ok());
        match hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()).filter(|_| bytes[at] == b'%') {
            Some(byte) => {
                out.push(byte);
                at += 3;
            }
            None => {
                out.push(bytes[at]);
                at += 1;
            }
        }
    }
    String::from_utf8(out).unwrap_or_else(|_| path.to_owned())
}

/// A path without `.` and `..`; none if it leads above the skill.
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

/// Every file of the skill, and every directory that holds one.
fn everything<'f>(files: &'f [String], file: &'f str) -> HashSet<&'f str> {
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

    fn told(body: &str) -> Vec<(Code, String, Option<String>)> {
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
        let told = findings
            .into_iter()
            .map(|found| (found.code, found.at.unwrap().to_string(), found.hint));
        told.collect()
    }

    #[test]
    fn links_that_lead_to_files_and_what_is_no_link_are_left_alone() {
        for good in [
            "[a](references/a%20b.md) [b](<references/a b.md>) [c](./scripts/run.py#L3 \"run\") [d](references/)",
            "![x](references/deep/../deep/x.md) [y](SKILL.md) [z](#below) [w](.)",
            "[a](https://a.example/x.md) [b](mailto:a@b.example) [c](/etc/x.md) [d](www.a.example/x.html)",
            "[text](url) [text](path/to/file.md) [x]({name}.md) [x](<name>.md) [x](references/*.md)",
            "`[a](gone.md)` and ```` [b](gone.md) ````",
            "```\n[a](gone.md) `scripts/gone.py`\n```",
            "`build/out.txt` `scripts/` `scripts/run.py` `scripts/v1.2` `example.com/a.html` `scripts/*.py` `and/or`",
            "`skills/a/scripts/run.py`, `deep/x.md`, `references/other.md` of the skill b, `scripts/build.sh` of yours, [x](wiki/page)",
            "[^1]: gone.md\n[x] yes\n- [ ] no: x.md",
        ] {
            assert_eq!(told(good), [], "{good}");
        }
    }

    #[test]
    fn t17_links_that_take_long_to_look_at_are_told_up_to_a_number() {
        let near = |n: usize| format!("[x](references/{}{n}.md)\n", "f".repeat(60));
        let text: String = (0..5000).map(near).collect();
        let dead =
            |text: &str| told(text).iter().filter(|(code, ..)| *code == Code::DeadLink).count();
        assert_eq!(dead(&text), 50);
        // Neither link nor name is what a person writes.
        assert_eq!(told(&format!("{}\n", "](".repeat(4000)).repeat(200)), []);
        let long = format!("[x](references/{}.md)\n", "f".repeat(900));
        assert_eq!(dead(&long.repeat(2000)), 1);
    }

    #[test]
    fn links_that_lead_nowhere_are_told_once_with_their_place() {
        let hint = |text: &str| Some(text.to_owned());
        let at = |place: &str| place.to_owned();
        assert_eq!(
            told("[a](run.py) and [b](run.py), (see [c](zzz(1).md))"),
            [
                (Code::DeadLink, at("6:5"), hint("did you mean `scripts/run.py`?")),
                (Code::DeadLink, at("6:39"), hint("add the file, or remove the link")),
            ]
        );
        assert_eq!(told("[a]: refs/x.md")[0].1, "6:6");
        assert_eq!(
            told("Run `scripts/rum.py`."),
            [(Code::DeadLink, at("6:6"), hint("did you mean `scripts/run.py`?"))]
        );
        assert_eq!(told("[a](../b/SKILL.md)")[0].0, Code::OutsideLink);
    }
}
