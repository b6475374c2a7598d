//! The skills that a model has loaded in one conversation.

use alloc::{collections::BTreeSet, format, string::String};
use helix_skills_runtime::{
    __internal::{plainly_loaded, text_reply},
    OneLine, Reply,
};

/// Records which skills a conversation has loaded, and replaces a repeated body with a short note.
///
/// A tracker is optional: without one, a skill that is loaded again is sent again, which is correct
/// for any history. After compacting a history, which may drop a body, call
/// [`forget`](Self::forget).
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
/// tracker.forget(); // the history was compacted
/// assert!(tracker.track(toolbox.answer(load)).to_string().contains("pdftotext"));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Tracker(BTreeSet<String>);

impl Tracker {
    /// Creates a tracker without loaded skills.
    #[must_use]
    pub const fn new() -> Self {
        Self(BTreeSet::new())
    }

    /// Creates the tracker of a conversation that is resumed, from the names of the skills that it
    /// has loaded; [`Toolbox::loads`](helix_skills_runtime::Toolbox::loads) finds them in its
    /// calls.
    #[must_use]
    pub fn resume<'n>(loaded: impl IntoIterator<Item = &'n str>) -> Self {
        Self(loaded.into_iter().map(Into::into).collect())
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

    /// Returns whether the body of the skill `name` was tracked.
    #[must_use]
    pub fn is_loaded(&self, name: &str) -> bool {
        self.0.contains(name)
    }

    /// Returns the names of the skills whose bodies were tracked, sorted by bytes.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }

    /// Forgets all skills, because a history that was compacted may no longer contain their bodies.
    pub fn forget(&mut self) {
        self.0.clear();
    }
}
