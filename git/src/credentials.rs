//! Where credentials come from. They are looked up only after a server asked for them.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use reqwest::Url;

use super::error::GitError;
use super::helpers::{self, HelperCredentials};
use super::netrc;
use super::policy::host;
use super::secret::{CredentialSource, Secret};
use super::shared::Shared;

/// The user name that forges take beside a token.
const TOKEN_USER: &str = "x-access-token";

/// A token for one host.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct AccessToken {
    /// `host` for all of its ports, or `host:port`. Without a port in the URL, the port is that of its scheme.
    pub host: String,
    /// The token.
    pub secret: Secret,
    /// Where it came from, for messages, such as the name of an environment variable.
    pub label: String,
}

impl AccessToken {
    /// A token for `host`, with the name of its origin for messages.
    #[must_use]
    pub fn new(
        host: impl Into<String>,
        secret: impl Into<String>,
        label: impl Into<String>,
    ) -> Self {
        Self { host: host.into(), secret: Secret::new(secret), label: label.into() }
    }
}

/// Credentials that need no question to a program. Credential helpers of the user's git configuration come after them.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Credentials {
    /// Of several tokens for one host, the first one is used.
    pub tokens: Vec<AccessToken>,
    /// A netrc file, read when no token fits.
    pub netrc: Option<PathBuf>,
}

impl Credentials {
    /// The login for the server of `url`. Reads the netrc file if no token fits; its `default` entry counts only if the
    /// user has named the host (`is_named`).
    pub(super) fn login(&self, url: &Url, is_named: bool, verbose: &dyn Fn(&str)) -> Option<Login> {
        let host = host(url);
        let with_port = url.port_or_known_default().map(|port| format!("{host}:{port}"));
        let fits = |name: &str| {
            name.eq_ignore_ascii_case(host)
                || with_port.as_deref().is_some_and(|with| name.eq_ignore_ascii_case(with))
        };
        match self.tokens.iter().find(|token| fits(&token.host)) {
            Some(token) => Some(Login::token(token)),
            None => self.netrc_login(host, url.port(), is_named, verbose),
        }
    }

    fn netrc_login(
        &self,
        host: &str,
        port: Option<u16>,
        is_named: bool,
        verbose: &dyn Fn(&str),
    ) -> Option<Login> {
        let path = self.netrc.as_ref()?;
        let text = match std::fs::read(path) {
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
        let password = Secret::new(found.password);
        Some(Login { user, password, source: CredentialSource::Netrc(path.clone()), helper: None })
    }
}

/// A user name and a password or token.
#[derive(Clone, Debug)]
pub(super) struct Login {
    pub(super) user: String,
    pub(super) password: Secret,
    pub(super) source: CredentialSource,
    /// What credential helpers want to hear of it.
    helper: Option<Arc<HelperReport>>,
}

/// Helpers that gave credentials, and whether they have been told already what became of them.
#[derive(Debug)]
struct HelperReport {
    helper: HelperCredentials,
    is_reported: AtomicBool,
}

/// What a search for a login found.
#[derive(Debug, Default)]
pub(super) struct Search {
    pub(super) login: Option<Login>,
    /// Credentials for all hosts were not looked for, because the user has not named this host.
    pub(super) is_unnamed: bool,
    /// What went wrong with single sources. No secrets.
    pub(super) notes: Vec<String>,
}

impl Login {
    fn token(token: &AccessToken) -> Self {
        let source = CredentialSource::Token(token.label.clone());
        Self { user: TOKEN_USER.to_owned(), password: token.secret.clone(), source, helper: None }
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
        if let Some(login) = shared.options.credentials.login(url, is_named, &verbose) {
            return Ok(Search { login: Some(login), ..Search::default() });
        }
        let advice = helpers::ask(shared, url.as_str(), is_named)?;
        let login = advice.login.map(|(user, password, helper)| Self {
            user,
            password: Secret::new(password),
            source: CredentialSource::Helper(helper.name.clone()),
            helper: Some(Arc::new(HelperReport { helper, is_reported: AtomicBool::new(false) })),
        });
        Ok(Search { login, is_unnamed: !is_named, notes: advice.notes })
    }

    /// The server took it. Helpers hear of that once.
    pub(super) fn approve(&self, shared: &Shared) {
        if let Some(awaiting) = &self.helper
            && !awaiting.is_reported.swap(true, Relaxed)
        {
            awaiting.helper.approve(shared);
        }
    }

    /// The server refused it.
    pub(super) fn reject(&self, shared: &Shared) {
        if let Some(awaiting) = &self.helper {
            awaiting.helper.reject(shared);
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn source(credentials: &Credentials, url: &str) -> Option<String> {
        credentials
            .login(&Url::parse(url).unwrap(), true, &|_| ())
            .map(|login| format!("{} {}", login.source, login.password.expose()))
    }

    #[test]
    fn tokens_go_only_to_their_host() {
        let tokens = vec![
            AccessToken::new("git.example.com", "ours", "OURS"),
            AccessToken::new("github.com:443", "hub", "HUB"),
            AccessToken::new("github.com:443", "gh", "GH"),
            AccessToken::new("127.0.0.1:81", "local", "LOCAL"),
        ];
        let credentials = Credentials { tokens, netrc: None };
        let used = |url| source(&credentials, url);
        assert_eq!(used("https://Git.example.com/r").as_deref(), Some("`OURS` ours"));
        assert_eq!(used("https://git.example.com:8443/r").as_deref(), Some("`OURS` ours"));
        assert_eq!(used("https://github.com/r").as_deref(), Some("`HUB` hub"));
        assert_eq!(used("https://github.com.evil.example/r"), None);
        assert_eq!(used("https://github.com:8443/r"), None);
        assert_eq!(used("https://example.com/r"), None);
        assert_eq!(used("http://127.0.0.1/r"), None);
        assert_eq!(used("http://127.0.0.1:81/r").as_deref(), Some("`LOCAL` local"));
        assert!(!format!("{credentials:?}").contains("ours"));
    }

    #[test]
    fn netrc_is_read_if_no_token_fits() {
        let home = tempfile::tempdir().unwrap();
        let file = home.path().join("netrc");
        std::fs::write(&file, "machine h login l password p").unwrap();
        let mut credentials = Credentials { netrc: Some(file.clone()), ..Credentials::default() };
        assert_eq!(source(&credentials, "https://h/r"), Some(format!("`{}` p", file.display())));
        credentials.tokens.push(AccessToken::new("h", "ours", "OURS"));
        assert_eq!(source(&credentials, "https://h/r").as_deref(), Some("`OURS` ours"));
        credentials =
            Credentials { netrc: Some(home.path().join("none")), ..Credentials::default() };
        assert_eq!(source(&credentials, "https://h/r"), None);
        assert_eq!(source(&Credentials::default(), "https://h/r"), None);
    }
}
