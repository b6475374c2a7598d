//! Compile errors if skills cannot be baked.

use helix_skills_format::{__internal::printable_lines, Code, Finding};
use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;
use std::{fmt::Write as _, path::Path};

/// One compile error: what is wrong, where, and the command that fixes it.
pub(crate) struct Problem {
    /// The token that it is about; `None` if it is about the whole call.
    span: Option<Span>,
    title: String,
    details: Vec<(&'static str, String)>,
    help: Option<String>,
}

/// Where the arguments of a call are: their first and last token.
///
/// An error at the call itself would be inside of the facade's macro, so the compiler would explain
/// how to trace macros. Only a call without arguments has no better place.
#[derive(Clone, Copy)]
pub(crate) struct Arguments {
    first: Span,
    last: Span,
}

impl Arguments {
    /// Finds the arguments in the input of the macro, after the facade and `;`.
    pub(crate) fn find(input: &TokenStream) -> Self {
        let mut spans = input.clone().into_iter().skip(2).map(|token| token.span());
        let first = spans.next().unwrap_or_else(Span::call_site);
        Self { first, last: spans.last().unwrap_or(first) }
    }
}

/// What fixes a problem, unless it depends on the problem.
pub(crate) mod help {
    pub(crate) const INIT: &str = "run `skills init`, then `skills add`; or embed a directory without a lockfile: `include_skills!(mod skills, dir = \"skills\")`";
    pub(crate) const SYNC: &str = "run `skills sync`";
    /// A part of the store is missing. Cargo builds the packages of a workspace at once.
    pub(crate) const FETCH: &str = "run `skills sync`; if build scripts do this with `build::sync()`, each package that embeds skills needs one";
    /// The files match the listing, and the listing does not match the lockfile.
    pub(crate) const REVIEW: &str = "the lockfile or the listing was edited: see `git diff`, and restore both from version control; if the store is only older than the lockfile, run `skills sync`";
    pub(crate) const FIX_FILE: &str = "fix the file";
}

/// What fixes a file that does not match its digest.
#[derive(Clone, Copy)]
pub(crate) struct Fix {
    pub(crate) content: &'static str,
    /// Git converted the line endings.
    pub(crate) line_endings: &'static str,
}

impl Fix {
    /// For files of the store.
    pub(crate) const STORED: Self = Self {
        content: "`skills diff` shows what was edited, `skills sync --restore` restores the locked files",
        line_endings: "only the line endings differ: commit `helix.skills/.gitattributes`, so that git does not convert them, then run `skills sync --restore`",
    };
    /// For files of a `path` source, which may have been edited on purpose.
    pub(crate) const IN_PLACE: Self = Self {
        content: "`git diff` shows the change; run `skills sync` to lock it, or undo it",
        line_endings: "only the line endings differ: add `* -text` to a `.gitattributes` next to the skill, so that git does not convert them, and check out the file again",
    };
}

impl Problem {
    /// Creates a problem of the whole call.
    pub(crate) fn new(title: impl Into<String>) -> Self {
        Self::at(None, title)
    }

    /// Creates a problem at one token of the call, if there is one.
    pub(crate) fn at(span: impl Into<Option<Span>>, title: impl Into<String>) -> Self {
        Self { span: span.into(), title: title.into(), details: Vec::new(), help: None }
    }

    /// Creates the problem of a file that cannot be read.
    pub(crate) fn from_io(file: &Path, error: &std::io::Error) -> Self {
        Self::new(format!("cannot read `{}`: {error}", file.display()))
            .help("check that the file exists and is readable")
    }

    /// Creates the problem of a finding in a file. `otherwise` is the help if the finding has no
    /// hint: those about values have none, because the fix depends on where the value comes from.
    pub(crate) fn from_finding(
        what: &str,
        file: &Path,
        finding: &Finding,
        otherwise: &str,
    ) -> Self {
        let at = finding.at.map(|at| format!(":{at}")).unwrap_or_default();
        let otherwise = match finding.code {
            Code::ConflictMarkers => "resolve the merge, then run `skills sync`",
            _ => otherwise,
        };
        Self::new(format!("{what}: {}", finding.message))
            .detail("file", format!("{}{at}", file.display()))
            .help(finding.hint.as_deref().unwrap_or(otherwise))
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
    ///
    /// Commands start with `cargo`, because another program in `PATH` may be named `skills`.
    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into().replace("`skills ", "`cargo skills "));
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
        printable_lines(&text)
    }

    /// Returns the `compile_error!`, with braces, so that it is a statement. The compiler
    /// underlines the code from its first to its last token.
    pub(crate) fn tokens(&self, arguments: Arguments) -> TokenStream {
        let message = self.message();
        let Arguments { first, last } =
            self.span.map_or(arguments, |span| Arguments { first: span, last: span });
        let mut tokens = quote_spanned!(first => ::core::compile_error!);
        tokens.extend(quote_spanned!(last => { #message }));
        tokens
    }
}
