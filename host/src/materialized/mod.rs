//! Skills written into private temporary directories: skills without files on disk, and copies that
//! no other user can change.

mod files;

use crate::{Error, lock::lock, skill_contents::SkillContents};
use files::{fetch_skill, match_directory, write_private};
use helix_skills_agent::{BoxFuture, Provided, Provider, run::Shape};
use helix_skills_format::Limits;
use helix_skills_runtime::{Profile, Skill};
use std::{collections::BTreeMap, path::Path, sync::Mutex};
use tempfile::TempDir;

/// The skills of another provider, each written into a private directory on demand.
///
/// This gives embedded skills, and skills of a database, a `${SKILL_DIR}` and scripts. Skills of
/// [`Directories`](crate::Directories) run from a copy that does not change after it was checked;
/// without this wrapper they run in their own directory, where users edit them.
///
/// - The files are in a directory with the skill's name, inside one that only the current user can
///   enter. Files in `scripts/` are executable, others are not.
/// - Either all files are written, or none: if one cannot be written, the others are removed.
///
/// A toolbox requests the directory of a skill when its body names it, to run commands and scripts,
/// and, in profiles that fill bodies, for the text `${SKILL_DIR}`.
///
/// Whenever the directory of a skill is requested, the skill is loaded again and compared byte by
/// byte with the files. If either has changed, for example because a script has modified a file, a
/// new directory is written. The previous one is kept until the next change, for scripts that are
/// still running. All of them are removed when this value is dropped.
///
/// ```
/// use helix_skills_host::Materialized;
/// use helix_skills::{Profile, Provider, Skill, SkillSet, skill_set};
/// # const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build();
/// # static SKILLS: SkillSet = skill_set![PDF];
/// # pollster::block_on(async {
/// let skills = Materialized::new(SKILLS); // embedded by `include_skills!`
/// let directory = skills.directory("pdf", Profile::Helix).await?.unwrap();
/// let skill_md = std::fs::read_to_string(format!("{directory}/SKILL.md")).unwrap();
/// assert!(skill_md.ends_with("\nUse `pdftotext`."));
/// # Ok::<(), helix_skills::ProviderError>(())
/// # }).unwrap();
/// ```
#[derive(Debug)]
pub struct Materialized<P> {
    provider: P,
    limits: Limits,
    /// The current directory of each skill, and the previous one for callers that still use it.
    written: Mutex<BTreeMap<String, (WrittenSkill, Option<WrittenSkill>)>>,
}

/// A skill in a temporary directory, which is removed on drop, including files that scripts have
/// created.
#[derive(Debug)]
struct WrittenSkill {
    /// The absolute path of the skill's directory, without links in it.
    path: String,
    _directory: TempDir,
}

impl<P: Provider> Materialized<P> {
    /// Wraps `provider`, with the default limits of the manifest.
    pub fn new(provider: P) -> Self {
        Self { provider, limits: Limits::default(), written: Mutex::default() }
    }

    /// Sets how large a skill may be.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    fn write_if_changed(&self, skill: &Skill) -> Result<String, Error> {
        let contents = SkillContents::new(skill, &self.limits)?;
        // A write that panicked did not replace anything.
        let mut written = lock(&self.written);
        if let Some((current, _)) = written.get(skill.name())
            && match_directory(&contents, Path::new(&current.path))
        {
            return Ok(current.path.clone());
        }
        let current = write_private(&contents)?;
        let path = current.path.clone();
        let previous = written.remove(skill.name()).map(|(previous, _)| previous);
        written.insert(skill.name().to_owned(), (current, previous));
        Ok(path)
    }
}

impl<P: Provider> Provider for Materialized<P> {
    fn list(&self, profile: Profile) -> BoxFuture<'_, Provided> {
        Box::pin(async move {
            let mut provided = self.provider.list(profile).await?;
            // A skill without a directory gets one on demand.
            provided.warnings.retain(|warning| !warning.is_about_scripts());
            Ok(provided)
        })
    }

    fn load<'p>(&'p self, name: &'p str, profile: Profile) -> BoxFuture<'p, Option<Skill>> {
        Box::pin(async move {
            let mut skill = self.provider.load(name, profile).await?;
            // Its directory is the private one, which is only written on demand.
            skill.iter_mut().for_each(|skill| skill.set_directory(None));
            Ok(skill)
        })
    }

    fn read<'p>(
        &'p self,
        skill: &'p str,
        path: &'p str,
        profile: Profile,
    ) -> BoxFuture<'p, Option<Vec<u8>>> {
        self.provider.read(skill, path, profile)
    }

    fn input<'p>(&'p self, skill: &'p str, profile: Profile) -> BoxFuture<'p, Option<Shape>> {
        self.provider.input(skill, profile)
    }

    fn directory<'p>(&'p self, skill: &'p str, profile: Profile) -> BoxFuture<'p, Option<String>> {
        Box::pin(async move {
            match fetch_skill(&self.provider, skill, profile, &self.limits).await? {
                Some(skill) => {
                    let written = self.write_if_changed(&skill);
                    let directory = std::env::temp_dir();
                    Ok(Some(written.map_err(|error| error.relative_to(&[&directory]))?))
                }
                None => Ok(None),
            }
        })
    }
}
