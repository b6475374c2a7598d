//! Conversion of settings between the JSON reader, serde_json and the printed lockfile.

use helix_skills_format::{
    __internal::{JsonKind, Reader, Tree, Value},
    Code,
};
use serde_json::{Number, Value as Json};
use std::collections::BTreeMap;

/// Converts any value to data. The keys of objects are sorted.
pub(super) fn data<'t>(reader: &mut Reader<'t>, value: Value<'t>) -> Option<Json> {
    Some(match value.kind() {
        JsonKind::Null => Json::Null,
        JsonKind::Boolean => Json::Bool(value.source() == "true"),
        JsonKind::String => Json::String(value.text()?.into_owned()),
        JsonKind::Number => match read_number(value.source()) {
            Some(found) => Json::Number(found),
            None => {
                let message = format!("the number `{}` is too large", value.source());
                reader.error(Code::BadValue, value.start(), message);
                return None;
            }
        },
        JsonKind::Array => {
            Json::Array(value.items().map(|item| data(reader, item)).collect::<Option<_>>()?)
        }
        JsonKind::Object => {
            let fields = reader.object(value, "an object")?;
            let sorted: Option<BTreeMap<_, _>> = fields
                .entries()
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
