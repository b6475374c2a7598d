//! Conversion of entries from serde_json to the printed lockfile.

use helix_skills_format::__internal::Tree;
use serde_json::Value as Json;

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
