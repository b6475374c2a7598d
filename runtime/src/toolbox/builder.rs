//! What is chosen for one agent.

use super::{Find, FoundSkills, SearchMode, Toolbox, ToolboxError, error::check_names};
use crate::{
    Budget, Classifier, Excerpt, LoadError, Profile, Selection, SkillSet, body::fill_for,
    budget::Count, catalog::PreloadedSkills, directory::SkillDirectories,
};

const FIND: Find = |toolbox, query| FoundSkills::of(toolbox, query);

/// The choices for a [`Toolbox`], which [`build`](Self::build) checks.
///
/// The order of the choices does not matter; of two of one kind, the second counts.
///
/// ```
/// use helix_skills::{Budget, Profile, Skill, skill_set, SkillSet, TextLimit, Toolbox};
/// # const CSV: Skill = Skill::define("csv", "Reads CSV files.", "Use `xsv`.").build();
/// # const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build();
/// # static SKILLS: SkillSet = skill_set![CSV, PDF];
/// let toolbox = Toolbox::builder(SKILLS) // static SKILLS: SkillSet = include_skills!();
///     .profile(Profile::ClaudeCode)
///     .allow(&["pdf"])
///     .preload(&["pdf"])
///     .budget(Budget::NONE.preloads(TextLimit::Tokens(500)))
///     .build()?;
/// assert!(toolbox.catalog().to_string().contains("Use `pdftotext`."));
/// assert!(toolbox.load_skill("csv").is_err());
/// # Ok::<(), helix_skills::ToolboxError>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[must_use = "there is no toolbox before it is built"]
pub struct ToolboxBuilder<'a>(Toolbox<'a>);

impl<'a> Toolbox<'a> {
    /// Starts a toolbox of all skills of `set`, in [`Profile::Helix`].
    pub const fn builder(set: SkillSet<'a>) -> ToolboxBuilder<'a> {
        ToolboxBuilder(Self::new(set))
    }
}

impl<'a> ToolboxBuilder<'a> {
    /// Follows the conventions of another system.
    pub const fn profile(mut self, profile: Profile) -> Self {
        self.0.profile = profile;
        self.0.fill = fill_for(profile);
        self
    }

    /// Allows only these skills: to the model of this agent, others do not exist.
    ///
    /// [`Selection::NONE`] turns everything off. A skill that is not for models stays hidden even if it
    /// is named.
    pub fn allow(mut self, skills: impl Into<Selection<'a>>) -> Self {
        self.0.allowed = Some(skills.into());
        self
    }

    /// Puts the bodies of these skills into the catalog, so that the model need not load them.
    pub fn preload(mut self, skills: impl Into<Selection<'a>>) -> Self {
        self.0.preloaded = skills.into();
        self
    }

    /// Limits what the catalog and the preloaded bodies may cost.
    pub const fn budget(mut self, budget: Budget) -> Self {
        self.0.budget = budget;
        self
    }

    /// Gives the model a tool to search for skills.
    ///
    /// The set needs an index: a set of `include_skills!` has one, others get one by
    /// [`SkillSet::with_index`]. [`Profile::DeepAgents`] has no tools, so no search tool either.
    #[inline] // in the frame of the caller, so that a program that calls no search contains none
    pub const fn search(mut self, mode: SearchMode) -> Self {
        self.0.search = Some(mode);
        self.0.find = Some(FIND);
        self
    }

    /// Ranks skills by this classifier instead of the set's index, for the search tool and for
    /// [`Toolbox::search`]. A document is the position of a skill in the set.
    pub const fn classifier(mut self, classifier: &'a (dyn Classifier + Sync + 'a)) -> Self {
        self.0.classifier = Some(classifier);
        self
    }

    /// Sets the directory that has the skills as files, `root/NAME/SKILL.md`. Some profiles show it to
    /// the model.
    ///
    /// By default [`Profile::DeepAgents`] shows `/skills`, and other profiles show no path.
    pub const fn at(mut self, root: &'a str) -> Self {
        self.0.directories = SkillDirectories::Below(root);
        self
    }

    /// Sets the directory of each skill, as pairs of name and directory, for skills that are not next
    /// to each other or not in directories of their names. Replaces [`at`](Self::at).
    ///
    /// Pairs that are sorted by name are found faster.
    ///
    /// ```
    /// use helix_skills::{Profile, Skill, skill_set, SkillSet, Toolbox};
    /// # const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "Run `${SKILL_DIR}/scripts/text.sh`.").build();
    /// # static SKILLS: SkillSet = skill_set![PDF];
    /// let builder = Toolbox::builder(SKILLS).profile(Profile::ClaudeCode);
    /// let toolbox = builder.directories(&[("pdf", "/tmp/x7/pdf")]).build()?;
    /// assert!(toolbox.catalog().to_string().contains("<location>\n/tmp/x7/pdf/SKILL.md\n</location>"));
    /// assert_eq!(toolbox.load_skill("pdf")?.to_string(), "Run `/tmp/x7/pdf/scripts/text.sh`.");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn directories(mut self, directories: &'a [(&'a str, &'a str)]) -> Self {
        self.0.directories = SkillDirectories::Each(directories);
        self
    }

    /// Adds to every answer where the skill comes from: source, commit and integrity.
    pub const fn with_provenance(mut self) -> Self {
        self.0.provenance = true;
        self
    }

    /// Checks the choices.
    ///
    /// # Errors
    /// If a name is not in the set, is repeated, or is preloaded and not allowed; if a preloaded skill
    /// is not for models; if the preloaded bodies are over the budget; if there is nothing to search
    /// with.
    #[inline(never)]
    pub fn build(self) -> Result<Toolbox<'a>, ToolboxError> {
        let toolbox = self.unchecked();
        let set = toolbox.set;
        if let Some(allowed) = toolbox.allowed {
            check_names(allowed, |name| Ok(set.get(name).is_some()), set)?;
        }
        let shown = |name: &str| match toolbox.view().get(name) {
            Err(LoadError::NotForModels { name }) => {
                Err(ToolboxError::NotForModels { name: Excerpt::new(name) })
            }
            Err(_) if set.get(name).is_some() => {
                Err(ToolboxError::NotAllowed { name: Excerpt::new(name) })
            }
            other => Ok(other.is_ok()),
        };
        check_names(toolbox.preloaded, shown, set)?;
        if toolbox.searches()
            && toolbox.classifier.is_none()
            && set.search_index().is_empty()
            && !set.is_empty()
        {
            return Err(ToolboxError::NoIndex);
        }
        toolbox.check_preloads()?;
        Ok(toolbox)
    }

    /// The toolbox with choices that were checked, or whose unknown names have no effect.
    pub(crate) const fn unchecked(self) -> Toolbox<'a> {
        let mut toolbox = self.0;
        // The set's text is that of a toolbox in which nothing was chosen.
        if !toolbox.has_default_catalog() {
            toolbox.baked = None;
        }
        toolbox
    }
}

impl Toolbox<'_> {
    /// Whether the choices leave the catalog of the set as it is.
    const fn has_default_catalog(&self) -> bool {
        matches!(self.profile, Profile::Helix)
            && self.allowed.is_none()
            && self.preloaded.is_empty()
            && self.budget.catalog.is_none()
            && self.lists_skills()
    }

    /// Checks that the preloaded bodies are within their budget.
    pub(crate) fn check_preloads(&self) -> Result<(), ToolboxError> {
        if let Some(most) = self.budget.preloads {
            let needed = Count::measure(&PreloadedSkills(self));
            if !most.allows(needed) {
                return Err(ToolboxError::OverBudget { needed: most.count(needed), most });
            }
        }
        Ok(())
    }
}
