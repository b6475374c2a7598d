//! What the files of a project say, read once for a command.
//!
//! A sync makes lockfile and store match this state, and a check reports what differs. Both find
//! the differences of lockfile and store here.

use crate::manifest::{Lock, LockedSource, Manifest, is_own};
use crate::{
    Error,
    candidate::SourceSkill,
    difference::Difference,
    directory::{self, PathSkills},
    entries, parallel,
    paths::{ProjectPaths, directory_in, source_root},
    selection::skill_name,
    slashes::with_slashes,
    store::{self, StoredSkill, StoredState},
};
use helix_skills_format::{
    __internal::listed, Listing, LockedSkill, ProjectPath, RelPath, SkillName, SourceKey,
};
use std::collections::{BTreeMap, BTreeSet};

/// Manifest, lockfile, the locked skills in the store, and the skills in the project's own
/// directories.
pub(crate) struct State<'p> {
    pub(crate) project: &'p ProjectPaths,
    pub(crate) manifest: &'p Manifest,
    /// `None` if there is no lockfile.
    pub(crate) lock: Option<&'p Lock>,
    /// The skills of each `path` source, or why they cannot be read.
    pub(crate) own: BTreeMap<&'p SourceKey, Result<PathSkills, Error>>,
    /// All locked skills.
    pub(crate) stored: StoredSkills,
    /// The sources on whose commit the sides of a merged lockfile do not agree.
    pub(crate) disputed: &'p [SourceKey],
    /// The sources whose skills are read again, because they are not those of the locked commit.
    pub(crate) other_skills: BTreeSet<SourceKey>,
}

/// Locked skills, each compared with the store, or why the store cannot be read.
pub(crate) type StoredSkills = BTreeMap<SkillName, Result<StoredState, Error>>;

impl<'p> State<'p> {
    /// Reads the store and the project's own directories.
    pub(crate) fn read(
        project: &'p ProjectPaths,
        manifest: &'p Manifest,
        lock: Option<&'p Lock>,
        disputed: &'p [SourceKey],
    ) -> Self {
        let own = manifest.sources.iter().filter_map(|(key, source)| {
            let place = (source.directory()?, &source.select);
            let mut found = directory::read_source(project, key, place, manifest.limits);
            if let (Ok(found), Some(lock)) = (&mut found, lock) {
                found.converted = converted(project, lock, &found.skills);
            }
            Some((key, found))
        });
        let stored = lock.map(|lock| stored(project, lock)).unwrap_or_default();
        let (own, other_skills) = (own.collect(), BTreeSet::new());
        Self { project, manifest, lock, own, stored, disputed, other_skills }
    }

    /// Returns the lockfile.
    ///
    /// # Errors
    /// There is none.
    pub(crate) fn need_lock(&self) -> Result<&'p Lock, Error> {
        self.lock.ok_or_else(|| self.project.no_lock(Some(self.manifest)))
    }

    /// Returns the differences of the lockfile from the skills that are whole in the store.
    fn stored_drift(&self) -> Vec<Error> {
        let drift = |(lock, (name, locked), stored): (&Lock, _, &StoredSkill)| {
            let own = stored.own_name.as_ref();
            let name_drift = name_drift(&lock.sources, (name, locked), own);
            name_drift.into_iter().chain(stored_drift(name, locked, stored))
        };
        self.whole().flat_map(drift).collect()
    }

    /// Returns whether the lockfile has a wrong name for a skill of this source in the store.
    pub(crate) fn is_misnamed(&self, key: &SourceKey) -> bool {
        let mut of_source = self.whole().filter(|(_, (_, locked), _)| locked.source == *key);
        of_source.any(|(lock, skill, stored)| {
            name_drift(&lock.sources, skill, stored.own_name.as_ref()).is_some()
        })
    }

    /// Returns the skills that are whole in the store.
    fn whole(&self) -> impl Iterator<Item = (&Lock, (&SkillName, &LockedSkill), &StoredSkill)> {
        self.stored.iter().filter_map(|(name, stored)| {
            let lock = self.lock?;
            let Ok(StoredState::Whole(stored)) = stored else { return None };
            Some((lock, lock.skills.get_key_value(name)?, &**stored))
        })
    }

    /// Returns the differences of the lockfile from the manifest, from the project's own
    /// directories, and from the skills that are whole in the store.
    pub(crate) fn drift(&self) -> Vec<Error> {
        let lock = match self.need_lock() {
            Ok(lock) => lock,
            Err(error) => return vec![error],
        };
        let mut errors: Vec<Error> = entries::drift(self.manifest, lock);
        for (key, found) in &self.own {
            let source = &self.manifest.sources[*key];
            // A changed entry is drift already.
            if let (Some(path), Ok(found), true) =
                (source.directory(), found, entries::is_locked(key, source, lock))
            {
                errors.extend(path_drift(self.project, key, path, lock, found));
            }
        }
        errors.extend(self.stored_drift());
        errors
    }
}

/// Compares the locked skills with the store.
fn stored(project: &ProjectPaths, lock: &Lock) -> StoredSkills {
    let states = parallel::map(lock.skills.iter().collect(), |(name, skill)| {
        match is_own(lock, skill) {
            // The files are compared with the lockfile when the source is read.
            true => store::listing_state(project, name, skill),
            false => store::state(project, lock, name, skill),
        }
    });
    lock.skills.keys().cloned().zip(states).collect()
}

/// Returns the differences of the lockfile from a skill whose files in the store have the locked
/// bytes.
fn stored_drift(name: &SkillName, locked: &LockedSkill, stored: &StoredSkill) -> Vec<Error> {
    let is_file =
        |path: &RelPath| stored.executable.as_ref().is_some_and(|known| known.contains(path));
    let listed = locked.executable.iter().flatten().filter(|path| !is_file(path));
    let executable = listed.map(|path| {
        Error::drift(format!(
            "the lockfile lists the executable file `{path}` of the skill `{name}`, which has no such file"
        ))
    });
    executable.chain(size_drift(name, locked, (stored.files, stored.bytes))).collect()
}

/// Returns the difference of the locked name of a skill from the one that its locked entry gives to
/// a skill with the name `own` in its `SKILL.md`.
pub(crate) fn name_drift(
    sources: &BTreeMap<SourceKey, LockedSource>,
    (name, locked): (&SkillName, &LockedSkill),
    own: Option<&SkillName>,
) -> Option<Error> {
    let (key, own) = (&locked.source, own?);
    let source = &sources.get(key)?.entry;
    let expected =
        skill_name(&source.select, (source.directory_name(key, &locked.path), &locked.path), own)
            .ok()?;
    (expected != *name).then(|| {
        Error::drift(format!(
            "the lockfile has the name `{name}` for the skill in `{}` of the source `{key}`, expected `{expected}`",
            locked.path
        ))
    })
}

/// Returns the difference of the size of a skill, its numbers of files and of bytes, from the
/// lockfile.
fn size_drift(name: &SkillName, locked: &LockedSkill, found: (u64, u64)) -> Option<Error> {
    ((locked.files, locked.bytes) != found).then(|| {
        Error::drift(format!(
            "the size of the skill `{name}` differs from the lockfile (files: {}, bytes: {}; on disk: {}, {})",
            locked.files, locked.bytes, found.0, found.1
        ))
    })
}

/// Returns the differences between the files of a `path` source and the lockfile.
fn path_drift(
    project: &ProjectPaths,
    key: &SourceKey,
    path: &ProjectPath,
    lock: &Lock,
    found: &PathSkills,
) -> Vec<Error> {
    let root = project.show(&source_root(project, path));
    let (mut drifted, mut errors) = (Vec::new(), Vec::new());
    for resolved in &found.skills {
        let name = &resolved.name;
        let place = with_slashes(&directory_in(&root, &resolved.locked.path));
        match lock.skills.get(&resolved.name) {
            Some(locked) if *locked == resolved.locked => {}
            Some(locked)
                if locked.source == *key && locked.integrity == resolved.locked.integrity =>
            {
                drifted.extend(other_drift(&resolved.name, locked, &resolved.locked));
            }
            Some(locked) if locked.source == *key => {
                if let Some(converted) = found.converted.get(name) {
                    let edited =
                        |path| Error::edited(name, place.join(path), Difference::OwnLineEnds);
                    errors.extend(converted.iter().map(edited));
                    continue;
                }
                let changed = format!(
                    "the skill `{name}` in `{}` was changed since it was locked",
                    place.display()
                );
                let listing = store::locked_listing(project, name, locked);
                let files = listing.map(|listing| changed_files(&listing, &resolved.listing));
                let files = files.unwrap_or_default();
                drifted.push(Error::drift(match files.is_empty() {
                    true => changed,
                    false => format!("{changed}: {}", listed(files, 1)),
                }));
            }
            _ => drifted.push(Error::drift(format!(
                "the skill `{name}` in `{}` is not in the lockfile",
                place.display()
            ))),
        }
    }
    for (name, _) in lock.skills_of(key) {
        if !found.skills.iter().any(|resolved| resolved.name == *name) {
            drifted.push(Error::drift(format!(
                "the skill `{name}` of the lockfile is no longer in `{}`",
                root.display()
            )));
        }
    }
    errors.extend(drifted);
    errors
}

/// Returns the differences between other fields of a `path` skill in the lockfile and its files.
/// Such a skill has no tree and no links.
fn other_drift(name: &SkillName, locked: &LockedSkill, found: &LockedSkill) -> Vec<Error> {
    let moved = (locked.path != found.path).then(|| {
        Error::drift(format!(
            "the lockfile has the skill `{name}` in `{}`, but it is in `{}`",
            locked.path, found.path
        ))
    });
    moved.into_iter().chain(size_drift(name, locked, (found.files, found.bytes))).collect()
}

/// Returns [`PathSkills::converted`].
fn converted(
    project: &ProjectPaths,
    lock: &Lock,
    found: &[SourceSkill],
) -> BTreeMap<SkillName, Vec<String>> {
    let paths = |skill: &SourceSkill| {
        let locked = lock.skills.get(&skill.name)?;
        let before = store::locked_listing(project, &skill.name, locked)?;
        let mut paths = Vec::new();
        for file in skill.contents.files() {
            let digest = before.get(&file.path)?;
            if skill.listing.get(&file.path) != Some(digest) {
                let is_converted = digest.matches_other_line_endings(&file.bytes);
                paths.push(is_converted.then(|| file.path.to_string())?);
            }
        }
        (!paths.is_empty()).then(|| (skill.name.clone(), paths))
    };
    found.iter().filter_map(paths).collect()
}

/// Returns the files that two listings do not share, sorted.
fn changed_files(before: &Listing, after: &Listing) -> Vec<String> {
    let differing = |one: &Listing, other: &Listing| -> Vec<String> {
        let differs = one.iter().filter(|(path, digest)| other.get(path) != Some(*digest));
        differs.map(|(path, _)| path.to_string()).collect()
    };
    let changed: BTreeSet<String> =
        differing(before, after).into_iter().chain(differing(after, before)).collect();
    changed.into_iter().collect()
}
