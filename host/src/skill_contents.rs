//! The contents of a skill that is about to be written to a directory.

use crate::{Error, error::Problem, skill_files::SkillUsage};
use helix_skills_format::Limits;
use helix_skills_runtime::{__private::skill_md_text, Skill, check_name, check_path};
use std::path::Path;

/// The name of the file with a skill's body.
pub(crate) const SKILL_MD: &str = "SKILL.md";

/// The files of a skill. Their name, paths and sizes are checked.
pub(crate) struct SkillContents<'s> {
    pub(crate) name: &'s str,
    /// Path and content in pieces; first `SKILL.md`, then the other files in the skill's order.
    pub(crate) files: Vec<(&'s str, Vec<&'s [u8]>)>,
}

impl<'s> SkillContents<'s> {
    /// Collects the files of a skill.
    ///
    /// # Errors
    /// If the name or a path is not valid for a directory, or a limit is exceeded.
    pub(crate) fn new(skill: &'s Skill, limits: &Limits) -> Result<Self, Error> {
        let name = skill.name();
        check_name(name).map_err(|error| Problem::InvalidPath { source: error.into() }.at(name))?;
        let mut usage = SkillUsage::new(name, limits);
        let skill_md: Vec<_> = skill_md_text(skill).into_iter().map(str::as_bytes).collect();
        let all = std::iter::once((SKILL_MD, skill_md))
            .chain(skill.resources().iter().map(|file| (file.path(), vec![file.bytes()])));
        let mut files = Vec::new();
        for (path, pieces) in all {
            let full_path = Path::new(name).join(path);
            check_path(path)
                .map_err(|error| Problem::InvalidPath { source: error.into() }.at(&full_path))?;
            let depth = path.split('/').count() as u64;
            if depth > limits.tree_depth {
                return Err(Problem::too_deep(depth, limits.tree_depth).at(full_path));
            }
            let bytes = pieces.iter().map(|piece| piece.len() as u64).sum();
            usage.add(path, bytes)?;
            files.push((path, pieces));
        }
        Ok(Self { name, files })
    }

    /// Returns whether a file is executable where files have such a permission.
    pub(crate) fn is_executable(path: &str) -> bool {
        path.starts_with("scripts/")
    }
}
