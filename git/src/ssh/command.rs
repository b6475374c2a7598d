//! The command line of `ssh`.

use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

use crate::child;
use crate::error::{Cause, ErrorKind, GitError};
use crate::programs;
use crate::shared::Shared;
use crate::user_config::SshCommand;

/// The destination of an ssh URL.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Target {
    /// `host` or `user@host`.
    pub(super) destination: String,
    port: Option<u16>,
    path: String,
}

impl Target {
    /// Parses a URL that was checked already. Returns `None` if its escapes hide characters that
    /// are not allowed in a URL.
    pub(super) fn parse(url: &str) -> Option<Self> {
        let Some(rest) = url.strip_prefix("ssh://") else {
            // `user@host:path`; the path is relative to the user's home directory.
            let (destination, path) = url.split_once(':')?;
            return Some(Self {
                destination: destination.to_owned(),
                port: None,
                path: path.to_owned(),
            });
        };
        let (authority, path) = rest.split_once('/')?;
        let (user, authority) =
            authority.rsplit_once('@').map_or((None, authority), |(user, host)| (Some(user), host));
        let (host, port) = match authority.strip_prefix('[') {
            // ssh expects addresses without brackets.
            Some(address) => address.split_once(']')?,
            None => authority.find(':').map_or((authority, ""), |at| authority.split_at(at)),
        };
        let port = match port.strip_prefix(':') {
            None | Some("") => None,
            Some(port) => Some(port.parse().ok()?),
        };
        let user = match user {
            Some(user) => format!("{}@", plain(decoded(user)?)?),
            None => String::new(),
        };
        let path = decoded(path)?;
        // As in git, `/~user/x` is relative to a home directory.
        let path = if path.starts_with('~') { path } else { format!("/{path}") };
        let destination = format!("{user}{host}");
        // Decoded text must not become an option.
        let is_option = destination.starts_with('-') || path.starts_with('-');
        (!is_option).then_some(Self { destination, port, path })
    }

    /// Returns the command that runs on the server.
    fn remote_command(&self) -> String {
        let mut command = "git-upload-pack '".to_owned();
        for c in self.path.chars() {
            // Some shells interpret `!` even between quotes.
            if matches!(c, '\'' | '!') {
                command.extend(["'\\", c.encode_utf8(&mut [0; 4]), "'"]);
            } else {
                command.push(c);
            }
        }
        command.push('\'');
        command
    }
}

/// Decodes percent escapes. Returns `None` if the result contains control characters or is not
/// UTF-8.
fn decoded(text: &str) -> Option<String> {
    let text = percent_encoding::percent_decode_str(text).decode_utf8().ok()?.into_owned();
    (!text.chars().any(char::is_control)).then_some(text)
}

/// Returns the user name if no shell interprets any of its characters: messages show a command with
/// it, and ssh's configuration may insert it into one.
fn plain(user: String) -> Option<String> {
    user.bytes().all(|b| b.is_ascii_alphanumeric() || b"._-+@".contains(&b)).then_some(user)
}

/// The options that an ssh program supports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Variant {
    OpenSsh,
    /// PuTTY's `plink`.
    Plink,
    TortoisePlink,
    /// No options.
    Simple,
}

impl Variant {
    /// Returns the variant of `ssh.variant`, or of a program's name, as in git.
    fn from_name(name: &str) -> Option<Self> {
        match name.to_ascii_lowercase().as_str() {
            "ssh" => Some(Self::OpenSsh),
            "plink" | "putty" => Some(Self::Plink),
            "tortoiseplink" => Some(Self::TortoisePlink),
            "simple" => Some(Self::Simple),
            _ => None,
        }
    }
}

/// Returns the command that connects to a repository, and the program's name for messages.
///
/// # Errors
/// The program does not support what the URL needs; the operation was cancelled.
pub(super) fn prepare(
    shared: &Shared,
    target: &Target,
    name: &str,
) -> Result<(Command, String), GitError> {
    let config = shared.config();
    let unusable = |cause: Cause| {
        GitError::ssh(name, ErrorKind::Environment, cause)
            .with_hint("check GIT_SSH_COMMAND, `core.sshCommand` and GIT_SSH")
    };
    let program = program_name(config.ssh.as_ref());
    let called = |arguments: &[String]| {
        command(config.ssh.as_ref(), arguments).map_err(|cause| {
            unusable(Cause::new("invalid command line of the ssh program").with_cause(cause))
        })
    };
    let variant = match config.ssh_variant.as_deref().and_then(Variant::from_name) {
        Some(variant) => variant,
        None => match Variant::from_name(&program).filter(|variant| *variant != Variant::Simple) {
            Some(variant) => variant,
            None => probe(shared, called(&["-G".to_owned(), target.destination.clone()])?)?,
        },
    };
    let mut arguments = Vec::new();
    let port_option = match variant {
        Variant::OpenSsh => {
            // `ssh` uses the first value of a setting: options in the user's command line come
            // before these and win, configuration files come after them and lose.
            let mut settings = vec!["SendEnv=GIT_PROTOCOL".to_owned()];
            if !shared.options.prompts {
                // `ssh` prompts on the terminal even if its standard input is not a terminal.
                // Without a user to answer, it would wait forever.
                settings.push("BatchMode=yes".to_owned());
            }
            let seconds = shared.options.connect_timeout.as_secs().max(1);
            settings.push(format!("ConnectTimeout={seconds}"));
            arguments.extend(settings.into_iter().flat_map(|setting| ["-o".to_owned(), setting]));
            "-p"
        }
        Variant::Plink | Variant::TortoisePlink => {
            if variant == Variant::TortoisePlink || !shared.options.prompts {
                arguments.push("-batch".to_owned());
            }
            "-P"
        }
        Variant::Simple if target.port.is_some() => {
            return Err(unusable(Cause::new(format!("`{program}` does not support ports"))));
        }
        Variant::Simple => "",
    };
    let port = target.port.iter().flat_map(|port| [port_option.to_owned(), port.to_string()]);
    arguments.extend(port);
    arguments.extend([target.destination.clone(), target.remote_command()]);
    let mut command = called(&arguments)?;
    if variant != Variant::Simple {
        command.env("GIT_PROTOCOL", "version=2");
    }
    Ok((command, program))
}

/// Detects the variant of a program with an unknown name, as in git: OpenSSH supports `-G`.
fn probe(shared: &Shared, mut command: Command) -> Result<Variant, GitError> {
    let options = &shared.options;
    let limit = options.stall_timeout;
    match child::run(&mut command, Vec::new(), 1 << 20, limit, &options.cancellation) {
        Ok((status, _)) if status.success() => Ok(Variant::OpenSsh),
        Err(child::ChildError::Cancelled) => Err(GitError::Interrupted),
        // If the program cannot be started, starting it later reports that.
        Ok(_) | Err(child::ChildError::Start(_) | child::ChildError::TimedOut) => {
            Ok(Variant::Simple)
        }
    }
}

/// Returns the user's command with arguments.
fn command(ssh: Option<&SshCommand>, arguments: &[String]) -> Result<Command, Cause> {
    let mut command = match ssh {
        None => programs::command("ssh".as_ref()),
        Some(SshCommand::Program(program)) => programs::command(program),
        // As in git, a shell is only used if the line needs one. It needs the arguments when the
        // command is prepared.
        Some(SshCommand::Line(line)) => {
            #[expect(clippy::disallowed_methods, reason = "the only place, with this `PATH`")]
            let prepared = gix::command::prepare(line.clone())
                .env("PATH", programs::search_path())
                .command_may_be_shell_script()
                .args(arguments);
            return prepared.try_into().map_err(|error: gix::Error| Cause::from_gix(&error));
        }
    };
    command.args(arguments);
    Ok(command)
}

/// Returns the program's name, without directory and `.exe`.
fn program_name(ssh: Option<&SshCommand>) -> String {
    let first = |line: &OsString| {
        let line = line.to_string_lossy();
        let word = line.split_whitespace().next().unwrap_or_default().to_owned();
        word.trim_matches(['"', '\'']).to_owned()
    };
    let path = match ssh {
        None => return "ssh".to_owned(),
        Some(SshCommand::Line(line)) => first(line),
        Some(SshCommand::Program(program)) => program.to_string_lossy().into_owned(),
    };
    let name = Path::new(&path).file_name().unwrap_or_default().to_string_lossy().into_owned();
    name.strip_suffix(".exe").map(str::to_owned).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn target(url: &str) -> Option<(String, Option<u16>, String)> {
        helix_skills_format::GitUrl::parse(url).unwrap();
        Target::parse(url)
            .map(|target| (target.destination.clone(), target.port, target.remote_command()))
    }

    #[test]
    fn urls_become_a_destination_a_port_and_a_quoted_path() {
        for (url, destination, port, command) in [
            ("git@host.example:o/r.git", "git@host.example", None, "git-upload-pack 'o/r.git'"),
            ("host.example:/srv/r", "host.example", None, "git-upload-pack '/srv/r'"),
            ("git@h:~/r", "git@h", None, "git-upload-pack '~/r'"),
            ("git@h:it's!.git", "git@h", None, r"git-upload-pack 'it'\''s'\!'.git'"),
            ("git@h:$(id);r", "git@h", None, "git-upload-pack '$(id);r'"),
            ("ssh://h/o/r.git", "h", None, "git-upload-pack '/o/r.git'"),
            ("ssh://me@h:2222/o/r%20x", "me@h", Some(2222), "git-upload-pack '/o/r x'"),
            ("ssh://h/~me/r", "h", None, "git-upload-pack '~me/r'"),
            ("ssh://me@[::1]:2222/r", "me@::1", Some(2222), "git-upload-pack '/r'"),
            ("ssh://[fe80::1]/r", "fe80::1", None, "git-upload-pack '/r'"),
            ("ssh://me%40a.example@h/r", "me@a.example@h", None, "git-upload-pack '/r'"),
        ] {
            assert_eq!(
                target(url),
                Some((destination.to_owned(), port, command.to_owned())),
                "{url}"
            );
        }
    }

    #[test]
    fn escapes_cannot_hide_options_or_lines() {
        for url in [
            "ssh://%2DoProxyCommand%3Dx@h/r",
            "ssh://h/a%0Ab",
            "ssh://h/a%00b",
            "ssh://me%0a@h/r",
            "ssh://h/%ff",
            "ssh://%24%28id%29@h/r",
            "ssh://a%20b@h/r",
            "ssh://a%60id%60@h/r",
        ] {
            assert_eq!(target(url), None, "{url}");
        }
    }

    #[test]
    fn programs_are_known_by_their_names() {
        let line = |text: &str| program_name(Some(&SshCommand::Line(text.into())));
        assert_eq!(line("ssh -i key"), "ssh");
        assert_eq!(line("/usr/bin/ssh -v"), "ssh");
        assert_eq!(line("'/opt/plink.exe' -batch"), "plink");
        assert_eq!(
            program_name(Some(&SshCommand::Program("/a b/tortoiseplink.exe".into()))),
            "tortoiseplink"
        );
        assert_eq!(program_name(None), "ssh");
        assert_eq!(Variant::from_name("SSH"), Some(Variant::OpenSsh));
        assert_eq!(Variant::from_name("wrapper"), None);
    }
}
