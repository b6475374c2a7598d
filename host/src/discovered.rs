//! The skills found in directories.

use crate::{Error, file_version::FileVersion, search::LazyIndex};
use helix_skills_format::{Code, Finding};
use helix_skills_runtime::{SearchOptions, SkillBuf};
use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

/// A skill found in a directory: its frontmatter and its path, without the body and other files.
#[derive(Clone, Debug)]
pub struct DiscoveredSkill {
    pub(crate) skill: SkillBuf,
    pub(crate) skill_md: PathBuf,
    pub(crate) kind: Option<Arc<str>>,
    pub(crate) findings: Vec<Finding>,
    /// The version of its `SKILL.md`.
    pub(crate) version: FileVersion,
    /// The root that it was found in.
    pub(crate) root: Arc<Path>,
    /// The name of its directory in the root.
    pub(crate) directory: String,
    /// The file name of its `SKILL.md`, which may be in lower case.
    pub(crate) file: &'static str,
}

impl DiscoveredSkill {
    /// Returns the name.
    #[must_use]
    pub fn name(&self) -> &str {
        self.skill.name()
    }

    /// Returns the description: what the skill does and when to use it.
    #[must_use]
    pub fn description(&self) -> &str {
        self.skill.description()
    }

    /// Returns the frontmatter as a skill without a body.
    #[must_use]
    pub fn metadata(&self) -> &SkillBuf {
        &self.skill
    }

    /// Returns the directory of the skill.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.skill_md.parent().unwrap_or(&self.skill_md)
    }

    /// Returns the path of its `SKILL.md`.
    #[must_use]
    pub fn skill_md(&self) -> &Path {
        &self.skill_md
    }

    /// Returns the kind of its root, set with [`Root::kind`](crate::Root::kind).
    #[must_use]
    pub fn kind(&self) -> Option<&str> {
        self.kind.as_deref()
    }

    /// Returns the warnings about the frontmatter.
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// Returns how closely its text and its directory have its name: the text first, because a name
    /// like `Deploy Service` is only read as `deploy-service`.
    pub(crate) fn name_match(&self) -> (bool, bool) {
        let is_changed = self.findings.iter().any(|finding| finding.code == Code::NameCharacter);
        (!is_changed, self.directory == self.name())
    }

    /// Returns the path of its `SKILL.md`, relative to the root.
    pub(crate) fn inner(&self) -> PathBuf {
        Path::new(&self.directory).join(self.file)
    }
}

/// The skills of all directories at one moment, one for each name.
///
/// Later changes on disk do not affect it. A clone is cheap.
#[derive(Clone, Debug, Default)]
pub struct Discovered(pub(crate) Arc<Contents>);

#[derive(Debug, Default)]
pub(crate) struct Contents {
    /// Sorted by the bytes of the name.
    pub(crate) skills: Vec<Arc<DiscoveredSkill>>,
    pub(crate) problems: Vec<Arc<Error>>,
    index: LazyIndex,
}

impl Contents {
    pub(crate) fn new(skills: Vec<Arc<DiscoveredSkill>>, problems: Vec<Arc<Error>>) -> Self {
        Self { skills, problems, index: LazyIndex::default() }
    }
}

impl Discovered {
    /// Returns the skills, sorted by name.
    pub fn iter(
        &self,
    ) -> impl ExactSizeIterator<Item = &DiscoveredSkill> + DoubleEndedIterator + Clone {
        self.0.skills.iter().map(|skill| &**skill)
    }

    /// Returns the skill with this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&DiscoveredSkill> {
        self.0
            .skills
            .binary_search_by(|skill| skill.name().cmp(name))
            .ok()
            .map(|at| &*self.0.skills[at])
    }

    /// Returns up to `limit` skills whose names and descriptions match `query`, best first, with
    /// their scores.
    ///
    /// ```
    /// use helix_skills::search::{Hit, SearchOptions};
    /// use helix_skills_host::Directories;
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let path = folder.path();
    /// # std::fs::create_dir(path.join("pdf")).unwrap();
    /// # let text = "---\nname: pdf\ndescription: Reads PDF files.\n---\nUse it.\n";
    /// # std::fs::write(path.join("pdf/SKILL.md"), text).unwrap();
    /// let found = Directories::new().root(path).discover()?;
    /// for (skill, score) in found.search("read a file", &SearchOptions::new(), Hit::TOP) {
    ///     println!("{score:.2} {} {}", skill.name(), skill.skill_md().display());
    /// }
    /// # assert_eq!(found.search("read a file", &SearchOptions::new(), Hit::TOP).len(), 1);
    /// # Ok::<(), helix_skills_host::Error>(())
    /// ```
    #[must_use]
    pub fn search(
        &self,
        query: &str,
        options: &SearchOptions<'_>,
        limit: usize,
    ) -> Vec<(&DiscoveredSkill, f64)> {
        let skills = self.iter().map(|skill| (skill.name(), skill.description()));
        let hits = self.0.index.search(skills, query, options, limit);
        let found =
            hits.iter().filter_map(|hit| Some((self.0.skills.get(hit.document)?, hit.score)));
        found.map(|(skill, score)| (&**skill, score)).collect()
    }

    /// Returns shared references to the skills.
    pub(crate) fn shared(&self) -> impl Iterator<Item = &Arc<DiscoveredSkill>> {
        self.0.skills.iter()
    }

    /// Returns shared references to the problems.
    pub(crate) fn shared_problems(&self) -> impl Iterator<Item = Arc<Error>> {
        self.0.problems.iter().map(Arc::clone)
    }

    /// Returns what was left out, and why: skills that cannot be read or are hidden by another one,
    /// and missing roots.
    pub fn problems(&self) -> impl ExactSizeIterator<Item = &Error> {
        self.0.problems.iter().map(|problem| &**problem)
    }
}
