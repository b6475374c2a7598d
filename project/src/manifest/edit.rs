//! Edits of a manifest's text that keep comments and formatting.

use super::Manifest;
use helix_skills_format::__internal::error_debug;
use helix_skills_format::{Finding, SourceKey};
use jsonc_parser::{
    ParseOptions,
    cst::{CstInputValue, CstRootNode},
};
use serde_json::Value as Json;
use std::fmt;

/// The text of a manifest, editable with its comments and formatting kept.
///
/// ```
/// use helix_skills_project::manifest::ManifestText;
/// use helix_skills_format::SourceKey;
/// let mut text = ManifestText::parse("{\n  // ours\n  \"skills\": {}\n}\n").unwrap();
/// let key = SourceKey::new("house").unwrap();
/// text.add(&key, &[("type", "path".into()), ("path", "skills".into())]).unwrap();
/// assert!(text.to_string().contains("// ours"));
/// assert!(text.remove(&key));
/// ```
pub struct ManifestText(CstRootNode);

/// The error of [`ManifestText::add`].
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum EditError {
    /// The manifest already has a source of that name.
    Taken(SourceKey),
}

impl fmt::Display for EditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Taken(key) => write!(f, "the manifest already has a source `{key}`"),
        }
    }
}

error_debug!(EditError { Taken(key) });

impl std::error::Error for EditError {}

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

    /// Adds a source after the others, with its fields in the order given.
    ///
    /// # Errors
    /// The manifest already has a source of that name.
    pub fn add(&mut self, key: &SourceKey, source: &[(&str, Json)]) -> Result<(), EditError> {
        let skills = self.0.object_value_or_set().object_value_or_set("skills");
        if skills.get(key.as_str()).is_some() {
            return Err(EditError::Taken(key.clone()));
        }
        skills.ensure_multiline();
        let entry = source.iter().map(|(key, value)| ((*key).to_owned(), input(value))).collect();
        let property = skills.append(key.as_str(), CstInputValue::Object(entry));
        if let Some(entry) = property.object_value() {
            entry.ensure_multiline();
        }
        Ok(())
    }

    /// Removes a source, and returns whether it was there.
    pub fn remove(&mut self, key: &SourceKey) -> bool {
        let skills = self.0.object_value_or_set().object_value_or_set("skills");
        match skills.get(key.as_str()) {
            Some(property) => {
                property.remove();
                true
            }
            None => false,
        }
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
