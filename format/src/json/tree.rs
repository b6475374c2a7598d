//! JSON values that are printed.

use super::escape_invisible;
use helix_skills_runtime::__internal::write_string;
use std::fmt::{self, Write as _};

/// A JSON value to print: one item or member per line, indented by two spaces per level, and with
/// invisible characters escaped, because people review the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tree {
    /// `true` or `false`.
    Boolean(bool),
    /// A number as JSON text.
    Number(String),
    /// A string.
    Text(String),
    /// An array.
    List(Vec<Self>),
    /// The members of an object, in the order in which they are printed.
    Object(Vec<(String, Self)>),
}

impl Tree {
    /// Creates an object.
    pub fn object<K: Into<String>>(members: impl IntoIterator<Item = (K, Self)>) -> Self {
        Self::Object(members.into_iter().map(|(key, value)| (key.into(), value)).collect())
    }

    /// Creates an object without the members whose value is absent.
    pub(crate) fn present(members: Vec<(&str, Option<Self>)>) -> Self {
        Self::object(members.into_iter().filter_map(|(key, value)| Some((key, value?))))
    }

    /// Creates a list of strings.
    pub(crate) fn texts<T: fmt::Display>(texts: impl IntoIterator<Item = T>) -> Self {
        Self::List(texts.into_iter().map(|text| Self::text(&text)).collect())
    }

    /// Creates a string.
    pub(crate) fn text(text: &impl fmt::Display) -> Self {
        Self::Text(text.to_string())
    }

    fn print(&self, f: &mut fmt::Formatter<'_>, level: usize) -> fmt::Result {
        match self {
            Self::Boolean(value) => write!(f, "{value}"),
            Self::Number(number) => f.write_str(number),
            Self::Text(text) => print_string(text, f),
            Self::List(items) if items.is_empty() => f.write_str("[]"),
            Self::List(items) => {
                f.write_char('[')?;
                for (index, item) in items.iter().enumerate() {
                    new_line(f, index > 0, level + 1)?;
                    item.print(f, level + 1)?;
                }
                new_line(f, false, level)?;
                f.write_char(']')
            }
            Self::Object(members) if members.is_empty() => f.write_str("{}"),
            Self::Object(members) => {
                f.write_char('{')?;
                for (index, (key, value)) in members.iter().enumerate() {
                    new_line(f, index > 0, level + 1)?;
                    print_string(key, f)?;
                    f.write_str(": ")?;
                    value.print(f, level + 1)?;
                }
                new_line(f, false, level)?;
                f.write_char('}')
            }
        }
    }
}

fn print_string(text: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut string = String::new();
    write_string(text, &mut string)?;
    f.write_str(&escape_invisible(&string))
}

/// Starts a line, after a comma if another item precedes it.
fn new_line(f: &mut fmt::Formatter<'_>, comma: bool, level: usize) -> fmt::Result {
    write!(f, "{}\n{:2$}", if comma { "," } else { "" }, "", level * 2)
}

impl From<u64> for Tree {
    fn from(number: u64) -> Self {
        Self::Number(number.to_string())
    }
}

impl fmt::Display for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.print(f, 0)
    }
}

#[cfg(test)]
mod tests {
    use super::{Tree, escape_invisible};
    use proptest::prelude::*;
    use serde_json::Value as Json;

    fn json(tree: &Tree) -> Json {
        match tree {
            Tree::Boolean(value) => Json::from(*value),
            Tree::Number(number) => number.parse::<u64>().expect("a number").into(),
            Tree::Text(text) => Json::from(text.as_str()),
            Tree::List(items) => items.iter().map(json).collect(),
            Tree::Object(members) => {
                members.iter().map(|(key, value)| (key.clone(), json(value))).collect()
            }
        }
    }

    fn trees() -> impl Strategy<Value = Tree> {
        let text = || "[ -~\\x00-\\x20\\x7f-\\u{a0}é🦀\u{202e}]{0,8}";
        let leaf = prop_oneof![
            any::<bool>().prop_map(Tree::Boolean),
            any::<u64>().prop_map(Tree::from),
            text().prop_map(Tree::Text),
        ];
        leaf.prop_recursive(4, 32, 4, move |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..4).prop_map(Tree::List),
                proptest::collection::btree_map(text(), inner, 0..4).prop_map(Tree::object),
            ]
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: if cfg!(miri) { 2 } else { 1_000 }, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn values_print_like_serde_json_with_escapes(tree in trees()) {
            let serde = format!("{:#}", json(&tree));
            prop_assert_eq!(tree.to_string(), escape_invisible(&serde));
        }
    }
}
