//! The skills found in directories.

use crate::{
    Error,
    error::Problem,
    file_version::FileVersion,
    frontmatter,
    load::{absolute, insert},
    rooted_dir::{OpenFile, RootedDir},
    search::LazyIndex,
    skill_files::{SkillFiles, SkillUsage},
};
use helix_skills_format::{Code, Finding, Limits, Parsed};
use helix_skills_runtime::{__internal::build_unchecked, Profile, SearchOptions, Skill, Toolbox};
use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

/// A skill found in a directory: its frontmatter and its path, without the body and other files.
#[derive(Clone, Debug)]
pub struct DiscoveredSkill {
    pub(crate) skill: Skill,
    pub(crate) skill_md: PathBuf,
    pub(crate) kind: Option<Arc<str>>,
    /// The path of its `SKILL.md` in a sandbox.
    pub(crate) sandbox: Option<String>,
    pub(crate) findings: Vec<Finding>,
    /// The version of its `SKILL.md`.
    pub(crate) version: FileVersion,
    /// The directory below which it is read: its root, or the directory that a link leads into.
    pub(crate) root: Arc<Path>,
    /// The path of its directory in `root`.
    pub(crate) inner: String,
    /// The name of its directory, or of the link to its directory.
    pub(crate) directory: String,
    /// The file name of its `SKILL.md`, which may be in lower case.
    pub(crate) file: &'static str,
    pub(crate) profile: Profile,
    pub(crate) limits: Limits,
}

impl DiscoveredSkill {
    /// Returns the name.
    #[must_use]
    pub fn name(&self) -> &str {
        self.skill.name()
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

    /// Returns the path of its `SKILL.md` in the sandbox, if it is one of the
    /// [mounted](crate::Directories::mount) skills.
    #[must_use]
    pub fn sandbox(&self) -> Option<&str> {
        self.sandbox.as_deref()
    }

    /// Returns the warnings about the frontmatter.
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// Loads the whole skill, with the contents of all its files.
    ///
    /// Accepts what the scan accepted: unlike [`load_skill`](crate::load_skill), it does not check
    /// the rules for authors. The findings are the findings of the skill, and files that are left
    /// out.
    ///
    /// ```
    /// use helix_skills_host::Directories;
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let path = folder.path();
    /// # std::fs::create_dir(path.join("vercel-deploy")).unwrap();
    /// # let text = "---\nname: vercel-deploy-claimable\ndescription: Deploys.\n---\nRun it.\n";
    /// # std::fs::write(path.join("vercel-deploy/SKILL.md"), text).unwrap();
    /// for found in Directories::new().root(path).discover()?.iter() {
    ///     let loaded = found.load()?;
    ///     assert_eq!(loaded.value.body(), "Run it.");
    /// }
    /// # Ok::<(), helix_skills_host::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the skill is gone, is no longer valid, or exceeds the limits of the directories.
    pub fn load(&self) -> Result<Parsed<Skill>, Error> {
        let mut unlimited = u64::MAX;
        let (skill, left_out) = self.load_within(&mut unlimited)?;
        Ok(Parsed::new(skill, self.findings.iter().cloned().chain(left_out).collect()))
    }

    /// Like [`load`](Self::load), and subtracts the size of the skill from `remaining`. Also
    /// returns findings about files that are left out.
    ///
    /// # Errors
    /// As for [`load`](Self::load), and if the skill exceeds `remaining`.
    pub(crate) fn load_within(&self, remaining: &mut u64) -> Result<(Skill, Vec<Finding>), Error> {
        let (mut skill, files) = self.read(self.profile)?;
        let mut usage = SkillUsage::new(self.path(), &self.limits);
        let check_remaining = |bytes| match bytes > *remaining {
            true => {
                let excess = "more bytes than are left for one load".to_owned();
                let hint = "load fewer skills into one registry, or remove large files".to_owned();
                Err(Problem::Limit { excess, limit: *remaining, hint }.at(self.path()))
            }
            false => Ok(()),
        };
        let skill_md = skill.skill_md().iter().map(|piece| piece.len() as u64).sum();
        usage.add(self.file, skill_md)?;
        check_remaining(usage.bytes)?;
        for path in &files.paths {
            let content = self.content(path, self.profile)?;
            let content = content.ok_or_else(|| Problem::Missing.at(self.path().join(path)))?;
            usage.add(path, content.len() as u64)?;
            check_remaining(usage.bytes)?;
            insert(&mut skill, self.path(), path, content)?;
        }
        *remaining -= usage.bytes;
        Ok((skill, files.left_out))
    }

    /// Reads the `SKILL.md` and lists the other files.
    ///
    /// # Errors
    /// [`Problem::Missing`] if the skill is gone, or another one is there. If its `SKILL.md` is no
    /// longer valid, with the position of each mistake, or cannot be read.
    pub(crate) fn read(&self, profile: Profile) -> Result<(Skill, SkillFiles), Error> {
        let (root, file) = self.open()?;
        let bytes = file.read_whole(self.limits.bytes_per_file)?;
        let parsed = frontmatter::parse(&bytes, Some(&self.directory), self.file, profile);
        let parsed =
            parsed.map_err(|findings| Problem::Invalid { findings }.at(self.skill_md.clone()))?;
        if parsed.value.name.as_str() != self.name() {
            return Err(self.gone());
        }
        let text = std::str::from_utf8(&bytes).unwrap_or_default(); // it was parsed
        let mut skill = parsed.value.to_skill(text);
        skill.set_directory(absolute(self.path())?);
        Ok((skill, SkillFiles::list(&root, &self.inner, self.file, &self.limits)?))
    }

    /// Returns the content of a file, if the skill has such a file.
    ///
    /// # Errors
    /// [`Problem::Missing`] if the skill is gone.
    pub(crate) fn content(&self, path: &str, profile: Profile) -> Result<Option<Vec<u8>>, Error> {
        match self.open_root(profile)?.open_file(&Path::new(&self.inner).join(path)) {
            Err(error) if error.is_missing() => Ok(None),
            file => file?.read_whole(self.limits.bytes_per_file).map(Some),
        }
    }

    /// Opens the root of the skill, if the skill is still in its directory. Meanwhile a skill of
    /// another name may have been moved there, possibly one that is not
    /// [enabled](crate::Directories::enabled).
    ///
    /// # Errors
    /// [`Problem::Missing`] if the skill is gone.
    pub(crate) fn open_root(&self, profile: Profile) -> Result<RootedDir, Error> {
        let (root, mut file) = self.open()?;
        if file.version != self.version {
            match frontmatter::metadata(&mut file, Some(&self.directory), self.file, profile) {
                Ok((parsed, _)) if parsed.value.name.as_str() == self.name() => {}
                Err(error) if error.findings().is_empty() => return Err(error),
                Ok(_) | Err(_) => return Err(self.gone()),
            }
        }
        Ok(root)
    }

    /// Opens the root of the skill, and its `SKILL.md`.
    fn open(&self) -> Result<(RootedDir, OpenFile), Error> {
        let root = RootedDir::open(&self.root)?;
        let file = root.open_file(&self.inner_skill_md())?;
        Ok((root, file))
    }

    fn gone(&self) -> Error {
        Problem::Missing.at(self.skill_md.clone())
    }

    /// Returns whether its frontmatter has exactly its name, and whether its directory has it. The
    /// frontmatter may differ because a name such as `Deploy Service` is read as `deploy-service`.
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

/// The skills of all directories at one moment, or those in a sandbox, one for each name.
///
/// Later changes on disk do not affect it. A clone is cheap.
#[derive(Clone, Debug, Default)]
pub struct Discovered(pub(crate) Arc<Contents>);

#[derive(Debug, Default)]
pub(crate) struct Contents {
    /// Sorted by the bytes of the name.
    pub(crate) skills: Vec<Arc<DiscoveredSkill>>,
    pub(crate) problems: Vec<Error>,
    pub(crate) profile: Profile,
    pub(crate) index: LazyIndex,
}

impl Discovered {
    /// Returns the skills, sorted by name.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &DiscoveredSkill> + Clone {
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

    /// Returns the skills whose names and descriptions match `query` best, best first, with their
    /// scores. Only skills that models may load are found.
    ///
    /// ```
    /// use helix_skills::search::SearchOptions;
    /// use helix_skills_host::Directories;
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let path = folder.path();
    /// # std::fs::create_dir(path.join("pdf")).unwrap();
    /// # let text = "---\nname: pdf\ndescription: Reads PDF files.\n---\nUse it.\n";
    /// # std::fs::write(path.join("pdf/SKILL.md"), text).unwrap();
    /// let found = Directories::new().root(path).discover()?;
    /// for (skill, score) in found.search("read a file", &SearchOptions::new()) {
    ///     println!("{score:.2} {} {}", skill.name(), skill.skill_md().display());
    /// }
    /// # assert_eq!(found.search("read a file", &SearchOptions::new()).len(), 1);
    /// # Ok::<(), helix_skills_host::Error>(())
    /// ```
    #[must_use]
    pub fn search(&self, query: &str, options: &SearchOptions) -> Vec<(&DiscoveredSkill, f64)> {
        let set = self.0.index.set(self.iter().map(|skill| &skill.skill));
        let toolbox = build_unchecked(Toolbox::builder(set).profile(self.0.profile));
        let hits = toolbox.search(query, options).into_iter();
        hits.filter_map(|hit| Some((self.get(hit.skill.name())?, hit.score))).collect()
    }

    /// Returns what was left out, and why: skills that cannot be read or are hidden by another one,
    /// and missing roots.
    #[must_use]
    pub fn problems(&self) -> &[Error] {
        &self.0.problems
    }
}
