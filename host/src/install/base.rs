//! The project or home directory below which skills are installed.

use super::{point, skills_dir::SkillsDir};
use crate::{
    Error, ErrorKind,
    error::{Problem, display_path},
    rooted_dir::{RootedDir, is_escape},
};
use cap_std::fs::Dir;
use std::{
    fs::{File, TryLockError},
    io,
    path::{Path, PathBuf},
    rc::Rc,
    thread,
    time::{Duration, Instant},
};

/// How long to wait before trying the lock again.
const RETRY_INTERVAL: Duration = Duration::from_millis(20);

/// How long to wait for another process.
const MAX_WAIT: Duration = Duration::from_secs(60);

/// An open directory; no link below it leads out of it.
pub(super) struct Base {
    dir: Dir,
    path: PathBuf,
}

impl Base {
    pub(super) fn open(path: &Path) -> Result<Rc<Self>, Error> {
        Ok(Rc::new(Self { dir: RootedDir::open(path)?.into_dir(), path: path.to_owned() }))
    }

    /// Returns the path of this directory; empty is the current one.
    fn path(&self) -> &Path {
        if self.path.as_os_str().is_empty() { Path::new(".") } else { &self.path }
    }

    /// Returns the path without links.
    pub(super) fn canonical_path(&self) -> PathBuf {
        self.path().canonicalize().unwrap_or_else(|_| self.path.clone())
    }

    /// Waits until no other process installs skills below this directory.
    ///
    /// The directory itself is locked, which leaves no file behind. A directory that cannot be
    /// locked is used without a lock.
    ///
    /// # Errors
    /// If another process holds the lock for longer than [`MAX_WAIT`].
    pub(super) fn lock(&self) -> Result<Option<File>, Error> {
        #[cfg(unix)]
        let opened = self.dir.open(".").map(cap_std::fs::File::into_std);
        // Windows cannot lock directories.
        #[cfg(not(unix))]
        let opened = File::options()
            .write(true)
            .create(true)
            .truncate(false)
            .open(std::env::temp_dir().join("helix-skills-install.lock"));
        let Ok(file) = opened else { return Ok(None) };
        let start = Instant::now();
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Some(file)),
                Err(TryLockError::Error(_)) => return Ok(None),
                Err(TryLockError::WouldBlock) if start.elapsed() < MAX_WAIT => {
                    thread::sleep(RETRY_INTERVAL);
                }
                Err(TryLockError::WouldBlock) => {
                    let shown = display_path(&self.path);
                    let message = format!("another process is installing skills into `{shown}`");
                    let hint = "wait until it ends, then run the command again";
                    return Err(Problem::other(ErrorKind::Failed, message, hint).at(&self.path));
                }
            }
        }
    }

    /// Returns an error if root would leave its files in a directory of another user.
    pub(super) fn check_owner(&self) -> Result<(), Error> {
        #[cfg(unix)]
        if let Ok(metadata) = self.dir.dir_metadata()
            && let owner = cap_std::fs::MetadataExt::uid(&metadata)
            && owner != 0
            && rustix::process::geteuid().is_root()
        {
            let shown = display_path(&self.path);
            let message = format!("root would leave its files in `{shown}` of the user {owner}");
            let hint = "run the command as that user, without sudo";
            return Err(Problem::other(ErrorKind::Failed, message, hint).at(&self.path));
        }
        Ok(())
    }

    /// Returns whether the directory of an agent exists: `.claude` of `.claude/skills`.
    pub(super) fn has_agent(&self, skills: &str) -> bool {
        let agent = Path::new(skills).parent().filter(|above| !above.as_os_str().is_empty());
        let Some(agent) = agent else { return true };
        // Opening one that leads out later returns an error that names the link.
        self.dir.metadata(agent).map_or_else(|error| is_escape(&error), |found| found.is_dir())
    }

    /// Opens a directory of skills; `None` if it does not exist.
    pub(super) fn skills_dir(
        &self,
        inner: &str,
        program: &str,
    ) -> Result<Option<SkillsDir>, Error> {
        match self.dir.open_dir(self.real_path(Path::new(inner))) {
            Ok(dir) => Ok(Some(SkillsDir::new(dir, self.path.join(inner), program))),
            Err(error)
                if error.kind() == io::ErrorKind::NotFound && !self.has_dangling_link(inner) =>
            {
                Ok(None)
            }
            Err(error) => Err(self.refused(inner, error)),
        }
    }

    /// Returns whether a part of a path is a link to nothing, where no directory can be created.
    fn has_dangling_link(&self, inner: &str) -> bool {
        Path::new(inner).ancestors().any(|part| {
            let path = self.path.join(part);
            path.is_symlink() && !path.exists()
        })
    }

    /// Opens a directory of skills, and creates it if it is missing.
    pub(super) fn create_skills_dir(&self, inner: &str, program: &str) -> Result<SkillsDir, Error> {
        if let Some(found) = self.skills_dir(inner, program)? {
            return Ok(found);
        }
        let (real, mut below) = (self.real_path(Path::new(inner)), PathBuf::new());
        for part in &real {
            below.push(part);
            match point().and_then(|()| self.dir.create_dir(&below)) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                created => created.map_err(|error| self.refused(inner, error))?,
            }
        }
        let dir = self.dir.open_dir(&real).map_err(|error| self.refused(inner, error))?;
        Ok(SkillsDir::new(dir, self.path.join(inner), program))
    }

    /// Removes a directory of skills, and the directory of its agent, if they are empty.
    pub(super) fn remove_if_empty(&self, skills: &str) {
        for inner in Path::new(skills).ancestors().filter(|path| !path.as_os_str().is_empty()) {
            // Keeps a link.
            let is_dir = self.dir.symlink_metadata(inner).is_ok_and(|found| found.is_dir());
            if !is_dir || point().and_then(|()| self.dir.remove_dir(inner)).is_err() {
                return;
            }
        }
    }

    /// Returns the path of an entry without links, relative to this directory. Parts that do not
    /// exist are kept, and links that lead out.
    pub(super) fn real_path(&self, inner: &Path) -> PathBuf {
        let base = self.canonical_path();
        // Opening the directory later still refuses a path that leads out.
        let real = base.join(inner).canonicalize().unwrap_or_default();
        match (real.strip_prefix(base), inner.parent(), inner.file_name()) {
            (Ok(real), ..) => real.to_owned(),
            (_, Some(above), Some(name)) if !above.as_os_str().is_empty() => {
                self.real_path(above).join(name)
            }
            _ => inner.to_owned(),
        }
    }

    /// Returns the path from one directory to another, separated by `/`. Both are relative to this
    /// one.
    pub(super) fn relative(from: &Path, to: &Path) -> String {
        let (from, to): (Vec<_>, Vec<_>) = (from.iter().collect(), to.iter().collect());
        let shared = from.iter().zip(&to).take_while(|(one, other)| one == other).count();
        let up = std::iter::repeat_n("..".into(), from.len() - shared);
        let parts = up.chain(to[shared..].iter().map(|part| part.to_string_lossy()));
        parts.collect::<Vec<_>>().join("/")
    }

    fn refused(&self, inner: &str, source: io::Error) -> Error {
        let path = self.path.join(inner);
        let shown = display_path(&path);
        if is_escape(&source) {
            let base = display_path(self.path());
            let message = format!("`{shown}` leads out of `{base}` by a symbolic link");
            let hint = "replace the link by a directory, or by a link that stays inside; or choose other agents";
            return Problem::other(ErrorKind::Invalid, message, hint).at(path);
        }
        Problem::Install { source }.at(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relative_paths_lead_from_one_directory_to_the_other() {
        for (from, to, expected) in [
            (".claude/skills", ".agents/skills/pdf", "../../.agents/skills/pdf"),
            ("dotfiles/claude/skills", ".agents/skills/pdf", "../../../.agents/skills/pdf"),
            (".agents/skills", ".agents/skills/pdf", "pdf"),
            (".agents/claude", ".agents/skills/pdf", "../skills/pdf"),
        ] {
            assert_eq!(Base::relative(Path::new(from), Path::new(to)), expected);
        }
    }
}
