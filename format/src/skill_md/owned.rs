//! SKILL.md to skills of the runtime: from a text that is no file, and for everyone who has read
//! one.

use super::SkillMd;
use crate::{Code, Finding, SkillName};
use helix_skills_runtime::{
    __private::{PartsBuf, skill_buf},
    SkillBuf,
};

/// A skill of a text, and what there is to say about it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ParsedSkill {
    /// The skill.
    pub skill: SkillBuf,
    /// What is odd, from top to bottom; none of it is an error [when baking](Code::when_baking),
    /// where some of it is not even told.
    pub findings: Vec<Finding>,
}

/// Reads the text of a SKILL.md that comes from a database or a network, by the rules that hold for
/// baking.
///
/// `fallback` is the name of a skill whose text has none: there is no directory to take it from. A
/// name in the text counts before it. The frontmatter is kept as it is written, so that
/// `read_skill_file` answers the very text.
///
/// ```
/// use helix_skills_format::{Code, parse_skill};
///
/// let text = "---\nname: pdf\ndescription: Reads PDF files.\nversion: 1.0\n---\n\nUse `pdftotext`.\n";
/// let parsed = parse_skill(text, None).unwrap();
/// let answer = parsed.skill.view(|skill| skill.loaded().to_string());
/// assert_eq!(answer, "<skill name=\"pdf\">\nUse `pdftotext`.\n</skill>");
/// assert_eq!(parsed.findings[0].code, Code::UnknownField); // `version`, which is kept
///
/// let errors = parse_skill("---\ndescription: Reads PDF files.\n---\nUse it.\n", None).unwrap_err();
/// assert_eq!((errors[0].code, errors[0].at.unwrap().to_string()), (Code::MissingKey, "1:1".to_owned()));
/// ```
///
/// # Errors
/// As [`SkillMd::parse`]: everything that keeps the skill from being used, each with its place. A
/// name that is missing, if there is no `fallback`.
pub fn parse_skill(text: &str, fallback: Option<&str>) -> Result<ParsedSkill, Vec<Finding>> {
    let parsed = SkillMd::parse(text, fallback, "SKILL.md").map_err(without_directory)?;
    let skill = parsed.skill.to_skill(text);
    Ok(ParsedSkill { skill, findings: without_directory(parsed.findings) })
}

/// Findings of a text that is in no directory.
fn without_directory(mut findings: Vec<Finding>) -> Vec<Finding> {
    findings.retain(|finding| finding.code != Code::NameMismatch);
    for finding in &mut findings {
        match finding.code {
            Code::MissingName => {
                finding.message =
                    "`name` is missing: the name that was given with the text is taken".into()
            }
            Code::MissingKey => {
                finding.message = "`name` is missing, and no name was given with the text".into();
                finding.hint = Some("add `name: …`".into());
            }
            _ => {}
        }
    }
    findings
}

impl SkillMd {
    /// The skill of the runtime: every field, and the parts of the text that was parsed. It has no
    /// files yet, and says nothing of where it comes from.
    ///
    /// ```
    /// use helix_skills_format::SkillMd;
    /// let text = "---\nname: pdf\ndescription: Reads PDF files.\n---\n\n# PDF\n";
    /// let parsed = SkillMd::parse(text, Some("pdf"), "SKILL.md").unwrap();
    /// assert_eq!(parsed.skill.to_skill(text).view(|skill| skill.skill_md().concat()), text);
    /// ```
    ///
    /// # Panics
    /// If `text` is shorter than the text that was parsed.
    #[must_use]
    pub fn to_skill(&self, text: &str) -> SkillBuf {
        let body = self.layout.body.clone();
        skill_buf(PartsBuf {
            frontmatter: text[..body.start].to_owned(),
            body: text[body.clone()].to_owned(),
            trailing: text[body.end..].to_owned(),
            ..self.fields()
        })
    }

    /// The skill of the runtime without its text, under the name that the lock has for it: enough
    /// for a catalog.
    #[must_use]
    pub fn to_catalog_entry(&self, name: &SkillName) -> SkillBuf {
        skill_buf(PartsBuf { name: name.to_string(), ..self.fields() })
    }

    fn fields(&self) -> PartsBuf {
        PartsBuf {
            name: self.name.to_string(),
            description: self.description.clone(),
            license: self.license.clone(),
            compatibility: self.compatibility.clone(),
            metadata: self
                .metadata
                .iter()
                .map(|(key, value)| (key.clone(), value.clone()))
                .collect(),
            allowed_tools: self.allowed_tools.clone(),
            disallowed_tools: self.disallowed_tools.clone(),
            when_to_use: self.when_to_use.clone(),
            argument_hint: self.argument_hint.clone(),
            arguments: self.arguments.clone(),
            disable_model_invocation: self.disable_model_invocation,
            user_invocable: self.user_invocable,
            model: self.model.clone(),
            effort: self.effort.clone(),
            context: self.context.clone(),
            agent: self.agent.clone(),
            background: self.background.clone(),
            shell: self.shell.clone(),
            hooks: self.hooks.clone(),
            paths: self.paths.clone(),
            max_ticks: self.max_ticks,
            extra: self.extra.clone(),
            frontmatter: String::new(),
            body: String::new(),
            trailing: String::new(),
            digest: None,
            resources: Vec::new(),
            provenance: Default::default(),
            directory: None,
        }
    }
}
