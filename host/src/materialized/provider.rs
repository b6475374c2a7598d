//! A provider that gives every skill a directory.

use super::{
    MaterializedSkill,
    files::{Files, fetch_skill},
};
use helix_skills_agent::{BoxFuture, Provided, Provider, ProviderRequest, run::InputContract};
use helix_skills_format::Limits;
use helix_skills_runtime::Skill;
use std::{
    collections::BTreeMap,
    fmt,
    sync::{Mutex, PoisonError},
};

/// The skills of another provider, each written into a private directory on demand.
///
/// This gives embedded skills and those of a database a `${SKILL_DIR}` and scripts. Skills of
/// [`Directories`](crate::Directories) run from a copy that does not change after it was checked;
/// without this wrapper they run in their own directory, where users edit them.
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
/// use helix_skills::{Provider, provider::ProviderRequest, Skill, SkillSet, skill_set};
/// # const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build();
/// # static SKILLS: SkillSet = skill_set![PDF];
/// # pollster::block_on(async {
/// let skills = Materialized::new(SKILLS); // embedded by `include_skills!`
/// let directory = skills.directory("pdf", &ProviderRequest::default()).await?.unwrap();
/// let skill_md = std::fs::read_to_string(format!("{directory}/SKILL.md")).unwrap();
/// assert!(skill_md.ends_with("\nUse `pdftotext`."));
/// # Ok::<(), helix_skills::ProviderError>(())
/// # }).unwrap();
/// ```
pub struct Materialized<P> {
    provider: P,
    limits: Limits,
    written: Mutex<BTreeMap<String, WrittenSkill>>,
}

/// The directories of one skill.
struct WrittenSkill {
    current: MaterializedSkill,
    /// Kept for callers that still use it.
    _previous: Option<MaterializedSkill>,
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

    /// Returns the wrapped provider.
    #[must_use]
    pub const fn provider(&self) -> &P {
        &self.provider
    }

    fn write_if_changed(&self, skill: &Skill) -> Result<String, crate::Error> {
        {
            let files = Files::new(skill, &self.limits)?;
            // A write that panicked did not replace anything.
            let mut written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(written) = written.get(skill.name())
                && files.match_directory(written.current.path())
            {
                return Ok(written.current.path.clone());
            }
            let current = files.write()?;
            let path = current.path.clone();
            let previous = written.remove(skill.name()).map(|written| written.current);
            written.insert(skill.name().to_owned(), WrittenSkill { current, _previous: previous });
            Ok(path)
        }
    }
}

impl<P: Provider + Sync> Provider for Materialized<P> {
    fn list<'p>(&'p self, request: &'p ProviderRequest) -> BoxFuture<'p, Provided> {
        Box::pin(async move {
            // A skill without a directory gets one, so the provider does not warn of it.
            let request = ProviderRequest::new(request.profile);
            self.provider.list(&request).await
        })
    }

    fn load<'p>(
        &'p self,
        name: &'p str,
        request: &'p ProviderRequest,
    ) -> BoxFuture<'p, Option<Skill>> {
        Box::pin(async move {
            let mut skill = self.provider.load(name, request).await?;
            // Its directory is the private one, which is only written on demand.
            skill.iter_mut().for_each(|skill| skill.set_directory(None));
            Ok(skill)
        })
    }

    fn read<'p>(
        &'p self,
        skill: &'p str,
        path: &'p str,
        request: &'p ProviderRequest,
    ) -> BoxFuture<'p, Option<Vec<u8>>> {
        self.provider.read(skill, path, request)
    }

    fn input<'p>(
        &'p self,
        skill: &'p str,
        request: &'p ProviderRequest,
    ) -> BoxFuture<'p, Option<InputContract>> {
        self.provider.input(skill, request)
    }

    fn directory<'p>(
        &'p self,
        skill: &'p str,
        request: &'p ProviderRequest,
    ) -> BoxFuture<'p, Option<String>> {
        Box::pin(async move {
            match fetch_skill(&self.provider, skill, request, &self.limits).await? {
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

impl<P: fmt::Debug> fmt::Debug for Materialized<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Materialized")
            .field("provider", &self.provider)
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}
