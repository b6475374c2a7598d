//! Requests to the server of one repository: URLs, redirects and credentials.

use std::io::Read;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use helix_skills_format::__internal::redacted;
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderName, LOCATION};
use reqwest::{Method, Response, StatusCode, Url};

use super::client::{Client, Stopped};
use super::credentials::Search;
use super::error::{Cause, CredentialPolicy, GitError, Retry};
use super::escape::escape;
use super::helpers::Login;
use super::policy::{credentials, host, may_follow, significant_move};
use super::secret::Secret;
use super::shared::Origin;
use super::wait::lock;
use crate::FetchEvent;

/// Maximum number of redirects of one request.
const MAX_REDIRECTS: usize = 5;
/// Maximum number of bytes read from a response that is not needed, so that its connection can be
/// reused.
const MAX_DRAINED: usize = 64 << 10;
/// What follows the URL of a repository in the request for the greeting.
const GREETING: &str = "info/refs?service=git-upload-pack";
/// The header that asks for version 2 of the protocol.
const VERSION: (HeaderName, &str) = (HeaderName::from_static("git-protocol"), "version=2");
/// The content type of the response to a request of the git protocol.
const POST_RESULT: &str = "application/x-git-upload-pack-result";

/// The HTTP server of one repository.
pub(super) struct HttpEndpoint {
    pub(super) origin: Arc<Origin>,
    /// The URL of the repository, whose server is the only one that gets credentials.
    pub(super) home: String,
    /// Whether the user has named that server. If not, it gets only credentials that are configured
    /// for it alone.
    is_named: bool,
    /// Whether the server may have a local address. Servers that it redirects to may not.
    may_be_local: bool,
    state: Mutex<EndpointState>,
    /// Whether the capabilities are assumed, because no request has failed for lack of one.
    skips_handshake: AtomicBool,
}

#[derive(Default)]
struct EndpointState {
    login: Option<Login>,
    redirected_base: Option<String>,
}

impl HttpEndpoint {
    /// Creates an endpoint. `is_named` says whether the user has named its server, and
    /// `may_be_local` whether the server may have a local address.
    pub(super) fn new(
        origin: Arc<Origin>,
        home: String,
        is_named: bool,
        may_be_local: bool,
    ) -> Self {
        let (state, skips_handshake) = (Mutex::default(), AtomicBool::new(true));
        Self { origin, home, is_named, may_be_local, state, skips_handshake }
    }

    /// Escapes a server's text, so that it is safe to print.
    pub(super) fn shown(&self, text: &[u8]) -> String {
        escape(self.origin.scrub(&String::from_utf8_lossy(text)).as_bytes())
    }

    /// Returns a URL that a server may have chosen, safe to print: without query, user and
    /// password.
    fn shown_url(&self, url: &str) -> String {
        self.shown(redacted(url).as_bytes())
    }

    /// Returns whether conversations begin without a handshake.
    pub(super) fn skips_handshake(&self) -> bool {
        self.skips_handshake.load(Relaxed)
    }

    /// Lets conversations begin with a handshake. Returns false if they do already.
    pub(super) fn require_handshake(&self) -> bool {
        self.skips_handshake.swap(false, Relaxed)
    }

    /// Asks for the server's greeting. As in git, only this request may be redirected.
    pub(super) fn get(self: &Arc<Self>) -> Result<impl Read + Send + use<>, GitError> {
        let client = self.origin.shared.client(&self.origin.name)?;
        let url = below(&self.home, GREETING);
        let mut target = self.parse(&url)?;
        for _ in 0..=MAX_REDIRECTS {
            let response = self.send(&client, &Method::GET, &target, &[VERSION], None)?;
            if !response.status().is_redirection() {
                self.check(&response, "application/x-git-upload-pack-advertisement")?;
                if target.as_str() != url {
                    let moved = target.as_str().strip_suffix(GREETING);
                    let moved = moved.and_then(|base| base.strip_suffix('/')).ok_or_else(|| {
                        self.problem("it redirects to a URL that is not a repository")
                    })?;
                    self.note_move(moved)?;
                    self.state().redirected_base = Some(moved.to_owned());
                }
                return Ok(self.body(client, response));
            }
            target = self.redirect(&target, &response)?;
            self.drain(&client, response)?;
        }
        Err(self.problem("too many redirects"))
    }

    /// Sends a request of the git protocol. `is_old` says whether the server lacks version 2.
    pub(super) fn post(
        self: &Arc<Self>,
        body: Vec<u8>,
        is_old: bool,
    ) -> Result<impl Read + Send + use<>, GitError> {
        let client = self.origin.shared.client(&self.origin.name)?;
        let base = self.state().redirected_base.clone();
        let url = self.parse(&below(base.as_deref().unwrap_or(&self.home), "git-upload-pack"))?;
        let mut headers =
            vec![(CONTENT_TYPE, "application/x-git-upload-pack-request"), (ACCEPT, POST_RESULT)];
        if !is_old {
            headers.push(VERSION);
        }
        let response = self.send(&client, &Method::POST, &url, &headers, Some(body))?;
        if response.status().is_redirection() {
            self.drain(&client, response)?;
            let problem = self.problem("it redirects in the middle of a conversation");
            return Err(problem.with_retry(Retry::Handshake));
        }
        self.check(&response, POST_RESULT)?;
        Ok(self.body(client, response))
    }

    /// Sends a request, and again with credentials if the server asks for them. The returned status
    /// is success or redirection.
    fn send(
        &self,
        client: &Client,
        method: &Method,
        url: &Url,
        headers: &[(HeaderName, &str)],
        body: Option<Vec<u8>>,
    ) -> Result<Response, GitError> {
        let home = self.parse(&self.home)?;
        let sent = credentials(&home, url);
        if self.may_be_local {
            client.resolver.add_named(host(&home));
        }
        loop {
            let login = self.state().login.clone().filter(|_| sent == CredentialPolicy::Allowed);
            let mut request = client.request(method.clone(), url.clone(), &self.origin.name)?;
            for (name, value) in headers {
                request = request.header(name, *value);
            }
            if let Some(login) = &login {
                request = request.basic_auth(&login.user, Some(login.password.expose()));
                let mut secrets = lock(&self.origin.secrets);
                if secrets.is_empty() {
                    let encoded = format!("{}:{}", login.user, login.password.expose());
                    let encoded = Secret::new(BASE64_STANDARD.encode(encoded));
                    secrets.extend([encoded, login.password.clone()]);
                }
            }
            if let Some(body) = &body {
                request = request.body(body.clone());
            }
            self.origin.shared.emit(&FetchEvent::Request { url: &self.origin.name });
            let response = match client.send(request) {
                Ok(Ok(response)) => response,
                Ok(Err(error)) => return Err(self.unreachable(client, url, error.without_url())),
                Err(Stopped::TimedOut) => return Err(self.no_answer(client, url)),
                Err(Stopped::Cancelled) => return Err(GitError::Interrupted),
            };
            let status = response.status();
            self.origin.shared.verbose(&format!(
                "{method} {}: {}",
                self.shown_url(url.as_str()),
                status.as_u16()
            ));
            let helper = login.as_ref().and_then(|login| login.helper.as_ref());
            if status.is_success() || status.is_redirection() {
                if let Some(helper) = helper {
                    helper.approve(&self.origin.shared);
                }
                return Ok(response);
            }
            let is_challenge = status == StatusCode::UNAUTHORIZED;
            if !is_challenge || login.is_some() {
                if let Some(helper) = helper.filter(|_| is_challenge) {
                    helper.reject(&self.origin.shared);
                }
                let search = Search { login, ..Search::default() };
                return Err(self.refused(client, &response, url, sent, search));
            }
            let mut search = if sent == CredentialPolicy::Allowed {
                Login::find(&self.origin.shared, url, self.is_named)?
            } else {
                Search::default()
            };
            let Some(found) = search.login.take() else {
                return Err(self.refused(client, &response, url, sent, search));
            };
            self.origin.shared.verbose(&format!(
                "{} asks for credentials: using {}",
                host(url),
                found.source
            ));
            self.state().login = Some(found);
            self.drain(client, response)?;
        }
    }

    /// Returns the URL that a response redirects to.
    fn redirect(&self, from: &Url, response: &Response) -> Result<Url, GitError> {
        let location = response.headers().get(LOCATION).and_then(|value| value.to_str().ok());
        let to = location.and_then(|location| from.join(location).ok());
        let Some(to) = to else {
            return Err(self.problem("it redirects without a valid location"));
        };
        let shown = self.shown_url(to.as_str());
        if may_follow(from, &to) {
            self.origin.log(format_args!("redirects to {shown}"));
            Ok(to)
        } else {
            Err(self.problem(format!("it redirects to `{shown}`, which is not followed")))
        }
    }

    /// Records that the repository redirects to another host or owner, which may not be
    /// trustworthy.
    fn note_move(&self, moved: &str) -> Result<(), GitError> {
        if let Some(what) = significant_move(&self.parse(&self.home)?, &self.parse(moved)?) {
            let shown = self.shown_url(moved);
            let redirect =
                format!("`{}` redirects to `{shown}`, which is {what}", self.origin.name);
            let mut redirects = lock(&self.origin.redirects);
            if !redirects.contains(&redirect) {
                redirects.push(redirect);
            }
        }
        Ok(())
    }

    /// Reads the rest of a response that is not needed, so that its connection can be reused.
    fn drain(&self, client: &Client, mut response: Response) -> Result<(), GitError> {
        let rest = async {
            let mut read = 0;
            // An error here only loses the connection.
            while let Ok(Some(piece)) = response.chunk().await {
                read += piece.len();
                if read > MAX_DRAINED {
                    break;
                }
            }
        };
        match client.wait(rest) {
            Err(Stopped::Cancelled) => Err(GitError::Interrupted),
            Ok(()) | Err(Stopped::TimedOut) => Ok(()),
        }
    }

    pub(super) fn problem(&self, problem: impl Into<String>) -> GitError {
        GitError::network(&self.origin.name, problem)
    }

    fn parse(&self, url: &str) -> Result<Url, GitError> {
        Url::parse(url).map_err(|error| {
            self.problem("the URL cannot be parsed").with_cause(Cause::from_error(&error))
        })
    }

    fn state(&self) -> MutexGuard<'_, EndpointState> {
        lock(&self.state)
    }
}

/// Appends a path to the URL of a repository.
fn below(base: &str, path: &str) -> String {
    if base.ends_with('/') { format!("{base}{path}") } else { format!("{base}/{path}") }
}
