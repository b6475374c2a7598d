//! Everything that is printed: data on stdout, talk on stderr.

use super::args::{Color, Global};
use anstyle::{AnsiColor, Style};
use helix_skills_format::__internal::{
    causes, printable, printable_lines, shortened, write_report,
};
use helix_skills_format::escape_invisible;
use helix_skills_project::{ExitCode, Failure};
use serde_json::{Map, Value, json};
use std::{
    borrow::Cow,
    cell::RefCell,
    env,
    fmt::Display,
    io::{self, IsTerminal as _, Write as _},
};

/// The version of the JSON documents.
const SCHEMA_VERSION: u64 = 1;

/// How one run of the program prints.
pub(super) struct Output {
    pub(super) json: bool,
    pub(super) quiet: bool,
    pub(super) verbose: u8,
    command: &'static str,
    /// What the document of a failure has besides the errors.
    attached: RefCell<Option<Value>>,
    /// Why data could not be written, if it could not.
    broken: RefCell<Option<io::Error>>,
}

const ERROR: Style = AnsiColor::Red.on_default().bold();
const WARNING: Style = AnsiColor::Yellow.on_default().bold();
const NOTE: Style = AnsiColor::Green.on_default().bold();
const HELP: Style = AnsiColor::Cyan.on_default().bold();

impl Output {
    pub(super) fn new(global: &Global, command: &'static str) -> Self {
        let asked = match global.color {
            Some(Color::Always) => Some(anstream::ColorChoice::Always),
            Some(Color::Never) => Some(anstream::ColorChoice::Never),
            Some(Color::Auto) => None,
            None => match env::var("CARGO_TERM_COLOR").as_deref() {
                Ok("always") => Some(anstream::ColorChoice::Always),
                Ok("never") => Some(anstream::ColorChoice::Never),
                _ => None,
            },
        };
        // Without a word from the user, anstream heeds NO_COLOR, CLICOLOR_FORCE and whether this is a terminal.
        asked.unwrap_or(anstream::ColorChoice::Auto).write_global();
        let (attached, broken) = (RefCell::default(), RefCell::default());
        Self {
            json: global.json,
            quiet: global.quiet,
            verbose: global.verbose,
            command,
            attached,
            broken,
        }
    }

    /// Data: what the command was run for.
    pub(super) fn data(&self, text: &str) {
        if !self.json {
            self.write_out(text);
        }
    }

    /// Data that is these bytes and no others; on a terminal, what it would obey or nobody sees is escaped.
    pub(super) fn exact(&self, text: &str) {
        if self.json {
            return;
        }
        // Not by way of anstream, which takes escape sequences out.
        let mut out = io::stdout().lock();
        let shown =
            if out.is_terminal() { Cow::Owned(printable_lines(text)) } else { Cow::Borrowed(text) };
        if let Err(error) = out.write_all(shown.as_bytes()).and_then(|()| out.flush()) {
            self.broken.replace(Some(error));
        }
    }

    /// The one JSON document of a command that worked; `fields` is an object.
    pub(super) fn document(&self, fields: Value) {
        if self.json {
            self.print_document(true, fields);
        }
    }

    /// The one JSON document of a command that worked and found something wrong.
    pub(super) fn verdict(&self, exit: ExitCode, mut fields: Value) {
        if self.json {
            fields["exitCode"] = json!(exit as u8);
            self.print_document(exit == ExitCode::Ok, fields);
        }
    }

    fn print_document(&self, ok: bool, fields: Value) {
        let mut document = Map::new();
        document.insert("schemaVersion".to_owned(), json!(SCHEMA_VERSION));
        document.insert("command".to_owned(), json!(self.command));
        document.insert("ok".to_owned(), json!(ok));
        if let Value::Object(fields) = fields {
            document.extend(fields);
        }
        self.write_out(&escape_invisible(&format!("{:#}\n", Value::Object(document))));
    }

    fn write_out(&self, text: &str) {
        let mut out = anstream::stdout().lock();
        if let Err(error) = out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
            self.broken.replace(Some(error));
        }
    }

    /// Why data could not be written. A reader that goes away, such as `head`, is no error.
    pub(super) fn take_write_error(&self) -> Option<io::Error> {
        self.broken.take().filter(|error| error.kind() != io::ErrorKind::BrokenPipe)
    }

    /// A line of talk: what happened, or what to do next.
    pub(super) fn note(&self, label: &str, text: impl Display) {
        if !self.quiet && !self.json {
            self.line(NOTE, label, &text.to_string());
        }
    }

    pub(super) fn warning(&self, text: &str) {
        if !self.quiet && !self.json {
            self.line(WARNING, "warning:", text);
        }
    }

    /// A line for `-v`.
    pub(super) fn detail(&self, text: &str) {
        if self.verbose > 0 {
            Self::talk(text);
        }
    }

    /// A line on stderr, whatever was asked for.
    pub(super) fn talk(text: &str) {
        write_err(&format!("{}\n", printable(text)));
    }

    /// What was found before something failed: it is printed with the errors, in their document.
    pub(super) fn attach(&self, fields: Value) {
        self.attached.replace(Some(fields));
    }

    /// Everything that went wrong; as JSON where that was asked for.
    pub(super) fn failure(&self, failure: &Failure) {
        if self.json {
            let errors: Vec<Value> = failure.errors().iter().map(error_json).collect();
            let mut fields = self.attached.take().unwrap_or_else(|| json!({}));
            fields["exitCode"] = json!(failure.exit_code() as u8);
            fields["errors"] = json!(errors);
            self.print_document(false, fields);
            return;
        }
        for (at, error) in failure.errors().iter().enumerate() {
            // An error of several paragraphs is set off from the next.
            if at > 0 && causes(&failure.errors()[at - 1]).next().is_some() {
                write_err("\n");
            }
            let mut report = String::new();
            // Writing to a `String` cannot fail.
            let _ = write_report(error, &mut report);
            write_labeled(ERROR, "error:", &report);
            if let Some(hint) = error.hint() {
                self.line(HELP, "help:", &hint);
            }
        }
    }

    fn line(&self, style: Style, label: &str, text: &str) {
        write_labeled(style, label, &printable(&shortened(text)));
    }
}

fn error_json(error: &helix_skills_project::Error) -> Value {
    let mut map = Map::new();
    map.insert("code".to_owned(), json!(error.code()));
    map.insert("exitCode".to_owned(), json!(error.exit_code() as u8));
    map.insert("message".to_owned(), json!(error.to_string()));
    let causes: Vec<String> = causes(error).map(ToString::to_string).collect();
    if !causes.is_empty() {
        map.insert("causes".to_owned(), json!(causes));
    }
    if let Some(hint) = error.hint() {
        map.insert("hint".to_owned(), json!(hint));
    }
    if let Some((file, at)) = error.place() {
        map.insert("file".to_owned(), json!(file.display().to_string()));
        if let Some(at) = at {
            map.insert("line".to_owned(), json!(at.line));
            map.insert("column".to_owned(), json!(at.column));
        }
    }
    Value::Object(map)
}

fn write_labeled(style: Style, label: &str, text: &str) {
    write_err(&format!("{}{label}{} {text}\n", style.render(), style.render_reset()));
}

fn write_err(text: &str) {
    // Where talk cannot be heard there is nobody to tell.
    let _ = anstream::stderr().lock().write_all(text.as_bytes());
}
