//! Readers for the values of known keys, which report problems.

use super::{
    Layout, Value, tools,
    yaml::{Entry, Node, NodeKind, escaped},
};
use crate::{Code, Finding, Position};
use helix_skills_runtime::{__internal::MAX_TICKS, __private::Shared};
use std::borrow::Cow;

/// Reads entries one by one, and keeps values that it cannot use.
#[derive(Default)]
pub(super) struct FieldReader {
    pub(super) findings: Vec<Finding>,
    pub(super) extra: Vec<(Cow<'static, str>, Value)>,
}

impl FieldReader {
    /// Adds a finding.
    pub(super) fn report(
        &mut self,
        code: Code,
        at: Position,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) {
        self.findings.push(Finding::new(code, at, message).hint(hint));
    }

    /// Reports an empty body. `who` is who would read it.
    pub(super) fn check_body(&mut self, text: &str, layout: &Layout, who: &str) {
        if layout.body.is_empty() {
            let at = Position::from_offset(text, layout.frontmatter_end);
            let hint = format!("add instructions for {who} after the frontmatter");
            self.report(Code::EmptyBody, at, "the body is empty", hint);
        }
    }

    /// Returns a trimmed text, or `None` if it is blank or has another type.
    pub(super) fn text(&mut self, entry: Entry<'_>) -> Option<Shared<str>> {
        if self.is_empty(&entry.key, &entry.value) {
            return None;
        }
        match entry.value.kind {
            NodeKind::Scalar { text, .. } => Some(Shared::new(trimmed(text))),
            _ => self.wrong(entry, "a string"),
        }
    }

    /// Returns a text that other systems read as a string only if YAML does.
    pub(super) fn string(&mut self, entry: Entry<'_>) -> Option<Shared<str>> {
        self.report_typed(Code::TypedValue, &format!("`{}`", entry.key), &entry.value);
        self.text(entry)
    }

    /// Reports a value without quotes that YAML reads as a number or a boolean.
    fn report_typed(&mut self, code: Code, what: &str, value: &Node<'_>) {
        if let Some(text) = value.typed() {
            let message =
                format!("other systems do not read {what} as a string: `{}`", escaped(text));
            self.report(code, value.at, message, "put it in quotes");
        }
    }

    /// Reports that there is no description, or a blank one.
    pub(super) fn no_description(&mut self, at: Position, message: &str) {
        let hint = "say what the skill does and when to use it";
        self.report(Code::MissingDescription, at, message, hint);
    }

    /// Returns the description. The caller handles a missing or blank one.
    pub(super) fn description(&mut self, node: Node<'_>) -> Option<String> {
        const MAX_CHARS: usize = 1024;
        let Some(text) = node.text() else {
            let message = "`description` must be a string, not a list or a mapping";
            let hint = "put it in quotes if it contains `: ` or begins with `[` or `{`";
            self.report(Code::WrongType, node.at, message, hint);
            return None;
        };
        if node.is_empty() {
            self.no_description(node.at, "`description` is blank");
            return None;
        }
        self.report_typed(Code::DescriptionType, "the description", &node);
        if text.contains(['<', '>']) {
            let message = "some systems reject descriptions with `<` or `>`";
            let hint = "remove them: models read text between `<` and `>` as markup";
            self.report(Code::DescriptionMarkup, node.at, message, hint);
        }
        let text = text.trim().to_owned();
        self.at_most(Code::LongDescription, "description", MAX_CHARS, &text, node.at);
        Some(text)
    }

    /// Returns the compatibility note.
    pub(super) fn compatibility(&mut self, entry: Entry<'_>) -> Option<Shared<str>> {
        const MAX_CHARS: usize = 500;
        let at = entry.value.at;
        let text = self.string(entry)?;
        self.at_most(Code::LongCompatibility, "compatibility", MAX_CHARS, &text, at);
        Some(text)
    }

    /// Returns metadata strings, sorted by key. Nested values go to `extra` under `metadata`.
    pub(super) fn metadata(&mut self, entry: Entry<'_>) -> Vec<(String, String)> {
        let mut texts = Vec::new();
        if self.is_empty(&entry.key, &entry.value) {
            return texts;
        }
        let NodeKind::Map(entries) = entry.value.kind else {
            self.wrong::<()>(entry, "a mapping of strings");
            return texts;
        };
        let mut nested = Vec::new();
        for Entry { key, value, .. } in entries {
            let what = format!("the metadata value `{}`", escaped(&key));
            self.report_typed(Code::TypedValue, &what, &value);
            if value.is_null() {
                let message = format!("{what} has no text");
                let hint = "put it in quotes, or remove it";
                self.report(Code::TypedValue, value.at, message, hint);
            }
            if let NodeKind::Scalar { text, .. } = value.kind {
                texts.push((key.into_owned(), text.into_owned()));
            } else {
                let message = format!("{what} is not a string");
                let hint =
                    "other systems read only strings; quote it, or move it out of `metadata`";
                self.report(Code::NestedMetadata, value.at, message, hint);
                nested.push((key.into_owned().into(), Value::from(value)));
            }
        }
        if !nested.is_empty() {
            self.extra.push((entry.key.into_owned().into(), Value::Map(nested.into())));
        }
        texts.sort_unstable();
        texts
    }

    /// Returns tool rules, from a list or a text that is split. An unreadable value gives an empty
    /// list, which allows no tools.
    pub(super) fn rules(&mut self, entry: Entry<'_>) -> Vec<String> {
        let (key, at) = (entry.key.clone(), entry.value.at);
        let mut is_unclosed = false;
        let rules = self.list(entry, &mut |text| {
            let rules;
            (rules, is_unclosed) = tools::rules(text);
            rules
        });
        if is_unclosed {
            let message = format!("unclosed parenthesis in `{key}`; its rule extends to the end");
            self.report(Code::UnclosedParenthesis, at, message, "close it, as in `Bash(git:*)`");
        }
        rules
    }

    /// Returns a list of strings, or a string that `split` divides. List items are taken whole;
    /// items that are not strings are left out.
    pub(super) fn list(
        &mut self,
        entry: Entry<'_>,
        split: &mut dyn FnMut(&str) -> Vec<String>,
    ) -> Vec<String> {
        let mut texts = Vec::new();
        match &entry.value.kind {
            // An empty string is an empty list.
            NodeKind::Scalar { text, plain: false } if text.trim().is_empty() => {}
            NodeKind::Scalar { text, .. } => {
                if !self.is_empty(&entry.key, &entry.value) {
                    let what = format!("`{}`", entry.key);
                    self.report_typed(Code::FieldType, &what, &entry.value);
                    texts = split(text);
                }
            }
            NodeKind::List(items) => {
                for item in items {
                    let what = format!("an item of `{}`", entry.key);
                    let Some(text) = item.text() else {
                        let message = format!("{what} is not a string");
                        let hint = "put it in quotes if it contains `: `";
                        self.report(Code::FieldType, item.at, message, hint);
                        continue;
                    };
                    if !self.is_empty(&entry.key, item) {
                        self.report_typed(Code::FieldType, &what, item);
                        texts.push(text.trim().to_owned());
                    }
                }
            }
            NodeKind::Map(_) => drop(self.wrong::<()>(entry, "a string or a list of strings")),
        }
        texts
    }

    /// Returns an argument hint: a text, or a list that was meant as text (`[file]`).
    pub(super) fn argument_hint(&mut self, entry: Entry<'_>) -> Option<Shared<str>> {
        match entry.value.kind {
            NodeKind::List(_) => Some(Shared::new(Value::from(entry.value).to_string())),
            _ => self.text(entry),
        }
    }

    /// Returns a boolean that controls access to the skill. Other values count as `closed`.
    pub(super) fn gate(&mut self, entry: Entry<'_>, closed: bool) -> bool {
        let text = entry.value.text().unwrap_or_default().trim().to_ascii_lowercase();
        match &*text {
            "true" | "yes" | "on" | "1" => true,
            "false" | "no" | "off" | "0" => false,
            _ => {
                let message = format!("`{}` is not a boolean; it is read as {closed}", entry.key);
                self.report(Code::FieldType, entry.value.at, message, "write `true` or `false`");
                self.keep(entry);
                closed
            }
        }
    }

    /// Returns a positive number of turns. A number over the maximum is kept and reported.
    pub(super) fn ticks(&mut self, entry: Entry<'_>) -> Option<u32> {
        let at = entry.value.at;
        if self.is_empty(&entry.key, &entry.value) {
            return None;
        }
        let number = entry.value.text().and_then(|text| text.trim().parse().ok());
        let Some(number @ 1..) = number else { return self.wrong(entry, "a positive integer") };
        if number > MAX_TICKS {
            let message = format!("`maxTicks` is {number}; a run has at most {MAX_TICKS}");
            let hint =
                format!("write {MAX_TICKS} or less; a host can allow more with `Run::max_turns`");
            self.report(Code::CappedTicks, at, message, hint);
        }
        Some(number)
    }

    /// Keeps any value of a known key.
    pub(super) fn reserved(&mut self, entry: Entry<'_>) {
        if !self.is_empty(&entry.key, &entry.value) {
            self.keep(entry);
        }
    }

    /// Reports and keeps an unknown key.
    pub(super) fn unknown(&mut self, entry: Entry<'_>, known: Option<&str>) {
        let key = escaped(&entry.key);
        let (code, why) = match known {
            Some(known) if RESTRICTIONS.contains(&known) => {
                (Code::LostRestriction, format!(": without `{known}`, the skill is not restricted"))
            }
            Some(known) if same_letters(known, &entry.key) => {
                (Code::MisspelledField, format!(": `{known}` is not read from it"))
            }
            _ => (Code::UnknownField, String::new()),
        };
        let message = format!("unknown key `{key}`{why}");
        let mut found = Finding::new(code, entry.at, message);
        found.hint = known.map(|known| format!("did you mean `{known}`?"));
        self.findings.push(found);
        self.keep(entry);
    }

    /// Keeps an entry that has no field.
    pub(super) fn keep(&mut self, entry: Entry<'_>) {
        self.extra.push((entry.key.into_owned().into(), entry.value.into()));
    }

    /// Returns whether a value is blank or null, and reports it.
    fn is_empty(&mut self, key: &str, value: &Node<'_>) -> bool {
        if value.is_empty() {
            let message = format!("`{key}` has no value");
            let hint = "add a value, or remove the key";
            self.report(Code::EmptyField, value.at, message, hint);
        }
        value.is_empty()
    }

    fn wrong<T>(&mut self, entry: Entry<'_>, expected: &str) -> Option<T> {
        let message = format!("`{}` must be {expected}", entry.key);
        let hint = format!("write {expected}, or remove the key");
        self.report(Code::FieldType, entry.value.at, message, hint);
        self.keep(entry);
        None
    }

    fn at_most(&mut self, code: Code, key: &str, most: usize, text: &str, at: Position) {
        // A text never has more characters than bytes.
        let chars = if text.len() > most { text.chars().count() } else { 0 };
        if chars > most {
            let message = format!("`{key}` has {chars} characters; the maximum is {most}");
            self.report(code, at, message, "shorten it, and move details to the body");
        }
    }
}

/// The fields without which a skill may do more.
pub(super) const RESTRICTIONS: [&str; 4] =
    ["allowed-tools", "disallowed-tools", "disable-model-invocation", "user-invocable"];

fn trimmed(text: Cow<'_, str>) -> String {
    let inner = text.trim();
    if inner.len() == text.len() { text.into_owned() } else { inner.to_owned() }
}

/// Returns whether two keys differ only in case, hyphens and underscores.
pub(super) fn same_letters(known: &str, key: &str) -> bool {
    let letters = |text| {
        str::bytes(text).filter(|b| !matches!(b, b'-' | b'_')).map(|b| b.to_ascii_lowercase())
    };
    key.len() <= known.len() + 4 && letters(known).eq(letters(key))
}
