//! The skills that a model has loaded in one conversation.

use alloc::{collections::BTreeSet, format, string::String};
use helix_skills_runtime::{
    __internal::{plainly_loaded, text_reply},
    OneLine, Reply,
};

/// Records which skills a conversation has loaded, and replaces a repeated body with a short note.
///
/// A tracker is optional: without one, a skill that is loaded again is sent again, which is correct
/// for any history. After compacting a history, which may drop a body, use a new tracker.
///
/// For a conversation that is resumed, collect the names of the skills that it has loaded;
/// [`Toolbox::loaded_skills`](helix_skills_runtime::Toolbox::loaded_skills) finds them in its
/// calls.
///
/// ```
/// # use helix_skills::__private::{Parts, skill};
/// # use helix_skills::{Call, Skill, SkillSet, Toolbox, toolbox::Tracker};
/// # const PDF: Skill =
/// #     skill(Parts { name: "pdf", body: "Use `pdftotext`.", ..Parts::EMPTY });
/// # const ALL: &[Skill] = &[PDF];
/// # static SKILLS: SkillSet = SkillSet::new(ALL);
/// let (toolbox, mut tracker) = (Toolbox::new(SKILLS), Tracker::new());
/// let load = Call::LoadSkill { name: "pdf", arguments: None };
/// assert!(tracker.track(toolbox.answer(load)).to_string().contains("pdftotext"));
/// assert!(!tracker.track(toolbox.answer(load)).to_string().contains("pdftotext"));
/// tracker = Tracker::new(); // the history was compacted
/// assert!(tracker.track(toolbox.answer(load)).to_string().contains("pdftotext"));
///
/// let calls = [("load_skill", r#"{"name": "pdf"}"#)]; // of a conversation that is resumed
/// let mut tracker: Tracker = toolbox.loaded_skills(calls).into_iter().collect();
/// assert!(!tracker.track(toolbox.answer(load)).to_string().contains("pdftotext"));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Tracker(BTreeSet<String>);

impl Tracker {
    /// Creates a tracker without loaded skills.
    #[must_use]
    pub const fn new() -> Self {
        Self(BTreeSet::new())
    }

    /// Returns the reply, or a short note if the reply is a body that was tracked before. A skill
    /// that was loaded with arguments is always returned, because its text may differ.
    #[must_use = "the returned reply is the one to send"]
    pub fn track<'r>(&mut self, reply: Reply<'r>) -> Reply<'r> {
        let Some(name) = plainly_loaded(&reply) else { return reply };
        if self.0.contains(name) {
            return text_reply(
                format!(
                    "The skill `{}` is loaded already: follow its instructions above. Nothing was loaded again.",
                    OneLine(name)
                ),
                false,
            );
        }
        self.0.insert(name.into());
        reply
    }
}

impl<'n> FromIterator<&'n str> for Tracker {
    fn from_iter<T: IntoIterator<Item = &'n str>>(loaded: T) -> Self {
        Self(loaded.into_iter().map(Into::into).collect())
    }
}
