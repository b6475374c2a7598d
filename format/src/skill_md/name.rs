//! Which name a skill has, and what is odd about it.

use super::yaml::{self, Kind, Node, shown};
use crate::{Code, Finding, Position, SkillName};
use std::borrow::Cow;
use unicode_normalization::UnicodeNormalization;

/// The most characters of a name that every system takes.
const MAX_CHARS: usize = 64;

/// Reads the name: the frontmatter's, else the directory's. `top` is where the frontmatter begins.
pub(super) fn read(
    node: Option<&Node<'_>>,
    directory: Option<&str>,
    top: Position,
    findings: &mut Vec<Finding>,
) -> Option<SkillName> {
    let (text, at) = match node {
        Some(Node { kind: Kind::Scalar { text, plain }, at }) if !(*plain && yaml::is_null(text)) => {
            if *plain && yaml::is_typed(text) {
                let message = format!("other systems do not take the name `{}` for a text", shown(text));
                findings.push(Finding::new(Code::NameType, *at, message).hint("put it in quotes"));
            }
            (&**text, *at)
        }
        Some(Node { kind: Kind::List(_) | Kind::Map(_), at }) => {
            findings.push(Finding::new(Code::WrongType, *at, "`name` is a text, not a list or a mapping"));
            return None;
        }
        empty => {
            let at = empty.map_or(top, |node| node.at);
            let Some(directory) = directory else {
                let message = "`name` is missing, and there is no directory to take it from";
                findings.push(Finding::new(Code::MissingKey, at, message));
                return None;
            };
            let message = format!("`name` is missing: the directory's is taken, `{}`", shown(directory));
            findings
                .push(Finding::new(Code::MissingName, at, message).hint(format!("add `name: {}`", shown(directory))));
            (directory, at)
        }
    };
    let name = match SkillName::new(text) {
        Ok(name) => name,
        Err(why) => {
            findings.push(Finding::new(Code::BadName, at, format!("`{}` cannot be a name: {why}", shown(text))));
            return None;
        }
    };
    odd(text, &name, at, findings);
    if let Some(directory) = directory
        && *normal(directory) != *name
    {
        let message = format!("the name `{name}` is not that of the directory, `{}`", shown(directory));
        findings.push(Finding::new(Code::NameMismatch, at, message).hint("make the two the same"));
    }
    Some(name)
}

/// Reports what loads here and not everywhere.
fn odd(text: &str, name: &SkillName, at: Position, findings: &mut Vec<Finding>) {
    let trimmed = text.trim();
    let mut report = |code, message: String| findings.push(Finding::new(code, at, message));
    if trimmed.len() != text.len() {
        report(Code::PaddedName, "the name has blanks around it".to_owned());
    }
    if let Some(c) = trimmed.chars().find(|c| !matches!(c, 'a'..='z' | '0'..='9' | '-')) {
        let message = format!("the name `{}` holds `{c}`; other systems take a to z, 0 to 9 and `-`", shown(trimmed));
        report(Code::NameCharacter, message);
    }
    if name.starts_with('-') || name.ends_with('-') || name.contains("--") {
        let message = format!("the name `{}` starts or ends with a hyphen, or holds two in a row", shown(name));
        report(Code::NameHyphen, message);
    }
    let chars = name.chars().count();
    if chars > MAX_CHARS {
        report(Code::LongName, format!("the name has {chars} characters, the most is {MAX_CHARS}"));
    }
    for word in ["claude", "anthropic"] {
        if name.len() >= word.len() && name.to_ascii_lowercase().contains(word) {
            report(Code::ReservedWord, format!("some systems reserve the word `{word}` in names"));
        }
    }
}

fn normal(directory: &str) -> Cow<'_, str> {
    if directory.is_ascii() { Cow::Borrowed(directory) } else { Cow::Owned(directory.nfkc().collect()) }
}
