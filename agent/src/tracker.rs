//! What a model has loaded in one conversation.

use crate::ReplyBuf;
use alloc::{collections::BTreeSet, string::String};
use helix_skills_runtime::__internal::{loaded_again, plainly_loaded};
use helix_skills_runtime::{Event, Reply};

/// Remembers which skills a conversation has, and answers with a short note instead of a body that is there already.
///
/// It is opt-in: without it a skill that is loaded again comes again, which is right in any history. Whoever compacts
/// a history, and may have dropped a body from it, has to say so with [`forget`](Self::forget).
///
/// ```
/// # use helix_skills::{__private::{skill, Parts}, Call, Skill, SkillSet, Toolbox, toolbox::Tracker};
/// # const ALL: &[Skill] = &[skill(Parts { name: "pdf", body: "Use `pdftotext`.", ..Parts::EMPTY })];
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
    /// Nothing is loaded.
    #[must_use]
    pub const fn new() -> Self {
        Self(BTreeSet::new())
    }

    /// What is loaded in a conversation that goes on, as [`Toolbox::loads`](helix_skills_runtime::Toolbox::loads) finds it in the calls.
    #[must_use]
    pub fn resume<'n>(loaded: impl IntoIterator<Item = &'n str>) -> Self {
        Self(loaded.into_iter().map(Into::into).collect())
    }

    /// The reply itself, or a short note where it is a body that was tracked before. A skill that was given arguments
    /// always comes: its text may be another one.
    #[must_use = "the reply that was tracked may not be the one to send"]
    pub fn track<'r>(&mut self, reply: Reply<'r>) -> Reply<'r> {
        match plainly_loaded(&reply) {
            Some(name) if self.0.contains(name) => loaded_again(name),
            Some(name) => {
                self.0.insert(name.into());
                reply
            }
            None => reply,
        }
    }

    /// The same for a reply that owns its text.
    #[must_use = "the reply that was tracked may not be the one to send"]
    pub fn track_buf(&mut self, reply: ReplyBuf) -> ReplyBuf {
        match reply.event() {
            Some(Event::SkillLoaded { name }) if reply.is_plain => {
                if self.0.contains(name) {
                    return loaded_again(name).into();
                }
                self.0.insert(name.into());
                reply
            }
            _ => reply,
        }
    }

    /// Whether the body of the skill `name` was tracked.
    #[must_use]
    pub fn is_loaded(&self, name: &str) -> bool {
        self.0.contains(name)
    }

    /// The names of the skills whose bodies were tracked, sorted by their bytes.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }

    /// Forgets everything: after the history was compacted, a body may no longer be in it.
    pub fn forget(&mut self) {
        self.0.clear();
    }
}
