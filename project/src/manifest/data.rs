//! Conversion of settings between the JSON reader, serde_json and the printed lockfile.

use helix_skills_format::{
    __internal::{Data, Reader, Tree, Value},
    Code,
};
use serde_json::{Number, Value as Json};
use std::collections::BTreeMap;

/// Converts any value to data. The keys of objects are sorted.
pub(super) fn data<'t>(reader: &mut Reader<'t>, value: &Value<'t>) -> Option<Json> {
    Some(match &value.data {
        Data::Null => Json::Null,
        Data::Boolean(found) => Json::Bool(*found),
        Data::String(found) => Json::String(found.clone().into_owned()),
        Data::Number(number) => match read_number(number) {
            Some(found) => Json::Number(found),
            None => {
                reader.error(
                    Code::BadValue,
                    value.range(),
                    format!("the number `{number}` is too large"),
                );
                return None;
            }
        },
        Data::Array(items) => {
            Json::Array(items.iter().map(|item| data(reader, item)).collect::<Option<_>>()?)
        }
        Data::Object(_) => {
            let entries: Vec<_> = reader.object(value, "an object")?.entries().collect();
            let sorted: Option<BTreeMap<_, _>> = entries
                .into_iter()
                .map(|(key, _, value)| Some((key.to_owned(), data(reader, value)?)))
                .collect();
            Json::Object(sorted?.into_iter().collect())
        }
    })
}

/// Parses the number nearest to a text, so that printing and parsing it again gives the same
/// number.
///
/// The parser of serde_json alone is off by the last bit for some fractions and large numbers.
fn read_number(text: &str) -> Option<Number> {
    let number: Number = text.parse().ok()?;
    if number.is_f64() { text.parse().ok().and_then(Number::from_f64) } else { Some(number) }
}

/// Converts data to the tree that the lockfile prints.
pub(super) fn tree(data: &Json) -> Tree {
    match data {
        Json::Null => Tree::Null,
        Json::Bool(found) => Tree::Boolean(*found),
        Json::Number(number) => Tree::Number(number.to_string()),
        Json::String(text) => Tree::Text(text.clone()),
        Json::Array(items) => Tree::List(items.iter().map(tree).collect()),
        Json::Object(members) => {
            Tree::object(members.iter().map(|(key, value)| (key.as_str(), tree(value))))
        }
    }
}
