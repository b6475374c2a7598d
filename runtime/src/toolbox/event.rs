//! Events of calls, for user interfaces.

/// Something that happened in a call, for logs and user interfaces; it is not for the model.
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
