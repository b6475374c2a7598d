//! Requests to the server of one repository: which url, which credentials, and what their failures mean.

use std::io::{self, Read};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use reqwest::blocking::Response;
use reqwest::header::{CONTENT_TYPE, LOCATION};
use reqwest::{Method, StatusCode, Url};

use super::client::SharedClient;
use super::credentials::Login;
use super::error::{Cause, GitError, Sent};
use super::foreign::escape;
use super::policy::{authority, credentials, host, may_follow};
use super::{Options, Verbose};

/// How often one request may be sent elsewhere.
const MOST_REDIRECTS: usize = 5;
/// What is read of an answer that is not wanted, so that its connection can be used again.
const DRAINED: u64 = 64 << 10;
/// Allowed on top of a pack: framing, references, capabilities.
const OVERHEAD: u64 = 16 << 20;

/// Requests to the server of one repository.
pub(super) struct Wire {
    client: SharedClient,
    /// For messages.
    name: String,
    /// Where requests start, and the only place that gets credentials.
    home: String,
    options: Arc<Options>,
    state: Mutex<State>,
    abandoned: AtomicBool,
}

#[derive(Default)]
struct State {
    login: Option<Login>,
    redirected_base: Option<String>,
    failure: Option<GitError>,
}

impl Wire {
    /// `name` is how messages call the repository.
    pub(super) fn new(client: SharedClient, name: String, home: String, options: Arc<Options>) -> Self {
        Self { client, name, home, options, state: Mutex::default(), abandoned: AtomicBool::new(false) }
    }

    /// Keeps why a request failed, for [`Wire::take_failure`].
    pub(super) fn fail(&self, error: GitError) {
        self.state().failure.get_or_insert(error);
    }

    /// Why the last request failed, if it was one of ours that did.
    pub(super) fn take_failure(&self) -> Option<GitError> {
        self.state().failure.take()
    }

    pub(super) fn redirected_base(&self) -> Option<String> {
        self.state().redirected_base.clone()
    }

    /// A new request begins; bodies are read again.
    pub(super) fn begin(&self) {
        self.abandoned.store(false, Relaxed);
    }

    /// Whatever is left of the current answer is not wanted: readers see its end.
    pub(super) fn abandon(&self) {
        self.abandoned.store(true, Relaxed);
    }

    pub(super) fn is_abandoned(&self) -> bool {
        self.abandoned.load(Relaxed)
    }

    pub(super) fn longest_answer(&self) -> u64 {
        self.options.bytes_per_fetch.saturating_add(OVERHEAD)
    }

    pub(super) fn stall_timeout(&self) -> Duration {
        self.options.stall_timeout
    }

    /// GETs `url`, which starts with `base`. Only this request may be redirected, as in git.
    pub(super) fn get(&self, url: &str, base: &str, headers: &[(String, String)]) -> Result<Response, GitError> {
        let tail = url.get(base.len()..).unwrap_or_default();
        let mut target = self.parse(url)?;
        for _ in 0..=MOST_REDIRECTS {
            let response = self.send(&Method::GET, &target, headers, None)?;
            if !response.status().is_redirection() {
                self.check(&response, "application/x-git-upload-pack-advertisement")?;
                if target.as_str() != url {
                    let moved = target.as_str().strip_suffix(tail).map(str::to_owned);
                    let moved = moved.ok_or_else(|| self.problem("it redirects to something that is no repository"))?;
                    self.state().redirected_base = Some(moved);
                }
                return Ok(response);
            }
            target = self.redirect(&target, &response)?;
            drain(response);
        }
        Err(self.problem("it redirects in circles"))
    }

    /// POSTs to `url`.
    pub(super) fn post(&self, url: &str, headers: &[(String, String)], body: Vec<u8>) -> Result<Response, GitError> {
        let response = self.send(&Method::POST, &self.parse(url)?, headers, Some(body))?;
        if response.status().is_redirection() {
            return Err(self.problem("it redirects in the middle of a conversation"));
        }
        self.check(&response, "application/x-git-upload-pack-result")?;
        Ok(response)
    }

    /// Sends a request, a second time with credentials when the server asks for them. The status is success or redirection.
    fn send(
        &self,
        method: &Method,
        url: &Url,
        headers: &[(String, String)],
        body: Option<Vec<u8>>,
    ) -> Result<Response, GitError> {
        let client = self.client.get(&self.options, &self.name)?;
        let sent = self.sent(url)?;
        loop {
            let login = self.state().login.clone().filter(|_| sent == Sent::Allowed);
            let mut request = client.request(method.clone(), url.clone());
            for (name, value) in headers {
                request = request.header(name, value);
            }
            if let Some(login) = &login {
                request = request.basic_auth(&login.user, Some(login.password.expose()));
            }
            if let Some(body) = &body {
                request = request.body(body.clone());
            }
            let response = request.send().map_err(|error| self.unreachable(error.without_url()))?;
            let status = response.status();
            (self.verbose())(&format!("{method} {url}: {}", status.as_u16()));
            if status.is_success() || status.is_redirection() {
                return Ok(response);
            }
            if status != StatusCode::UNAUTHORIZED || login.is_some() {
                return Err(self.refused(status, url, sent, login));
            }
            let found = if sent == Sent::Allowed { self.find_login(url) } else { None };
            let Some(found) = found else { return Err(self.refused(status, url, sent, None)) };
            (self.verbose())(&format!("{} wants credentials: using {}", host(url), found.source));
            self.state().login = Some(found);
            drain(response);
        }
    }

    fn find_login(&self, url: &Url) -> Option<Login> {
        self.options.environment.login(host(url), url.port(), &|text| (self.verbose())(text))
    }

    /// Whether a request to `url` may carry credentials.
    fn sent(&self, url: &Url) -> Result<Sent, GitError> {
        Ok(credentials(&self.parse(&self.home)?, url))
    }

    /// Where an answer redirects to.
    fn redirect(&self, from: &Url, response: &Response) -> Result<Url, GitError> {
        let location = response.headers().get(LOCATION).and_then(|value| value.to_str().ok());
        let to = location.and_then(|location| from.join(location).ok());
        let Some(to) = to else { return Err(self.problem("it redirects to nowhere")) };
        if may_follow(from, &to) {
            (self.verbose())(&format!("{} redirects to {}", self.name, escape(to.as_str().as_bytes())));
            Ok(to)
        } else {
            Err(self.problem(format!("it redirects to `{}`, which is not followed", escape(to.as_str().as_bytes()))))
        }
    }

    /// A proxy's or a forge's page is no answer to git.
    fn check(&self, response: &Response, expected: &str) -> Result<(), GitError> {
        let found = response.headers().get(CONTENT_TYPE).map(|value| value.as_bytes()).unwrap_or_default();
        if found == expected.as_bytes() {
            return Ok(());
        }
        Err(GitError::Network {
            url: self.name.clone(),
            problem: format!("the answer is not git's (content type `{}`)", escape(found)),
            hint: Some("check that the url is that of a repository, not of a page about it"),
            source: None,
        })
    }

    /// What a status other than success means.
    fn refused(&self, status: StatusCode, url: &Url, sent: Sent, login: Option<Login>) -> GitError {
        match status.as_u16() {
            401 | 403 | 404 | 410 => GitError::Authentication {
                url: self.name.clone(),
                host: authority(url),
                status: status.as_u16(),
                tried: login.map(|login| login.source),
                sent,
            },
            429 => self.hinted("too many requests (http status 429)", "wait a while and try again"),
            code => self.problem(format!("http status {code}")),
        }
    }

    /// No answer came at all.
    fn unreachable(&self, error: reqwest::Error) -> GitError {
        let problem = if error.is_connect() {
            "no connection".to_owned()
        } else if error.is_timeout() {
            format!("no answer within {} s", self.options.stall_timeout.as_secs_f32())
        } else {
            "no answer".to_owned()
        };
        let source = Cause::of(&error);
        let hint = is_untrusted(&source).then_some(
            "the server's certificate is not trusted; SSL_CERT_FILE names a file of additional or other authorities",
        );
        GitError::Network { url: self.name.clone(), problem, hint, source: Some(source) }
    }

    /// The answer ended before it was complete.
    pub(super) fn broken_off(&self, error: &io::Error) -> GitError {
        let is_timeout =
            error.get_ref().and_then(|e| e.downcast_ref::<reqwest::Error>()).is_some_and(|e| e.is_timeout())
                || error.kind() == io::ErrorKind::TimedOut;
        let problem = if is_timeout {
            format!("nothing arrived for {} s", self.options.stall_timeout.as_secs_f32())
        } else {
            "the connection broke off".to_owned()
        };
        GitError::Network { url: self.name.clone(), problem, hint: None, source: Some(Cause::of(error)) }
    }

    pub(super) fn too_slow(&self) -> GitError {
        self.problem("the answer arrives too slowly")
    }

    /// The answer, or the pack in it, is longer than allowed.
    pub(super) fn too_long(&self) -> GitError {
        GitError::Limit {
            url: self.name.clone(),
            what: "bytes in one fetch",
            field: "limits.bytesPerFetch",
            limit: self.options.bytes_per_fetch,
        }
    }

    pub(super) fn problem(&self, problem: impl Into<String>) -> GitError {
        GitError::Network { url: self.name.clone(), problem: problem.into(), hint: None, source: None }
    }

    fn hinted(&self, problem: &str, hint: &'static str) -> GitError {
        GitError::Network { url: self.name.clone(), problem: problem.to_owned(), hint: Some(hint), source: None }
    }

    fn parse(&self, url: &str) -> Result<Url, GitError> {
        Url::parse(url).map_err(|error| GitError::Network {
            url: self.name.clone(),
            problem: "the url cannot be parsed".to_owned(),
            hint: None,
            source: Some(Cause::of(&error)),
        })
    }

    fn verbose(&self) -> &Verbose {
        &*self.options.verbose
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn is_untrusted(cause: &Cause) -> bool {
    let text = cause.to_string();
    text.contains("certificate") || text.contains("UnknownIssuer")
}

fn drain(response: Response) {
    // An error here only costs the connection.
    let _ = io::copy(&mut response.take(DRAINED), &mut io::sink());
}
