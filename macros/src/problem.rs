//! Why skills cannot be baked, as compile errors.

use helix_skills_format::{Code, Finding};
use helix_skills_runtime::is_invisible;
use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;
use std::{fmt::Write as _, path::Path};

/// One compile error: what is wrong, where, and the command that mends it.
pub(crate) struct Problem {
    span: Span,
    title: String,
    details: Vec<(&'static str, String)>,
    help: Option<String>,
}

/// What mends a problem.
#[derive(Clone, Copy)]
pub(crate) enum Help {
    /// There is no manifest either.
    Init,
    /// The lock or the store has to be made anew.
    Sync,
    /// The stored bytes have to be put back.
    Restore,
    /// The files are what their listing says, and the lock says otherwise: one of the two was
    /// edited.
    Review,
    /// Something is in the store that does not belong there.
    Remove,
    /// The originals were edited, on purpose or not.
    Relock,
    /// A name that was asked for has to be corrected, or locked.
    Name,
    /// A name that was asked for has to be corrected, or be in the directory.
    NameInDirectory,
    /// Git changed the line ends of the store.
    LineEnds,
    /// Git changed the line ends of the originals.
    OwnLineEnds,
}

impl Help {
    /// What mends a file that differs in its line ends alone, where this mends one that differs in
    /// more.
    pub(crate) fn of_line_ends(self) -> Self {
        match self {
            Self::Relock => Self::OwnLineEnds,
            _ => Self::LineEnds,
        }
    }

    fn text(self) -> &'static str {
        match self {
            Self::Init => {
                "run `skills init`, then `skills add`; or bake a directory without a lock: `include_skills!(dir = \"skills\")`"
            }
            Self::Sync => "run `skills sync`",
            Self::Restore => "run `skills sync --restore` to put the locked bytes back",
            Self::Review => {
                "the lock or the listing was edited: see `git diff`, and restore both from version control; where only the store is older than the lock, run `skills sync`"
            }
            Self::Remove => "move it elsewhere, or run `skills sync --restore` to remove it",
            Self::Relock => "run `skills sync` to lock the change, or undo it",
            Self::Name => {
                "correct the name, or add the skill to the manifest and run `skills sync`"
            }
            Self::NameInDirectory => "correct the name, or put the skill into the directory",
            Self::OwnLineEnds => {
                "only the line ends differ: put `* -text` into a `.gitattributes` beside the skill, so that git leaves them alone, and check the file out again"
            }
            Self::LineEnds => {
                "only the line ends differ: commit `helix.skills/.gitattributes`, so that git leaves them alone, then run `skills sync --restore`"
            }
        }
    }
}

/// `text` with its lines, and everything else escaped that a terminal acts on or nobody sees: paths
/// and names in it are those of strangers.
fn printable(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if c != '\n' && (c.is_control() || is_invisible(c)) {
            shown.extend(c.escape_unicode());
        } else {
            shown.push(c);
        }
    }
    shown
}

impl Problem {
    /// A problem at the call.
    pub(crate) fn new(title: impl Into<String>) -> Self {
        Self::at(Span::call_site(), title)
    }

    /// A problem at one token of the call.
    pub(crate) fn at(span: Span, title: impl Into<String>) -> Self {
        Self { span, title: title.into(), details: Vec::new(), help: None }
    }

    /// A file that cannot be read.
    pub(crate) fn io(file: &Path, error: &std::io::Error) -> Self {
        Self::new(format!("cannot read `{}`: {error}", file.display()))
            .advice("see that it is there, and that you may read it")
    }

    /// Something that is wrong with the text of a file.
    pub(crate) fn finding(what: &str, file: &Path, finding: &Finding, otherwise: &str) -> Self {
        let mut place = file.display().to_string();
        if let Some(at) = finding.at {
            // Writing to a string cannot fail.
            let _ = write!(place, ":{at}");
        }
        let mut problem = Self::new(format!("{what}: {}", finding.message)).detail("file", place);
        let hint = finding.hint.as_deref();
        // Some findings say what is wrong with a value, and only the caller knows what to do about
        // it.
        problem.help = Some(match (finding.code, hint) {
            (Code::ConflictMarkers, None) => "resolve the merge, then run `skills sync`".to_owned(),
            (_, Some(hint)) => hint.to_owned(),
            (_, None) => otherwise.to_owned(),
        });
        problem
    }

    /// Another line: `label: value`.
    pub(crate) fn detail(mut self, label: &'static str, value: impl Into<String>) -> Self {
        self.details.push((label, value.into()));
        self
    }

    /// The file it is about.
    pub(crate) fn file(self, file: &Path) -> Self {
        self.detail("file", file.display().to_string())
    }

    /// What to do.
    pub(crate) fn help(mut self, help: Help) -> Self {
        self.help = Some(help.text().to_owned());
        self
    }

    /// What to do, in words of its own.
    pub(crate) fn advice(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    fn message(&self) -> String {
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

    /// The `compile_error!`. With braces it stands as a statement.
    pub(crate) fn tokens(&self) -> TokenStream {
        let message = self.message();
        quote_spanned!(self.span => ::core::compile_error! { #message })
    }
}
