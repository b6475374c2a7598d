//! Directories of skills on disk.

use crate::{Attribute, Skill, render::Render};
use core::fmt::{self, Write};

/// The directories of an agent's skills, as far as they are known.
#[derive(Clone, Copy, Debug)]
pub(crate) enum SkillDirectories<'a> {
    Unknown,
    /// Each skill is in a directory below this one.
    Below(&'a str),
    /// Names of skills, and the directory of each.
    Each(&'a [(&'a str, &'a str)]),
}

/// The directory of one skill.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SkillDirectory<'a> {
    /// The parent directory without a trailing slash, or the whole path if `name` is empty.
    root: &'a str,
    name: &'a str,
}

impl<'a> SkillDirectories<'a> {
    pub(crate) fn get<'s>(self, skill: &'s Skill) -> Option<SkillDirectory<'s>>
    where
        'a: 's,
    {
        match self {
            Self::Unknown => None,
            Self::Below(root) => Some(SkillDirectory::below(root, skill)),
            Self::Each(directories) => {
                let name = skill.name();
                // Callers nearly always pass a sorted list.
                let (_, path) = match directories.binary_search_by_key(&name, |(known, _)| known) {
                    Ok(at) => directories.get(at)?,
                    Err(_) => directories.iter().find(|(known, _)| *known == name)?,
                };
                Some(SkillDirectory::at(path))
            }
        }
    }
}

impl<'a> SkillDirectory<'a> {
    /// Creates the directory of a skill below `root`, with the name that it has where the skill was
    /// loaded from, or else the skill's.
    pub(crate) fn below(root: &'a str, skill: &'a Skill) -> Self {
        let is_separator = |c| c == '/' || (cfg!(windows) && c == '\\');
        let known = skill.directory().and_then(|path| path.rsplit(is_separator).next());
        let name = known.filter(|name| !name.is_empty()).unwrap_or(skill.name());
        Self { root: root.trim_end_matches('/'), name }
    }

    /// Creates the directory at `path`.
    pub(crate) fn at(path: &'a str) -> Self {
        Self { root: path.trim_end_matches('/'), name: "" }
    }

    /// Returns the path of the directory, in pieces.
    pub(crate) const fn path(self) -> [&'a str; 3] {
        [self.root, if self.name.is_empty() { "" } else { "/" }, self.name]
    }

    /// Writes the path of the skill's `SKILL.md` as text between tags.
    pub(crate) fn write_skill_md(self, out: &mut dyn Write) -> fmt::Result {
        self.path().iter().try_for_each(|piece| Attribute(piece).render(out))?;
        out.write_str("/SKILL.md")
    }
}
