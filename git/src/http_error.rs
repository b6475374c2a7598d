//! Errors of HTTP requests, and whether a retry could help.

use std::error::Error;
use std::io;

use reqwest::header::{CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use reqwest::{Response, Url};

use super::client::{Client, Stopped};
use super::credentials::Search;
use super::endpoint::HttpEndpoint;
use super::error::{AccessDenied, Cause, CredentialPolicy, GitError, Retry, WAIT_LONGER};
use super::policy::authority;
use super::resolver::LocalAddress;
use super::retry::{LONGEST, retry_after};

impl HttpEndpoint {
    /// Checks the content type: the page of a proxy or hosting service is not a git response.
    pub(super) fn check(&self, response: &Response, expected: &str) -> Result<(), GitError> {
        let found =
            response.headers().get(CONTENT_TYPE).map(|value| value.as_bytes()).unwrap_or_default();
        if found == expected.as_bytes() {
            return Ok(());
        }
        let problem =
            format!("the response is not from git (content type `{}`)", self.shown(found));
        Err(self
            .problem(problem)
            .with_retry(Retry::Handshake)
            .with_hint("check that the URL is that of a repository, not of a page about it"))
    }

    /// Returns the error for a status other than success.
    pub(super) fn refused(
        &self,
        client: &Client,
        response: &Response,
        url: &Url,
        policy: CredentialPolicy,
        mut search: Search,
    ) -> GitError {
        let is_unsent = search.login.is_none() && policy == CredentialPolicy::Allowed;
        let tokens = self.origin.shared.options.tokens.iter().filter(|_| is_unsent);
        search.notes.extend(tokens.map(|token| token.not_sent(url)));
        let status = response.status().as_u16();
        // A proxy or a firewall forbids requests, too, but does not ask for credentials.
        let asks = search.login.is_some() || response.headers().contains_key(WWW_AUTHENTICATE);
        match status {
            403 if !asks => self.problem("HTTP status 403"),
            401 | 403 | 404 | 410 => GitError::Denied {
                url: self.origin.name.clone(),
                access: Box::new(AccessDenied {
                    host: authority(url),
                    status,
                    tried: search.login.map(|login| login.origin()),
                    policy,
                    is_unnamed: search.is_unnamed,
                    notes: search.notes,
                }),
            },
            407 => {
                let proxy = client.proxy_of(url.as_str()).unwrap_or_else(|| "unknown".to_owned());
                self.problem(format!("the proxy `{proxy}` requires credentials (HTTP status 407)"))
                    .with_hint("add user and password to the proxy's URL: `http://user:password@host:port`")
            }
            // Servers without version 2 of the protocol may fail on a request of it.
            500 if self.skips_handshake() => {
                self.problem("HTTP status 500").with_retry(Retry::Handshake)
            }
            408 | 429 | 500 | 502 | 503 | 504 => self.busy(status, response),
            code => self.problem(format!("HTTP status {code}")).with_retry(Retry::Handshake),
        }
    }

    /// Returns the error for a status that may be temporary.
    fn busy(&self, status: u16, response: &Response) -> GitError {
        let error = match status {
            429 => self
                .problem("too many requests (HTTP status 429)")
                .with_hint("wait a while and try again"),
            code => self.problem(format!("HTTP status {code}")),
        };
        let asked = response
            .headers()
            .get(RETRY_AFTER)
            .and_then(|value| value.to_str().ok())
            .and_then(retry_after);
        match asked {
            None => error.with_retry(Retry::Soon),
            Some(wait) if wait <= LONGEST => error.with_retry(Retry::After(wait)),
            Some(wait) => {
                error.with_hint(format!("wait at least {} s, as the server asks", wait.as_secs()))
            }
        }
    }

    /// Returns the error for a response that did not begin in time.
    pub(super) fn no_answer(&self, client: &Client, url: &Url) -> GitError {
        self.timed_out(&format!("no response{} within", through(client, url)))
    }

    /// Returns the error for a wait that took the time limit. `what` is the start of a message.
    fn timed_out(&self, what: &str) -> GitError {
        let seconds = self.origin.shared.options.stall_timeout.as_secs_f32();
        self.problem(format!("{what} {seconds} s")).with_hint(WAIT_LONGER).with_retry(Retry::Soon)
    }

    /// The request failed before a response began.
    pub(super) fn unreachable(
        &self,
        client: &Client,
        url: &Url,
        error: reqwest::Error,
    ) -> GitError {
        let what = if error.is_connect() { "no connection" } else { "no response" };
        let problem = self
            .problem(format!("{what}{}", through(client, url)))
            .with_cause(Cause::from_error(&error));
        if cause::<LocalAddress>(&error).is_some() {
            return problem.with_hint("a marketplace or a redirect leads there: report it to the owner of that repository");
        }
        match cause(&error) {
            Some(rustls::Error::InvalidCertificate(_)) => problem.with_hint(
                "the server's certificate is not trusted; set GIT_SSL_CAINFO to a file with its certificate authority",
            ),
            Some(_) => problem,
            None if error.is_builder() => problem,
            None => problem.with_retry(Retry::Soon),
        }
    }

    /// Returns the error for a response that ended before it was complete.
    pub(super) fn broken_off(&self, error: &reqwest::Error) -> GitError {
        self.problem("the connection was lost")
            .with_cause(Cause::from_error(error))
            .with_retry(Retry::Soon)
    }

    /// Returns the error for a response whose rest did not arrive.
    pub(super) fn fell_silent(&self, stopped: Stopped) -> GitError {
        match stopped {
            Stopped::Cancelled => GitError::Interrupted,
            Stopped::TimedOut => self.timed_out("no data received for"),
        }
    }
}

/// Names the proxy of a request, for the middle of a message, because it may be the cause.
fn through(client: &Client, url: &Url) -> String {
    client
        .proxy_of(url.as_str())
        .map(|proxy| format!(" through the proxy `{proxy}`"))
        .unwrap_or_default()
}

/// Returns the error of type `E` in a chain of errors, however deeply it is wrapped.
fn cause<'e, E: Error + 'static>(error: &'e (dyn Error + 'static)) -> Option<&'e E> {
    if let Some(found) = error.downcast_ref::<E>() {
        return Some(found);
    }
    // The source of an `io::Error` skips the error that it wraps.
    let inner = error.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
    inner.and_then(|inner| cause(inner)).or_else(|| error.source().and_then(cause))
}
