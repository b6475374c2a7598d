//! The part of a set that one agent gets to see.

use crate::{Excerpt, LoadError, Profile, Selection, Skill, SkillSet};
use core::fmt;

/// The skills that the model of one agent may load, sorted by name: those of a set, less the ones that its allow-list
/// leaves out and the ones that are not for models.
///
/// ```
/// use helix_skills_runtime::{Skill, SkillSet, Toolbox, skill_set};
/// const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build();
/// const CSV: Skill = Skill::define("csv", "Reads CSV files.", "Use `xsv`.").build();
/// static SKILLS: SkillSet = skill_set![PDF, CSV];
///
/// let toolbox = Toolbox::new(SKILLS).allow(&["pdf"])?;
/// assert!(toolbox.view().names().eq(["pdf"]));
/// assert_eq!(toolbox.view().get("csv").unwrap_err().to_string(), "there is no skill `csv`; the skills are `pdf`");
/// # Ok::<(), helix_skills_runtime::ToolboxError>(())
/// ```
#[derive(Clone, Copy)]
pub struct View<'a> {
    skills: &'a [Skill<'a>],
    allowed: Option<Selection<'a>>,
    profile: Profile,
}

impl<'a> View<'a> {
    pub(crate) const fn new(set: SkillSet<'a>, allowed: Option<Selection<'a>>, profile: Profile) -> Self {
        Self { skills: set.skills, allowed, profile }
    }

    /// The skills, sorted by the bytes of their names.
    pub fn iter(&self) -> impl Iterator<Item = &'a Skill<'a>> + Clone + use<'a> {
        let view = *self;
        self.skills.iter().filter(move |skill| view.is_allowed(skill.name()) && view.profile.shows(skill))
    }

    /// The names, sorted by their bytes.
    pub fn names(&self) -> impl Iterator<Item = &'a str> + Clone + use<'a> {
        self.iter().map(Skill::name)
    }

    /// How many skills; all of them are looked at.
    #[must_use]
    pub fn len(&self) -> usize {
        self.iter().count()
    }

    /// Whether there is no skill.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.iter().next().is_none()
    }

    /// The skill that a model asks for by `name`.
    ///
    /// # Errors
    /// When no skill has this name, or it is not for models.
    #[inline(never)]
    pub fn get(&self, name: &str) -> Result<&'a Skill<'a>, LoadError<'a>> {
        let at = self.skills.binary_search_by(|skill| skill.name().cmp(name)).ok();
        match at.and_then(|at| self.skills.get(at)).filter(|skill| self.is_allowed(skill.name())) {
            None => Err(LoadError::UnknownSkill { name: Excerpt::of(name), available: *self }),
            Some(skill) if !self.profile.shows(skill) => Err(LoadError::NotForModels { name: skill.name() }),
            Some(skill) => Ok(skill),
        }
    }

    /// Whether the skill at a position of the set is one of them.
    pub(crate) fn shows_at(&self, at: usize) -> bool {
        self.skills.get(at).is_some_and(|skill| self.is_allowed(skill.name()) && self.profile.shows(skill))
    }

    #[inline(never)]
    fn is_allowed(&self, name: &str) -> bool {
        self.allowed.is_none_or(|allowed| allowed.contains(name))
    }
}

impl fmt::Debug for View<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.names()).finish()
    }
}
