//! The values of arguments: what each placeholder is replaced by.

use super::{
    Arguments, GivenArguments,
    arguments::{compact, given},
    syntax::Syntax,
    tokens::{TokenMode, tokenize},
};
use crate::{
    Texts,
    json::{Json, JsonKind},
};
use alloc::{borrow::Cow, collections::BTreeMap, vec::Vec};

/// A value of [`ArgumentValues`].
#[derive(Clone, Copy, Debug)]
pub(super) enum Value {
    All,
    Nth(usize),
    /// Of a declared name without a value.
    Empty,
}

/// Arguments, split into values.
#[derive(Clone, Debug, Default)]
pub(super) struct ArgumentValues<'a> {
    /// All arguments as one text; `None` without arguments.
    all: Option<Cow<'a, str>>,
    /// The values by position.
    values: Vec<Cow<'a, str>>,
    /// The positions of an object's keys.
    keys: Option<BTreeMap<Cow<'a, str>, usize>>,
}

impl<'a> ArgumentValues<'a> {
    pub(super) fn new(arguments: Arguments<'a>, syntax: Syntax) -> Self {
        match given(&arguments.unless_empty()) {
            GivenArguments::None => Self::default(),
            GivenArguments::Text(text) => Self::split(text.into(), syntax.tokens),
            GivenArguments::Json(json) => {
                let json = Json::from_checked(json);
                match json.text() {
                    Some(text) => Self::split(text, syntax.tokens),
                    None => Self::json(json),
                }
            }
        }
    }

    fn split(text: Cow<'a, str>, mode: TokenMode) -> Self {
        let values = tokenize(&text, mode).into_iter().map(Cow::Owned).collect();
        Self { all: Some(text), values, keys: None }
    }

    fn json(json: Json<'a>) -> Self {
        let all = Some(compact(json));
        match json.kind() {
            JsonKind::Array => Self { all, values: json.items().map(value).collect(), keys: None },
            JsonKind::Object => match members(json) {
                Some((values, keys)) => Self { all, values, keys: Some(keys) },
                None => Self { values: all.clone().into_iter().collect(), all, keys: None },
            },
            _ => Self { values: all.clone().into_iter().collect(), all, keys: None },
        }
    }

    pub(super) const fn are_given(&self) -> bool {
        self.all.is_some()
    }

    /// Returns the text of a value.
    pub(super) fn text(&self, value: Value) -> &str {
        match value {
            Value::All => self.all.as_deref().unwrap_or_default(),
            Value::Nth(at) => &self.values[at],
            Value::Empty => "",
        }
    }

    /// Returns the argument at `index`. For an object that is the value of `names[index]` if names
    /// are declared, else its member at that position.
    pub(super) fn nth(&self, index: usize, names: Texts<'_>) -> Option<Value> {
        match &self.keys {
            Some(keys) if !names.is_empty() => {
                let at = keys.get(names.iter().nth(index)?);
                Some(at.map_or(Value::Empty, |at| Value::Nth(*at)))
            }
            _ => (index < self.values.len()).then_some(Value::Nth(index)),
        }
    }

    /// Returns the argument `name`, which is declared at index `declared` if that is `Some`.
    pub(super) fn named(&self, name: &str, declared: Option<usize>) -> Option<Value> {
        let at = match &self.keys {
            Some(keys) => keys.get(name).copied(),
            None => declared,
        };
        at.filter(|at| *at < self.values.len()).map(Value::Nth)
    }

    /// Returns whether the arguments are an object with this key.
    pub(super) fn has_key(&self, name: &str) -> bool {
        self.keys.as_ref().is_some_and(|keys| keys.contains_key(name))
    }
}

/// The values of an object, and the positions of its keys.
type Members<'a> = (Vec<Cow<'a, str>>, BTreeMap<Cow<'a, str>, usize>);

/// Returns the values of an object, each key once with its last value, and the positions of the
/// keys; `None` if a key is not valid text.
fn members<'a>(json: Json<'a>) -> Option<Members<'a>> {
    let members: Option<Vec<_>> =
        json.members().map(|(key, value)| Some((key.text()?, value))).collect();
    let (mut values, mut keys) = (Vec::new(), BTreeMap::new());
    for (key, json) in members?.into_iter().rev() {
        keys.entry(key).or_insert_with(|| {
            values.push(value(json));
            values.len()
        });
    }
    values.reverse();
    keys.values_mut().for_each(|at| *at = values.len() - *at);
    Some((values, keys))
}

/// Returns the text that a value inside an array or object is replaced by.
fn value<'a>(json: Json<'a>) -> Cow<'a, str> {
    match (json.kind(), json.text()) {
        (JsonKind::Null, _) => Cow::Borrowed(""),
        (_, Some(text)) => text,
        (_, None) => compact(json),
    }
}
