//! The parts of the user's git configuration that are used: URL rewriting, the `ssh` command, the
//! proxy, certificates, and whether there are credential helpers.
//!
//! All else is ignored, including `http.sslVerify`, `GIT_SSL_NO_VERIFY` and `http.<url>.*`.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use gix::bstr::{BStr, BString};
use gix::config::File;
use gix::config::file::Metadata;

use super::GitOptions;
use super::error::Cause;
use super::secret::Secret;

/// The settings that are used of the user's git configuration.
#[derive(Debug, Default)]
pub(super) struct UserConfig {
    pub(super) rewrites: Rewrites,
    /// The command to run instead of `ssh`.
    pub(super) ssh: Option<SshCommand>,
    /// `ssh.variant`
    pub(super) ssh_variant: Option<String>,
    /// `http.proxy`; empty for no proxy. It may contain a password.
    pub(super) proxy: Option<Secret>,
    /// `http.sslCAInfo`: additional certificates to trust.
    pub(super) certificates: Option<PathBuf>,
    /// Whether a credential helper is configured for any URL.
    pub(super) has_helpers: bool,
}

/// A custom `ssh` command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum SshCommand {
    /// `GIT_SSH_COMMAND` or `core.sshCommand`: a command line.
    Line(OsString),
    /// `GIT_SSH`: a program.
    Program(OsString),
}

impl UserConfig {
    /// Reads the configuration of the system and the user, without starting a program.
    ///
    /// # Errors
    /// The configuration cannot be parsed.
    pub(super) fn load(options: &GitOptions) -> Result<Self, Cause> {
        // With default options, gix does not start `git` to find its configuration.
        let file = gix::config(None, &gix::open::Options::default())
            .map_err(|error| Cause::from_gix(&error))?;
        Ok(Self::from_file(&file, options.home.as_deref(), options.certificates.as_deref()))
    }

    fn from_file(file: &File, home: Option<&Path>, preferred: Option<&Path>) -> Self {
        let text = |key: &str| {
            let value = file.string_filter(key, is_trusted)?;
            gix::path::from_bstring(value).ok().map(PathBuf::into_os_string)
        };
        let filled = |key: &str| text(key).filter(|value| !value.is_empty());
        // gix stores GIT_SSH_COMMAND in the first of these keys, and GIT_SSH in the second.
        let line = filled("core.sshCommand").map(SshCommand::Line);
        let program = || filled("gitoxide.ssh.commandWithoutShellFallback");
        let certificates = filled("http.sslCAInfo").map(PathBuf::from);
        Self {
            rewrites: Rewrites::from_file(file),
            ssh: line.or_else(|| program().map(SshCommand::Program)),
            ssh_variant: text("ssh.variant").and_then(|variant| variant.into_string().ok()),
            proxy: text("http.proxy").and_then(|proxy| proxy.into_string().ok()).map(Secret::new),
            certificates: preferred
                .map(Path::to_owned)
                .or_else(|| certificates.map(|path| at_home(path, home))),
            has_helpers: file
                .sections_by_name_and_filter("credential", is_trusted)
                .into_iter()
                .flatten()
                .any(|section| section.value("helper").is_some()),
        }
    }
}

/// Ignores configuration files that are not owned by the current user.
pub(super) fn is_trusted(meta: &Metadata) -> bool {
    meta.trust == gix::sec::Trust::Full
}

/// Expands `~/` to the home directory.
fn at_home(path: PathBuf, home: Option<&Path>) -> PathBuf {
    match (path.strip_prefix("~"), home) {
        (Ok(rest), Some(home)) => home.join(rest),
        _ => path,
    }
}

/// The user's `url.<base>.insteadOf` rules: the prefix of a URL, and its replacement.
#[derive(Debug, Default)]
pub(super) struct Rewrites(Vec<(BString, BString)>);

impl Rewrites {
    fn from_file(file: &File) -> Self {
        let mut rules = Vec::new();
        for section in file.sections_by_name_and_filter("url", is_trusted).into_iter().flatten() {
            let Some(base) = section.header().subsection_name() else { continue };
            for start in section.values("insteadOf").iter().filter(|start| !start.is_empty()) {
                rules.push((BStr::new(&**start).to_owned(), base.to_owned()));
            }
        }
        Self(rules)
    }

    /// Rewrites a URL by the rule with the longest match, the first of equals, as in git. Returns
    /// `None` if no rule matches.
    pub(super) fn apply(&self, url: &str) -> Option<String> {
        let is_match = |(start, _): &&(BString, BString)| url.as_bytes().starts_with(start);
        // Of equals, `max_by_key` returns the last.
        let matches = self.0.iter().rev().filter(is_match);
        let (start, base) = matches.max_by_key(|(start, _)| start.len())?;
        let mut rewritten = base.to_vec();
        rewritten.extend_from_slice(&url.as_bytes()[start.len()..]);
        String::from_utf8(rewritten).ok()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn the_longest_match_wins() {
        let text = "[url \"http://127.0.0.1:1/\"]\n\tinsteadOf = https://github.com/\n\
                    [url \"http://127.0.0.1:2/\"]\n\tinsteadOf = https://github.com/a/\n\tinsteadOf = gh:\n\
                    [url \"http://127.0.0.1:3/\"]\n\tinsteadOf = https://github.com/a/\n\tpushInsteadOf = https://example.com/\n";
        let rewrites = Rewrites::from_file(&text.parse().unwrap());
        let apply = |url| rewrites.apply(url);
        assert_eq!(
            apply("https://github.com/b/r.git").as_deref(),
            Some("http://127.0.0.1:1/b/r.git")
        );
        assert_eq!(
            apply("https://github.com/a/r.git").as_deref(),
            Some("http://127.0.0.1:2/r.git")
        );
        assert_eq!(apply("gh:r").as_deref(), Some("http://127.0.0.1:2/r"));
        assert_eq!(apply("https://example.com/r"), None);
    }

    #[test]
    fn only_known_settings_are_used() {
        let text = "[core]\n\tsshCommand = ssh -i ~/key\n[ssh]\n\tvariant = plink\n[http]\n\tproxy = http://u:canary@p:1\n\tsslCAInfo = ~/ca.pem\n\tsslVerify = false\n[credential \"https://h\"]\n\thelper = store\n";
        let home = Some(Path::new("/home/me"));
        let config = UserConfig::from_file(&text.parse().unwrap(), home, None);
        assert_eq!(config.ssh, Some(SshCommand::Line("ssh -i ~/key".into())));
        assert_eq!(config.ssh_variant.as_deref(), Some("plink"));
        assert_eq!(config.proxy.as_ref().map(Secret::expose), Some("http://u:canary@p:1"));
        assert_eq!(config.certificates, Some("/home/me/ca.pem".into()));
        assert!(config.has_helpers);
        assert!(!format!("{config:?}").contains("canary"));
        let preferred = Some(Path::new("/other.pem"));
        assert_eq!(
            UserConfig::from_file(&text.parse().unwrap(), home, preferred).certificates,
            Some("/other.pem".into())
        );
        let none = UserConfig::from_file(
            &"[credential]\n\tusername = me\n".parse().unwrap(),
            home,
            preferred,
        );
        assert!(none.ssh.is_none() && none.proxy.is_none() && !none.has_helpers);
    }
}
