//! Replies to calls.

use super::{Call, Event, Toolbox};
use crate::{
    Arguments, Error, LoadedSkill, SkillFile,
    render::{Render, rendered},
};
use alloc::{
    borrow::ToOwned,
    string::{String, ToString},
};
use core::fmt::{self, Write};

/// The reply to a tool call. `Display` is the text for the model.
///
/// A call that fails has a reply as well, whose text says what the model can do instead.
///
/// A reply of a [`Toolbox`] borrows from the skills and from the call, and is rendered without
/// allocating. [`into_owned`](Self::into_owned) copies its text, to send or to keep it; a reply of
/// an `AsyncToolbox` has its own text.
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
#[derive(Clone, Debug)]
pub struct Reply<'a>(Answer<'a>);

#[derive(Clone, Debug)]
enum Answer<'a> {
    Loaded(LoadedSkill<'a>),
    File(SkillFile<'a>),
    Rendered(Rendered),
}

/// A reply with its own text.
#[derive(Clone, Debug)]
struct Rendered {
    text: String,
    message: Option<String>,
    /// The name of the loaded skill.
    loaded: Option<String>,
    is_unmodified: bool,
    is_error: bool,
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
        match self.load_skill(name) {
            Ok(loaded) => {
                LoadedSkill::<'r>::with_arguments(loaded, arguments, self.set.fill).into()
            }
            Err(error) => error.into(),
        }
    }

    pub(super) fn read(
        &self,
        skill: &str,
        path: &str,
        start: Option<usize>,
        end: Option<usize>,
    ) -> Reply<'a> {
        let file = self.read_skill_file(skill, path).and_then(|file| file.lines(start, end));
        file.map_or_else(Reply::from, |file| Reply(Answer::File(file)))
    }

    pub(super) fn find(&self, query: &str) -> Reply<'a> {
        match self.find {
            Some(find) => text_reply(find(self, query), false),
            None => {
                let text = "cannot search for skills: this agent has no tool for it";
                text_reply(text.to_owned(), true)
            }
        }
    }
}

/// Creates a reply with this text.
#[must_use]
pub const fn text_reply(text: String, is_error: bool) -> Reply<'static> {
    Reply(Answer::Rendered(Rendered {
        text,
        message: None,
        loaded: None,
        is_unmodified: false,
        is_error,
    }))
}

/// Returns the name of the loaded skill if the reply is its unmodified body: without arguments and
/// not filled by a host.
#[must_use]
pub fn plainly_loaded<'r>(reply: &'r Reply<'_>) -> Option<&'r str> {
    let is_unmodified = match &reply.0 {
        Answer::Loaded(loaded) => loaded.is_unmodified(),
        Answer::Rendered(rendered) => rendered.is_unmodified,
        _ => false,
    };
    reply.loaded().filter(|_| is_unmodified)
}

impl<'a> Reply<'a> {
    /// Copies the text, so that the reply borrows nothing.
    #[must_use]
    pub fn into_owned(self) -> Reply<'static> {
        Reply(Answer::Rendered(match self.0 {
            Answer::Rendered(rendered) => rendered,
            _ => Rendered {
                text: self.to_string(),
                message: self.message().map(|message| message.to_string()),
                loaded: self.loaded().map(ToOwned::to_owned),
                is_unmodified: plainly_loaded(&self).is_some(),
                is_error: self.is_error(),
            },
        }))
    }

    /// Returns the name of the skill that was loaded.
    fn loaded(&self) -> Option<&str> {
        match &self.0 {
            Answer::Loaded(loaded) => Some(loaded.name()),
            Answer::Rendered(rendered) => rendered.loaded.as_deref(),
            _ => None,
        }
    }

    /// Returns whether the call failed, for interfaces that mark such results.
    #[must_use]
    pub const fn is_error(&self) -> bool {
        match &self.0 {
            Answer::Loaded(_) | Answer::File(_) => false,
            Answer::Rendered(rendered) => rendered.is_error,
        }
    }

    /// Returns what happened, for logs and user interfaces.
    #[must_use]
    pub fn event(&self) -> Option<Event<'_>> {
        self.loaded().map(|name| Event::SkillLoaded { name })
    }

    /// Returns the message to append after the result, with the role of the user.
    ///
    /// Some profiles send the instructions this way instead of as the result.
    ///
    /// ```
    /// # use helix_skills::{Call, Profile, Skill, SkillSet, Toolbox, skill_set};
    /// # const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build();
    /// # static SKILLS: SkillSet = skill_set![PDF];
    /// let toolbox = Toolbox::builder(SKILLS).profile(Profile::SkillUse).build()?;
    /// let call = Call::LoadSkill { name: "pdf", arguments: Some("report.pdf".into()) };
    /// let reply = toolbox.answer(call);
    /// assert!(reply.to_string().ends_with(" Its instructions follow in the next message."));
    /// assert_eq!(
    ///     reply.message().unwrap().to_string(),
    ///     "<skill-context name=\"pdf\">\nUse `pdftotext`.\n\n\
    ///      ARGUMENTS: report.pdf\n</skill-context>",
    /// );
    /// # Ok::<(), helix_skills::Error>(())
    /// ```
    #[must_use]
    pub fn message(&self) -> Option<Reply<'_>> {
        match &self.0 {
            Answer::Loaded(loaded) => Some(Reply(Answer::Loaded(loaded.message()?))),
            Answer::Rendered(rendered) => Some(text_reply(rendered.message.clone()?, false)),
            Answer::File(_) => None,
        }
    }
}

/// The reply to a call that failed.
impl From<Error> for Reply<'_> {
    fn from(error: Error) -> Self {
        text_reply(error.into_message(), true)
    }
}

/// The reply to a call that loaded a skill. If the filled body exceeds
/// [`MAX_FILLED_BYTES`](crate::MAX_FILLED_BYTES), the reply is an error.
impl<'a> From<LoadedSkill<'a>> for Reply<'a> {
    fn from(loaded: LoadedSkill<'a>) -> Self {
        loaded.bounded().map_or_else(Self::from, |loaded| Self(Answer::Loaded(loaded)))
    }
}

impl Render for Reply<'_> {
    fn render(&self, out: &mut dyn Write) -> fmt::Result {
        match &self.0 {
            Answer::Loaded(loaded) => loaded.render(out),
            Answer::File(file) => file.render(out),
            Answer::Rendered(rendered) => out.write_str(&rendered.text),
        }
    }
}

rendered!(Reply);
