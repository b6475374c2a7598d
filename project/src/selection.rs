//! Which skills of a commit a source takes: a function of its entry, the directories of the commit,
//! and what the lockfile has.

#[cfg_attr(not(feature = "git"), expect(dead_code, reason = "only repositories are searched"))]
mod scope;
#[cfg(all(test, feature = "git"))]
mod tests;

pub(crate) use scope::may_search;
#[cfg(feature = "git")]
pub(crate) use scope::{Depth, scope, visibility};

use crate::manifest::{Lock, Select, Source};
use helix_skills_format::{
    __internal::{counted, listed, nearest, path_key, redacted},
    DirPath, ObjectId, SkillName, SourceKey,
};
use helix_skills_runtime::__internal::NameError;
use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of directories that a message lists.
const MAX_LISTED: usize = 5;

/// Maximum number of skills that a hint lists; a source may have thousands.
const MAX_KNOWN: usize = 50;

/// A directory of a commit that is a skill, or a link that may lead to one.
pub(crate) trait Place {
    /// The name of the directory.
    fn name(&self) -> &str;

    fn path(&self) -> &DirPath;

    /// The tree, if all directories with this tree are the same skill.
    fn copied_tree(&self) -> Option<ObjectId>;
}

/// Returns whether an entry may select the skill in a directory. `path` is its path in the
/// lockfile.
pub(crate) fn may_select(key: &SourceKey, source: &Source, path: &DirPath) -> bool {
    let select = &source.select;
    let path_key = path_key(path);
    let is_named = select.include.as_ref().is_some_and(|keys| keys.contains(&path_key));
    match may_search(source, path) {
        true => select.matches(source.directory_name(key, path), path),
        // Its name means other directories.
        false => is_named && !select.exclude.contains(&path_key),
    }
}

/// Returns the name of the skill in the directory `name`, at `path`, whose `SKILL.md` has the name
/// `own`.
///
/// # Errors
/// The name with the prefix is not valid.
pub(crate) fn skill_name(
    select: &Select,
    (name, path): (&str, &DirPath),
    own: &SkillName,
) -> Result<SkillName, NameError> {
    match (select.new_name(name, path), &select.prefix) {
        (Some(name), _) => Ok(name.clone()),
        (None, Some(prefix)) => SkillName::new(&format!("{prefix}{own}")),
        (None, None) => Ok(own.clone()),
    }
}

/// Returns the key by which an entry names the skill in the directory `name`, at `path`: the path
/// if the entry has it.
pub(crate) fn key_of(select: &Select, name: &str, path: &DirPath) -> String {
    let path = path_key(path);
    let has = |keys: &BTreeSet<String>| keys.contains(&path);
    let is_path = select.include.as_ref().is_some_and(has) || select.rename.contains_key(&path);
    if is_path { path } else { name.to_owned() }
}

/// Returns the key by which an entry names a locked skill: also the path if another locked skill is
/// in a directory of the same name.
#[must_use]
pub fn key_of_locked((key, source): (&SourceKey, &Source), path: &DirPath, lock: &Lock) -> String {
    let name = |path| source.directory_name(key, path);
    let mut others = lock.skills_of(key).filter(|(_, other)| other.path != *path);
    match source.select.include.is_none() && others.any(|(_, it)| name(&it.path) == name(path)) {
        true => path_key(path),
        false => key_of(&source.select, name(path), path),
    }
}

/// What the lockfile has of a source.
pub(crate) struct Before<'b> {
    pub(crate) entry: &'b Source,
    /// The directories of its skills.
    pub(crate) paths: BTreeSet<DirPath>,
    /// Whether its commit stays.
    pub(crate) is_same_commit: bool,
}

/// The skills that a source takes.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Selection {
    pub(crate) paths: BTreeSet<DirPath>,
    /// Keys of `include` without a skill, or with several ones.
    pub(crate) unclear: BTreeMap<String, Vec<DirPath>>,
    /// Keys of `include` whose skill `exclude` leaves out by another key.
    pub(crate) left_out: Vec<String>,
    /// Keys of `exclude` and `rename` without a skill.
    pub(crate) unused: Vec<(&'static str, String)>,
    /// Number of further skills of a commit that was locked by another rule.
    pub(crate) also_found: usize,
    /// Notes, one line each.
    pub(crate) notes: Vec<String>,
}

/// Selects the skills of a source.
///
/// `scope` has the skills of the directories that it searches, and `others` those of directories
/// that its entry or the lockfile names.
pub(crate) fn select<P: Place>(
    (key, source): (&SourceKey, &Source),
    scope: &[P],
    others: &[P],
    before: Option<&Before<'_>>,
) -> Selection {
    let select = &source.select;
    let is_locked = |path: &DirPath| before.is_some_and(|before| before.paths.contains(path));
    // The lockfile wins: its directories are searched, wherever the others are now.
    let stays = |place: &&P| is_locked(place.path()) && may_search(source, place.path());
    let kept: Vec<&P> = others.iter().filter(stays).collect();
    let searched: Vec<&P> = scope.iter().chain(kept.iter().copied()).collect();
    let is_at = |place: &P, name: &str| path_key(place.path()) == name;
    let mut selection = Selection::default();
    let named = select.exclude.iter().map(|name| ("exclude", name));
    for (field, name) in named.chain(select.rename.keys().map(|name| ("rename", name))) {
        let is_there = searched.iter().any(|place| place.name() == name)
            || scope.iter().chain(others).any(|place| is_at(place, name));
        if !is_there {
            selection.unused.push((field, name.clone()));
        }
    }
    let is_named = |place: &P| {
        select.exclude.contains(place.name()) || select.exclude.contains(&path_key(place.path()))
    };
    // Copies are one skill, which is left out by the path of any of them.
    let excluded = scope.iter().chain(others).filter(|place| is_named(place));
    let excluded: BTreeSet<(ObjectId, &str)> = excluded.filter_map(copied).collect();
    let is_excluded =
        |place: &P| is_named(place) || copied(place).is_some_and(|copy| excluded.contains(&copy));
    let Some(include) = &select.include else {
        let mut wanted: Vec<&P> =
            searched.iter().copied().filter(|place| !is_excluded(place)).collect();
        for kept in kept.into_iter().filter(|place| !is_excluded(place)) {
            let is_second = |place: &&P| place.name() == kept.name() && !is_locked(place.path());
            let second: Vec<&P> = wanted.iter().copied().filter(is_second).collect();
            selection.second(key, kept, &second);
            wanted.retain(|place| !is_second(place));
        }
        let mut wanted = without_copies(&wanted, is_locked);
        if let Some(before) = before.filter(|before| before.is_same_commit) {
            let all = wanted.len();
            wanted.retain(|place| {
                is_locked(place.path()) || !may_select(key, before.entry, place.path())
            });
            selection.also_found = all - wanted.len();
        }
        selection.paths = wanted.iter().map(|place| place.path().clone()).collect();
        return selection;
    };
    for name in include.difference(&select.exclude) {
        let mut found: Vec<&P> = match name.contains('/') {
            true => scope.iter().chain(others).filter(|place| is_at(place, name)).collect(),
            false => {
                let mut named: Vec<&P> =
                    searched.iter().copied().filter(|place| place.name() == name).collect();
                // One that `include` names by its path is not meant by its name.
                let is_other = |place: &&P| !include.contains(&path_key(place.path()));
                if named.iter().any(is_other) {
                    named.retain(is_other);
                }
                named
            }
        };
        let is_known = !found.is_empty();
        found.retain(|place| !is_excluded(place));
        let copies = without_copies(&found, is_locked);
        let locked: Vec<&P> =
            copies.iter().copied().filter(|place| is_locked(place.path())).collect();
        match (locked.as_slice(), copies.as_slice()) {
            ([only], _) | (_, [only]) => {
                selection.second(key, *only, &copies);
                selection.paths.insert(only.path().clone());
            }
            _ if is_known && found.is_empty() => selection.left_out.push(name.clone()),
            _ => {
                let paths = copies.iter().map(|place| place.path().clone()).collect();
                selection.unclear.insert(name.clone(), paths);
            }
        }
    }
    selection
}

/// Returns whether the entry alone, without the lockfile, selects the same skills.
#[cfg(feature = "git")]
pub(crate) fn is_all<P: Place>(
    entry: (&SourceKey, &Source),
    scope: &[P],
    others: &[P],
    selection: &Selection,
) -> bool {
    let alone = select(entry, scope, others, None);
    let skills = |selection: &Selection| {
        let selected =
            scope.iter().chain(others).filter(|place| selection.paths.contains(place.path()));
        selected.map(|place| copied(place).ok_or(place.path())).collect::<BTreeSet<_>>()
    };
    alone.unclear.is_empty() && skills(&alone) == skills(selection)
}

impl Selection {
    /// Adds the note on other directories of a skill whose locked directory stays, if there are
    /// some.
    fn second<P: Place>(&mut self, key: &SourceKey, kept: &P, all: &[&P]) {
        let others = all.iter().filter(|other| other.path() != kept.path());
        let others: Vec<String> = others.map(|other| path_key(other.path())).collect();
        if others.is_empty() {
            return;
        }
        self.notes.push(format!(
            "the source `{key}`: `{}` stays in `{}`, and is also in {}",
            redacted(kept.name()).escape_debug(),
            kept.path(),
            listed(others, MAX_LISTED)
        ));
    }
}

/// Returns the places without copies of a skill: directories of the same name and tree. The locked
/// one stays, else the one with the fewest directories, else the first one.
pub(crate) fn without_copies<'p, P: Place>(
    places: &[&'p P],
    is_locked: impl Fn(&DirPath) -> bool,
) -> Vec<&'p P> {
    let mut best: BTreeMap<(ObjectId, &str), &P> = BTreeMap::new();
    let rank = |place: &P| {
        let path = place.path();
        (!is_locked(path), path.parts().count(), path.clone())
    };
    for place in places {
        if let Some(copy) = copied(*place) {
            let kept = best.entry(copy).or_insert(place);
            if rank(place) < rank(kept) {
                *kept = place;
            }
        }
    }
    let is_kept =
        |place: &&&P| copied(**place).is_none_or(|copy| best[&copy].path() == place.path());
    places.iter().filter(is_kept).copied().collect()
}

/// Returns what copies of a skill have in common.
fn copied<P: Place>(place: &P) -> Option<(ObjectId, &str)> {
    Some((place.copied_tree()?, place.name()))
}

/// Returns the error for a key of `exclude` or `rename` that named a skill of the locked commit,
/// and names none now: an excluded skill that moved must not come back. `now` has its directory,
/// and the key that names it there.
#[cfg(feature = "git")]
pub(crate) fn gone(
    key: &SourceKey,
    (field, name): (&str, &str),
    now: Option<(&DirPath, String)>,
) -> crate::Error {
    let name = redacted(name);
    let what =
        format!("`{field}` names `{}`, which upstream moved or removed", name.escape_debug());
    let hint = match now {
        Some((path, now)) => format!(
            "upstream moved it to `{path}`: use `{now}` in `{field}` instead, then run `skills update {key}`"
        ),
        None => format!("remove it from `{field}`, or name the directory that the skill is in now"),
    };
    crate::Error::unresolved(key, what).with_hint(hint)
}

/// Returns the warnings about a selection, and its notes.
pub(crate) fn warnings((key, source): (&SourceKey, &Source), selection: &Selection) -> Vec<String> {
    let is_empty = source.select.include.as_ref().is_some_and(BTreeSet::is_empty);
    let empty = is_empty.then(|| empty_include(key));
    let unused = selection.unused.iter();
    let unused = unused.map(|(field, name)| unused_selection(key, field, name));
    let also_found = (selection.also_found > 0).then(|| {
        let skills = counted(selection.also_found, "skill");
        format!("the source `{key}`: now also found: {skills}; `skills update {key}` takes them")
    });
    let notes = selection.notes.iter().cloned().chain(also_found);
    empty.into_iter().chain(unused).chain(notes).collect()
}

/// Returns the hint for a name that none of the known directories has.
pub(crate) fn known_names<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> String {
    let mut seen = BTreeSet::new();
    let known: Vec<&str> = known.filter(|name| seen.insert(*name)).collect();
    let all = listed(&known, MAX_KNOWN);
    match nearest(name, known.iter().copied()) {
        _ if known.is_empty() => "it has no skills".to_owned(),
        Some(near) => format!("did you mean `{near}`? it has {all}"),
        None => format!("it has {all}"),
    }
}

/// Returns the warning for an `include` without names.
pub(crate) fn empty_include(key: &SourceKey) -> String {
    format!("the source `{key}`: `include` is empty, so it has no skills")
}

/// Returns the warning for a name in a field of a selection that the source does not have.
pub(crate) fn unused_selection(key: &SourceKey, field: &str, name: &str) -> String {
    format!(
        "the source `{key}`: `{field}` names `{}`, which is not a skill of the source",
        redacted(name).escape_debug()
    )
}
