//! Known names, for errors about an unknown one.

use crate::{
    OneLine,
    similar::{closest, did_you_mean},
};
use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};
use core::fmt::{self, Write};

/// Maximum number of bytes of names in a message to a developer.
const MAX_BYTES: usize = 48;

/// Number of names that are listed if not all fit and none is similar to the unknown one.
const FEW: usize = 2;

/// Maximum number of names in a message to a model. The skills of a set can be too many for a
/// prompt, and so for an answer.
pub(crate) const MAX_LISTED: usize = 100;

/// Returns the names for an error about the unknown `name`: all that fit, or the most similar ones,
/// in backticks, followed by the number of names left out.
#[must_use]
pub fn known_names<'n>(name: &str, names: impl Iterator<Item = &'n str>) -> String {
    known(name, &names.collect::<Vec<_>>())
}

fn known(name: &str, names: &[&str]) -> String {
    let (mut list, mut left_out) = fitting(names, names.len());
    if left_out > 0 {
        (list, left_out) = fitting(&closest(name, &mut names.iter().copied()), names.len());
        if list.is_empty() {
            (list, left_out) = fitting(&names[..names.len().min(FEW)], names.len());
        }
    }
    match (list.as_str(), left_out) {
        ("", 0) => "none".to_string(),
        (_, 0) => list,
        ("", more) => format!("{more} with long names"),
        (_, more) => format!("{list} and {more} more"),
    }
}

/// Lists those `names` that fit, and returns how many of `total` are left out.
#[inline(never)]
fn fitting(names: &[&str], total: usize) -> (String, usize) {
    let (mut list, mut left_out) = (String::new(), total);
    for name in names {
        let lead = if list.is_empty() { "" } else { ", " };
        let name = format!("{lead}`{}`", OneLine(name));
        if list.len() + name.len() <= MAX_BYTES {
            list += &name;
            left_out -= 1;
        }
    }
    (list, left_out)
}

/// Writes the rest of an answer to a model that used the unknown `name`: what it may have meant, or
/// how to find names. `has_search` is set if the model has the tool for that.
pub(crate) fn suggest(
    name: &str,
    names: &[&str],
    has_search: bool,
    out: &mut String,
) -> fmt::Result {
    let near = closest(name, &mut names.iter().copied());
    if !near.is_empty() {
        return did_you_mean(&near, out);
    }
    match names.len() {
        0 => out.write_str("there are no skills"),
        many if has_search && many > 1 => {
            write!(out, "there are {many} skills; the tool `search_skills` finds them")
        }
        _ => {
            out.write_str("the skills are ")?;
            list(names, MAX_LISTED, out)
        }
    }
}

/// Writes the first `most` names in backticks, and the number of the others.
pub(crate) fn list(names: &[&str], most: usize, out: &mut String) -> fmt::Result {
    for (at, name) in names.iter().take(most).enumerate() {
        write!(out, "{}`{}`", if at == 0 { "" } else { ", " }, OneLine(name))?;
    }
    match names.len().saturating_sub(most) {
        0 => Ok(()),
        more => write!(out, " and {more} more"),
    }
}
