//! A directory of skills: in a project, in the home directory, or anywhere else.

use super::{CodingAgent, base::Base, skills_dir::SkillsDir};
use crate::{Error, ErrorKind, error::Problem};
use std::{
    path::{Component, Path, PathBuf},
    rc::Rc,
};

/// A directory of skills, which may not exist yet.
#[derive(Clone)]
pub(super) struct Place {
    pub(super) base: Rc<Base>,
    /// The path below the base, separated by `/`.
    pub(super) inner: String,
    /// The path in reports.
    pub(super) shown: String,
    /// The agent whose directory it is; `None` if the user has chosen it.
    pub(super) agent: Option<CodingAgent>,
}

impl Place {
    /// Returns the place at a path that the user has chosen, which may have links. Links that
    /// appear later are followed inside its base only: `base`, or the nearest directory that
    /// exists.
    pub(super) fn at(base: &Rc<Base>, path: &Path) -> Result<Self, Error> {
        let failed = |source| Problem::Read { source }.at(path);
        let path = std::path::absolute(path).map_err(failed)?;
        let existing = path.ancestors().find(|above| above.is_dir()).unwrap_or(&path);
        let rest = path.strip_prefix(existing).unwrap_or(Path::new(""));
        let existing = existing.canonicalize().map_err(failed)?;
        let real: PathBuf = existing.join(rest).components().collect();
        let text = |path: &Path| path.to_string_lossy().replace('\\', "/");
        let inner = real.strip_prefix(base.canonical_path()).map(text).unwrap_or_default();
        if !inner.is_empty() {
            return Ok(Self { base: Rc::clone(base), shown: inner.clone(), inner, agent: None });
        }
        let above = real.ancestors().skip(1).find(|above| above.is_dir()).unwrap_or(&real);
        let inner = text(real.strip_prefix(above).unwrap_or(&real));
        Ok(Self { base: Base::open(above)?, inner, shown: text(&path), agent: None })
    }

    /// Returns the directory of an agent in a project, or for all projects of the user.
    pub(super) fn of_agent(base: &Rc<Base>, agent: CodingAgent, user: bool) -> Result<Self, Error> {
        if let Some(own) = agent.own_directory().filter(|_| user) {
            return Ok(Self { agent: Some(agent), ..Self::at(base, &own.join("skills"))? });
        }
        let inner = if user { agent.user } else { agent.project }.to_owned();
        let stays = |part| matches!(part, Component::Normal(_) | Component::CurDir);
        if inner.is_empty() || !Path::new(&inner).components().all(stays) {
            let shown = inner.escape_debug();
            let message = format!("the agent `{agent}` has the invalid directory `{shown}`");
            let hint = "use a relative path without `..`, such as `.windsurf/skills`; `Installer::skills_dir` accepts any directory";
            return Err(Problem::other(ErrorKind::Invalid, message, hint).at(inner));
        }
        Ok(Self { base: Rc::clone(base), shown: inner.clone(), inner, agent: Some(agent) })
    }

    /// Opens the directory; `None` if it does not exist.
    pub(super) fn open(&self, program: &str) -> Result<Option<SkillsDir>, Error> {
        self.base.skills_dir(&self.inner, program)
    }

    /// Returns the path without links.
    pub(super) fn real(&self) -> PathBuf {
        self.base.canonical_path().join(self.base.real_path(Path::new(&self.inner)))
    }
}
