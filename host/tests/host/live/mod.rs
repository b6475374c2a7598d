//! Bodies with what commands say.

mod attacks;
#[cfg(feature = "conformance")]
mod conformance;
mod differential;
mod failures;
mod limits;
mod rows;
pub(crate) mod teller;

use helix_skills_agent::live::{LiveContext, LiveError};
use helix_skills_runtime::{Arguments, Profile, Skill, SkillBuf};
use std::path::Path;

/// A skill of this name with a body.
pub(crate) fn skill(name: &str, body: &str) -> SkillBuf {
    SkillBuf::from(Skill::define(name, "Works.", body).try_build().unwrap())
}

fn fill_with(
    live: &LiveContext,
    body: &str,
    arguments: Arguments<'_>,
    directory: &Path,
) -> Result<String, LiveError> {
    crate::waiting::wait(live.fill(
        &skill("log", body),
        Profile::Helix,
        arguments,
        directory.to_str(),
    ))
}

/// A body without arguments, in our own profile.
fn fill(live: &LiveContext, body: &str, directory: &Path) -> Result<String, LiveError> {
    fill_with(live, body, Arguments::NONE, directory)
}
