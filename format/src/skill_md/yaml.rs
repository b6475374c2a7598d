//! YAML values as written in the file.

use super::Value;
use crate::Position;
use std::borrow::Cow;

/// A value and its position.
pub(super) struct Node<'t> {
    pub(super) at: Position,
    pub(super) kind: NodeKind<'t>,
}

pub(super) enum NodeKind<'t> {
    /// A string. If `plain`, it is neither quoted nor a block, so that other loaders may read it as
    /// a number.
    Scalar { text: Cow<'t, str>, plain: bool },
    /// A list.
    List(Vec<Node<'t>>),
    /// A map.
    Map(Vec<Entry<'t>>),
}

/// A key, its position, and its value.
pub(super) struct Entry<'t> {
    pub(super) key: Cow<'t, str>,
    pub(super) at: Position,
    pub(super) value: Node<'t>,
}

impl Entry<'_> {
    /// Adds the key and the strings of the value, with their positions.
    pub(super) fn scalars(self, to: &mut Vec<(Position, String)>) {
        to.push((self.at, self.key.into_owned()));
        self.value.scalars(to);
    }
}

impl Node<'_> {
    /// Returns the text of a scalar.
    pub(super) fn text(&self) -> Option<&str> {
        match &self.kind {
            NodeKind::Scalar { text, .. } => Some(text),
            NodeKind::List(_) | NodeKind::Map(_) => None,
        }
    }

    /// Returns whether this is a scalar that YAML reads as null.
    pub(super) fn is_null(&self) -> bool {
        matches!(&self.kind, NodeKind::Scalar { text, plain: true } if is_null(text))
    }

    /// Returns whether this is a blank scalar or null.
    pub(super) fn is_empty(&self) -> bool {
        self.is_null() || self.text().is_some_and(|text| text.trim().is_empty())
    }

    /// Returns the text of a scalar that YAML reads as a number or a boolean.
    pub(super) fn typed(&self) -> Option<&str> {
        match &self.kind {
            NodeKind::Scalar { text, plain: true } if is_typed(text) => Some(text),
            _ => None,
        }
    }

    fn scalars(self, to: &mut Vec<(Position, String)>) {
        match self.kind {
            NodeKind::Scalar { text, .. } => to.push((self.at, text.into_owned())),
            NodeKind::List(items) => items.into_iter().for_each(|item| item.scalars(to)),
            NodeKind::Map(entries) => entries.into_iter().for_each(|entry| entry.scalars(to)),
        }
    }
}

impl From<Node<'_>> for Value {
    fn from(node: Node<'_>) -> Self {
        match node.kind {
            NodeKind::Scalar { text, plain } => {
                let kind = match &*text {
                    _ if !plain => Self::Text,
                    text if is_null(text) => Self::Null,
                    text if is_bool(text) => Self::Bool,
                    text if is_number(text) => Self::Number,
                    _ => Self::Text,
                };
                kind(text.into_owned().into())
            }
            NodeKind::List(items) => Self::List(items.into_iter().map(Self::from).collect()),
            NodeKind::Map(entries) => Self::Map(
                entries
                    .into_iter()
                    .map(|entry| (entry.key.into_owned().into(), Self::from(entry.value)))
                    .collect(),
            ),
        }
    }
}

/// Returns whether YAML 1.2's core schema reads an unquoted `text` as null.
fn is_null(text: &str) -> bool {
    matches!(text, "" | "~" | "null" | "Null" | "NULL")
}

fn is_bool(text: &str) -> bool {
    matches!(text, "true" | "True" | "TRUE" | "false" | "False" | "FALSE")
}

/// Returns whether YAML 1.2's core schema reads an unquoted `text` as a boolean or a number.
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
    // The schema's other numbers are what Rust parses as a float, except `inf` and `nan`.
    unsigned.starts_with(|c: char| c.is_ascii_digit() || c == '.')
        && unsigned.parse::<f64>().is_ok()
}

/// Escapes a key or value of the file for a message: on one line and cut after 60 characters.
pub(super) fn escaped(text: &str) -> String {
    const LONGEST: usize = 60;
    let mut escaped = String::new();
    for c in text.chars().take(LONGEST) {
        if matches!(c, '\'' | '"' | '\\') {
            escaped.push(c)
        } else {
            escaped.extend(c.escape_debug())
        }
    }
    if text.chars().nth(LONGEST).is_some() {
        escaped.push('…');
    }
    escaped
}
