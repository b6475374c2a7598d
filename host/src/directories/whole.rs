//! A skill with everything that belongs to it.

use super::Directories;
use crate::{Error, FoundSkill};
use helix_skills_format::RelPath;
use helix_skills_runtime::SkillBuf;

impl Directories {
    /// A skill that was found, with its body and the content of every file.
    ///
    /// # Errors
    /// When it is gone or another one by now, when something of it cannot be read or leads out of its root, and when it is
    /// larger than the limits.
    pub(crate) fn whole(&self, found: &FoundSkill) -> Result<SkillBuf, Error> {
        let gone = |path: &str| Error::Missing { path: found.path().join(path) };
        let mut skill = self.loaded(found)?.ok_or_else(|| gone(found.file))?;
        let (paths, mut sum) = skill.view(|skill| {
            let paths: Vec<_> = skill.resources().iter().map(|file| file.path().to_owned()).collect();
            (paths, skill.skill_md().iter().map(|piece| piece.len() as u64).sum::<u64>())
        });
        for path in paths {
            let bad = |why: &dyn ToString| Error::BadPath { path: found.path().join(&path), why: why.to_string() };
            let checked = RelPath::new(path.as_str()).map_err(|why| bad(&why))?;
            let content = self.content(found, &checked)?.flatten().ok_or_else(|| gone(&path))?;
            sum += content.len() as u64;
            if sum > self.limits.bytes_per_skill {
                let what = format!("more than {sum} bytes in its files");
                let (path, limit) = (found.path().to_owned(), self.limits.bytes_per_skill);
                return Err(Error::Limit { path, what, limit, name: "bytes_per_skill" });
            }
            skill.insert_resource(&path, content).map_err(|why| bad(&why))?;
        }
        Ok(skill)
    }
}
