//! A single skill.

use crate::{Provenance, Resource, Value, parts::Parts, resource::first_unsorted};
use alloc::borrow::Cow;
use core::fmt;

/// A borrowed, read-only skill. `include_skills!` embeds a `Skill<'static>`.
///
/// Fields that only some systems know (`model`, `hooks`, `max_ticks`, …) keep their source text;
/// it is up to the agent to interpret them.
///
/// ```
/// # use helix_skills::Skill;
/// # let skill: Skill = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.")
/// #     .metadata(&[("version", "1.0")])
/// #     .build();
/// assert_eq!(skill.name(), "pdf");
/// assert_eq!(skill.body(), "Use `pdftotext`.");
/// assert_eq!(skill.metadata(), [("version", "1.0")]);
/// assert_eq!(skill.allowed_tools(), None); // absent: all tools; `Some(&[])`: none
/// assert!(skill.resource("references/forms.md").is_none());
/// ```
#[derive(Clone, Copy)]
pub struct Skill<'a>(pub(crate) Parts<'a>);

impl<'a> Skill<'a> {
    /// Returns the name, which is unique in its set: from the frontmatter, or as renamed by the
    /// manifest.
    #[must_use]
    pub const fn name(&self) -> &'a str {
        self.0.name
    }

    /// Returns the description: what the skill does, and when to use it. It may have several lines.
    #[must_use]
    pub const fn description(&self) -> &'a str {
        self.0.description
    }

    /// Returns `license`.
    #[must_use]
    pub const fn license(&self) -> Option<&'a str> {
        self.0.license
    }

    /// Returns `compatibility`: the environment that the skill needs.
    #[must_use]
    pub const fn compatibility(&self) -> Option<&'a str> {
        self.0.compatibility
    }

    /// Returns `metadata`, with the source text of its values; sorted by key if the skill is from a
    /// file.
    #[must_use]
    pub const fn metadata(&self) -> &'a [(&'a str, &'a str)] {
        self.0.metadata
    }

    /// Returns `allowed-tools`: `None` allows all tools, an empty list none.
    ///
    /// A toolbox does not enforce the list. A run does (module `run` of `helix-skills-agent`), and
    /// a [`ToolPolicy`](crate::ToolPolicy) evaluates it.
    #[must_use]
    pub const fn allowed_tools(&self) -> Option<&'a [&'a str]> {
        self.0.allowed_tools
    }

    /// Returns `disallowed-tools`.
    #[must_use]
    pub const fn disallowed_tools(&self) -> Option<&'a [&'a str]> {
        self.0.disallowed_tools
    }

    /// Returns `when_to_use`: more triggers, listed after the description.
    #[must_use]
    pub const fn when_to_use(&self) -> Option<&'a str> {
        self.0.when_to_use
    }

    /// Returns `argument-hint`, which user interfaces show after the skill's name.
    #[must_use]
    pub const fn argument_hint(&self) -> Option<&'a str> {
        self.0.argument_hint
    }

    /// Returns `arguments`: the names of positional arguments.
    #[must_use]
    pub const fn arguments(&self) -> &'a [&'a str] {
        self.0.arguments
    }

    /// Returns `disable-model-invocation`: if set, the catalog leaves out the skill, and
    /// [`SkillSet::load_skill`](crate::SkillSet::load_skill) refuses it.
    #[must_use]
    pub const fn disable_model_invocation(&self) -> bool {
        self.0.disable_model_invocation
    }

    /// Returns `user-invocable`: whether lists for users contain the skill, and
    /// [`Toolbox::slash`](crate::Toolbox::slash) accepts it.
    #[must_use]
    pub const fn user_invocable(&self) -> bool {
        self.0.user_invocable
    }

    /// Returns `model`.
    #[must_use]
    pub const fn model(&self) -> Option<&'a str> {
        self.0.model
    }

    /// Returns `effort`.
    #[must_use]
    pub const fn effort(&self) -> Option<&'a str> {
        self.0.effort
    }

    /// Returns `context`: `fork` requests a separate context.
    #[must_use]
    pub const fn context(&self) -> Option<&'a str> {
        self.0.context
    }

    /// Returns `agent`: the agent that runs a forked context.
    #[must_use]
    pub const fn agent(&self) -> Option<&'a str> {
        self.0.agent
    }

    /// Returns `background`, as in the source.
    #[must_use]
    pub const fn background(&self) -> Option<&'a str> {
        self.0.background
    }

    /// Returns `shell`: `bash` or `powershell`.
    #[must_use]
    pub const fn shell(&self) -> Option<&'a str> {
        self.0.shell
    }

    /// Returns `hooks`, as in the source.
    #[must_use]
    pub const fn hooks(&self) -> Option<&'a Value> {
        self.0.hooks
    }

    /// Returns `paths`: globs of the files that the skill is about.
    #[must_use]
    pub const fn paths(&self) -> &'a [&'a str] {
        self.0.paths
    }

    /// Returns `maxTicks`: the maximum number of turns of a run (module `run` of
    /// `helix-skills-agent`).
    #[must_use]
    pub const fn max_ticks(&self) -> Option<u32> {
        self.0.max_ticks
    }

    /// Returns all other keys of the frontmatter, nested metadata, and known keys whose values have
    /// the wrong type, in the order of the source.
    #[must_use]
    pub const fn extra(&self) -> &'a [(Cow<'static, str>, Value)] {
        self.0.extra
    }

    /// Returns the text after the frontmatter, without blank lines before it and white space after
    /// it.
    #[must_use]
    pub const fn body(&self) -> &'a str {
        self.0.body
    }

    /// Returns the digest of `SKILL.md`, `sha256:` and 64 hexadecimal digits, if the skill was
    /// embedded with a lockfile. [`Resource::digest`] is the digest of another file.
    #[must_use]
    pub const fn skill_md_digest(&self) -> Option<&'a str> {
        self.0.digest
    }

    /// Returns `SKILL.md` in three pieces: the text before the body, the body, and the white space
    /// after it.
    ///
    /// Concatenated, they are its exact bytes. A skill defined in code has no such file, and only
    /// the body is not empty.
    #[must_use]
    pub const fn skill_md(&self) -> [&'a str; 3] {
        [self.0.frontmatter, self.0.body, self.0.trailing]
    }

    /// Returns all other files. They are sorted by the bytes of their paths, except in a skill that
    /// is defined in code: there they have the order of the definition.
    #[must_use]
    pub const fn resources(&self) -> &'a [Resource<'a>] {
        self.0.resources
    }

    /// Returns the file at `path`, which has to be spelled exactly as [`Resource::path`].
    #[must_use]
    pub fn resource(&self, path: &str) -> Option<Resource<'a>> {
        let all = self.0.resources;
        match all.binary_search_by(|resource| resource.path().cmp(path)) {
            Ok(at) => all.get(at).copied(),
            // The resources of a definition may have any order.
            Err(_) => all.iter().find(|resource| resource.path() == path).copied(),
        }
    }

    /// Returns all other files, sorted by the bytes of their paths, so that the order of the
    /// definition does not change the text for a model.
    pub(crate) fn sorted_resources(&self) -> SortedResources<'a> {
        let all = self.0.resources;
        SortedResources { all, is_sorted: first_unsorted(all).is_none(), at: 0, before: None }
    }

    /// Returns the origin of the skill.
    #[must_use]
    pub const fn provenance(&self) -> Provenance<'a> {
        self.0.provenance
    }
}

/// Makes a skill from its parts.
#[must_use]
pub const fn skill(parts: Parts<'_>) -> Skill<'_> {
    Skill(parts)
}

/// An iterator over resources in the order of their paths, without a heap.
#[derive(Clone)]
pub(crate) struct SortedResources<'a> {
    all: &'a [Resource<'a>],
    is_sorted: bool,
    /// The next position, if the resources are sorted.
    at: usize,
    /// The last path, if they are not: each step searches for the next larger one.
    before: Option<&'a str>,
}

impl<'a> Iterator for SortedResources<'a> {
    type Item = &'a Resource<'a>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_sorted {
            self.at += 1;
            return self.all.get(self.at - 1);
        }
        let after = |path| self.before.is_none_or(|before| path > before);
        let rest = self.all.iter().filter(|resource| after(resource.path()));
        let next = rest.min_by_key(|resource| resource.path())?;
        self.before = Some(next.path());
        Some(next)
    }
}

impl fmt::Debug for Skill<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Skill")
            .field("name", &self.0.name)
            .field("description", &self.0.description)
            .field("resources", &self.0.resources)
            .finish_non_exhaustive()
    }
}
