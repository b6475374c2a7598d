//! Several directories of skills, as one provider.

mod complete;
mod provider;
mod scan;

use crate::{Discovered, Error, Root, home};
use helix_skills_format::Limits;
use helix_skills_runtime::Profile;
use scan::Scan;
use std::{
    fmt,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

/// The skills of one or several directories, read when they are asked for and again when they change.
///
/// - A skill lies one level below a [`Root`], with a `SKILL.md`; other directories are none. What begins with a dot is not
///   looked at.
/// - Of two skills of one name the one in the root that was given last counts, and in one root the one whose directory has
///   the name, else the first. The other is a [problem](Discovered::problems), as is a skill that cannot be read: neither keeps
///   the rest from working.
/// - The directories are looked at when somebody asks for skills for the first time, then at most every two seconds
///   ([`cool_down`](Self::cool_down)). Only files that have changed are read again, and of those no more than the frontmatter:
///   bodies and other files are read when they are loaded, and never kept.
/// - Links may lead anywhere inside the same root. One that leaves it is refused.
/// - The frontmatter of all skills of a root may have 16 MiB, and each directory counts for 256
///   bytes more. A root that exceeds it is a problem as a whole.
/// - A file that is written while it is read is read again. One that is replaced in one step
///   (written elsewhere, then renamed) is always one version or the other.
///
/// It is a [`Provider`](helix_skills_agent::Provider) whose futures are ready at once: they read the disk on the thread that
/// polls them. A skill takes some ten microseconds, which no asynchronous runtime minds. Where there are thousands of skills, or
/// a slow disk, call [`discover`](Self::discover) on a thread that may wait before a conversation begins (in tokio
/// `spawn_blocking`, with the directories in an [`Arc`]); what follows within the cool-down reads nothing but what is loaded.
///
/// ```
/// use helix_skills_host::Directories;
/// use helix_skills::AsyncToolbox;
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path();
/// # std::fs::create_dir(path.join("pdf")).unwrap();
/// # std::fs::write(path.join("pdf/SKILL.md"), "---\nname: pdf\ndescription: Reads PDF files.\n---\nUse it.\n").unwrap();
/// # std::fs::create_dir(path.join("broken")).unwrap();
/// # std::fs::write(path.join("broken/SKILL.md"), "---\nname: broken\n---\n").unwrap();
///
/// let directories = Directories::new().root(path);
/// # pollster::block_on(async {
/// let toolbox = AsyncToolbox::builder(directories).build().await?;
/// assert!(toolbox.catalog().ends_with("\n- pdf: Reads PDF files.\n"));
/// let warning = toolbox.warnings()[0].to_string();
/// assert!(warning.ends_with("broken/SKILL.md:1:1` is left out: `description` is missing"), "{warning}");
/// # Ok::<(), helix_skills::ToolboxError>(())
/// # }).unwrap();
/// ```
#[must_use = "nothing is read before somebody asks"]
pub struct Directories {
    roots: Vec<Root>,
    home: Option<PathBuf>,
    limits: Limits,
    profile: Profile,
    cool_down: Duration,
    now: Box<dyn Fn() -> Instant + Send + Sync>,
    is_enabled: Box<dyn Fn(&str) -> bool + Send + Sync>,
    /// One for each way of reading that was asked for.
    known: Mutex<Vec<Known>>,
}

/// What was found by one profile's way of reading, and when.
struct Known {
    profile: Profile,
    at: Instant,
    scan: Arc<Scan>,
}

impl Default for Directories {
    fn default() -> Self {
        Self::new()
    }
}

impl Directories {
    /// No directory.
    pub fn new() -> Self {
        Self {
            roots: Vec::new(),
            home: None,
            limits: Limits::default(),
            profile: Profile::default(),
            cool_down: Duration::from_secs(2),
            now: Box::new(Instant::now),
            is_enabled: Box::new(|_| true),
            known: Mutex::default(),
        }
    }

    /// Deer-flow's layout: `path/public`, whose skills are of the [kind](crate::DiscoveredSkill::kind) `public`, and behind it
    /// `path/custom`. Either may be missing.
    ///
    /// ```
    /// use helix_skills_host::{Directories, Root};
    /// let skills = Directories::public_and_custom("skills"); // the same as
    /// let skills = Directories::new()
    ///     .root(Root::new("skills/public").kind("public").optional())
    ///     .root(Root::new("skills/custom").kind("custom").optional());
    /// ```
    pub fn public_and_custom(path: impl AsRef<Path>) -> Self {
        let root = |kind| Root::new(path.as_ref().join(kind)).kind(kind).optional();
        Self::new().root(root("public")).root(root("custom"))
    }

    /// With the skills of another root, which count before those of one name in the roots before it.
    pub fn root(mut self, root: impl Into<Root>) -> Self {
        self.roots.push(root.into());
        self.changed()
    }

    /// What `~` stands for, in the place of the home of the user who runs the program.
    pub fn home(mut self, path: impl Into<PathBuf>) -> Self {
        self.home = Some(path.into());
        self.changed()
    }

    /// How many files a skill may have, how large one may be and how deep it may lie; the manifest's limits by default.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self.changed()
    }

    /// Sets the profile for [`discover`](Self::discover), and for loading into a
    /// [registry](crate::SharedRegistry::load). A toolbox or a run asks in its own profile.
    ///
    /// It decides what a `SKILL.md` may leave out: in [`Profile::SkillUse`] a missing description is an
    /// empty one, in [`Profile::ClaudeCode`] it is the first paragraph of the body; in all others it is
    /// an error.
    pub fn profile(mut self, profile: Profile) -> Self {
        self.profile = profile;
        self.changed()
    }

    /// Which skills there are, by name: any other is found by [`discover`](Self::discover), and given to no agent. It is asked
    /// every time, so that it may change its mind; [`EnabledFile`](crate::EnabledFile) is one that reads a file.
    pub fn enabled(mut self, is_enabled: impl Fn(&str) -> bool + Send + Sync + 'static) -> Self {
        self.is_enabled = Box::new(is_enabled);
        self
    }

    /// For how long nobody looks whether something has changed; two seconds by default. With zero every question looks.
    pub fn cool_down(mut self, cool_down: Duration) -> Self {
        self.cool_down = cool_down;
        self
    }

    /// The clock by which the cool-down ends.
    pub fn clock(mut self, now: impl Fn() -> Instant + Send + Sync + 'static) -> Self {
        self.now = Box::new(now);
        self
    }

    /// What there is, as of the last look, which is now if the cool-down has passed: names, descriptions, paths, and what is
    /// wrong. Also skills that are not [enabled](Self::enabled).
    ///
    /// # Errors
    /// When `~` has to be expanded, and the home directory is not known. Everything else is among the problems.
    pub fn discover(&self) -> Result<Discovered, Error> {
        Ok(self.look(self.profile, false)?.discovered.clone())
    }

    /// Whether an agent is given the skill `name`, if there is one.
    #[must_use]
    pub fn is_enabled(&self, name: &str) -> bool {
        (self.is_enabled)(name)
    }

    /// The last look, however long ago; the first, if there was none.
    fn last(&self, profile: Profile) -> Result<Arc<Scan>, Error> {
        let wanted = way_of_reading(profile);
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let last =
            known.iter().find(|known| known.profile == wanted).map(|known| Arc::clone(&known.scan));
        drop(known);
        last.map_or_else(|| self.look(profile, false), Ok)
    }

    /// The last look, or a new one, if the last was too long ago or is not believed (`is_stale`).
    fn look(&self, profile: Profile, is_stale: bool) -> Result<Arc<Scan>, Error> {
        let profile = way_of_reading(profile);
        // A scan that panicked has not replaced anything.
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let now = (self.now)();
        let at = known.iter().position(|known| known.profile == profile);
        if let Some(known) = at.map(|at| &known[at])
            && !is_stale
            && now.saturating_duration_since(known.at) < self.cool_down
        {
            return Ok(Arc::clone(&known.scan));
        }
        let mut places = Vec::new();
        for root in &self.roots {
            match home::expanded(&root.path, self.home.as_deref()) {
                Ok(path) => places.push((root, path)),
                Err(_) if root.is_optional => {}
                Err(error) => return Err(error),
            }
        }
        let before = at.map(|at| &*known[at].scan);
        let scan = Arc::new(Scan::of(&places, profile, before));
        let now = Known { profile, at: now, scan: Arc::clone(&scan) };
        match at {
            Some(at) => known[at] = now,
            None => known.push(now),
        }
        Ok(scan)
    }

    /// Forgets what was found by other rules.
    fn changed(mut self) -> Self {
        self.known = Mutex::default();
        self
    }
}

/// The profile that stands for all profiles that read a `SKILL.md` in the same way.
const fn way_of_reading(profile: Profile) -> Profile {
    match profile {
        Profile::SkillUse | Profile::ClaudeCode => profile,
        _ => Profile::Helix,
    }
}

impl fmt::Debug for Directories {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Directories")
            .field("roots", &self.roots)
            .field("limits", &self.limits)
            .field("profile", &self.profile)
            .field("cool_down", &self.cool_down)
            .finish_non_exhaustive()
    }
}
