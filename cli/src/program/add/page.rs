//! Addresses of web pages and downloads that are pasted in place of a repository.

use super::spec::{Detail, PageKind, SKILL_MD, parse_url};
use helix_skills_format::GitUrl;
use helix_skills_project::Error;

/// Recognizes the address of a page or download: the repository, and what the page shows.
pub(super) fn parse(text: &str) -> Option<Result<(GitUrl, Detail), Error>> {
    let address = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"))?;
    let end = address.find(['?', '#']).unwrap_or(address.len());
    let (address, rest) = address.split_at(end);
    let (host, path) = address.trim_end_matches('/').split_once('/')?;
    let host = host.strip_prefix("www.").filter(|host| *host == GITHUB).unwrap_or(host);
    let (repository, page) = match host {
        // Of other queries and fragments it is not known whether they matter.
        GITHUB if path.split('/').count() == 2 => {
            let is_page = rest == "#readme" || rest.starts_with("?tab=");
            return is_page
                .then(|| Ok((parse_url(&on_github(path).as_str().into())?, Detail::Whole)));
        }
        "raw.githubusercontent.com" => {
            let (repository, file) = split_parts(path, 2)?;
            (on_github(repository), Page { kind: "raw", rest: file })
        }
        "codeload.github.com" => {
            let (repository, archive) = split_parts(path, 2)?;
            let (_, reference) = archive.split_once('/')?;
            (on_github(repository), Page { kind: "archive", rest: reference })
        }
        _ => match path.split_once("/-/") {
            Some((repository, page)) => {
                (format!("https://{host}/{repository}.git"), Page::new(page))
            }
            None => {
                let (repository, page) = split_parts(path, 2)?;
                let page = Page::new(page);
                if host != GITHUB && !KINDS.contains(&page.kind) {
                    return None;
                }
                let url = match host {
                    GITHUB => on_github(repository),
                    _ => format!("https://{host}/{repository}"),
                };
                (url, page)
            }
        },
    };
    Some(parse_url(&repository.as_str().into()).map(|url| (url, page.detail())))
}

pub(super) const GITHUB: &str = "github.com";

/// The pages that are recognized on any host, after the repository's two parts.
const KINDS: [&str; 5] = ["tree", "blob", "raw", "archive", "releases"];

/// Returns the URL of a repository on github.com.
pub(super) fn on_github(repository: &str) -> String {
    format!("https://{GITHUB}/{}.git", repository.trim_end_matches(".git"))
}

/// Splits a path after its first `count` parts.
fn split_parts(path: &str, count: usize) -> Option<(&str, &str)> {
    let (at, _) = path.match_indices('/').nth(count - 1)?;
    Some((&path[..at], &path[at + 1..]))
}

/// A page of a repository.
struct Page<'t> {
    /// The first part of its path: `tree`, `blob`, `releases`, ...
    kind: &'t str,
    /// The other parts.
    rest: &'t str,
}

impl<'t> Page<'t> {
    fn new(path: &'t str) -> Self {
        let (kind, rest) = path.split_once('/').unwrap_or((path, ""));
        Self { kind, rest }
    }

    fn detail(&self) -> Detail {
        let page = |shows| Detail::Page { rest: self.rest.to_owned(), shows };
        let (what, pin) = match self.kind {
            "tree" if self.rest.is_empty() => return Detail::Whole,
            "tree" => return page(PageKind::Directory),
            "blob" | "raw" if self.rest.ends_with(SKILL_MD) => return page(PageKind::SkillMd),
            "blob" | "raw" => return page(PageKind::OtherFile),
            "archive" => ("an archive", Some(archived(self.rest))),
            "releases" => {
                let tag = self.rest.strip_prefix("tag/").or(self.rest.strip_prefix("download/"));
                let tag = tag.and_then(|rest| rest.split('/').next()).unwrap_or_default();
                ("a release", Some(tag).filter(|tag| !tag.is_empty()))
            }
            "commit" => ("the page of a commit", Some(self.rest)),
            _ => ("a web page", None),
        };
        let pin = pin.map(pin_option).map(|(option, value)| (option, value.to_owned()));
        Detail::Other { what, pin }
    }
}

/// Returns the branch, tag or commit of an archive: `refs/tags/v1.zip`, `main.tar.gz`, or
/// `main/NAME-main.zip` as on GitLab.
fn archived(rest: &str) -> &str {
    let full = rest.strip_prefix("refs/heads/").or(rest.strip_prefix("refs/tags/"));
    let name = full.unwrap_or(rest);
    let endings = [".zip", ".tar.gz", ".tgz", ".tar.bz2", ".tar"];
    let Some(stem) = endings.iter().find_map(|ending| name.strip_suffix(ending)) else {
        return name;
    };
    match stem.rsplit_once('/') {
        Some((reference, file)) if file.ends_with(&reference.replace('/', "-")) => reference,
        _ => stem,
    }
}

/// Returns the option that pins a branch, tag or commit: `--version` for a tag that is a version.
pub(super) fn pin_option(name: &str) -> (&'static str, &str) {
    let bare = name.strip_prefix('v').unwrap_or(name);
    let is_number = |part: &str| part.starts_with(|c: char| c.is_ascii_digit());
    if name.len() == 40 && name.bytes().all(|b| b.is_ascii_hexdigit()) {
        ("--sha", name)
    } else if bare.split('.').count() > 2 && bare.split('.').take(3).all(is_number) {
        ("--version", bare)
    } else {
        ("--ref", name)
    }
}
