//! Locked skills with their texts, as a build would bake them: every file proved.

use crate::error::{Drift, File};
use crate::manifest::{Lock, Source};
use crate::{
    Error, Failure,
    difference::Difference,
    error::SourceErrors,
    gate,
    locked_file::LockedFile,
    parallel,
    paths::ProjectPaths,
    regular_file::Links,
    store::{self, State},
};
use helix_skills_format::{Digest, Finding, Listing, LockedSkill, RelPath, SkillMd, SkillName, invisible};
use helix_skills_runtime::{SkillBuf, SkillSetBuf};
use std::{io, path::Path};

/// The set of the locked skills that `takes` says yes to. It renders what they render when they are baked; their files
/// are there without contents. Offline; writes nothing.
///
/// # Errors
/// Whatever would keep `include_skills!` from baking them, all at once.
pub fn read(project: &ProjectPaths, lock: &Lock, takes: impl Fn(&SkillName) -> bool) -> Result<SkillSetBuf, Failure> {
    let wanted: Vec<_> = lock.skills.iter().filter(|(name, _)| takes(name)).collect();
    let results =
        parallel::map(wanted, |(name, skill)| prove(project, lock, name, skill).and_then(|proved| proved.skill(name)));
    let (mut skills, mut errors) = (SkillSetBuf::new(), Vec::new());
    for result in results {
        match result {
            // The names of a lock are different.
            Ok(skill) => drop(skills.replace(skill)),
            Err(found) => errors.extend(found),
        }
    }
    Failure::unless_empty(errors)?;
    Ok(skills)
}

/// What was read of a skill, every file of it proved.
pub struct Proved {
    pub md: SkillMd,
    pub listing: Listing,
    /// The text of its `SKILL.md`.
    text: String,
    /// All other files.
    paths: Vec<RelPath>,
    /// Where that file lies, for messages.
    place: String,
}

/// Reads one locked skill, and proves its files.
///
/// # Errors
/// Whatever would keep `include_skills!` from baking it.
pub fn prove(project: &ProjectPaths, lock: &Lock, name: &SkillName, skill: &LockedSkill) -> Result<Proved, Vec<Error>> {
    let source = lock.sources.get(&skill.source).map(|source| &source.request);
    let is_path = matches!(source, Some(Source::Path(_)));
    let mut invisible = Vec::new();
    if !is_path {
        let edited = |(path, difference)| Error::Edited { skill: name.clone(), path: project.show(path), difference };
        match store::state(project, name, skill).map_err(|error| vec![error])? {
            State::Whole { invisible: found, .. } => invisible = found,
            State::Absent => return Err(vec![Error::NotStored { skill: name.clone() }]),
            State::Differs(found) => {
                return Err(found.iter().map(|(path, difference)| edited((path.as_path(), *difference))).collect());
            }
        }
    }
    let listing = listing(project, name, skill).map_err(|error| vec![error])?;
    let directory = project.directory_of(lock, name, skill);
    let (mut errors, mut md, mut paths) = (Vec::new(), None, Vec::new());
    for (path, expected) in listing.iter() {
        let is_md = md.is_none() && SkillMd::is_file_name(path);
        if !is_md {
            paths.push(path.clone());
        }
        // The store's files were looked at; what is shown is proved by the very bytes that are shown.
        if is_path || is_md {
            match read_file(project, (name, skill), &directory.join(path.as_str()), expected, is_path) {
                Ok(bytes) => {
                    if is_path {
                        invisible.extend(invisible::invisible(path, &bytes));
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
        errors.extend(refused(project, source, (name, skill), &invisible));
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    let Some((path, bytes)) = md else {
        let place = project.show(&project.listing(name)).display().to_string();
        return Err(vec![Error::file(place, File::ListingWithoutSkillMd)]);
    };
    let place = project.show(&directory.join(path.as_str())).display().to_string();
    let parsed = SkillMd::parse_bytes(&bytes, Some(name), path).map_err(|findings| {
        let error = |finding| Error::Skill { place: place.clone(), finding: Box::new(finding), exclude: None };
        findings.into_iter().map(error).collect::<Vec<_>>()
    })?;
    // The parser has refused everything else.
    let text = String::from_utf8(bytes).unwrap_or_default();
    Ok(Proved { md: parsed.skill, listing, text, paths, place })
}

/// What was found and the manifest does not let through. It is read only where something was found: nothing else here
/// needs it.
fn refused(
    project: &ProjectPaths,
    source: Option<&Source>,
    skill: (&SkillName, &LockedSkill),
    found: &[Finding],
) -> Vec<Error> {
    match project.read_manifest() {
        Ok(manifest) => {
            let mut errors = SourceErrors::new();
            gate::refuse(&manifest.allow, source, skill, found, &mut errors);
            errors.into_vec(&skill.1.source)
        }
        Err(failure) => failure.into(),
    }
}

impl Proved {
    /// The skill of the runtime, under the name that the lock has for it; its files without contents.
    fn skill(self, name: &SkillName) -> Result<SkillBuf, Vec<Error>> {
        let mut skill = self.md.to_skill(&self.text);
        let unfit = |why| vec![Error::file(self.place.clone(), why)];
        skill.rename(name).map_err(|source| unfit(File::LockedName { name: name.to_string(), source }))?;
        for path in &self.paths {
            let inserted = skill.insert_resource(path, "");
            inserted.map_err(|source| unfit(File::LockedFile { path: path.to_string(), source }))?;
        }
        Ok(skill)
    }
}

/// The listing that was locked, whatever its files are now.
///
/// # Errors
/// It is not in the store, or is another one.
fn listing(project: &ProjectPaths, name: &SkillName, skill: &LockedSkill) -> Result<Listing, Error> {
    let path = project.listing(name);
    match store::read_listing(&path)? {
        None => Err(Error::NotStored { skill: name.clone() }),
        Some(Some(listing)) if listing.integrity() == skill.integrity => Ok(listing),
        Some(_) => Err(Error::Edited {
            skill: name.clone(),
            path: project.show(&path),
            difference: Difference::Listing { expected: skill.integrity },
        }),
    }
}

/// The bytes of a file, which must have this digest. An original may be a link, and when it was changed that is no mistake
/// of anybody's: it has to be locked anew.
fn read_file(
    project: &ProjectPaths,
    (name, skill): (&SkillName, &LockedSkill),
    path: &Path,
    expected: Digest,
    is_original: bool,
) -> Result<Vec<u8>, Error> {
    let shown = project.show(path);
    let (skill_name, place) = (name.clone(), shown.clone());
    let edited = |difference| Error::Edited { skill: name.clone(), path: shown.clone(), difference };
    match LockedFile::read(path, Links::Follow, &[expected], skill.bytes) {
        Ok(LockedFile::NotAFile) => Err(Error::disk("read", path)(io::Error::other("it is not a regular file"))),
        Ok(LockedFile::LineEnds) if is_original => Err(edited(Difference::OwnLineEnds)),
        Ok(file) => file.or_difference(expected).map_err(|difference| match is_original {
            true => Drift::FileChanged { skill: skill_name, path: place }.into(),
            false => edited(difference),
        }),
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            Err(match is_original {
                true => Drift::FileGone { skill: skill_name, path: place }.into(),
                false => edited(Difference::Missing),
            })
        }
        Err(error) => Err(Error::disk("read", path)(error)),
    }
}
