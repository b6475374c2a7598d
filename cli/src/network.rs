//! What the environment says of the network.

use crate::{
    Cancellation, Error, Event, Progress,
    git::{Environment, Git, Options},
};
use helix_skills_format::Limits;
use std::{env, sync::Arc, time::Duration};

/// Git as the environment wants it: credentials, time-outs.
pub(crate) fn git(
    limits: Limits,
    offline: bool,
    progress: &Arc<dyn Progress>,
    cancellation: &Cancellation,
) -> Result<Git, Error> {
    let environment = Environment::from_variables(|name| env::var_os(name));
    environment.validate()?;
    let listener = progress.clone();
    let _ = cancellation;
    Ok(Git::new(Options {
        objects_per_fetch: limits.objects_per_fetch,
        bytes_per_fetch: limits.bytes_per_fetch,
        bytes_per_object: limits.bytes_per_file,
        connect_timeout: seconds("HELIX_SKILLS_CONNECT_TIMEOUT", 30)?,
        stall_timeout: seconds("HELIX_SKILLS_STALL_TIMEOUT", 60)?,
        offline,
        environment,
        verbose: Arc::new(move |line| listener.on(&Event::Trace { line })),
    }))
}

/// A time-out in seconds, with a fraction if need be.
fn seconds(variable: &'static str, default: u64) -> Result<Duration, Error> {
    let Some(text) = env::var_os(variable) else { return Ok(Duration::from_secs(default)) };
    let parsed =
        text.to_str().and_then(|text| text.parse().ok()).and_then(|number| Duration::try_from_secs_f64(number).ok());
    parsed
        .filter(|time| !time.is_zero())
        .ok_or_else(|| Error::Usage { what: format!("`{variable}` must be a number of seconds above 0"), hint: None })
}
