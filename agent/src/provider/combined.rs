//! Several providers combined into one.

use super::{Pending, Provided, Provider, ProviderRequest, ProviderWarning};
use crate::run::InputContract;
use alloc::{boxed::Box, format, string::String, vec::Vec};
use helix_skills_runtime::{__internal::first_of_each_name, SkillBuf};

/// One of the combined providers.
#[cfg(not(target_arch = "wasm32"))]
type AnyProvider<'a> = Box<dyn Provider + Send + Sync + 'a>;
#[cfg(target_arch = "wasm32")]
type AnyProvider<'a> = Box<dyn Provider + 'a>;

/// Several providers combined into one.
///
/// If two providers have a skill of the same name, the provider that was added first takes
/// precedence, with a warning. Add reviewed skills first, so that skills which change at run time
/// cannot replace them. Body and files of a skill come from the same provider. If one provider
/// fails to list its skills, listing fails.
///
/// ```
/// use helix_skills::{Providers, Skill, SkillSet, SkillSetBuf, skill_set};
/// # const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build();
/// static SKILLS: SkillSet = skill_set![PDF]; // usually `include_skills!()`
/// let everything = Providers::new().with(SKILLS).with(SkillSetBuf::new()); // or a database
/// ```
#[derive(Default)]
pub struct Providers<'a>(Vec<AnyProvider<'a>>);

impl<'a> Providers<'a> {
    /// Creates a combination without providers.
    #[must_use]
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// Adds a provider, with a lower precedence than those that were added before.
    #[cfg(not(target_arch = "wasm32"))]
    #[must_use]
    pub fn with(mut self, provider: impl Provider + Send + Sync + 'a) -> Self {
        self.0.push(Box::new(provider));
        self
    }

    /// Adds a provider, with a lower precedence than those that were added before.
    #[cfg(target_arch = "wasm32")]
    #[must_use]
    pub fn with(mut self, provider: impl Provider + 'a) -> Self {
        self.0.push(Box::new(provider));
        self
    }
}

impl Provider for Providers<'_> {
    fn list<'p>(&'p self, request: &'p ProviderRequest) -> Pending<'p, Provided> {
        Box::pin(async move {
            let mut all = Provided::default();
            let mut ends = Vec::with_capacity(self.0.len());
            for provider in &self.0 {
                let provided = provider.list(request).await?;
                all.skills.extend(provided.skills);
                all.warnings.extend(provided.warnings);
                ends.push(all.skills.len());
            }
            let (skills, repeated) = first_of_each_name(all.skills);
            all.skills = skills.into_iter().collect();
            let describe =
                |at| format!("that of provider {}", 1 + ends.partition_point(|end| *end <= at));
            let warnings = repeated.iter().map(|pair| ProviderWarning::duplicate(pair, describe));
            all.warnings.extend(warnings);
            Ok(all)
        })
    }

    fn load<'p>(
        &'p self,
        name: &'p str,
        request: &'p ProviderRequest,
    ) -> Pending<'p, Option<SkillBuf>> {
        Box::pin(async move {
            for provider in &self.0 {
                if let Some(skill) = provider.load(name, request).await? {
                    return Ok(Some(skill));
                }
            }
            Ok(None)
        })
    }

    fn read<'p>(
        &'p self,
        skill: &'p str,
        path: &'p str,
        request: &'p ProviderRequest,
    ) -> Pending<'p, Option<Vec<u8>>> {
        Box::pin(async move {
            for provider in &self.0 {
                // A file that this provider does not have is not read from a provider behind it.
                if provider.load(skill, request).await?.is_some() {
                    return provider.read(skill, path, request).await;
                }
            }
            Ok(None)
        })
    }

    fn directory<'p>(
        &'p self,
        skill: &'p str,
        request: &'p ProviderRequest,
    ) -> Pending<'p, Option<String>> {
        Box::pin(async move {
            for provider in &self.0 {
                // If it has no directory, that of a provider behind it belongs to another skill.
                if provider.load(skill, request).await?.is_some() {
                    return provider.directory(skill, request).await;
                }
            }
            Ok(None)
        })
    }

    fn input<'p>(
        &'p self,
        skill: &'p str,
        request: &'p ProviderRequest,
    ) -> Pending<'p, Option<InputContract>> {
        Box::pin(async move {
            for provider in &self.0 {
                if provider.load(skill, request).await?.is_some() {
                    return provider.input(skill, request).await;
                }
            }
            Ok(None)
        })
    }
}
