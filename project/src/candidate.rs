//! Turns the files of a directory into a named skill.

use crate::manifest::{LockedSource, Select};
use crate::{
    Error, SourceFile,
    contents::{Contents, show_place},
    error::{At, excluding},
    invisible_text,
    selection::skill_name,
};
use helix_skills_format::{
    __internal::skill_md::Rules, Code, DirPath, Finding, Listing, LockedSkill, ObjectId, Parsed,
    RelPath, Severity, SkillMd, SkillName, SourceKey,
};
use std::collections::BTreeMap;

/// The files of one directory of a source.
pub(crate) struct Candidate {
    /// The name of the directory, as in `include`, `exclude` and `rename`.
    pub(crate) directory: String,
    /// Whether that name is the same on every machine, so that it is compared with the skill's. At
    /// the root of a repository it is not.
    pub(crate) is_named: bool,
    /// The directory, for messages.
    pub(crate) place: String,
    /// The directory, relative to the source's root.
    pub(crate) path: DirPath,
    pub(crate) tree: Option<ObjectId>,
    pub(crate) links: BTreeMap<RelPath, ObjectId>,
    pub(crate) contents: Contents,
}

/// A skill of a source, with its name and its entry in the lockfile.
#[derive(Debug)]
pub(crate) struct SourceSkill {
    pub(crate) name: SkillName,
    pub(crate) locked: LockedSkill,
    pub(crate) listing: Listing,
    pub(crate) contents: Contents,
    pub(crate) skill: SkillMd,
    /// Invisible text in its files, whether or not the manifest allows it.
    pub(crate) invisible: Vec<Finding>,
    /// Warnings, one line each.
    pub(crate) warnings: Vec<String>,
}

impl Candidate {
    /// Parses the SKILL.md and names the skill.
    pub(crate) fn resolve(self, key: &SourceKey, select: &Select) -> Result<SourceSkill, Error> {
        let place = self.place;
        let exclude = excluding(&self.directory);
        let Some(file) = self.contents.skill_md() else {
            if crate::contents::excludes_skill_md(select) {
                let why = format!("`files.exclude` excludes the SKILL.md of `{}`", self.directory);
                let hint = "narrow the glob: every skill needs its SKILL.md";
                return Err(Error::unresolved(key, why).with_hint(hint));
            }
            return Err(Error::excludable(
                &place,
                "the directory has no usable SKILL.md",
                Some(&exclude),
            ));
        };
        let at = format!("{place}/{}", file.path);
        let directory = self.is_named.then_some(self.directory.as_str());
        // Only fetched files have a tree.
        let rules = match self.tree {
            Some(_) => Rules::Fetched { name: select.new_name(&self.directory, &self.path) },
            None => Rules::Own,
        };
        let parsed = SkillMd::parse_as(&file.bytes, directory, &file.path, rules);
        let Parsed { value: skill, findings, .. } =
            parsed.map_err(|findings| Error::of_file(&at, findings, Some(&exclude)))?;
        let name =
            skill_name(select, (&self.directory, &self.path), &skill.name).map_err(|source| {
                let prefix = select.prefix.as_deref().unwrap_or_default();
                let message = format!("invalid name `{prefix}{}`", skill.name);
                Error::file(&at, message, "choose another `prefix`").with_source(source)
            })?;
        let mut warnings = warnings(&at, &findings, name == skill.name);
        warnings.extend(self.contents.left_out(&place));
        let listing = self.contents.listing();
        let mut locked = LockedSkill::new(key.clone(), self.path, &listing, self.contents.bytes());
        (locked.tree, locked.links) = (self.tree, self.links);
        locked.executable = Some(self.contents.executable());
        let invisible = invisible_text::find(&self.contents);
        Ok(SourceSkill {
            name,
            locked,
            listing,
            contents: self.contents,
            skill,
            invisible,
            warnings,
        })
    }
}

/// Returns the warnings about the `SKILL.md` at `at`, one line each. `keeps_name` is whether the
/// skill has the name in it.
fn warnings(at: &str, findings: &[Finding], keeps_name: bool) -> Vec<String> {
    findings
        .iter()
        .filter(|finding| finding.code.when_baking() != Severity::Silent)
        // Another name fixes it.
        .filter(|finding| finding.code != Code::ToolName || keeps_name)
        .map(|finding| format!("{at}{}: {finding}", At(finding.at)))
        .collect()
}

/// Returns the name in the `SKILL.md` of a skill that was locked from a remote source before, and
/// the warnings about that file. `None` if it has errors, which were reported then.
pub(crate) fn locked_name(
    sources: &BTreeMap<SourceKey, LockedSource>,
    (name, locked): (&SkillName, &LockedSkill),
    file: &SourceFile,
) -> Option<(SkillName, Vec<String>)> {
    let at = format!("{}/{}", show_place(&locked.source, &locked.path), file.path);
    let source = &sources.get(&locked.source)?.entry;
    let directory = source.directory_name(&locked.source, &locked.path);
    let rules = Rules::Fetched { name: source.select.new_name(directory, &locked.path) };
    let parsed = SkillMd::parse_as(&file.bytes, locked.path.file_name(), &file.path, rules).ok()?;
    let warnings = warnings(&at, &parsed.findings, parsed.value.name == *name);
    Some((parsed.value.name, warnings))
}
