//! Tests of the built program: they check exit code, output, files and requests of commands that
//! users, scripts or attackers could run. No test asserts on time.

#![allow(clippy::unwrap_used)]

mod any_skill;
mod audit;
mod budget;
mod canary;
mod catalog;
mod causes;
mod check_and_sync;
mod checking;
mod choosing;
mod commands;
#[cfg(target_os = "linux")]
mod completed_paths;
#[cfg(unix)]
mod completions;
mod concurrency;
mod conformance;
mod contents;
mod credentials;
mod diff;
mod directories;
mod discovery;
mod disk;
mod facts;
#[cfg(feature = "conformance")]
mod field;
mod flags;
mod handshakes;
mod help;
#[cfg(unix)]
mod help_examples;
mod helpers;
mod hostile;
mod https;
mod hyperframes;
mod installing;
mod interrupt;
mod known_warnings;
mod leftovers;
mod licenses;
mod limits;
mod links;
mod listing;
mod local_repositories;
mod lockfile;
mod manifest_mistakes;
mod market;
mod marketplaces;
mod merging;
mod mirrors;
mod narrowing;
mod near_skills;
mod new_skill;
mod origin;
mod outdated;
mod path_sources;
mod pins;
mod plugins_elsewhere;
#[cfg(target_os = "linux")]
mod progress;
mod project;
mod removal;
mod requests;
mod retries;
mod search;
mod selection;
mod servers;
mod shared_requests;
mod shell;
mod show_text;
mod ssh;
mod store;
mod suggestions;
mod tables;
mod tool_names;
mod unnamed;
mod updating;
mod validate;
