//! Bodies with commands.

mod attacks;
mod commands;
mod conformance;
mod differential;
mod exit_codes;
mod failures;
mod limits;
pub(crate) mod recording_shell;

use helix_skills_agent::shell::ShellContext;
use helix_skills_runtime::{Arguments, Error, Profile, Skill};
use std::path::Path;

/// Returns a skill with this name and body.
pub(crate) fn skill(name: &str, body: &str) -> Skill {
    Skill::define(name, "Works.", body).try_build().unwrap()
}

fn fill_with(
    live: &ShellContext,
    body: &str,
    arguments: Arguments<'_>,
    directory: &Path,
) -> Result<String, Error> {
    crate::waiting::wait(live.fill(
        &skill("log", body),
        Profile::Helix,
        arguments,
        directory.to_str(),
    ))
}

/// Fills a body without arguments in the profile `helix`.
fn fill(live: &ShellContext, body: &str, directory: &Path) -> Result<String, Error> {
    fill_with(live, body, Arguments::NONE, directory)
}
