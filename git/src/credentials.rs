//! Sources of credentials. They are used only after a server has asked for credentials.
//!
//! For each server, only the first source with an answer is tried: trying more would send secrets
//! to servers they are not meant for.

use reqwest::Url;

use super::GitOptions;
use super::error::GitError;
use super::escape::escape;
use super::helpers::{self, Login};
use super::netrc;
use super::policy::host;
use super::secret::Secret;
use super::shared::Shared;

/// The user name that most hosting services accept together with a token.
const TOKEN_USER: &str = "x-access-token";

/// The length of the shortest tokens of hosts: some accept a token as user name.
const MIN_TOKEN: usize = 20;

/// A token for one host.
#[derive(Clone, Debug)]
pub struct AccessToken {
    /// `host` for all of its ports, or `host:port`. For URLs without a port, the port is the
    /// default of the scheme.
    pub host: String,
    /// The user name that is sent with the token.
    pub(super) user: String,
    /// The secret token.
    pub(super) secret: Secret,
    /// The origin of the token for messages, such as the name of an environment variable.
    pub label: String,
}

impl AccessToken {
    /// Returns why it was not sent to the server of `url`, which refused a request without it.
    pub(super) fn not_sent(&self, url: &Url) -> String {
        let why = match fits(url, &self.host) {
            true => "the server did not ask for credentials".to_owned(),
            false => format!("it is for the host `{}`", escape(self.host.as_bytes())),
        };
        format!("`{}` was not sent, because {why}", self.label)
    }
}

/// Returns whether a name is the host of `url`, with or without its port.
fn fits(url: &Url, name: &str) -> bool {
    let port = url.port_or_known_default().unwrap_or_default();
    [host(url), &format!("{}:{port}", host(url))].iter().any(|it| it.eq_ignore_ascii_case(name))
}

impl GitOptions {
    /// Adds a token for all ports of a host, or for one `host:port`. The first one for a host is
    /// used. If the host is `name@host`, this name is sent as user name, else `x-access-token`. The
    /// token is never printed; `label` names its origin in messages.
    pub fn add_token(
        &mut self,
        host: impl Into<String>,
        secret: impl Into<String>,
        label: impl Into<String>,
    ) {
        let (host, secret, label) = (host.into(), Secret::new(secret), label.into());
        let (user, host) = host.rsplit_once('@').unwrap_or((TOKEN_USER, &host));
        self.tokens.push(AccessToken { host: host.into(), user: user.into(), secret, label });
    }

    /// Returns the login for the server of `url`. Reads the netrc file if no token matches; its
    /// `default` entry is used only if the user has named the host (`is_named`).
    pub(super) fn login(&self, url: &Url, is_named: bool, verbose: &dyn Fn(&str)) -> Option<Login> {
        let fits = |name: &str| fits(url, name);
        match self.tokens.iter().find(|token| fits(&token.host)) {
            Some(token) => Some(Login::token(token)),
            None => self.netrc_login(fits, is_named, verbose),
        }
    }

    fn netrc_login(
        &self,
        fits: impl Fn(&str) -> bool,
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
        let (login, password) = netrc::find(&text, fits, is_named)?;
        let user = if login.is_empty() { TOKEN_USER.to_owned() } else { login };
        let password = Secret::new(password);
        Some(Login { user, password, source: format!("`{}`", path.display()), helper: None })
    }
}

/// The result of a search for a login.
#[derive(Debug, Default)]
pub(super) struct Search {
    pub(super) login: Option<Login>,
    /// Whether credentials for all hosts were skipped because the user has not named this host.
    pub(super) is_unnamed: bool,
    /// Problems with individual sources, without secrets.
    pub(super) notes: Vec<String>,
}

impl Login {
    fn token(token: &AccessToken) -> Self {
        let source = format!("`{}`", token.label);
        Self { user: token.user.clone(), password: token.secret.clone(), source, helper: None }
    }

    /// Returns whose login it is, unless the user name may be a token, and where it comes from.
    pub(super) fn origin(&self) -> String {
        match self.user.len() < MIN_TOKEN {
            true => format!("of the user `{}` from {}", escape(self.user.as_bytes()), self.source),
            false => format!("from {}", self.source),
        }
    }

    /// Finds the login for the server of `url` in the environment, in netrc, or with a credential
    /// helper, in this order. Only the first one found is tried.
    ///
    /// If the user has not named the server (`is_named`), the URL came from fetched data. Logins
    /// that match every host are then not used: the `default` entry of netrc, and helpers that are
    /// configured for all URLs.
    ///
    /// # Errors
    /// The operation was cancelled.
    pub(super) fn find(shared: &Shared, url: &Url, is_named: bool) -> Result<Search, GitError> {
        let verbose = |text: &str| shared.verbose(text);
        if let Some(login) = shared.options.login(url, is_named, &verbose) {
            return Ok(Search { login: Some(login), ..Search::default() });
        }
        let mut search = Search { is_unnamed: !is_named, ..Search::default() };
        search.login = helpers::ask(shared, url.as_str(), is_named, &mut search.notes)?;
        Ok(search)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn source(options: &GitOptions, url: &str) -> Option<String> {
        options
            .login(&Url::parse(url).unwrap(), true, &|_| ())
            .map(|login| format!("{} {}", login.source, login.password.expose()))
    }

    #[test]
    fn tokens_go_only_to_their_host() {
        let mut options = GitOptions::default();
        options.add_token("git.example.com", "ours", "OURS");
        options.add_token("github.com:443", "hub", "HUB");
        options.add_token("github.com:443", "gh", "GH");
        options.add_token("127.0.0.1:81", "local", "LOCAL");
        let used = |url| source(&options, url);
        assert_eq!(used("https://Git.example.com/r").as_deref(), Some("`OURS` ours"));
        assert_eq!(used("https://git.example.com:8443/r").as_deref(), Some("`OURS` ours"));
        assert_eq!(used("https://github.com/r").as_deref(), Some("`HUB` hub"));
        assert_eq!(used("https://github.com.evil.example/r"), None);
        assert_eq!(used("https://github.com:8443/r"), None);
        assert_eq!(used("https://example.com/r"), None);
        assert_eq!(used("http://127.0.0.1/r"), None);
        assert_eq!(used("http://127.0.0.1:81/r").as_deref(), Some("`LOCAL` local"));
        assert!(!format!("{:?}", options.tokens).contains("ours"));
    }

    #[test]
    fn netrc_is_read_if_no_token_fits() {
        let home = tempfile::tempdir().unwrap();
        let file = home.path().join("netrc");
        std::fs::write(&file, "machine h login l password p").unwrap();
        let mut options = GitOptions { netrc: Some(file.clone()), ..GitOptions::default() };
        assert_eq!(source(&options, "https://h/r"), Some(format!("`{}` p", file.display())));
        options.add_token("h", "ours", "OURS");
        assert_eq!(source(&options, "https://h/r").as_deref(), Some("`OURS` ours"));
        options = GitOptions { netrc: Some(home.path().join("none")), ..GitOptions::default() };
        assert_eq!(source(&options, "https://h/r"), None);
        assert_eq!(source(&GitOptions::default(), "https://h/r"), None);
    }
}
