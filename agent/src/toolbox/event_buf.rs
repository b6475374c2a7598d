//! Events that own their text.

use alloc::{borrow::ToOwned, string::String};
use helix_skills_runtime::Event;

/// An [`Event`] that owns its text, to send to a user interface or to keep in a log.
///
/// With the feature `serde` it serializes. The JSON form is stable: an object whose `type` is the
/// [kind](Event::kind) of the event. Later versions may add members and types, which readers must
/// ignore.
///
/// | event | JSON |
/// |---|---|
/// | a skill was loaded, by a model or a user | `{"type":"skill_loaded","skill":"pdf"}` |
///
/// ```
/// use helix_skills::{AsyncToolbox, Skill, SkillSet, skill_set, toolbox::EventBuf};
/// # const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build();
/// # static SKILLS: SkillSet = skill_set![PDF];
/// # pollster::block_on(async {
/// let toolbox = AsyncToolbox::builder(SKILLS).build().await?;
/// let reply = toolbox.call("load_skill", r#"{"name": "pdf"}"#).await.expect("the tool exists");
/// if let Some(event) = reply.event().and_then(EventBuf::new) {
///     let json = serde_json::to_string(&event)?; // with the feature `serde`
///     assert_eq!(json, r#"{"type":"skill_loaded","skill":"pdf"}"#);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # }).unwrap();
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EventBuf {
    /// A skill was loaded.
    SkillLoaded {
        /// The name of the skill.
        skill: String,
    },
}

impl EventBuf {
    /// Copies an event. Returns `None` if this version of the crate does not support its kind.
    #[must_use]
    pub fn new(event: Event<'_>) -> Option<Self> {
        match event {
            Event::SkillLoaded { name } => Some(Self::SkillLoaded { skill: name.to_owned() }),
            _ => None,
        }
    }

    /// Returns the event, which borrows its text.
    #[must_use]
    pub fn as_event(&self) -> Event<'_> {
        match self {
            Self::SkillLoaded { skill } => Event::SkillLoaded { name: skill },
        }
    }
}

#[cfg(feature = "serde")]
impl serde_core::Serialize for EventBuf {
    fn serialize<S: serde_core::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde_core::ser::SerializeStruct;
        let mut event = serializer.serialize_struct("Event", 2)?;
        event.serialize_field("type", self.as_event().kind())?;
        match self {
            Self::SkillLoaded { skill } => event.serialize_field("skill", skill)?,
        }
        event.end()
    }
}
