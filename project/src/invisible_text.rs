//! Refuses skills with invisible text, which a model would read and a reviewer does not see, unless
//! the manifest allows it.

use crate::{
    Error, ErrorKind,
    contents::{Contents, show_place},
    error::{At, ErrorsBySource, SourceErrors},
};
use helix_skills_format::{
    __internal::{escape_invisible, invisible::check_file, quoted},
    Allow, Code, Finding, LockedSkill, Severity, SkillMd, SkillName,
};
use std::collections::BTreeMap;

/// Returns all invisible text in the files of a skill, also harmless and allowed one.
pub(crate) fn find(contents: &Contents) -> Vec<Finding> {
    contents.files().iter().flat_map(|file| check_file(&file.path, &file.bytes)).collect()
}

/// A locked skill with the invisible text in its files.
#[derive(Clone, Copy)]
pub(crate) struct Scanned<'s> {
    pub(crate) name: &'s SkillName,
    pub(crate) locked: &'s LockedSkill,
    /// Whether its files are in a directory of the project.
    pub(crate) is_own: bool,
    /// `None` if its files could not be read.
    pub(crate) found: Option<&'s [Finding]>,
}

/// Checks all locked skills. Returns an error for each finding that the manifest does not allow,
/// and a line for each entry of `allow` that has no effect.
pub(crate) fn check(allow: &Allow, skills: &[Scanned<'_>]) -> (Vec<Error>, Vec<String>) {
    let mut errors = ErrorsBySource::default();
    for skill in skills {
        let errors = errors.for_source(&skill.locked.source);
        errors.enter(&skill.locked.source, &skill.locked.path);
        refuse(allow, *skill, errors);
    }
    (errors.into_vec(), unused(allow, skills))
}

/// Returns a warning for each harmless finding in a skill that the manifest does not allow.
pub(crate) fn warnings(allow: &Allow, skill: Scanned<'_>) -> Vec<String> {
    let place = show_place(&skill.locked.source, &skill.locked.path);
    let found = not_allowed(allow, skill, Severity::Warning);
    found.map(|it| format!("{place}/{}{}: {it}", path_of(it), At(it.at))).collect()
}

/// Returns the findings of a severity in a skill that the manifest does not allow.
fn not_allowed<'s>(
    allow: &'s Allow,
    Scanned { name, found, .. }: Scanned<'s>,
    severity: Severity,
) -> impl Iterator<Item = &'s Finding> {
    found.unwrap_or_default().iter().filter(move |finding| {
        finding.code.when_baking() == severity
            && !allow.allows(name, path_of(finding), finding.code)
    })
}

/// Adds an error for each finding in a skill that the manifest does not allow.
fn refuse(allow: &Allow, skill: Scanned<'_>, errors: &mut SourceErrors) {
    let Scanned { name, locked, is_own, .. } = skill;
    let error = |finding: &Finding| {
        let path = path_of(finding);
        let allow = format!("add `{}` to the manifest", Allow::line(name, path, finding.code));
        let directory = show_place(&locked.source, &locked.path);
        let place = format!("`{directory}/{path}`");
        let hint = match (is_own, finding.hint.as_deref()) {
            (true, Some(fix)) => format!("{fix}, in {place}; if it is intended, {allow}"),
            _ => {
                let exclude = exclude(path, locked);
                format!(
                    "a model would read text that you do not see: {exclude}; or review {place}, and if it is intended, {allow}"
                )
            }
        };
        let is_named = locked.path.file_name() == Some(name);
        let shown = if is_named { name.as_str() } else { &directory };
        Error::invisible((name, shown), finding, hint)
    };
    not_allowed(allow, skill, Severity::Error).for_each(|finding| {
        errors.add(finding.code.as_str(), ErrorKind::Policy, || error(finding))
    });
}

/// Returns the instruction that excludes a file, or its whole skill if the file is the SKILL.md.
fn exclude(path: &str, locked: &LockedSkill) -> String {
    let text = |text: &str| escape_invisible(&serde_json::Value::from(text).to_string());
    match locked.path.file_name() {
        _ if !SkillMd::is_file_name(path) => {
            format!("exclude the file with `\"files\": {{\"exclude\": [{}]}}`", text(path))
        }
        Some(directory) => format!("exclude the skill with `\"exclude\": [{}]`", text(directory)),
        None => format!("remove the source `{}`", locked.source),
    }
}

/// Maximum number of unused `allow` entries that are named.
const MAX_UNUSED: usize = 50;

/// Returns a line for each `allow` entry of the manifest that has no effect, up to [`MAX_UNUSED`],
/// and how many there are more.
fn unused(allow: &Allow, skills: &[Scanned<'_>]) -> Vec<String> {
    let found: BTreeMap<_, _> = skills.iter().map(|skill| (skill.name, skill.found)).collect();
    let (mut unused, invisible) = (Vec::new(), Code::InvisibleText.as_str());
    for (name, path, codes) in allow.iter() {
        let is_there = |finding: &Finding| {
            finding.code == Code::InvisibleText && path_of(finding) == path.as_str()
        };
        unused.extend(codes.iter().filter(|code| Code::parse(code).is_none()).map(|code| {
            let code = quoted(code);
            format!("`allow` in the manifest has the unknown finding {code} for `{name}/{path}`; remove it")
        }));
        match found.get(name) {
            None => {
                unused.push(format!(
                    "`allow` in the manifest names `{name}/{path}`, but the project has no skill `{name}`"
                ));
            }
            Some(Some(found)) if codes.contains(invisible) && !found.iter().any(is_there) => {
                unused.push(format!(
                    "`allow` in the manifest has `{invisible}` for `{name}/{path}`, which has no such finding"
                ));
            }
            _ => {}
        }
    }
    if let more @ 1.. = unused.len().saturating_sub(MAX_UNUSED) {
        unused.truncate(MAX_UNUSED);
        unused.push(format!("`allow` in the manifest has {more} more entries without effect"));
    }
    unused
}

/// Returns the path of the file that a finding of a skill is in.
fn path_of(finding: &Finding) -> &str {
    finding.file.as_deref().unwrap_or_default()
}
