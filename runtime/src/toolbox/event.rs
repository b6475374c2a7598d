//! Events of calls, for user interfaces.

/// Something that happened in a call, for logs and user interfaces; it is not for the model.
///
/// With the feature `serde` it serializes. The JSON form is stable: an object whose `type` is the
/// [kind](Self::kind) of the event. Later versions may add members and types, which readers must
/// ignore.
///
/// | event | JSON |
/// |---|---|
/// | a skill was loaded, by a model or a user | `{"type":"skill_loaded","name":"pdf"}` |
///
/// ```
/// use helix_skills::{Call, Event, Skill, skill_set, SkillSet, Toolbox};
/// # const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build();
/// # static SKILLS: SkillSet = skill_set![PDF];
/// let reply = Toolbox::new(SKILLS).answer(Call::LoadSkill { name: "pdf", arguments: None });
/// if let Some(event @ Event::SkillLoaded { name }) = reply.event() {
///     println!("{}: {name}", event.kind()); // skill_loaded: pdf
/// }
/// # assert_eq!(reply.event(), Some(Event::SkillLoaded { name: "pdf" }));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event<'a> {
    /// A skill was loaded.
    SkillLoaded {
        /// The name of the skill.
        name: &'a str,
    },
}

impl Event<'_> {
    /// Returns the name of the event in a stream of custom events.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::SkillLoaded { .. } => "skill_loaded",
        }
    }
}

#[cfg(feature = "serde")]
impl serde_core::Serialize for Event<'_> {
    fn serialize<S: serde_core::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde_core::ser::SerializeStruct;
        let mut event = serializer.serialize_struct("Event", 2)?;
        event.serialize_field("type", self.kind())?;
        match self {
            Self::SkillLoaded { name } => event.serialize_field("name", name)?,
        }
        event.end()
    }
}
