//! Reading a project's manifest, lockfile and stored skills.

use super::{Project, named::Named};
use crate::manifest::{Lock, Manifest};
use crate::{
    Error, entries,
    error::usage,
    license, store,
    verified_skill::{self, VerifiedSkill},
};
use helix_skills_format::{Listing, SkillMd, SkillName, SourceKey};
use helix_skills_runtime::Skill;

impl Project {
    /// Reads the manifest.
    ///
    /// # Errors
    /// There is no such file; every mistake in it, with its position.
    pub fn manifest(&self) -> Result<Manifest, Error> {
        self.checked_paths()?.read_manifest()
    }

    /// Reads the lockfile; `None` if the file does not exist.
    ///
    /// # Errors
    /// Every mistake in it, with its position.
    pub fn lock(&self) -> Result<Option<Lock>, Error> {
        self.checked_paths()?.read_lock()
    }

    /// Reads a skill of `lock` with all of its files, as `include_skills!` would embed it, and
    /// verifies them.
    ///
    /// # Errors
    /// `lock` does not have the skill; everything that would keep `include_skills!` from embedding
    /// it.
    pub fn read_skill(&self, lock: &Lock, name: &SkillName) -> Result<Skill, Error> {
        self.verified_skill(lock, name)?.into_skill(name)
    }

    /// Reads the skills of `lock` that `takes` accepts with all of their files, as
    /// `include_skills!` would embed them, and verifies them. They are sorted by name.
    ///
    /// # Errors
    /// Everything that would keep `include_skills!` from embedding them, all at once.
    pub fn read_skills(
        &self,
        lock: &Lock,
        takes: impl Fn(&SkillName) -> bool,
    ) -> Result<Vec<Skill>, Error> {
        verified_skill::read(self.checked_paths()?, lock, takes)
    }
}

#[doc(hidden)]
impl Project {
    /// Returns the keys of sources of the manifest by their names, or by the names of their skills:
    /// those in the lockfile and those that `include` names. `source:NAME` is always a source, and
    /// `skill:NAME` a skill.
    ///
    /// # Errors
    /// A name is neither, with the closest name as the hint; or it is a source, and a skill of
    /// another source.
    pub fn source_keys(&self, names: &[impl AsRef<str>]) -> Result<Vec<SourceKey>, Error> {
        let manifest = self.manifest()?;
        // A source is found without the lockfile.
        let lock = self.lock().ok().flatten().unwrap_or_default();
        let named = all_known(names, |name| {
            Named::find(name, &manifest, &lock, |key, skill| skill.source == *key)
        })?;
        let mut keys = Vec::new();
        for Named::Source(key) | Named::Skill { source: key, .. } in named {
            if !keys.contains(&key) {
                keys.push(key);
            }
        }
        Ok(keys)
    }

    /// Reads the lockfile, which has to exist.
    ///
    /// # Errors
    /// There is no such file; every mistake in it, with its position.
    pub fn require_lock(&self) -> Result<Lock, Error> {
        self.checked_paths()?.need_lock()
    }

    /// Returns whether the manifest was changed since it was locked. Does not read the store.
    ///
    /// # Errors
    /// Manifest or lockfile cannot be read.
    pub fn has_drifted(&self) -> Result<bool, Error> {
        Ok(!entries::drift(&self.manifest()?, &self.require_lock()?).is_empty())
    }

    /// Returns the skills of `lock` that have these names; `skill:NAME` is accepted as well.
    ///
    /// # Errors
    /// `lock` does not have a skill of that name; the hint names the closest one.
    pub fn skill_names(lock: &Lock, names: &[impl AsRef<str>]) -> Result<Vec<SkillName>, Error> {
        let known = |name: &str| {
            let name = SkillName::new(name.strip_prefix("skill:").unwrap_or(name)).ok();
            name.filter(|name| lock.skills.contains_key(name))
        };
        all_known(names, |name| known(name).ok_or_else(|| usage::unknown_skill(name, lock)))
    }

    /// Reads the `SKILL.md` of a skill of `lock` without verifying it.
    ///
    /// # Errors
    /// `lock` does not have the skill; its `SKILL.md` is missing or cannot be parsed.
    pub fn skill_md(&self, lock: &Lock, name: &SkillName) -> Result<SkillMd, Error> {
        let skill = lock.skills.get(name).ok_or_else(|| usage::unknown_skill(name, lock))?;
        Ok(self.checked_paths()?.read_skill(lock, name, skill)?.1)
    }

    /// Returns the license of a skill of `lock`, without verifying its files: the `license` of its
    /// frontmatter, or else the license files in its directory, or else the license of its plugin
    /// or repository. `None` if none was found.
    ///
    /// # Errors
    /// As [`Project::skill_md`]; its listing cannot be read.
    pub fn license(&self, lock: &Lock, name: &SkillName) -> Result<Option<String>, Error> {
        let skill = self.skill_md(lock, name)?;
        let listing = store::read_listing(&self.paths.listing(name))?.flatten();
        let paths = listing.iter().flat_map(Listing::iter).map(|(path, _)| path.as_str());
        let source = lock.skills.get(name).and_then(|skill| lock.sources.get(&skill.source));
        Ok(license::of_skill(&skill, paths, source))
    }

    /// Reads a skill of `lock` and verifies all of its files.
    ///
    /// # Errors
    /// `lock` does not have the skill; everything that would keep `include_skills!` from embedding
    /// it.
    pub fn verified_skill(&self, lock: &Lock, name: &SkillName) -> Result<VerifiedSkill, Error> {
        let skill = lock.skills.get(name).ok_or_else(|| usage::unknown_skill(name, lock))?;
        verified_skill::verify(self.checked_paths()?, lock, name, skill)
    }
}

/// Returns the result of `find` for each name, or the errors of all names that it does not find.
pub(super) fn all_known<T>(
    names: &[impl AsRef<str>],
    find: impl Fn(&str) -> Result<T, Error>,
) -> Result<Vec<T>, Error> {
    let (mut known, mut errors) = (Vec::new(), Vec::new());
    for name in names {
        match find(name.as_ref()) {
            Ok(found) => known.push(found),
            Err(error) => errors.push(error),
        }
    }
    Error::unless_empty(errors)?;
    Ok(known)
}
