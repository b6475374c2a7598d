//! Reads locked skills as a build would embed them, with every file verified.

use crate::error::Fact;
use crate::manifest::{Lock, is_own};
use crate::{
    Error, ErrorKind,
    difference::Difference,
    invisible_text::{self, Scanned},
    locked_file::LockedFile,
    parallel,
    paths::ProjectPaths,
    regular_file::Links,
    store::{self, StoredState},
};
use helix_skills_format::{
    __internal::invisible, Digest, Listing, LockedSkill, SkillMd, SkillName,
};
use helix_skills_runtime::Skill;
use std::{
    collections::BTreeMap,
    io,
    path::{Path, PathBuf},
};

/// Reads the skills of `lock` for which `is_wanted` returns true, sorted by name. Their resources
/// are empty. Other skills are not read.
///
/// # Errors
/// All problems that would keep `include_skills!` from embedding the skills.
pub(crate) fn read(
    project: &ProjectPaths,
    lock: &Lock,
    is_wanted: impl Fn(&SkillName) -> bool,
) -> Result<Vec<Skill>, Error> {
    let wanted: Vec<_> = lock.skills.iter().filter(|(name, _)| is_wanted(name)).collect();
    let results = parallel::map(wanted, |(name, skill)| {
        verify(project, lock, name, skill)
            .and_then(|verified| verified.into_skill(name, |_| Vec::new()))
    });
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

/// Reads one locked skill with its resources.
///
/// # Errors
/// All problems that would keep `include_skills!` from embedding the skill.
pub(crate) fn read_whole(
    project: &ProjectPaths,
    lock: &Lock,
    name: &SkillName,
    skill: &LockedSkill,
) -> Result<Skill, Error> {
    let verified = verify(project, lock, name, skill)?;
    let is_path = is_own(lock, skill);
    let mut contents = BTreeMap::new();
    for (path, expected) in verified.listing.iter() {
        let file = verified.directory.join(path.as_str());
        let bytes = read_file(project, (name, skill), &file, expected, is_path)?;
        contents.insert(path.to_string(), bytes);
    }
    verified.into_skill(name, |path| contents.remove(path).unwrap_or_default())
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
    let is_path = is_own(lock, skill);
    let mut invisible = Vec::new();
    if !is_path {
        match store::state(project, name, skill)? {
            StoredState::Whole(stored) => invisible = stored.invisible,
            StoredState::Absent | StoredState::Listed => {
                return Err(Error::not_stored(vec![name.clone()]));
            }
            StoredState::Differs(found) => return Err(store::edited(project, name, found).into()),
        }
    }
    let listing = listing(project, name, skill)?;
    let directory = project.directory_of(lock, name, skill);
    let (mut errors, mut md) = (Vec::new(), None);
    for (path, expected) in listing.iter() {
        let is_md = md.is_none() && SkillMd::is_file_name(path);
        // Files in the store were compared above, but the SKILL.md is read again, and the bytes
        // that are returned must be verified.
        if is_path || is_md {
            match read_file(
                project,
                (name, skill),
                &directory.join(path.as_str()),
                expected,
                is_path,
            ) {
                Ok(bytes) => {
                    if is_path {
                        invisible.extend(invisible::check_file(path, &bytes));
                    }
                    if is_md {
                        md = Some((path, bytes));
                    }
                }
                Err(error) => errors.push(error),
            }
        }
    }
    if !invisible.is_empty() {
        // Only invisible text that the manifest does not allow is an error.
        let skill = Scanned { name, locked: skill, is_own: is_path, found: Some(&invisible) };
        match project.read_manifest() {
            Ok(manifest) => errors.extend(invisible_text::check(&manifest.allow, &[skill]).0),
            Err(error) => errors.extend(error),
        }
    }
    Error::unless_empty(errors)?;
    let Some((path, bytes)) = md else {
        let place = project.show(&project.listing(name)).display().to_string();
        let message = format!("{place}: the listing has no `SKILL.md`");
        return Err(Error::new(ErrorKind::Drift, "file", message).with_hint("run `skills sync`"));
    };
    let place = project.show(&directory.join(path.as_str())).display().to_string();
    let parsed = SkillMd::parse_bytes(&bytes, Some(name), path)
        .map_err(|findings| Error::of_file(&place, findings, None))?;
    // The parser accepts only UTF-8.
    let text = String::from_utf8(bytes).unwrap_or_default();
    Ok(VerifiedSkill { skill_md: parsed.value, listing, directory, text, place })
}

impl VerifiedSkill {
    /// Converts to a skill under its name in the lockfile. `contents` returns the bytes of a
    /// resource.
    fn into_skill(
        self,
        name: &SkillName,
        mut contents: impl FnMut(&str) -> Vec<u8>,
    ) -> Result<Skill, Error> {
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
        let md = self.listing.iter().map(|(path, _)| path).find(|path| SkillMd::is_file_name(path));
        for (path, _) in self.listing.iter().filter(|(path, _)| Some(*path) != md) {
            let inserted = skill.insert_resource(path, contents(path));
            inserted.map_err(|source| edited(format!("file `{path}`")).with_source(source))?;
        }
        Ok(skill)
    }
}

/// Reads the locked listing.
///
/// # Errors
/// The store has no listing, or one with another integrity.
fn listing(
    project: &ProjectPaths,
    name: &SkillName,
    skill: &LockedSkill,
) -> Result<Listing, Error> {
    let path = project.listing(name);
    match store::read_listing(&path)? {
        None => Err(Error::not_stored(vec![name.clone()])),
        Some(Some(listing)) if listing.integrity() == skill.integrity => Ok(listing),
        Some(_) => {
            let difference = Difference::Listing { expected: skill.integrity };
            Err(Error::edited(name, project.show(&path), difference))
        }
    }
}

/// Reads a file, which must have the digest `expected`. A file of a `path` source
/// (`is_original`) may be a link, and is drift if it was changed.
fn read_file(
    project: &ProjectPaths,
    (name, skill): (&SkillName, &LockedSkill),
    path: &Path,
    expected: Digest,
    is_original: bool,
) -> Result<Vec<u8>, Error> {
    let shown = project.show(path);
    let edited = |difference| Error::edited(name, shown.clone(), difference);
    let drift = |what| {
        let path = shown.display();
        let message =
            format!("the file `{path}` of the skill `{name}` was {what} since it was locked");
        Error::drift(message).about(Fact::OriginalChanged(name.clone()))
    };
    match LockedFile::read(path, Links::Follow, &[expected], skill.bytes) {
        Ok(LockedFile::NotAFile) => {
            Err(Error::read(path)(io::Error::other("it is not a regular file")))
        }
        Ok(LockedFile::LineEnds) if is_original => Err(edited(Difference::OwnLineEnds)),
        Ok(file) => file.or_difference(expected).map_err(|difference| match is_original {
            true => drift("changed"),
            false => edited(difference),
        }),
        Err(error)
            if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) =>
        {
            Err(match is_original {
                true => drift("removed"),
                false => edited(Difference::Missing),
            })
        }
        Err(error) => Err(Error::read(path)(error)),
    }
}
