//! One skill, owned.

use super::{PartsBuf, lists::Lists, resource::ResourceBuf};
use crate::{NameError, Resource, ResourceError, Skill, check_name, resource::check_resource_path};
use alloc::{borrow::ToOwned, boxed::Box, string::String, sync::Arc, vec::Vec};
use core::fmt;

/// A skill that owns its text and its files: what a provider keeps, and what is made of text that comes from elsewhere.
///
/// It is made of a [`Skill`], whose rules it has kept, or of the text of a `SKILL.md` with `parse_skill` of the crate
/// `helix-skills-format`. Everything that reads skills takes a [`Skill`]: a `SkillBuf` lends one.
///
/// ```
/// use helix_skills::{Skill, SkillBuf};
///
/// let body = format!("Version {} of the tool.", 2);
/// let mut skill = SkillBuf::from(Skill::define("tool", "How to use the tool.", &body).try_build()?);
/// skill.insert_resource("references/faq.md", "# FAQ\n")?;
/// let answer = skill.view(|skill| skill.loaded().to_string());
/// assert!(answer.contains("Version 2 of the tool.\n</skill>") && answer.contains("\nreferences/faq.md\n"));
///
/// let forever: Skill<'static> = skill.leak();
/// assert_eq!(forever.resource("references/faq.md").and_then(|file| file.text()), Some("# FAQ\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct SkillBuf(pub(super) PartsBuf);

impl SkillBuf {
    /// The name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// What the skill does and when to use it.
    #[must_use]
    pub fn description(&self) -> &str {
        &self.0.description
    }

    /// The body.
    #[must_use]
    pub fn body(&self) -> &str {
        &self.0.body
    }

    /// The absolute path of the directory on this machine that has the skill's files, if the skill was
    /// loaded from one: the value of `${SKILL_DIR}`, and where commands and scripts run.
    #[must_use]
    pub fn directory(&self) -> Option<&str> {
        self.0.directory.as_deref()
    }

    /// Sets the [directory](Self::directory). What loads skills from directories does this.
    ///
    /// ```
    /// use helix_skills_runtime::{Skill, SkillBuf};
    /// let mut skill = SkillBuf::from(Skill::define("tool", "How to use the tool.", "Run it.").build());
    /// skill.set_directory(Some("/srv/skills/tool".to_owned()));
    /// assert_eq!(skill.directory(), Some("/srv/skills/tool"));
    /// ```
    pub fn set_directory(&mut self, path: Option<String>) {
        self.0.directory = path;
    }

    /// The file at `path`, spelled exactly as [`Resource::path`].
    #[must_use]
    pub fn resource(&self, path: &str) -> Option<Resource<'_>> {
        let at = self.position_of(path).ok()?;
        self.0.resources.get(at).map(ResourceBuf::view)
    }

    /// Calls `read` with the skill. Lists of borrowed texts are made for it, the texts are not copied.
    pub fn view<R>(&self, read: impl FnOnce(Skill<'_>) -> R) -> R {
        let lists = Lists::new(&self.0);
        read(lists.skill(&self.0))
    }

    /// The skill for the rest of the program: its memory is never freed. For skills that are made once, at the start.
    #[must_use = "the memory is lost"]
    pub fn leak(self) -> Skill<'static> {
        let parts: &'static PartsBuf = Box::leak(Box::new(self.0));
        let lists: &'static Lists<'static> = Box::leak(Box::new(Lists::new(parts)));
        lists.skill(parts)
    }

    /// Gives the skill another name. Its text stays as it is.
    ///
    /// ```
    /// use helix_skills::{name::NameError, Skill, SkillBuf};
    /// let mut skill = SkillBuf::from(Skill::define("tool", "How to use the tool.", "Run it.").build());
    /// skill.rename("my-tool")?;
    /// assert_eq!(skill.name(), "my-tool");
    /// assert_eq!(skill.rename("../tool"), Err(NameError::Dot));
    /// # Ok::<(), NameError>(())
    /// ```
    ///
    /// # Errors
    /// As [`check_name`]: the rule for loading, not the one for authors.
    pub fn rename(&mut self, name: &str) -> Result<(), NameError> {
        check_name(name)?;
        self.0.name = name.to_owned();
        Ok(())
    }

    /// Gives the skill a file, in the place of the one with this path if there is one. What is UTF-8 is text.
    ///
    /// ```
    /// use helix_skills::{define::ResourceError, name::PathError, Skill, SkillBuf};
    /// let mut skill = SkillBuf::from(Skill::define("tool", "How to use the tool.", "Run it.").build());
    /// skill.insert_resource("logo.png", b"\x89PNG\xff")?;
    /// assert_eq!(skill.insert_resource("../logo.png", ""), Err(ResourceError::Path(PathError::Traversal)));
    /// assert_eq!(skill.insert_resource("SKILL.md", ""), Err(ResourceError::SkillMd));
    /// # Ok::<(), ResourceError>(())
    /// ```
    ///
    /// # Errors
    /// When a skill can have no file of this path.
    pub fn insert_resource(
        &mut self,
        path: &str,
        bytes: impl Into<Vec<u8>>,
    ) -> Result<(), ResourceError> {
        check_resource_path(path)?;
        let resource = ResourceBuf::new(path, bytes.into());
        match self.position_of(path) {
            Ok(at) => self.0.resources[at] = resource,
            Err(at) => self.0.resources.insert(at, resource),
        }
        Ok(())
    }

    /// Where the file of this path is, or would be.
    fn position_of(&self, path: &str) -> Result<usize, usize> {
        self.0.resources.binary_search_by(|resource| resource.path.as_str().cmp(path))
    }
}

/// Copies everything that the skill borrows. The content of lazy resources is asked for.
impl From<Skill<'_>> for SkillBuf {
    fn from(skill: Skill<'_>) -> Self {
        Self(skill.into())
    }
}

/// Copies everything that the skill borrows, for owners that share it.
impl From<Skill<'_>> for Arc<SkillBuf> {
    fn from(skill: Skill<'_>) -> Self {
        SkillBuf::from(skill).into()
    }
}

impl fmt::Debug for SkillBuf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.view(|skill| skill.fmt(f))
    }
}
