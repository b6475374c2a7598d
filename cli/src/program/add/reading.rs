//! The readings of the argument of `skills add`.
//!
//! | argument | reading |
//! |---|---|
//! | `OWNER/REPO`, `OWNER/REPO/DIR`, either with `@SKILL` | a repository on github.com, a directory in it, a skill |
//! | `OWNER/REPO#REF`, `OWNER/REPO#REF@SKILL` | the same at a branch or tag |
//! | `https://github.com/OWNER/REPO/tree/REF/DIR`, or `blob` and a SKILL.md | what the page shows |
//! | `https://HOST/REPO/-/tree/REF/DIR`, or `blob` and a SKILL.md | what the page on GitLab shows |
//! | any other URL of git | a repository |
//! | `./PATH`, `../PATH`, `/PATH` | a local directory or repository |
//!
//! A command such as `npx skills add X` is read as `X` before, by `args::without_launcher`.

use super::{
    local::Local,
    spec::{not_a_source, parse_url},
};
use crate::program::{args::Add, typed::Typed, usage_error::usage_error};
use helix_skills_format::{GitUrl, RefName};
use helix_skills_project::Error;
use std::path::Path;

const GITHUB: &str = "github.com";

/// What an argument names.
pub(super) enum Reading {
    Local(Local),
    Remote(Remote),
}

/// A repository, and what an argument selects of it.
pub(super) struct Remote {
    pub(super) url: GitUrl,
    pub(super) place: Place,
    pub(super) skill: Option<String>,
}

/// A directory of a repository, at a commit or at the one that options pin.
pub(super) enum Place {
    /// A directory; empty for the default one.
    Directory(String),
    /// A branch or tag.
    Reference(String),
    /// The end of a page's address: a branch, tag or commit, whose name may contain `/`, then a
    /// directory.
    Page(String),
}

impl Reading {
    /// Parses the argument. Paths of the command line are relative to `start`, those of the
    /// manifest to `root`.
    ///
    /// # Errors
    /// The argument has none of the readings, or a local directory has the same name.
    pub(super) fn parse(start: &Path, root: &Path, args: &Add) -> Result<Self, Error> {
        let typed = &args.source;
        let text = typed.with_secrets();
        let is_path = matches!(text, "." | "..")
            || ["/", "./", "../"].iter().any(|begin| text.starts_with(begin));
        if is_path && !text.starts_with("//") {
            return Local::find(start, root, args).map(Self::Local);
        }
        let remote = on_github(text);
        let plain = text.trim_end_matches('/');
        // A drive letter would make it absolute.
        if !plain.is_empty() && !text.contains(':') && start.join(plain).is_dir() {
            let what = format!("`{typed}` is a local directory, but does not start with `./`");
            let other = remote.map(|remote| format!(" or `{}` for the repository", remote.url));
            let other = other.unwrap_or_default();
            return Err(usage_error(what, format!("use `./{plain}` for the directory{other}")));
        }
        let remote = match remote {
            Some(remote) => remote,
            None => match on_page(typed)? {
                Some(remote) => remote,
                None => Remote::new(parse_url(typed)?, Place::Directory(String::new())),
            },
        };
        Ok(Self::Remote(remote))
    }
}

impl Remote {
    fn new(url: GitUrl, place: Place) -> Self {
        Self { url, place, skill: None }
    }
}

/// Parses `OWNER/REPO[/DIR][@SKILL]` and `OWNER/REPO#REF[@SKILL]`.
fn on_github(text: &str) -> Option<Remote> {
    let (path, reference) = match text.split_once('#') {
        Some((path, reference)) => (path, Some(reference)),
        None => (text, None),
    };
    let (rest, skill) = match reference.unwrap_or(path).rsplit_once('@') {
        Some((rest, skill)) => (rest, Some(skill)),
        None => (reference.unwrap_or(path), None),
    };
    let path = if reference.is_some() { path } else { rest.strip_suffix('/').unwrap_or(rest) };
    let (owner, in_owner) = path.split_once('/')?;
    let (repository, directory) = in_owner.split_once('/').unwrap_or((in_owner, ""));
    // An owner with a dot is a host.
    let is_valid = [owner, repository].into_iter().chain(skill).all(is_name)
        && !owner.contains('.')
        && (directory.is_empty() || directory.split('/').all(is_directory_name));
    let place = match reference {
        None => Place::Directory(directory.to_owned()),
        Some(_) if directory.is_empty() && RefName::new(rest).is_ok() => {
            Place::Reference(rest.to_owned())
        }
        Some(_) => return None,
    };
    let url = GitUrl::parse(&github_url(owner, repository)).ok().filter(|_| is_valid)?;
    Some(Remote { skill: skill.map(str::to_owned), ..Remote::new(url, place) })
}

/// Parses the address of a page on GitHub or GitLab. Returns `None` for other texts.
///
/// # Errors
/// The page is not that of a directory or a SKILL.md.
fn on_page(typed: &Typed) -> Result<Option<Remote>, Error> {
    let text = typed.with_secrets();
    let end = text.find(['?', '#']).unwrap_or(text.len());
    let address = text.strip_prefix("https://").and_then(|_| text.get("https://".len()..end));
    let Some((host, path)) = address.and_then(|address| address.split_once('/')) else {
        return Ok(None);
    };
    let (url, page) = if host == GITHUB {
        let mut parts = path.trim_end_matches('/').splitn(3, '/');
        let (Some(owner), Some(repository)) = (parts.next(), parts.next()) else {
            return Err(not_a_source(typed, None));
        };
        let page = parts.next().unwrap_or_default();
        if page.is_empty() && end == text.len() {
            return Ok(None);
        }
        (github_url(owner, repository), page)
    } else if let Some((repository, page)) = path.split_once("/-/") {
        (format!("https://{host}/{repository}.git"), page.trim_end_matches('/'))
    } else {
        return Ok(None);
    };
    let url = parse_url(&url.as_str().into())?;
    match page.split_once('/') {
        Some(("tree", rest)) => Ok(Some(Remote::new(url, Place::Page(rest.to_owned())))),
        Some(("blob", rest)) if rest.ends_with("/SKILL.md") => {
            Ok(Some(Remote::new(url, Place::Page(rest.to_owned()))))
        }
        _ => Err(not_a_source(typed, Some(&url))),
    }
}

fn github_url(owner: &str, repository: &str) -> String {
    format!("https://{GITHUB}/{owner}/{}.git", repository.trim_end_matches(".git"))
}

/// Returns whether a text can be the name of an owner, a repository or a skill.
fn is_name(text: &str) -> bool {
    !text.is_empty()
        && !text.starts_with(['-', '.'])
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.'))
}

fn is_directory_name(text: &str) -> bool {
    is_name(text.strip_prefix('.').unwrap_or(text))
}
