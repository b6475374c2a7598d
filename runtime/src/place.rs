//! Where skills lie as files.

use crate::{Attribute, render::Render};
use core::fmt::{self, Write};

/// Where the skills of an agent lie as files, as far as anybody said.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Places<'a> {
    Nowhere,
    /// Each in a directory of its name.
    Below(&'a str),
    /// Names, and the directory of each.
    Each(&'a [(&'a str, &'a str)]),
}

/// The directory of one skill.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place<'a> {
    /// In front of the name, without a slash in the end; or the whole path.
    root: &'a str,
    name: &'a str,
}

impl<'a> Places<'a> {
    pub(crate) fn of(self, name: &'a str) -> Option<Place<'a>> {
        match self {
            Self::Nowhere => None,
            Self::Below(root) => Some(Place::below(root, name)),
            Self::Each(places) => {
                // Nearly always they are sorted.
                let found = places
                    .binary_search_by(|(known, _)| (*known).cmp(name))
                    .ok()
                    .and_then(|at| places.get(at));
                let (_, path) =
                    found.or_else(|| places.iter().find(|(known, _)| *known == name))?;
                Some(Place { root: path.trim_end_matches('/'), name: "" })
            }
        }
    }
}

impl<'a> Place<'a> {
    pub(crate) fn below(root: &'a str, name: &'a str) -> Self {
        Self { root: root.trim_end_matches('/'), name }
    }

    /// The path of the directory in pieces.
    pub(crate) const fn path(self) -> [&'a str; 3] {
        [self.root, if self.name.is_empty() { "" } else { "/" }, self.name]
    }

    /// Writes the path of its `SKILL.md`, as text between tags.
    pub(crate) fn skill_md(self, out: &mut dyn Write) -> fmt::Result {
        self.path().iter().try_for_each(|piece| Attribute(piece).render(out))?;
        out.write_str("/SKILL.md")
    }
}
