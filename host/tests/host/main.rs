//! Tests of the public API, with real files in temporary directories.

#![allow(clippy::unwrap_used)]
#![allow(clippy::disallowed_methods, reason = "tests start programs")]

#[cfg(unix)]
mod agentick;
mod agents;
mod changes;
// The recorded trees have links.
#[cfg(unix)]
mod conformance;
#[cfg(unix)]
mod dice;
mod discovery;
#[cfg(unix)]
mod documents;
mod enabled;
mod errors;
mod folder;
#[cfg(unix)]
mod hostile;
mod install;
mod limits;
#[cfg(unix)]
mod links;
#[cfg(unix)]
mod live;
mod load;
#[cfg(target_os = "linux")]
mod many;
mod materialized;
mod mounts;
#[cfg(unix)]
mod other_tools;
mod outcomes;
#[cfg(unix)]
mod race;
mod refused_scripts;
mod registry;
#[cfg(unix)]
mod replacements;
mod runs;
#[cfg(unix)]
mod scripts;
#[cfg(unix)]
mod shell;
#[cfg(unix)]
mod skill_directory;
#[cfg(unix)]
mod slash;
#[cfg(unix)]
mod toolbox;
mod validator;
mod waiting;
mod warnings;
