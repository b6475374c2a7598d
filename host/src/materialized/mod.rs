//! Skills as files in a private directory: those that have none, and copies that nobody else can change.

mod files;
mod provider;

pub use provider::Materialized;

use crate::Error;
use files::{Files, fetched};
use helix_skills_agent::{Provider, ProviderError, ProviderRequest};
use helix_skills_format::{Integrity, Limits};
use helix_skills_runtime::{Skill, Variables};
use std::path::Path;
use tempfile::TempDir;

/// A skill that was written into a temporary directory, which gives `${SKILL_DIR}` a meaning and lets its scripts run.
///
/// - Only the user that the agent runs as can enter the directory. Files below `scripts/` are executable, others are not.
/// - It is complete or not there: what cannot be written whole is removed, and an error.
/// - It is removed when this is dropped, with whatever a script has left in it.
/// - A script that was read for approval is the one that runs: what others change elsewhere does not reach it.
///   [`integrity`](Self::integrity) is that of the very bytes, in the form that `helix.skills.lock` has.
///
/// ```
/// use helix_skills_host::MaterializedSkill;
/// use helix_skills::{template::Arguments, Profile, Resource, Skill};
/// # const FILES: &[Resource] = &[Resource::from_text("scripts/count.sh", "wc -l \"$1\"\n")];
/// # const COUNT: Skill = Skill::define("count", "Counts lines.", "Run `${SKILL_DIR}/scripts/count.sh`.").resources(FILES).build();
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
    /// Writes a skill, within the manifest's default limits.
    ///
    /// # Errors
    /// When a name or path is none that a skill can have, when two files cannot lie beside each other, when the skill is larger
    /// than the limits, or when the disk refuses.
    pub fn new(skill: &Skill<'_>) -> Result<Self, Error> {
        Self::with_limits(skill, &Limits::default())
    }

    /// Writes a skill, within limits of your own.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn with_limits(skill: &Skill<'_>, limits: &Limits) -> Result<Self, Error> {
        Files::of(skill, limits)?.write()
    }

    /// Writes the skill `name` of a provider, with all its files as they are now; `None` if there is no such skill. Of
    /// [`Directories`](crate::Directories) it is a copy of what was opened below their roots.
    ///
    /// # Errors
    /// As [`new`](Self::new), and when the provider fails.
    pub async fn provided<P: Provider + ?Sized>(
        provider: &P,
        name: &str,
        request: &ProviderRequest,
        limits: &Limits,
    ) -> Result<Option<Self>, ProviderError> {
        match fetched(provider, name, request, limits).await? {
            Some(skill) => Ok(Some(skill.view(|skill| Self::with_limits(&skill, limits))?)),
            None => Ok(None),
        }
    }

    /// The name of the skill.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The directory of the skill: absolute, and without links in it.
    #[must_use]
    pub fn path(&self) -> &Path {
        Path::new(&self.path)
    }

    /// The digest of the listing of all files: equal to the one in the lock, if these are the locked bytes.
    #[must_use]
    pub const fn integrity(&self) -> Integrity {
        self.integrity
    }

    /// Variables with the [directory](Self::path): `${SKILL_DIR}` and its other names.
    #[must_use]
    pub fn variables(&self) -> Variables<'_> {
        Variables::new().skill_directory(&self.path)
    }

    /// Removes the files now.
    ///
    /// # Errors
    /// When something cannot be removed; dropping says nothing of that.
    pub fn close(self) -> Result<(), Error> {
        let path = self.path.into();
        self.directory.close().map_err(|source| Error::Write { path, source })
    }
}
