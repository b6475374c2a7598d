//! Reads locked skills as a build would embed them, with every file verified.

use crate::error::Fact;
use crate::manifest::{Lock, is_own};
use crate::{
    Error, ErrorKind, SourceFile,
    difference::Difference,
    facts::SkillFacts,
    invisible_text::{self, Scanned},
    parallel,
    paths::ProjectPaths,
    regular_file::Links,
    store::{self, Compared, Keep, StoredState},
};
use helix_skills_format::{__internal::skill_md::Rules, Listing, LockedSkill, SkillMd, SkillName};
use helix_skills_runtime::Skill;
use std::path::{Path, PathBuf};

/// Reads the skills of `lock` for which `is_wanted` returns true, sorted by name. Other skills are
/// not read.
///
/// # Errors
/// All problems that would keep `include_skills!` from embedding the skills.
pub(crate) fn read(
    project: &ProjectPaths,
    lock: &Lock,
    is_wanted: impl Fn(&SkillName) -> bool,
) -> Result<Vec<Skill>, Error> {
    let wanted: Vec<_> = lock.skills.iter().filter(|(name, _)| is_wanted(name)).collect();
    let results =
        parallel::map(wanted, |(name, skill)| verify(project, lock, name, skill)?.into_skill(name));
    let (mut skills, mut errors, mut absent) = (Vec::new(), Vec::new(), Vec::new());
    for result in results {
        match result {
            Ok(skill) => skills.push(skill),
            Err(found) => {
                for error in found {
                    match error.fact() {
                        Fact::NotStored(skills) => absent.extend_from_slice(skills),
                        _ => errors.push(error),
                    }
                }
            }
        }
    }
    if !absent.is_empty() {
        // One error for all of them, because a store that is not committed may have no skill.
        errors.push(Error::not_stored(absent));
    }
    Error::unless_empty(errors)?;
    Ok(skills)
}

/// A locked skill whose files were verified.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct VerifiedSkill {
    /// Its `SKILL.md`.
    pub skill_md: SkillMd,
    /// The digests of its files.
    pub listing: Listing,
    /// The directory of its files, in the store or in a `path` source.
    pub directory: PathBuf,
    /// The text of its `SKILL.md`.
    text: String,
    /// The path of its `SKILL.md`, for messages.
    place: String,
    /// Its files.
    files: Vec<SourceFile>,
}

/// Reads one locked skill and verifies its files.
///
/// # Errors
/// All problems that would keep `include_skills!` from embedding the skill.
pub(crate) fn verify(
    project: &ProjectPaths,
    lock: &Lock,
    name: &SkillName,
    skill: &LockedSkill,
) -> Result<VerifiedSkill, Error> {
    let is_own = is_own(lock, skill);
    let directory = project.directory_of(lock, name, skill);
    let found = match is_own {
        true => store::listing(project, name, skill)?.map(|listing| {
            let links = Links::Follow;
            let compared = store::compare(&directory, &listing, skill.bytes, links, Keep::All);
            compared.map(|compared| (listing, compared))
        }),
        false => store::files(project, name, skill, Keep::All)?.map(Ok),
    };
    let (listing, Compared { differences, invisible, files, .. }) = match found {
        Ok(found) => found?,
        Err(StoredState::Differs(found)) => return Err(store::edited(project, name, found).into()),
        Err(_) => return Err(Error::not_stored(vec![name.clone()])),
    };
    let error = |(path, difference): (PathBuf, _)| match is_own {
        true => changed(project, name, &path, difference),
        false => Error::edited(name, project.show(&path), difference),
    };
    let mut errors: Vec<_> = differences.into_iter().map(error).collect();
    if !invisible.is_empty() {
        // Only invisible text that the manifest does not allow is an error.
        let skill = Scanned { name, locked: skill, is_own, found: Some(&invisible) };
        match project.read_manifest() {
            Ok(manifest) => errors.extend(invisible_text::check(&manifest.allow, &[skill]).0),
            Err(error) => errors.extend(error),
        }
    }
    Error::unless_empty(errors)?;
    let Some(md) = files.iter().find(|file| SkillMd::is_file_name(&file.path)) else {
        let place = project.show(&project.listing(name)).display().to_string();
        let message = format!("{place}: the listing has no `SKILL.md`");
        return Err(Error::new(ErrorKind::Drift, "file", message).with_hint("run `skills sync`"));
    };
    let place = project.show(&directory.join(md.path.as_str())).display().to_string();
    let rules = Rules::locked(name, is_own);
    let parsed = SkillMd::parse_as(&md.bytes, Some(name), &md.path, rules)
        .map_err(|findings| Error::of_file(&place, findings, None))?;
    // The parser accepts only UTF-8.
    let text = String::from_utf8_lossy(&md.bytes).into_owned();
    Ok(VerifiedSkill { skill_md: parsed.value, listing, directory, text, place, files })
}

/// Returns the error for a difference of a file of a `path` source, which is drift.
fn changed(project: &ProjectPaths, name: &SkillName, path: &Path, difference: Difference) -> Error {
    let path = project.show(path);
    let what = match difference {
        Difference::LineEnds => return Error::edited(name, path, Difference::OwnLineEnds),
        Difference::Missing => "removed",
        _ => "changed",
    };
    let path = path.display();
    let message = format!("the file `{path}` of the skill `{name}` was {what} since it was locked");
    Error::drift(message).about(Fact::OriginalChanged(name.clone()))
}

impl VerifiedSkill {
    /// Returns the facts about the skill.
    #[must_use]
    pub fn facts(&self) -> SkillFacts {
        SkillFacts::new(&self.skill_md, &self.files)
    }

    /// Converts to a skill with all files, under its name in the lockfile.
    pub(crate) fn into_skill(self, name: &SkillName) -> Result<Skill, Error> {
        let mut skill = self.skill_md.to_skill(&self.text);
        let edited = |what: String| {
            let message = format!("{}: invalid {what}", self.place);
            Error::new(ErrorKind::Drift, "file", message).with_hint(
                "the lockfile was edited: restore it from version control, or delete it and run `skills sync`",
            )
        };
        skill
            .rename(name)
            .map_err(|source| edited(format!("name `{name}`")).with_source(source))?;
        let mut has_md = false;
        for SourceFile { path, bytes, .. } in self.files {
            if SkillMd::is_file_name(&path) && !std::mem::replace(&mut has_md, true) {
                continue;
            }
            let inserted = skill.insert_resource(&path, bytes);
            inserted.map_err(|source| edited(format!("file `{path}`")).with_source(source))?;
        }
        Ok(skill)
    }
}
