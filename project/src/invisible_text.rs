//! The gate: what a model would read and a person does not see comes into no project, unless its manifest lets it through.

use crate::manifest::Source;
use crate::{Error, ExitCode, contents::Contents, contents::show_place, error::SourceErrors};
use helix_skills_format::{
    Allow, Code, Finding, LockedSkill, SkillMd, SkillName, escape_invisible, invisible::check_file,
};
use std::collections::{BTreeMap, BTreeSet};

/// Everything invisible in the files of a skill; nothing is let through yet.
pub(crate) fn find(contents: &Contents) -> Vec<Finding> {
    contents.files().iter().flat_map(|file| check_file(&file.path, &file.bytes)).collect()
}

/// Adds an error for each finding in a skill that the manifest does not allow. `source` is the manifest's entry, if it is
/// known.
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
        let lets_through =
            format!("write `{}` into the manifest", Allow::line(name, path, finding.code));
        let place = format!("`{}/{path}`", show_place(&locked.source, &locked.path));
        let hint = match (is_own, finding.hint.as_deref()) {
            (true, Some(mend)) => format!("{mend}, in {place}; if it is meant, {lets_through}"),
            _ => {
                let otherwise = leave_out(path, locked);
                format!(
                    "a model would read what you do not see: {otherwise}; or look at {place}, and if it is meant, {lets_through}"
                )
            }
        };
        Error::Invisible { skill: name.clone(), finding: Box::new(finding.clone()), hint }
    };
    refused
        .for_each(|finding| errors.add(finding.code.as_str(), ExitCode::Policy, || error(finding)));
}

/// How a manifest leaves out a file, or the skill that cannot do without it.
fn leave_out(path: &str, locked: &LockedSkill) -> String {
    let text = |text: &str| escape_invisible(&serde_json::Value::from(text).to_string());
    match locked.path.file_name() {
        _ if !SkillMd::is_file_name(path) => {
            format!("leave the file out with `\"files\": {{\"exclude\": [{}]}}`", text(path))
        }
        Some(directory) => format!("leave the skill out with `\"exclude\": [{}]`", text(directory)),
        None => format!("remove the source `{}`", locked.source),
    }
}

/// A line for each exception of the manifest that lets nothing through. `locked` are all skills there are, `found` what was
/// found in those that could be looked at.
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
                    "`allow` of the manifest names `{name}/{path}`, and there is no skill `{name}`"
                ));
            }
            Some(found) if codes.contains(&Code::InvisibleText) && !found.iter().any(is_there) => {
                let code = Code::InvisibleText.as_str();
                unused.push(format!("`allow` of the manifest has `{code}` for `{name}/{path}`, where nothing needs it"));
            }
            _ => {}
        }
    }
    unused
}

/// The path of the file that a finding of a skill is in.
fn path_of(finding: &Finding) -> &str {
    finding.file.as_deref().unwrap_or_default()
}
