//! The program's single HTTP client, and waits that can be cancelled.
//!
//! Because every wait must end when the caller cancels, requests run as futures, which can be
//! dropped; a blocking read cannot be.

use std::future::Future;
use std::path::PathBuf;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use hyper_util::client::proxy::matcher::Matcher;
use reqwest::{Certificate, NoProxy, Proxy};
use tokio::runtime::Handle;
use tokio::sync::oneshot;

use super::GitOptions;
use super::error::{Cause, GitError};
use super::resolver::Resolver;
use super::secret::Secret;
use super::user_config::UserConfig;
use super::wait::{POLL_INTERVAL, lock};

/// Some hosting services check that the user agent starts with `git/`.
const USER_AGENT: &str = concat!("git/helix-skills-", env!("CARGO_PKG_VERSION"));

/// The HTTP client, with a thread that drives all its connections until it is dropped.
pub(super) struct Client {
    /// For requests without TLS. It trusts no certificate.
    plain: reqwest::Client,
    /// For requests with TLS. Created by the first of them, because that reads the machine's
    /// certificates.
    secure: Mutex<Option<reqwest::Client>>,
    connect_timeout: Duration,
    /// `http.proxy` of the git configuration.
    proxy: Option<Secret>,
    /// `http.sslCAInfo` of the git configuration.
    certificates: Option<PathBuf>,
    /// The proxy rules of both clients.
    proxies: Matcher,
    pub(super) resolver: Resolver,
    driver: Handle,
    stall_timeout: Duration,
    cancellation: Arc<AtomicBool>,
    /// Dropping it ends the driving thread.
    _running: oneshot::Sender<()>,
}

/// Why a wait ended without a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stopped {
    /// The time limit was reached.
    TimedOut,
    /// The operation was cancelled.
    Cancelled,
}

impl Client {
    /// Creates the client. `url` is for messages.
    ///
    /// # Errors
    /// The user's proxy cannot be used.
    pub(super) fn new(
        options: &GitOptions,
        config: &UserConfig,
        url: &str,
    ) -> Result<Self, GitError> {
        // An error means that a provider is installed already, which works too.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let (connect_timeout, proxy) = (options.connect_timeout, config.proxy.clone());
        let resolver = Resolver::default();
        let (builder, proxies) = builder(connect_timeout, proxy.as_ref(), url, &resolver)?;
        let plain = builder.tls_certs_only([]).build().map_err(|error| no_client(url, &error))?;
        let (driver, running) = drive(url)?;
        Ok(Self {
            plain,
            secure: Mutex::default(),
            connect_timeout,
            proxy,
            certificates: config.certificates.clone(),
            proxies,
            resolver,
            driver,
            stall_timeout: options.stall_timeout,
            cancellation: options.cancellation.clone(),
            _running: running,
        })
    }

    /// Begins a request. `name` is the repository's name in messages.
    ///
    /// # Errors
    /// The request needs TLS, and the machine has no certificates, or those of the user cannot be
    /// used.
    pub(super) fn request(
        &self,
        method: reqwest::Method,
        url: reqwest::Url,
        name: &str,
    ) -> Result<reqwest::RequestBuilder, GitError> {
        let proxy = url.as_str().parse().ok().and_then(|url| self.proxies.intercept(&url));
        if let Some(host) = proxy.as_ref().and_then(|proxy| proxy.uri().host()) {
            self.resolver.add_named(host);
        }
        let proxy_uses_tls = proxy.is_some_and(|proxy| proxy.uri().scheme_str() == Some("https"));
        if url.scheme() == "https" || proxy_uses_tls {
            Ok(self.secure(name)?.request(method, url))
        } else {
            Ok(self.plain.request(method, url))
        }
    }

    /// Returns the client for requests with TLS. `url` is for messages.
    fn secure(&self, url: &str) -> Result<reqwest::Client, GitError> {
        let mut slot = lock(&self.secure);
        if let Some(client) = &*slot {
            return Ok(client.clone());
        }
        let (mut builder, _) =
            builder(self.connect_timeout, self.proxy.as_ref(), url, &self.resolver)?;
        if let Some(file) = &self.certificates {
            builder = builder.tls_certs_merge(certificates(file, url)?);
        }
        let client = builder.build().map_err(|error| no_client(url, &error))?;
        Ok(slot.insert(client).clone())
    }

    /// Returns the `host:port` of the proxy for requests to `url`.
    pub(super) fn proxy_of(&self, url: &str) -> Option<String> {
        let found = self.proxies.intercept(&url.parse().ok()?)?;
        // Without its credentials, which are stored separately.
        let host = found.uri().host()?;
        Some(found.uri().port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}")))
    }

    /// Sends a request and waits for the start of the response.
    ///
    /// # Errors
    /// As for [`Client::wait`].
    pub(super) fn send(
        &self,
        request: reqwest::RequestBuilder,
    ) -> Result<reqwest::Result<reqwest::Response>, Stopped> {
        // Spawned on the thread that drives the connections, after the tasks that are ready there:
        // one of them returns the connection of the previous response to the pool.
        let mut task = self.driver.spawn(async {
            tokio::task::yield_now().await;
            request.send().await
        });
        match self.wait(&mut task) {
            Ok(Ok(answer)) => Ok(answer),
            // Only this function aborts the task.
            Ok(Err(failed)) if failed.is_panic() => std::panic::resume_unwind(failed.into_panic()),
            Ok(Err(_)) => Err(Stopped::Cancelled),
            Err(stopped) => {
                task.abort();
                Err(stopped)
            }
        }
    }

    /// Waits for `work` of this client. If the wait fails, `work` is dropped, which closes its
    /// connection.
    ///
    /// # Errors
    /// `work` takes longer than the stall timeout, or the operation was cancelled.
    pub(super) fn wait<F: Future>(&self, work: F) -> Result<F::Output, Stopped> {
        // `None` if the deadline overflows `Instant`: no timeout.
        let end = Instant::now().checked_add(self.stall_timeout);
        self.driver.block_on(async {
            let mut work = pin!(work);
            loop {
                if self.cancellation.load(Ordering::Relaxed) {
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

/// Starts the thread that drives connections. It ends when the returned sender is dropped.
fn drive(url: &str) -> Result<(Handle, oneshot::Sender<()>), GitError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| no_client(url, &error))?;
    let handle = runtime.handle().clone();
    let (running, dropped) = oneshot::channel::<()>();
    let thread = std::thread::Builder::new().name("http".to_owned());
    let work = move || {
        // A dropped sender gives an error here.
        let _ = runtime.block_on(dropped);
        // A hanging name lookup must not block the exit.
        runtime.shutdown_background();
    };
    thread.spawn(work).map_err(|error| no_client(url, &error))?;
    Ok((handle, running))
}

/// Returns the settings that all requests share, and the rules for their proxies.
fn builder(
    connect_timeout: Duration,
    proxy: Option<&Secret>,
    url: &str,
    resolver: &Resolver,
) -> Result<(reqwest::ClientBuilder, Matcher), GitError> {
    let builder = reqwest::Client::builder()
        .dns_resolver(Arc::new(resolver.clone()))
        .user_agent(USER_AGENT)
        .connect_timeout(connect_timeout)
        // `HttpEndpoint` follows redirects, because it knows where credentials may be sent.
        .redirect(reqwest::redirect::Policy::none())
        .referer(false);
    match proxy {
        Some(proxy) => with_proxy(builder, proxy.expose(), url),
        None => Ok((builder, Matcher::from_env())),
    }
}

/// Applies `http.proxy` of the git configuration; an empty value disables proxies. Respects
/// `NO_PROXY`.
fn with_proxy(
    builder: reqwest::ClientBuilder,
    proxy: &str,
    url: &str,
) -> Result<(reqwest::ClientBuilder, Matcher), GitError> {
    if proxy.is_empty() {
        return Ok((builder.no_proxy(), Matcher::builder().build()));
    }
    // Its text may contain a password, so the error does not quote it.
    let parsed = Proxy::all(proxy).map_err(|_| {
        GitError::network(url, "`http.proxy` of the git configuration is not a valid proxy URL")
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
        || format!("failed to read the certificates in `{}` (`http.sslCAInfo`)", file.display());
    let unreadable = |cause: Cause| {
        GitError::network(url, problem())
            .with_cause(cause)
            .with_hint("set `http.sslCAInfo` or GIT_SSL_CAINFO to a file of PEM certificates")
    };
    let bytes = std::fs::read(file).map_err(|error| unreadable(Cause::from_error(&error)))?;
    let found = Certificate::from_pem_bundle(&bytes)
        .map_err(|error| unreadable(Cause::from_error(&error)))?;
    if found.is_empty() {
        Err(unreadable(Cause::text("the file contains no certificates")))
    } else {
        Ok(found)
    }
}

fn no_client(url: &str, error: &(dyn std::error::Error + 'static)) -> GitError {
    GitError::network(url, "failed to create an HTTP client")
        .with_cause(Cause::from_error(error))
        .with_hint("install the system's certificates (`ca-certificates`), or set SSL_CERT_FILE to a file of certificates")
}
