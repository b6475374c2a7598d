//! The license of a skill, as its author states it. License texts are not interpreted, except for
//! words with which their authors forbid copies.

use crate::manifest::LockedSource;
use helix_skills_format::SkillMd;

/// Maximum number of license files that are named.
const MAX_FILES: usize = 3;

/// Returns the license of a skill in one line: the `license` of its frontmatter, or else the names
/// of the license files in its directory, or else the license of its source. `paths` are the files
/// of the skill.
pub(crate) fn of_skill<'p>(
    skill: &SkillMd,
    paths: impl IntoIterator<Item = &'p str>,
    source: Option<&LockedSource>,
) -> Option<String> {
    let words = skill.license().unwrap_or_default().split_whitespace();
    let declared = Some(words.collect::<Vec<_>>().join(" ")).filter(|text| !text.is_empty());
    declared
        .or_else(|| files(paths).map(|files| format!("see {files}")))
        .or_else(|| source?.license.clone())
}

/// Returns whether a license, or the text of a license file, seems to forbid copies. Texts that
/// permit something, such as those of BSD, are not among them.
pub(crate) fn forbids_copies(text: &str) -> bool {
    let text = text.to_lowercase();
    let words = ["proprietary", "all rights reserved", "unlicensed"];
    !text.contains("permi") && words.iter().any(|word| text.contains(word))
}

/// Returns the license files of a directory, by their names.
pub(crate) fn files<'p>(names: impl IntoIterator<Item = &'p str>) -> Option<String> {
    let is_license = |name: &&str| {
        let stem = name.split(['.', '-']).next().unwrap_or_default().to_ascii_lowercase();
        // In both spellings.
        let is_named = stem.len() == 7 && stem.starts_with("licen") && stem.ends_with('e');
        (is_named || matches!(stem.as_str(), "copying" | "unlicense")) && !name.contains('/')
    };
    let found: Vec<&str> = names.into_iter().filter(is_license).take(MAX_FILES).collect();
    (!found.is_empty()).then(|| found.join(", "))
}
