//! Parsing of the argument of `skills add`.

use super::{
    local::Local,
    page,
    spec::{Detail, is_name, parse_url},
};
use crate::program::{args::Add, usage_error::usage_error};
use helix_skills_format::{GitUrl, RefName, redacted};
use helix_skills_project::Error;
use std::path::Path;

/// A parsed argument.
pub(super) enum Written {
    Local(Local),
    Remote(GitUrl, Detail),
}

impl Written {
    /// Parses the argument. Paths of the command line are relative to `start`, those of the
    /// manifest to `root`.
    pub(super) fn parse(start: &Path, root: &Path, args: &Add) -> Result<Self, Error> {
        let text = args.source.as_str();
        let is_local = !text.starts_with("//")
            && (text == "."
                || text == ".."
                || ["/", "./", "../"].iter().any(|begin| text.starts_with(begin)));
        if is_local {
            return Local::find(start, root, text, args).map(Self::Local);
        }
        let incomplete = without_repository(text);
        let short = Short::parse(text).filter(|_| incomplete.is_none());
        let plain = text.trim_end_matches('/');
        // A drive letter would make it absolute.
        if !plain.is_empty() && !text.contains(':') && start.join(plain).is_dir() {
            let directory = format!("./{plain}");
            let Some(short) = short else {
                let mut local = Local::find(start, root, &directory, args)?;
                local.note = local.note.or(Some(format!("`{text}` is read as `{directory}`")));
                return Ok(Self::Local(local));
            };
            let url = page::on_github(short.repository);
            let what = format!(
                "`{text}` is both a local directory and a possible repository on github.com"
            );
            let hint = format!("use `{directory}` for the directory or `{url}` for the repository");
            return Err(usage_error(what, hint));
        }
        if let Some(short) = short {
            let address = format!("https://github.com/{}/{}", short.repository, short.directory);
            if let Some(page) = page::parse(&address).filter(|_| short.is_page()) {
                return page.map(|(url, detail)| Self::Remote(url, detail));
            }
            let url = parse_url(&page::on_github(short.repository))?;
            return Ok(Self::Remote(url, short.detail()));
        }
        if let Some(error) = incomplete {
            return Err(error);
        }
        if let Some((address, detail)) = on_forge(text) {
            return Ok(Self::Remote(parse_url(&address)?, detail));
        }
        match page::parse(text) {
            Some(page) => page.map(|(url, detail)| Self::Remote(url, detail)),
            None => parse_url(text).map(|url| Self::Remote(url, Detail::Whole)),
        }
    }
}

/// `OWNER/REPO` of github.com, and what follows it.
struct Short<'t> {
    repository: &'t str,
    /// What follows the next `/`.
    directory: &'t str,
    /// `@` or `#`, and what follows it.
    suffix: Option<(char, &'t str)>,
}

impl<'t> Short<'t> {
    fn parse(text: &'t str) -> Option<Self> {
        let text = text.strip_prefix("github:").unwrap_or(text);
        let (path, suffix) = match text.find(['@', '#']) {
            Some(at) => {
                let (path, rest) = text.split_at(at);
                let mut word = rest.chars();
                let mark = word.next()?;
                let is_valid = match mark {
                    '@' => is_word(word.as_str()),
                    _ => RefName::new(word.as_str()).is_ok(),
                };
                if !is_valid {
                    return None;
                }
                (path, Some((mark, word.as_str())))
            }
            None => (text.strip_suffix('/').unwrap_or(text), None),
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
                && !(has_directory && (owner.contains('.') || suffix.is_some()));
        let repository = &path[..owner.len() + 1 + repository.len()];
        is_valid.then_some(Self { repository, directory, suffix })
    }

    /// Returns whether the path is that of a page: `OWNER/REPO/tree/main`.
    fn is_page(&self) -> bool {
        ["tree/", "blob/"].iter().any(|kind| self.directory.starts_with(kind))
    }

    fn detail(&self) -> Detail {
        match self.suffix {
            Some(('@', word)) => Detail::Word(word.to_owned()),
            Some((_, reference)) => Detail::Reference(reference.to_owned()),
            None if self.directory.is_empty() => Detail::Whole,
            None => Detail::Directory(self.directory.to_owned()),
        }
    }
}

/// Returns the URL and the rest of `gitlab:OWNER/REPO@SKILL` and `bitbucket:OWNER/REPO#REF`, the
/// short forms of npm.
fn on_forge(text: &str) -> Option<(String, Detail)> {
    let (forge, rest) = text.split_once(':')?;
    let host = match forge {
        "gitlab" => "gitlab.com",
        "bitbucket" => "bitbucket.org",
        _ => return None,
    };
    let (path, suffix) = rest.split_at(rest.find(['@', '#']).unwrap_or(rest.len()));
    let detail = match (suffix.strip_prefix('@'), suffix.strip_prefix('#')) {
        (Some(word), _) => Detail::Word(Some(word).filter(|word| is_word(word))?.to_owned()),
        (_, Some(name)) => Detail::Reference(RefName::new(name).ok()?.to_string()),
        _ => Detail::Whole,
    };
    let path = path.strip_suffix(".git").unwrap_or(path);
    let is_valid = path.contains('/') && path.split('/').all(is_name);
    is_valid.then(|| (format!("https://{host}/{path}.git"), detail))
}

/// Hosts on which a repository is `OWNER/REPO`.
const FORGES: [&str; 4] = [page::GITHUB, "gitlab.com", "codeberg.org", "bitbucket.org"];

/// Returns the error for the address of an owner or of the forge itself.
fn without_repository(text: &str) -> Option<Error> {
    let rest = text.split_once("://").map_or(text, |(_, rest)| rest);
    let rest = &rest[..rest.find(['?', '#']).unwrap_or(rest.len())];
    let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let (host, first) = host.split_once(':').unwrap_or((host, ""));
    let host = host.strip_prefix("www.").unwrap_or(host);
    let host = FORGES.into_iter().find(|forge| forge.eq_ignore_ascii_case(host))?;
    let mut parts = [first].into_iter().chain(path.split('/')).filter(|part| !part.is_empty());
    let (owner, None) = (parts.next().unwrap_or("OWNER"), parts.next()) else { return None };
    let what = format!(
        "`{}` names no repository: expected `https://{host}/OWNER/REPO`",
        redacted(text).escape_debug()
    );
    let short = if host == page::GITHUB { "" } else { &format!("https://{host}/") };
    Some(usage_error(what, format!("run `skills add {short}{owner}/REPO`")))
}

/// Returns whether a text can be a skill, a version, a tag or a branch.
fn is_word(text: &str) -> bool {
    RefName::new(text).is_ok()
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_./+".contains(&b))
}
