//! Values of known keys, with what is wrong with them.

use super::ValueBuf;
use super::tools;
use super::yaml::{self, Entry, Kind, Node, shown};
use crate::{Code, Finding, Position};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// What a description is for.
pub(super) const DESCRIBE: &str = "say what the skill does and when to use it";

/// Reads entries one after the other; keeps what it cannot use.
#[derive(Default)]
pub(super) struct Fields {
    pub(super) findings: Vec<Finding>,
    pub(super) extra: Vec<(String, ValueBuf)>,
}

impl Fields {
    /// A text without white space around it; none if it is blank or of another type.
    pub(super) fn text(&mut self, entry: Entry<'_>) -> Option<String> {
        match entry.value.kind {
            Kind::Scalar { ref text, plain }
                if self.is_empty(&entry.key, text, plain, entry.value.at) =>
            {
                None
            }
            Kind::Scalar { text, .. } => Some(trimmed(text)),
            _ => self.wrong(entry, "a text"),
        }
    }

    /// The description; blank and missing are the caller's to report.
    pub(super) fn description(&mut self, node: Node<'_>) -> Option<String> {
        const MAX_CHARS: usize = 1024;
        let Kind::Scalar { text, plain } = node.kind else {
            self.findings.push(
                Finding::new(
                    Code::WrongType,
                    node.at,
                    "`description` is a text, not a list or a mapping",
                )
                .hint("put it in quotes if it holds `: ` or begins with `[` or `{`"),
            );
            return None;
        };
        if text.trim().is_empty() || (plain && yaml::is_null(&text)) {
            let found = Finding::new(Code::MissingDescription, node.at, "`description` is blank");
            self.findings.push(found.hint(DESCRIBE));
            return None;
        }
        if plain && yaml::is_typed(&text) {
            let message =
                format!("other systems do not take the description `{}` for a text", shown(&text));
            self.findings.push(
                Finding::new(Code::DescriptionType, node.at, message).hint("put it in quotes"),
            );
        }
        if text.contains(['<', '>']) {
            let message = "some systems refuse a description with `<` or `>`";
            let hint =
                "write it in words: models take what stands between `<` and `>` for structure";
            self.findings.push(Finding::new(Code::DescriptionMarkup, node.at, message).hint(hint));
        }
        let text = trimmed(text);
        self.at_most(Code::LongDescription, "description", MAX_CHARS, &text, node.at);
        Some(text)
    }

    /// The compatibility note.
    pub(super) fn compatibility(&mut self, entry: Entry<'_>) -> Option<String> {
        const MAX_CHARS: usize = 500;
        let at = entry.value.at;
        let text = self.text(entry)?;
        self.at_most(Code::LongCompatibility, "compatibility", MAX_CHARS, &text, at);
        Some(text)
    }

    /// Texts by key; what is nested goes to `extra` under `metadata`.
    pub(super) fn metadata(&mut self, entry: Entry<'_>) -> BTreeMap<String, String> {
        let mut texts = BTreeMap::new();
        let entries = match entry.value.kind {
            Kind::Map(entries) => entries,
            Kind::Scalar { ref text, plain }
                if self.is_empty(&entry.key, text, plain, entry.value.at) =>
            {
                return texts;
            }
            _ => {
                self.wrong::<()>(entry, "a mapping of texts");
                return texts;
            }
        };
        let mut nested = Vec::new();
        for Entry { key, value, .. } in entries {
            match value.kind {
                Kind::Scalar { text, .. } => {
                    texts.insert(key.into_owned(), text.into_owned());
                }
                _ => {
                    let message = format!("the metadata value `{}` is not a text", shown(&key));
                    self.findings.push(Finding::new(Code::NestedMetadata, value.at, message).hint(
                        "other systems read texts only; quote it, or move it out of `metadata`",
                    ));
                    nested.push((key.into_owned(), ValueBuf::from(value)));
                }
            }
        }
        if !nested.is_empty() {
            self.extra.push((entry.key.into_owned(), ValueBuf::Map(nested)));
        }
        texts
    }

    /// Tool rules: a list, or a text that is split. What cannot be read is the empty list: no
    /// tools.
    pub(super) fn rules(&mut self, entry: Entry<'_>) -> Vec<String> {
        let (key, at) = (entry.key.clone(), entry.value.at);
        let mut unclosed = false;
        let rules = self.list(entry, |text| {
            let split = tools::rules(text);
            unclosed = split.unclosed;
            split.rules
        });
        if unclosed {
            let message =
                format!("a parenthesis in `{key}` is never closed, so its rule runs to the end");
            self.findings.push(
                Finding::new(Code::UnclosedParenthesis, at, message)
                    .hint("close it, as in `Bash(git:*)`"),
            );
        }
        rules
    }

    /// A list of texts, or a text that `split` makes into one. Items are taken whole; those that
    /// are not texts are left out.
    pub(super) fn list(
        &mut self,
        entry: Entry<'_>,
        split: impl FnOnce(&str) -> Vec<String>,
    ) -> Vec<String> {
        match entry.value.kind {
            Kind::Scalar { ref text, plain } => {
                if self.is_empty(&entry.key, text, plain, entry.value.at) {
                    Vec::new()
                } else {
                    split(text)
                }
            }
            Kind::List(items) => {
                let mut texts = Vec::with_capacity(items.len());
                for item in items {
                    match &item.kind {
                        Kind::Scalar { text, plain } => {
                            if !self.is_empty(&entry.key, text, *plain, item.at) {
                                texts.push(text.trim().to_owned());
                            }
                        }
                        _ => {
                            let message =
                                format!("an item of `{}` is not a text and is left out", entry.key);
                            let found = Finding::new(Code::FieldType, item.at, message);
                            self.findings.push(found.hint("put it in quotes if it holds `: `"));
                        }
                    }
                }
                texts
            }
            Kind::Map(_) => {
                self.wrong::<()>(entry, "a text or a list of texts");
                Vec::new()
            }
        }
    }

    /// A hint for arguments: a text, or a list that was meant to be one (`[file]`).
    pub(super) fn argument_hint(&mut self, entry: Entry<'_>) -> Option<String> {
        match entry.value.kind {
            Kind::List(_) => Some(ValueBuf::from(entry.value).to_string()),
            _ => self.text(entry),
        }
    }

    /// A boolean that decides who may use the skill: what is not one counts as `closed`.
    pub(super) fn gate(&mut self, entry: Entry<'_>, closed: bool) -> bool {
        let text = match &entry.value.kind {
            Kind::Scalar { text, .. } => text.trim(),
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
        let message = format!("`{}` is neither true nor false; it counts as {closed}", entry.key);
        self.findings.push(
            Finding::new(Code::FieldType, entry.value.at, message).hint("write `true` or `false`"),
        );
        self.extra.push((entry.key.into_owned(), entry.value.into()));
        closed
    }

    /// A number from 1.
    pub(super) fn number(&mut self, entry: Entry<'_>) -> Option<u32> {
        if let Kind::Scalar { text, plain } = &entry.value.kind {
            if self.is_empty(&entry.key, text, *plain, entry.value.at) {
                return None;
            }
            if let Ok(number @ 1..) = text.trim().parse() {
                return Some(number);
            }
        }
        self.wrong(entry, "a whole number from 1")
    }

    /// A value that is kept as it is.
    pub(super) fn value(&mut self, entry: Entry<'_>) -> Option<ValueBuf> {
        match &entry.value.kind {
            Kind::Scalar { text, plain }
                if self.is_empty(&entry.key, text, *plain, entry.value.at) =>
            {
                None
            }
            _ => Some(entry.value.into()),
        }
    }

    /// An unknown key.
    pub(super) fn unknown(&mut self, entry: Entry<'_>, known: Option<&str>) {
        let message = format!("the key `{}` is not known", shown(&entry.key));
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
                Finding::new(Code::EmptyField, at, message)
                    .hint("give it one, or leave the key out"),
            );
        }
        empty
    }

    fn wrong<T>(&mut self, entry: Entry<'_>, expected: &str) -> Option<T> {
        let message = format!("`{}` must be {expected}, so it is not used", entry.key);
        let hint = format!("make it {expected}, or leave the key out");
        self.findings.push(Finding::new(Code::FieldType, entry.value.at, message).hint(hint));
        self.extra.push((entry.key.into_owned(), entry.value.into()));
        None
    }

    fn at_most(&mut self, code: Code, key: &str, most: usize, text: &str, at: Position) {
        // No text has more characters than bytes.
        if text.len() <= most {
            return;
        }
        let chars = text.chars().count();
        if chars > most {
            let message = format!("`{key}` has {chars} characters, the most is {most}");
            self.findings.push(
                Finding::new(code, at, message)
                    .hint("shorten it; what does not fit belongs in the body"),
            );
        }
    }
}

fn trimmed(text: Cow<'_, str>) -> String {
    let inner = text.trim();
    if inner.len() == text.len() { text.into_owned() } else { inner.to_owned() }
}
