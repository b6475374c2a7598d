//! What a run of the program did.

use serde_json::Value;
use std::{ffi::OsString, fmt, process::ExitStatus};

/// Exit code and output of a run. The methods that check something panic with all of it.
#[derive(Clone, Debug)]
pub struct Run {
    /// The exit code; none when a signal ended the program.
    pub code: Option<i32>,
    /// The data.
    pub stdout: String,
    /// The talk.
    pub stderr: String,
    command: String,
}

impl Run {
    pub(super) fn new(
        arguments: &[OsString],
        status: Option<ExitStatus>,
        stdout: Vec<u8>,
        stderr: Vec<u8>,
    ) -> Self {
        let words: Vec<_> = arguments.iter().map(|a| a.to_string_lossy()).collect();
        Self {
            code: status.and_then(|status| status.code()),
            stdout: String::from_utf8_lossy(&stdout).into_owned(),
            stderr: String::from_utf8_lossy(&stderr).into_owned(),
            command: format!("skills {}", words.join(" ")),
        }
    }

    /// Checks the exit code.
    ///
    /// # Panics
    /// When it is another one.
    #[track_caller]
    pub fn exits(self, code: i32) -> Self {
        assert!(self.code == Some(code), "expected exit code {code}\n{self}");
        self
    }

    /// Checks that the program succeeded.
    ///
    /// # Panics
    /// When it did not.
    #[track_caller]
    pub fn succeeds(self) -> Self {
        self.exits(0)
    }

    /// Checks that the program failed in an orderly way: an exit code of its own, no panic, and a reason (with `--json` on stdout).
    ///
    /// # Panics
    /// When it did not.
    #[track_caller]
    pub fn fails(self) -> Self {
        assert!(
            self.code.is_some_and(|code| (1..=7).contains(&code)),
            "expected a failure\n{self}"
        );
        assert!(
            !self.stderr.trim().is_empty() || self.stdout.contains("\"errors\""),
            "expected a reason\n{self}"
        );
        self
    }

    /// Checks that a signal ended the program, as an abort does.
    ///
    /// # Panics
    /// When it ended by itself.
    #[track_caller]
    pub fn is_killed(self) -> Self {
        assert!(self.code.is_none(), "expected a signal\n{self}");
        self
    }

    /// Checks that the talk holds every one of these texts.
    ///
    /// # Panics
    /// When one is missing.
    #[track_caller]
    pub fn says<S: AsRef<str>>(self, texts: impl IntoIterator<Item = S>) -> Self {
        for text in texts {
            assert!(
                self.stderr.contains(text.as_ref()),
                "expected `{}` in stderr\n{self}",
                text.as_ref()
            );
        }
        self
    }

    /// Checks that neither data nor talk holds this text.
    ///
    /// # Panics
    /// When one does.
    #[track_caller]
    pub fn never_prints(self, text: &str) -> Self {
        assert!(
            !self.stdout.contains(text) && !self.stderr.contains(text),
            "expected no `{text}`\n{self}"
        );
        self
    }

    /// Checks that the data holds every one of these texts.
    ///
    /// # Panics
    /// When one is missing.
    #[track_caller]
    pub fn prints<S: AsRef<str>>(self, texts: impl IntoIterator<Item = S>) -> Self {
        for text in texts {
            assert!(
                self.stdout.contains(text.as_ref()),
                "expected `{}` in stdout\n{self}",
                text.as_ref()
            );
        }
        self
    }

    /// The data as the one JSON document that it must be.
    ///
    /// # Panics
    /// When it is not one JSON object with a `schemaVersion`.
    #[track_caller]
    #[must_use]
    pub fn json(&self) -> Value {
        let document: Value = serde_json::from_str(&self.stdout)
            .unwrap_or_else(|why| panic!("stdout is no JSON: {why}\n{self}"));
        assert!(document["schemaVersion"].is_u64(), "expected a `schemaVersion`\n{self}");
        document
    }
}

impl fmt::Display for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "$ {}", self.command)?;
        match self.code {
            Some(code) => writeln!(f, "exit code {code}")?,
            None => writeln!(f, "ended by a signal")?,
        }
        writeln!(f, "--- stdout\n{}--- stderr\n{}---", self.stdout, self.stderr)
    }
}
