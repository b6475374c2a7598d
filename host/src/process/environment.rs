//! What a program sees of the agent's environment.

use std::{
    collections::{BTreeMap, BTreeSet},
    env,
    ffi::{OsStr, OsString},
    fmt,
};

/// What every program gets, if the agent has it: where things are, who and where the user is, and nothing that opens a door.
const PASSED: [&str; 10] =
    ["HOME", "LANG", "LANGUAGE", "LOGNAME", "PATH", "SHELL", "TEMP", "TMPDIR", "TZ", "USER"];

/// Where programs are, if the agent does not know.
const USUAL_PATH: &str = "/usr/bin:/bin";

/// The environment of a program that is run for a skill.
///
/// An agent's environment is full of keys: of its model, of its database. A skill is a stranger's text, and its programs
/// get of them nothing by accident: `PATH`, `HOME`, `USER`, `LOGNAME`, `SHELL`, `LANG`, `LANGUAGE`, `LC_*`, `TZ`, `TMPDIR` and `TEMP` are
/// passed on, everything else only where the host says so; of `PATH` the absolute places. (What the user may read is another
/// matter: a program reads it, too. On Linux that includes the agent's own environment, in `/proc`.)
///
/// ```
/// use helix_skills_host::Environment;
/// let environment = Environment::new().pass("SSH_AUTH_SOCK").set("CI", "true");
/// ```
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Environment {
    passed: BTreeSet<OsString>,
    set: BTreeMap<OsString, OsString>,
    inherits: bool,
}

impl Environment {
    /// What is passed on unless somebody says otherwise.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// All that the agent has, its keys with it: for agents whose every skill is their owner's.
    #[must_use]
    pub fn inherited() -> Self {
        Self { inherits: true, ..Self::default() }
    }

    /// Passes on this variable, too, if the agent has it.
    #[must_use]
    pub fn pass(mut self, name: impl Into<OsString>) -> Self {
        self.passed.insert(name.into());
        self
    }

    /// Sets this variable, whatever the agent has.
    #[must_use]
    pub fn set(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.set.insert(name.into(), value.into());
        self
    }

    /// All of it, as of now.
    pub(crate) fn variables(&self) -> BTreeMap<OsString, OsString> {
        let mut variables: BTreeMap<_, _> =
            env::vars_os().filter(|(name, _)| self.passes(name)).collect();
        let path =
            absolute(variables.get(OsStr::new("PATH")).map_or(OsStr::new(""), OsString::as_os_str));
        variables.insert("PATH".into(), path);
        variables.extend(self.set.clone());
        variables
    }

    fn passes(&self, name: &OsStr) -> bool {
        self.inherits
            || self.passed.contains(name)
            || PASSED.iter().any(|passed| name == *passed)
            || name.as_encoded_bytes().starts_with(b"LC_")
    }
}

/// The absolute places of a `PATH`. Others are meant from where the agent works, and a program that works in a skill's directory
/// would find there what the skill calls `git`: so it would without any place, too.
fn absolute(path: &OsStr) -> OsString {
    let places = env::split_paths(path).filter(|place| place.is_absolute());
    // What was split at the separator holds none.
    let path = env::join_paths(places).unwrap_or_default();
    if path.is_empty() { USUAL_PATH.into() } else { path }
}

/// Names alone: values may be secrets.
impl fmt::Debug for Environment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Environment")
            .field("inherits", &self.inherits)
            .field("passed", &self.passed)
            .field("set", &self.set.keys())
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_program_is_looked_for_where_a_skill_lies() {
        let places = ["", ".", "/usr/bin", "bin", "", "../bin", "/bin"].map(std::path::Path::new);
        let path = absolute(&env::join_paths(places).unwrap());
        assert_eq!(path, env::join_paths(["/usr/bin", "/bin"].map(std::path::Path::new)).unwrap());
        assert_eq!(absolute(OsStr::new(":.:bin")), USUAL_PATH);
        assert_eq!(absolute(OsStr::new("")), USUAL_PATH);
    }

    #[test]
    fn keys_of_the_agent_are_not_passed_on_by_accident() {
        let environment = Environment::new().pass("SSH_AUTH_SOCK").set("CI", "secret");
        for name in ["PATH", "HOME", "LANG", "LC_ALL", "LC_TIME", "SSH_AUTH_SOCK"] {
            assert!(environment.passes(OsStr::new(name)), "{name}");
        }
        for name in [
            "OPENAI_API_KEY",
            "AWS_SECRET_ACCESS_KEY",
            "HTTPS_PROXY",
            "LD_PRELOAD",
            "BASH_ENV",
            "ENV",
            "path",
        ] {
            assert!(!environment.passes(OsStr::new(name)), "{name}");
            assert!(Environment::inherited().passes(OsStr::new(name)), "{name}");
        }
        // cargo sets it for its tests.
        assert!(!environment.variables().contains_key(OsStr::new("CARGO_MANIFEST_DIR")));
        assert!(
            Environment::inherited().variables().contains_key(OsStr::new("CARGO_MANIFEST_DIR"))
        );
        assert_eq!(environment.variables()[OsStr::new("CI")], "secret");
        assert!(!format!("{environment:?}").contains("secret"));
    }
}
