//! Readers for the values of known keys, which report problems.

use super::Value;
use super::name::NameRule;
use super::tools;
use super::yaml::{self, Entry, Node, NodeKind, escaped};
use crate::{Code, Finding, Position};
use helix_skills_runtime::__internal::MAX_TICKS;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The hint for a missing description.
pub(super) const DESCRIBE: &str = "say what the skill does and when to use it";

/// Reads entries one by one, and keeps values that it cannot use.
#[derive(Default)]
pub(super) struct FieldReader {
    pub(super) findings: Vec<Finding>,
    pub(super) extra: Vec<(String, Value)>,
    pub(super) names: NameRule,
}

impl FieldReader {
    /// Returns a trimmed text, or `None` if it is blank or has another type.
    pub(super) fn text(&mut self, entry: Entry<'_>) -> Option<String> {
        match entry.value.kind {
            NodeKind::Scalar { ref text, plain }
                if self.is_empty(&entry.key, text, plain, entry.value.at) =>
            {
                None
            }
            NodeKind::Scalar { text, .. } => Some(trimmed(text)),
            _ => self.wrong(entry, "a string"),
        }
    }

    /// Returns a text that other systems read as a string only if YAML does.
    pub(super) fn string(&mut self, entry: Entry<'_>) -> Option<String> {
        self.report_typed(&format!("`{}`", entry.key), &entry.value);
        self.text(entry)
    }

    /// Reports a value without quotes that YAML reads as a number or a boolean.
    fn report_typed(&mut self, what: &str, value: &Node<'_>) {
        if let NodeKind::Scalar { text, plain: true } = &value.kind
            && yaml::is_typed(text)
        {
            let message =
                format!("other systems do not read {what} as a string: `{}`", escaped(text));
            self.findings
                .push(Finding::new(Code::TypedValue, value.at, message).hint("put it in quotes"));
        }
    }

    /// Returns the description. The caller handles a missing or blank one.
    pub(super) fn description(&mut self, node: Node<'_>) -> Option<String> {
        const MAX_CHARS: usize = 1024;
        let NodeKind::Scalar { text, plain } = node.kind else {
            self.findings.push(
                Finding::new(
                    Code::WrongType,
                    node.at,
                    "`description` must be a string, not a list or a mapping",
                )
                .hint("put it in quotes if it contains `: ` or begins with `[` or `{`"),
            );
            return None;
        };
        if text.trim().is_empty() || (plain && yaml::is_null(&text)) {
            let found = Finding::new(Code::MissingDescription, node.at, "`description` is blank");
            self.findings.push(found.hint(DESCRIBE));
            return None;
        }
        if plain && yaml::is_typed(&text) {
            let message = format!(
                "other systems do not read the description `{}` as a string",
                escaped(&text)
            );
            self.findings.push(
                Finding::new(Code::DescriptionType, node.at, message).hint("put it in quotes"),
            );
        }
        if text.contains(['<', '>']) {
            let message = "some systems reject descriptions with `<` or `>`";
            let hint = "remove them: models read text between `<` and `>` as markup";
            self.findings.push(Finding::new(Code::DescriptionMarkup, node.at, message).hint(hint));
        }
        let text = trimmed(text);
        self.at_most(Code::LongDescription, "description", MAX_CHARS, &text, node.at);
        Some(text)
    }

    /// Returns the compatibility note.
    pub(super) fn compatibility(&mut self, entry: Entry<'_>) -> Option<String> {
        const MAX_CHARS: usize = 500;
        let at = entry.value.at;
        let text = self.string(entry)?;
        self.at_most(Code::LongCompatibility, "compatibility", MAX_CHARS, &text, at);
        Some(text)
    }

    /// Returns metadata strings by key. Nested values go to `extra` under `metadata`.
    pub(super) fn metadata(&mut self, entry: Entry<'_>) -> BTreeMap<String, String> {
        let mut texts = BTreeMap::new();
        let entries = match entry.value.kind {
            NodeKind::Map(entries) => entries,
            NodeKind::Scalar { ref text, plain }
                if self.is_empty(&entry.key, text, plain, entry.value.at) =>
            {
                return texts;
            }
            _ => {
                self.wrong::<()>(entry, "a mapping of strings");
                return texts;
            }
        };
        let mut nested = Vec::new();
        for Entry { key, value, .. } in entries {
            self.report_typed(&format!("the metadata value `{}`", escaped(&key)), &value);
            match value.kind {
                NodeKind::Scalar { text, plain } => {
                    if plain && yaml::is_null(&text) {
                        let message = format!("the metadata value `{}` has no text", escaped(&key));
                        self.findings.push(
                            Finding::new(Code::TypedValue, value.at, message)
                                .hint("put it in quotes, or remove it"),
                        );
                    }
                    texts.insert(key.into_owned(), text.into_owned());
                }
                _ => {
                    let message = format!("the metadata value `{}` is not a string", escaped(&key));
                    self.findings.push(Finding::new(Code::NestedMetadata, value.at, message).hint(
                        "other systems read only strings; quote it, or move it out of `metadata`",
                    ));
                    nested.push((key.into_owned().into(), Value::from(value)));
                }
            }
        }
        if !nested.is_empty() {
            self.extra.push((entry.key.into_owned(), Value::Map(nested.into())));
        }
        texts
    }

    /// Returns tool rules, from a list or a text that is split. An unreadable value gives an empty
    /// list, which allows no tools.
    pub(super) fn rules(&mut self, entry: Entry<'_>) -> Vec<String> {
        let (key, at) = (entry.key.clone(), entry.value.at);
        let mut unclosed = false;
        let rules = self.list(entry, |text| {
            let split = tools::rules(text);
            unclosed = split.unclosed;
            split.rules
        });
        if unclosed {
            let message = format!("unclosed parenthesis in `{key}`; its rule extends to the end");
            self.findings.push(
                Finding::new(Code::UnclosedParenthesis, at, message)
                    .hint("close it, as in `Bash(git:*)`"),
            );
        }
        rules
    }

    /// Returns a list of strings, or a string that `split` divides. List items are taken whole;
    /// items that are not strings are left out.
    pub(super) fn list(
        &mut self,
        entry: Entry<'_>,
        split: impl FnOnce(&str) -> Vec<String>,
    ) -> Vec<String> {
        match entry.value.kind {
            // An empty string is an empty list.
            NodeKind::Scalar { ref text, plain: false } if text.trim().is_empty() => Vec::new(),
            NodeKind::Scalar { ref text, plain } => {
                if self.is_empty(&entry.key, text, plain, entry.value.at) {
                    return Vec::new();
                }
                if plain && yaml::is_typed(text) {
                    self.not_text(&format!("`{}`", entry.key), text, entry.value.at);
                }
                split(text)
            }
            NodeKind::List(items) => {
                let mut texts = Vec::with_capacity(items.len());
                for item in items {
                    match &item.kind {
                        NodeKind::Scalar { text, plain } => {
                            if self.is_empty(&entry.key, text, *plain, item.at) {
                                continue;
                            }
                            if *plain && yaml::is_typed(text) {
                                let what = format!("an item of `{}`", entry.key);
                                self.not_text(&what, text, item.at);
                            }
                            texts.push(text.trim().to_owned());
                        }
                        _ => {
                            let message = format!("an item of `{}` is not a string", entry.key);
                            let found = Finding::new(Code::FieldType, item.at, message);
                            self.findings.push(found.hint("put it in quotes if it contains `: `"));
                        }
                    }
                }
                texts
            }
            NodeKind::Map(_) => {
                self.wrong::<()>(entry, "a string or a list of strings");
                Vec::new()
            }
        }
    }

    /// Reports a number or a boolean in a list of strings.
    fn not_text(&mut self, what: &str, text: &str, at: Position) {
        let text = escaped(text);
        let message = format!("{what} is not a string for other systems: `{text}`");
        self.findings.push(Finding::new(Code::FieldType, at, message).hint("put it in quotes"));
    }

    /// Returns an argument hint: a text, or a list that was meant as text (`[file]`).
    pub(super) fn argument_hint(&mut self, entry: Entry<'_>) -> Option<String> {
        match entry.value.kind {
            NodeKind::List(_) => Some(Value::from(entry.value).to_string()),
            _ => self.text(entry),
        }
    }

    /// Returns a boolean that controls access to the skill. Other values count as `closed`.
    pub(super) fn gate(&mut self, entry: Entry<'_>, closed: bool) -> bool {
        let text = match &entry.value.kind {
            NodeKind::Scalar { text, .. } => text.trim(),
            _ => "",
        };
        let is_one_of =
            |words: [&str; 4]| words.into_iter().any(|word| text.eq_ignore_ascii_case(word));
        if is_one_of(["true", "yes", "on", "1"]) {
            return true;
        }
        if is_one_of(["false", "no", "off", "0"]) {
            return false;
        }
        let message = format!("`{}` is not a boolean; it is read as {closed}", entry.key);
        self.findings.push(
            Finding::new(Code::FieldType, entry.value.at, message).hint("write `true` or `false`"),
        );
        self.extra.push((entry.key.into_owned(), entry.value.into()));
        closed
    }

    /// Returns a positive number of turns. A number over the maximum is kept and reported.
    pub(super) fn ticks(&mut self, entry: Entry<'_>) -> Option<u32> {
        let at = entry.value.at;
        let number = self.number(entry)?;
        if number > MAX_TICKS {
            let message = format!("`maxTicks` is {number}; a run has at most {MAX_TICKS}");
            let hint =
                format!("write {MAX_TICKS} or less; a host can allow more with `Run::max_turns`");
            self.findings.push(Finding::new(Code::CappedTicks, at, message).hint(hint));
        }
        Some(number)
    }

    fn number(&mut self, entry: Entry<'_>) -> Option<u32> {
        if let NodeKind::Scalar { text, plain } = &entry.value.kind {
            if self.is_empty(&entry.key, text, *plain, entry.value.at) {
                return None;
            }
            if let Ok(number @ 1..) = text.trim().parse() {
                return Some(number);
            }
        }
        self.wrong(entry, "a positive integer")
    }

    /// Returns any value unchanged.
    pub(super) fn value(&mut self, entry: Entry<'_>) -> Option<Value> {
        match &entry.value.kind {
            NodeKind::Scalar { text, plain }
                if self.is_empty(&entry.key, text, *plain, entry.value.at) =>
            {
                None
            }
            _ => Some(entry.value.into()),
        }
    }

    /// Reports and keeps an unknown key.
    pub(super) fn unknown(&mut self, entry: Entry<'_>, known: Option<&str>) {
        let message = format!("unknown key `{}`", escaped(&entry.key));
        let found = Finding::new(Code::UnknownField, entry.at, message);
        self.findings.push(match known {
            Some(known) => found.hint(format!("did you mean `{known}`?")),
            None => found,
        });
        self.extra.push((entry.key.into_owned(), entry.value.into()));
    }

    fn is_empty(&mut self, key: &str, text: &str, plain: bool, at: Position) -> bool {
        let empty = text.trim().is_empty() || (plain && yaml::is_null(text));
        if empty {
            let message = format!("`{key}` has no value");
            self.findings.push(
                Finding::new(Code::EmptyField, at, message).hint("add a value, or remove the key"),
            );
        }
        empty
    }

    fn wrong<T>(&mut self, entry: Entry<'_>, expected: &str) -> Option<T> {
        let message = format!("`{}` must be {expected}", entry.key);
        let hint = format!("write {expected}, or remove the key");
        self.findings.push(Finding::new(Code::FieldType, entry.value.at, message).hint(hint));
        self.extra.push((entry.key.into_owned(), entry.value.into()));
        None
    }

    fn at_most(&mut self, code: Code, key: &str, most: usize, text: &str, at: Position) {
        // A text never has more characters than bytes.
        if text.len() <= most {
            return;
        }
        let chars = text.chars().count();
        if chars > most {
            let message = format!("`{key}` has {chars} characters; the maximum is {most}");
            self.findings.push(
                Finding::new(code, at, message).hint("shorten it, and move details to the body"),
            );
        }
    }
}

fn trimmed(text: Cow<'_, str>) -> String {
    let inner = text.trim();
    if inner.len() == text.len() { text.into_owned() } else { inner.to_owned() }
}
