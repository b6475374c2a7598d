//! The type [`Installer`].

use super::{
    CodingAgent, Installation, SkillChange,
    agents::COMMON,
    base::Base,
    brought::BroughtSkill,
    changes::Changes,
    place::Place,
    record::{Record, Skills, Written},
    skills_dir::SkillsDir,
};
use crate::{Error, ErrorKind, error::Problem, home};
use helix_skills_format::Lock;
use helix_skills_runtime::{SkillSet, check_name};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs::File,
    path::{Path, PathBuf},
    rc::Rc,
};

/// Installs, updates and removes the skills of a program. See the [module](crate::install) for an
/// example.
#[derive(Clone, Debug)]
pub struct Installer<'a> {
    program: String,
    skills: SkillSet<'a>,
    /// `None` is the home directory.
    directory: Option<PathBuf>,
    skills_dir: Option<PathBuf>,
    agents: Vec<CodingAgent>,
    force: bool,
    dry_run: bool,
}

impl<'a> Installer<'a> {
    /// Creates an installer for the skills of `program`, in the current directory.
    ///
    /// The name identifies what this program has written. It must not change between versions, and
    /// has to be one that a skill can have, such as `mytool`.
    pub fn new(program: impl Into<String>, skills: SkillSet<'a>) -> Self {
        Self {
            program: program.into(),
            skills,
            directory: Some(PathBuf::new()),
            skills_dir: None,
            agents: Vec::new(),
            force: false,
            dry_run: false,
        }
    }

    /// Sets the directory of the project, in which agents look for their directories.
    #[must_use]
    pub fn directory(mut self, path: impl Into<PathBuf>) -> Self {
        self.directory = Some(path.into());
        self
    }

    /// Installs for all projects of the user: in the home directory.
    #[must_use]
    pub fn user(mut self) -> Self {
        self.directory = None;
        self
    }

    /// Installs into this directory of skills only, whichever agents read it.
    #[must_use]
    pub fn skills_dir(mut self, path: impl Into<PathBuf>) -> Self {
        self.skills_dir = Some(path.into());
        self
    }

    /// Sets the agents to install for, in addition to those whose directories this program has
    /// installed into before.
    ///
    /// By default, or if empty: the directories of [known agents](CodingAgent::ALL) that this
    /// program has installed into before. If there are none, `.agents/skills`, which most agents
    /// read, and the directories of Claude Code and Kiro if `.claude` or `.kiro` exists.
    ///
    /// Other agents, made with [`CodingAgent::new`], are not remembered: pass them to each call,
    /// also to update or uninstall their skills.
    ///
    /// ```
    /// # use helix_skills::{Skill, SkillSet, skill_set};
    /// # const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build();
    /// # static SKILLS: SkillSet = skill_set![PDF];
    /// use helix_skills_host::install::{CodingAgent, Installer};
    /// const WINDSURF: CodingAgent =
    ///     CodingAgent::new("windsurf", ".windsurf/skills", ".codeium/windsurf/skills");
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let project = folder.path();
    /// let installer = Installer::new("mytool", SKILLS).directory(project);
    /// installer.clone().agents([WINDSURF]).install()?;
    /// let removed = installer.clone().uninstall()?;
    /// assert!(removed.skills().is_empty()); // no known agent has a skill of mytool
    /// let removed = installer.agents([WINDSURF]).uninstall()?;
    /// assert_eq!(removed.skills()[0].path(), ".windsurf/skills/pdf");
    /// # Ok::<(), helix_skills_host::Error>(())
    /// ```
    #[must_use]
    pub fn agents(mut self, agents: impl IntoIterator<Item = CodingAgent>) -> Self {
        self.agents = agents.into_iter().collect();
        self
    }

    /// Sets whether to replace skills that the user has edited, and to write those again that the
    /// user has removed. What this program did not write is never touched.
    #[must_use]
    pub fn force(mut self, force: bool) -> Self {
        self.force = force;
        self
    }

    /// Sets whether to report what would happen, without writing anything.
    #[must_use]
    pub fn dry_run(mut self, dry_run: bool) -> Self {
        self.dry_run = dry_run;
        self
    }

    /// Installs the skills, or updates them.
    ///
    /// # Errors
    /// If a directory cannot be read or written, or leads out of the project; if a skill or agent
    /// has a name or path that is not valid; if another process installs skills for more than a
    /// minute; if root runs this in the home directory of another user, or with `sudo` in a project
    /// of another user.
    pub fn install(&self) -> Result<Installation, Error> {
        self.change(false)
    }

    /// Removes all skills that this program has installed for [known agents](CodingAgent::ALL) and
    /// the [agents](Self::agents) of this installer, and directories that become empty. With
    /// [`skills_dir`](Self::skills_dir), only those in that directory. Edited skills are kept
    /// unless `force` is set.
    ///
    /// # Errors
    /// If a directory cannot be read or written, or leads out of the project; if another process
    /// installs skills for more than a minute.
    pub fn uninstall(&self) -> Result<Installation, Error> {
        self.change(true)
    }

    /// Installs the skills, or uninstalls all that this program has installed.
    fn change(&self, uninstalls: bool) -> Result<Installation, Error> {
        let brought = self.brought()?;
        let base = self.directory.as_ref().map_or_else(open_home, |path| Base::open(path))?;
        let known = self.known(&base)?;
        let _locks = if self.dry_run { Vec::new() } else { lock(&base, &known)? };
        let mut chosen = self.chosen(&known, uninstalls);
        self.check(&chosen)?;
        let warnings = brought.iter().flat_map(BroughtSkill::warnings);
        let warnings = warnings.chain(Self::unread(&known, &chosen)).filter(|_| !uninstalls);
        let (skills, warnings) = (Vec::new(), warnings.collect());
        let mut report = Installation { skills, warnings, is_dry_run: self.dry_run };
        let Some(first) = chosen.first().cloned() else { return Ok(report) };
        if uninstalls {
            // Links are removed before the copies that they lead to.
            chosen.reverse();
        }
        // What happens to the copy of each skill.
        let mut copies = BTreeMap::new();
        for place in chosen {
            let (base, inner, is_first) = (&place.base, &*place.inner, place.shown == first.shown);
            let dir = match uninstalls || self.dry_run || brought.is_empty() {
                true => place.open(&self.program)?,
                false => Some(base.create_skills_dir(inner, &self.program)?),
            };
            let record = dir.as_ref().map(SkillsDir::read_record).transpose()?.unwrap_or_default();
            if let Some(dir) = dir.as_ref().filter(|_| !self.dry_run) {
                dir.repair(&record)?;
            }
            let mut changes = Changes {
                program: &self.program,
                uninstalls,
                force: self.force,
                shown: &place.shown,
                dir: dir.as_ref(),
                record: &record,
                after: Record { pending: Skills::new(), ..record.clone() },
                steps: Vec::new(),
            };
            let can_link = !is_first && Rc::ptr_eq(base, &first.base);
            let [here, there] = [&place, &first].map(Place::real);
            for skill in brought.iter().filter(|_| !uninstalls) {
                let name = skill.contents.name;
                let copy = copies.get(name).copied();
                if !is_first && copy.is_none() {
                    // The user has removed the copy: a link would lead nowhere.
                    if record.written(name).any(|it| matches!(it, Written::Link(_))) {
                        changes.decide(name, None, None)?;
                    }
                    continue;
                }
                let link = Base::relative(&here, &there.join(name));
                let link = Some(&*link).filter(|_| can_link && copy != Some(SkillChange::Foreign));
                let change = changes.decide(name, Some(skill), link)?;
                if is_first && let Some(change) = change.filter(|it| *it != SkillChange::Deleted) {
                    copies.insert(name, change);
                }
            }
            let recorded = record.skills.keys().chain(record.pending.keys());
            for name in recorded.collect::<BTreeSet<_>>() {
                let skill = brought.iter().find(|skill| skill.contents.name == name);
                if uninstalls || skill.is_none() {
                    changes.decide(name, skill, None)?;
                }
            }
            if let Some(dir) = dir.as_ref().filter(|_| !self.dry_run) {
                dir.apply(&record, changes.after, &mut changes.steps)?;
            }
            let mut done: Vec<_> = changes.steps.into_iter().map(|step| step.report).collect();
            // A link is as current as its target.
            for skill in done.iter_mut().filter(|skill| self.dry_run && skill.link.is_some()) {
                if let (SkillChange::Unchanged, Some(copy)) =
                    (skill.change, copies.get(&*skill.name))
                {
                    skill.change = *copy;
                }
            }
            report.skills.extend(done);
            // Windows does not remove open directories.
            drop(dir);
            if !self.dry_run {
                base.remove_if_empty(inner);
            }
        }
        Ok(report)
    }

    /// Collects the files of all skills.
    fn brought(&self) -> Result<Vec<BroughtSkill<'a>>, Error> {
        check_name(&self.program).map_err(|why| {
            let message = format!("invalid program name `{}`", self.program.escape_debug());
            let hint = format!("use the name of the program, such as `mytool`: {why}");
            Problem::other(ErrorKind::Invalid, message, hint).at("")
        })?;
        let mut folded = BTreeMap::new();
        for name in self.skills.names() {
            if let Some(other) = folded.insert(name.to_lowercase(), name) {
                let message = format!("the skills `{other}` and `{name}` differ only in case");
                let hint = "rename one of the two: many file systems ignore case";
                return Err(Problem::other(ErrorKind::Invalid, message, hint).at(""));
            }
        }
        self.skills.into_iter().map(BroughtSkill::new).collect()
    }

    /// Returns the directories that may have skills of this program. The one that most agents read
    /// is first.
    fn known(&self, base: &Rc<Base>) -> Result<Vec<Place>, Error> {
        if let Some(path) = &self.skills_dir {
            return Ok(vec![Place::at(base, &home::expand(path, None)?)?]);
        }
        let place = |agent: &CodingAgent| Place::of_agent(base, *agent, self.directory.is_none());
        let mut known = self.agents.iter().map(place).collect::<Result<Vec<_>, _>>()?;
        // The directory of another agent may not be readable.
        known.extend(CodingAgent::ALL.iter().filter_map(|agent| place(agent).ok()));
        known.sort_by_key(|place| (place.shown != COMMON, place.shown.clone()));
        Ok(known)
    }

    /// Returns the directories to change, the one with the copies first: those with a record of
    /// this program, and those of the chosen agents.
    fn chosen(&self, known: &[Place], uninstalls: bool) -> Vec<Place> {
        let is_wanted = |place: &&Place| {
            let is_chosen = place.agent.is_none_or(|agent| self.agents.contains(&agent));
            // A directory that is a link to somewhere else has nothing of this program.
            let dir = place.open(&self.program).ok().flatten();
            !uninstalls && is_chosen || dir.is_some_and(|dir| dir.has_record())
        };
        let mut wanted: Vec<&Place> = known.iter().filter(is_wanted).collect();
        if wanted.is_empty() && !uninstalls {
            let is_present = |it: &&Place| it.shown == COMMON || it.base.has_agent(&it.inner);
            wanted = known.iter().filter(is_present).collect();
        }
        // Of two that are the same, one being a link to the other, only the first.
        let mut real = BTreeSet::new();
        let chosen = wanted.into_iter().filter(|place| real.insert(place.real()));
        let mut chosen: Vec<Place> = chosen.cloned().collect();
        // Paths elsewhere than below the home directory are absolute.
        for place in chosen.iter_mut().filter(|place| Path::new(&place.shown).is_relative()) {
            place.shown.insert_str(0, if self.directory.is_none() { "~/" } else { "" });
        }
        chosen
    }

    /// Returns a warning for each agent of this user, or of the project, that reads none of the
    /// chosen directories. Those that read the common directory are not named: which of them are in
    /// use is not known.
    fn unread(known: &[Place], chosen: &[Place]) -> Vec<String> {
        let (Some(first), Ok(home)) = (chosen.first(), open_home()) else { return Vec::new() };
        let real: Vec<_> = chosen.iter().map(Place::real).collect();
        let unread = |place: &Place| {
            let agent = place.agent.filter(|agent| agent.project != COMMON)?;
            let own = Place::of_agent(&home, agent, true).ok()?;
            let is_present = [&own, place].iter().any(|it| it.base.has_agent(&it.inner));
            let is_unread = is_present && !real.contains(&place.real());
            let (title, shown) = (agent.title, &first.shown);
            is_unread.then(|| format!("{title} does not read `{shown}`: add `--agent {agent}`"))
        };
        known.iter().filter_map(unread).collect()
    }

    /// Opens all directories and reads their records, so that what is wrong with one is an error
    /// before the first change of another.
    fn check(&self, places: &[Place]) -> Result<(), Error> {
        // In a container, root may work in a project of another user.
        let is_sudo = std::env::var_os("SUDO_UID").is_some();
        for place in places {
            if !self.dry_run && (self.directory.is_none() || is_sudo) {
                place.base.check_owner()?;
            }
            place.open(&self.program)?.map(|dir| dir.read_record()).transpose()?;
        }
        Ok(())
    }
}

/// Returns whether the skills that `program` has installed into the project at `directory` are not
/// the locked ones, by its records alone: no skill is read. Records that are not valid are ignored.
///
/// # Errors
/// If the directory cannot be opened.
pub fn installed_differ(program: &str, directory: &Path, lock: &Lock) -> Result<bool, Error> {
    let installer = Installer::new(program, SkillSet::EMPTY).directory(directory);
    let known = installer.known(&Base::open(directory)?)?;
    let read = |place: Place| place.open(program).ok()??.read_record().ok();
    let mut records = installer.chosen(&known, true).into_iter().filter_map(read);
    Ok(records.any(|record| record.differs_from(lock)))
}

/// Waits until no other process installs skills into these places, which may be outside of `base`.
/// Directories are always locked in the same order: two processes must not wait for each other.
fn lock(base: &Rc<Base>, places: &[Place]) -> Result<Vec<File>, Error> {
    let bases = places.iter().map(|place| &place.base).chain([base]);
    let bases: BTreeMap<PathBuf, _> = bases.map(|base| (base.canonical_path(), base)).collect();
    // On Windows, one file stands for all directories.
    let count = if cfg!(windows) { 1 } else { bases.len() };
    bases.into_values().take(count).filter_map(|base| base.lock().transpose()).collect()
}

fn open_home() -> Result<Rc<Base>, Error> {
    Base::open(&home::expand(Path::new("~"), None)?)
}
