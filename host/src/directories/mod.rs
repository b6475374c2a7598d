//! A provider of the skills in one or several directories.

mod mount;
mod provider;
mod scan;

pub use mount::{MountedSkills, Upload};
pub(crate) use provider::warnings_of;

use crate::{Discovered, Error, Root, home, lock::lock};
use helix_skills_format::Limits;
use helix_skills_runtime::Profile;
use scan::{Scan, ScanSettings};
use std::{
    collections::HashMap,
    fmt,
    path::PathBuf,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

/// The skills of one or several directories, read on demand and again when they change.
///
/// - A skill is a direct subdirectory of a [`Root`] with a `SKILL.md` (or `skill.md`). Names that
///   begin with a dot are ignored, because editors and version control use them.
/// - If two skills have the same name, the one in the root that was added last takes precedence.
///   Within a root, a skill whose frontmatter has exactly this name takes precedence, then a skill
///   whose directory has it, then the first one in the order of the directories' names. The other
///   skill is a [problem](Discovered::problems), unless it is a link to the first. A skill that
///   cannot be read is also a problem. Problems do not affect other skills.
/// - What `skills sync` warns about, such as a name that differs from the directory, is one of the
///   skill's [findings](crate::DiscoveredSkill::findings), and a warning of the toolbox.
/// - Skills are read by the rules of the profile, also those in the store of a project. Names,
///   selections and digests of its lockfile do not apply, and a skill to which `skills sync` gave a
///   name or a description can be a problem. `include_skills!` and `Project::read_skills` read a
///   store as it was locked.
/// - A missing root is a problem, not an error: a mistyped path is reported, but an agent starts
///   without `~/.claude/skills`.
/// - Directories are scanned when skills are first requested, then at most every two seconds
///   ([`cool_down`](Self::cool_down)). A scan reads only files that have changed, and of those only
///   the frontmatter. Bodies and other files are read when they are loaded, and are not kept.
/// - Leftovers of editors and systems are not part of a skill, nor are files that no skill can
///   have: those with other names, links out of the root, and pipes. Because a scan reads no
///   file names, the latter have no warning; [`load_skill`](crate::load_skill) and
///   [`SharedRegistry::load`](crate::SharedRegistry::load) report them.
/// - Links may lead anywhere within their root. A skill may also be a link to a directory in
///   another root or in a directory of [`follow_links_into`](Self::follow_links_into), as coding
///   agents create them. Any other link that leaves its root is refused.
/// - The frontmatter of all skills of a root is limited to 16 MiB, to which each directory adds 256
///   bytes. If a root exceeds it, the whole root is a problem.
/// - If a file is written while it is read, it is read again. A file that is replaced in one step
///   (written elsewhere, then renamed) is always one version or the other.
///
/// The futures of this [`Provider`](helix_skills_agent::Provider) are ready at once: they read the
/// disk on the polling thread, about ten microseconds for each skill. With thousands of skills or a
/// slow disk, call [`discover`](Self::discover) on a blocking thread before a conversation begins
/// (in tokio `spawn_blocking`, with the directories in an [`Arc`]). Within the cool-down after
/// that, only what is loaded is read.
///
/// ```
/// use helix_skills_host::Directories;
/// use helix_skills::AsyncToolbox;
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path();
/// # std::fs::create_dir(path.join("pdf")).unwrap();
/// # let text = "---\nname: pdf\ndescription: Reads PDF files.\n---\nUse it.\n";
/// # std::fs::write(path.join("pdf/SKILL.md"), text).unwrap();
/// # std::fs::create_dir(path.join("broken")).unwrap();
/// # std::fs::write(path.join("broken/SKILL.md"), "---\nname: broken\n---\n").unwrap();
///
/// let directories = Directories::new().root(path);
/// # pollster::block_on(async {
/// let toolbox = AsyncToolbox::builder(directories).build().await?;
/// assert!(toolbox.catalog().ends_with("\n- pdf: Reads PDF files.\n"));
/// let warning = toolbox.warnings()[0].to_string();
/// assert!(warning.ends_with("broken/SKILL.md:1:1` is left out: `description` is missing"));
/// # Ok::<(), helix_skills::Error>(())
/// # }).unwrap();
/// ```
#[must_use = "directories are only read on demand"]
pub struct Directories {
    roots: Vec<Root>,
    /// Directories that links to skills may lead into, in addition to the roots.
    targets: Vec<PathBuf>,
    home: Option<PathBuf>,
    limits: Limits,
    profile: Profile,
    cool_down: Duration,
    now: Box<dyn Fn() -> Instant + Send + Sync>,
    enabled: Box<dyn Fn(&str) -> bool + Send + Sync>,
    /// The time and the last scan for each reading mode that was requested.
    scans: Mutex<HashMap<Profile, (Instant, Arc<Scan>)>>,
}

impl Default for Directories {
    fn default() -> Self {
        Self::new()
    }
}

impl Directories {
    /// Creates a provider without directories.
    pub fn new() -> Self {
        Self {
            roots: Vec::new(),
            targets: Vec::new(),
            home: None,
            limits: Limits::default(),
            profile: Profile::default(),
            cool_down: Duration::from_secs(2),
            now: Box::new(Instant::now),
            enabled: Box::new(|_| true),
            scans: Mutex::default(),
        }
    }

    /// Adds a root. Its skills take precedence over skills of the same name in earlier roots, so
    /// that a project or a user can replace a shared skill. `Providers` has the opposite order,
    /// because there the first one is reviewed.
    pub fn root(mut self, root: impl Into<Root>) -> Self {
        self.roots.push(root.into());
        self.reset()
    }

    /// Follows links to skills that lead into the directory at `path`, in addition to links that
    /// lead into other roots. The directory is not a root: its skills are only found through links.
    ///
    /// ```
    /// use helix_skills_host::Directories;
    /// // Such as `.claude/skills/pdf`, a link to `../../.agents/skills/pdf`.
    /// let skills = Directories::new().root(".claude/skills").follow_links_into(".agents/skills");
    /// ```
    pub fn follow_links_into(mut self, path: impl Into<PathBuf>) -> Self {
        self.targets.push(path.into());
        self.reset()
    }

    /// Sets the directory that `~` expands to, instead of the home directory of the current user.
    pub fn home(mut self, path: impl Into<PathBuf>) -> Self {
        self.home = Some(path.into());
        self.reset()
    }

    /// Sets how many files a skill may have, how large they may be and how deeply nested. Defaults
    /// to the manifest's limits.
    ///
    /// Files are counted when a skill is loaded, because a scan does not read the directories of
    /// skills.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self.reset()
    }

    /// Sets the profile for [`discover`](Self::discover), and for loading into a
    /// [registry](crate::SharedRegistry::load). A toolbox or a run uses its own profile.
    ///
    /// It determines what a `SKILL.md` may omit: in [`Profile::SkillUse`] a missing description
    /// is an empty one, in [`Profile::ClaudeCode`] it is the first paragraph of the body. In these
    /// two profiles, names are optional and may differ from the names of the directories. In all
    /// others, name and description are required: without one, the skill is a
    /// [problem](Discovered::problems).
    ///
    /// In [`Profile::Agentick`] the rules for authors apply to the frontmatter, as for
    /// [`load_skill`](crate::load_skill): the name has to be portable, and the directory's.
    /// In [`Profile::DeepAgents`] it may be any text: `Deploy Service` is loaded as
    /// `deploy-service`. In [`Profile::Helix`] and [`Profile::DeerFlow`], a name that differs from
    /// the directory or is not portable is a warning.
    pub fn profile(mut self, profile: Profile) -> Self {
        self.profile = profile;
        self.reset()
    }

    /// Sets which skills are enabled, for example by an [`EnabledFile`](crate::EnabledFile). Skills
    /// that are not enabled are still returned by [`discover`](Self::discover), but no agent gets
    /// them.
    ///
    /// `is_enabled` gets the name of a skill. It is called for every request, so that the result
    /// may change over time.
    pub fn enabled(mut self, is_enabled: impl Fn(&str) -> bool + Send + Sync + 'static) -> Self {
        self.enabled = Box::new(is_enabled);
        self.reset()
    }

    /// Sets the minimum time between two scans; two seconds by default. With zero, every request
    /// scans.
    pub fn cool_down(mut self, cool_down: Duration) -> Self {
        self.cool_down = cool_down;
        self
    }

    /// Sets the clock for the cool-down, in tests.
    #[doc(hidden)]
    pub fn clock(mut self, now: impl Fn() -> Instant + Send + Sync + 'static) -> Self {
        self.now = Box::new(now);
        self
    }

    /// Returns the result of the last scan, or of a new one if the cool-down has passed: names,
    /// descriptions, paths and problems. Includes skills that are not [enabled](Self::enabled).
    ///
    /// # Errors
    /// If a root begins with `~` and the home directory is not known. All other errors are
    /// [problems](Discovered::problems).
    pub fn discover(&self) -> Result<Discovered, Error> {
        Ok(self.scan(self.profile, false)?.discovered.clone())
    }

    /// Returns whether agents get a skill with this name, if there is one.
    pub(crate) fn is_enabled(&self, name: &str) -> bool {
        (self.enabled)(name)
    }

    /// Returns the last scan, however old. Scans if there is none yet.
    fn last_scan(&self, profile: Profile) -> Result<Arc<Scan>, Error> {
        let last = lock(&self.scans).get(&reading_mode(profile)).map(|(_, scan)| scan.clone());
        last.map_or_else(|| self.scan(profile, false), Ok)
    }

    /// Returns the last scan, or a new one if the cool-down has passed or `force` is set.
    fn scan(&self, profile: Profile, force: bool) -> Result<Arc<Scan>, Error> {
        let profile = reading_mode(profile);
        // A scan that panicked did not replace anything.
        let mut scans = lock(&self.scans);
        let now = (self.now)();
        let previous = scans.get(&profile);
        if let Some((at, scan)) = previous
            && !force
            && now.saturating_duration_since(*at) < self.cool_down
        {
            return Ok(Arc::clone(scan));
        }
        let roots = self.roots()?;
        let targets = self.targets.iter();
        let targets = targets.filter_map(|path| home::expand(path, self.home.as_deref()).ok());
        let targets = targets.chain(roots.iter().map(|(_, path)| path.clone()));
        let targets = targets.filter_map(|path| dunce::canonicalize(path).ok()).collect();
        let settings = ScanSettings { profile, limits: self.limits, targets };
        let previous = previous.map(|(_, scan)| &**scan);
        let scan = Arc::new(Scan::new(&roots, &settings, previous));
        scans.insert(profile, (now, Arc::clone(&scan)));
        Ok(scan)
    }

    /// Returns the roots with their paths, except optional ones in a home directory that is not
    /// known.
    fn roots(&self) -> Result<Vec<(&Root, PathBuf)>, Error> {
        let home = self.home.as_deref();
        let paths = self.roots.iter().map(|root| (root, home::expand(&root.path, home)));
        let known = paths.filter(|(root, path)| path.is_ok() || !root.is_optional);
        known.map(|(root, path)| Ok((root, path?))).collect()
    }

    /// Drops scans that were made with other settings.
    fn reset(mut self) -> Self {
        self.scans = Mutex::default();
        self
    }
}

/// Returns the profile that represents all profiles that read a `SKILL.md` in the same way.
const fn reading_mode(profile: Profile) -> Profile {
    match profile {
        Profile::DeerFlow => Profile::Helix,
        _ => profile,
    }
}

impl fmt::Debug for Directories {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Directories")
            .field("roots", &self.roots)
            .field("targets", &self.targets)
            .field("limits", &self.limits)
            .field("profile", &self.profile)
            .field("cool_down", &self.cool_down)
            .finish_non_exhaustive()
    }
}
