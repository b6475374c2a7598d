//! The instructions of a skill as a separate message.

use crate::{
    Attribute, OneLine, Resource, Skill,
    body::Body,
    render::{Render, rendered},
};
use core::fmt::{self, Write};

/// The message that follows the confirmation of `skill_use`: the body between `<skill-context>`
/// tags, and lists of the skill's scripts and other files.
///
/// ```
/// # use helix_skills::{Call, Profile, Skill, SkillSet, Toolbox};
/// # const ALL: &[Skill] = &[Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build()];
/// # static SKILLS: SkillSet = SkillSet::new(ALL);
/// let toolbox = Toolbox::builder(SKILLS).profile(Profile::SkillUse).build()?;
/// let call = Call::LoadSkill { name: "pdf", arguments: Some("report.pdf".into()) };
/// let reply = toolbox.answer(call);
/// assert!(reply.to_string().ends_with(" Its instructions follow in the next message."));
/// assert_eq!(
///     reply.message().unwrap().to_string(),
///     "<skill-context name=\"pdf\">\nUse `pdftotext`.\n\nARGUMENTS: report.pdf\n</skill-context>",
/// );
/// # Ok::<(), helix_skills::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct SkillContext<'a>(Content<'a>);

#[derive(Clone, Copy, Debug)]
enum Content<'a> {
    Body(Body<'a>),
    Rendered(&'a str),
}

impl<'a> SkillContext<'a> {
    pub(crate) const fn new(body: Body<'a>) -> Self {
        Self(Content::Body(body))
    }

    /// Wraps a message that was rendered before.
    pub(crate) const fn rendered(text: &'a str) -> Self {
        Self(Content::Rendered(text))
    }
}

impl Render for SkillContext<'_> {
    fn render(&self, out: &mut dyn Write) -> fmt::Result {
        let body = match &self.0 {
            Content::Body(body) => body,
            Content::Rendered(text) => return out.write_str(text),
        };
        let skill = body.skill();
        writeln!(out, "<skill-context name=\"{}\">", Attribute(skill.name()))?;
        body.render(out)?;
        out.write_char('\n')?;
        let is_script = |file: &Resource| file.path().starts_with("scripts/");
        files("Scripts", skill, is_script, out)?;
        files("References", skill, |file| !is_script(file), out)?;
        out.write_str("</skill-context>")
    }
}

rendered!(SkillContext);

/// Writes the paths of the `wanted` files under a title, or nothing if there are none.
fn files(
    title: &str,
    skill: &Skill,
    wanted: impl Fn(&Resource) -> bool,
    out: &mut dyn Write,
) -> fmt::Result {
    let mut title = Some(title);
    for file in skill.sorted_resources().filter(|file| wanted(file)) {
        if let Some(title) = title.take() {
            write!(out, "\n{title}:\n")?;
        }
        writeln!(out, "- {}", OneLine(file.path()))?;
    }
    Ok(())
}
