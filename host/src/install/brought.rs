//! The skills that a program brings.

use crate::{Error, skill_contents::SkillContents};
use helix_skills_format::{Digest, Limits, Listing, RelPath, parse_skill};
use helix_skills_runtime::Skill;

/// Maximum number of characters of a description that Codex accepts.
const MAX_DESCRIPTION: usize = 1_024;

/// The files of a skill that is brought.
pub(super) struct BroughtSkill<'a> {
    skill: &'a Skill,
    pub(super) contents: SkillContents<'a>,
    pub(super) listing: Listing,
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
        // The paths are checked.
        let entry = |(path, pieces): &(&str, Vec<&[u8]>)| {
            Some((RelPath::new(*path).ok()?, Digest::hash(&pieces.concat())))
        };
        let listing = Listing::from_digests(contents.files.iter().filter_map(entry));
        Ok(Self { skill, contents, listing })
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
        if let Ok(author) = parse_skill(&text, Some(name)).map(|parsed| parsed.value)
            && author.name() != name
        {
            let author = author.name();
            warnings.push(format!(
                "the name of `{name}` is `{author}` in its `SKILL.md`: coding agents may use either"
            ));
        }
        warnings
    }
}
