//! Converts a SKILL.md to skills of the runtime.

use super::{ParseSkillError, SkillMd};
use crate::{Code, Finding, SkillName};
use helix_skills_runtime::{
    __private::{Fields, Parts, Shared},
    Skill,
};

/// A skill parsed from a text, and its findings.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ParsedSkill {
    /// The skill.
    pub skill: Skill,
    /// Findings from top to bottom. None of them is an error [when baking](Code::when_baking), and
    /// some are not reported there.
    pub findings: Vec<Finding>,
}

/// Parses the text of a SKILL.md, for example from a database or a network, with the same rules as
/// baking.
///
/// `fallback` is the name for a text without a name, because such a text has no directory; the
/// two are not compared. The frontmatter is kept as written, so that `read_skill_file` returns
/// exactly this text.
///
/// ```
/// use helix_skills_format::{Code, parse_skill};
///
/// let text = "---\nname: pdf\ndescription: Reads PDFs.\nversion: 1.0\n---\n\nUse `pdftotext`.\n";
/// let parsed = parse_skill(text, None).unwrap();
/// let answer = parsed.skill.loaded().to_string();
/// assert_eq!(answer, "<skill name=\"pdf\">\nUse `pdftotext`.\n</skill>");
/// assert_eq!(parsed.findings[0].code, Code::UnknownField); // `version`, which is kept
///
/// let text = "---\ndescription: Reads PDF files.\n---\nUse it.\n";
/// let error = parse_skill(text, None).unwrap_err();
/// assert_eq!(error.findings[0].code, Code::MissingKey);
/// ```
///
/// # Errors
/// As for [`SkillMd::parse`]: everything that makes the skill unusable, with positions. A
/// missing name is an error without a `fallback`.
pub fn parse_skill(text: &str, fallback: Option<&str>) -> Result<ParsedSkill, ParseSkillError> {
    let parsed = SkillMd::parse(text, fallback, "SKILL.md")
        .map_err(|findings| ParseSkillError { findings: without_directory(findings) })?;
    let skill = parsed.skill.to_skill(text);
    Ok(ParsedSkill { skill, findings: without_directory(parsed.findings) })
}

/// Adapts findings to a text that is not in a directory.
fn without_directory(mut findings: Vec<Finding>) -> Vec<Finding> {
    findings.retain(|finding| finding.code != Code::NameMismatch);
    for finding in &mut findings {
        match finding.code {
            Code::MissingName => {
                finding.message = "`name` is missing; the given fallback name is used".into()
            }
            Code::MissingKey => {
                finding.message = "`name` is missing, and no fallback name was given".into();
                finding.hint = Some("add `name: …`".into());
            }
            _ => {}
        }
    }
    findings
}

impl SkillMd {
    /// Converts to a skill of the runtime with all fields and the parts of the parsed text. It has
    /// no files and no origin yet.
    ///
    /// ```
    /// use helix_skills_format::SkillMd;
    /// let text = "---\nname: pdf\ndescription: Reads PDF files.\n---\n\n# PDF\n";
    /// let parsed = SkillMd::parse(text, Some("pdf"), "SKILL.md").unwrap();
    /// assert_eq!(parsed.skill.to_skill(text).skill_md().concat(), text);
    /// ```
    ///
    /// # Panics
    /// If `text` is shorter than the parsed text.
    #[must_use]
    pub fn to_skill(&self, text: &str) -> Skill {
        let body = &self.layout.body;
        self.skill_with(&self.name, &text[..body.start], &text[body.clone()], &text[body.end..])
    }

    /// Converts to a skill of the runtime without its text, named as in the lockfile: enough for a
    /// catalog.
    #[must_use]
    pub fn to_catalog_entry(&self, name: &SkillName) -> Skill {
        self.skill_with(name, "", "", "")
    }

    fn skill_with(&self, name: &str, frontmatter: &str, body: &str, trailing: &str) -> Skill {
        let text = |text: &Option<String>| text.clone().map(Shared::new);
        let list = |items: &Vec<String>| items.iter().cloned().collect();
        let extra = self.extra.iter().map(|(key, value)| (key.clone().into(), value.clone()));
        Fields {
            name: name.to_owned().into(),
            description: Shared::new(self.description.clone()),
            license: text(&self.license),
            compatibility: text(&self.compatibility),
            metadata: self.metadata.clone().into_iter().collect(),
            allowed_tools: self.allowed_tools.as_ref().map(list),
            disallowed_tools: self.disallowed_tools.as_ref().map(list),
            when_to_use: text(&self.when_to_use),
            argument_hint: text(&self.argument_hint),
            arguments: list(&self.arguments),
            disable_model_invocation: self.disable_model_invocation,
            user_invocable: self.user_invocable,
            model: text(&self.model),
            effort: text(&self.effort),
            context: text(&self.context),
            agent: text(&self.agent),
            background: text(&self.background),
            shell: text(&self.shell),
            hooks: self.hooks.clone().map(Shared::new),
            paths: list(&self.paths),
            max_ticks: self.max_ticks,
            extra: Shared::new(extra.collect()),
            frontmatter: Shared::copied(frontmatter),
            body: Shared::copied(body),
            trailing: Shared::copied(trailing),
            ..Fields::from(Parts::EMPTY)
        }
        .into()
    }
}
