//! Interprets the exit of a failed `ssh`.

use crate::error::{Cause, ErrorKind, GitError, Retry};
use crate::escape::escape;

/// The status of `ssh` for its own errors. Any other status comes from the remote command.
const SSH_ERROR: i32 = 255;
/// The status of a remote shell that does not find the command.
const COMMAND_NOT_FOUND: i32 = 127;
/// Maximum number of lines of its output in a message.
const LINES: usize = 6;

/// How an `ssh` process exited.
pub(super) struct SshExit<'a> {
    /// The repository's name in messages.
    pub(super) url: &'a str,
    pub(super) program: &'a str,
    /// `host` or `user@host`.
    pub(super) destination: &'a str,
    /// `None` if it was killed by a signal, or did not exit in time.
    pub(super) status: Option<i32>,
    /// The end of its standard error.
    pub(super) stderr: &'a [u8],
    /// Whether the server had sent anything.
    pub(super) is_begun: bool,
}

impl SshExit<'_> {
    /// Converts the exit to an error.
    ///
    /// The status 255 means both that a host cannot be reached and that it denies access. OpenSSH's
    /// `Permission denied (`, which is never translated, distinguishes them; no other text is
    /// interpreted. With any other status the connection was established, and the server refused:
    /// it has no such repository, or hides it, as with HTTP status 404.
    pub(super) fn into_error(self) -> GitError {
        let is_denied = self.stderr.windows(19).any(|stderr| stderr == b"Permission denied (");
        let Self { program, destination, .. } = self;
        let (kind, hint) = match self.status {
            _ if self.is_begun => (ErrorKind::Network, None),
            Some(SSH_ERROR) if is_denied => (
                ErrorKind::Authentication,
                Some(format!(
                    "try `{program} -T {destination}`; check that the key is loaded (`ssh-add -l`) and registered on the server"
                )),
            ),
            Some(COMMAND_NOT_FOUND) => {
                let hint =
                    "install git on the server, and make `git-upload-pack` available in its path";
                (ErrorKind::Network, Some(hint.to_owned()))
            }
            Some(SSH_ERROR) | None | Some(0) => (
                ErrorKind::Network,
                Some(format!(
                    "try `{program} -T {destination}`, and confirm the host's key if it is unknown"
                )),
            ),
            Some(_) => (
                ErrorKind::NoRepository,
                Some(format!("check the URL, and that `{destination}` may read the repository")),
            ),
        };
        let stderr = last_lines(self.stderr);
        let problem = match (stderr.is_empty(), self.status) {
            (false, _) => stderr,
            (true, Some(status)) => {
                format!("`{program}` exited with status {status} and printed nothing")
            }
            (true, None) => format!("`{program}` was killed and printed nothing"),
        };
        let problem = Cause::new(problem);
        // Before the conversation has begun, a busy host cannot be distinguished from a wrong key,
        // and some hosts block clients that try often.
        let (source, retry) = match self.is_begun {
            true => (Cause::new("the connection was lost").with_cause(problem), Retry::Soon),
            false => (problem, Retry::Never),
        };
        let error = GitError::ssh(self.url, kind, source).with_retry(retry);
        match hint {
            Some(hint) => error.with_hint(hint),
            None => error,
        }
    }
}

/// Joins the last non-empty lines to one line.
pub(super) fn last_lines(stderr: &[u8]) -> String {
    let lines: Vec<String> =
        stderr.split(|b| *b == b'\n').map(escape).filter(|line| !line.is_empty()).collect();
    lines[lines.len().saturating_sub(LINES)..].join("; ")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use helix_skills_format::__internal::one_line_chain;

    fn end(status: Option<i32>, stderr: &str, is_begun: bool) -> GitError {
        let stderr = stderr.as_bytes();
        SshExit { url: "u", program: "ssh", destination: "me@h", status, stderr, is_begun }
            .into_error()
    }

    #[test]
    fn exits_have_a_kind_a_message_and_a_hint() {
        for (status, stderr, kind, shown) in [
            (
                Some(255),
                "me@h: Permission denied (publickey).\r\n",
                ErrorKind::Authentication,
                "denied (publickey).",
            ),
            (
                Some(255),
                "ssh: connect to host h port 22: Connection refused\r\n",
                ErrorKind::Network,
                "refused",
            ),
            (
                Some(255),
                "Host key verification failed.\n",
                ErrorKind::Network,
                "verification failed",
            ),
            (
                Some(1),
                "ERROR: Repository not found.\n",
                ErrorKind::NoRepository,
                "Repository not found.",
            ),
            (Some(127), "sh: git-upload-pack: not found\n", ErrorKind::Network, "not found"),
            (Some(255), "", ErrorKind::Network, "status 255 and printed nothing"),
            (None, "", ErrorKind::Network, "was killed"),
        ] {
            let error = end(status, stderr, false);
            assert_eq!(error.kind(), kind, "{stderr}");
            assert!(one_line_chain(&error).contains(shown), "{error:?}");
            assert!(error.hint().is_some() && error.retry() == Retry::Never);
        }
        let error = end(Some(255), "client_loop: send disconnect: Broken pipe\n", true);
        assert_eq!((error.kind(), error.retry()), (ErrorKind::Network, Retry::Soon));
    }

    #[test]
    fn messages_are_one_escaped_line() {
        assert_eq!(last_lines(b"a\r\n\n\x1b[31mb\n"), "a; \\u{1b}[31mb");
        let many: String = (0..20).map(|n| format!("line {n}\n")).collect();
        assert!(last_lines(many.as_bytes()).starts_with("line 14; "));
    }
}
