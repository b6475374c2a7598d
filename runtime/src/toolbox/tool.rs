//! Tool definitions.

use super::{
    Toolbox,
    tool_kind::ToolKind,
    wire::{ToolFormat, tool_json},
};
use crate::JsonText;
use alloc::string::String;

/// The definition of a tool: name, description, and parameters as a JSON Schema.
///
/// [`json`](Self::json) returns it as a model's API expects it. With the feature `serde`, it
/// serializes to `{"name": …, "description": …, "parameters": {…}}`.
///
/// ```
/// # use helix_skills::{Skill, SkillSet, Toolbox};
/// # const ALL: &[Skill] = &[Skill::define("pdf", "Reads PDF files.", "Use it.").build()];
/// # static SKILLS: SkillSet = SkillSet::new(ALL);
/// let load = Toolbox::new(SKILLS).tools([])?.next().unwrap();
/// assert_eq!(load.name(), "load_skill");
/// assert!(load.description().starts_with("Load the full instructions of a skill."));
/// assert!(load.parameters().as_str().contains(r#""enum":["pdf"]"#));
/// # Ok::<(), helix_skills::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Tool<'a> {
    pub(super) toolbox: Toolbox<'a>,
    pub(super) kind: ToolKind,
}

impl<'a> Tool<'a> {
    /// Returns the name, which no other tool of the agent may have.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.kind.name(self.toolbox.profile).unwrap_or_default()
    }

    /// Returns the description for the model.
    #[must_use]
    pub fn description(&self) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = self.write_description(&mut text);
        text
    }

    /// Returns the parameters as a JSON Schema of type `object`.
    #[must_use]
    pub fn parameters(&self) -> JsonText {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = self.write_parameters(&mut text);
        JsonText::new(text)
    }

    /// Returns the definition as one item of the list of tools in a request to a model.
    ///
    /// ```
    /// # use helix_skills::{Skill, SkillSet, Toolbox};
    /// # const ALL: &[Skill] = &[Skill::define("pdf", "Reads PDF files.", "Use it.").build()];
    /// # static SKILLS: SkillSet = SkillSet::new(ALL);
    /// use helix_skills::ToolFormat;
    /// let load = Toolbox::new(SKILLS).tools([])?.next().unwrap();
    /// let json = load.json(ToolFormat::OpenAiChat);
    /// let start = r#"{"type":"function","function":{"name":"load_skill","description":"Load"#;
    /// assert!(json.as_str().starts_with(start));
    /// # Ok::<(), helix_skills::Error>(())
    /// ```
    #[must_use]
    pub fn json(&self, format: ToolFormat) -> JsonText {
        tool_json(format, self.name(), &self.description(), self.parameters().as_str())
    }
}

#[cfg(feature = "serde")]
impl serde_core::Serialize for Tool<'_> {
    fn serialize<S: serde_core::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde_core::ser::SerializeStruct;
        let mut tool = serializer.serialize_struct("Tool", 3)?;
        tool.serialize_field("name", self.name())?;
        tool.serialize_field("description", &self.description())?;
        tool.serialize_field("parameters", &self.parameters())?;
        tool.end()
    }
}
