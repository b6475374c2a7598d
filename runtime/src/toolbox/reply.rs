//! Replies to calls.

use super::{Call, CallError, Event, FoundSkills, Toolbox};
use crate::{
    Arguments, LoadError, LoadedSkill, OneLine, ReadError, SkillContext, SkillFile,
    render::{Render, rendered},
};
use core::fmt::{self, Write};

/// The reply to a tool call: a `Copy` value whose `Display` is the text for the model.
///
/// A call that fails has a reply as well, whose text says what the model can do instead.
///
/// ```
/// # use helix_skills::{Call, Event, Skill, SkillSet, Toolbox};
/// # const ALL: &[Skill] = &[Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build()];
/// # static SKILLS: SkillSet = SkillSet::new(ALL);
/// let toolbox = Toolbox::new(SKILLS);
/// let reply = toolbox.answer(Call::LoadSkill { name: "pdf", arguments: None });
/// assert_eq!(reply.event(), Some(Event::SkillLoaded { name: "pdf" }));
/// let reply = toolbox.answer(Call::LoadSkill { name: "pfd", arguments: None });
/// assert!(reply.is_error());
/// assert_eq!(reply.to_string(), "there is no skill `pfd`; did you mean `pdf`?");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Reply<'a>(Answer<'a>);

#[derive(Clone, Copy, Debug)]
enum Answer<'a> {
    Loaded(LoadedSkill<'a>),
    File(SkillFile<'a>),
    Found(FoundSkills<'a>),
    /// The conversation already has the body of this skill.
    Again(&'a str),
    NotLoaded(LoadError<'a>),
    NotRead(ReadError<'a>),
    /// The agent has no search tool.
    NotSearched,
    NotUnderstood(CallError),
}

impl<'a> Toolbox<'a> {
    /// Answers a call.
    #[must_use]
    #[inline(never)]
    pub fn answer<'r>(&self, call: Call<'r>) -> Reply<'r>
    where
        'a: 'r,
    {
        match call {
            Call::LoadSkill { name, arguments } => self.load(name, arguments.unwrap_or_default()),
            Call::ReadSkillFile { skill, path, start_line, end_line } => {
                self.read(skill, path, start_line, end_line)
            }
            Call::SearchSkills { query } => self.find(query),
        }
    }

    pub(super) fn load<'r>(&self, name: &str, arguments: Arguments<'r>) -> Reply<'r>
    where
        'a: 'r,
    {
        let loaded: Result<LoadedSkill<'r>, LoadError<'r>> = self.load_skill(name);
        loaded.map_or_else(
            |error| Reply(Answer::NotLoaded(error)),
            |loaded| loaded.with_arguments(arguments).into(),
        )
    }

    pub(super) fn read(
        &self,
        skill: &str,
        path: &str,
        start: Option<usize>,
        end: Option<usize>,
    ) -> Reply<'a> {
        let file = self.read_skill_file(skill, path).and_then(|file| file.lines(start, end));
        Reply(file.map_or_else(Answer::NotRead, Answer::File))
    }

    pub(super) fn find(&self, query: &str) -> Reply<'a> {
        Reply(self.find.map_or(Answer::NotSearched, |find| Answer::Found(find(self, query))))
    }
}

impl<'a> Reply<'a> {
    pub(super) const fn not_understood(error: CallError) -> Self {
        Self(Answer::NotUnderstood(error))
    }

    /// Returns the reply to a load of a skill whose body the conversation already has.
    pub(crate) const fn again(name: &'a str) -> Self {
        Self(Answer::Again(name))
    }

    /// Returns the name of the skill if its body was loaded unchanged: without arguments, not
    /// filled by a host.
    pub(crate) const fn plainly_loaded(&self) -> Option<&'a str> {
        match self.0 {
            Answer::Loaded(loaded) if loaded.is_unmodified() => Some(loaded.name()),
            _ => None,
        }
    }

    /// Returns whether the call failed, for interfaces that mark such results.
    #[must_use]
    pub const fn is_error(&self) -> bool {
        !matches!(self.0, Answer::Loaded(_) | Answer::File(_) | Answer::Found(_) | Answer::Again(_))
    }

    /// Returns what happened, for logs and user interfaces.
    #[must_use]
    pub const fn event(&self) -> Option<Event<'a>> {
        match self.0 {
            Answer::Loaded(loaded) => Some(Event::SkillLoaded { name: loaded.name() }),
            _ => None,
        }
    }

    /// Returns the message to append after the result, with the role of the user.
    ///
    /// Some profiles send the instructions this way instead of as the result.
    #[must_use]
    pub const fn message(&self) -> Option<SkillContext<'a>> {
        match self.0 {
            Answer::Loaded(loaded) => loaded.message(),
            _ => None,
        }
    }
}

/// The reply to a call that loaded a skill. If the filled body exceeds
/// [`MAX_FILLED_BYTES`](crate::MAX_FILLED_BYTES), the reply is an error.
impl<'a> From<LoadedSkill<'a>> for Reply<'a> {
    fn from(loaded: LoadedSkill<'a>) -> Self {
        Self(loaded.bounded().map_or_else(Answer::NotLoaded, Answer::Loaded))
    }
}

impl Render for Reply<'_> {
    fn render(&self, out: &mut dyn Write) -> fmt::Result {
        match &self.0 {
            Answer::Loaded(loaded) => loaded.render(out),
            Answer::File(file) => file.render(out),
            Answer::Found(found) => found.render(out),
            Answer::Again(name) => write!(
                out,
                "The skill `{}` is loaded already: follow its instructions above. Nothing was loaded again.",
                OneLine(name)
            ),
            Answer::NotLoaded(error) => write!(out, "{error}"),
            Answer::NotRead(error) => write!(out, "{error}"),
            Answer::NotSearched => {
                out.write_str("cannot search for skills: this agent has no tool for it")
            }
            Answer::NotUnderstood(error) => write!(out, "{error}"),
        }
    }
}

rendered!(Reply);
