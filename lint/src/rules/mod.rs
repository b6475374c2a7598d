//! What authors are told of their skills: the rules of the format, and what makes a skill of use to
//! a model.
//!
//! Every rule is a function of the text and of the names beside it. A rule that would annoy the
//! author of a good skill is worse than none: what may be meant is not told. Where one thing is
//! wrong in many places the first one is told.

mod commands;
mod description;
mod links;
pub(crate) mod markdown;
mod mend;
mod mentions;
mod open;
mod placeholders;
mod template;

pub use mend::{Mended, mend};

use helix_skills_format::{__internal::skill_md, Code, Finding, Parsed, Position, Severity, SkillMd};
use links::Links;
use markdown::Markdown;
use std::{borrow::Cow, collections::HashMap};

/// By whose rules a skill is judged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Rules {
    /// What works everywhere, and what makes a skill of use: the rules of `skills validate`.
    #[default]
    Authors,
    /// The specification of agentskills.io, as its reference library understands it (`skills-ref`
    /// 0.1.1).
    Open,
}

impl Rules {
    /// How much a finding weighs by these rules.
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

/// A skill as its author has it.
#[derive(Clone, Copy, Debug)]
pub struct Draft<'d> {
    /// The bytes of its SKILL.md.
    pub bytes: &'d [u8],
    /// The name of its directory; none where that differs between machines.
    pub directory: Option<&'d str>,
    /// What the file with the text is called.
    pub file: &'d str,
    /// The paths of its other files, with `/` between the parts; none if nobody looked.
    pub files: Option<&'d [String]>,
}

/// Everything there is to tell the author of a skill, from top to bottom; findings without a place
/// come first, those in other files ([`Finding::file`]) last.
///
/// `read` gives the text of another file of the skill, and is asked once for markdown and for what
/// might mention a file; none for one that is no text, too large or gone.
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
pub fn lint<'t>(draft: &Draft<'_>, rules: Rules, read: impl FnMut(&str) -> Option<Cow<'t, str>>) -> Vec<Finding> {
    let text = match std::str::from_utf8(draft.bytes) {
        Ok(text) => text,
        Err(why) => return vec![skill_md::not_utf8(draft.bytes, why)],
    };
    let mut findings = match rules {
        Rules::Open => open::lint(text, draft),
        Rules::Authors => match SkillMd::examine(text, draft.directory, draft.file) {
            Err(mut findings) => {
                // What is wrong with the body is told at once, if it can be known where the body
                // begins.
                if let Some((layout, _)) = skill_md::layout(text) {
                    body(text, &Markdown::of(text, layout.body), draft, read, &mut findings);
                }
                findings
            }
            Ok(Parsed { skill, mut findings }) => {
                let markdown = Markdown::of(text, skill.layout.body.clone());
                description::check(text, &skill, &mut findings);
                template::description(text, &skill, &mut findings);
                placeholders::check(&skill, &markdown, &mut findings);
                body(text, &markdown, draft, read, &mut findings);
                findings
            }
        },
    };
    for found in findings.iter_mut().filter(|found| found.code == Code::UnknownField && found.hint.is_none()) {
        found.hint =
            Some("other systems refuse what they do not know: move it into `metadata`, or leave it out".to_owned());
    }
    findings.retain(|finding| rules.severity(finding.code) != Severity::Silent);
    findings.sort_by(|a, b| (&a.file, a.at).cmp(&(&b.file, b.at)));
    findings
}

/// The rules for what follows the frontmatter, and for the files beside it.
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

/// Whether a file is markdown that models are sent on to, and not people.
fn is_read_on(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    lower.ends_with(".md") && !mentions::is_for_others(&lower)
}

/// The specification's advice: a model reads the body whole whenever the skill is loaded.
fn long_body(markdown: &Markdown<'_>, findings: &mut Vec<Finding>) {
    const MOST: usize = 500;
    let lines = markdown.lines().len();
    if lines > MOST {
        let at = markdown.position(markdown.lines()[MOST].start);
        let message = format!("the body has {lines} lines; the specification advises at most {MOST}");
        let found = Finding::new(Code::LongBody, at, message);
        findings.push(found.hint("move what is not always needed into `references/`, and say when to read it"));
    }
}

/// Where the value of a top-level key begins, as far as one line tells.
fn value_position(text: &str, skill: &SkillMd, key: &str) -> Position {
    let yaml = &text[skill.layout.yaml.clone()];
    let mut offset = skill.layout.yaml.start;
    for line in yaml.split_inclusive('\n') {
        if let Some(rest) = line.strip_prefix(key)
            && let Some(value) = rest.trim_start_matches([' ', '\t']).strip_prefix(':')
        {
            let blanks = value.len() - value.trim_start_matches([' ', '\t']).len();
            return Position::of(text, offset + line.len() - value.len() + blanks);
        }
        offset += line.len();
    }
    Position::of(text, skill.layout.yaml.start)
}
