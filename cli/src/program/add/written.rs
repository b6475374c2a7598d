//! Parsing of the argument of `skills add`.

use super::{
    local::Local,
    page,
    spec::{Detail, is_name, parse_url},
};
use crate::program::{args::Add, typed::Typed, usage_error::usage_error};
use helix_skills_format::{GitUrl, RefName};
use helix_skills_project::Error;
use std::path::Path;

/// A parsed argument.
pub(super) enum Written {
    Local(Local),
    Remote {
        url: GitUrl,
        detail: Detail,
        /// What follows `#`: `REF`, or `REF@SKILL`.
        reference: Option<String>,
    },
}

impl Written {
    /// Parses the argument. Paths of the command line are relative to `start`, those of the
    /// manifest to `root`.
    pub(super) fn parse(start: &Path, root: &Path, args: &Add) -> Result<Self, Error> {
        let typed = &args.source;
        let text = typed.with_secrets();
        let is_local = !text.starts_with("//")
            && (text == "."
                || text == ".."
                || ["/", "./", "../"].iter().any(|begin| text.starts_with(begin)));
        if is_local {
            return Local::find(start, root, typed, args).map(Self::Local);
        }
        let incomplete = without_repository(typed);
        let short = Short::parse(text).filter(|_| incomplete.is_none());
        let plain = text.trim_end_matches('/');
        // A drive letter would make it absolute.
        if !plain.is_empty() && !text.contains(':') && start.join(plain).is_dir() {
            let directory = Typed::from(format!("./{plain}").as_str());
            let Some(short) = short else {
                let mut local = Local::find(start, root, &directory, args)?;
                local.note = local.note.or(Some(format!("`{typed}` is read as `{directory}`")));
                return Ok(Self::Local(local));
            };
            let url = page::on_github(short.repository);
            let what = format!(
                "`{typed}` is both a local directory and a possible repository on github.com"
            );
            let hint = format!("use `{directory}` for the directory or `{url}` for the repository");
            return Err(usage_error(what, hint));
        }
        if let Some(short) = short {
            return short.resolve();
        }
        if let Some(error) = incomplete {
            return Err(error);
        }
        if let Some((address, suffix)) = on_forge(text) {
            return Ok(suffix.of(parse_url(&address.as_str().into())?, Detail::Whole));
        }
        if let Some(page) = page::parse(text) {
            return page.map(|(url, detail)| Self::Remote { url, detail, reference: None });
        }
        let schemes = ["https://github.com/", "https://www.github.com/", "http://github.com/"];
        let path = schemes.iter().find_map(|scheme| text.strip_prefix(scheme));
        let has_suffix =
            |short: &Short<'_>| text.contains(['@', '#']) && short.directory.is_empty();
        if let Some(short) = path.and_then(Short::parse).filter(has_suffix) {
            return short.resolve();
        }
        parse_url(typed).map(|url| Self::Remote { url, detail: Detail::Whole, reference: None })
    }
}

/// What follows a repository: `@SKILL`, `#REF`, `@SKILL#REF` or `#REF@SKILL`.
#[derive(Clone, Copy)]
struct Suffix<'t> {
    word: Option<&'t str>,
    reference: Option<&'t str>,
}

impl<'t> Suffix<'t> {
    /// Splits a text. Returns `None` if the suffix is invalid.
    fn split(text: &'t str) -> Option<(&'t str, Self)> {
        let (text, reference) = match text.split_once('#') {
            Some((text, reference)) => (text, Some(reference)),
            None => (text, None),
        };
        let (path, word) = match text.split_once('@') {
            Some((path, word)) => (path, Some(word)),
            None => (text, None),
        };
        let is_valid = word.is_none_or(is_word)
            && reference.is_none_or(|reference| RefName::new(reference).is_ok());
        is_valid.then_some((path, Self { word, reference }))
    }

    /// Returns the repository with this suffix. A word replaces `detail`.
    fn of(&self, url: GitUrl, detail: Detail) -> Written {
        let detail = self.word.map_or(detail, |word| Detail::Word(word.to_owned()));
        Written::Remote { url, detail, reference: self.reference.map(str::to_owned) }
    }
}

/// `OWNER/REPO` of github.com, and what follows it.
struct Short<'t> {
    repository: &'t str,
    /// What follows the next `/`.
    directory: &'t str,
    suffix: Suffix<'t>,
}

impl<'t> Short<'t> {
    fn parse(text: &'t str) -> Option<Self> {
        let text = text.strip_prefix("github:").unwrap_or(text);
        let (path, suffix) = Suffix::split(text)?;
        let path = match suffix.word {
            Some(_) => path,
            None => path.strip_suffix('/').unwrap_or(path),
        };
        let parts: Vec<&str> = path.split('/').collect();
        let (&[owner, repository, ..], false) = (parts.as_slice(), parts.contains(&"")) else {
            return None;
        };
        let directory = path.get(owner.len() + repository.len() + 2..).unwrap_or_default();
        let has_directory = !directory.is_empty();
        // The owner of a longer path may be a host.
        let is_valid =
            parts.iter().all(|part| is_name(part) || part.starts_with('.') && is_name(&part[1..]))
                && is_name(owner)
                && is_name(repository)
                && !(has_directory && (owner.contains('.') || suffix.word.is_some()));
        let repository = &path[..owner.len() + 1 + repository.len()];
        is_valid.then_some(Self { repository, directory, suffix })
    }

    /// Returns the repository, and what the text says in addition.
    fn resolve(&self) -> Result<Written, Error> {
        let address = format!("https://github.com/{}/{}", self.repository, self.directory);
        if let Some(page) = page::parse(&address).filter(|_| self.is_page()) {
            return page.map(|(url, detail)| self.suffix.of(url, detail));
        }
        let detail = match self.directory {
            "" => Detail::Whole,
            directory => Detail::Directory(directory.to_owned()),
        };
        Ok(self.suffix.of(parse_url(&page::on_github(self.repository).as_str().into())?, detail))
    }

    /// Returns whether the path is that of a page: `OWNER/REPO/tree/main`.
    fn is_page(&self) -> bool {
        ["tree/", "blob/"].iter().any(|kind| self.directory.starts_with(kind))
    }
}

/// Returns the URL and the suffix of `gitlab:OWNER/REPO@SKILL` and `bitbucket:OWNER/REPO#REF`, the
/// short forms of npm.
fn on_forge(text: &str) -> Option<(String, Suffix<'_>)> {
    let (forge, rest) = text.split_once(':')?;
    let host = match forge {
        "gitlab" => "gitlab.com",
        "bitbucket" => "bitbucket.org",
        _ => return None,
    };
    let (path, suffix) = Suffix::split(rest)?;
    let path = path.strip_suffix(".git").unwrap_or(path);
    let is_valid = path.contains('/') && path.split('/').all(is_name);
    is_valid.then(|| (format!("https://{host}/{path}.git"), suffix))
}

/// Hosts on which a repository is `OWNER/REPO`.
const FORGES: [&str; 4] = [page::GITHUB, "gitlab.com", "codeberg.org", "bitbucket.org"];

/// Returns the error for the address of an owner or of the forge itself.
fn without_repository(typed: &Typed) -> Option<Error> {
    let text = typed.with_secrets();
    let rest = text.split_once("://").map_or(text, |(_, rest)| rest);
    let rest = &rest[..rest.find(['?', '#']).unwrap_or(rest.len())];
    let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let (host, first) = host.split_once(':').unwrap_or((host, ""));
    let host = host.strip_prefix("www.").unwrap_or(host);
    let host = FORGES.into_iter().find(|forge| forge.eq_ignore_ascii_case(host))?;
    let mut parts = [first].into_iter().chain(path.split('/')).filter(|part| !part.is_empty());
    let (owner, None) = (parts.next().unwrap_or("OWNER"), parts.next()) else { return None };
    let what = format!("`{typed}` names no repository: expected `https://{host}/OWNER/REPO`");
    let short = if host == page::GITHUB { "" } else { &format!("https://{host}/") };
    Some(usage_error(what, format!("run `skills add {short}{owner}/REPO`")))
}

/// Returns whether a text can be a skill, a version, a tag or a branch.
fn is_word(text: &str) -> bool {
    RefName::new(text).is_ok()
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_./+".contains(&b))
}
