//! Rules for authors: the format, and what makes a skill useful to a model.
//!
//! Each rule is a function of the text and the names of the other files. Rules avoid false alarms:
//! descriptions in other languages than English are only checked for the format, links in code are
//! ignored as examples, and a code span is reported only if it is nearly the path of a file, or if
//! the text points to it. A problem with one cause in many places is reported once, with the number
//! of the other places.

mod code_paths;
mod commands;
mod description;
mod links;
mod mentions;
mod open;
mod placeholders;
mod template;

use crate::markdown::{Markdown, lines};
use helix_skills_format::{
    __internal::{more_below, parse_utf8, skill_md},
    Code, Finding, Parsed, Position, Severity, SkillMd,
};
use helix_skills_runtime::Profile;
use links::Links;
use std::{borrow::Cow, collections::HashMap, ops::Range};

/// The set of rules that a skill is checked against.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Rules {
    /// The default of `skills validate`: what works in every system, and what makes a skill useful.
    #[default]
    Authors,
    /// The specification of agentskills.io, as implemented by its reference library (`skills-ref`
    /// 0.1.1).
    Open,
    /// The rules for authors, and placeholders that stay in the text in this profile.
    Profile(Profile),
}

impl Rules {
    /// Returns the severity of a finding under these rules.
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
            Self::Authors | Self::Profile(_) => code.when_validating(),
            Self::Open => open::severity(code),
        }
    }
}

/// A skill to check, as its author has it on disk.
///
/// The caller decides which files of the directory belong to the skill.
#[derive(Clone, Copy, Debug)]
pub struct Draft<'d> {
    /// The bytes of its SKILL.md.
    pub bytes: &'d [u8],
    /// The name of its directory; `None` if it differs between machines.
    pub directory: Option<&'d str>,
    /// The name of its SKILL.md.
    pub file: &'d str,
    /// The paths of its other files, with `/` between the parts; `None` if they are not known.
    pub files: Option<&'d [String]>,
}

/// Checks a skill against `rules`. Returns the findings from top to bottom: those without a
/// position first, those in other files ([`Finding::file`]) last.
///
/// `read` returns the text of another file of the skill, or `None` if it is not text, too large or
/// missing. It is called at most once for each file.
///
/// ```
/// use helix_skills_format::Code;
/// use helix_skills_lint::{Draft, Rules, lint};
/// let bytes = b"---\nname: pdf\ndescription: Use for PDF files.\n---\nSee [x](more.md).\n";
/// let draft = Draft { bytes, directory: Some("pdf"), file: "SKILL.md", files: Some(&[]) };
/// let findings = lint(&draft, Rules::Authors, |_| None);
/// assert_eq!(findings[0].code, Code::DeadLink);
/// assert_eq!(findings[0].at.unwrap().to_string(), "5:9");
/// ```
#[must_use]
pub fn lint<'t>(
    draft: &Draft<'_>,
    rules: Rules,
    read: impl FnMut(&str) -> Option<Cow<'t, str>>,
) -> Vec<Finding> {
    lint_and_parse(draft, rules, read).0
}

/// Like [`lint`], and returns the skill as well, unless it cannot be parsed.
#[doc(hidden)]
#[must_use]
pub fn lint_and_parse<'t>(
    draft: &Draft<'_>,
    rules: Rules,
    read: impl FnMut(&str) -> Option<Cow<'t, str>>,
) -> (Vec<Finding>, Option<SkillMd>) {
    let text = match parse_utf8(draft.bytes) {
        Ok(text) => text,
        Err(finding) => return (vec![finding], None),
    };
    let own = skill_md::Rules::Own;
    let (mut findings, skill) = match SkillMd::examine(text, draft.directory, draft.file, own) {
        Ok(Parsed { value: skill, findings, .. }) => (findings, Some(skill)),
        Err(findings) => (findings, None),
    };
    let layout = match &skill {
        Some(skill) => Some(skill.layout.clone()),
        None => skill_md::layout(text),
    };
    if rules == Rules::Open {
        open::lint(text, skill.as_ref(), &mut findings);
    } else if let Some(layout) = layout {
        // Reports on the body even if the text is not a skill.
        let markdown = Markdown::parse(text, layout.body);
        if let Some(skill) = &skill {
            description::check(text, skill, &mut findings);
            template::description(text, skill, &mut findings);
            placeholders::check(skill, &markdown, &mut findings);
            if let Rules::Profile(profile) = rules {
                placeholders::check_profile(skill, &markdown, profile, &mut findings);
            }
        }
        body(text, &markdown, draft, read, &mut findings);
    }
    for found in findings.iter_mut().filter(|found| found.code == Code::UnknownField) {
        let hint = "other systems refuse unknown fields: move it into `metadata`, or remove it";
        found.hint.get_or_insert_with(|| hint.to_owned());
    }
    findings.retain(|finding| rules.severity(finding.code) != Severity::Silent);
    findings.sort_by(|a, b| (&a.file, a.at).cmp(&(&b.file, b.at)));
    (findings, skill)
}

/// Checks the body and the other files.
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
    template::examples(markdown, findings);
    let Some(files) = draft.files else { return };
    let mut links = Links::new(files, draft.file);
    links.check(markdown, draft.file, findings);
    // Files that a model reads after the body have links as well. Each text is read only once.
    let mut texts = HashMap::new();
    for path in files.iter().filter(|path| is_reference(path)) {
        let Some(text) = read(path) else { continue };
        let before = findings.len();
        links.check(&Markdown::parse(&text, 0..text.len()), path, findings);
        for found in &mut findings[before..] {
            found.file = Some(path.clone());
        }
        texts.insert(path.as_str(), text);
    }
    mentions::check(text, files, |path| texts.remove(path).or_else(|| read(path)), findings);
}

/// Returns whether a file is Markdown for models, not for human readers.
fn is_reference(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    lower.ends_with(".md") && !mentions::is_not_for_models(&lower)
}

/// Checks the length of the body. The specification recommends a maximum, because a model reads the
/// whole body of a loaded skill.
fn long_body(markdown: &Markdown<'_>, findings: &mut Vec<Finding>) {
    const MAX_LINES: usize = 500;
    let mut over = lines(markdown.text).skip(MAX_LINES);
    if let Some((start, _)) = over.next() {
        let (at, all) = (markdown.position(start), MAX_LINES + 1 + over.count());
        let message =
            format!("the body has {all} lines; the specification recommends at most {MAX_LINES}");
        let hint = "move what is not always needed into `references/`, and say when to read it";
        findings.push(Finding::new(Code::LongBody, at, message).hint(hint));
    }
}

/// Reports the first of the places that have a problem, and the number of the others. `describe`
/// returns the message and the hint.
fn first_of<T, H: Into<String>>(
    code: Code,
    markdown: &Markdown<'_>,
    places: impl IntoIterator<Item = (usize, T)>,
    describe: impl FnOnce(T) -> (String, H),
) -> Option<Finding> {
    let mut places = places.into_iter();
    let (at, first) = places.next()?;
    let (message, hint) = describe(first);
    let message = message + &more_below(places.count());
    Some(Finding::new(code, markdown.position(at), message).hint(hint))
}

/// Returns the position of the value of a top-level key, or the start of the frontmatter if the
/// value is not on the line of the key.
fn value_position(text: &str, skill: &SkillMd, key: &str) -> Position {
    let Range { start, end } = skill.layout.yaml;
    let value = lines(&text[start..end]).find_map(|(at, line)| {
        let value = line.strip_prefix(key)?.trim_start_matches([' ', '\t']).strip_prefix(':')?;
        Some(at + line.len() - value.trim_start_matches([' ', '\t']).len())
    });
    Position::from_offset(text, start + value.unwrap_or_default())
}
