//! Problems of a provider's skills that do not affect the rest.

use alloc::{
    borrow::ToOwned,
    format,
    string::{String, ToString},
};
use core::fmt;
use helix_skills_runtime::{OneLine, Skill};

/// A problem with a skill that the agent works without. `Display` is one line, even if it contains
/// untrusted text.
///
/// ```
/// use helix_skills::provider::ProviderWarning;
/// let warning = ProviderWarning::from("the archive\nwas not read");
/// assert_eq!(warning.to_string(), "the archive was not read");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProviderWarning {
    text: String,
    /// The name of the skill, or of its directory. If the agent may not use the skill, the warning
    /// does not matter.
    pub(crate) skill: Option<String>,
    /// Whether it only matters if scripts of the skill run.
    is_about_scripts: bool,
}

impl From<&str> for ProviderWarning {
    fn from(text: &str) -> Self {
        Self::new(OneLine(text).to_string())
    }
}

impl ProviderWarning {
    fn new(text: String) -> Self {
        Self { text, skill: None, is_about_scripts: false }
    }

    /// No skill has this name, which is in the list of allowed or preloaded skills.
    pub(crate) fn unknown(name: &str) -> Self {
        Self::new(format!("there is no skill `{}`: the name has no effect", OneLine(name)))
    }

    pub(crate) fn not_preloaded(name: &str, why: &str) -> Self {
        Self::new(format!("`{}` is not preloaded: {}", OneLine(name), OneLine(why)))
    }

    /// The scripts of a skill cannot run, because its files are not in a directory.
    pub(crate) fn no_directory(name: &str) -> Self {
        let text = format!(
            "scripts of `{}` cannot run: its files are not in a directory; \
             wrap the provider of the skills in `Materialized::new(…)`",
            OneLine(name)
        );
        Self { is_about_scripts: true, ..Self::about(name, text) }
    }

    /// Creates the warning of two skills with one name and their positions in a list. `describe`
    /// describes a position.
    pub(crate) fn duplicate(
        pair: &[(usize, Skill); 2],
        describe: impl Fn(usize) -> String,
    ) -> Self {
        let [used, left_out] = pair.each_ref().map(|(at, skill)| match origin(skill) {
            Some(origin) => format!("{} (`{origin}`)", describe(*at)),
            None => describe(*at),
        });
        let name = pair[0].1.name();
        let (shown, used, left_out) = (OneLine(name), OneLine(&used), OneLine(&left_out));
        let text =
            format!("two skills have the name `{shown}`: {used} is used, {left_out} is left out");
        Self::about(name, text)
    }
}

#[doc(hidden)]
impl ProviderWarning {
    /// Creates the warning that a skill or a file was left out. `skill` is the name of the skill,
    /// or of its directory, if it is about one.
    #[must_use]
    pub fn left_out(skill: Option<&str>, what: &str, why: &str) -> Self {
        let text = format!("`{}` is left out: {}", OneLine(what), OneLine(why));
        Self { skill: skill.map(str::to_owned), ..Self::new(text) }
    }

    /// Creates a warning about `skill`, which is used as it is. `text` is one line.
    #[must_use]
    pub fn about(skill: &str, text: String) -> Self {
        Self { skill: Some(skill.to_owned()), ..Self::new(text) }
    }

    /// Returns whether the warning is that scripts have no directory.
    #[must_use]
    pub fn is_about_scripts(&self) -> bool {
        self.is_about_scripts
    }
}

/// Returns where a skill is from: its directory, or its path in a repository or project.
fn origin(skill: &Skill) -> Option<String> {
    if let Some(directory) = skill.directory() {
        return Some(directory.to_owned());
    }
    let from = skill.provenance();
    match (from.url(), from.path()) {
        (None, "") => None,
        (None, path) => Some(path.to_owned()),
        (Some(url), path) => Some(format!("{url} {path}").trim_end().to_owned()),
    }
}

impl fmt::Display for ProviderWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
