//! The skills that a program brings.

use crate::{Error, error::Problem, skill_contents::SkillContents};
use helix_skills_format::{Digest, Integrity, Limits, Listing, RelPath, parse_skill};
use helix_skills_runtime::Skill;
use std::path::Path;

/// Maximum number of characters of a description that Codex accepts.
const MAX_DESCRIPTION: usize = 1_024;

/// The files of a skill that is brought.
pub(super) struct BroughtSkill<'a> {
    skill: &'a Skill,
    pub(super) contents: SkillContents<'a>,
    pub(super) integrity: Integrity,
}

impl<'a> BroughtSkill<'a> {
    pub(super) fn new(skill: &'a Skill) -> Result<Self, Error> {
        // What is brought was limited when it was embedded or loaded.
        let limits = Limits {
            files_per_skill: u64::MAX,
            bytes_per_skill: u64::MAX,
            bytes_per_file: u64::MAX,
            ..Limits::default()
        };
        let contents = SkillContents::new(skill, &limits)?;
        let mut entries = Vec::new();
        for (path, pieces) in &contents.files {
            let known = match skill.resource(path) {
                Some(file) => file.digest(),
                None => skill.skill_md_digest(),
            };
            // The macro has verified the digests of embedded files.
            let digest = known.and_then(|digest| digest.parse().ok());
            let digest = digest.unwrap_or_else(|| Digest::hash(&pieces.concat()));
            let checked = RelPath::new(*path).map_err(|error| {
                Problem::InvalidPath { source: error.into() }
                    .at(Path::new(contents.name).join(path))
            })?;
            entries.push((checked, digest));
        }
        let integrity = Listing::from_digests(entries).integrity();
        Ok(Self { skill, contents, integrity })
    }

    /// Returns what coding agents do with this skill that its user may not expect.
    pub(super) fn warnings(&self) -> Vec<String> {
        let (mut warnings, name) = (Vec::new(), self.contents.name);
        let length = self.skill.description().chars().count();
        if length > MAX_DESCRIPTION {
            warnings.push(format!(
                "Codex does not load `{name}`: its description has {length} characters, more than {MAX_DESCRIPTION}"
            ));
        }
        let text = self.skill.skill_md().concat();
        let author = parse_skill(&text, Some(name)).ok().map(|parsed| parsed.value);
        if let Some(author) = author.filter(|author| author.name() != name) {
            let author = author.name();
            warnings.push(format!(
                "the name of `{name}` is `{author}` in its `SKILL.md`: coding agents may use either"
            ));
        }
        warnings
    }
}
