//! Network settings from environment variables: credentials, timeouts and retries.

use crate::error::usage;
use crate::manifest::Manifest;
use crate::{Cancellation, Error, Progress};
use helix_skills_format::GitUrl;
use helix_skills_git::{
    __internal::{FetchEvent, KeptSessions},
    Git, GitOptions,
};
use std::{
    env,
    ffi::OsString,
    io::{self, IsTerminal as _},
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

/// Returns a git client for a manifest, with the credentials, timeouts and retries of the
/// environment.
pub(crate) fn git(
    manifest: &Manifest,
    offline: bool,
    progress: &Arc<dyn Progress>,
    cancellation: &Cancellation,
    kept_sessions: Option<Arc<KeptSessions>>,
) -> Result<Git, Error> {
    let variable = |name: &str| env::var_os(name);
    let urls = manifest.sources.values().filter_map(|source| Some(&source.repository()?.url));
    let mut options = limited(manifest, offline);
    options.connect_timeout = seconds("HELIX_SKILLS_CONNECT_TIMEOUT", options.connect_timeout)?;
    options.stall_timeout = seconds("HELIX_SKILLS_STALL_TIMEOUT", options.stall_timeout)?;
    options.retries = count("HELIX_SKILLS_RETRIES", options.retries)?;
    options.retry_delay = seconds("HELIX_SKILLS_RETRY_DELAY", options.retry_delay)?;
    // `ssh` prompts on the terminal itself, which an automatic run may have as well, without a
    // user. Both streams are terminals only in an interactive run.
    options.prompts = io::stdin().is_terminal() && io::stderr().is_terminal();
    add_credentials(&mut options, variable)?;
    options.certificates = path_of(&variable, "GIT_SSL_CAINFO");
    options.home = home(&variable);
    options.named_hosts = urls.filter_map(|url| Some(url.host()?.to_ascii_lowercase())).collect();
    options.cancellation = cancellation.flag();
    let progress = progress.clone();
    options.progress = Arc::new(move |event: &FetchEvent<'_>| progress.on_fetch(event));
    options.kept_sessions = kept_sessions;
    Ok(Git::new(options))
}

/// Returns the default options with the limits of a manifest.
pub(crate) fn limited(manifest: &Manifest, offline: bool) -> GitOptions {
    let mut options = GitOptions::default();
    options.offline = offline;
    options.objects_per_fetch = manifest.limits.objects_per_fetch;
    options.bytes_per_fetch = manifest.limits.bytes_per_fetch;
    options.bytes_per_object = manifest.limits.bytes_per_file;
    options
}

/// Adds the credentials of the environment, whose variables `variable` reads. Empty variables
/// count as unset.
fn add_credentials(
    options: &mut GitOptions,
    variable: impl Fn(&str) -> Option<OsString>,
) -> Result<(), Error> {
    let text = |name: &str| {
        variable(name).and_then(|value| value.into_string().ok()).filter(|text| !text.is_empty())
    };
    let names = ["HELIX_SKILLS_TOKEN", "HELIX_SKILLS_TOKEN_HOST"];
    match names.map(text) {
        [Some(_), Some(host)] if !is_token_host(&host) => return Err(usage::token_host()),
        [Some(token), Some(host)] => options.add_token(host, token, names[0]),
        [Some(_), None] => return Err(usage::lone_variable(names[0], names[1])),
        [None, Some(_)] => return Err(usage::lone_variable(names[1], names[0])),
        [None, None] => {}
    }
    for name in ["GITHUB_TOKEN", "GH_TOKEN"] {
        if let Some(token) = text(name) {
            options.add_token("github.com:443", token, name);
        }
    }
    options.netrc = path_of(&variable, "NETRC").or_else(|| Some(netrc_in(&home(&variable)?)));
    Ok(())
}

/// Returns whether a text is `host` or `host:port`, or one of them after `NAME@`. Any other text is
/// the host of no URL.
fn is_token_host(text: &str) -> bool {
    let (user, server) = text.rsplit_once('@').unwrap_or(("NAME", text));
    let is_user = !user.is_empty() && !user.contains([':', '/', ' ']);
    is_user && !server.contains('/') && GitUrl::parse(&format!("https://{server}/x")).is_ok()
}

/// Returns the path of the netrc file in a home directory. On Windows, git and curl also read
/// `_netrc` if there is no `.netrc`.
fn netrc_in(home: &Path) -> PathBuf {
    let [netrc, other] = [".netrc", "_netrc"].map(|name| home.join(name));
    if cfg!(windows) && !netrc.exists() && other.exists() { other } else { netrc }
}

fn home(variable: &impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    path_of(variable, "HOME").or_else(|| path_of(variable, "USERPROFILE"))
}

fn path_of(variable: &impl Fn(&str) -> Option<OsString>, name: &str) -> Option<PathBuf> {
    variable(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}

/// Reads a variable with a number.
fn count(variable: &'static str, default: u32) -> Result<u32, Error> {
    let Some(text) = env::var_os(variable) else { return Ok(default) };
    let parsed = text.to_str().and_then(|text| text.parse().ok());
    parsed.ok_or_else(|| usage::variable(variable, "a whole number, 0 or more", default))
}

/// Reads a variable with a number of seconds, which may have a fraction.
fn seconds(variable: &'static str, default: Duration) -> Result<Duration, Error> {
    let Some(text) = env::var_os(variable) else { return Ok(default) };
    let parsed = text
        .to_str()
        .and_then(|text| text.parse().ok())
        .and_then(|number| Duration::try_from_secs_f64(number).ok());
    parsed.filter(|time| !time.is_zero()).ok_or_else(|| {
        usage::variable(variable, "a number of seconds above 0", default.as_secs_f64())
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn read(set: &[(&str, &str)]) -> Result<GitOptions, Error> {
        let mut options = GitOptions::default();
        add_credentials(&mut options, |name| {
            set.iter().find(|(known, _)| *known == name).map(|(_, value)| value.into())
        })?;
        Ok(options)
    }

    #[test]
    fn token_without_host_is_an_error() {
        let error = read(&[("HELIX_SKILLS_TOKEN", "canary")]).err().unwrap();
        assert_eq!(
            error.to_string(),
            "`HELIX_SKILLS_TOKEN` is set and `HELIX_SKILLS_TOKEN_HOST` is not"
        );
        assert!(!format!("{error:?}").contains("canary"));
        assert!(read(&[("HELIX_SKILLS_TOKEN_HOST", "h"), ("HELIX_SKILLS_TOKEN", "")]).is_err());
    }

    #[test]
    fn malformed_host_of_the_token_is_an_error() {
        let read = |host| read(&[("HELIX_SKILLS_TOKEN", "t"), ("HELIX_SKILLS_TOKEN_HOST", host)]);
        for host in ["h", "h:81", "NAME@h", "a@b@h:81", "[::1]", "[::1]:81", "1.2.3.4"] {
            assert!(read(host).is_ok(), "{host}");
        }
        for host in [
            "https://h:1",
            "h/",
            "h/p",
            "bob:pw@h",
            "@h",
            " h",
            "h ",
            "*.h",
            "h:",
            "h:x",
            "::1",
            "[h]",
            "a b@h",
            "NAME@",
            ":81",
            "b\u{fc}.example",
        ] {
            let error = read(host).err().unwrap();
            assert!(!format!("{error:?}").contains("pw"), "it may have a password");
            let expected = "`HELIX_SKILLS_TOKEN_HOST` must be `host`, `host:port` or `NAME@host`";
            assert_eq!(error.to_string(), expected, "{host}");
        }
    }

    #[test]
    fn tokens_and_netrc_come_from_the_environment() {
        let set = [
            ("GH_TOKEN", "gh"),
            ("GITHUB_TOKEN", "hub"),
            ("HELIX_SKILLS_TOKEN", "t"),
            ("HOME", "/me"),
        ];
        let options =
            read(&[set.as_slice(), &[("HELIX_SKILLS_TOKEN_HOST", "h")]].concat()).unwrap();
        let tokens: Vec<_> = options
            .tokens
            .iter()
            .map(|token| (token.host.as_str(), token.label.as_str()))
            .collect();
        let hub = "github.com:443";
        assert_eq!(tokens, [("h", "HELIX_SKILLS_TOKEN"), (hub, "GITHUB_TOKEN"), (hub, "GH_TOKEN")]);
        assert_eq!(options.netrc, Some(Path::new("/me").join(".netrc")));
        assert_eq!(read(&[("NETRC", "/n"), ("HOME", "/me")]).unwrap().netrc, Some("/n".into()));
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "the test writes its own files")]
    fn netrc_has_another_name_on_windows() {
        let home = tempfile::tempdir().unwrap();
        let path = |name| home.path().join(name);
        assert_eq!(netrc_in(home.path()), path(".netrc"));
        std::fs::write(path("_netrc"), "").unwrap();
        let expected = if cfg!(windows) { "_netrc" } else { ".netrc" };
        assert_eq!(netrc_in(home.path()), path(expected));
        std::fs::write(path(".netrc"), "").unwrap();
        assert_eq!(netrc_in(home.path()), path(".netrc"));
    }
}
