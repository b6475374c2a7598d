//! A provider of skills from a table. To write your own, copy the part between the two rulers.

use crate::database::Database;
// ── from here ────────────────────────
use helix_skills::provider::{BoxFuture, Provided};
use helix_skills::{Profile, Provider, ProviderError, Skill};
use helix_skills_format::parse_skill;

pub(crate) struct SkillTable(pub(crate) Database);

/// Parses the skill of a row. Its name is the key, regardless of the text.
fn skill(key: &str, text: &str) -> Result<Skill, ProviderError> {
    let mut skill = parse_skill(text, Some(key))?.value;
    skill.rename(key)?;
    Ok(skill)
}

impl Provider for SkillTable {
    fn list(&self, _: Profile) -> BoxFuture<'_, Provided> {
        Box::pin(async {
            let mut provided = Provided::default();
            for (key, text) in self.0.skills().await? {
                provided.push(key.as_str(), skill(&key, &text));
            }
            Ok(provided)
        })
    }

    fn load<'p>(&'p self, name: &'p str, _: Profile) -> BoxFuture<'p, Option<Skill>> {
        Box::pin(async move {
            let Some((text, files)) = self.0.skill(name).await? else { return Ok(None) };
            let mut skill = skill(name, &text)?;
            for path in files {
                skill.insert_resource(&path, "")?; // the content is loaded when it is read
            }
            Ok(Some(skill))
        })
    }

    fn read<'p>(
        &'p self,
        skill: &'p str,
        path: &'p str,
        _: Profile,
    ) -> BoxFuture<'p, Option<Vec<u8>>> {
        Box::pin(async move { Ok(self.0.file(skill, path).await?) })
    }
}
// ── to here ──────────────────────────
