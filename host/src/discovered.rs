//! What lies in the directories.

use crate::{Error, file_version::FileVersion};
use helix_skills_format::Finding;
use helix_skills_runtime::SkillBuf;
use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

/// A skill as far as its frontmatter tells: everything but the body and the other files.
#[derive(Clone, Debug)]
pub struct DiscoveredSkill {
    pub(crate) skill: SkillBuf,
    pub(crate) skill_md: PathBuf,
    pub(crate) kind: Option<Arc<str>>,
    pub(crate) findings: Vec<Finding>,
    /// Of its file.
    pub(crate) version: FileVersion,
    /// Its root.
    pub(crate) root: Arc<Path>,
    /// The name of its directory there.
    pub(crate) directory: String,
    /// What its `SKILL.md` is called.
    pub(crate) file: &'static str,
}

impl DiscoveredSkill {
    /// The name.
    #[must_use]
    pub fn name(&self) -> &str {
        self.skill.name()
    }

    /// What the skill does and when to use it.
    #[must_use]
    pub fn description(&self) -> &str {
        self.skill.description()
    }

    /// Every field of the frontmatter; there is no body.
    #[must_use]
    pub fn metadata(&self) -> &SkillBuf {
        &self.skill
    }

    /// The directory of the skill.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.skill_md.parent().unwrap_or(&self.skill_md)
    }

    /// Its `SKILL.md`.
    #[must_use]
    pub fn skill_md(&self) -> &Path {
        &self.skill_md
    }

    /// What its root was said to hold: [`Root::kind`](crate::Root::kind).
    #[must_use]
    pub fn kind(&self) -> Option<&str> {
        self.kind.as_deref()
    }

    /// What is odd about the frontmatter and keeps nothing from working.
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// Whether it lies in a directory that has its name.
    pub(crate) fn is_named_after_directory(&self) -> bool {
        self.directory == self.name()
    }

    /// Its file, from the root on.
    pub(crate) fn inner(&self) -> PathBuf {
        Path::new(&self.directory).join(self.file)
    }
}

/// The skills of all directories at one moment, each name once.
///
/// It stays as it is, whatever happens to the disk; a clone costs nothing.
#[derive(Clone, Debug, Default)]
pub struct Discovered(pub(crate) Arc<Contents>);

#[derive(Debug, Default)]
pub(crate) struct Contents {
    /// By name, in the order of bytes.
    pub(crate) skills: Vec<Arc<DiscoveredSkill>>,
    pub(crate) problems: Vec<Arc<Error>>,
}

impl Discovered {
    /// The skills, by name.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &DiscoveredSkill> + DoubleEndedIterator {
        self.0.skills.iter().map(|skill| &**skill)
    }

    /// The skill `name`.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&DiscoveredSkill> {
        self.0
            .skills
            .binary_search_by(|skill| skill.name().cmp(name))
            .ok()
            .map(|at| &*self.0.skills[at])
    }

    /// The skills, for whoever keeps them.
    pub(crate) fn shared(&self) -> impl Iterator<Item = &Arc<DiscoveredSkill>> {
        self.0.skills.iter()
    }

    /// The problems, for whoever keeps them.
    pub(crate) fn shared_problems(&self) -> impl Iterator<Item = Arc<Error>> {
        self.0.problems.iter().map(Arc::clone)
    }

    /// What was left out, and why: skills that cannot be read, or that another one hides, and roots that are not there.
    pub fn problems(&self) -> impl ExactSizeIterator<Item = &Error> {
        self.0.problems.iter().map(|problem| &**problem)
    }
}
