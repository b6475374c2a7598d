//! Arguments as a value of JSON.

use super::{
    TokenMode,
    source::Source,
    tokens::{Token, Words},
};
use crate::json::{object, text};
use alloc::{boxed::Box, collections::BinaryHeap, string::String, vec::Vec};
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
        /// The places of the members as they are written, each after the place of its value in the text.
        order: Vec<(*const u8, usize)>,
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
            json => text(json).map_or(Self::Raw(json), Self::Text),
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
        if let Some(text) = text(json) {
            return Self::Text(Box::new(Words::of(text, mode)));
        }
        if let Some(members) = object(json) {
            // What is borrowed lies in the text: its place is its order there. A heap is much less code than a sort.
            let places = members.values().enumerate().map(|(member, value)| (value.get().as_ptr(), member));
            let order = places.collect::<BinaryHeap<_>>().into_sorted_vec();
            let members = members.into_iter().map(|(key, value)| (key, Item::of(value))).collect();
            return Self::Object { source: json, members, order };
        }
        match serde_json::from_str::<Vec<&RawValue>>(json) {
            Ok(items) => Self::Array { source: json, items: items.into_iter().map(Item::of).collect() },
            Err(_) => Self::Scalar(json),
        }
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
                order.get(index).and_then(|(_, member)| members.get(*member)).map(|(_, item)| item.source())
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
    let is_blank_text = || text(json).is_some_and(|text| is_blank(&text));
    json == "null" || members.is_some_and(is_blank) || (json.starts_with('"') && is_blank_text())
}
