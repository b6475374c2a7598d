//! What a command has to do for each source of the manifest and for each skill.
//!
//! [`SourcePlan`] is a function of the [`State`] and of whether the source is updated, and
//! [`Plan`] also of what the cache and the sources have. Nothing is read or written here.
//!
//! The lockfile keeps each entry as data; [`EntryState`] says how the manifest's entry differs.

mod narrow;
mod refused;
mod skill;
mod skills;

pub(crate) use skill::{Arrival, SkillPlan};
pub(crate) use skills::Plan;

use crate::manifest::{Lock, LockedSource, Source};
use crate::{
    entries::{EntryState, has_same_place, keeps_commit},
    fetch::{FetchKind, FetchRequest, PreviousLock},
    state::State,
    store::StoredState,
};
use helix_skills_format::{__internal::listed_all, SourceKey};
use std::borrow::Cow;

/// What a sync does with one source.
pub(crate) enum SourcePlan {
    /// Locks the skills of a directory of the project.
    Own,
    /// Keeps what is locked. Skills that the store does not have are restored.
    Keep,
    /// Keeps a part of what is locked, which the lockfile has then, because the entry selects fewer
    /// skills than before.
    Narrow { lock: Lock, warnings: Vec<String> },
    /// Resolves the pin, and locks what it selects.
    Resolve(Box<FetchRequest>),
}

impl SourcePlan {
    pub(crate) fn new(
        state: &State<'_>,
        old: &Lock,
        (key, source): (&SourceKey, &Source),
        is_update: bool,
    ) -> Self {
        if source.directory().is_some() {
            return Self::Own;
        }
        let entry = EntryState::new(key, source, old);
        let is_resolved_again = is_update || state.disputed.contains(key);
        let is_wrong = state.is_misnamed(key) || state.other_skills.contains(key);
        match &entry {
            _ if is_resolved_again || is_wrong => {}
            EntryState::Locked(_) => return Self::Keep,
            EntryState::Changed { keys, .. } => {
                if let Some((lock, warnings)) = narrow::narrowed(key, source, keys, old) {
                    return Self::Narrow { lock, warnings };
                }
            }
            _ => {}
        }
        let before = entry.locked();
        let known = before.filter(|locked| !is_resolved_again && keeps_commit(key, source, locked));
        // What is locked of the same place stays in its directories.
        let is_same_place =
            |locked: &&LockedSource| is_update || has_same_place(&locked.entry, source);
        let previous = before.filter(is_same_place).map(|locked| {
            let is_current = is_update
                && !is_wrong
                && matches!(entry, EntryState::Locked(_))
                && is_stored(state, old, key, locked);
            Box::new(PreviousLock { is_current, ..PreviousLock::new(key, locked, old) })
        });
        let kind = FetchKind::Resolve { known: known.cloned(), before: previous };
        let why = why(&entry, is_update);
        let (key, source) = (key.clone(), source.clone());
        Self::Resolve(Box::new(FetchRequest { key, source, kind, why }))
    }
}

/// Returns whether the store has all skills of a locked source. Otherwise an update fetches them,
/// which is also how a lockfile without its files is repaired.
fn is_stored(state: &State<'_>, old: &Lock, key: &SourceKey, locked: &LockedSource) -> bool {
    let has_listing = |(name, _)| match state.stored.get(name) {
        None | Some(Ok(StoredState::Absent)) => false,
        Some(Ok(StoredState::Differs(found))) => {
            let listing = state.project.listing(name);
            found.iter().all(|(path, _)| *path != listing)
        }
        _ => true,
    };
    locked.directories.is_some() && old.skills_of(key).all(has_listing)
}

/// Returns why lockfile, store and cache are not enough for a source.
fn why(entry: &EntryState<'_>, is_update: bool) -> Cow<'static, str> {
    match entry {
        EntryState::New => "it is not locked yet".into(),
        _ if is_update => "an update resolves its pin again".into(),
        EntryState::Changed { keys, .. } => {
            let was = if keys.len() == 1 { "was" } else { "were" };
            format!("its {} {was} changed since it was locked", listed_all(keys)).into()
        }
        EntryState::Inconsistent(_) | EntryState::Locked(_) => {
            "the lockfile does not have what its entry selects".into()
        }
    }
}
