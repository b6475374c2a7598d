//! Skills written into private temporary directories: skills without files on disk, and copies that
//! no other user can change.

mod files;
mod provider;

pub use provider::Materialized;

use crate::Error;
use crate::error::Problem;
use files::{Files, fetch_skill};
use helix_skills_agent::{Provider, ProviderError, ProviderRequest};
use helix_skills_format::{Integrity, Limits};
use helix_skills_runtime::{Skill, Variables};
use std::path::Path;
use tempfile::TempDir;

/// A skill that was written into a temporary directory, so that `${SKILL_DIR}` has a value and its
/// scripts can run.
///
/// - The files are in a directory with the skill's name, inside one that only the current user can
///   enter. Files in `scripts/` are executable, others are not.
/// - Either all files are written, or none: if one cannot be written, the others are removed.
/// - The directory is removed when this value is dropped, including files that scripts have
///   created.
/// - If you approve a script after reading it here, the same bytes run: changes to the original do
///   not reach this copy. [`integrity`](Self::integrity) is the digest of exactly these bytes, as
///   in `helix.skills.lock`.
///
/// ```
/// use helix_skills_host::MaterializedSkill;
/// use helix_skills::{template::Arguments, Profile, Resource, Skill};
/// # const FILES: &[Resource] = &[Resource::from_text("scripts/count.sh", "wc -l \"$1\"\n")];
/// # const BODY: &str = "Run `${SKILL_DIR}/scripts/count.sh`.";
/// # const COUNT: Skill = Skill::define("count", "Counts lines.", BODY).resources(FILES).build();
/// let files = MaterializedSkill::new(&COUNT)?; // a baked skill, or one of a provider
/// let script = files.path().join("scripts/count.sh");
/// assert_eq!(std::fs::read_to_string(&script).unwrap(), "wc -l \"$1\"\n");
///
/// let body = COUNT.template(Profile::Helix).fill(Arguments::NONE, files.variables()).to_string();
/// assert_eq!(body, format!("Run `{}`.", script.display()));
/// drop(files);
/// assert!(!script.exists());
/// # Ok::<(), helix_skills_host::Error>(())
/// ```
#[derive(Debug)]
#[must_use = "the files are removed when this is dropped"]
pub struct MaterializedSkill {
    /// The skill's directory, which is in the temporary one and has the name of the skill.
    path: String,
    name: String,
    integrity: Integrity,
    directory: TempDir,
}

impl MaterializedSkill {
    /// Writes a skill, within the default limits of the manifest.
    ///
    /// # Errors
    /// If the name or a path is not valid, two paths are equal on this file system, the skill
    /// exceeds the limits, or writing fails.
    pub fn new(skill: &Skill) -> Result<Self, Error> {
        Self::with_limits(skill, &Limits::default())
    }

    /// Writes a skill within custom limits.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn with_limits(skill: &Skill, limits: &Limits) -> Result<Self, Error> {
        Files::new(skill, limits)?.write()
    }

    /// Writes the skill `name` of a provider with the current contents of its files. `None` if
    /// the skill does not exist. With [`Directories`](crate::Directories), this copies files that
    /// were opened within their roots.
    ///
    /// # Errors
    /// As for [`new`](Self::new), and if the provider fails.
    pub async fn provided<P: Provider + ?Sized>(
        provider: &P,
        name: &str,
        request: &ProviderRequest,
        limits: &Limits,
    ) -> Result<Option<Self>, ProviderError> {
        match fetch_skill(provider, name, request, limits).await? {
            Some(skill) => Ok(Some(Self::with_limits(&skill, limits)?)),
            None => Ok(None),
        }
    }

    /// Returns the name of the skill.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the absolute path of the skill's directory, without links in it.
    #[must_use]
    pub fn path(&self) -> &Path {
        Path::new(&self.path)
    }

    /// Returns the digest of the listing of all files, which equals the one in the lockfile if
    /// these are the locked bytes.
    #[must_use]
    pub const fn integrity(&self) -> Integrity {
        self.integrity
    }

    /// Returns variables with the [directory](Self::path): `${SKILL_DIR}` and its aliases.
    #[must_use]
    pub fn variables(&self) -> Variables<'_> {
        Variables::new().skill_directory(&self.path)
    }

    /// Removes the files now.
    ///
    /// # Errors
    /// If a file cannot be removed. Dropping ignores such errors.
    pub fn close(self) -> Result<(), Error> {
        self.directory.close().map_err(|source| Problem::Write { source }.at(self.path))
    }
}
