//! Bodies that are filled: what the systems promise, what their own code was seen to do, and what nobody can make of it.

mod commands;
mod conformance;
mod filling;
mod hostile;

use helix_skills_runtime::{Arguments, Profile, Template, Variables};

/// A body, filled as a profile fills it.
pub(crate) fn filled(
    profile: Profile,
    body: &str,
    names: &[&str],
    arguments: Arguments<'_>,
) -> String {
    Template::new(body)
        .named(names)
        .in_profile(profile)
        .fill(arguments, Variables::new())
        .to_string()
}
