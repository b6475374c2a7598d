//! The name of a skill, and the findings about it.

use super::{
    Rules,
    yaml::{Node, NodeKind, escaped},
};
use crate::{Code, Finding, Position, SkillName};
use helix_skills_runtime::{
    __internal::{NameError, tool_names},
    Profile,
};
use unicode_normalization::UnicodeNormalization;

/// Maximum length of a name that all systems accept, in characters.
const MAX_CHARS: usize = 64;

/// The rules for names, for hints.
const NAME: &str = "a name consists of lower-case letters, digits and `-`: `tide-tables`";

/// Reads the name from the frontmatter, or else from the directory. `top` is the position of the
/// frontmatter.
pub(super) fn read(
    node: Option<&Node<'_>>,
    rules: Rules<'_>,
    directory: Option<&str>,
    top: Position,
    findings: &mut Vec<Finding>,
) -> Option<SkillName> {
    // Whether a name is required, and whether a valid one may differ from the directory's.
    let (is_required, is_free) = match rules {
        Rules::Fetched { name: Some(name) } => return Some(name.clone()),
        Rules::Own | Rules::Fetched { name: None } | Rules::Flat => (false, false),
        Rules::Profile(Profile::SkillUse | Profile::ClaudeCode) => (false, true),
        Rules::Profile(profile) => (true, profile == Profile::DeepAgents),
    };
    let of_directory = || match rules {
        Rules::Fetched { .. } => valid_or_joined(directory?).ok(),
        _ => None,
    };
    let mut report = |code, at, message: String, hint: &str| {
        findings.push(Finding::new(code, at, message).hint(hint));
    };
    let at = node.map_or(top, |node| node.at);
    let text = match node {
        Some(Node { kind: NodeKind::List(_) | NodeKind::Map(_), .. }) => {
            let message = "`name` must be a string, not a list or a mapping".to_owned();
            report(Code::WrongType, at, message, NAME);
            return of_directory();
        }
        Some(node) if !node.is_null() => {
            if let Some(text) = node.typed() {
                let message =
                    format!("other systems do not read the name `{}` as a string", escaped(text));
                report(Code::NameType, at, message, "put it in quotes");
            }
            node.text().unwrap_or_default()
        }
        _ => {
            let Some(directory) = directory.filter(|_| !is_required) else {
                let more = match is_required {
                    true => "",
                    false => ", and the skill has no directory name to use instead",
                };
                report(Code::MissingKey, at, format!("`name` is missing{more}"), "add `name: …`");
                return None;
            };
            if !is_free {
                let name = escaped(directory);
                let message = format!("`name` is missing; the directory's name is `{name}`");
                report(Code::MissingName, at, message, &format!("add `name: {name}`"));
            }
            directory
        }
    };
    let parse = if is_required && is_free { valid_or_joined } else { SkillName::new };
    let name = match parse(text) {
        Ok(name) => name,
        Err(why) => {
            let hint = suggestion(text).map_or_else(
                || NAME.to_owned(),
                |suggestion| format!("did you mean `{suggestion}`? {NAME}"),
            );
            let message = format!("`{}` cannot be a name: {why}", escaped(text));
            report(Code::BadName, at, message, &hint);
            return of_directory();
        }
    };
    if is_free {
        if SkillName::new(text).is_err() {
            let message = format!("the name `{}` is read as `{name}`", escaped(text));
            report(Code::NameCharacter, at, message, &format!("rename it to `{name}`"));
        }
        return Some(name);
    }
    check_portability(text, &name, &mut |code, message, hint| report(code, at, message, hint));
    if let Some(directory) = directory
        && !directory.nfkc().eq(name.chars())
    {
        let message =
            format!("the name `{name}` differs from the directory's, `{}`", escaped(directory));
        report(Code::NameMismatch, at, message, "rename one of them");
    }
    Some(name)
}

/// Reports names that are valid here but not on all systems.
fn check_portability(text: &str, name: &SkillName, report: &mut dyn FnMut(Code, String, &str)) {
    let trimmed = text.trim();
    if trimmed.len() != text.len() {
        report(Code::PaddedName, "the name has spaces around it".to_owned(), "remove them");
    }
    if let Some(c) = trimmed.chars().find(|c| !matches!(c, 'a'..='z' | '0'..='9' | '-')) {
        let message = format!(
            "the name `{}` contains `{c}`; other systems accept only a to z, 0 to 9 and `-`",
            escaped(trimmed)
        );
        let hint = suggestion(trimmed).map_or_else(
            || NAME.to_owned(),
            |suggestion| format!("rename it and its directory to `{suggestion}`"),
        );
        report(Code::NameCharacter, message, &hint);
    }
    if name.starts_with('-') || name.ends_with('-') || name.contains("--") {
        let message = format!(
            "the name `{}` starts or ends with a hyphen, or has two in a row",
            escaped(name)
        );
        report(Code::NameHyphen, message, "use single hyphens between words only");
    }
    let chars = name.chars().count();
    if chars > MAX_CHARS {
        let message = format!("the name has {chars} characters; the maximum is {MAX_CHARS}");
        report(Code::LongName, message, "shorten it, and the directory's name with it");
    }
    for word in ["claude", "anthropic"] {
        if name.len() >= word.len() && name.to_ascii_lowercase().contains(word) {
            let message = format!("some systems reserve the word `{word}` in names");
            report(Code::ReservedWord, message, "name the skill after what it does");
        }
    }
    if Profile::ALL.into_iter().flat_map(tool_names).any(|tool| tool == &**name) {
        let message = format!(
            "the name `{name}` is that of a tool for skills: agents with this tool leave the skill out, or \
             confuse the two"
        );
        report(Code::ToolName, message, "name the skill after what it does");
    }
}

/// Returns the portable name that was probably meant, or `None` if it cannot be guessed.
fn suggestion(text: &str) -> Option<SkillName> {
    let is_near = |c: char| c.is_ascii_alphanumeric() || matches!(c, ' ' | '_' | '-' | '.');
    let name = text.trim().chars().all(is_near).then(|| joined(text))??;
    (name.len() <= MAX_CHARS).then_some(name)
}

/// Returns a text as a name, or else its words if they are one.
fn valid_or_joined(text: &str) -> Result<SkillName, NameError> {
    SkillName::new(text).or_else(|why| joined(text).ok_or(why))
}

/// Returns the words of a text in lower case, joined by hyphens, as a name.
fn joined(text: &str) -> Option<SkillName> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    SkillName::new(&words.map(str::to_lowercase).collect::<Vec<_>>().join("-")).ok()
}
