//! What a program sees of the agent's environment.

use std::{
    collections::{BTreeMap, BTreeSet},
    env,
    ffi::{OsStr, OsString},
    fmt,
};

/// What every program gets, if the agent has it: where things are, who and where the user is, and nothing that opens a door.
const PASSED: [&str; 10] = ["HOME", "LANG", "LANGUAGE", "LOGNAME", "PATH", "SHELL", "TEMP", "TMPDIR", "TZ", "USER"];

/// The environment of a program that is run for a skill.
///
/// An agent's environment is full of keys: of its model, of its database. A skill is a stranger's text, and its programs
/// get of them nothing by accident: `PATH`, `HOME`, `USER`, `LOGNAME`, `SHELL`, `LANG`, `LANGUAGE`, `LC_*`, `TZ`, `TMPDIR` and `TEMP` are
/// passed on, everything else only where the host says so. (The files of the user are another matter: a program reads what its user
/// may read.)
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
        let mut variables: BTreeMap<_, _> = env::vars_os().filter(|(name, _)| self.passes(name)).collect();
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
    fn keys_of_the_agent_are_not_passed_on_by_accident() {
        let environment = Environment::new().pass("SSH_AUTH_SOCK").set("CI", "secret");
        for name in ["PATH", "HOME", "LANG", "LC_ALL", "LC_TIME", "SSH_AUTH_SOCK"] {
            assert!(environment.passes(OsStr::new(name)), "{name}");
        }
        for name in ["OPENAI_API_KEY", "AWS_SECRET_ACCESS_KEY", "HTTPS_PROXY", "LD_PRELOAD", "BASH_ENV", "ENV", "path"]
        {
            assert!(!environment.passes(OsStr::new(name)), "{name}");
            assert!(Environment::inherited().passes(OsStr::new(name)), "{name}");
        }
        // cargo sets it for its tests.
        assert!(!environment.variables().contains_key(OsStr::new("CARGO_MANIFEST_DIR")));
        assert!(Environment::inherited().variables().contains_key(OsStr::new("CARGO_MANIFEST_DIR")));
        assert_eq!(environment.variables()[OsStr::new("CI")], "secret");
        assert!(!format!("{environment:?}").contains("secret"));
    }
}
