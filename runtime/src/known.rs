//! Known names, for errors about an unknown one.

use crate::OneLine;
use core::fmt::{self, Write};

/// Maximum number of bytes of names that an error keeps. Errors of more than 128 bytes are
/// expensive to return.
const MAX_BYTES: usize = 48;

/// Number of names that are kept if not all fit: the one before the unknown name and the one after
/// it.
const NEIGHBORS: usize = 2;

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
    /// Keeps all of the sorted `names` if they fit, or those next to `name`.
    pub(crate) fn near<'n>(name: &str, names: impl Iterator<Item = &'n str> + Clone) -> Self {
        let all = Self::from_names(names.clone());
        if all.more == 0 {
            return all;
        }
        let few = Self::from_names(window(name, names.clone(), NEIGHBORS));
        let others = u16::try_from(names.count().saturating_sub(NEIGHBORS)).unwrap_or(u16::MAX);
        Self { more: few.more.saturating_add(others), ..few }
    }

    fn from_names<'n>(names: impl Iterator<Item = &'n str>) -> Self {
        let mut list = Self { bytes: [0; MAX_BYTES], len: 0, more: 0 };
        for name in names {
            let before = list.len;
            let lead = if before == 0 { "" } else { ", " };
            if write!(list, "{lead}`{}`", OneLine(name)).is_err() {
                list.len = before;
                list.more = list.more.saturating_add(1);
            }
        }
        list
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

/// Writes names for a model that asked for `name`: all of them, or the [`MAX_LISTED`] closest ones.
pub(crate) fn list<'n>(
    name: &str,
    names: impl Iterator<Item = &'n str> + Clone,
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    for (at, known) in window(name, names.clone(), MAX_LISTED).enumerate() {
        write!(f, "{}`{}`", if at == 0 { "" } else { ", " }, OneLine(known))?;
    }
    match names.count().saturating_sub(MAX_LISTED) {
        0 => Ok(()),
        more => write!(f, " and {more} more"),
    }
}

/// Returns the `most` sorted names around `name`: misspelled names usually have the right first
/// letters.
fn window<'n>(
    name: &str,
    names: impl Iterator<Item = &'n str> + Clone,
    most: usize,
) -> impl Iterator<Item = &'n str> + Clone {
    let before = names.clone().take_while(|known| *known < name).count();
    let last_start = names.clone().count().saturating_sub(most);
    names.skip(before.saturating_sub(most / 2).min(last_start)).take(most)
}
