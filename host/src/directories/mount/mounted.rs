//! The skills in a sandbox.

use super::Upload;
use crate::{Discovered, search::LazyIndex};
use helix_skills_agent::ProviderWarning;
use helix_skills_runtime::{
    __internal::{build_unchecked, sorted_set},
    Profile, SearchOptions, Skill, SkillSet, Toolbox,
};

/// The skills of a sandbox, once all [uploads](Self::uploads) are done.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct MountedSkills {
    /// The skills with their paths on this machine and in the sandbox: those in the catalog, and
    /// those that a guard has to know. Its [problems](Discovered::problems) are skills that cannot
    /// be read, are hidden by others or are too large, and missing directories.
    #[doc(alias = "getSkillMounts")]
    pub skills: Discovered,
    /// The files to upload, sorted by their path in the sandbox.
    pub uploads: Vec<Upload>,
    /// What is in the directories of skills but not uploaded, and why.
    pub left_out: Vec<ProviderWarning>,
    /// Warnings about skills that are mounted as they are, such as a name that was changed to a
    /// valid one.
    pub warnings: Vec<ProviderWarning>,
    /// In the order of `skills`, without bodies, and with their directories in the sandbox.
    pub(super) set: Vec<Skill>,
    pub(super) index: LazyIndex,
}

impl MountedSkills {
    /// Returns a reminder of the skills that match a user's `message`, to append to it. Empty if
    /// none does.
    ///
    /// The skills are found as by [`search`](Discovered::search).
    /// `mounted.toolbox().reminder(&hits)` takes the hits of a custom ranking.
    ///
    /// ```
    /// use helix_skills::search::SearchOptions;
    /// # use helix_skills_host::{Directories, Root};
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let path = folder.path();
    /// # std::fs::create_dir(path.join("deploy")).unwrap();
    /// # let text = "---\nname: deploy\ndescription: Deploys services.\n---\nRun it.\n";
    /// # std::fs::write(path.join("deploy/SKILL.md"), text).unwrap();
    /// # let mounted = Directories::new().root(Root::new(path).at("/skills")).mount()?;
    /// let mut message = String::from("Please deploy this.");
    /// message += &mounted.reminder(&message, &SearchOptions::new());
    /// assert!(message.contains("Relevant skills:\n- deploy ("));
    /// assert!(message.contains("): Deploys services. [/skills/deploy/SKILL.md]"));
    /// # Ok::<(), helix_skills_host::Error>(())
    /// ```
    #[must_use]
    pub fn reminder(&self, message: &str, options: &SearchOptions) -> String {
        let toolbox = toolbox(self.index.set(self.set.iter()));
        toolbox.reminder(&toolbox.search(message, options))
    }

    /// Returns a toolbox in the profile `DeepAgents` that knows the sandbox path of each skill. Use
    /// its [catalog](Toolbox::catalog) for the system prompt: how to use skills, and each one's
    /// name, path and description. Its [guard](Toolbox::skill_as_tool) answers calls of a skill as
    /// a tool. It has no bodies.
    #[must_use]
    pub fn toolbox(&self) -> Toolbox<'_> {
        toolbox(sorted_set(&self.set))
    }
}

fn toolbox(set: SkillSet<'_>) -> Toolbox<'_> {
    build_unchecked(Toolbox::builder(set).profile(Profile::DeepAgents))
}
