//! A provider whose skills have directories.

use super::{
    MaterializedSkill,
    files::{Files, fetched},
};
use helix_skills_agent::{Pending, Provided, Provider, ProviderRequest};
use helix_skills_format::Limits;
use helix_skills_runtime::SkillBuf;
use std::{
    collections::BTreeMap,
    fmt,
    sync::{Mutex, PoisonError},
};

/// The skills of another provider, each written into a private directory when somebody asks where it lies: baked skills and those
/// of a database have `${SKILL_DIR}` and scripts, and those of [`Directories`](crate::Directories) run from a copy that nobody
/// changes meanwhile.
///
/// A skill is asked for anew whenever its directory is, and written anew where a byte of it has changed, there or
/// in the directory. The directory before that stays
/// until the next change, for a script that is still running; all go when this is dropped.
///
/// ```
/// use helix_skills_host::Materialized;
/// use helix_skills::{Provider, provider::ProviderRequest, Skill, SkillSet, skill_set};
/// # const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build();
/// # static SKILLS: SkillSet = skill_set![PDF];
/// # pollster::block_on(async {
/// let skills = Materialized::new(SKILLS); // what `include_skills!` baked
/// let directory = skills.directory("pdf", &ProviderRequest::default()).await?.unwrap();
/// assert!(std::fs::read_to_string(format!("{directory}/SKILL.md")).unwrap().ends_with("\nUse `pdftotext`."));
/// # Ok::<(), helix_skills::ProviderError>(())
/// # }).unwrap();
/// ```
pub struct Materialized<P> {
    provider: P,
    limits: Limits,
    held: Mutex<BTreeMap<String, Held>>,
}

/// What was written of one skill.
struct Held {
    now: MaterializedSkill,
    /// Kept for those who were told of it.
    _before: Option<MaterializedSkill>,
}

impl<P: Provider> Materialized<P> {
    /// The skills of `provider`, within the manifest's default limits.
    pub fn new(provider: P) -> Self {
        Self { provider, limits: Limits::default(), held: Mutex::default() }
    }

    /// How large a skill may be.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// The provider.
    #[must_use]
    pub const fn provider(&self) -> &P {
        &self.provider
    }

    fn written(&self, skill: &SkillBuf) -> Result<String, crate::Error> {
        skill.view(|skill| {
            let files = Files::of(&skill, &self.limits)?;
            // A write that panicked has not replaced anything.
            let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(held) = held.get(skill.name())
                && files.lie_in(held.now.path())
            {
                return Ok(held.now.path.clone());
            }
            let now = files.write()?;
            let path = now.path.clone();
            let before = held.remove(skill.name()).map(|held| held.now);
            held.insert(skill.name().to_owned(), Held { now, _before: before });
            Ok(path)
        })
    }
}

impl<P: Provider + Sync> Provider for Materialized<P> {
    fn list<'p>(&'p self, request: &'p ProviderRequest) -> Pending<'p, Provided> {
        self.provider.list(request)
    }

    fn load<'p>(
        &'p self,
        name: &'p str,
        request: &'p ProviderRequest,
    ) -> Pending<'p, Option<SkillBuf>> {
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
    ) -> Pending<'p, Option<Vec<u8>>> {
        self.provider.read(skill, path, request)
    }

    fn directory<'p>(
        &'p self,
        skill: &'p str,
        request: &'p ProviderRequest,
    ) -> Pending<'p, Option<String>> {
        Box::pin(async move {
            match fetched(&self.provider, skill, request, &self.limits).await? {
                Some(skill) => Ok(Some(self.written(&skill)?)),
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
