//! What is going on, on a terminal.

use super::output::Output;
use helix_skills_project::{Event, Progress};
use indicatif::{DecimalBytes, ProgressBar};
use std::{
    env,
    io::{self, IsTerminal as _},
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

/// Shows a spinner while servers are asked, where somebody sees it, and lines for `-vv`.
pub(super) struct Screen {
    what: &'static str,
    notes: bool,
    trace: bool,
    spinner: Option<ProgressBar>,
    received: AtomicU64,
}

impl Screen {
    /// `what` is going on.
    pub(super) fn new(output: &Output, what: &'static str) -> Self {
        let notes = !output.json && !output.quiet;
        let spins = notes && output.verbose == 0 && is_seen();
        let spinner = spins.then(|| {
            let spinner = ProgressBar::new_spinner().with_message(what);
            spinner.enable_steady_tick(Duration::from_millis(100));
            spinner
        });
        Self { what, notes, trace: output.verbose > 1, spinner, received: AtomicU64::new(0) }
    }

    /// Nothing is going on any more.
    pub(super) fn clear(&self) {
        if let Some(spinner) = &self.spinner {
            spinner.finish_and_clear();
        }
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        self.clear();
    }
}

impl Progress for Screen {
    fn on(&self, event: &Event<'_>) {
        match event {
            Event::Waiting if self.notes => {
                Output::talk("note: waiting for another `skills` that works on this project");
            }
            Event::Trace { line } if self.trace => Output::talk(line),
            Event::Retrying { url, wait, why, .. } if self.notes => {
                let seconds = wait.as_secs_f32();
                let line = format!("note: asking {url} again in {seconds:.1} s: {why}");
                match &self.spinner {
                    Some(spinner) => spinner.suspend(|| Output::talk(&line)),
                    None => Output::talk(&line),
                }
            }
            Event::Received { bytes, .. } => {
                let received = self.received.fetch_add(*bytes, Ordering::Relaxed) + bytes;
                if let Some(spinner) = &self.spinner {
                    spinner.set_message(format!("{}: {}", self.what, DecimalBytes(received)));
                }
            }
            _ => {}
        }
    }
}

/// Whether somebody looks at a terminal that can show a spinner.
fn is_seen() -> bool {
    io::stderr().is_terminal()
        && env::var("CARGO_TERM_PROGRESS_WHEN").as_deref() != Ok("never")
        && env::var_os("CI").is_none()
        && env::var_os("TERM").is_none_or(|terminal| terminal != "dumb")
}
