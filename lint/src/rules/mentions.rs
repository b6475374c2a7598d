//! Files that an agent will never hear of.

use helix_skills_format::{Code, Finding};
use std::{borrow::Cow, collections::HashMap};

/// Names of files that are there for people and for tools, in lower case, up to an extension.
const FOR_OTHERS: [&str; 20] = [
    "license",
    "licence",
    "notice",
    "copying",
    "readme",
    "changelog",
    "contributing",
    "authors",
    "security",
    "third_party_notices",
    "package",
    "package-lock",
    "pnpm-lock",
    "tsconfig",
    "pyproject",
    "requirements",
    "cargo",
    "makefile",
    "dockerfile",
    "openai",
];

/// Directories whose files are there for people and for tools.
const DIRECTORIES_FOR_OTHERS: [&str; 7] =
    ["test", "tests", "evals", "node_modules", "__pycache__", "docs", "assets"];

/// Shorter names without extension are in every text.
const MIN_STEM: usize = 3;

/// How many of them are named.
const NAMED: usize = 3;

/// Tells of files that neither the SKILL.md nor any other file of the skill mentions: by name, by
/// name without extension (as programs import each other), or by a directory that is mentioned as a
/// whole. Case makes no difference.
pub(super) fn check<'t>(
    text: &str,
    files: &[String],
    mut read: impl FnMut(&str) -> Option<Cow<'t, str>>,
    findings: &mut Vec<Finding>,
) {
    let lower: Vec<String> = files.iter().map(|path| path.to_ascii_lowercase()).collect();
    let mut search = Search::new(&lower);
    if search.left == 0 {
        return;
    }
    search.look(&text.to_ascii_lowercase(), None);
    // The texts of other files are asked for only where that can change anything.
    for (at, path) in files.iter().enumerate() {
        if search.left == 0 {
            return;
        }
        if let Some(text) = read(path) {
            search.look(&text.to_ascii_lowercase(), Some(at));
        }
    }
    let lost = files.iter().zip(&search.found).filter(|(_, found)| !**found);
    let lost: Vec<&str> = lost.map(|(path, _)| path.as_str()).collect();
    if let [_, ..] = &lost[..] {
        let named: Vec<String> =
            lost.iter().take(NAMED).map(|path| format!("`{}`", path.escape_debug())).collect();
        let message = match lost.len() - named.len() {
            0 => format!("nothing in the skill mentions {}", named.join(" or ")),
            1 => format!("nothing in the skill mentions {} or one more file", named.join(", ")),
            more => {
                format!("nothing in the skill mentions {} or {more} more files", named.join(", "))
            }
        };
        let hint = "say in SKILL.md when to read or run them, or leave them out: a model does not look for files by itself";
        findings.push(Finding::new(Code::UnmentionedFile, None, message).hint(hint));
    }
}

/// Which files have been mentioned.
struct Search<'f> {
    /// By name, and by name without extension: the files.
    names: HashMap<&'f str, Vec<usize>>,
    /// By the name of a directory: all files below it.
    directories: HashMap<&'f str, Vec<usize>>,
    /// By the first byte of all of these: a bit for each length, the last one for all that are
    /// longer. Nearly every word of a text is none of them, and this tells so without hashing it.
    shapes: Box<[u64; 256]>,
    found: Vec<bool>,
    left: usize,
}

impl<'f> Search<'f> {
    fn new(files: &'f [String]) -> Self {
        let mut search = Self {
            names: HashMap::new(),
            directories: HashMap::new(),
            shapes: Box::new([0; 256]),
            found: files.iter().map(|path| is_for_others(path)).collect(),
            left: 0,
        };
        for (at, path) in files.iter().enumerate().filter(|(at, _)| !search.found[*at]) {
            search.left += 1;
            let mut parts = path.split('/').rev();
            let name = parts.next().unwrap_or(path);
            for word in words(name).map(|(_, word)| word) {
                search.names.entry(word).or_default().push(at);
            }
            if let Some((stem, _)) = name.split_once('.').filter(|(stem, _)| stem.len() >= MIN_STEM)
            {
                search.names.entry(stem).or_default().push(at);
            }
            for directory in parts {
                search.directories.entry(directory).or_default().push(at);
            }
        }
        for name in search.names.keys().chain(search.directories.keys()) {
            if let Some((first, length)) = shape(name) {
                search.shapes[first] |= length;
            }
        }
        search
    }

    /// Looks at a text for what it mentions; a file that mentions itself does not count.
    fn look(&mut self, text: &str, itself: Option<usize>) {
        for (at, word) in words(text) {
            if self.left == 0 {
                return;
            }
            let rest = &text[at + word.len()..];
            self.mark(word, rest, itself);
            if word.contains('.') {
                word.split('.').for_each(|part| self.mark(part, rest, itself));
            }
        }
    }

    fn mark(&mut self, word: &str, rest: &str, itself: Option<usize>) {
        if shape(word).is_none_or(|(first, length)| self.shapes[first] & length == 0) {
            return;
        }
        // A directory that a path goes on from is not meant as a whole.
        let goes_on = rest.strip_prefix('/').is_some_and(|rest| rest.starts_with(is_of_word));
        let below = if goes_on { None } else { self.directories.get_mut(word) };
        for files in [self.names.get_mut(word), below].into_iter().flatten() {
            // Only who is mentioned by itself may still have to be found elsewhere.
            files.retain(|at| {
                let is_itself = Some(*at) == itself;
                if !is_itself && !self.found[*at] {
                    self.found[*at] = true;
                    self.left -= 1;
                }
                is_itself
            });
        }
    }
}

/// The first byte of a word, and a bit for its length.
fn shape(word: &str) -> Option<(usize, u64)> {
    word.bytes().next().map(|first| (usize::from(first), 1 << word.len().min(63)))
}

/// Runs of characters that names of files are made of, with their places; without dots at their
/// ends.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = skip(text, at, false);
        at = skip(text, start, true);
        (start < at).then(|| (start, text[start..at].trim_end_matches('.')))
    })
}

/// The end of a run that begins at `at`, of characters that are or are not of words.
fn skip(text: &str, mut at: usize, of_word: bool) -> usize {
    let bytes = text.as_bytes();
    while let Some(byte) = bytes.get(at) {
        // Most of a text is ASCII, and needs no decoding.
        let (is, length) = if byte.is_ascii() {
            (OF_WORD[usize::from(*byte)], 1)
        } else {
            let c = text[at..].chars().next().unwrap_or(char::REPLACEMENT_CHARACTER);
            (is_of_word(c), c.len_utf8())
        };
        if is != of_word {
            break;
        }
        at += length;
    }
    at
}

/// Which bytes of ASCII are of words.
const OF_WORD: [bool; 128] = {
    let mut table = [false; 128];
    let mut byte = 0;
    while byte < 128 {
        let is = (byte as u8).is_ascii_alphanumeric();
        table[byte] = is || matches!(byte as u8, b'.' | b'_' | b'-');
        byte += 1;
    }
    table
};

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '.' | '_' | '-')
}

/// Files that no agent has to hear of, by their path in lower case.
pub(super) fn is_for_others(path: &str) -> bool {
    let mut parts = path.split('/').rev();
    let name = parts.next().unwrap_or(path);
    let stem = name.split('.').next().unwrap_or(name);
    name.starts_with(['.', '_'])
        || name.contains(".test.")
        || name.contains(".spec.")
        || name.ends_with(".lock")
        || name.ends_with(".pyc")
        || FOR_OTHERS.contains(&stem)
        || parts.any(|directory| {
            directory.starts_with('.') || DIRECTORIES_FOR_OTHERS.contains(&directory)
        })
}

#[cfg(test)]
mod tests {
    use crate::{Draft, Rules, lint};
    use helix_skills_format::Code;
    use std::borrow::Cow;

    /// The findings on a skill whose body is `body`, with these files and their texts.
    fn told(body: &str, files: &[(&str, &'static str)]) -> Vec<String> {
        let text =
            format!("---\nname: a\ndescription: Reads tides. Use when asked.\n---\n{body}\n");
        let paths: Vec<String> = files.iter().map(|(path, _)| (*path).to_owned()).collect();
        let draft = Draft {
            bytes: text.as_bytes(),
            directory: Some("a"),
            file: "SKILL.md",
            files: Some(&paths),
        };
        let read = |path: &str| {
            files.iter().find(|(known, _)| *known == path).map(|(_, text)| Cow::Borrowed(*text))
        };
        let findings = lint(&draft, Rules::Authors, read).into_iter();
        findings
            .filter(|found| found.code == Code::UnmentionedFile)
            .map(|found| found.message)
            .collect()
    }

    #[test]
    fn what_is_mentioned_somehow_is_left_alone() {
        for (body, path) in [
            ("See [x](references/x.md).", "references/x.md"),
            ("Read `x.md`.", "references/x.md"),
            ("Read REFERENCE.md.", "reference.md"),
            ("Run `python -m scripts.run`.", "scripts/run.py"),
            ("All of `themes/`.", "themes/a/b.json"),
            ("One of themes/*.md.", "themes/b.md"),
            ("One of `themes/{name}.md`.", "themes/b.md"),
            ("The themes.", "themes/b.md"),
            ("x", "LICENSE.txt"),
            ("x", "tests/run.sh"),
            ("x", "scripts/__init__.py"),
            ("x", "assets/logo.png"),
        ] {
            assert_eq!(told(body, &[(path, "")]), [""; 0], "{body}");
        }
        let files = [
            ("a.md", "see bays"),
            ("bays.md", "run d.py"),
            ("lib/tide.py", ""),
            ("d.py", "import tide"),
        ];
        assert_eq!(told("Read a.md", &files), [""; 0]);
    }

    #[test]
    fn what_nothing_mentions_is_told() {
        let one = "nothing in the skill mentions `references/y.md`";
        assert_eq!(
            told(
                "See references/x.md",
                &[("references/x.md", ""), ("references/y.md", "I am y.md")]
            ),
            [one]
        );
        // In which order they are read makes no difference.
        assert_eq!(
            told("x", &[("a.md", "b.md"), ("b.md", "b.md")]),
            ["nothing in the skill mentions `a.md`"]
        );
        let five = ["a.md", "b.md", "c.md", "d.md", "e.md"].map(|path| (path, ""));
        assert_eq!(
            told("x", &five),
            ["nothing in the skill mentions `a.md`, `b.md`, `c.md` or 2 more files"]
        );
        assert_eq!(
            told("x", &five[1..]),
            ["nothing in the skill mentions `b.md`, `c.md`, `d.md` or one more file"]
        );
        assert_eq!(told("x", &five[3..]), ["nothing in the skill mentions `d.md` or `e.md`"]);
    }
}
