//! Detects the language of scripts.

/// The languages that are audited: scripts in published skills are written in these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Language {
    Shell,
    Python,
    JavaScript,
}

impl Language {
    /// Detects the language by the first line, which takes precedence when a script runs, else by
    /// the extension.
    pub(super) fn detect(path: &str, text: &str) -> Option<Self> {
        if let Some(first) = text.strip_prefix("#!") {
            let line = first.split('\n').next().unwrap_or_default();
            let words = line.split([' ', '\t', '/', '\r']);
            if let Some(found) = words.filter(|word| !word.is_empty()).find_map(Self::of_program) {
                return Some(found);
            }
        }
        let name = path.rsplit('/').next().unwrap_or(path);
        let (_, extension) = name.rsplit_once('.')?;
        Some(match extension.to_ascii_lowercase().as_str() {
            "sh" | "bash" | "zsh" | "fish" | "ksh" | "command" => Self::Shell,
            "py" | "pyw" => Self::Python,
            "js" | "mjs" | "cjs" | "jsx" | "ts" | "mts" | "cts" | "tsx" => Self::JavaScript,
            _ => return None,
        })
    }

    /// Returns the language of an interpreter, with or without a version.
    fn of_program(name: &str) -> Option<Self> {
        Some(match name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.') {
            "sh" | "bash" | "zsh" | "fish" | "ksh" | "dash" => Self::Shell,
            "python" | "pypy" | "uv" => Self::Python,
            "node" | "deno" | "bun" | "tsx" | "ts-node" => Self::JavaScript,
            _ => return None,
        })
    }

    /// Returns whether a line without indentation is a comment.
    pub(super) fn is_comment(self, line: &str) -> bool {
        match self {
            Self::JavaScript => {
                line.starts_with("//") || line.starts_with('*') || line.starts_with("/*")
            }
            Self::Shell | Self::Python => line.starts_with('#'),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn language_is_detected_by_first_line_or_name() {
        for (path, text, language) in [
            ("run", "#!/bin/sh\n", Some(Language::Shell)),
            ("run", "#!/usr/bin/env -S python3.12 -u\r\n", Some(Language::Python)),
            ("run.txt", "#!/usr/bin/env node\n", Some(Language::JavaScript)),
            ("run", "#!/usr/bin/env -S uv run --script\n", Some(Language::Python)),
            ("a/B.PY", "", Some(Language::Python)),
            ("a.d.ts", "", Some(Language::JavaScript)),
            ("a.sh", "#!/opt/odd\n", Some(Language::Shell)),
            ("a.md", "", None),
            ("run", "text", None),
        ] {
            assert_eq!(Language::detect(path, text), language, "{path} {text}");
        }
    }
}
