//! The source that `skills add` adds.

use crate::program::{typed::Typed, usage_error::usage_error_with};
use helix_skills_format::{GitUrl, GitUrlError, RefName};
use helix_skills_project::Error;

/// A source on the command line.
pub(super) enum Spec {
    Git(GitUrl),
    /// A directory, relative to the manifest.
    Path(String),
}

/// What the argument says in addition to the repository.
pub(super) enum Detail {
    Whole,
    /// A branch, tag or commit, then a path, as in the address of a web page.
    Page {
        rest: String,
        shows: PageKind,
    },
    /// A directory, or its SKILL.md: `OWNER/REPO/DIR`.
    Directory(String),
    /// `OWNER/REPO@WORD`: a skill, or, as in other programs, a plugin or pin.
    Word(String),
    /// Neither a repository nor a part of one.
    Other {
        what: &'static str,
        /// The option that pins what it names.
        pin: Option<(&'static str, String)>,
    },
}

/// What the path of a page is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PageKind {
    Directory,
    SkillMd,
    OtherFile,
}

/// The file of a skill whose page is taken as that of its directory.
pub(super) const SKILL_MD: &str = "/SKILL.md";

/// Returns whether a text can be the name of an owner, a repository or a directory.
pub(super) fn is_name(text: &str) -> bool {
    !text.is_empty()
        && !text.starts_with(['-', '.'])
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.'))
}

/// Returns whether a text has the form `owner/repo` of github.com.
fn is_short(text: &str) -> bool {
    text.split_once('/').is_some_and(|(owner, name)| is_name(owner) && is_name(name))
}

pub(super) fn parse_url(typed: &Typed) -> Result<GitUrl, Error> {
    let text = typed.with_secrets();
    GitUrl::parse(text).map_err(|why| {
        let what = format!("invalid URL `{typed}`: {why}");
        let has_secret = typed.has_secret();
        let hint = match (why, text.split_once('#')) {
            // A redacted part may be a secret, so it is not repeated.
            (GitUrlError::Path | GitUrlError::Bare, Some((url, reference)))
                if !has_secret && RefName::new(reference).is_ok() && GitUrl::parse(url).is_ok() =>
            {
                Some(format!("run `skills add {url} --ref {reference}`"))
            }
            (GitUrlError::Path, None) if !has_secret && !has_path(text) => {
                let site = text.trim_end_matches('/');
                Some(format!("add the path of a repository: `{site}/OWNER/REPO`"))
            }
            (GitUrlError::Path, Some(_)) => {
                Some("pass the branch or tag with `--ref`, not in the URL".to_owned())
            }
            (GitUrlError::Bare, _) if !has_secret => Some(suggestion(text)),
            _ => why.hint().map(str::to_owned),
        };
        usage_error_with(what, hint)
    })
}

/// Returns whether a URL has more than a scheme and a host.
fn has_path(url: &str) -> bool {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.trim_end_matches('/').contains(['/', '?'])
}

/// Suggests how to write a text without a scheme.
fn suggestion(text: &str) -> String {
    if let Some((host, path)) = text.split_once('/')
        && host.contains('.')
    {
        let url = match is_short(path) {
            true => format!("https://{host}/{}.git", path.trim_end_matches(".git")),
            false => format!("https://{text}"),
        };
        if GitUrl::parse(&url).is_ok() {
            return format!("did you mean `{url}`?");
        }
    }
    "use OWNER/REPO for a repository on github.com, `https://...` for any other, or `./path` for a local directory".to_owned()
}
