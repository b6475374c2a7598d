//! The skills found in directories.

use crate::{
    DiskSkill, Error,
    enabled::SharedEnabled,
    error::{ExceededLimit, Problem},
    file_version::FileVersion,
    frontmatter,
    load::{absolute, insert},
    rooted_dir::RootedDir,
    search::LazyIndex,
    skill_files::SkillFiles,
};
use helix_skills_format::{Code, Finding, Limits};
use helix_skills_runtime::{Profile, SearchOptions, Skill};
use std::{
    iter,
    path::{Path, PathBuf},
    slice,
    sync::Arc,
    vec,
};

/// A skill found in a directory: its frontmatter and its path, without the body and other files.
#[derive(Clone, Debug)]
pub struct DiscoveredSkill {
    pub(crate) skill: Skill,
    pub(crate) skill_md: PathBuf,
    pub(crate) kind: Option<Arc<str>>,
    pub(crate) findings: Vec<Finding>,
    /// The version of its `SKILL.md`.
    pub(crate) version: FileVersion,
    /// The directory that it is read in: its root, or the one that has the target of a link.
    pub(crate) root: Arc<Path>,
    /// The path of its directory in `root`.
    pub(crate) inner: String,
    /// The name of its directory, which for a link is that of the link.
    pub(crate) directory: String,
    /// The file name of its `SKILL.md`, which may be in lower case.
    pub(crate) file: &'static str,
    pub(crate) profile: Profile,
    pub(crate) limits: Limits,
    pub(crate) enabled: SharedEnabled,
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
    pub fn metadata(&self) -> &Skill {
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

    /// Returns whether agents get this skill now; see
    /// [`Directories::enabled`](crate::Directories::enabled).
    #[must_use]
    pub fn is_enabled(&self) -> bool {
        self.enabled.is_enabled(self.name())
    }

    /// Loads the whole skill, with the contents of all its files.
    ///
    /// Accepts what the scan accepted: unlike [`load_skill`](crate::load_skill), it does not check
    /// the rules for authors. The findings are those of the skill, and files that are left out.
    ///
    /// ```
    /// use helix_skills_host::Directories;
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let path = folder.path();
    /// # std::fs::create_dir(path.join("vercel-deploy")).unwrap();
    /// # let text = "---\nname: vercel-deploy-claimable\ndescription: Deploys.\n---\nRun it.\n";
    /// # std::fs::write(path.join("vercel-deploy/SKILL.md"), text).unwrap();
    /// for found in &Directories::new().root(path).discover()? {
    ///     let loaded = found.load()?;
    ///     assert_eq!(loaded.skill.body(), "Run it.");
    /// }
    /// # Ok::<(), helix_skills_host::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the skill is gone, is no longer valid, or exceeds the limits of the directories.
    pub fn load(&self) -> Result<DiskSkill, Error> {
        let gone = || Problem::Missing.at(self.skill_md.clone());
        let root = RootedDir::open(&self.root)?;
        let (mut skill, files) = self.read(&root, self.profile, &self.limits)?.ok_or_else(gone)?;
        let mut sum = 0;
        for path in &files.paths {
            let file = root.open_file(&Path::new(&self.inner).join(path))?;
            let content = file.read_whole(self.limits.bytes_per_file)?;
            sum += content.len() as u64;
            if sum > self.limits.bytes_per_skill {
                let (exceeded, limit) =
                    (ExceededLimit::SkillBytes(sum), self.limits.bytes_per_skill);
                return Err(Problem::Limit { exceeded, limit }.at(self.path()));
            }
            insert(&mut skill, &root, &self.inner, path, content)?;
        }
        let findings = self.findings.iter().cloned().chain(files.left_out).collect();
        Ok(DiskSkill { skill, findings })
    }

    /// Reads the `SKILL.md` and lists the other files. Returns `None` if another skill is there.
    ///
    /// # Errors
    /// If its `SKILL.md` is no longer valid, with the position of each mistake, or cannot be read.
    pub(crate) fn read(
        &self,
        root: &RootedDir,
        profile: Profile,
        limits: &Limits,
    ) -> Result<Option<(Skill, SkillFiles)>, Error> {
        let bytes = root.open_file(&self.inner_skill_md())?.read_whole(limits.bytes_per_file)?;
        let parsed = frontmatter::parse(&bytes, Some(&self.directory), self.file, profile);
        let parsed =
            parsed.map_err(|findings| Problem::Invalid { findings }.at(self.skill_md.clone()))?;
        if parsed.skill.name.as_str() != self.name() {
            return Ok(None);
        }
        let text = std::str::from_utf8(&bytes).unwrap_or_default(); // it was parsed
        let mut skill = parsed.skill.to_skill(text);
        skill.set_directory(absolute(self.path())?);
        let files = SkillFiles::list(root, &self.inner, self.file, limits)?;
        Ok(Some((skill, files)))
    }

    /// Returns how closely its text and its directory have its name: the text first, because a name
    /// like `Deploy Service` is only read as `deploy-service`.
    pub(crate) fn name_match(&self) -> (bool, bool) {
        let is_changed = self.findings.iter().any(|finding| finding.code == Code::NameCharacter);
        (!is_changed, self.directory == self.name())
    }

    /// Returns whether it was found by a link into another directory.
    pub(crate) fn is_linked(&self) -> bool {
        self.root.join(&self.inner) != self.path()
    }

    /// Returns the path of its `SKILL.md` in `root`.
    pub(crate) fn inner_skill_md(&self) -> PathBuf {
        Path::new(&self.inner).join(self.file)
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
    profile: Profile,
    index: LazyIndex,
}

impl Contents {
    pub(crate) fn new(
        skills: Vec<Arc<DiscoveredSkill>>,
        problems: Vec<Arc<Error>>,
        profile: Profile,
    ) -> Self {
        Self { skills, problems, profile, index: LazyIndex::default() }
    }
}

impl Discovered {
    /// Returns the skills, sorted by name.
    pub fn iter(&self) -> <&Self as IntoIterator>::IntoIter {
        self.into_iter()
    }

    /// Returns the number of skills.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.skills.len()
    }

    /// Returns whether there are no skills.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
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
    /// their scores. In [`Profile::DeepAgents`], words match whole words only, unless the options
    /// set [`prefix`](SearchOptions::prefix).
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
        let is_deep_agents = self.0.profile == Profile::DeepAgents;
        let hits = self.0.index.search(skills, query, &options.or_prefix(!is_deep_agents), limit);
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

impl<'d> IntoIterator for &'d Discovered {
    type Item = &'d DiscoveredSkill;
    type IntoIter = iter::Map<
        slice::Iter<'d, Arc<DiscoveredSkill>>,
        fn(&'d Arc<DiscoveredSkill>) -> Self::Item,
    >;

    fn into_iter(self) -> Self::IntoIter {
        self.0.skills.iter().map(|skill| &**skill)
    }
}

impl IntoIterator for Discovered {
    type Item = DiscoveredSkill;
    type IntoIter = vec::IntoIter<DiscoveredSkill>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter().cloned().collect::<Vec<_>>().into_iter()
    }
}
