//! Where credentials come from. They are looked up only after a server asked for them.

use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use reqwest::Url;

use super::error::GitError;
use super::helpers::{self, Helped};
use super::netrc;
use super::policy::host;
use super::shared::Shared;

/// The user name that forges take beside a token.
const TOKEN_USER: &str = "x-access-token";

/// Text that is never printed.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Secret(String);

impl Secret {
    pub(super) fn new(value: impl Into<String>) -> Self {
        Self(value.into())
    }

    /// The text itself, for the request that needs it.
    pub(super) fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(..)")
    }
}

/// What this module knows of the process environment.
#[derive(Clone, Debug, Default)]
pub(crate) struct Environment {
    /// The home directory, for `~/.netrc`.
    pub(crate) home: Option<PathBuf>,
    /// `NETRC`: another place for it.
    pub(crate) netrc: Option<PathBuf>,
    /// `HELIX_SKILLS_TOKEN`
    pub(crate) token: Option<Secret>,
    /// `HELIX_SKILLS_TOKEN_HOST`: `host` or `host:port`.
    pub(crate) token_host: Option<String>,
    /// `GITHUB_TOKEN`, for github.com.
    pub(crate) github_token: Option<Secret>,
    /// `GH_TOKEN`, for github.com, when there is no `GITHUB_TOKEN`.
    pub(crate) gh_token: Option<Secret>,
    /// `GIT_SSL_CAINFO`, which beats `http.sslCAInfo`.
    pub(crate) certificates: Option<PathBuf>,
}

impl Environment {
    /// Reads the variables with a function such as `std::env::var_os`. Empty variables count as unset.
    pub(crate) fn from_variables(variable: impl Fn(&str) -> Option<OsString>) -> Self {
        let text = |name: &str| variable(name).and_then(|v| v.into_string().ok()).filter(|v| !v.is_empty());
        let path = |name: &str| variable(name).filter(|v| !v.is_empty()).map(PathBuf::from);
        Self {
            home: path("HOME").or_else(|| path("USERPROFILE")),
            netrc: path("NETRC"),
            token: text("HELIX_SKILLS_TOKEN").map(Secret),
            token_host: text("HELIX_SKILLS_TOKEN_HOST"),
            github_token: text("GITHUB_TOKEN").map(Secret),
            gh_token: text("GH_TOKEN").map(Secret),
            certificates: path("GIT_SSL_CAINFO"),
        }
    }

    /// Finds settings that can only be mistakes.
    ///
    /// # Errors
    /// A token without its host, or a host without a token.
    pub(crate) fn validate(&self) -> Result<(), GitError> {
        match (&self.token, &self.token_host) {
            (Some(_), None) => {
                Err(GitError::HalfToken { set: "HELIX_SKILLS_TOKEN", missing: "HELIX_SKILLS_TOKEN_HOST" })
            }
            (None, Some(_)) => {
                Err(GitError::HalfToken { set: "HELIX_SKILLS_TOKEN_HOST", missing: "HELIX_SKILLS_TOKEN" })
            }
            _ => Ok(()),
        }
    }

    /// The login for a host. `port` is set if it is not the scheme's own. Reads `~/.netrc` if no token fits; its `default`
    /// entry counts only if the user has named the host (`is_named`).
    pub(super) fn login(&self, host: &str, port: Option<u16>, is_named: bool, verbose: &dyn Fn(&str)) -> Option<Login> {
        let with_port = port.map(|port| format!("{host}:{port}"));
        let is_host = |name: &str| {
            name.eq_ignore_ascii_case(host) || with_port.as_deref().is_some_and(|with| name.eq_ignore_ascii_case(with))
        };
        if let (Some(token), Some(token_host)) = (&self.token, &self.token_host)
            && is_host(token_host)
        {
            return Some(Login::token(token, CredentialSource::Variable("HELIX_SKILLS_TOKEN")));
        }
        if host.eq_ignore_ascii_case("github.com") && port.is_none() {
            if let Some(token) = &self.github_token {
                return Some(Login::token(token, CredentialSource::Variable("GITHUB_TOKEN")));
            }
            if let Some(token) = &self.gh_token {
                return Some(Login::token(token, CredentialSource::Variable("GH_TOKEN")));
            }
        }
        self.netrc_login(host, port, is_named, verbose)
    }

    fn netrc_login(&self, host: &str, port: Option<u16>, is_named: bool, verbose: &dyn Fn(&str)) -> Option<Login> {
        let path = self.netrc.clone().or_else(|| {
            let home = self.home.as_ref()?;
            Some(home.join(if cfg!(windows) { "_netrc" } else { ".netrc" }))
        })?;
        let text = match std::fs::read(&path) {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(error) => {
                if error.kind() != std::io::ErrorKind::NotFound {
                    verbose(&format!("cannot read `{}`: {error}", path.display()));
                }
                return None;
            }
        };
        let found = netrc::find(&text, host, port, is_named)?;
        let user = if found.login.is_empty() { TOKEN_USER.to_owned() } else { found.login };
        let password = Secret(found.password);
        Some(Login { user, password, source: CredentialSource::Netrc(path), helped: None })
    }
}

/// A user name and a password or token.
#[derive(Clone, Debug)]
pub(super) struct Login {
    pub(super) user: String,
    pub(super) password: Secret,
    pub(super) source: CredentialSource,
    /// What credential helpers want to hear of it.
    helped: Option<Arc<Awaiting>>,
}

/// Helpers that gave credentials, and whether they have been told already what became of them.
#[derive(Debug)]
struct Awaiting {
    helped: Helped,
    is_told: AtomicBool,
}

/// What a search for a login found.
#[derive(Debug, Default)]
pub(super) struct Search {
    pub(super) login: Option<Login>,
    /// What went wrong with single sources, for the hint. No secrets.
    pub(super) notes: Vec<String>,
}

impl Login {
    fn token(token: &Secret, source: CredentialSource) -> Self {
        Self { user: TOKEN_USER.to_owned(), password: token.clone(), source, helped: None }
    }

    /// The login for the server of `url`: from the environment, from netrc, else from a credential helper. Only the first
    /// one found is tried.
    ///
    /// Unless the user has named the server (`is_named`), fetched data led to it: then logins that fit every host, a
    /// `default` entry of netrc and helpers that are configured for all URLs, are not used.
    ///
    /// # Errors
    /// The caller asked to stop.
    pub(super) fn find(shared: &Shared, url: &Url, is_named: bool) -> Result<Search, GitError> {
        let verbose = |text: &str| shared.verbose(text);
        if let Some(login) = shared.options.environment.login(host(url), url.port(), is_named, &verbose) {
            return Ok(Search { login: Some(login), notes: Vec::new() });
        }
        let mut advice = helpers::ask(shared, url.as_str(), is_named)?;
        if !is_named {
            advice.notes.push(
                "a `default` entry of netrc and credential helpers for all URLs are used only for hosts that the manifest names"
                    .to_owned(),
            );
        }
        let login = advice.login.map(|(user, password, helped)| Self {
            user,
            password: Secret(password),
            source: CredentialSource::Helper(helped.name.clone()),
            helped: Some(Arc::new(Awaiting { helped, is_told: AtomicBool::new(false) })),
        });
        Ok(Search { login, notes: advice.notes })
    }

    /// The server took it. Helpers hear of that once.
    pub(super) fn approve(&self, shared: &Shared) {
        if let Some(awaiting) = &self.helped
            && !awaiting.is_told.swap(true, Relaxed)
        {
            awaiting.helped.approve(shared);
        }
    }

    /// The server refused it.
    pub(super) fn reject(&self, shared: &Shared) {
        if let Some(awaiting) = &self.helped {
            awaiting.helped.reject(shared);
        }
    }
}

/// Where credentials came from; never what they are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum CredentialSource {
    /// An environment variable.
    Variable(&'static str),
    /// A netrc file.
    Netrc(PathBuf),
    /// A git credential helper, by what it is called.
    Helper(String),
}

impl fmt::Display for CredentialSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Variable(name) => write!(f, "`{name}`"),
            Self::Netrc(path) => write!(f, "`{}`", path.display()),
            Self::Helper(name) => write!(f, "the git credential helper {name}"),
        }
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "a test makes what it needs")]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn source(environment: &Environment, host: &str, port: Option<u16>) -> Option<String> {
        environment
            .login(host, port, true, &|_| ())
            .map(|login| format!("{} {}", login.source, login.password.expose()))
    }

    #[test]
    fn tokens_go_only_to_their_host() {
        let mut environment = Environment {
            token: Some(Secret::new("ours")),
            token_host: Some("git.example.com".into()),
            github_token: Some(Secret::new("hub")),
            gh_token: Some(Secret::new("gh")),
            ..Environment::default()
        };
        assert_eq!(source(&environment, "Git.example.com", None).as_deref(), Some("`HELIX_SKILLS_TOKEN` ours"));
        assert_eq!(source(&environment, "github.com", None).as_deref(), Some("`GITHUB_TOKEN` hub"));
        assert_eq!(source(&environment, "github.com.evil.example", None), None);
        assert_eq!(source(&environment, "github.com", Some(8443)), None);
        assert_eq!(source(&environment, "example.com", None), None);
        environment.github_token = None;
        assert_eq!(source(&environment, "github.com", None).as_deref(), Some("`GH_TOKEN` gh"));
        environment.token_host = Some("127.0.0.1:81".into());
        assert_eq!(source(&environment, "127.0.0.1", Some(80)), None);
        assert_eq!(source(&environment, "127.0.0.1", Some(81)).as_deref(), Some("`HELIX_SKILLS_TOKEN` ours"));
    }

    #[test]
    fn netrc_of_the_variable_and_of_the_home() {
        let home = tempfile::tempdir().unwrap();
        let mut environment = Environment { home: Some(home.path().to_owned()), ..Environment::default() };
        assert_eq!(source(&environment, "h", None), None);
        let file = home.path().join(if cfg!(windows) { "_netrc" } else { ".netrc" });
        std::fs::write(&file, "machine h login l password p").unwrap();
        assert_eq!(source(&environment, "h", None), Some(format!("`{}` p", file.display())));
        environment.netrc = Some(home.path().join("none"));
        assert_eq!(source(&environment, "h", None), None);
    }

    #[test]
    fn half_a_token_is_a_mistake_and_secrets_are_not_printed() {
        let variables = |set: &'static [(&str, &str)]| {
            Environment::from_variables(|name| set.iter().find(|(n, _)| *n == name).map(|(_, v)| v.into()))
        };
        let half = variables(&[("HELIX_SKILLS_TOKEN", "canary")]);
        let error = half.validate().unwrap_err();
        assert_eq!(error.to_string(), "`HELIX_SKILLS_TOKEN` is set and `HELIX_SKILLS_TOKEN_HOST` is not");
        assert!(!format!("{half:?}{error:?}").contains("canary"));
        assert!(variables(&[("HELIX_SKILLS_TOKEN_HOST", "h"), ("HELIX_SKILLS_TOKEN", "")]).validate().is_err());
        assert!(variables(&[("HELIX_SKILLS_TOKEN_HOST", "h"), ("HELIX_SKILLS_TOKEN", "t")]).validate().is_ok());
        assert!(variables(&[]).validate().is_ok());
    }
}
