//! Values of YAML as they stand in the file.

use super::ValueBuf;
use crate::Position;
use std::borrow::Cow;

/// A value and where it begins.
pub(super) struct Node<'t> {
    pub(super) at: Position,
    pub(super) kind: Kind<'t>,
}

pub(super) enum Kind<'t> {
    /// A text; `plain` without quotes and not a block, so that other loaders may take it for a
    /// number.
    Scalar { text: Cow<'t, str>, plain: bool },
    /// A list.
    List(Vec<Node<'t>>),
    /// A map.
    Map(Vec<Entry<'t>>),
}

/// A key, where it begins, and its value.
pub(super) struct Entry<'t> {
    pub(super) key: Cow<'t, str>,
    pub(super) at: Position,
    pub(super) value: Node<'t>,
}

impl Entry<'_> {
    /// Adds its key and the texts of its value, each with its place.
    pub(super) fn scalars(self, to: &mut Vec<(Position, String)>) {
        to.push((self.at, self.key.into_owned()));
        self.value.scalars(to);
    }
}

impl Node<'_> {
    /// The text, if it is one.
    pub(super) fn text(&self) -> Option<&str> {
        match &self.kind {
            Kind::Scalar { text, .. } => Some(text),
            Kind::List(_) | Kind::Map(_) => None,
        }
    }

    fn scalars(self, to: &mut Vec<(Position, String)>) {
        match self.kind {
            Kind::Scalar { text, .. } => to.push((self.at, text.into_owned())),
            Kind::List(items) => items.into_iter().for_each(|item| item.scalars(to)),
            Kind::Map(entries) => entries.into_iter().for_each(|entry| entry.scalars(to)),
        }
    }
}

impl From<Node<'_>> for ValueBuf {
    fn from(node: Node<'_>) -> Self {
        match node.kind {
            Kind::Scalar { text, plain } => {
                let kind = match &*text {
                    _ if !plain => Self::Text,
                    text if is_null(text) => Self::Null,
                    text if is_bool(text) => Self::Bool,
                    text if is_number(text) => Self::Number,
                    _ => Self::Text,
                };
                kind(text.into_owned())
            }
            Kind::List(items) => Self::List(items.into_iter().map(Self::from).collect()),
            Kind::Map(entries) => Self::Map(
                entries
                    .into_iter()
                    .map(|entry| (entry.key.into_owned(), Self::from(entry.value)))
                    .collect(),
            ),
        }
    }
}

/// Whether YAML 1.2's core schema reads an unquoted `text` as nothing.
pub(super) fn is_null(text: &str) -> bool {
    matches!(text, "" | "~" | "null" | "Null" | "NULL")
}

fn is_bool(text: &str) -> bool {
    matches!(text, "true" | "True" | "TRUE" | "false" | "False" | "FALSE")
}

/// Whether YAML 1.2's core schema reads an unquoted `text` as a boolean or a number.
pub fn is_typed(text: &str) -> bool {
    is_bool(text) || is_number(text)
}

fn is_number(text: &str) -> bool {
    let digits = |text: &str, radix| !text.is_empty() && text.chars().all(|c| c.is_digit(radix));
    if let Some(octal) = text.strip_prefix("0o") {
        return digits(octal, 8);
    }
    if let Some(hex) = text.strip_prefix("0x") {
        return digits(hex, 16);
    }
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    if matches!(unsigned, ".inf" | ".Inf" | ".INF") || matches!(text, ".nan" | ".NaN" | ".NAN") {
        return true;
    }
    // What is left of the schema's numbers is what Rust reads as a float, but for its words `inf`
    // and `nan`.
    unsigned.starts_with(|c: char| c.is_ascii_digit() || c == '.')
        && unsigned.parse::<f64>().is_ok()
}

/// A key or value of the file for a message: one line, not too long.
pub(super) fn shown(text: &str) -> String {
    const LONGEST: usize = 60;
    let mut shown = String::new();
    for c in text.chars().take(LONGEST) {
        if matches!(c, '\'' | '"' | '\\') { shown.push(c) } else { shown.extend(c.escape_debug()) }
    }
    if text.chars().nth(LONGEST).is_some() {
        shown.push('…');
    }
    shown
}
