//! The manifest's entries, compared with the lockfile.
//!
//! The lockfile keeps each entry as data. What differs is decided here, for all commands: `check`
//! reports it, and a sync resolves it.

use crate::manifest::{Lock, LockedSource, Manifest, Pin, Repository, Source, SourceKind};
use crate::{Error, pins::TagNames, selection::may_select};
use helix_skills_format::{__internal::path_key, DirPath, GitUrl, ObjectId, SourceKey, VersionPin};
use std::collections::{BTreeMap, BTreeSet};

/// An entry of the manifest, compared with the lockfile.
pub(crate) enum EntryState<'l> {
    /// The lockfile does not have the source.
    New,
    /// The entry has changed in these keys since it was locked.
    Changed { locked: &'l LockedSource, keys: Vec<String> },
    /// The entry has not changed, but the lockfile does not have what it selects, because a merge
    /// or an edit dropped or added skills.
    Inconsistent(&'l LockedSource),
    /// The lockfile has what the entry selects.
    Locked(&'l LockedSource),
}

impl<'l> EntryState<'l> {
    pub(crate) fn new(key: &SourceKey, source: &Source, lock: &'l Lock) -> Self {
        let Some(locked) = lock.sources.get(key) else { return Self::New };
        if locked.entry != *source {
            return Self::Changed { locked, keys: locked.entry.changed_keys(source) };
        }
        if selection_drift(key, source, lock).is_empty() {
            Self::Locked(locked)
        } else {
            Self::Inconsistent(locked)
        }
    }

    /// Returns the source in the lockfile.
    pub(crate) fn locked(&self) -> Option<&'l LockedSource> {
        match self {
            Self::New => None,
            Self::Changed { locked, .. } | Self::Inconsistent(locked) | Self::Locked(locked) => {
                Some(locked)
            }
        }
    }
}

/// Returns whether the entry of a source is the locked one.
pub(crate) fn is_locked(key: &SourceKey, source: &Source, lock: &Lock) -> bool {
    lock.sources.get(key).is_some_and(|locked| locked.entry == *source)
}

/// Returns every difference between manifest and lockfile.
pub(crate) fn drift(manifest: &Manifest, lock: &Lock) -> Vec<Error> {
    let mut found = Vec::new();
    for (key, source) in &manifest.sources {
        match lock.entry_drift(key, source) {
            Some(drift) => found.push(Error::drift(drift)),
            None => found.extend(selection_drift(key, source, lock)),
        }
    }
    found.extend(lock.extra_sources(&manifest.sources).map(Error::drift));
    found
}

/// Compares the locked skills and the locked commit of a source with its manifest entry, and the
/// skills with the directories that the lockfile lists. A merge or an edit of the lockfile may have
/// dropped or added skills.
pub(crate) fn selection_drift(key: &SourceKey, source: &Source, lock: &Lock) -> Vec<Error> {
    // The skills of a `path` source are compared with its files.
    let locked = lock.sources.get(key).filter(|_| source.directory().is_none());
    let Some(locked) = locked else { return Vec::new() };
    let select = &source.select;
    let mut found = Vec::from_iter(pin_drift(key, source, locked));
    let mut differs = |message| found.push(Error::drift(message));
    let mut paths: BTreeSet<&DirPath> = BTreeSet::new();
    for (name, skill) in lock.skills_of(key) {
        let path = &skill.path;
        let is_in_source = source.plugin().is_none()
            || locked.plugin.as_ref().is_some_and(|plugin| plugin.path.contains(path));
        let is_named =
            match (select.new_name(source.directory_name(key, path), path), &select.prefix) {
                (Some(renamed), _) => renamed == name,
                (None, Some(prefix)) => name.starts_with(prefix.as_str()),
                (None, None) => true,
            };
        if !(is_in_source && may_select(key, source, path) && is_named) {
            differs(format!(
                "the source `{key}` of the manifest does not select the skill `{name}` in `{path}`"
            ));
        }
        if !paths.insert(path) {
            differs(format!("duplicate directory `{path}` of the source `{key}` in the lockfile"));
        }
    }
    let mut known = paths.clone();
    if let Some(directories) = &locked.directories {
        for path in directories.iter().filter(|path| !paths.contains(path)) {
            differs(format!(
                "the lockfile lists the directory `{path}` of the source `{key}`, but no skill in it"
            ));
        }
        for path in paths.iter().filter(|path| !directories.contains(**path)) {
            differs(format!(
                "the lockfile has a skill in the directory `{path}`, which it does not list for the source `{key}`"
            ));
        }
        known.extend(directories);
    }
    let Some(include) = &select.include else { return found };
    // How many directories each key of `include` may mean.
    let mut meant: BTreeMap<String, usize> = BTreeMap::new();
    for path in known {
        let path_key = path_key(path);
        // A path that `include` has, too, does not count for the name of its directory.
        let is_named = !include.contains(&path_key);
        let name = source.directory_name(key, path).to_owned();
        *meant.entry(name).or_default() += usize::from(is_named);
        meant.insert(path_key, 1);
    }
    for asked in include.difference(&select.exclude) {
        match meant.get(asked) {
            Some(0 | 1) => {}
            None => differs(format!(
                "the source `{key}` includes `{asked}`, but the lockfile has no skill from it"
            )),
            Some(_) => differs(format!(
                "the source `{key}` includes `{asked}`, and the lockfile has several directories of that name"
            )),
        }
    }
    found
}

/// Compares the locked commit and tag of a source with the pin of its manifest entry, as far as
/// that is possible offline: `sha` and `version`.
pub(crate) fn pin_drift(key: &SourceKey, source: &Source, locked: &LockedSource) -> Option<Error> {
    let repository = source.repository()?;
    let (pin, found) = match (&repository.sha, &locked.commit, &repository.pin) {
        (Some(sha), Some(commit), _) if sha != commit => {
            (format!("commit {sha}"), commit.to_string())
        }
        (_, _, Pin::Version(version)) if !TagNames::new(key, source).allows(version, locked) => {
            let reference = locked.reference.as_deref().unwrap_or("no tag");
            let declared = locked.plugin.as_ref().and_then(|plugin| plugin.version.as_ref());
            let declared = declared.map(|version| format!(" and version {version} of the plugin"));
            let version = version.as_str();
            (format!("version `{version}`"), format!("{reference}{}", declared.unwrap_or_default()))
        }
        _ => return None,
    };
    Some(Error::drift(format!("the source `{key}` pins the {pin}, but the lockfile has {found}")))
}

/// Returns whether the locked commit is one that the entry of its source pins, so that the pin is
/// not resolved again.
pub(crate) fn keeps_commit(key: &SourceKey, source: &Source, locked: &LockedSource) -> bool {
    has_same_pin(&locked.entry, source) && pin_drift(key, source, locked).is_none()
}

/// Returns whether two entries take skills from the same place, regardless of pin and selection.
pub(crate) fn has_same_place(before: &Source, after: &Source) -> bool {
    let url = |source: &Source| source.repository().map(|repository| repository.url.clone());
    let directory = |source: &Source| match &source.kind {
        SourceKind::Git { skills_dir, .. } => Some(skills_dir.clone()),
        _ => None,
    };
    url(before) == url(after)
        && before.plugin() == after.plugin()
        && directory(before) == directory(after)
}

/// Returns whether two entries have the same repository and pin, regardless of the selection.
///
/// If so, the commit stays locked: another selection does not move a pin. Neither does another
/// range, as in cargo, if the release is in it, which [`pin_drift`] says.
pub(crate) fn has_same_pin(before: &Source, after: &Source) -> bool {
    let repositories = before.repository().zip(after.repository());
    let is_range = |pin: &&Pin| matches!(pin, Pin::Version(VersionPin::Range(_)));
    let fixed = |pin: &Pin| Some(pin).filter(|pin| !is_range(pin)).cloned();
    let pin = |of: &Repository| (of.url.clone(), fixed(&of.pin), of.sha);
    repositories.is_some_and(|(before, after)| pin(before) == pin(after))
        && before.plugin() == after.plugin()
}

/// The repository of a locked commit, the full name of its tag or branch, and the commit.
pub(crate) type Hop = (Option<GitUrl>, Option<String>, Option<ObjectId>);

/// Returns where a source is locked, and its plugin if that is in another repository.
pub(crate) fn hops(locked: &LockedSource) -> [Hop; 2] {
    let url = locked.entry.repository().map(|repository| repository.url.clone());
    let plugin = locked.plugin.clone();
    let plugin = plugin.map(|plugin| (plugin.url, plugin.reference, plugin.commit));
    [(url, locked.reference.clone(), locked.commit), plugin.unwrap_or_default()]
}
