//! Which skills are enabled, read from a JSON file.

use crate::{EnabledFileError, Error, file_version::FileVersion, rooted_dir::OpenFile};
use serde_json::Value;
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
    time::SystemTime,
};

/// Maximum size of the file.
const MAX_BYTES: u64 = 1 << 20;

/// A JSON file with the enabled state of skills, in deer-flow's format: `{"skills": {"NAME":
/// {"enabled": false}}}`. Other keys are ignored. Skills that it does not name are enabled; if the
/// file does not exist, all skills are.
///
/// ```
/// use helix_skills_host::{Directories, EnabledFile};
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("extensions_config.json");
/// # std::fs::write(&path, r#"{"skills": {"pdf": {"enabled": false}}}"#).unwrap();
/// let enabled = EnabledFile::open(path)?;
/// assert!(!enabled.is_enabled("pdf") && enabled.is_enabled("csv"));
/// let skills = Directories::public_and_custom("skills")
///     .enabled(move |name| enabled.is_enabled(name));
/// # Ok::<(), helix_skills_host::Error>(())
/// ```
///
/// The file is read again when it changes. If a new version is not valid, the last valid states
/// stay in effect, so that a mistyped comma neither enables nor disables a skill;
/// [`check`](Self::check) returns the error.
#[derive(Debug)]
pub struct EnabledFile {
    path: PathBuf,
    cached: Mutex<CachedStates>,
}

#[derive(Debug, Default)]
struct CachedStates {
    /// The version that was read, if it identifies the content.
    version: Option<FileVersion>,
    states: BTreeMap<String, bool>,
}

impl EnabledFile {
    /// Reads the file at `path`.
    ///
    /// # Errors
    /// If there is a file that cannot be read or is not valid.
    pub fn open(path: impl Into<PathBuf>) -> Result<Self, Error> {
        let file = Self { path: path.into(), cached: Mutex::default() };
        file.check()?;
        Ok(file)
    }

    /// Returns whether the skill `name` is enabled now.
    #[must_use]
    pub fn is_enabled(&self, name: &str) -> bool {
        let mut cached = self.cached.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = cached.refresh(&self.path); // `check` returns the error
        cached.states.get(name).copied().unwrap_or(true)
    }

    /// Checks the file as it is now.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn check(&self) -> Result<(), Error> {
        self.cached.lock().unwrap_or_else(PoisonError::into_inner).refresh(&self.path)
    }
}

impl CachedStates {
    fn refresh(&mut self, path: &Path) -> Result<(), Error> {
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
        self.states = parse(path, &file.read_whole(MAX_BYTES)?)?;
        self.version = version.is_settled(SystemTime::now()).then_some(version);
        Ok(())
    }
}

fn parse(path: &Path, bytes: &[u8]) -> Result<BTreeMap<String, bool>, Error> {
    let invalid = |source| Error::Enabled { path: path.to_owned(), source };
    let document: Value = serde_json::from_slice(bytes)
        .map_err(|error| invalid(EnabledFileError::NotJson(error.into())))?;
    let Value::Object(document) = document else {
        return Err(invalid(EnabledFileError::NotAnObject));
    };
    let skills = match document.get("skills") {
        None => return Ok(BTreeMap::new()),
        Some(Value::Object(skills)) => skills,
        Some(_) => return Err(invalid(EnabledFileError::Skills)),
    };
    let mut states = BTreeMap::new();
    for (name, state) in skills {
        let is_enabled = match state.get("enabled") {
            Some(Value::Bool(is_enabled)) => *is_enabled,
            None if state.is_object() => true,
            _ => return Err(invalid(EnabledFileError::State(name.clone()))),
        };
        states.insert(name.clone(), is_enabled);
    }
    Ok(states)
}
