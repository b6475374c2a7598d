//! What an `ssh` that has failed says, and what that means.

use crate::error::{Advice, Cause, ErrorKind, GitError, Retry};
use crate::escape::escape;

/// The status with which `ssh` reports trouble of its own; any other is that of the command on the other side.
const SSH_ERROR: i32 = 255;
/// What a shell on the other side says by its status when there is no such program.
const COMMAND_NOT_FOUND: i32 = 127;
/// Enough of its last lines.
const LINES: usize = 6;

/// How an `ssh` ended.
pub(super) struct SshExit<'a> {
    /// How messages call the repository.
    pub(super) url: &'a str,
    pub(super) program: &'a str,
    /// `host` or `user@host`.
    pub(super) destination: &'a str,
    /// None when a signal ended it, or nobody could wait so long.
    pub(super) status: Option<i32>,
    /// What it wrote on its standard error.
    pub(super) words: &'a [u8],
    /// Whether the conversation had begun.
    pub(super) is_begun: bool,
}

impl SshExit<'_> {
    /// The error that this end is.
    ///
    /// Its status does not tell whether a host cannot be reached or does not let us in: both are 255. OpenSSH's `Permission
    /// denied (` does, is not translated, and is the one text that decides something here. At any other status the
    /// connection stood, and the server's side refused: it has no such repository, or hides it.
    pub(super) fn into_error(self) -> GitError {
        let is_denied = self.words.windows(19).any(|words| words == b"Permission denied (");
        let (kind, hint) = match self.status {
            Some(SSH_ERROR) if is_denied => (
                ErrorKind::Authentication,
                Some(format!(
                    "try `{} -T {}`; is the key loaded (`ssh-add -l`), and known to the server?",
                    self.program, self.destination
                )),
            ),
            Some(COMMAND_NOT_FOUND) => (
                ErrorKind::Network,
                Some(
                    "git must be installed on the server, where `git-upload-pack` can be found"
                        .to_owned(),
                ),
            ),
            Some(SSH_ERROR) | None | Some(0) => (
                ErrorKind::Network,
                Some(format!(
                    "try `{} -T {}`; a host that is not known yet must be confirmed there once",
                    self.program, self.destination
                )),
            ),
            Some(_) => (
                ErrorKind::Authentication,
                Some(format!(
                    "check the URL, and that `{}` may read the repository",
                    self.destination
                )),
            ),
        };
        let (kind, hint) = if self.is_begun { (ErrorKind::Network, None) } else { (kind, hint) };
        let words = last_lines(self.words);
        let problem = match (words.is_empty(), self.status) {
            (false, _) => words,
            (true, Some(status)) => {
                format!("`{}` ended with status {status} and said nothing", self.program)
            }
            (true, None) => format!("`{}` was ended and said nothing", self.program),
        };
        let problem = Cause::new(problem);
        let source = if self.is_begun {
            Cause::new("the connection broke off").with_cause(problem)
        } else {
            problem
        };
        // Before the conversation, nothing tells a busy host from a wrong key, and some hosts shut out who tries often.
        let retry = if self.is_begun { Retry::Soon } else { Retry::Never };
        GitError::Ssh {
            url: self.url.to_owned(),
            source,
            advice: hint.map(Advice::Text),
            retry,
            kind,
        }
    }
}

/// The last lines that say something, in one.
pub(super) fn last_lines(words: &[u8]) -> String {
    let lines: Vec<String> =
        words.split(|b| *b == b'\n').map(escape).filter(|line| !line.is_empty()).collect();
    lines[lines.len().saturating_sub(LINES)..].join("; ")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use helix_skills_format::__internal::one_line_chain;

    fn end(status: Option<i32>, words: &str, is_begun: bool) -> GitError {
        let words = words.as_bytes();
        SshExit { url: "u", program: "ssh", destination: "me@h", status, words, is_begun }
            .into_error()
    }

    #[test]
    fn an_end_has_a_kind_words_and_a_hint() {
        for (status, words, kind, shown) in [
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
                ErrorKind::Authentication,
                "Repository not found.",
            ),
            (Some(127), "sh: git-upload-pack: not found\n", ErrorKind::Network, "not found"),
            (Some(255), "", ErrorKind::Network, "status 255 and said nothing"),
            (None, "", ErrorKind::Network, "was ended"),
        ] {
            let error = end(status, words, false);
            assert_eq!(error.kind(), kind, "{words}");
            assert!(one_line_chain(&error).contains(shown), "{error:?}");
            assert!(error.advice().is_some() && error.retry() == Retry::Never);
        }
        let error = end(Some(255), "client_loop: send disconnect: Broken pipe\n", true);
        assert_eq!((error.kind(), error.retry()), (ErrorKind::Network, Retry::Soon));
    }

    #[test]
    fn words_are_one_escaped_line() {
        assert_eq!(last_lines(b"a\r\n\n\x1b[31mb\n"), "a; \\u{1b}[31mb");
        let many: String = (0..20).map(|n| format!("line {n}\n")).collect();
        assert!(last_lines(many.as_bytes()).starts_with("line 14; "));
    }
}
