//! Templates: documented features, recorded behavior of other systems, and hostile input.

mod commands;
mod conformance;
mod filling;
mod hostile;

use helix_skills_runtime::{Arguments, Profile, Template, Variables};

/// Returns a body filled by the rules of a profile.
pub(crate) fn filled(
    profile: Profile,
    body: &str,
    names: &[&str],
    arguments: Arguments<'_>,
) -> String {
    Template::new(body).named(names).profile(profile).fill(arguments, &Variables::new())
}
