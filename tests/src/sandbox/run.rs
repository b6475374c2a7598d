//! The result of a run of the program.

use super::is_in_wine;
use serde_json::Value;
use std::{ffi::OsString, fmt, process::ExitStatus};

/// Exit code and output of a run. The methods that check something print all of it if they panic.
#[derive(Clone, Debug)]
pub struct Run {
    /// The exit code; `None` if a signal ended the program.
    pub code: Option<i32>,
    /// Standard output: the data.
    pub stdout: String,
    /// Standard error: messages and progress.
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
            stdout: text(&stdout),
            stderr: text(&stderr),
            command: format!("skills {}", words.join(" ")),
        }
    }

    /// Checks the exit code.
    ///
    /// # Panics
    /// If it is another one.
    #[track_caller]
    pub fn exits(self, code: i32) -> Self {
        assert!(self.code == Some(code), "expected exit code {code}\n{self}");
        self
    }

    /// Checks that the program succeeded.
    ///
    /// # Panics
    /// If it did not.
    #[track_caller]
    pub fn succeeds(self) -> Self {
        self.exits(0)
    }

    /// Checks that the program failed with one of its own exit codes, without a panic, and with an
    /// error message (on stdout with `--json`).
    ///
    /// # Panics
    /// If it did not.
    #[track_caller]
    pub fn fails(self) -> Self {
        assert!(
            self.code.is_some_and(|code| (1..=7).contains(&code)),
            "expected a failure\n{self}"
        );
        assert!(
            !self.stderr.trim().is_empty() || self.stdout.contains("\"errors\""),
            "expected an error message\n{self}"
        );
        self
    }

    /// Checks that a signal ended the program, as an abort does.
    ///
    /// # Panics
    /// If it exited by itself.
    #[track_caller]
    pub fn is_killed(self) -> Self {
        // The last byte of STATUS_STACK_BUFFER_OVERRUN, with which Windows ends such a program.
        let code = is_in_wine().then_some(0x09);
        assert!(self.code == code, "expected a signal\n{self}");
        self
    }

    /// Returns the commands that stderr offers, in backticks.
    #[must_use]
    pub fn offered(&self) -> Vec<String> {
        let quoted = self.stderr.split('`').skip(1).step_by(2);
        let commands = quoted.filter(|text| text.starts_with("skills "));
        commands.map(str::to_owned).collect()
    }

    /// Checks that stderr contains each of these texts.
    ///
    /// # Panics
    /// If one is missing.
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

    /// Checks that neither stdout nor stderr contains this text.
    ///
    /// # Panics
    /// If one of them does.
    #[track_caller]
    pub fn never_prints(self, text: &str) -> Self {
        assert!(
            !self.stdout.contains(text) && !self.stderr.contains(text),
            "expected no `{text}`\n{self}"
        );
        self
    }

    /// Checks that stdout contains each of these texts.
    ///
    /// # Panics
    /// If one is missing.
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

    /// Parses stdout, which has to be one JSON document.
    ///
    /// # Panics
    /// If it is not one JSON object with a `schemaVersion`.
    #[track_caller]
    #[must_use]
    pub fn json(&self) -> Value {
        let document: Value = serde_json::from_str(&self.stdout)
            .unwrap_or_else(|why| panic!("stdout is not JSON: {why}\n{self}"));
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

fn text(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes).into_owned();
    if is_in_wine() { with_paths_of_this_system(&text) } else { text }
}

/// Replaces paths on the drive `Z:`, which Wine has for the files of this system, also in JSON. All
/// other paths stay as the program wrote them.
fn with_paths_of_this_system(text: &str) -> String {
    let mut parts = text.split("Z:");
    let mut replaced = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find(['`', '"', '\'', '\n', '\r', ' ', ',', ')']).unwrap_or(part.len());
        let (path, rest) = part.split_at(end);
        replaced.extend([&path.replace(r"\\", "/").replace('\\', "/"), rest]);
    }
    replaced
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_wine_become_those_of_this_system() {
        for (text, expected) in [
            ("failed to read `Z:\\tmp/a\\b.md`: a\\b", "failed to read `/tmp/a/b.md`: a\\b"),
            (r#"{"file": "Z:\\tmp\\a", "b": "a\\b"}"#, r#"{"file": "/tmp/a", "b": "a\\b"}"#),
        ] {
            assert_eq!(with_paths_of_this_system(text), expected);
        }
    }
}
