//! A single owned skill.

use super::{PartsBuf, lists::Lists, resource::ResourceBuf};
use crate::{NameError, Resource, ResourceError, Skill, check_name, resource::check_resource_path};
use alloc::{borrow::ToOwned, boxed::Box, string::String, sync::Arc, vec::Vec};
use core::fmt;

/// A skill that owns its text and its files.
///
/// It is made from a [`Skill`], or from the text of a `SKILL.md` by `parse_skill` of the crate
/// `helix-skills-format`. Functions that read skills take a [`Skill`], which [`view`](Self::view)
/// lends.
///
/// ```
/// use helix_skills::{Skill, SkillBuf};
///
/// let body = format!("Version {} of the tool.", 2);
/// let skill = Skill::define("tool", "How to use the tool.", &body).try_build()?;
/// let mut skill = SkillBuf::from(skill);
/// skill.insert_resource("references/faq.md", "# FAQ\n")?;
/// let answer = skill.view(|skill| skill.loaded().to_string());
/// assert!(answer.contains("Version 2 of the tool.\n</skill>"));
/// assert!(answer.contains("\nreferences/faq.md\n"));
///
/// let skill: Skill<'static> = skill.leak();
/// assert_eq!(skill.resource("references/faq.md").and_then(|file| file.text()), Some("# FAQ\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct SkillBuf(pub(super) PartsBuf);

/// Makes a skill from its parts. Resources are sorted by path, each path once.
#[must_use]
pub fn skill_buf(parts: PartsBuf) -> SkillBuf {
    SkillBuf(parts)
}

impl SkillBuf {
    /// Returns the name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// Returns the description: what the skill does, and when to use it.
    #[must_use]
    pub fn description(&self) -> &str {
        &self.0.description
    }

    /// Returns the body.
    #[must_use]
    pub fn body(&self) -> &str {
        &self.0.body
    }

    /// Returns the absolute path of the skill's directory on this machine, if the skill was loaded
    /// from one.
    ///
    /// It is the value of `${SKILL_DIR}`, and the working directory of commands and scripts.
    #[must_use]
    pub fn directory(&self) -> Option<&str> {
        self.0.directory.as_deref()
    }

    /// Sets the [directory](Self::directory). Loaders of directories call this.
    ///
    /// ```
    /// use helix_skills_runtime::{Skill, SkillBuf};
    /// let skill = Skill::define("tool", "How to use the tool.", "Run it.").build();
    /// let mut skill = SkillBuf::from(skill);
    /// skill.set_directory(Some("/srv/skills/tool".to_owned()));
    /// assert_eq!(skill.directory(), Some("/srv/skills/tool"));
    /// ```
    pub fn set_directory(&mut self, path: Option<String>) {
        self.0.directory = path;
    }

    /// Returns the file at `path`, which has to be spelled exactly as [`Resource::path`].
    #[must_use]
    pub fn resource(&self, path: &str) -> Option<Resource<'_>> {
        let at = self.position_of(path).ok()?;
        self.0.resources.get(at).map(ResourceBuf::view)
    }

    /// Calls `read` with the borrowed skill. This allocates slices of borrowed texts, but does not
    /// copy the texts.
    pub fn view<R>(&self, read: impl FnOnce(Skill<'_>) -> R) -> R {
        let lists = Lists::new(&self.0);
        read(lists.skill(&self.0))
    }

    /// Leaks the memory of the skill. Use it for skills that are made once, at startup.
    #[must_use = "the leaked memory is only reachable through the result"]
    pub fn leak(self) -> Skill<'static> {
        let parts: &'static PartsBuf = Box::leak(Box::new(self.0));
        let lists: &'static Lists<'static> = Box::leak(Box::new(Lists::new(parts)));
        lists.skill(parts)
    }

    /// Renames the skill. Its text stays unchanged.
    ///
    /// ```
    /// use helix_skills::{rules::NameError, Skill, SkillBuf};
    /// let skill = Skill::define("tool", "How to use the tool.", "Run it.").build();
    /// let mut skill = SkillBuf::from(skill);
    /// skill.rename("my-tool")?;
    /// assert_eq!(skill.name(), "my-tool");
    /// assert_eq!(skill.rename("../tool"), Err(NameError::Dot));
    /// # Ok::<(), NameError>(())
    /// ```
    ///
    /// # Errors
    /// If [`check_name`] fails. This is the rule for loading, not the stricter one for authors.
    pub fn rename(&mut self, name: &str) -> Result<(), NameError> {
        check_name(name)?;
        self.0.name = name.to_owned();
        Ok(())
    }

    /// Adds a file, or replaces the one with the same path. UTF-8 is stored as text.
    ///
    /// ```
    /// use helix_skills::{define::ResourceError, rules::PathError, Skill, SkillBuf};
    /// let skill = Skill::define("tool", "How to use the tool.", "Run it.").build();
    /// let mut skill = SkillBuf::from(skill);
    /// skill.insert_resource("logo.png", b"\x89PNG\xff")?;
    /// let error = skill.insert_resource("../logo.png", "").unwrap_err();
    /// assert_eq!(error, ResourceError::Path(PathError::Traversal));
    /// assert_eq!(skill.insert_resource("SKILL.md", ""), Err(ResourceError::SkillMd));
    /// # Ok::<(), ResourceError>(())
    /// ```
    ///
    /// # Errors
    /// If the path is not valid for a resource.
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

    /// Returns the position of the file with this path, or the one where to insert it.
    fn position_of(&self, path: &str) -> Result<usize, usize> {
        self.0.resources.binary_search_by(|resource| resource.path.as_str().cmp(path))
    }
}

/// Copies everything that the skill borrows. Loads the content of lazy resources.
impl From<Skill<'_>> for SkillBuf {
    fn from(skill: Skill<'_>) -> Self {
        Self(skill.into())
    }
}

/// Copies everything that the skill borrows, for shared ownership.
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
