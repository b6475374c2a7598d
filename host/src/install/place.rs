//! A directory of skills: in a project, in the home directory, or anywhere else.

use super::{CodingAgent, base::Base};
use crate::{Error, error::Problem};
use std::{
    path::{Path, PathBuf},
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
}

impl Place {
    pub(super) fn below(base: &Rc<Base>, inner: &str) -> Self {
        Self { base: Rc::clone(base), inner: inner.to_owned(), shown: inner.to_owned() }
    }

    /// Returns the place at a path that the user has chosen, which may have links. Links that
    /// appear later are followed inside its base only: `base`, or the nearest directory that
    /// exists.
    pub(super) fn at(base: &Rc<Base>, path: &Path) -> Result<Self, Error> {
        let failed = |source| Problem::Read { source }.at(path);
        let path = std::path::absolute(path).map_err(failed)?;
        let existing = path.ancestors().find(|above| above.is_dir()).unwrap_or(&path);
        let rest = path.strip_prefix(existing).unwrap_or(Path::new(""));
        let existing = existing.canonicalize().map_err(failed)?;
        let real = if rest.as_os_str().is_empty() { existing.clone() } else { existing.join(rest) };
        let text = |path: &Path| path.to_string_lossy().replace('\\', "/");
        if let Ok(inner) = real.strip_prefix(base.canonical_path()) {
            return Ok(Self::below(base, &text(inner)));
        }
        let above = if real == existing { existing.parent() } else { Some(&*existing) };
        let above = above.unwrap_or(&existing);
        let inner = text(real.strip_prefix(above).unwrap_or(&real));
        Ok(Self { base: Rc::new(Base::open(above)?), inner, shown: text(&path) })
    }

    /// Returns the directory of an agent in a project, or for all projects of the user.
    pub(super) fn of_agent(base: &Rc<Base>, agent: CodingAgent, user: bool) -> Result<Self, Error> {
        let own = agent.own_directory().filter(|_| user);
        let inner = if user { agent.user } else { agent.project };
        own.map_or_else(|| Ok(Self::below(base, inner)), |own| Self::at(base, &own.join("skills")))
    }

    /// Returns the path without links.
    pub(super) fn real(&self) -> PathBuf {
        self.base.canonical_path().join(self.base.real_path(Path::new(&self.inner)))
    }
}
