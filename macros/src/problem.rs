//! Compile errors if skills cannot be baked.

use helix_skills_format::{Code, Finding};
use helix_skills_runtime::is_invisible;
use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;
use std::{fmt::Write as _, path::Path};

/// One compile error: what is wrong, where, and the command that fixes it.
pub(crate) struct Problem {
    span: Span,
    title: String,
    details: Vec<(&'static str, String)>,
    help: Option<String>,
}

/// How to fix a problem.
#[derive(Clone, Copy)]
pub(crate) enum Help {
    /// There is neither a manifest nor a lockfile.
    Init,
    /// The lockfile or the store has to be synced.
    Sync,
    /// The stored files have to be restored.
    Restore,
    /// The files match the listing, and the listing does not match the lockfile: one of the two was
    /// edited.
    Review,
    /// The store contains an additional file.
    Remove,
    /// The files of a `path` source were edited, on purpose or not.
    Relock,
    /// A name has to be corrected, or the skill locked.
    Name,
    /// A name has to be corrected, or the skill put into the directory.
    NameInDirectory,
    /// Git converted the line endings of the store.
    LineEndings,
    /// Git converted the line endings of a `path` source.
    OwnLineEndings,
}

impl Help {
    /// Returns the help for a file that only differs in its line endings.
    pub(crate) fn for_line_endings(self) -> Self {
        match self {
            Self::Relock => Self::OwnLineEndings,
            _ => Self::LineEndings,
        }
    }

    fn text(self) -> &'static str {
        match self {
            Self::Init => {
                "run `skills init`, then `skills add`; or bake a directory without a lockfile: `include_skills!(dir = \"skills\")`"
            }
            Self::Sync => "run `skills sync`",
            Self::Restore => "run `skills sync --restore` to restore the locked files",
            Self::Review => {
                "the lockfile or the listing was edited: see `git diff`, and restore both from version control; if the store is only older than the lockfile, run `skills sync`"
            }
            Self::Remove => "move it elsewhere, or run `skills sync --restore` to remove it",
            Self::Relock => "run `skills sync` to lock the change, or undo it",
            Self::Name => {
                "correct the name, or add the skill to the manifest and run `skills sync`"
            }
            Self::NameInDirectory => "correct the name, or put the skill into the directory",
            Self::OwnLineEndings => {
                "only the line endings differ: add `* -text` to a `.gitattributes` next to the skill, so that git does not convert them, and check out the file again"
            }
            Self::LineEndings => {
                "only the line endings differ: commit `helix.skills/.gitattributes`, so that git does not convert them, then run `skills sync --restore`"
            }
        }
    }
}

/// Escapes control characters and invisible characters except line breaks, because paths and names
/// are untrusted.
fn printable(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if c != '\n' && (c.is_control() || is_invisible(c)) {
            escaped.extend(c.escape_unicode());
        } else {
            escaped.push(c);
        }
    }
    escaped
}

impl Problem {
    /// Creates a problem at the call.
    pub(crate) fn new(title: impl Into<String>) -> Self {
        Self::at(Span::call_site(), title)
    }

    /// Creates a problem at one token of the call.
    pub(crate) fn at(span: Span, title: impl Into<String>) -> Self {
        Self { span, title: title.into(), details: Vec::new(), help: None }
    }

    /// Creates the problem of a file that cannot be read.
    pub(crate) fn from_io(file: &Path, error: &std::io::Error) -> Self {
        Self::new(format!("cannot read `{}`: {error}", file.display()))
            .advice("check that the file exists and is readable")
    }

    /// Creates the problem of a finding in a file. `otherwise` is the help if the finding has no
    /// hint.
    pub(crate) fn from_finding(
        what: &str,
        file: &Path,
        finding: &Finding,
        otherwise: &str,
    ) -> Self {
        let mut place = file.display().to_string();
        if let Some(at) = finding.at {
            // Writing to a string cannot fail.
            let _ = write!(place, ":{at}");
        }
        let mut problem = Self::new(format!("{what}: {}", finding.message)).detail("file", place);
        let hint = finding.hint.as_deref();
        // Findings about values have no hint, because the fix depends on where the value comes
        // from.
        problem.help = Some(match (finding.code, hint) {
            (Code::ConflictMarkers, None) => "resolve the merge, then run `skills sync`".to_owned(),
            (_, Some(hint)) => hint.to_owned(),
            (_, None) => otherwise.to_owned(),
        });
        problem
    }

    /// Adds a line `label: value`.
    pub(crate) fn detail(mut self, label: &'static str, value: impl Into<String>) -> Self {
        self.details.push((label, value.into()));
        self
    }

    /// Adds the file.
    pub(crate) fn file(self, file: &Path) -> Self {
        self.detail("file", file.display().to_string())
    }

    /// Sets the help.
    pub(crate) fn help(mut self, help: Help) -> Self {
        self.help = Some(help.text().to_owned());
        self
    }

    /// Sets the help to a text.
    pub(crate) fn advice(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Returns the whole text.
    pub(crate) fn message(&self) -> String {
        let mut text = self.title.clone();
        let width = self.details.iter().map(|(label, _)| label.len()).max().unwrap_or_default() + 1;
        for (label, value) in &self.details {
            let _ = write!(text, "\n  {:width$} {value}", format!("{label}:"));
        }
        if let Some(help) = &self.help {
            let _ = write!(text, "\n  help: {help}");
        }
        printable(&text)
    }

    /// Returns the `compile_error!`, with braces, so that it is a statement.
    pub(crate) fn tokens(&self) -> TokenStream {
        let message = self.message();
        quote_spanned!(self.span => ::core::compile_error! { #message })
    }
}
