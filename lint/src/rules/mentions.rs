//! Finds files that no text of the skill mentions, so that an agent does not know of them.

use helix_skills_format::{__internal::listed, Code, Finding};
use std::{borrow::Cow, collections::HashMap};

/// Names of files for human readers and tools, in lower case without extension.
const NOT_FOR_MODELS: [&str; 20] = [
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

/// Directories of files for human readers and tools.
const DIRECTORIES_NOT_FOR_MODELS: [&str; 7] =
    ["test", "tests", "evals", "node_modules", "__pycache__", "docs", "assets"];

/// Minimum length of a name without extension. Shorter ones occur in every text.
const MIN_STEM: usize = 3;

/// Maximum number of files that the finding names.
const MAX_NAMED: usize = 3;

/// Reports files that neither the SKILL.md nor any other file of the skill mentions.
///
/// A file is mentioned by its name, by its name without extension (as in imports of programs), or
/// by one of its directories if no path continues after it. Case is ignored.
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
    search.scan(&text.to_ascii_lowercase(), None);
    // Other files are read only while there are unmentioned files.
    for (at, path) in files.iter().enumerate() {
        if search.left > 0
            && let Some(text) = read(path)
        {
            search.scan(&text.to_ascii_lowercase(), Some(at));
        }
    }
    if search.left == 0 {
        return;
    }
    let unmentioned = files.iter().zip(&search.found).filter(|(_, found)| !**found);
    let named = listed(unmentioned.map(|(path, _)| path.escape_debug()), MAX_NAMED);
    let message = format!("nothing in the skill mentions {named}");
    let hint = "say in SKILL.md when to read or run them, or remove them: a model does not search for files";
    findings.push(Finding::new(Code::UnmentionedFile, None, message).hint(hint));
}

/// A search for mentions of files.
struct Search<'f> {
    /// The files by name, and by name without extension.
    names: HashMap<&'f str, Vec<usize>>,
    /// The files by the names of their directories.
    directories: HashMap<&'f str, Vec<usize>>,
    found: Vec<bool>,
    left: usize,
}

impl<'f> Search<'f> {
    fn new(files: &'f [String]) -> Self {
        let mut search = Self {
            names: HashMap::new(),
            directories: HashMap::new(),
            found: files.iter().map(|path| is_not_for_models(path)).collect(),
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
        search
    }

    /// Searches a text for mentions. `itself` is the file of the text, which cannot mention itself.
    fn scan(&mut self, text: &str, itself: Option<usize>) {
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
        // A directory is not mentioned as a whole if the path continues.
        let continues = rest.strip_prefix('/').is_some_and(|rest| rest.starts_with(is_of_word));
        let below = if continues { None } else { self.directories.get_mut(word) };
        for files in [self.names.get_mut(word), below].into_iter().flatten() {
            // Keeps only the file itself, which another file may still mention.
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

/// Returns the runs of characters that may be file names, with their offsets and without trailing
/// dots.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut next = 0;
    let pieces = text.split_inclusive(|c| !is_of_word(c)).map(move |piece| {
        let at = next;
        next += piece.len();
        (at, piece.trim_end_matches(|c| !is_of_word(c)).trim_end_matches('.'))
    });
    pieces.filter(|(_, word)| !word.is_empty())
}

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '.' | '_' | '-')
}

/// Returns whether a file is for human readers or tools, by its path in lower case.
pub(super) fn is_not_for_models(path: &str) -> bool {
    let mut parts = path.split('/').rev();
    let name = parts.next().unwrap_or(path);
    let stem = name.split('.').next().unwrap_or(name);
    name.starts_with(['.', '_'])
        || name.contains(".test.")
        || name.contains(".spec.")
        || name.ends_with(".lock")
        || name.ends_with(".pyc")
        || NOT_FOR_MODELS.contains(&stem)
        || parts.any(|directory| {
            directory.starts_with('.') || DIRECTORIES_NOT_FOR_MODELS.contains(&directory)
        })
}

#[cfg(test)]
mod tests {
    use crate::{Draft, Rules, lint};
    use helix_skills_format::Code;
    use std::borrow::Cow;

    /// Returns the findings on a skill with this body and these files and texts.
    fn report(body: &str, files: &[(&str, &'static str)]) -> Vec<String> {
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
    fn mentioned_files_are_not_reported() {
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
            assert_eq!(report(body, &[(path, "")]), [""; 0], "{body}");
        }
        let files = [
            ("a.md", "see bays"),
            ("bays.md", "run d.py"),
            ("lib/tide.py", ""),
            ("d.py", "import tide"),
        ];
        assert_eq!(report("Read a.md", &files), [""; 0]);
    }

    #[test]
    fn unmentioned_files_are_reported() {
        let one = "nothing in the skill mentions `references/y.md`";
        assert_eq!(
            report(
                "See references/x.md",
                &[("references/x.md", ""), ("references/y.md", "I am y.md")]
            ),
            [one]
        );
        // The order in which the files are read does not matter.
        assert_eq!(
            report("x", &[("a.md", "b.md"), ("b.md", "b.md")]),
            ["nothing in the skill mentions `a.md`"]
        );
        let five = ["a.md", "b.md", "c.md", "d.md", "e.md"].map(|path| (path, ""));
        assert_eq!(
            report("x", &five),
            ["nothing in the skill mentions `a.md`, `b.md`, `c.md` and 2 more"]
        );
        assert_eq!(
            report("x", &five[1..]),
            ["nothing in the skill mentions `b.md`, `c.md`, `d.md` and 1 more"]
        );
        assert_eq!(report("x", &five[3..]), ["nothing in the skill mentions `d.md`, `e.md`"]);
    }
}
