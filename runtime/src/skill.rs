//! One skill.

use crate::{LoadedSkill, Provenance, Resource, Value, parts::Parts};
use core::fmt;

/// A skill, borrowed and read only. `Skill<'static>` is what `include_skills!` bakes.
///
/// Fields that only some systems know (`model`, `hooks`, `max_ticks`, …) are carried as they are written; what they do
/// is up to the agent.
///
/// ```
/// # use helix_skills::Skill;
/// # let skill: Skill =
/// #     Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").metadata(&[("version", "1.0")]).build();
/// assert_eq!(skill.name(), "pdf");
/// assert_eq!(skill.body(), "Use `pdftotext`.");
/// assert_eq!(skill.metadata(), [("version", "1.0")]);
/// assert_eq!(skill.allowed_tools(), None); // absent: all tools; `Some(&[])`: none
/// assert!(skill.resource("references/forms.md").is_none());
/// ```
#[derive(Clone, Copy)]
pub struct Skill<'a>(pub(crate) Parts<'a>);

impl<'a> Skill<'a> {
    /// The name, unique in its set; renamed by the manifest or as the frontmatter has it.
    #[must_use]
    pub const fn name(&self) -> &'a str {
        self.0.name
    }

    /// What the skill does and when to use it; may have several lines.
    #[must_use]
    pub const fn description(&self) -> &'a str {
        self.0.description
    }

    /// `license`.
    #[must_use]
    pub const fn license(&self) -> Option<&'a str> {
        self.0.license
    }

    /// `compatibility`: what the skill needs around it.
    #[must_use]
    pub const fn compatibility(&self) -> Option<&'a str> {
        self.0.compatibility
    }

    /// `metadata`, values as they are written; sorted by key in a skill of a file.
    #[must_use]
    pub const fn metadata(&self) -> &'a [(&'a str, &'a str)] {
        self.0.metadata
    }

    /// `allowed-tools`: absent means all, an empty list none. A toolbox carries it; a run obeys it (module `run` of `helix-skills-agent`), and whoever asks
    /// a [`ToolPolicy`](crate::ToolPolicy).
    #[must_use]
    pub const fn allowed_tools(&self) -> Option<&'a [&'a str]> {
        self.0.allowed_tools
    }

    /// `disallowed-tools`.
    #[must_use]
    pub const fn disallowed_tools(&self) -> Option<&'a [&'a str]> {
        self.0.disallowed_tools
    }

    /// `when_to_use`: more triggers, listed after the description.
    #[must_use]
    pub const fn when_to_use(&self) -> Option<&'a str> {
        self.0.when_to_use
    }

    /// `argument-hint`: what a person is shown after the skill's name.
    #[must_use]
    pub const fn argument_hint(&self) -> Option<&'a str> {
        self.0.argument_hint
    }

    /// `arguments`: the names of positional arguments.
    #[must_use]
    pub const fn arguments(&self) -> &'a [&'a str] {
        self.0.arguments
    }

    /// `disable-model-invocation`: not in the catalog, refused by [`SkillSet::load_skill`](crate::SkillSet::load_skill).
    #[must_use]
    pub const fn disable_model_invocation(&self) -> bool {
        self.0.disable_model_invocation
    }

    /// `user-invocable`: whether lists for people show it, and [`Toolbox::slash`](crate::Toolbox::slash) knows it.
    #[must_use]
    pub const fn user_invocable(&self) -> bool {
        self.0.user_invocable
    }

    /// `model`.
    #[must_use]
    pub const fn model(&self) -> Option<&'a str> {
        self.0.model
    }

    /// `effort`.
    #[must_use]
    pub const fn effort(&self) -> Option<&'a str> {
        self.0.effort
    }

    /// `context`: `fork` asks for a context of its own.
    #[must_use]
    pub const fn context(&self) -> Option<&'a str> {
        self.0.context
    }

    /// `agent`: which agent a forked context runs.
    #[must_use]
    pub const fn agent(&self) -> Option<&'a str> {
        self.0.agent
    }

    /// `background`, as it is written.
    #[must_use]
    pub const fn background(&self) -> Option<&'a str> {
        self.0.background
    }

    /// `shell`: `bash` or `powershell`.
    #[must_use]
    pub const fn shell(&self) -> Option<&'a str> {
        self.0.shell
    }

    /// `hooks`, as they are written.
    #[must_use]
    pub const fn hooks(&self) -> Option<Value<'a>> {
        self.0.hooks
    }

    /// `paths`: globs of files that the skill is about.
    #[must_use]
    pub const fn paths(&self) -> &'a [&'a str] {
        self.0.paths
    }

    /// `maxTicks`: how many turns a run of the skill may take (`run` in `helix-skills-agent`).
    #[must_use]
    pub const fn max_ticks(&self) -> Option<u32> {
        self.0.max_ticks
    }

    /// Every other key of the frontmatter, nested metadata, and known keys whose value is of the wrong type, in the
    /// order of the source.
    #[must_use]
    pub const fn extra(&self) -> &'a [(&'a str, Value<'a>)] {
        self.0.extra
    }

    /// The text after the frontmatter, without blank lines before and white space after it.
    #[must_use]
    pub const fn body(&self) -> &'a str {
        self.0.body
    }

    /// The digest of `SKILL.md`, `sha256:` and 64 hexadecimal digits, if the skill was baked from a
    /// lockfile. [`Resource::digest`] is that of its other files.
    #[must_use]
    pub const fn skill_md_digest(&self) -> Option<&'a str> {
        self.0.digest
    }

    /// `SKILL.md` in three pieces that, one after the other, are its exact bytes: all before the body, the body, and
    /// the white space after it. A skill that was defined in code has no such file: it has the body alone.
    #[must_use]
    pub const fn skill_md(&self) -> [&'a str; 3] {
        [self.0.frontmatter, self.0.body, self.0.trailing]
    }

    /// Every other file, sorted by path bytes.
    #[must_use]
    pub const fn resources(&self) -> &'a [Resource<'a>] {
        self.0.resources
    }

    /// The file at `path`, spelled exactly as [`Resource::path`].
    #[must_use]
    pub fn resource(&self, path: &str) -> Option<Resource<'a>> {
        let at = self.0.resources.binary_search_by(|resource| resource.path().cmp(path)).ok()?;
        self.0.resources.get(at).copied()
    }

    /// Where the skill comes from.
    #[must_use]
    pub const fn provenance(&self) -> Provenance<'a> {
        self.0.provenance
    }

    /// The body between its tags, as `load_skill` answers. Also for a skill that models may not load: the caller is
    /// the host.
    #[must_use]
    pub const fn loaded(&'a self) -> LoadedSkill<'a> {
        LoadedSkill::new(self)
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
