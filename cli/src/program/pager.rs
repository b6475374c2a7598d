//! A pager for long output on a terminal, as git uses one.

use super::{interrupt, output::Output};
use anstream::AutoStream;
use helix_skills_project::__internal::command;
use std::{
    env,
    io::{self, IsTerminal as _, Write as _},
    process::{Child, Stdio},
};

/// The default: exits if the text fits the screen, and prints colors.
const DEFAULT: &str = "less -FRX";

/// A running pager.
pub(super) struct Pager {
    child: Child,
    input: Option<AutoStream<Box<dyn io::Write>>>,
}

impl Pager {
    /// Starts `$PAGER` if stdout is a terminal. Returns `None` if there is no pager: the output is
    /// printed as it is then.
    pub(super) fn start(output: &Output) -> Option<Self> {
        // Windows has neither the variable nor `less`.
        let is_terminal = io::stdout().is_terminal() && env::var_os("TERM")? != "dumb";
        if output.json || !is_terminal {
            return None;
        }
        let line = env::var("PAGER").unwrap_or_else(|_| DEFAULT.to_owned());
        let mut words = line.split_whitespace();
        let program = words.next().filter(|program| *program != "cat")?;
        let mut child = command(program.as_ref()).args(words).stdin(Stdio::piped()).spawn().ok()?;
        // The pager handles Ctrl-C.
        interrupt::ignore();
        let colors = AutoStream::choice(&io::stdout());
        let input = child.stdin.take().map(|input| -> Box<dyn io::Write> { Box::new(input) });
        let input = input.map(|input| AutoStream::new(input, colors));
        Some(Self { child, input })
    }

    /// Prints text, and waits until the user closes the pager, maybe before the end of the text.
    pub(super) fn show(mut self, text: &str) {
        let _ = self.input.take().map(|mut input| input.write_all(text.as_bytes()));
        let _ = self.child.wait();
    }
}
