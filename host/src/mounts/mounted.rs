//! The skills in a sandbox.

use super::{LeftOut, Upload};
use crate::Error;
use helix_skills_runtime::{__internal::build_unchecked, Profile, SkillSetBuf, Toolbox};
use std::{path::PathBuf, sync::Arc};

/// Where a skill is on this machine and in the sandbox.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SkillPathMapping {
    /// The name of the skill.
    pub name: String,
    /// What it does and when to use it.
    pub description: String,
    /// Its `SKILL.md` on this machine.
    pub host: PathBuf,
    /// Its `SKILL.md` in the sandbox.
    pub sandbox: String,
}

/// The skills of a sandbox, once all [uploads](Self::uploads) are done.
#[derive(Clone, Debug, Default)]
pub struct MountedSkills {
    /// Sorted by the bytes of the name, as are `directories` and `set`.
    pub(super) skills: Vec<SkillPathMapping>,
    pub(super) directories: Vec<String>,
    /// Without bodies.
    pub(super) set: SkillSetBuf,
    pub(super) uploads: Vec<Upload>,
    pub(super) left_out: Vec<LeftOut>,
    pub(super) problems: Vec<Arc<Error>>,
}

impl MountedSkills {
    /// Returns the skills, sorted by name: those in the fragment, and those that a guard has to
    /// know.
    #[must_use]
    #[doc(alias = "getSkillMounts")]
    pub fn skills(&self) -> &[SkillPathMapping] {
        &self.skills
    }

    /// Returns the files to upload, sorted by their path in the sandbox.
    #[must_use]
    pub fn uploads(&self) -> &[Upload] {
        &self.uploads
    }

    /// Returns what is in the directories of skills but not uploaded, and why.
    #[must_use]
    pub fn left_out(&self) -> &[LeftOut] {
        &self.left_out
    }

    /// Returns the problems: skills that cannot be read, are hidden by others or are too large, and
    /// missing directories.
    pub fn problems(&self) -> impl ExactSizeIterator<Item = &Error> {
        self.problems.iter().map(|problem| &**problem)
    }

    /// Returns the text for the system prompt: how to use skills, and each one's name, path and
    /// description. Empty without skills.
    #[must_use]
    pub fn fragment(&self) -> String {
        self.view(|toolbox| toolbox.catalog().to_string())
    }

    /// Calls `read` with a toolbox in the profile `DeepAgents` that knows the sandbox path of each
    /// skill. Use its [catalog](Toolbox::catalog), which is the fragment, and its
    /// [guard](Toolbox::skill_as_tool). It has no bodies.
    pub fn view<R>(&self, read: impl FnOnce(Toolbox<'_>) -> R) -> R {
        let places = self.skills.iter().zip(&self.directories);
        let places: Vec<(&str, &str)> =
            places.map(|(skill, directory)| (&*skill.name, &**directory)).collect();
        self.set.view(|set| {
            read(build_unchecked(
                Toolbox::builder(set).profile(Profile::DeepAgents).directories(&places),
            ))
        })
    }
}
