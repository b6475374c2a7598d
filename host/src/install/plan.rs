//! Decides what to do with a skill, from what was written last, what is there and what is brought.

use super::{
    SkillChange,
    record::{Record, Written},
    skills_dir::Found,
};
use helix_skills_format::Integrity;

/// Decides about a skill of which `wanted` is brought, or that is removed. `link` is the target if
/// a link to a copy in another directory suffices.
///
/// `None` if nothing is there, and nothing is brought. With `force`, what the user has made of a
/// skill is replaced; what something else has written is never touched.
pub(super) fn decide(
    name: &str,
    found: &Found,
    record: &Record,
    wanted: Option<Integrity>,
    link: Option<&str>,
    force: bool,
) -> Option<SkillChange> {
    let replaced = if wanted.is_some() { SkillChange::Updated } else { SkillChange::Removed };
    // A missing skill that was being written was not removed by the user.
    let is_deleted = record.skills.contains_key(name) && !record.pending.contains_key(name);
    let there = match found {
        Found::Missing => {
            let added =
                if is_deleted && !force { SkillChange::Deleted } else { SkillChange::Added };
            return wanted.map(|_| added);
        }
        Found::Other => return Some(SkillChange::Foreign),
        Found::Copy(_) | Found::Link(_) => found.written(),
    };
    let is_wanted = match &there {
        Some(Written::Copy(integrity)) => wanted == Some(*integrity),
        Some(Written::Link(target)) => wanted.is_some() && link == Some(target),
        None => false,
    };
    Some(match there {
        _ if is_wanted => SkillChange::Unchanged,
        Some(there) if record.has(name, &there) => replaced,
        _ if matches!(found, Found::Link(_)) || !record.has_copy(name) => SkillChange::Foreign,
        _ if force => replaced,
        _ => SkillChange::Edited,
    })
}
