//! Known names, for errors about an unknown one.

use crate::{
    OneLine,
    similar::{closest, did_you_mean},
};
use core::fmt::{self, Write};

/// Maximum number of bytes of names that an error keeps. Errors of more than 128 bytes are
/// expensive to return.
const MAX_BYTES: usize = 48;

/// Number of names that are kept if not all fit and none is similar to the unknown one.
const FEW: usize = 2;

/// Maximum number of names in a message to a model. The skills of a set can be too many for a
/// prompt, and so for an answer.
pub(crate) const MAX_LISTED: usize = 100;

/// The names closest to an unknown one, stored by value.
///
/// An error that contains them outlives the skills. `Display` prints them in backticks, followed by
/// the number of names left out.
///
/// ```
/// use helix_skills::{Skill, skill_set, SkillSet, Toolbox, ToolboxError};
/// # const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build();
/// # static SKILLS: SkillSet = skill_set![PDF];
/// match Toolbox::builder(SKILLS).allow(&["pfd"]).build() {
///     Err(ToolboxError::UnknownSkill { name, known, .. }) => {
///         assert_eq!(format!("{name}? {known}"), "pfd? `pdf`");
///     }
///     _ => unreachable!(),
/// }
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct KnownNames {
    /// The list, as it is displayed.
    bytes: [u8; MAX_BYTES],
    len: u8,
    /// Number of names that are not in the list.
    more: u16,
}

impl KnownNames {
    /// Keeps all `names` if they fit, or those most similar to `name`.
    pub(crate) fn near<'n>(name: &str, names: impl Iterator<Item = &'n str> + Clone) -> Self {
        let total = names.clone().count();
        let all = Self::from_names(names.clone(), total);
        if all.more == 0 {
            return all;
        }
        match Self::from_names(closest(name, &mut names.clone()).names(), total) {
            near if near.len > 0 => near,
            _ => Self::from_names(names.take(FEW), total),
        }
    }

    /// Keeps those `names` that fit, of `total`.
    fn from_names<'n>(names: impl Iterator<Item = &'n str>, total: usize) -> Self {
        let mut list = Self { bytes: [0; MAX_BYTES], len: 0, more: 0 };
        let mut more = total;
        for name in names {
            let before = list.len;
            let lead = if before == 0 { "" } else { ", " };
            match write!(list, "{lead}`{}`", OneLine(name)) {
                Ok(()) => more -= 1,
                Err(_) => list.len = before,
            }
        }
        Self { more: u16::try_from(more).unwrap_or(u16::MAX), ..list }
    }

    fn as_str(&self) -> &str {
        // Only whole names are stored.
        core::str::from_utf8(&self.bytes[..usize::from(self.len)]).unwrap_or_default()
    }
}

impl Write for KnownNames {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let (start, end) = (usize::from(self.len), usize::from(self.len) + text.len());
        self.bytes.get_mut(start..end).ok_or(fmt::Error)?.copy_from_slice(text.as_bytes());
        self.len = end as u8; // at most `MAX_BYTES`
        Ok(())
    }
}

impl fmt::Display for KnownNames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.as_str(), self.more) {
            ("", 0) => f.write_str("none"),
            (names, 0) => f.write_str(names),
            ("", more) => write!(f, "{more} with long names"),
            (names, more) => write!(f, "{names} and {more} more"),
        }
    }
}

impl fmt::Debug for KnownNames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{self}]")
    }
}

/// Writes the rest of an answer to a model that used the unknown `name`: what it may have meant, or
/// how to find names. `has_search` is set if the model has the tool for that.
pub(crate) fn suggest<'n>(
    name: &str,
    names: impl Iterator<Item = &'n str> + Clone,
    has_search: bool,
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    let near = closest(name, &mut names.clone());
    if near.names().len() > 0 {
        return did_you_mean(near.names(), f);
    }
    match names.clone().count() {
        0 => f.write_str("there are no skills"),
        many if has_search && many > 1 => {
            write!(f, "there are {many} skills; the tool `search_skills` finds them")
        }
        many => {
            f.write_str("the skills are ")?;
            for (at, known) in names.take(MAX_LISTED).enumerate() {
                write!(f, "{}`{}`", if at == 0 { "" } else { ", " }, OneLine(known))?;
            }
            match many.saturating_sub(MAX_LISTED) {
                0 => Ok(()),
                more => write!(f, " and {more} more"),
            }
        }
    }
}
