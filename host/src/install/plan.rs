//! Decides what to do with a skill, from what was written last, what is there and what is brought.

use super::{
    record::{Record, Written},
    skills_dir::Found,
};
use helix_skills_format::Integrity;

/// What to do with one skill in one directory.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Decision {
    /// Nothing is at the place of the skill.
    Add,
    /// Replace what this program has written, or with `force` what the user made of it.
    Update,
    /// Remove what this program has written.
    Remove,
    /// It is as it is brought. If this program has written it, the record has this entry.
    Keep(Option<Written>),
    /// Keep the changes of the user.
    KeepEdited,
    /// Respect that the user has removed it.
    StayDeleted,
    /// Never touch what something else has written.
    Foreign,
    /// Nothing is there, and nothing is brought.
    Forget,
}

/// What is brought for one skill.
#[derive(Clone, Copy)]
pub(super) struct Brought<'b> {
    pub(super) integrity: Integrity,
    /// The target, if a link to a copy in another directory suffices.
    pub(super) link: Option<&'b str>,
}

/// Decides about a skill that is brought.
pub(super) fn decide(
    name: &str,
    found: &Found,
    record: &Record,
    brought: Brought<'_>,
    force: bool,
) -> Decision {
    match found {
        // A missing skill that was being written was not removed by the user.
        Found::Missing
            if record.skills.contains_key(name) && !record.pending.contains_key(name) && !force =>
        {
            Decision::StayDeleted
        }
        Found::Missing => Decision::Add,
        Found::Link(target) => {
            let written = Written::Link(target.clone());
            if brought.link == Some(target) {
                return Decision::Keep(record.knows(name).then_some(written));
            }
            if record.has(name, &written) { Decision::Update } else { Decision::Foreign }
        }
        Found::Copy(tree) => {
            let there = tree.integrity().map(Written::Copy);
            if there == Some(Written::Copy(brought.integrity)) {
                return Decision::Keep(there.filter(|_| record.knows(name)));
            }
            match there {
                Some(there) if record.has(name, &there) => Decision::Update,
                _ if !record.has_copy(name) => Decision::Foreign,
                _ if force => Decision::Update,
                _ => Decision::KeepEdited,
            }
        }
        Found::Other => Decision::Foreign,
    }
}

/// Decides about a skill that this program has written, and no longer brings.
pub(super) fn decide_removal(name: &str, found: &Found, record: &Record, force: bool) -> Decision {
    match found {
        Found::Missing => Decision::Forget,
        Found::Link(target) if record.has(name, &Written::Link(target.clone())) => Decision::Remove,
        Found::Copy(tree) => match tree.integrity().map(Written::Copy) {
            Some(there) if record.has(name, &there) => Decision::Remove,
            _ if !record.has_copy(name) => Decision::Foreign,
            _ if force => Decision::Remove,
            _ => Decision::KeepEdited,
        },
        Found::Link(_) | Found::Other => Decision::Foreign,
    }
}
