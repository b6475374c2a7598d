//! Which skills are turned off, kept in a file that is none of theirs.

use crate::{EnabledFileError, Error, file_version::FileVersion, rooted_dir::OpenFile};
use serde_json::Value;
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
    time::SystemTime,
};

/// The largest file that is read.
const MOST: u64 = 1 << 20;

/// A JSON file that says which skills are enabled: `{"skills": {"NAME": {"enabled": false}}}`, beside keys of others, as
/// deer-flow keeps it. A skill that it does not name is enabled, so is every one while there is no file.
///
/// ```
/// use helix_skills_host::{Directories, EnabledFile};
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("extensions_config.json");
/// # std::fs::write(&path, r#"{"skills": {"pdf": {"enabled": false}}}"#).unwrap();
/// let enabled = EnabledFile::open(path)?;
/// assert!(!enabled.is_enabled("pdf") && enabled.is_enabled("csv"));
/// let skills = Directories::public_and_custom("skills").enabled(move |name| enabled.is_enabled(name));
/// # Ok::<(), helix_skills_host::Error>(())
/// ```
///
/// It is read again when it changes. A change that cannot be read changes nothing: what the file said last holds, and
/// [`check`](Self::check) says what is wrong.
#[derive(Debug)]
pub struct EnabledFile {
    path: PathBuf,
    known: Mutex<Known>,
}

#[derive(Debug, Default)]
struct Known {
    /// Of the file that was read, if no other has the same.
    version: Option<FileVersion>,
    states: BTreeMap<String, bool>,
}

impl EnabledFile {
    /// The states that the file at `path` keeps.
    ///
    /// # Errors
    /// When there is a file, and it cannot be read or understood.
    pub fn open(path: impl Into<PathBuf>) -> Result<Self, Error> {
        let file = Self { path: path.into(), known: Mutex::default() };
        file.check()?;
        Ok(file)
    }

    /// Whether the skill `name` is enabled, as the file says now.
    #[must_use]
    pub fn is_enabled(&self, name: &str) -> bool {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = known.renew(&self.path); // `check` tells
        known.states.get(name).copied().unwrap_or(true)
    }

    /// Whether the file can be read as it is now.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn check(&self) -> Result<(), Error> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).renew(&self.path)
    }
}

impl Known {
    fn renew(&mut self, path: &Path) -> Result<(), Error> {
        let file = match OpenFile::open(path) {
            Err(error) if error.is_missing() => {
                *self = Self::default();
                return Ok(());
            }
            file => file?,
        };
        let version = file.version;
        if self.version == Some(version) {
            return Ok(());
        }
        self.states = states(path, &file.read_whole(MOST)?)?;
        self.version = version.is_settled(SystemTime::now()).then_some(version);
        Ok(())
    }
}

fn states(path: &Path, bytes: &[u8]) -> Result<BTreeMap<String, bool>, Error> {
    let wrong = |source| Error::Enabled { path: path.to_owned(), source };
    let document: Value = serde_json::from_slice(bytes)
        .map_err(|error| wrong(EnabledFileError::NotJson(error.into())))?;
    let Value::Object(document) = document else {
        return Err(wrong(EnabledFileError::NotAnObject));
    };
    let skills = match document.get("skills") {
        None => return Ok(BTreeMap::new()),
        Some(Value::Object(skills)) => skills,
        Some(_) => return Err(wrong(EnabledFileError::Skills)),
    };
    let mut states = BTreeMap::new();
    for (name, state) in skills {
        let is_enabled = match state.get("enabled") {
            Some(Value::Bool(is_enabled)) => *is_enabled,
            None if state.is_object() => true,
            _ => return Err(wrong(EnabledFileError::State(name.clone()))),
        };
        states.insert(name.clone(), is_enabled);
    }
    Ok(states)
}
