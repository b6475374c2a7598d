//! Arguments as a value of JSON.

use super::{TokenMode, source::Source, tokens::Words};
use crate::json::{object, text};
use alloc::{borrow::Cow, boxed::Box, collections::BinaryHeap, string::String, vec::Vec};
use serde_json::value::RawValue;

/// A value of JSON whose parts can be asked for.
#[derive(Clone, Debug)]
pub(super) enum Json<'a> {
    Text(Box<Words<String>>),
    /// A number or a boolean.
    Scalar(&'a str),
    Array {
        /// All of it, without blanks between its parts; the same below.
        source: Cow<'a, str>,
        items: Vec<Cow<'a, str>>,
    },
    Object {
        source: Cow<'a, str>,
        /// Sorted by their keys.
        members: Vec<(String, Cow<'a, str>)>,
        /// The places of the members as they are written, each after the place of its value in the text.
        order: Vec<(*const u8, usize)>,
    },
}

/// The text of a value inside another one: of a string what is in it, of `null` nothing.
fn item(value: &RawValue) -> Cow<'_, str> {
    match value.get() {
        "null" => Cow::Borrowed(""),
        json => text(json).map_or_else(|| dense(json), Cow::Owned),
    }
}

/// A value of JSON without the blanks between its parts.
fn dense(json: &str) -> Cow<'_, str> {
    if !json.bytes().any(|byte| byte.is_ascii_whitespace()) {
        return Cow::Borrowed(json);
    }
    let (mut quoted, mut escaped) = (false, false);
    let stays = |c: &char| {
        if !quoted {
            quoted = *c == '"';
            return !c.is_ascii_whitespace();
        }
        quoted = escaped || *c != '"';
        escaped = *c == '\\' && !escaped;
        true
    };
    Cow::Owned(json.chars().filter(stays).collect())
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
            let members = members.into_iter().map(|(key, value)| (key, item(value))).collect();
            return Self::Object { source: dense(json), members, order };
        }
        match serde_json::from_str::<Vec<&RawValue>>(json) {
            Ok(items) => Self::Array { source: dense(json), items: items.into_iter().map(item).collect() },
            Err(_) => Self::Scalar(json),
        }
    }

    /// Bounds the lookups of words: see [`Words::bound`].
    pub(super) fn bound(&mut self, most: usize, lookups: impl FnOnce() -> usize) {
        if let Self::Text(words) = self {
            words.bound(most, lookups);
        }
    }

    pub(super) fn all(&self) -> Source<'_> {
        match self {
            Self::Text(words) => Source::text(words.text()),
            Self::Scalar(source) => Source::text(source),
            Self::Array { source, .. } | Self::Object { source, .. } => Source::text(source),
        }
    }

    pub(super) fn nth(&self, index: usize, names: &[&str]) -> Option<Source<'_>> {
        match self {
            Self::Text(words) => words.nth(index),
            Self::Scalar(source) => (index == 0).then_some(Source::text(source)),
            Self::Array { items, .. } => items.get(index).map(|item| Source::text(item)),
            Self::Object { members, order, .. } if names.is_empty() => {
                order.get(index).and_then(|(_, member)| members.get(*member)).map(|(_, item)| Source::text(item))
            }
            Self::Object { .. } => names.get(index).map(|name| self.named(name, None).unwrap_or(Source::EMPTY)),
        }
    }

    pub(super) fn named(&self, name: &str, declared: Option<usize>) -> Option<Source<'_>> {
        match self {
            Self::Object { members, .. } => {
                let member = members.binary_search_by(|(key, _)| key.as_str().cmp(name)).ok()?;
                members.get(member).map(|(_, item)| Source::text(item))
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
