//! The type [`Installer`].

use super::{
    CodingAgent, Installation, SkillChange,
    agents::{COMMON, DIRECTORIES},
    base::Base,
    brought::BroughtSkill,
    changes::Changes,
    record::Record,
    skills_dir::SkillsDir,
};
use crate::{Error, ErrorKind, error::Problem, home};
use helix_skills_runtime::{__private::skill_md_text, SkillSet, check_name};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

/// Installs, updates and removes the skills of a program. See the [module](crate::install) for an
/// example.
#[derive(Clone, Debug)]
pub struct Installer<'a> {
    program: String,
    skills: SkillSet<'a>,
    /// `None` is the home directory.
    directory: Option<PathBuf>,
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

    /// Sets the agents to install for, in addition to those whose directories this program has
    /// installed into before.
    ///
    /// By default, or if empty: the directories that this program has installed into before. If
    /// there are none, `.agents/skills`, which most agents read, and the directories of Claude Code
    /// and Kiro if `.claude` or `.kiro` exists.
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
    /// If a directory cannot be read or written, or leads out of the project; if a skill has a name
    /// or path that is not valid; if another process installs skills for more than a minute; if
    /// root runs this in the home directory of another user, or with `sudo` in a project of another
    /// user.
    pub fn install(&self) -> Result<Installation, Error> {
        self.change(false)
    }

    /// Returns what [`install`](Self::install) would do, without writing anything.
    ///
    /// # Errors
    /// As [`install`](Self::install).
    pub fn status(&self) -> Result<Installation, Error> {
        self.clone().dry_run(true).install()
    }

    /// Removes all skills that this program has installed, for all agents, and directories that
    /// become empty. Edited skills are kept unless `force` is set.
    ///
    /// # Errors
    /// If a directory cannot be read or written, or leads out of the project; if another process
    /// installs skills for more than a minute.
    pub fn uninstall(&self) -> Result<Installation, Error> {
        self.change(true)
    }

    /// Returns the text of the `SKILL.md` that is written for a skill; `None` if there is no skill
    /// of this name.
    #[must_use]
    pub fn show(&self, name: &str) -> Option<String> {
        self.skills.get(name).map(|skill| skill_md_text(skill).concat())
    }

    /// Installs the skills, or uninstalls all that this program has installed.
    fn change(&self, uninstalls: bool) -> Result<Installation, Error> {
        let brought = self.brought()?;
        let base = self.base()?;
        let _lock = if self.dry_run { None } else { base.lock()? };
        let mut chosen = if uninstalls { self.recorded(&base) } else { self.chosen(&base) };
        self.check(&base, &chosen)?;
        let mut report = Vec::new();
        // Whether the copy of each skill is there to link to.
        let mut copies = BTreeMap::new();
        let first = chosen.first().copied().unwrap_or(COMMON);
        if uninstalls {
            // Links are removed before the copies that they lead to.
            chosen.reverse();
        }
        for inner in chosen {
            let dir = match uninstalls || self.dry_run || brought.is_empty() {
                true => base.skills_dir(inner, &self.program)?,
                false => Some(base.create_skills_dir(inner, &self.program)?),
            };
            let record = self.read_record(dir.as_ref())?;
            let [here, there] = [inner, first].map(|inner| base.real_path(Path::new(inner)));
            let (program, opened) = (&self.program, dir.as_ref());
            let mut changes = Changes::new(program, uninstalls, self.force, inner, opened, &record);
            for skill in brought.iter().filter(|_| !uninstalls) {
                let name = skill.contents.name;
                let link = Base::relative(&here, &there.join(name));
                let link = match copies.get(name) {
                    _ if inner == first => None,
                    Some(true) => Some(link.as_str()),
                    Some(false) => None,
                    None => {
                        // The user has removed the copy: a link would lead nowhere.
                        changes.drop_link(name)?;
                        continue;
                    }
                };
                let change = changes.decide(name, Some(skill), link)?;
                if inner == first && change != Some(SkillChange::Deleted) {
                    copies.insert(name.to_owned(), change != Some(SkillChange::Foreign));
                }
            }
            for name in record.skills.keys().chain(record.pending.keys()) {
                let skill = brought.iter().find(|skill| skill.contents.name == name);
                if (uninstalls || skill.is_none()) && !changes.is_decided(name) {
                    changes.decide(name, skill, None)?;
                }
            }
            let leads_to_copy = |name: &str| {
                let [link, copy] = [inner, first].map(|dir| Path::new(dir).join(name));
                base.real_path(&link) == base.real_path(&copy)
            };
            report.extend(changes.finish(self.dry_run, &leads_to_copy)?);
            // Windows does not remove open directories.
            drop(dir);
            if !self.dry_run {
                base.remove_if_empty(inner);
            }
        }
        Ok(Installation { skills: report, is_dry_run: self.dry_run })
    }

    /// Collects the files of all skills.
    fn brought(&self) -> Result<Vec<BroughtSkill<'a>>, Error> {
        check_name(&self.program).map_err(|error| {
            let message = format!("invalid program name `{}`", self.program.escape_debug());
            let hint = "use the name of the program, such as `mytool`";
            Problem::Other {
                kind: ErrorKind::Invalid,
                message,
                hint: Some(hint.to_owned()),
                source: Some(error.into()),
            }
            .at("")
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

    fn base(&self) -> Result<Base, Error> {
        let base = match &self.directory {
            Some(path) => Base::open(path)?,
            None => Base::open(&home::expand(Path::new("~"), None)?)?,
        };
        // In a container, root may work in a project of another user.
        let is_sudo = || std::env::var_os("SUDO_UID").is_some();
        if !self.dry_run && (self.directory.is_none() || is_sudo()) {
            base.check_owner()?;
        }
        Ok(base)
    }

    /// Returns the directories to install into, the one with the copies first.
    fn chosen(&self, base: &Base) -> Vec<&'static str> {
        let mut chosen = self.recorded(base);
        chosen.extend(self.agents.iter().map(|agent| agent.directory()));
        if chosen.is_empty() {
            let present = |inner: &&str| *inner == COMMON || base.has_agent(inner);
            chosen.extend(DIRECTORIES.into_iter().filter(present));
        }
        distinct(base, |inner| chosen.contains(&inner))
    }

    /// Returns the directories with a record of this program.
    fn recorded(&self, base: &Base) -> Vec<&'static str> {
        // A directory that is a link to somewhere else has nothing of this program.
        let dir = |inner| base.skills_dir(inner, &self.program).ok().flatten();
        distinct(base, |inner| dir(inner).is_some_and(|dir| dir.has_record()))
    }

    /// Opens all directories and reads their records, so that what is wrong with one is an error
    /// before the first change of another.
    fn check(&self, base: &Base, directories: &[&'static str]) -> Result<(), Error> {
        for inner in directories {
            base.skills_dir(inner, &self.program)?.map(|dir| dir.read_record()).transpose()?;
        }
        Ok(())
    }

    /// Reads the record of a directory, and repairs what a killed process has left.
    fn read_record(&self, dir: Option<&SkillsDir>) -> Result<Record, Error> {
        let Some(dir) = dir else { return Ok(Record::default()) };
        let record = dir.read_record()?;
        if !self.dry_run {
            dir.repair(&record)?;
        }
        Ok(record)
    }
}

/// Returns the directories that `is_wanted` accepts; of two that are the same, one being a link to
/// the other, only the first.
fn distinct(base: &Base, is_wanted: impl Fn(&'static str) -> bool) -> Vec<&'static str> {
    let mut real = Vec::new();
    let is_new = |inner: &&str| {
        let path = base.real_path(Path::new(inner));
        let is_new = !real.contains(&path);
        real.push(path);
        is_new
    };
    DIRECTORIES.into_iter().filter(|inner| is_wanted(inner)).filter(is_new).collect()
}
