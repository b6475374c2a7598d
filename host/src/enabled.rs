//! Which skills are enabled, in a JSON file.

use crate::{
    Error, ErrorKind,
    error::{Problem, display_path},
    file_version::FileVersion,
    lock::lock,
    rooted_dir::OpenFile,
};
use helix_skills_runtime::OneLine;
use jsonc_parser::{
    ParseOptions,
    cst::{CstInputValue, CstRootNode},
};
use serde_json::Value;
use std::{
    collections::BTreeMap,
    io::{self, Write as _},
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
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
/// let agents_see = enabled.clone();
/// let skills = Directories::new().root("skills").enabled(move |name| agents_see.is_enabled(name));
///
/// enabled.set("pdf", true)?; // a settings page
/// assert!(enabled.is_enabled("pdf"));
/// # Ok::<(), helix_skills_host::Error>(())
/// ```
///
/// The file is read again when it changes. If a new version is not valid, the last valid states
/// stay in effect, so that a mistyped comma neither enables nor disables a skill; another
/// [`open`](Self::open) returns the error. A clone reads and writes the same file.
#[derive(Clone, Debug)]
pub struct EnabledFile {
    path: PathBuf,
    cached: Arc<Mutex<CachedStates>>,
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
        let file = Self { path: path.into(), cached: Arc::default() };
        lock(&file.cached).refresh(&file.path)?;
        Ok(file)
    }

    /// Returns whether the skill `name` is enabled now.
    #[must_use]
    pub fn is_enabled(&self, name: &str) -> bool {
        let mut cached = lock(&self.cached);
        let _ = cached.refresh(&self.path); // `open` returns the error
        cached.states.get(name).copied().unwrap_or(true)
    }

    /// Enables or disables the skill `name`.
    ///
    /// Other keys and the formatting of the file stay. A file that does not exist is created. The
    /// new file replaces the old one in one step.
    ///
    /// # Errors
    /// If the file cannot be read or written, or is not valid; then it stays as it is.
    pub fn set(&self, name: &str, is_enabled: bool) -> Result<(), Error> {
        let mut cached = lock(&self.cached);
        let bytes = match OpenFile::open(&self.path) {
            Err(error) if error.is_missing() => b"{}\n".to_vec(),
            file => file?.read_whole(MAX_BYTES)?,
        };
        parse(&self.path, &bytes)?;
        let text = with_state(&self.path, &bytes, name, is_enabled)?;
        replace(&self.path, &text)
            .map_err(|source| Problem::Write { source }.at(self.path.clone()))?;
        *cached = CachedStates::default();
        cached.refresh(&self.path)
    }
}

/// Returns the text of the file with another state of `name`.
fn with_state(path: &Path, bytes: &[u8], name: &str, is_enabled: bool) -> Result<String, Error> {
    let text = String::from_utf8_lossy(bytes);
    let root = CstRootNode::parse(&text, &ParseOptions::default())
        .map_err(|error| invalid(path, format!("it is not JSON: {error}")))?;
    let skills = root.object_value_or_set().object_value_or_set("skills");
    let skill = skills.object_value_or_set(name);
    let value = CstInputValue::Bool(is_enabled);
    match skill.get("enabled") {
        Some(enabled) => enabled.set_value(value),
        None => drop(skill.append("enabled", value)),
    }
    Ok(root.to_string())
}

/// Replaces a file in one step, or the file that a link leads to.
fn replace(path: &Path, text: &str) -> io::Result<()> {
    let target = match dunce::canonicalize(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => std::path::absolute(path)?,
        target => target?,
    };
    let directory = target.parent().unwrap_or(&target);
    let mut new = tempfile::NamedTempFile::new_in(directory)?;
    new.write_all(text.as_bytes())?;
    if let Ok(old) = target.metadata() {
        new.as_file().set_permissions(old.permissions())?;
    }
    new.as_file().sync_all()?;
    new.persist(&target)?;
    Ok(())
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
    let document: Value = serde_json::from_slice(bytes)
        .map_err(|error| invalid(path, format!("it is not JSON: {error}")))?;
    let Value::Object(document) = document else {
        return Err(invalid(path, "it is not a JSON object".to_owned()));
    };
    let skills = match document.get("skills") {
        None => return Ok(BTreeMap::new()),
        Some(Value::Object(skills)) => skills,
        Some(_) => return Err(invalid(path, "`skills` is not an object".to_owned())),
    };
    let mut states = BTreeMap::new();
    for (name, state) in skills {
        let is_enabled = match state.get("enabled") {
            Some(Value::Bool(is_enabled)) => *is_enabled,
            None if state.is_object() => true,
            _ => {
                let name = OneLine(name);
                let why = "is not an object whose `enabled` is true or false";
                return Err(invalid(path, format!("`skills.{name}` {why}")));
            }
        };
        states.insert(name.clone(), is_enabled);
    }
    Ok(states)
}

fn invalid(path: &Path, why: String) -> Error {
    let message = format!("failed to read the enabled skills from `{}`", display_path(path));
    let hint = r#"the expected format is `{"skills": {"NAME": {"enabled": false}}}`"#;
    let (kind, source) = (ErrorKind::Invalid, Some(why.into()));
    Problem::Other { kind, message, hint: Some(hint.to_owned()), source }.at(path)
}
