//! What it means when a request over http fails, and whether asking again could help.

use std::error::Error;
use std::io;

use reqwest::header::{CONTENT_TYPE, RETRY_AFTER};
use reqwest::{Response, Url};

use super::client::{Client, Stopped};
use super::credentials::Search;
use super::endpoint::HttpEndpoint;
use super::error::{Advice, Cause, CredentialPolicy, GitError, Retry};
use super::policy::authority;
use super::retry::{LONGEST, retry_after};

impl HttpEndpoint {
    /// A proxy's or a forge's page is no answer to git.
    pub(super) fn check(&self, response: &Response, expected: &str) -> Result<(), GitError> {
        let found =
            response.headers().get(CONTENT_TYPE).map(|value| value.as_bytes()).unwrap_or_default();
        if found == expected.as_bytes() {
            return Ok(());
        }
        let problem = format!("the answer is not git's (content type `{}`)", self.shown(found));
        Err(self
            .problem(problem)
            .with_hint("check that the url is that of a repository, not of a page about it"))
    }

    /// What a status other than success means.
    pub(super) fn refused(
        &self,
        client: &Client,
        response: &Response,
        url: &Url,
        policy: CredentialPolicy,
        search: Search,
    ) -> GitError {
        let status = response.status().as_u16();
        match status {
            401 | 403 | 404 | 410 => GitError::Authentication {
                url: self.name.clone(),
                host: authority(url),
                status,
                tried: search.login.map(|login| login.source),
                policy,
                is_unnamed: search.is_unnamed,
                notes: search.notes,
            },
            407 => {
                let proxy = client.proxy_of(url.as_str()).unwrap_or_else(|| "there".to_owned());
                self.problem(format!("the proxy `{proxy}` wants credentials (http status 407)"))
                    .with_hint("write user and password into the proxy's url: `http://user:password@host:port`")
            }
            408 | 429 | 500 | 502 | 503 | 504 => self.busy(status, response),
            code => self.problem(format!("http status {code}")),
        }
    }

    /// A status that may be another one soon.
    fn busy(&self, status: u16, response: &Response) -> GitError {
        let error = match status {
            429 => self
                .problem("too many requests (http status 429)")
                .with_hint("wait a while and try again"),
            code => self.problem(format!("http status {code}")),
        };
        let asked = response
            .headers()
            .get(RETRY_AFTER)
            .and_then(|value| value.to_str().ok())
            .and_then(retry_after);
        match asked {
            None => error.with_retry(Retry::Soon),
            Some(wait) if wait <= LONGEST => error.with_retry(Retry::After(wait)),
            Some(wait) => error
                .with_hint(format!("the server asks to be left alone for {} s", wait.as_secs())),
        }
    }

    /// No answer came in time.
    pub(super) fn no_answer(&self, client: &Client, url: &Url) -> GitError {
        let seconds = self.shared.options.stall_timeout.as_secs_f32();
        let problem = format!("no answer{} within {seconds} s", through(client, url));
        self.problem(problem).with_advice(Advice::WaitLonger).with_retry(Retry::Soon)
    }

    /// No answer came at all.
    pub(super) fn unreachable(
        &self,
        client: &Client,
        url: &Url,
        error: reqwest::Error,
    ) -> GitError {
        let what = if error.is_connect() { "no connection" } else { "no answer" };
        let problem = self
            .problem(format!("{what}{}", through(client, url)))
            .with_cause(Cause::from_error(&error));
        match tls_error(&error) {
            Some(rustls::Error::InvalidCertificate(_)) => problem.with_hint(
                "the server's certificate is not trusted; SSL_CERT_FILE names a file of additional or other authorities",
            ),
            Some(_) => problem,
            None if error.is_builder() => problem,
            None => problem.with_retry(Retry::Soon),
        }
    }

    /// The answer ended before it was complete.
    pub(super) fn broken_off(&self, error: &reqwest::Error) -> GitError {
        self.problem("the connection broke off")
            .with_cause(Cause::from_error(error))
            .with_retry(Retry::Soon)
    }

    /// Nothing more came of an answer.
    pub(super) fn fell_silent(&self, stopped: Stopped) -> GitError {
        match stopped {
            Stopped::Cancelled => GitError::Interrupted,
            Stopped::TimedOut => {
                let seconds = self.shared.options.stall_timeout.as_secs_f32();
                self.problem(format!("nothing arrived for {seconds} s"))
                    .with_advice(Advice::WaitLonger)
                    .with_retry(Retry::Soon)
            }
        }
    }
}

/// Which proxy a request went through, for the middle of a sentence. It is named because it may be the one to blame.
fn through(client: &Client, url: &Url) -> String {
    client
        .proxy_of(url.as_str())
        .map(|proxy| format!(" through the proxy `{proxy}`"))
        .unwrap_or_default()
}

/// What TLS has to say, however deep others have wrapped it.
fn tls_error<'e>(error: &'e (dyn Error + 'static)) -> Option<&'e rustls::Error> {
    if let Some(found) = error.downcast_ref::<rustls::Error>() {
        return Some(found);
    }
    // io skips what it wraps when it is asked for its source.
    let inner = error.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
    inner.and_then(|inner| tls_error(inner)).or_else(|| error.source().and_then(tls_error))
}
