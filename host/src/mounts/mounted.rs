//! What lies in a sandbox.

use super::{LeftOut, Upload};
use crate::Error;
use helix_skills_runtime::{__internal::build_unchecked, Profile, SkillSetBuf, Toolbox};
use std::{path::PathBuf, sync::Arc};

/// Where a skill lies on this machine and in the sandbox.
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

/// The skills of a sandbox at one moment: what lies there once the [uploads](Self::uploads) are done.
#[derive(Clone, Debug, Default)]
pub struct MountedSkills {
    /// By name, in the order of bytes; so are the next two.
    pub(super) skills: Vec<SkillPathMapping>,
    pub(super) directories: Vec<String>,
    /// Without bodies.
    pub(super) set: SkillSetBuf,
    pub(super) uploads: Vec<Upload>,
    pub(super) left_out: Vec<LeftOut>,
    pub(super) problems: Vec<Arc<Error>>,
}

impl MountedSkills {
    /// The skills, by name: what the fragment lists, and what a guard has to know.
    #[must_use]
    #[doc(alias = "getSkillMounts")]
    pub fn skills(&self) -> &[SkillPathMapping] {
        &self.skills
    }

    /// The files to upload, by their path in the sandbox.
    #[must_use]
    pub fn uploads(&self) -> &[Upload] {
        &self.uploads
    }

    /// What lies in the directories of skills and is not uploaded, and why.
    #[must_use]
    pub fn left_out(&self) -> &[LeftOut] {
        &self.left_out
    }

    /// What is wrong: skills that cannot be read, that another one hides, or that are too large, and directories that are not there.
    pub fn problems(&self) -> impl ExactSizeIterator<Item = &Error> {
        self.problems.iter().map(|problem| &**problem)
    }

    /// The text for the system prompt: how to use skills, and of each its name, path and description. None without skills.
    #[must_use]
    pub fn fragment(&self) -> String {
        self.view(|toolbox| toolbox.catalog().to_string())
    }

    /// Calls `read` with a toolbox of the profile `DeepAgents`, in which each skill lies where it does in the sandbox: for its
    /// [catalog](Toolbox::catalog), which is the fragment, and its [guard](Toolbox::skill_as_tool). It has no bodies.
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
