//! The environment variables that a program gets.

use helix_skills_format::__internal::absolute_path;
use std::{
    collections::{BTreeMap, BTreeSet},
    env,
    ffi::{OsStr, OsString},
    fmt,
};

/// Variables that are always passed on: paths, locale and user, but no credentials.
#[cfg(not(windows))]
const PASSED: &[&str] =
    &["HOME", "LANG", "LANGUAGE", "LOGNAME", "PATH", "SHELL", "TEMP", "TMPDIR", "TZ", "USER"];
#[cfg(windows)]
const PASSED: &[&str] = &[
    "APPDATA",
    "COMSPEC",
    "HOME",
    "HOMEDRIVE",
    "HOMEPATH",
    "LANG",
    "LANGUAGE",
    "LOCALAPPDATA",
    "PATH",
    "PATHEXT",
    "PROGRAMDATA",
    "SYSTEMDRIVE",
    "SYSTEMROOT",
    "TEMP",
    "TMP",
    "TZ",
    "USERNAME",
    "USERPROFILE",
    "WINDIR",
];

/// The environment variables of a program that is run for a skill.
///
/// Skills are untrusted text, and an agent's environment contains credentials, for example of its
/// model and its database. Programs therefore get only `PATH`, `HOME`, `USER`, `LOGNAME`, `SHELL`,
/// `LANG`, `LANGUAGE`, `LC_*`, `TZ`, `TMPDIR` and `TEMP`, and what the host adds. Relative
/// directories are removed from `PATH`.
///
/// On Windows, programs also get the variables that name the directories of the system and of the
/// user, such as `SystemRoot`, `USERPROFILE` and `APPDATA`. Names have no case there.
///
/// This does not limit which files a program reads: it has the permissions of the user, which on
/// Linux include the agent's own environment in `/proc`.
///
/// ```
/// use helix_skills_host::Environment;
/// let environment = Environment::new().pass("SSH_AUTH_SOCK").set("CI", "true");
/// ```
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Environment {
    passed: BTreeSet<OsString>,
    set: BTreeMap<OsString, OsString>,
}

impl Environment {
    /// Creates an environment with the default variables.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Also passes on this variable, if the agent has it.
    #[must_use]
    pub fn pass(mut self, name: impl Into<OsString>) -> Self {
        self.passed.insert(key(name.into()));
        self
    }

    /// Sets a variable, overriding the agent's value.
    #[must_use]
    pub fn set(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.set.insert(key(name.into()), value.into());
        self
    }

    /// Returns the variables with their current values.
    pub(crate) fn variables(&self) -> BTreeMap<OsString, OsString> {
        let mut variables: BTreeMap<_, _> = env::vars_os()
            .map(|(name, value)| (key(name), value))
            .filter(|(name, _)| self.passes(name))
            .collect();
        // Relative directories would be resolved in the skill's directory, where a skill could
        // provide its own `git`.
        let path = variables.get(OsStr::new("PATH")).map_or(OsStr::new(""), OsString::as_os_str);
        variables.insert("PATH".into(), absolute_path(path));
        variables.extend(self.set.clone());
        variables
    }

    fn passes(&self, name: &OsStr) -> bool {
        self.passed.contains(name)
            || PASSED.iter().any(|passed| name == *passed)
            || name.as_encoded_bytes().starts_with(b"LC_")
    }
}

/// Returns the name under which a variable is stored: in upper case on Windows, where `Path` and
/// `PATH` are one variable.
fn key(name: OsString) -> OsString {
    if cfg!(windows) { name.to_ascii_uppercase() } else { name }
}

/// Prints only names, because values may be secrets.
impl fmt::Debug for Environment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Environment")
            .field("passed", &self.passed)
            .field("set", &self.set.keys())
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn path_is_one_variable_however_it_is_written() {
        let environment = Environment::new().set("Path", "mine");
        let names = environment.variables().into_keys();
        let paths = names.filter(|name| name.eq_ignore_ascii_case("path")).count();
        assert_eq!(paths, if cfg!(windows) { 1 } else { 2 });
    }

    #[test]
    fn credentials_of_the_agent_are_not_passed_on() {
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
        ] {
            assert!(!environment.passes(OsStr::new(name)), "{name}");
        }
        assert_eq!(environment.passes(&key("path".into())), cfg!(windows));
        // cargo sets this variable for tests.
        assert!(!environment.variables().contains_key(OsStr::new("CARGO_MANIFEST_DIR")));
        assert_eq!(environment.variables()[OsStr::new("CI")], "secret");
        assert!(!format!("{environment:?}").contains("secret"));
    }
}
