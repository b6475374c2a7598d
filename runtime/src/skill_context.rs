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
/// # Ok::<(), helix_skills::ToolboxError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct SkillContext<'a> {
    body: Body<'a>,
}

impl<'a> SkillContext<'a> {
    pub(crate) const fn new(body: Body<'a>) -> Self {
        Self { body }
    }
}

impl Render for SkillContext<'_> {
    fn render(&self, out: &mut dyn Write) -> fmt::Result {
        let skill = self.body.skill();
        writeln!(out, "<skill-context name=\"{}\">", Attribute(skill.name()))?;
        self.body.render(out)?;
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
