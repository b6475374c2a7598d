//! Loading a discovered skill with all its files.

use super::Directories;
use crate::{
    DiscoveredSkill, Error,
    error::{ExceededLimit, PathProblem, Problem},
};
use helix_skills_agent::ProviderWarning;
use helix_skills_format::RelPath;
use helix_skills_runtime::Skill;

impl Directories {
    /// Returns a discovered skill with its body and the contents of all files, and subtracts their
    /// size from `remaining`. Adds a warning for each file that is left out.
    ///
    /// # Errors
    /// If the skill is gone or was replaced by another one, if a file cannot be read or is outside
    /// the root, or if the skill exceeds the limits or `remaining`.
    pub(crate) fn load_complete(
        &self,
        found: &DiscoveredSkill,
        remaining: &mut u64,
        warnings: &mut Vec<ProviderWarning>,
    ) -> Result<Skill, Error> {
        let gone = |path: &str| Problem::Missing.at(found.path().join(path));
        let (mut skill, left_out) =
            self.loaded(found, self.profile)?.ok_or_else(|| gone(found.file))?;
        let (paths, mut sum) = {
            let paths: Vec<_> =
                skill.resources().iter().map(|file| file.path().to_owned()).collect();
            (paths, skill.skill_md().iter().map(|piece| piece.len() as u64).sum::<u64>())
        };
        let within = |sum: u64| {
            let over = |exceeded, limit| Err(Problem::Limit { exceeded, limit }.at(found.path()));
            match self.limits.bytes_per_skill {
                limit if sum > limit => over(ExceededLimit::SkillBytes(sum), limit),
                _ if sum > *remaining => over(ExceededLimit::LoadBytes, *remaining),
                _ => Ok(()),
            }
        };
        within(sum)?;
        for path in paths {
            let bad = |source| Problem::InvalidPath { source }.at(found.path().join(&path));
            let checked = RelPath::new(path.as_str()).map_err(|error| bad(error.into()))?;
            let content = self
                .content(found, &checked, self.profile)?
                .flatten()
                .ok_or_else(|| gone(&path))?;
            sum += content.len() as u64;
            within(sum)?;
            skill.insert_resource(&path, content).map_err(|error| bad(PathProblem::File(error)))?;
        }
        *remaining -= sum;
        warnings.extend(left_out.into_iter().map(|finding| ProviderWarning::LeftOut {
            what: found.path().join(finding.file.unwrap_or_default()).display().to_string(),
            why: finding.message,
        }));
        Ok(skill)
    }
}
