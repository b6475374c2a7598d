//! The source that `skills add` adds.

use crate::program::{
    quoted::quoted,
    typed::Typed,
    usage_error::{usage_error, usage_error_with},
};
use helix_skills_format::{self as format, GitUrl};
use helix_skills_project::{Error, manifest::GitSource};

/// The hint of the error for an argument that has none of the readings.
const FORMS: &str = "pass OWNER/REPO[/DIR][@SKILL] or OWNER/REPO#REF[@SKILL] for a repository on github.com, a URL of git, the page of a directory or SKILL.md on GitHub or GitLab, or ./PATH";

/// A source on the command line.
pub(super) enum Spec {
    Git(GitUrl),
    /// A directory, relative to the manifest.
    Path(String),
}

/// Parses the URL of a repository, or the path of a local one.
pub(super) fn parse_url(typed: &Typed) -> Result<GitUrl, Error> {
    let text = typed.with_secrets();
    GitUrl::parse(text).map_err(|why| {
        if text.is_empty() || why == format::Error::BARE {
            return not_a_source(typed, None);
        }
        // The fragment is the only problem.
        let has_ref = text.split_once('#').is_some_and(|(url, _)| GitUrl::parse(url).is_ok());
        let hint = match has_ref {
            true => Some("pass the branch or tag with `--ref`, not in the URL"),
            false => why.hint(),
        };
        usage_error_with(format!("invalid URL `{typed}`: {why}"), hint.map(str::to_owned))
    })
}

/// Returns the error for an argument without a reading. `repository` is the repository that it
/// names anyway.
pub(super) fn not_a_source(typed: &Typed, repository: Option<&GitUrl>) -> Error {
    let hint = match repository {
        Some(url) => format!("run `skills add {} --list`", quoted(short(url))),
        None => FORMS.to_owned(),
    };
    usage_error(format!("`{typed}` is not a source"), hint)
}

/// Returns how a command names a repository: `OWNER/REPO` if it is on github.com.
pub(super) fn short(url: &GitUrl) -> &str {
    let text = url.as_str();
    let path = text.strip_prefix("https://github.com/").and_then(|path| path.strip_suffix(".git"));
    path.unwrap_or(text)
}

/// Returns whether a `--skills-dir` is what a source has without one.
pub(super) fn is_default(directory: &str) -> bool {
    directory.trim_matches('/') == GitSource::DEFAULT_SKILLS_DIR
}
