//! Arguments as a value of JSON.

use super::{
    TokenMode,
    source::Source,
    tokens::{Token, Words},
};
use alloc::{boxed::Box, collections::BTreeMap, string::String, vec::Vec};
use serde_json::value::RawValue;

/// A value of JSON whose parts can be asked for.
#[derive(Clone, Debug)]
pub(super) enum Json<'a> {
    Text(Box<Words<String>>),
    /// A number or a boolean.
    Scalar(&'a str),
    Array {
        source: &'a str,
        items: Vec<Item<'a>>,
    },
    Object {
        source: &'a str,
        /// Sorted by their keys.
        members: Vec<(String, Item<'a>)>,
        /// The places of the members as they are written.
        order: Vec<usize>,
    },
}

/// A value inside another one.
#[derive(Clone, Debug)]
pub(super) enum Item<'a> {
    /// A string, or `null`, which is an empty one.
    Text(String),
    Raw(&'a str),
}

impl<'a> Item<'a> {
    fn of(value: &'a RawValue) -> Self {
        match value.get() {
            "null" => Self::Text(String::new()),
            json => serde_json::from_str(json).map_or(Self::Raw(json), Self::Text),
        }
    }

    fn source(&self) -> Source<'_> {
        match self {
            Self::Text(text) => Source::text(text),
            Self::Raw(json) => Source::Json(json),
        }
    }
}

impl<'a> Json<'a> {
    pub(super) fn of(json: &'a str, mode: TokenMode) -> Self {
        if let Ok(text) = serde_json::from_str(json) {
            return Self::Text(Box::new(Words::of(text, mode)));
        }
        if let Ok(items) = serde_json::from_str::<Vec<&RawValue>>(json) {
            return Self::Array { source: json, items: items.into_iter().map(Item::of).collect() };
        }
        // Of a key that is there twice the last one counts, as everywhere.
        let Ok(members) = serde_json::from_str::<BTreeMap<String, &RawValue>>(json) else { return Self::Scalar(json) };
        let mut order: Vec<usize> = (0..members.len()).collect();
        // What is borrowed lies in the text: its place is its order there.
        let places: Vec<_> = members.values().map(|value| value.get().as_ptr()).collect();
        order.sort_unstable_by_key(|member| places[*member]);
        let members = members.into_iter().map(|(key, value)| (key, Item::of(value))).collect();
        Self::Object { source: json, members, order }
    }

    pub(super) fn all(&self) -> Source<'_> {
        match self {
            Self::Text(words) => Source::text(words.text()),
            Self::Scalar(source) | Self::Array { source, .. } | Self::Object { source, .. } => Source::Json(source),
        }
    }

    pub(super) fn nth(&self, index: usize, names: &[&str]) -> Option<Source<'_>> {
        match self {
            Self::Text(words) => words.nth(index).map(Token::pieces).map(Source::Token),
            Self::Scalar(source) => (index == 0).then_some(Source::Json(source)),
            Self::Array { items, .. } => items.get(index).map(Item::source),
            Self::Object { members, order, .. } if names.is_empty() => {
                order.get(index).and_then(|member| members.get(*member)).map(|(_, item)| item.source())
            }
            Self::Object { .. } => names.get(index).map(|name| self.named(name, None).unwrap_or(Source::EMPTY)),
        }
    }

    pub(super) fn named(&self, name: &str, declared: Option<usize>) -> Option<Source<'_>> {
        match self {
            Self::Object { members, .. } => {
                let member = members.binary_search_by(|(key, _)| key.as_str().cmp(name)).ok()?;
                members.get(member).map(|(_, item)| item.source())
            }
            _ => self.nth(declared?, &[]),
        }
    }

    pub(super) fn has_key(&self, name: &str) -> bool {
        matches!(self, Self::Object { .. }) && self.named(name, None).is_some()
    }
}

/// Whether a value of JSON says nothing: null, an object without members, a blank string.
pub(super) fn is_empty(json: &str) -> bool {
    let members = json.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
    let is_blank = |text: &str| text.trim().is_empty();
    let is_blank_text = || serde_json::from_str::<String>(json).is_ok_and(|text| is_blank(&text));
    json == "null" || members.is_some_and(is_blank) || (json.starts_with('"') && is_blank_text())
}
