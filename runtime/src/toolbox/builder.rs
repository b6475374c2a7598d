//! The builder of a toolbox.

use super::{SearchMode, Toolbox, conventions::conventions, found_skills};
use crate::{
    Budget, Classifier, Error, ErrorKind, Excerpt, Profile, Selection, SkillSet, Variables,
    body::FILLED, budget::Count, catalog::write_preloaded, directory::SkillDirectories,
    known::known_names,
};
use alloc::format;

/// Builder of a [`Toolbox`]; [`build`](Self::build) checks all choices together.
///
/// The choices can be made in any order. A repeated choice replaces the earlier one.
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
/// # Ok::<(), helix_skills::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[must_use = "a toolbox exists only after `build`"]
pub struct ToolboxBuilder<'a>(Toolbox<'a>);

impl<'a> Toolbox<'a> {
    /// Starts a toolbox of all skills of `set` in [`Profile::Helix`].
    pub const fn builder(set: SkillSet<'a>) -> ToolboxBuilder<'a> {
        ToolboxBuilder(Self::new(set))
    }
}

impl<'a> ToolboxBuilder<'a> {
    /// Sets the profile, which selects the conventions of another system.
    pub const fn profile(mut self, profile: Profile) -> Self {
        self.0.profile = profile;
        self.0.conventions = conventions(profile);
        self
    }

    /// Allows only these skills; for the model of this agent, others do not exist.
    ///
    /// [`Selection::NONE`] allows none. A skill that is not for models stays hidden even if it is
    /// named. In a large set, names in sorted order are checked much faster.
    pub fn allow(mut self, skills: impl Into<Selection<'a>>) -> Self {
        self.0.allowed = Some(skills.into());
        self
    }

    /// Puts the bodies of these skills into the catalog, so that the model need not load them.
    pub fn preload(mut self, skills: impl Into<Selection<'a>>) -> Self {
        self.0.preloaded = skills.into();
        self
    }

    /// Limits the size of the catalog and of the preloaded bodies.
    pub const fn budget(mut self, budget: Budget) -> Self {
        self.0.budget = budget;
        self
    }

    /// Adds a search tool for the model.
    ///
    /// The set needs an index: sets of `include_skills!` have one, others get one from
    /// [`SkillSet::with_index`]. [`Profile::DeepAgents`] has no tools, so it has no search tool.
    #[inline] // in the frame of the caller, so that a program that calls no search contains none
    pub const fn search(mut self, mode: SearchMode) -> Self {
        self.0.search = Some(mode);
        self.0.find = Some(found_skills::find);
        self
    }

    /// Ranks skills with `classifier` instead of the set's index, for the search tool and for
    /// [`Toolbox::search`].
    pub const fn classifier(mut self, classifier: &'a (dyn Classifier + Sync + 'a)) -> Self {
        self.0.classifier = Some(classifier);
        self
    }

    /// Sets the directory that contains the skills as files, `root/NAME/SKILL.md`. NAME is that of
    /// the directory from which the skill was loaded, or else the skill's.
    ///
    /// Some profiles show the path to the model. By default [`Profile::DeepAgents`] shows the
    /// directory from which the skill was loaded, or else `/skills/NAME`, and other profiles show
    /// no path.
    pub const fn at(mut self, root: &'a str) -> Self {
        self.0.directories = SkillDirectories::Below(root);
        self
    }

    /// Sets the directory of each skill, as pairs of name and directory.
    ///
    /// Use this for skills without a common parent directory, or in directories with other names.
    /// It replaces [`at`](Self::at). Pairs sorted by name are looked up faster.
    ///
    /// ```
    /// use helix_skills::{Profile, Skill, skill_set, SkillSet, Toolbox};
    /// # const BODY: &str = "Run `${SKILL_DIR}/scripts/text.sh`.";
    /// # const PDF: Skill = Skill::define("pdf", "Reads PDF files.", BODY).build();
    /// # static SKILLS: SkillSet = skill_set![PDF];
    /// let builder = Toolbox::builder(SKILLS).profile(Profile::ClaudeCode);
    /// let toolbox = builder.directories(&[("pdf", "/tmp/x7/pdf")]).build()?;
    /// let location = "<location>\n/tmp/x7/pdf/SKILL.md\n</location>";
    /// assert!(toolbox.catalog().to_string().contains(location));
    /// assert_eq!(toolbox.load_skill("pdf")?.to_string(), "Run `/tmp/x7/pdf/scripts/text.sh`.");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn directories(mut self, directories: &'a [(&'a str, &'a str)]) -> Self {
        self.0.directories = SkillDirectories::Each(directories);
        self
    }

    /// Sets the variables of the host, for `${…}` in loaded bodies, which are then filled in every
    /// profile. They take precedence over the directory of the skill.
    ///
    /// Preloaded bodies are not filled.
    ///
    /// ```
    /// use helix_skills::template::Variables;
    /// use helix_skills::{Profile, Skill, skill_set, SkillSet, Toolbox};
    /// # const BODY: &str = "Write to `/tmp/${AGENTICK_SESSION_ID}.log`.";
    /// # const LOG: Skill = Skill::define("log", "Writes a log.", BODY).build();
    /// # static SKILLS: SkillSet = skill_set![LOG];
    /// let session = Variables::new().session("s-7");
    /// let builder = Toolbox::builder(SKILLS).profile(Profile::Agentick);
    /// let toolbox = builder.variables(&session).build()?;
    /// assert_eq!(toolbox.load_skill("log")?.to_string(), "Write to `/tmp/s-7.log`.");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn variables(mut self, variables: &'a Variables) -> Self {
        (self.0.variables, self.0.fill) = (Some(variables), Some(FILLED));
        self
    }

    /// Checks the choices and returns the toolbox.
    ///
    /// # Errors
    ///
    /// If a name is unknown or repeated, a preloaded skill is not allowed or not for models, the
    /// preloaded bodies exceed their budget, or a search has neither an index nor a classifier.
    #[inline(never)]
    pub fn build(self) -> Result<Toolbox<'a>, Error> {
        let toolbox = build_unchecked(self);
        let set = toolbox.set;
        if let Some(allowed) = toolbox.allowed {
            check_names(allowed, set, |_| Ok(()))?;
        }
        let view = toolbox.view();
        check_names(toolbox.preloaded, set, |name| match view.allowed(name) {
            Some(skill) if view.profile.shows(skill) => Ok(()),
            Some(_) => Err(Error::new(
                ErrorKind::NotForModels,
                format!(
                    "cannot preload `{}`: models may not load it (`disable-model-invocation`, or \
                     `user-invocable: false` in the profile `skill-use`)",
                    Excerpt(name)
                ),
            )),
            None => Err(Error::new(
                ErrorKind::Setup,
                format!("cannot preload `{}`: it is not an allowed skill", Excerpt(name)),
            )),
        })?;
        if toolbox.search.is_some()
            && toolbox.classifier.is_none()
            && set.index.is_empty()
            && !set.is_empty()
        {
            return Err(Error::new(
                ErrorKind::Setup,
                "the set has no search index; build one with `SkillSet::index` and pass it to \
                 `with_index`",
            ));
        }
        check_preloads(&toolbox)?;
        Ok(toolbox)
    }
}

/// Builds a toolbox without checking its names: names that no skill has are ignored.
#[must_use]
pub const fn build_unchecked(builder: ToolboxBuilder<'_>) -> Toolbox<'_> {
    let mut toolbox = builder.0;
    // The baked catalog is that of a toolbox without choices.
    let has_choices = !matches!(toolbox.profile, Profile::Helix)
        || toolbox.allowed.is_some()
        || !toolbox.preloaded.is_empty()
        || toolbox.budget.catalog.is_some()
        || !toolbox.lists_skills();
    if has_choices {
        toolbox.baked = None;
    }
    toolbox
}

/// Checks that the preloaded bodies are within their budget.
///
/// # Errors
/// If they exceed it.
pub fn check_preloads(toolbox: &Toolbox<'_>) -> Result<(), Error> {
    if let Some(most) = toolbox.budget.preloads {
        let needed = Count::measure(|out| write_preloaded(toolbox, out));
        if !most.allows(needed) {
            let message = format!(
                "the preloaded skills need {}, more than their budget of {most}; preload fewer or \
                 raise the budget",
                most.count(needed)
            );
            return Err(Error::new(ErrorKind::Limit, message));
        }
    }
    Ok(())
}

/// Checks that the set has each selected skill, that none is repeated, and that `check` accepts it.
fn check_names(
    selection: Selection<'_>,
    set: SkillSet<'_>,
    check: impl Fn(&str) -> Result<(), Error>,
) -> Result<(), Error> {
    for (at, name) in selection.names().enumerate() {
        if set.get(name).is_none() {
            let known = known_names(name, set.names());
            let message = format!("unknown skill `{}`; the set has {known}", Excerpt(name));
            return Err(Error::new(ErrorKind::UnknownSkill, message));
        }
        check(name)?;
        if selection.is_repeated(at) {
            return Err(duplicate_skill(name));
        }
    }
    Ok(())
}

/// Returns the error that a selection names a skill twice.
#[must_use]
pub fn duplicate_skill(name: &str) -> Error {
    Error::new(ErrorKind::Duplicate, format!("duplicate skill `{}`", Excerpt(name)))
}
