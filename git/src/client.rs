//! The one http client of the program, and how it is waited for.

use std::future::Future;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use hyper_util::client::proxy::matcher::Matcher;
use reqwest::{Certificate, NoProxy, Proxy};
use tokio::runtime::Handle;
use tokio::sync::oneshot;

use super::GitOptions;
use super::error::{Cause, GitError};
use super::user_config::UserConfig;
use super::wait::POLL_INTERVAL;

/// Forges look for `git/` at the start.
const USER_AGENT: &str = concat!("git/helix-skills-", env!("CARGO_PKG_VERSION"));

/// The http client, with a thread that drives all of its connections until it is dropped.
pub(super) struct Client {
    http: reqwest::Client,
    /// The same rules that `http` has, to say in a message which proxy it was.
    proxies: Matcher,
    driver: Handle,
    /// Its end is the end of the driving thread.
    _running: oneshot::Sender<()>,
}

/// Why a wait ended without what was waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stopped {
    /// The time is over.
    TimedOut,
    /// Somebody asked to stop.
    Cancelled,
}

impl Client {
    /// `url` is for the message.
    ///
    /// # Errors
    /// There are no certificates on this machine; the user's proxy or certificates cannot be used.
    pub(super) fn new(
        options: &GitOptions,
        config: &UserConfig,
        url: &str,
    ) -> Result<Self, GitError> {
        // An error says that somebody else has chosen one already, which does as well.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let mut builder = reqwest::Client::builder()
            .user_agent(USER_AGENT)
            .connect_timeout(options.connect_timeout)
            // Redirects are followed by `HttpEndpoint`, which knows where credentials may go.
            .redirect(reqwest::redirect::Policy::none())
            .referer(false);
        let mut proxies = Matcher::from_env();
        if let Some(proxy) = &config.proxy {
            (builder, proxies) = with_proxy(builder, proxy.expose(), url)?;
        }
        if let Some(file) = &config.certificates {
            builder = builder.tls_certs_merge(certificates(file, url)?);
        }
        let http = builder.build().map_err(|error| no_client(url, &error))?;
        let (driver, running) = drive(url)?;
        Ok(Self { http, proxies, driver, _running: running })
    }

    pub(super) fn request(
        &self,
        method: reqwest::Method,
        url: reqwest::Url,
    ) -> reqwest::RequestBuilder {
        self.http.request(method, url)
    }

    /// `host:port` of the proxy that requests to `url` go through.
    pub(super) fn proxy_of(&self, url: &str) -> Option<String> {
        let found = self.proxies.intercept(&url.parse().ok()?)?;
        // Without its credentials, which are kept apart.
        let host = found.uri().host()?;
        Some(found.uri().port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}")))
    }

    /// Sends a request, and waits for its answer to begin.
    ///
    /// # Errors
    /// As [`Client::wait`].
    pub(super) fn send(
        &self,
        limit: Duration,
        cancellation: &AtomicBool,
        request: reqwest::RequestBuilder,
    ) -> Result<reqwest::Result<reqwest::Response>, Stopped> {
        // On the thread that drives the connections: there it finds the one that the last answer has just left.
        let mut task = self.driver.spawn(request.send());
        match self.wait(limit, cancellation, &mut task) {
            Ok(Ok(answer)) => Ok(answer),
            // Nobody but us aborts it.
            Ok(Err(failed)) if failed.is_panic() => std::panic::resume_unwind(failed.into_panic()),
            Ok(Err(_)) => Err(Stopped::Cancelled),
            Err(stopped) => {
                task.abort();
                Err(stopped)
            }
        }
    }

    /// Waits for work of this client. What is given up is dropped, which closes its connection.
    ///
    /// # Errors
    /// It takes longer than `limit`, or somebody asks to stop.
    pub(super) fn wait<F: Future>(
        &self,
        limit: Duration,
        cancellation: &AtomicBool,
        work: F,
    ) -> Result<F::Output, Stopped> {
        // None is later than any clock goes.
        let end = Instant::now().checked_add(limit);
        self.driver.block_on(async {
            let mut work = pin!(work);
            loop {
                if cancellation.load(Ordering::Relaxed) {
                    return Err(Stopped::Cancelled);
                }
                let left =
                    end.map_or(POLL_INTERVAL, |end| end.saturating_duration_since(Instant::now()));
                if let Ok(done) = tokio::time::timeout(left.min(POLL_INTERVAL), work.as_mut()).await
                {
                    return Ok(done);
                }
                if left <= POLL_INTERVAL && end.is_some() {
                    return Err(Stopped::TimedOut);
                }
            }
        })
    }
}

/// Starts the thread that drives connections. It ends when what is returned beside its handle is dropped.
fn drive(url: &str) -> Result<(Handle, oneshot::Sender<()>), GitError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| no_client(url, &error))?;
    let handle = runtime.handle().clone();
    let (running, dropped) = oneshot::channel::<()>();
    let thread = std::thread::Builder::new().name("http".to_owned());
    let work = move || {
        // An error is what a dropped sender gives.
        let _ = runtime.block_on(dropped);
        // A look-up of a name that hangs must not hold up anybody.
        runtime.shutdown_background();
    };
    thread.spawn(work).map_err(|error| no_client(url, &error))?;
    Ok((handle, running))
}

/// `http.proxy` of the git configuration; an empty one means none at all. `NO_PROXY` is heeded.
fn with_proxy(
    builder: reqwest::ClientBuilder,
    proxy: &str,
    url: &str,
) -> Result<(reqwest::ClientBuilder, Matcher), GitError> {
    if proxy.is_empty() {
        return Ok((builder.no_proxy(), Matcher::builder().build()));
    }
    // Its text may hold a password.
    let parsed = Proxy::all(proxy).map_err(|_| {
        GitError::network(url, "`http.proxy` of the git configuration is no url of a proxy")
            .with_hint("write `http://host:port`, `https://host:port` or `socks5h://host:port`")
    })?;
    let except = ["NO_PROXY", "no_proxy"]
        .iter()
        .find_map(|name| std::env::var(name).ok())
        .unwrap_or_default();
    let matcher = Matcher::builder().all(proxy.to_owned()).no(except.clone()).build();
    Ok((builder.proxy(parsed.no_proxy(NoProxy::from_string(&except))), matcher))
}

fn certificates(file: &std::path::Path, url: &str) -> Result<Vec<Certificate>, GitError> {
    let problem =
        || format!("the certificates in `{}` (`http.sslCAInfo`) cannot be read", file.display());
    let unreadable = |cause: Cause| {
        GitError::network(url, problem())
            .with_cause(cause)
            .with_hint("`http.sslCAInfo` or GIT_SSL_CAINFO must name a file of PEM certificates")
    };
    let bytes = std::fs::read(file).map_err(|error| unreadable(Cause::from_error(&error)))?;
    let found = Certificate::from_pem_bundle(&bytes)
        .map_err(|error| unreadable(Cause::from_error(&error)))?;
    if found.is_empty() { Err(unreadable(Cause::text("there are none in it"))) } else { Ok(found) }
}

fn no_client(url: &str, error: &(dyn std::error::Error + 'static)) -> GitError {
    GitError::network(url, "no http client can be made")
        .with_cause(Cause::from_error(error))
        .with_hint("install the system's certificates (`ca-certificates`), or name a file of them in SSL_CERT_FILE")
}
