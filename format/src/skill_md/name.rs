//! Which name a skill has, and what is odd about it.

use super::yaml::{self, Kind, Node, shown};
use crate::{Code, Finding, Position, SkillName};
use std::borrow::Cow;
use unicode_normalization::UnicodeNormalization;

/// The most characters of a name that every system takes.
const MAX_CHARS: usize = 64;

/// The rules for a name, for hints.
const NAME: &str = "a name has lower-case letters, digits and `-`: `tide-tables`";

/// Reads the name: the frontmatter's, else the directory's. `top` is where the frontmatter begins.
pub(super) fn read(
    node: Option<&Node<'_>>,
    directory: Option<&str>,
    top: Position,
    findings: &mut Vec<Finding>,
) -> Option<SkillName> {
    let (text, at) = match node {
        Some(Node { kind: Kind::Scalar { text, plain }, at })
            if !(*plain && yaml::is_null(text)) =>
        {
            if *plain && yaml::is_typed(text) {
                let message =
                    format!("other systems do not take the name `{}` for a text", shown(text));
                findings.push(Finding::new(Code::NameType, *at, message).hint("put it in quotes"));
            }
            (&**text, *at)
        }
        Some(Node { kind: Kind::List(_) | Kind::Map(_), at }) => {
            let found =
                Finding::new(Code::WrongType, *at, "`name` is a text, not a list or a mapping");
            findings.push(found.hint(NAME));
            return None;
        }
        empty => {
            let at = empty.map_or(top, |node| node.at);
            let Some(directory) = directory else {
                let message = "`name` is missing, and there is no directory to take it from";
                findings.push(
                    Finding::new(Code::MissingKey, at, message)
                        .hint("add `name: …`, as the skill is to be called"),
                );
                return None;
            };
            let message =
                format!("`name` is missing: the directory's is taken, `{}`", shown(directory));
            findings.push(
                Finding::new(Code::MissingName, at, message)
                    .hint(format!("add `name: {}`", shown(directory))),
            );
            (directory, at)
        }
    };
    let name = match SkillName::new(text) {
        Ok(name) => name,
        Err(why) => {
            let hint = plain(text)
                .map_or_else(|| NAME.to_owned(), |plain| format!("did you mean `{plain}`? {NAME}"));
            let message = format!("`{}` cannot be a name: {why}", shown(text));
            findings.push(Finding::new(Code::BadName, at, message).hint(hint));
            return None;
        }
    };
    odd(text, &name, at, findings);
    if let Some(directory) = directory
        && *normal(directory) != *name
    {
        let message =
            format!("the name `{name}` is not that of the directory, `{}`", shown(directory));
        findings.push(Finding::new(Code::NameMismatch, at, message).hint("make the two the same"));
    }
    Some(name)
}

/// Reports what loads here and not everywhere.
fn odd(text: &str, name: &SkillName, at: Position, findings: &mut Vec<Finding>) {
    let trimmed = text.trim();
    let mut report = |code, message: String, hint: &str| {
        findings.push(Finding::new(code, at, message).hint(hint))
    };
    if trimmed.len() != text.len() {
        report(Code::PaddedName, "the name has blanks around it".to_owned(), "take them out");
    }
    if let Some(c) = trimmed.chars().find(|c| !matches!(c, 'a'..='z' | '0'..='9' | '-')) {
        let message = format!(
            "the name `{}` holds `{c}`; other systems take a to z, 0 to 9 and `-`",
            shown(trimmed)
        );
        let hint = plain(trimmed).map_or_else(
            || NAME.to_owned(),
            |plain| format!("call it `{plain}`, and its directory, too"),
        );
        report(Code::NameCharacter, message, &hint);
    }
    if name.starts_with('-') || name.ends_with('-') || name.contains("--") {
        let message = format!(
            "the name `{}` starts or ends with a hyphen, or holds two in a row",
            shown(name)
        );
        report(Code::NameHyphen, message, "put single hyphens between words, and nowhere else");
    }
    let chars = name.chars().count();
    if chars > MAX_CHARS {
        let message = format!("the name has {chars} characters, the most is {MAX_CHARS}");
        report(Code::LongName, message, "shorten it, and the directory's name with it");
    }
    for word in ["claude", "anthropic"] {
        if name.len() >= word.len() && name.to_ascii_lowercase().contains(word) {
            let message = format!("some systems reserve the word `{word}` in names");
            report(Code::ReservedWord, message, "name the skill after what it does");
        }
    }
}

/// The name that was probably meant, for every system; none where that cannot be guessed.
fn plain(text: &str) -> Option<String> {
    let text = text.trim();
    let is_near =
        text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, ' ' | '_' | '-' | '.'));
    let words = text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let plain = words.map(str::to_ascii_lowercase).collect::<Vec<_>>().join("-");
    (is_near && !plain.is_empty() && plain.len() <= MAX_CHARS && SkillName::new(&plain).is_ok())
        .then_some(plain)
}

fn normal(directory: &str) -> Cow<'_, str> {
    if directory.is_ascii() {
        Cow::Borrowed(directory)
    } else {
        Cow::Owned(directory.nfkc().collect())
    }
}
