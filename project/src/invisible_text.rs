//! Refuses skills with invisible text, which a model would read and a reviewer does not see, unless
//! the manifest allows it.

use crate::manifest::Source;
use crate::{Error, ErrorKind, contents::Contents, contents::show_place, error::SourceErrors};
use helix_skills_format::{
    __internal::{escape_invisible, invisible::check_file},
    Allow, Code, Finding, LockedSkill, SkillMd, SkillName,
};
use std::collections::{BTreeMap, BTreeSet};

/// Returns all invisible text in the files of a skill, whether or not the manifest allows it.
pub(crate) fn find(contents: &Contents) -> Vec<Finding> {
    contents.files().iter().flat_map(|file| check_file(&file.path, &file.bytes)).collect()
}

/// Adds an error for each finding in a skill that the manifest does not allow. `source` is the
/// manifest's entry, if it is known.
pub(crate) fn refuse(
    allow: &Allow,
    source: Option<&Source>,
    (name, locked): (&SkillName, &LockedSkill),
    found: &[Finding],
    errors: &mut SourceErrors,
) {
    let refused =
        found.iter().filter(|finding| !allow.allows(name, path_of(finding), finding.code));
    let error = |finding: &Finding| {
        let path = path_of(finding);
        let is_own = matches!(source, Some(Source::Path(_)));
        let allow = format!("add `{}` to the manifest", Allow::line(name, path, finding.code));
        let place = format!("`{}/{path}`", show_place(&locked.source, &locked.path));
        let hint = match (is_own, finding.hint.as_deref()) {
            (true, Some(fix)) => format!("{fix}, in {place}; if it is intended, {allow}"),
            _ => {
                let exclude = exclude(path, locked);
                format!(
                    "a model would read text that you do not see: {exclude}; or review {place}, and if it is intended, {allow}"
                )
            }
        };
        Error::invisible(name, finding, hint)
    };
    refused.for_each(|finding| {
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
/// and how many there are more. `locked` has all locked skills, `found` the findings of those that
/// could be read.
pub(crate) fn unused_allows<'n>(
    allow: &Allow,
    locked: impl IntoIterator<Item = &'n SkillName>,
    found: &BTreeMap<&SkillName, Vec<Finding>>,
) -> Vec<String> {
    let locked: BTreeSet<&SkillName> = locked.into_iter().collect();
    let mut unused = Vec::new();
    for (name, path, codes) in allow.iter() {
        let is_there = |finding: &Finding| {
            finding.code == Code::InvisibleText && path_of(finding) == path.as_str()
        };
        match found.get(name) {
            _ if !locked.contains(name) => {
                unused.push(format!(
                    "`allow` in the manifest names `{name}/{path}`, but the project has no skill `{name}`"
                ));
            }
            Some(found) if codes.contains(&Code::InvisibleText) && !found.iter().any(is_there) => {
                let code = Code::InvisibleText.as_str();
                unused.push(format!(
                    "`allow` in the manifest has `{code}` for `{name}/{path}`, which has no such finding"
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
