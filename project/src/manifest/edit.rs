//! Edits of a manifest's text that keep comments and formatting.

use super::{Manifest, Source, to_json};
use helix_skills_format::{Finding, SourceKey};
use jsonc_parser::{
    ParseOptions,
    cst::{CstArray, CstInputValue, CstNode, CstObject, CstRootNode},
};
use serde_json::Value as Json;
use std::fmt;

/// The fields of a source in the order in which they are written.
const FIELDS: [&str; 12] = [
    "type",
    "url",
    "path",
    "plugin",
    "version",
    "ref",
    "sha",
    "skillsDir",
    "include",
    "exclude",
    "rename",
    "prefix",
];

/// The fields of a pin.
const PIN_FIELDS: [&str; 3] = ["version", "ref", "sha"];

/// The text of a manifest, editable with its comments and formatting kept.
///
/// ```
/// use helix_skills_project::{__internal::ManifestText, format::Source};
/// use helix_skills_format::{ProjectPath, SourceKey};
/// let mut text = ManifestText::parse("{\n  // ours\n  \"skills\": {}\n}\n").unwrap();
/// let key = SourceKey::new("house").unwrap();
/// text.set(&key, &Source::path(ProjectPath::new("skills").unwrap()));
/// assert!(text.to_string().contains("// ours"));
/// assert!(text.remove(&key));
/// ```
pub struct ManifestText(CstRootNode);

impl ManifestText {
    /// Parses the text of a valid manifest.
    ///
    /// # Errors
    /// As [`Manifest::parse`].
    pub fn parse(text: &str) -> Result<Self, Vec<Finding>> {
        Manifest::parse(text)?;
        match CstRootNode::parse(
            text.strip_prefix('\u{feff}').unwrap_or(text),
            &ParseOptions::default(),
        ) {
            Ok(root) => Ok(Self(root)),
            Err(why) => {
                Err(vec![Finding::new(helix_skills_format::Code::Syntax, None, why.to_string())])
            }
        }
    }

    /// Sets the entry of a source. A new source comes after the others.
    ///
    /// Only fields that change are written. Arrays and objects keep the elements that the new value
    /// has too, with their comments.
    ///
    /// ```
    /// use helix_skills_project::{__internal::ManifestText, manifest::Manifest};
    /// let mut text = ManifestText::parse(r#"{"skills": {"own": {
    ///   "type": "path", "path": "skills",
    ///   "include": ["pdf"], // reviewed
    /// }}}"#).unwrap();
    /// let (key, mut own) = Manifest::parse(&text.to_string()).unwrap().sources.pop_first().unwrap();
    /// own.select.include.get_or_insert_default().insert("docx".to_owned());
    /// text.set(&key, &own);
    /// assert!(text.to_string().contains(r#""include": ["pdf", "docx"], // reviewed"#));
    /// ```
    pub fn set(&mut self, key: &SourceKey, source: &Source) {
        let mut after = to_json(source);
        let Ok(Manifest { mut sources, .. }) = Manifest::parse(&self.to_string()) else { return };
        let Some(before) = sources.remove(key) else {
            if source.has_default_dir()
                && let Some(entry) = after.as_object_mut()
            {
                entry.remove("skillsDir");
            }
            return self.add(key, &fields_of(&after));
        };
        let changed = before.changed_keys(source).into_iter().map(|key| {
            let value = after.get(&key).cloned().unwrap_or_default();
            (key, value)
        });
        self.set_fields(key, &changed.collect::<Vec<_>>());
    }

    /// Adds a source after the others, with its fields in the order given.
    fn add(&mut self, key: &SourceKey, fields: &[(String, Json)]) {
        let skills = self.0.object_value_or_set().object_value_or_set("skills");
        skills.ensure_multiline();
        let entry = fields.iter().map(|(key, value)| (key.clone(), input(value))).collect();
        let property = skills.append(key.as_str(), CstInputValue::Object(entry));
        if let Some(entry) = property.object_value() {
            entry.ensure_multiline();
        }
    }

    /// Sets fields of a source. A field whose value is `null` is removed.
    fn set_fields(&mut self, key: &SourceKey, fields: &[(String, Json)]) {
        let skills = self.0.object_value_or_set().object_value_or_set("skills");
        let Some(source) = skills.object_value(key.as_str()) else { return };
        replace_pin(&source, fields);
        for (field, value) in fields {
            set_field(&source, field, value);
        }
    }

    /// Removes a source, and returns whether it was there.
    pub fn remove(&mut self, key: &SourceKey) -> bool {
        let skills = self.0.object_value_or_set().object_value_or_set("skills");
        skills.get(key.as_str()).map(|property| property.remove()).is_some()
    }
}

/// Replaces a pin by one of another kind where it is, so that the comments around it stay.
fn replace_pin(source: &CstObject, fields: &[(String, Json)]) {
    let pins = || fields.iter().filter(|(field, _)| PIN_FIELDS.contains(&field.as_str()));
    let gone = pins().filter(|(_, value)| value.is_null()).find_map(|(it, _)| source.get(it));
    let new = pins().find(|(field, value)| !value.is_null() && source.get(field).is_none());
    if let (Some(gone), Some((field, value))) = (gone, new) {
        gone.replace_with(field, input(value));
    }
}

/// Returns the position of a field in an entry.
fn rank(name: &str) -> usize {
    FIELDS.iter().position(|known| *known == name).unwrap_or(FIELDS.len())
}

/// Returns the fields of an entry in the order in which they are written.
fn fields_of(entry: &Json) -> Vec<(String, Json)> {
    let fields = entry.as_object().into_iter().flatten();
    let mut fields: Vec<_> = fields.map(|(key, value)| (key.clone(), value.clone())).collect();
    fields.sort_by_key(|(name, _)| rank(name));
    fields
}

/// Sets or removes one field of an object.
fn set_field(object: &CstObject, field: &str, value: &Json) {
    match (object.get(field), value) {
        (None, Json::Null) => {}
        (None, value) => {
            let is_before =
                |name: Option<String>| name.is_some_and(|name| rank(&name) <= rank(field));
            let before = object.properties().iter().rposition(|at| is_before(at.decoded_name()));
            object.insert(before.map_or(0, |at| at + 1), field, input(value));
        }
        (Some(property), Json::Null) => property.remove(),
        (Some(property), value) => match (property.array_value(), property.object_value(), value) {
            (Some(found), _, Json::Array(items)) => set_items(&found, items),
            (_, Some(found), Json::Object(map)) => {
                let is_gone =
                    |name: Option<String>| name.is_none_or(|name| !map.contains_key(&name));
                let gone = found.properties().into_iter().filter(|at| is_gone(at.decoded_name()));
                gone.for_each(|property| property.remove());
                map.iter().for_each(|(field, value)| set_field(&found, field, value));
            }
            _ => property.set_value(input(value)),
        },
    }
}

/// Removes the texts of an array that are not in `items`, and appends those it does not have.
fn set_items(array: &CstArray, items: &[Json]) {
    let text = |node: &CstNode| Some(Json::from(node.as_string_lit()?.decoded_value().ok()?));
    let (kept, gone): (Vec<_>, Vec<_>) = array
        .elements()
        .into_iter()
        .partition(|node| text(node).is_some_and(|text| items.contains(&text)));
    let first = || array.children().into_iter().nth(1).filter(CstNode::is_whitespace);
    let has_space = first().is_some();
    gone.into_iter().for_each(CstNode::remove);
    // The space that was before the second element.
    first().filter(|_| !has_space).into_iter().for_each(CstNode::remove);
    let kept: Vec<_> = kept.iter().filter_map(text).collect();
    for item in items.iter().filter(|item| !kept.contains(item)) {
        array.append(input(item));
    }
}

fn input(value: &Json) -> CstInputValue {
    match value {
        Json::Null => CstInputValue::Null,
        Json::Bool(b) => CstInputValue::Bool(*b),
        Json::Number(n) => CstInputValue::Number(n.to_string()),
        Json::String(s) => CstInputValue::String(s.clone()),
        Json::Array(items) => CstInputValue::Array(items.iter().map(input).collect()),
        Json::Object(map) => {
            CstInputValue::Object(map.iter().map(|(k, v)| (k.clone(), input(v))).collect())
        }
    }
}

impl fmt::Display for ManifestText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests;
