//! Rules for authors: the format, and what makes a skill useful to a model.
//!
//! Each rule is a function of the text and the names of the other files. Rules prefer silence to
//! false alarms. A problem that occurs in many places is reported at the first.

mod commands;
mod description;
mod fix;
mod links;
pub(crate) mod markdown;
mod mentions;
mod open;
mod placeholders;
mod template;

pub use fix::{Fixed, fix};

use helix_skills_format::{
    __internal::skill_md, Code, Finding, ParsedSkillMd, Position, Severity, SkillMd,
};
use links::Links;
use markdown::Markdown;
use std::{borrow::Cow, collections::HashMap};

/// The set of rules that a skill is checked against.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Rules {
    /// What works in every system, and what makes a skill useful: the rules of `skills validate`.
    #[default]
    Authors,
    /// The specification of agentskills.io, as its reference library understands it (`skills-ref`
    /// 0.1.1).
    Open,
}

impl Rules {
    /// The severity of a finding under these rules.
    ///
    /// ```
    /// use helix_skills_format::{Code, Severity};
    /// use helix_skills_lint::Rules;
    ///
    /// assert_eq!(Rules::Authors.severity(Code::UnknownField), Severity::Warning);
    /// assert_eq!(Rules::Open.severity(Code::UnknownField), Severity::Error);
    /// ```
    #[must_use]
    pub fn severity(self, code: Code) -> Severity {
        match self {
            Self::Authors => code.when_validating(),
            Self::Open => open::severity(code),
        }
    }
}

/// A skill to check, as its author has it on disk.
#[derive(Clone, Copy, Debug)]
pub struct Draft<'d> {
    /// The bytes of its SKILL.md.
    pub bytes: &'d [u8],
    /// The name of its directory; `None` if it differs between machines.
    pub directory: Option<&'d str>,
    /// The name of the file with the text.
    pub file: &'d str,
    /// The paths of its other files, with `/` between the parts; `None` if they are not known.
    pub files: Option<&'d [String]>,
}

/// Checks a skill against `rules` and returns the findings from top to bottom: those without a
/// place first, those in other files ([`Finding::file`]) last.
///
/// `read` returns the text of another file of the skill, or `None` if it is not text, too large or
/// missing. It is called at most once for each file.
///
/// ```
/// use helix_skills_format::Code;
/// use helix_skills_lint::{Draft, Rules, lint};
/// let text = "---\nname: tides\ndescription: Reads tide tables. Use when a harbour is named.\n---\nSee [more](more.md).\n";
/// let draft = Draft { bytes: text.as_bytes(), directory: Some("tides"), file: "SKILL.md", files: Some(&[]) };
/// let findings = lint(&draft, Rules::Authors, |_| None);
/// assert_eq!(findings[0].code, Code::DeadLink);
/// assert_eq!(findings[0].at.unwrap().to_string(), "5:12");
/// ```
#[must_use]
pub fn lint<'t>(
    draft: &Draft<'_>,
    rules: Rules,
    read: impl FnMut(&str) -> Option<Cow<'t, str>>,
) -> Vec<Finding> {
    let text = match std::str::from_utf8(draft.bytes) {
        Ok(text) => text,
        Err(why) => return vec![skill_md::not_utf8(draft.bytes, why)],
    };
    let mut findings = match rules {
        Rules::Open => open::lint(text, draft),
        Rules::Authors => match SkillMd::examine(text, draft.directory, draft.file) {
            Err(mut findings) => {
                // Reports on the body as well, if its start is known.
                if let Some((layout, _)) = skill_md::layout(text) {
                    body(text, &Markdown::of(text, layout.body), draft, read, &mut findings);
                }
                findings
            }
            Ok(ParsedSkillMd { skill, mut findings }) => {
                let markdown = Markdown::of(text, skill.layout.body.clone());
                description::check(text, &skill, &mut findings);
                template::description(text, &skill, &mut findings);
                placeholders::check(&skill, &markdown, &mut findings);
                body(text, &markdown, draft, read, &mut findings);
                findings
            }
        },
    };
    for found in
        findings.iter_mut().filter(|found| found.code == Code::UnknownField && found.hint.is_none())
    {
        found.hint = Some(
            "other systems refuse what they do not know: move it into `metadata`, or leave it out"
                .to_owned(),
        );
    }
    findings.retain(|finding| rules.severity(finding.code) != Severity::Silent);
    findings.sort_by(|a, b| (&a.file, a.at).cmp(&(&b.file, b.at)));
    findings
}

/// The rules for the body and the other files.
fn body<'t>(
    text: &str,
    markdown: &Markdown<'_>,
    draft: &Draft<'_>,
    mut read: impl FnMut(&str) -> Option<Cow<'t, str>>,
    findings: &mut Vec<Finding>,
) {
    long_body(markdown, findings);
    commands::check(markdown, findings);
    template::check(markdown, findings);
    let Some(files) = draft.files else { return };
    let mut links = Links::new(files, draft.file);
    links.check(markdown, draft.file, findings);
    // What a model reads after the body has links, too; no text is asked for twice.
    let mut texts = HashMap::new();
    for path in files.iter().filter(|path| is_read_on(path)) {
        let Some(text) = read(path) else { continue };
        let before = findings.len();
        links.check(&Markdown::of(&text, 0..text.len()), path, findings);
        for found in &mut findings[before..] {
            found.file = Some(path.clone());
        }
        texts.insert(path.as_str(), text);
    }
    mentions::check(text, files, |path| texts.remove(path).or_else(|| read(path)), findings);
}

/// Whether a file is markdown for models, not for people.
fn is_read_on(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    lower.ends_with(".md") && !mentions::is_for_others(&lower)
}

/// The specification advises a maximum, because a model reads the whole body of a loaded skill.
fn long_body(markdown: &Markdown<'_>, findings: &mut Vec<Finding>) {
    const MOST: usize = 500;
    let lines = markdown.lines().len();
    if lines > MOST {
        let at = markdown.position(markdown.lines()[MOST].start);
        let message =
            format!("the body has {lines} lines; the specification advises at most {MOST}");
        let found = Finding::new(Code::LongBody, at, message);
        findings
            .push(found.hint(
                "move what is not always needed into `references/`, and say when to read it",
            ));
    }
}

/// The position of the value of a top-level key, if it is on the line of the key.
fn value_position(text: &str, skill: &SkillMd, key: &str) -> Position {
    let yaml = &text[skill.layout.yaml.clone()];
    let mut offset = skill.layout.yaml.start;
    for line in yaml.split_inclusive('\n') {
        if let Some(rest) = line.strip_prefix(key)
            && let Some(value) = rest.trim_start_matches([' ', '\t']).strip_prefix(':')
        {
            let blanks = value.len() - value.trim_start_matches([' ', '\t']).len();
            return Position::from_offset(text, offset + line.len() - value.len() + blanks);
        }
        offset += line.len();
    }
    Position::from_offset(text, skill.layout.yaml.start)
}
