//! URLs of git repositories.

use crate::{
    Error,
    host::{is_local, is_loopback},
    redacted::has_user,
};

/// How a repository is accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UrlKind {
    /// `https://host/path`
    Https,
    /// `http://host/path`; only for this machine, or with `"allowInsecure": true`.
    Http,
    /// `ssh://user@host/path` or `user@host:path`
    Ssh,
    /// `file:///path`, or a path that starts with `/`, `./` or `../`, relative to the manifest's
    /// directory.
    File,
}

/// A checked URL of a git repository: it has an allowed scheme and no password, and no program can
/// mistake it for an option.
///
/// ```
/// use helix_skills_format::GitUrl;
/// let url = GitUrl::parse("https://github.com/heygen-com/hyperframes.git").unwrap();
/// assert_eq!(url.host(), Some("github.com"));
/// assert!(GitUrl::parse("https://user:secret@example.com/x.git").is_err());
/// assert!(GitUrl::parse("ext::sh -c id").is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GitUrl(String);

/// The URL, its host or its path starts with `-`, so that a program could take it for an option.
const OPTION: Error = Error::new("it, its host or its path starts with `-`");
const SCHEME: Error = Error::with_hint(
    "its scheme is not one of https, ssh, file or, to this machine, http",
    "use https, ssh, or a local path",
);
const CREDENTIALS: Error = Error::with_hint(
    "it contains a user name or a password",
    "set HELIX_SKILLS_TOKEN and HELIX_SKILLS_TOKEN_HOST (`HOST`, or `NAME@HOST` for a user name), or add the host to ~/.netrc; never put secrets in the manifest",
);
const HOST: Error = Error::new("it has no valid host");
/// The path is missing, or leads elsewhere than it seems to: it contains `?`, `#` or a part `.` or
/// `..` (also written `%2e`).
const PATH: Error = Error::with_hint(
    "it has no path to a repository, or one with `?`, `#` or a part `..`",
    "leave out `?`, `#` and `..`; name a branch or tag with `ref`",
);
const INSECURE: Error = Error::with_hint(
    "plain http goes to another machine",
    "use https, or add \"allowInsecure\": true to the source",
);
const FETCHED: Error =
    Error::new("the URL of a plugin must be https or ssh, or be that of its marketplace");
const LOCAL: Error = Error::new("its host is this machine or on its link-local network");

impl Error {
    /// Neither a URL nor a path.
    #[doc(hidden)]
    pub const BARE: Self = Self::with_hint(
        "it is neither a URL nor a path that starts with `/`, `./` or `../`",
        "write `https://github.com/OWNER/REPO.git`, or `./path` for a local repository",
    );
}

crate::checked_text!(GitUrl);

impl GitUrl {
    /// Parses a URL. Plain `http` is accepted for this machine only.
    ///
    /// # Errors
    /// The first rule that the URL breaks.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let url = Self::parse_insecure(text)?;
        let insecure = url.kind() == UrlKind::Http && !url.host().is_some_and(is_loopback);
        if insecure { Err(INSECURE) } else { Ok(url) }
    }
}

#[doc(hidden)]
impl GitUrl {
    /// Parses a URL, with plain `http` to any host (`"allowInsecure": true`).
    ///
    /// # Errors
    /// The first rule that the URL breaks.
    pub fn parse_insecure(text: &str) -> Result<Self, Error> {
        if text.is_empty() {
            return Err(Error::EMPTY);
        }
        if text.starts_with('-') {
            return Err(OPTION);
        }
        let scheme = text.split_once("://");
        if scheme.is_none() && text.contains("::") {
            return Err(SCHEME);
        }
        if scheme.is_none() && text.starts_with("//") {
            return Err(Error::BARE);
        }
        let is_local = scheme.is_none()
            && (matches!(text, "." | "..")
                || ["/", "./", "../"].iter().any(|start| text.starts_with(start)));
        // A local path may contain spaces.
        let is_bad = |c: &char| c.is_control() || *c == '\\' || (c.is_whitespace() && !is_local);
        if let Some(c) = text.chars().find(is_bad) {
            return Err(Error::character(c));
        }
        match scheme {
            Some((scheme, rest)) => check_scheme(scheme, rest)?,
            None if is_local => {}
            None => check_scp(text)?,
        }
        Ok(Self(text.to_owned()))
    }

    /// Parses a URL from fetched data. Because the user has not chosen it, it may lead neither to
    /// this machine or its link-local network, nor to an unencrypted server, unless it is the URL
    /// of `marketplace`, which the manifest names.
    ///
    /// # Errors
    /// The first rule that the URL breaks.
    pub fn parse_fetched(text: &str, marketplace: Option<&Self>) -> Result<Self, Error> {
        let url = Self::parse_insecure(text)?;
        if Some(&url) == marketplace {
            return Ok(url);
        }
        match url.kind() {
            UrlKind::Http | UrlKind::File => Err(FETCHED),
            _ if url.host().is_none_or(is_local) => Err(LOCAL),
            _ => Ok(url),
        }
    }

    /// Returns how the repository is accessed.
    #[must_use]
    pub fn kind(&self) -> UrlKind {
        match self.0.split_once("://") {
            Some(("https", _)) => UrlKind::Https,
            Some(("http", _)) => UrlKind::Http,
            Some(("ssh", _)) => UrlKind::Ssh,
            Some(_) => UrlKind::File,
            None if self.0.starts_with(['/', '.']) => UrlKind::File,
            None => UrlKind::Ssh,
        }
    }

    /// Returns the host without user and port, or `None` for a local repository.
    #[must_use]
    pub fn host(&self) -> Option<&str> {
        if self.kind() == UrlKind::File {
            return None;
        }
        let (authority, _) = self.authority_and_path();
        let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
        if host.starts_with('[') {
            return host.find(']').map(|end| &host[..=end]);
        }
        Some(host.split(':').next().unwrap_or(host))
    }

    /// Returns the host, with user and port, and the path. A local repository has no host.
    #[must_use]
    pub fn authority_and_path(&self) -> (&str, &str) {
        match self.0.split_once("://") {
            Some((_, rest)) => rest.split_once('/').unwrap_or((rest, "")),
            // In `user@host:path`, the path may contain an `@` too.
            None => self.0.split_once(':').unwrap_or(("", &self.0)),
        }
    }

    /// Returns the last part of the path without `.git`: the name of the repository.
    #[must_use]
    pub fn repository_name(&self) -> &str {
        let trimmed = self.0.trim_end_matches('/');
        let trimmed = trimmed
            .strip_suffix("/.git")
            .or_else(|| trimmed.strip_suffix(".git"))
            .unwrap_or(trimmed);
        trimmed.rsplit(['/', ':']).next().unwrap_or(trimmed)
    }
}

/// Checks a URL with a scheme.
fn check_scheme(scheme: &str, rest: &str) -> Result<(), Error> {
    if scheme == "file" {
        return if rest.starts_with('/') && rest.len() > 1 { Ok(()) } else { Err(PATH) };
    }
    let (authority, path) = rest.split_once('/').ok_or(PATH)?;
    match scheme {
        "https" | "http" if authority.contains('@') => return Err(CREDENTIALS),
        "https" | "http" => check_host(authority)?,
        "ssh" => check_ssh_authority(authority)?,
        _ => return Err(SCHEME),
    }
    check_path(path.trim_matches('/').is_empty(), path)
}

/// Checks `user@host:path`.
fn check_scp(text: &str) -> Result<(), Error> {
    // Without a user or a dot, `host:path` could also be a drive letter or another scheme
    // (`javascript:x`).
    let (authority, path) = text
        .split_once(':')
        .filter(|(authority, _)| !authority.contains('/') && authority.contains(['@', '.']))
        .ok_or(Error::BARE)?;
    check_ssh_authority(authority)?;
    if has_user(path) {
        return Err(if path.starts_with('-') { OPTION } else { CREDENTIALS });
    }
    check_path(path.is_empty(), path)
}

fn check_path(is_empty: bool, path: &str) -> Result<(), Error> {
    if path.starts_with('-') {
        return Err(OPTION);
    }
    if is_empty || path.contains(['?', '#']) || has_dots(path) { Err(PATH) } else { Ok(()) }
}

fn check_ssh_authority(authority: &str) -> Result<(), Error> {
    let host = match authority.rsplit_once('@') {
        Some((user, _)) if user.starts_with('-') => return Err(OPTION),
        Some((user, _)) if user.is_empty() || user.contains([':', '@']) => {
            return Err(CREDENTIALS);
        }
        Some((user, host)) => {
            // The user may be passed to a shell, by ssh or by a reader who copies a command from a
            // message.
            let is_plain = |c: &char| c.is_ascii_alphanumeric() || "._-+%".contains(*c);
            match user.chars().find(|c| !is_plain(c)) {
                Some(c) => return Err(Error::character(c)),
                None => host,
            }
        }
        None => authority,
    };
    check_host(host)
}

/// Returns whether a path has a part `.` or `..`, plain or percent-encoded. Such parts are resolved
/// before the request is sent, so that the URL would lead to another owner than it shows.
fn has_dots(path: &str) -> bool {
    path.split('/')
        .any(|part| matches!(part.to_ascii_lowercase().replace("%2e", ".").as_str(), "." | ".."))
}

fn check_host(authority: &str) -> Result<(), Error> {
    if authority.starts_with('-') {
        return Err(OPTION);
    }
    let (host, port) = match authority.strip_prefix('[') {
        Some(rest) => {
            let (address, after) = rest.split_once(']').ok_or(HOST)?;
            if address.is_empty()
                || !address.bytes().all(|b| b.is_ascii_hexdigit() || b == b':' || b == b'.')
            {
                return Err(HOST);
            }
            match after.strip_prefix(':') {
                None if !after.is_empty() => return Err(HOST),
                port => (None, port),
            }
        }
        None => match authority.split_once(':') {
            Some((host, port)) => (Some(host), Some(port)),
            None => (Some(authority), None),
        },
    };
    let good_host = host.is_none_or(|host| {
        !host.is_empty()
            && host.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'_'))
    });
    let good_port = port
        .is_none_or(|port| port.bytes().all(|b| b.is_ascii_digit()) && port.parse::<u16>().is_ok());
    if good_host && good_port { Ok(()) } else { Err(HOST) }
}

/// Returns whether a text has GitHub's short form `OWNER/REPO`.
pub fn is_owner_and_repository(text: &str) -> bool {
    let is_name = |part: &str| {
        !matches!(part, "" | "." | "..")
            && !part.starts_with('-')
            && part.bytes().all(|b| b.is_ascii_alphanumeric() || b"._-".contains(&b))
    };
    text.split_once('/')
        .is_some_and(|(owner, name)| is_name(owner) && !owner.starts_with('.') && is_name(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_that_are_used() {
        for (text, kind, host, name) in [
            ("https://github.com/o/r.git", UrlKind::Https, Some("github.com"), "r"),
            ("https://host:8443/r", UrlKind::Https, Some("host"), "r"),
            ("http://127.0.0.1:80/x/r.git/", UrlKind::Http, Some("127.0.0.1"), "r"),
            ("http://[::1]:80/r", UrlKind::Http, Some("[::1]"), "r"),
            ("http://localhost/r", UrlKind::Http, Some("localhost"), "r"),
            ("ssh://git@host:22/o/r.git", UrlKind::Ssh, Some("host"), "r"),
            ("git@github.com:o/r.git", UrlKind::Ssh, Some("github.com"), "r"),
            ("host.name:o/1/r@2", UrlKind::Ssh, Some("host.name"), "r@2"),
            ("ssh://me%40example.com@host/p/r.git", UrlKind::Ssh, Some("host"), "r"),
            ("https://host/o/..r", UrlKind::Https, Some("host"), "..r"),
            ("file:///srv/r.git", UrlKind::File, None, "r"),
            ("./vendor/a b", UrlKind::File, None, "a b"),
            ("../r", UrlKind::File, None, "r"),
            ("../r/.git", UrlKind::File, None, "r"),
            ("/srv/r", UrlKind::File, None, "r"),
        ] {
            let url = GitUrl::parse(text).unwrap_or_else(|why| panic!("{text}: {why}"));
            assert_eq!(
                (url.kind(), url.host(), url.repository_name()),
                (kind, host, name),
                "{text}"
            );
        }
        assert!(GitUrl::parse_insecure("http://example.com/r").is_ok());
    }

    #[test]
    fn fetched_urls_never_lead_to_this_machine() {
        for (text, why) in [
            ("https://localhost/r", LOCAL),
            ("https://LOCALHOST.:8443/r", LOCAL),
            ("https://[::1]/r", LOCAL),
            ("https://[::ffff:7f00:1]:443/r", LOCAL),
            ("https://169.254.169.254/latest/r", LOCAL),
            ("https://0/r", LOCAL),
            ("https://2130706433/r", LOCAL),
            ("https://0x7f.1/r", LOCAL),
            ("ssh://git@localhost/r", LOCAL),
            ("ssh://git@a.localhost:22/r", LOCAL),
            ("git@127.1:r", LOCAL),
            ("git@localhost:r", LOCAL),
            ("http://localhost/r", FETCHED),
            ("file:///r", FETCHED),
        ] {
            assert_eq!(GitUrl::parse_fetched(text, None), Err(why), "{text}");
            let own = GitUrl::parse_insecure(text).unwrap();
            assert_eq!(GitUrl::parse_fetched(text, Some(&own)), Ok(own.clone()), "{text}");
        }
        for text in ["https://10.0.0.1/r", "ssh://git@192.168.1.1/r", "git@git.corp:r"] {
            assert!(GitUrl::parse_fetched(text, None).is_ok(), "{text}");
        }
    }

    #[test]
    fn urls_that_are_refused() {
        for (text, why) in [
            ("", Error::EMPTY),
            ("--upload-pack=x", OPTION),
            ("https://-host/r", OPTION),
            ("ssh://-oProxyCommand=x/r", OPTION),
            ("git@host:-x", OPTION),
            ("https://u:p@host/r", CREDENTIALS),
            ("https://token@host/r", CREDENTIALS),
            ("ssh://u:p@host/r", CREDENTIALS),
            ("git@host:secret@x", CREDENTIALS),
            ("me.you:secret@host.example/r", CREDENTIALS),
            ("git@host:se/cret@host.example/r", CREDENTIALS),
            ("ext::sh", SCHEME),
            ("EXT::sh", SCHEME),
            ("ftp://host/r", SCHEME),
            ("HTTPS://host/r", SCHEME),
            ("ext::sh -c id", SCHEME),
            ("https://ho st/r", Error::character(' ')),
            ("https://host/a\nb", Error::character('\n')),
            ("https:///r", HOST),
            ("https://host:99999/r", HOST),
            ("http://[::1]evil.example/r", HOST),
            ("https://host", PATH),
            ("https://host/", PATH),
            ("https://host/r?x=1", PATH),
            ("file://host", PATH),
            ("https://host/good/../evil/r", PATH),
            ("https://host/good/%2E%2e/evil/r", PATH),
            ("https://host/good/.%2e/evil/r", PATH),
            ("https://host/./r", PATH),
            ("ssh://git@host/..", PATH),
            ("git@host:r#dev", PATH),
            ("git@host:r?x=1", PATH),
            ("git@host:../r", PATH),
            ("ssh://$(id)@host/r", Error::character('$')),
            ("ssh://a`id`@host/r", Error::character('`')),
            ("a;id@host:r", Error::character(';')),
            ("ssh://\u{202e}a@host/r", Error::character('\u{202e}')),
            ("owner/repo", Error::BARE),
            ("C:/repo", Error::BARE),
            ("javascript:alert(1)", Error::BARE),
            ("http://example.com/r", INSECURE),
        ] {
            assert_eq!(GitUrl::parse(text), Err(why), "{text}");
        }
    }
}
