//! Printing: data on stdout, messages on stderr.

use super::{args::Global, program_name};
use anstyle::{AnsiColor, Style};
use clap::ColorChoice;
use helix_skills_format::__internal::{
    causes, escape_invisible, printable, printable_lines, shortened, write_report,
};
use helix_skills_project::{Error, ErrorKind};
use serde_json::{Map, Value, json};
use std::{
    cell::RefCell,
    env,
    fmt::Display,
    io::{self, IsTerminal as _, Write as _},
};

/// The version of the JSON documents.
const SCHEMA_VERSION: u64 = 1;

/// The output of one run.
pub(super) struct Output {
    pub(super) json: bool,
    pub(super) quiet: bool,
    pub(super) verbose: u8,
    command: String,
    /// Additional fields of the JSON document of a failure.
    attached: RefCell<Option<Value>>,
    /// The error of a failed write to stdout.
    broken: RefCell<Option<io::Error>>,
}

/// Maximum size of a text that is printed whole because it has a command.
const MAX_COMMAND: usize = 64 * 1024;

const ERROR: Style = AnsiColor::Red.on_default().bold();
const WARNING: Style = AnsiColor::Yellow.on_default().bold();
const NOTE: Style = AnsiColor::Green.on_default().bold();
const HELP: Style = AnsiColor::Cyan.on_default().bold();

impl Output {
    pub(super) fn new(global: &Global, command: impl Into<String>) -> Self {
        let choice = match (global.color, env::var("CARGO_TERM_COLOR").as_deref()) {
            (Some(ColorChoice::Always), _) | (None, Ok("always")) => anstream::ColorChoice::Always,
            (Some(ColorChoice::Never), _) | (None, Ok("never")) => anstream::ColorChoice::Never,
            _ => anstream::ColorChoice::Auto,
        };
        // By default, anstream considers NO_COLOR, CLICOLOR_FORCE and whether stdout is a terminal.
        choice.write_global();
        Self {
            json: global.json,
            quiet: global.quiet,
            verbose: global.verbose,
            command: command.into(),
            attached: RefCell::default(),
            broken: RefCell::default(),
        }
    }

    /// Prints data: the result that the command was run for.
    pub(super) fn data(&self, text: &str) {
        if !self.json {
            self.write_out(text);
        }
    }

    /// Prints data byte for byte; on a terminal, escapes control and invisible characters.
    pub(super) fn exact(&self, text: &str) {
        if self.json {
            return;
        }
        // Bypasses anstream, which removes escape sequences.
        let out = io::stdout().lock();
        match out.is_terminal() {
            true => self.write(out, &printable_lines(text)),
            false => self.write(out, text),
        }
    }

    /// Prints the JSON document of a successful command; `fields` is an object.
    pub(super) fn document(&self, fields: Value) {
        if self.json {
            self.print_document(true, fields);
        }
    }

    /// Prints the JSON document of a command that ran, and found problems if there is a `kind`.
    pub(super) fn verdict(&self, kind: Option<ErrorKind>, fields: impl FnOnce() -> Value) {
        if self.json {
            let mut fields = fields();
            fields["exitCode"] = json!(exit_code(kind));
            self.print_document(kind.is_none(), fields);
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
        self.write(anstream::stdout().lock(), text);
    }

    fn write(&self, mut out: impl io::Write, text: &str) {
        if let Err(error) = out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
            self.broken.replace(Some(error));
        }
    }

    /// Returns the error of a failed write to stdout. A closed pipe, such as `skills list | head`,
    /// is not an error.
    pub(super) fn take_write_error(&self) -> Option<io::Error> {
        self.broken.take().filter(|error| error.kind() != io::ErrorKind::BrokenPipe)
    }

    /// Prints a message: what happened, or what to do next.
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

    /// Prints a line if `-v` is set.
    pub(super) fn detail(&self, text: &str) {
        if self.verbose > 0 {
            Self::print_stderr(text);
        }
    }

    /// Prints a line on stderr, regardless of the options.
    pub(super) fn print_stderr(text: &str) {
        write_err(&format!("{}\n", printable(text)));
    }

    /// Adds fields to the JSON document of a later failure.
    pub(super) fn attach(&self, fields: Value) {
        self.attached.replace(Some(fields));
    }

    /// Prints all errors, as JSON with `--json`.
    pub(super) fn failure(&self, failure: &Error) {
        if self.json {
            let errors: Vec<Value> = failure.errors().iter().map(error_json).collect();
            let mut fields = self.attached.take().unwrap_or_else(|| json!({}));
            fields["exitCode"] = json!(failure.kind() as u8);
            fields["errors"] = json!(errors);
            self.print_document(false, fields);
            return;
        }
        let mut errors = failure.errors().iter().peekable();
        while let Some(error) = errors.next() {
            // What several errors in a row have in common is printed once, after the last one.
            if errors.peek().is_some_and(|next| explanation(next) == explanation(error)) {
                self.line(ERROR, "error:", &error.to_string());
                continue;
            }
            let mut report = String::new();
            // Writing to a `String` cannot fail.
            let _ = write_report(error, &mut report);
            write_labeled(ERROR, "error:", &as_called(&report));
            if let Some(hint) = error.hint() {
                self.line(HELP, "help:", hint);
            }
            // An empty line follows an error with causes.
            if errors.peek().is_some() && causes(error).next().is_some() {
                write_err("\n");
            }
        }
    }

    fn line(&self, style: Style, label: &str, text: &str) {
        // A command that is cut cannot be pasted.
        let is_command = matches!(label, "help:" | "next:") && text.contains("`skills ");
        let text = as_called(text);
        let is_whole = is_command && text.len() <= MAX_COMMAND;
        let text = if is_whole { text.into() } else { shortened(&text) };
        write_labeled(style, label, &printable(&text));
    }
}

/// Names the program as the user called it, in commands after one of these texts.
pub(super) fn called_after(before: &[&str], text: &str) -> String {
    let name = program_name();
    before.iter().fold(text.to_owned(), |text, before| {
        text.replace(&format!("{before}skills "), &format!("{before}{name} "))
    })
}

/// Names the program as the user called it in the commands of a message.
fn as_called(text: &str) -> String {
    called_after(&["`", "| "], text)
}

/// Returns what is printed after the message of an error: its causes and its hint.
fn explanation(error: &Error) -> (Vec<String>, Option<&str>) {
    (causes(error).map(ToString::to_string).collect(), error.hint())
}

/// Returns an error as JSON, without the fields that it does not have.
fn error_json(error: &Error) -> Value {
    let (file, at) = error.place().unzip();
    let at = at.flatten();
    let causes: Vec<String> = causes(error).map(|cause| as_called(&cause.to_string())).collect();
    let mut map = json!({
        "code": error.code(),
        "exitCode": error.kind() as u8,
        "message": as_called(&error.to_string()),
        "causes": Some(causes).filter(|causes| !causes.is_empty()),
        "hint": error.hint().map(as_called),
        "file": file.map(|file| file.display().to_string()),
        "line": at.map(|at| at.line),
        "column": at.map(|at| at.column),
    });
    map.as_object_mut().into_iter().for_each(|map| map.retain(|_, value| !value.is_null()));
    map
}

/// Returns the exit code of a command that found problems of this kind, or none.
pub(super) fn exit_code(kind: Option<ErrorKind>) -> u8 {
    kind.map_or(0, |kind| kind as u8)
}

fn write_labeled(style: Style, label: &str, text: &str) {
    write_err(&format!("{}{label}{} {text}\n", style.render(), style.render_reset()));
}

fn write_err(text: &str) {
    // A closed stderr is ignored: the exit code remains.
    let _ = anstream::stderr().lock().write_all(text.as_bytes());
}
