//! Skills of this machine in a sandbox: what to upload, and what the model is told of it.

mod files;
mod mounted;
mod sandbox_path;

pub use files::{LeftOut, LeftOutReason, Upload};
pub use mounted::{MountedSkills, SkillPathMapping};

use crate::{Directories, DiscoveredSkill, Error, MountError, Root, home, rooted_dir::RootedDir};
use files::{Files, Listed};
use helix_skills_format::Limits;
use helix_skills_runtime::Profile;
use sandbox_path::SandboxPath;
use std::{
    collections::BTreeMap,
    fmt,
    path::{Path, PathBuf},
    sync::Arc,
};

/// Directories of skills, and where each lies in a sandbox: what Deep Agents call a sandbox with skills.
///
/// The mounts are the one source of what there is: what is uploaded is what the fragment tells, and what a guard knows. A skill
/// that is left out is in none of them.
///
/// - Skills are found as by [`Directories`]: one level below each host directory, `~` expanded. Of two of one name, that of the
///   mount that was given last counts, with a warning.
/// - Of a skill every file is uploaded but those whose name begins with a dot and links, which are
///   [told](MountedSkills::left_out). Files that lie beside the skills are not.
/// - A sandbox path is absolute, as `/skills`, and none lies inside another's. Two mounts may share one.
///
/// ```
/// use helix_skills_host::Mounts;
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("skills");
/// # std::fs::create_dir_all(path.join("deploy/scripts")).unwrap();
/// # std::fs::write(path.join("deploy/SKILL.md"), "---\nname: deploy\ndescription: Deploys to production.\n---\nRun it.\n").unwrap();
/// # std::fs::write(path.join("deploy/scripts/run.sh"), "exit 0\n").unwrap();
/// let mounted = Mounts::new().mount(&path, "/skills").open()?;
/// for file in mounted.uploads() {
///     let content = file.read()?; // below the directory, and only now
///     println!("{} <- {} bytes", file.sandbox(), content.len());
/// }
/// let prompt = format!("You are an agent.\n\n{}", mounted.fragment());
/// assert!(prompt.contains("name: deploy\npath: /skills/deploy/SKILL.md\ndescription: Deploys to production.\n"));
/// assert_eq!(mounted.skills()[0].sandbox, "/skills/deploy/SKILL.md");
///
/// // Of each call of a tool, before it is answered.
/// let mistake = mounted.view(|skills| skills.skill_as_tool("deploy", ["bash"]).map(|mistake| mistake.to_string()));
/// assert!(mistake.unwrap().ends_with("Read `/skills/deploy/SKILL.md`, and follow it."));
/// # Ok::<(), helix_skills_host::Error>(())
/// ```
#[derive(Default)]
#[must_use = "nothing is read before it is opened"]
pub struct Mounts {
    mounts: Vec<(PathBuf, String)>,
    home: Option<PathBuf>,
    limits: Limits,
    filter: Option<Box<Filter>>,
}

type Filter = dyn Fn(&DiscoveredSkill) -> bool + Send + Sync;

impl Mounts {
    /// None.
    pub fn new() -> Self {
        Self::default()
    }

    /// With the skills of the directory `host`, each at `sandbox/DIRECTORY/` in the sandbox.
    pub fn mount(mut self, host: impl Into<PathBuf>, sandbox: impl Into<String>) -> Self {
        self.mounts.push((host.into(), sandbox.into()));
        self
    }

    /// Only skills that `filter` is true of: others are neither uploaded nor told. It sees a skill of each name, the one that
    /// counts.
    ///
    /// ```
    /// # use helix_skills_host::Mounts;
    /// let mounts = Mounts::new().mount("skills", "/skills").filter(|skill| skill.name() != "internal");
    /// ```
    pub fn filter(
        mut self,
        filter: impl Fn(&DiscoveredSkill) -> bool + Send + Sync + 'static,
    ) -> Self {
        self.filter = Some(Box::new(filter));
        self
    }

    /// What `~` stands for, in the place of the home of the user who runs the program.
    pub fn home(mut self, path: impl Into<PathBuf>) -> Self {
        self.home = Some(path.into());
        self
    }

    /// How large a skill may be; the manifest's limits by default.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Looks at the directories: which skills there are, and which files they have. No content is read but frontmatter.
    ///
    /// # Errors
    /// When a sandbox path is none, or lies inside another's; when `~` has to be expanded and the home directory is not known.
    /// Everything else is among the [problems](MountedSkills::problems).
    pub fn open(&self) -> Result<MountedSkills, Error> {
        let mut places: Vec<Place> = Vec::new();
        let mut directories = Directories::new().profile(Profile::DeepAgents);
        for (host, sandbox) in &self.mounts {
            let refused =
                |source| Error::Mount { path: host.clone(), sandbox: sandbox.clone(), source };
            let checked = SandboxPath::new(sandbox).map_err(refused)?;
            if let Some(other) = places.iter().find(|place| place.sandbox.overlaps(&checked)) {
                return Err(refused(MountError::Overlap(other.sandbox.to_string())));
            }
            let path = home::expanded(host, self.home.as_deref())?;
            directories = directories.root(Root::new(&path));
            places.push(Place { host: path, sandbox: checked });
        }
        let found = directories.discover()?;
        let mut opened = Opened { limits: self.limits, ..Opened::default() };
        opened.problems.extend(found.shared_problems());
        let wanted =
            |skill: &&Arc<DiscoveredSkill>| self.filter.as_ref().is_none_or(|filter| filter(skill));
        for skill in found.shared().filter(wanted) {
            // One directory may be mounted twice.
            if let Some(at) = places.iter().rposition(|place| *place.host == *skill.root) {
                opened.add(skill, at, &places[at]);
            }
        }
        Ok(opened.finished())
    }
}

/// A mount whose paths are known.
struct Place {
    host: PathBuf,
    sandbox: SandboxPath,
}

/// What was found so far.
#[derive(Default)]
struct Opened {
    limits: Limits,
    /// By their directory in the sandbox.
    skills: BTreeMap<String, Mounted>,
    left_out: Vec<LeftOut>,
    problems: Vec<Arc<Error>>,
}

/// A skill with its files.
struct Mounted {
    skill: Arc<DiscoveredSkill>,
    /// The position of its mount.
    mount: usize,
    files: Files,
}

impl Opened {
    fn add(&mut self, skill: &Arc<DiscoveredSkill>, mount: usize, place: &Place) {
        let mut leave_out =
            |path: &Path, reason| self.left_out.push(LeftOut { path: path.to_owned(), reason });
        if skill.metadata().view(|skill| skill.disable_model_invocation()) {
            // Whoever reads files reads this one, too.
            return leave_out(skill.skill_md(), LeftOutReason::NotForModels);
        }
        let files = match RootedDir::open(&skill.root)
            .and_then(|root| Files::of(&root, skill, &place.sandbox, &self.limits))
        {
            Ok(Listed::Whole(files)) => files,
            Ok(Listed::Link(path)) => return leave_out(&path, LeftOutReason::Link),
            Err(error) => return self.problems.push(Arc::new(error)),
        };
        let directory = files.directory.clone();
        let new = Mounted { skill: Arc::clone(skill), mount, files };
        let Some(other) = self.skills.remove(&directory) else {
            self.skills.insert(directory, new);
            return;
        };
        let (wins, hidden) = if other.mount > mount { (other, new) } else { (new, other) };
        let (path, by) = (hidden.skill.skill_md().to_owned(), wins.skill.skill_md().to_owned());
        self.problems.push(Arc::new(Error::Covered { path, by, sandbox: directory.clone() }));
        self.skills.insert(directory, wins);
    }

    fn finished(mut self) -> MountedSkills {
        let mut all: Vec<Mounted> = std::mem::take(&mut self.skills).into_values().collect();
        all.sort_by(|one, other| one.skill.name().cmp(other.skill.name()));
        let mut mounted = MountedSkills {
            problems: self.problems,
            left_out: self.left_out,
            ..MountedSkills::default()
        };
        for Mounted { skill, files, .. } in all {
            mounted.skills.push(SkillPathMapping {
                name: skill.name().to_owned(),
                description: skill.description().to_owned(),
                host: skill.skill_md().to_owned(),
                sandbox: format!("{}/SKILL.md", files.directory),
            });
            mounted.directories.push(files.directory);
            // Each name was found once.
            mounted.set.replace(skill.metadata().clone());
            mounted.uploads.extend(files.uploads);
            mounted.left_out.extend(files.left_out);
        }
        mounted.uploads.sort_by(|one, other| one.sandbox().cmp(other.sandbox()));
        mounted.left_out.sort_by(|one, other| one.path.cmp(&other.path));
        mounted.problems.sort_by(|one, other| one.path().cmp(other.path()));
        mounted
    }
}

impl fmt::Debug for Mounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mounts")
            .field("mounts", &self.mounts)
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}
