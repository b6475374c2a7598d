//! Several providers combined into one.

use super::{Provided, Provider, ProviderWarning, first_of_each_name};
use crate::{BoxFuture, Error, ErrorKind, ProviderError, error_text::error_text, run::Shape};
use alloc::{boxed::Box, format, string::String, vec::Vec};
use helix_skills_runtime::{Profile, Skill, SkillSet};

/// Maximum number of characters of a provider's error in a warning.
const MAX_ERROR: usize = 400;

static NOTHING: SkillSet<'static> = SkillSet::new(&[]);

/// Several providers combined into one.
///
/// If two providers have a skill of the same name, the provider that was added first takes
/// precedence, with a warning. Add reviewed skills first, so that skills which change at run time
/// cannot replace them. (Of the roots of one `Directories`, the last one takes precedence.) Body
/// and files of a skill come from the same provider.
///
/// If a provider fails, the error names it by its number and type. Add a provider that may be
/// unavailable with [`with_optional`](Self::with_optional): if it cannot list its skills, that is a
/// warning, and the agent has the skills of the others.
///
/// ```
/// use helix_skills::{Providers, Skill, SkillSet, skill_set};
/// # const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build();
/// static SKILLS: SkillSet = skill_set![PDF]; // usually `include_skills!()`
/// let database: Vec<Skill> = Vec::new(); // any other provider
/// let everything = Providers::new().with(SKILLS).with_optional(database);
/// ```
#[derive(Default)]
pub struct Providers<'a>(Vec<Member<'a>>);

/// One of the combined providers.
struct Member<'a> {
    provider: Box<dyn Provider + 'a>,
    /// The name of its type, without path and parameters.
    type_name: &'static str,
    is_optional: bool,
}

impl<'a> Providers<'a> {
    /// Creates a combination without providers.
    #[must_use]
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// Adds a provider, with a lower precedence than those that were added before.
    #[must_use]
    pub fn with(self, provider: impl Provider + 'a) -> Self {
        self.add(provider, false)
    }

    /// Like [`with`](Self::with), for a provider that may fail: then the skills of the others stay
    /// available, and a failure to list is a warning.
    #[must_use]
    pub fn with_optional(self, provider: impl Provider + 'a) -> Self {
        self.add(provider, true)
    }

    fn add<P: Provider + 'a>(mut self, provider: P, is_optional: bool) -> Self {
        let type_name = core::any::type_name::<P>().split('<').next().unwrap_or_default();
        let type_name = type_name.rsplit("::").next().unwrap_or_default();
        self.0.push(Member { provider: Box::new(provider), type_name, is_optional });
        self
    }

    /// Returns the provider that has a skill, with the skill. If none has it, the provider is one
    /// that has nothing.
    async fn provider_of(
        &self,
        name: &str,
        profile: Profile,
    ) -> Result<(&(dyn Provider + 'a), Option<Skill>), ProviderError> {
        let mut failed = None;
        for (at, member) in self.0.iter().enumerate() {
            match member.provider.load(name, profile).await {
                Ok(Some(skill)) => return Ok((&*member.provider, Some(skill))),
                Ok(None) => {}
                Err(source) if member.is_optional => {
                    failed = failed.or(Some(member.error(at, source)));
                }
                Err(source) => return Err(member.error(at, source).into()),
            }
        }
        failed.map_or(Ok((&NOTHING, None)), |error| Err(error.into()))
    }
}

impl Member<'_> {
    fn name(&self, at: usize) -> String {
        format!("provider {} ({})", at + 1, self.type_name)
    }

    fn error(&self, at: usize, source: ProviderError) -> Error {
        Error::new(ErrorKind::Failed, format!("{} failed", self.name(at))).with_source(source)
    }
}

impl Provider for Providers<'_> {
    fn list<'p>(&'p self, profile: Profile) -> BoxFuture<'p, Provided> {
        Box::pin(async move {
            let mut all = Provided::default();
            let mut ends = Vec::with_capacity(self.0.len());
            all.is_fixed = true;
            for (at, member) in self.0.iter().enumerate() {
                match member.provider.list(profile).await {
                    Ok(provided) => {
                        all.skills.extend(provided.skills);
                        all.warnings.extend(provided.warnings);
                        all.is_fixed &= provided.is_fixed;
                    }
                    Err(source) if member.is_optional => {
                        all.is_fixed = false;
                        let why = error_text(&*source, MAX_ERROR);
                        all.warnings.push(ProviderWarning::left_out(None, &member.name(at), &why));
                    }
                    Err(source) => return Err(member.error(at, source).into()),
                }
                ends.push(all.skills.len());
            }
            let repeated = first_of_each_name(&mut all.skills);
            let describe =
                |at| format!("that of provider {}", 1 + ends.partition_point(|end| *end <= at));
            let warnings = repeated.iter().map(|pair| ProviderWarning::duplicate(pair, describe));
            all.warnings.extend(warnings);
            Ok(all)
        })
    }

    fn load<'p>(&'p self, name: &'p str, profile: Profile) -> BoxFuture<'p, Option<Skill>> {
        Box::pin(async move { Ok(self.provider_of(name, profile).await?.1) })
    }

    fn read<'p>(
        &'p self,
        skill: &'p str,
        path: &'p str,
        profile: Profile,
    ) -> BoxFuture<'p, Option<Vec<u8>>> {
        Box::pin(async move {
            self.provider_of(skill, profile).await?.0.read(skill, path, profile).await
        })
    }

    fn directory<'p>(&'p self, skill: &'p str, profile: Profile) -> BoxFuture<'p, Option<String>> {
        Box::pin(async move {
            self.provider_of(skill, profile).await?.0.directory(skill, profile).await
        })
    }

    fn input<'p>(&'p self, skill: &'p str, profile: Profile) -> BoxFuture<'p, Option<Shape>> {
        Box::pin(
            async move { self.provider_of(skill, profile).await?.0.input(skill, profile).await },
        )
    }
}
