//! What is chosen for one agent.

use super::{Find, FoundSkills, SearchMode, Toolbox, ToolboxError, error::check_names};
use crate::{
    Budget, Classifier, Excerpt, LoadError, Profile, Selection, SkillSet, budget::Count, catalog::Active, place::Places,
};

const FIND: Find = |toolbox, query| FoundSkills::of(toolbox, query);

impl<'a> Toolbox<'a> {
    /// Only these skills: to the model of this agent, others do not exist. None at all, [`Selection::NONE`], turns everything
    /// off. A second call takes the place of the first: whoever is handed a toolbox can choose anew from the whole set.
    ///
    /// A skill that is not for models stays hidden, also where it is named; what `include_skills!(preload = […])` chose is
    /// preloaded if it is allowed.
    ///
    /// # Errors
    /// When a name is not in the set, or there twice, or a skill that was chosen to be preloaded is left out.
    pub fn allow(mut self, skills: impl Into<Selection<'a>>) -> Result<Self, ToolboxError> {
        let skills = skills.into();
        self.allowed = Some(skills);
        check_names(skills, |name| Ok(self.set.get(name).is_some()), self.set)?;
        self.checked()
    }

    /// Puts the bodies of these skills into the catalog, so that they need not be loaded. It takes the place of what
    /// `include_skills!(preload = […])` chose.
    ///
    /// # Errors
    /// When a name is not among the allowed skills, there twice, or of a skill that is not for models; when the bodies
    /// are over the budget.
    pub fn preload(mut self, skills: impl Into<Selection<'a>>) -> Result<Self, ToolboxError> {
        self.preloaded = Some(skills.into());
        self.checked()
    }

    /// What the catalog and the preloaded bodies may cost.
    ///
    /// # Errors
    /// When the preloaded bodies cost more.
    pub fn limit(mut self, budget: Budget) -> Result<Self, ToolboxError> {
        self.budget = budget;
        self.checked()
    }

    /// Says where the skills lie as files, `root/NAME/SKILL.md`, for the profiles that tell the model. Unless said,
    /// `DeepAgents` tells `/skills`, and others nothing.
    #[must_use]
    pub const fn at(mut self, root: &'a str) -> Self {
        self.places = Places::Below(root);
        self
    }

    /// Says of each skill, by its name, in which directory it lies as files: where they do not lie beside each other, or in
    /// directories of other names. It takes the place of [`at`](Self::at). Sorted by name they are found fastest.
    ///
    /// ```
    /// use helix_skills_runtime::{Call, Profile, Skill, SkillSet, Toolbox, skill_set};
    /// # const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "Run `${SKILL_DIR}/scripts/text.sh`.").build();
    /// # static SKILLS: SkillSet = skill_set![PDF];
    /// let toolbox = Toolbox::with_profile(SKILLS, Profile::ClaudeCode).placed(&[("pdf", "/tmp/x7/pdf")]);
    /// assert!(toolbox.catalog().to_string().contains("<location>\n/tmp/x7/pdf/SKILL.md\n</location>"));
    /// assert_eq!(toolbox.load_skill("pdf")?.to_string(), "Run `/tmp/x7/pdf/scripts/text.sh`.");
    /// # Ok::<(), helix_skills_runtime::LoadError>(())
    /// ```
    #[must_use]
    pub const fn placed(mut self, directories: &'a [(&'a str, &'a str)]) -> Self {
        self.places = Places::Each(directories);
        self
    }

    /// Says in every answer where the skill comes from: source, commit and integrity.
    #[must_use]
    pub const fn with_provenance(mut self) -> Self {
        self.provenance = true;
        self
    }

    /// Ranks skills in the place of the set's own index: for searches, and for what a program asks with
    /// [`search`](Self::search). A document is the position of a skill in the set.
    #[must_use]
    pub const fn ranked_by(mut self, classifier: &'a (dyn Classifier + Sync + 'a)) -> Self {
        self.classifier = Some(classifier);
        self
    }

    /// Gives the model a tool to search for skills, beside the catalog.
    ///
    /// # Errors
    /// When the set has no index (see [`SkillSet::with_index`](crate::SkillSet::with_index)) and nothing else ranks.
    pub fn with_search(self) -> Result<Self, ToolboxError> {
        self.searching(SearchMode::ToolAndList).checked()
    }

    /// Gives the model a tool to search for skills in the place of a list: the catalog says how many there are and how to
    /// find them. For sets whose names alone are too many for a prompt. Only [`Profile::Helix`](crate::Profile::Helix) can do
    /// without a list: in others the tool, if there is one, stands beside it.
    ///
    /// In [`Profile::Helix`](crate::Profile::Helix) alone: the catalogs of others list their skills, as with
    /// [`with_search`](Self::with_search), and `DeepAgents` has no tools, this one neither.
    ///
    /// # Errors
    /// As [`with_search`](Self::with_search).
    pub fn with_search_only(self) -> Result<Self, ToolboxError> {
        self.searching(SearchMode::ToolOnly).checked()
    }

    #[inline(never)]
    fn checked(self) -> Result<Self, ToolboxError> {
        if let Some(preloaded) = self.preloaded {
            let shown = |name: &str| match self.view().get(name) {
                Err(LoadError::NotForModels { name }) => Err(ToolboxError::NotForModels { name: Excerpt::of(name) }),
                other => Ok(other.is_ok()),
            };
            check_names(preloaded, shown, self.set)?;
        }
        if self.searches() && self.classifier.is_none() && self.set.search_index().is_empty() && !self.set.is_empty() {
            return Err(ToolboxError::NoIndex);
        }
        self.check_preloads()?;
        Ok(self)
    }
}

/// What providers ask, whose names are warnings.
impl<'a> Toolbox<'a> {
    /// A toolbox of names that were proved, or that may be wrong: what is not there has no effect.
    pub(crate) const fn unchecked(
        set: SkillSet<'a>,
        profile: Profile,
        allowed: Option<Selection<'a>>,
        preloaded: Selection<'a>,
        budget: Budget,
    ) -> Self {
        let mut toolbox = Self::with_profile(set, profile);
        (toolbox.allowed, toolbox.preloaded, toolbox.budget) = (allowed, Some(preloaded), budget);
        toolbox
    }

    /// With this tool to search. In the frame of its caller, so that who has none needs no search.
    #[inline]
    pub(crate) const fn searching(mut self, mode: SearchMode) -> Self {
        self.search = Some(mode);
        self.find = Some(FIND);
        self
    }

    /// Proves that the preloaded bodies are within their budget.
    pub(crate) fn check_preloads(&self) -> Result<(), ToolboxError> {
        if let Some(most) = self.budget.preloads {
            let needed = Count::of(&Active(self));
            if !most.holds(needed) {
                return Err(ToolboxError::OverBudget { needed: most.of(needed), most });
            }
        }
        Ok(())
    }
}
