//! What is taken from the user's git configuration: where urls lead, how `ssh` is run, the proxy, certificates, and whether
//! there are credential helpers. Nothing else is.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use gix::bstr::{BStr, BString};
use gix::config::File;
use gix::config::file::Metadata;

use super::GitOptions;
use super::error::Cause;
use super::secret::Secret;

/// The user's git configuration, as far as it matters to us.
#[derive(Debug, Default)]
pub(super) struct UserConfig {
    pub(super) rewrites: Rewrites,
    /// The `ssh` to run, when it is not just `ssh`.
    pub(super) ssh: Option<SshCommand>,
    /// `ssh.variant`
    pub(super) ssh_variant: Option<String>,
    /// `http.proxy`; empty to use none. It may hold a password.
    pub(super) proxy: Option<Secret>,
    /// `http.sslCAInfo`: more certificates to trust.
    pub(super) certificates: Option<PathBuf>,
    /// Whether a credential helper is configured, for whichever url.
    pub(super) has_helpers: bool,
}

/// An `ssh` of the user's choice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum SshCommand {
    /// `GIT_SSH_COMMAND` or `core.sshCommand`: a command line.
    Line(OsString),
    /// `GIT_SSH`: a program.
    Program(OsString),
}

impl UserConfig {
    /// Reads the configuration of the system and of the user. No program is started.
    ///
    /// # Errors
    /// The configuration cannot be parsed.
    pub(super) fn load(options: &GitOptions) -> Result<Self, Cause> {
        // The defaults never start `git` to ask where its configuration is.
        let file = gix::config(None, &gix::open::Options::default())
            .map_err(|error| Cause::from_gix(&error))?;
        Ok(Self::from_file(&file, options.home.as_deref(), options.certificates.as_deref()))
    }

    fn from_file(file: &File, home: Option<&Path>, preferred: Option<&Path>) -> Self {
        let text = |key: &str| {
            let value = file.string_filter(key, is_trusted)?;
            gix::path::from_bstring(value).ok().map(PathBuf::into_os_string)
        };
        // gix puts GIT_SSH_COMMAND into the first of these, and GIT_SSH into the second.
        let line = text("core.sshCommand").filter(|line| !line.is_empty()).map(SshCommand::Line);
        let ssh = line.or_else(|| {
            let program = text("gitoxide.ssh.commandWithoutShellFallback")
                .filter(|program| !program.is_empty());
            program.map(SshCommand::Program)
        });
        let certificates =
            text("http.sslCAInfo").filter(|path| !path.is_empty()).map(PathBuf::from);
        Self {
            rewrites: Rewrites::from_file(file),
            ssh,
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

/// Files that belong to somebody else decide neither where requests go nor what is run.
fn is_trusted(meta: &Metadata) -> bool {
    meta.trust == gix::sec::Trust::Full
}

/// A path of the configuration: `~/` is the home directory.
fn at_home(path: PathBuf, home: Option<&Path>) -> PathBuf {
    match (path.strip_prefix("~"), home) {
        (Ok(rest), Some(home)) => home.join(rest),
        _ => path,
    }
}

/// The user's `url.<base>.insteadOf` rules.
#[derive(Debug, Default)]
pub(super) struct Rewrites {
    /// What a url starts with, and what that becomes.
    rules: Vec<(BString, BString)>,
}

impl Rewrites {
    fn from_file(file: &File) -> Self {
        let mut rules = Vec::new();
        for section in file.sections_by_name_and_filter("url", is_trusted).into_iter().flatten() {
            let Some(base) = section.header().subsection_name() else { continue };
            for start in section.values("insteadOf") {
                rules.push((BStr::new(&*start).to_owned(), base.to_owned()));
            }
        }
        Self { rules }
    }

    /// The url after the rule with the longest match, the first of equals, as in git. None when no rule matches.
    pub(super) fn apply(&self, url: &str) -> Option<String> {
        let mut best: Option<&(BString, BString)> = None;
        for rule in &self.rules {
            let is_match = !rule.0.is_empty() && url.as_bytes().starts_with(&rule.0);
            if is_match && best.is_none_or(|best| best.0.len() < rule.0.len()) {
                best = Some(rule);
            }
        }
        let (start, base) = best?;
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
    fn what_else_is_taken() {
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
