//! What the environment says of the network.

use crate::{
    Cancellation, Error, Event, Progress,
    git::{self, Environment, Git, Options, Retries},
};
use helix_skills_format::Manifest;
use std::{
    env,
    fmt::Display,
    io::{self, IsTerminal as _},
    sync::Arc,
    time::Duration,
};

/// Git for a manifest, with the credentials, timeouts and retries that the environment sets.
pub(crate) fn git(
    manifest: &Manifest,
    offline: bool,
    progress: &Arc<dyn Progress>,
    cancellation: &Cancellation,
) -> Result<Git, Error> {
    let environment = Environment::from_variables(|name| env::var_os(name));
    environment.validate()?;
    let limits = manifest.limits;
    let urls = manifest.sources.values().filter_map(|source| Some(&source.repository()?.url));
    Ok(Git::new(Options {
        objects_per_fetch: limits.objects_per_fetch,
        bytes_per_fetch: limits.bytes_per_fetch,
        bytes_per_object: limits.bytes_per_file,
        connect_timeout: seconds("HELIX_SKILLS_CONNECT_TIMEOUT", 30.0)?,
        stall_timeout: seconds("HELIX_SKILLS_STALL_TIMEOUT", 60.0)?,
        retries: Retries { count: count("HELIX_SKILLS_RETRIES", 2)?, delay: seconds("HELIX_SKILLS_RETRY_DELAY", 0.5)? },
        // `ssh` asks on the terminal itself, which an automatic run may have without anybody before it.
        prompts: io::stdin().is_terminal() && io::stderr().is_terminal(),
        offline,
        environment,
        named_hosts: urls.filter_map(|url| Some(url.host()?.to_ascii_lowercase())).collect(),
        cancellation: cancellation.flag(),
        progress: Arc::new(Forwarded(progress.clone())),
    }))
}

/// Passes the events of git on.
struct Forwarded(Arc<dyn Progress>);

impl git::Progress for Forwarded {
    fn on(&self, event: &git::Event<'_>) {
        self.0.on(&match *event {
            git::Event::Trace { line } => Event::Trace { line },
            git::Event::Request { url } => Event::Request { url },
            git::Event::Received { url, bytes } => Event::Received { url, bytes },
            git::Event::Retrying { url, attempt, wait, why } => Event::Retrying { url, attempt, wait, why },
        });
    }
}

/// How often something is done.
fn count(variable: &'static str, default: u32) -> Result<u32, Error> {
    let Some(text) = env::var_os(variable) else { return Ok(default) };
    let parsed = text.to_str().and_then(|text| text.parse().ok());
    parsed.ok_or_else(|| refused(variable, "a whole number, 0 or more", default))
}

/// A time in seconds, with a fraction if need be.
fn seconds(variable: &'static str, default: f64) -> Result<Duration, Error> {
    let Some(text) = env::var_os(variable) else { return Ok(Duration::from_secs_f64(default)) };
    let parsed =
        text.to_str().and_then(|text| text.parse().ok()).and_then(|number| Duration::try_from_secs_f64(number).ok());
    parsed.filter(|time| !time.is_zero()).ok_or_else(|| refused(variable, "a number of seconds above 0", default))
}

fn refused(variable: &str, expected: &str, default: impl Display) -> Error {
    let hint = Some(format!("unset it for the usual {default}"));
    Error::Usage { what: format!("`{variable}` must be {expected}"), hint }
}
