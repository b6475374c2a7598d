//! Progress on a terminal.

use super::output::Output;
use helix_skills_project::{Progress, ProgressEvent};
use indicatif::{DecimalBytes, ProgressBar};
use std::{
    env,
    io::{self, IsTerminal as _},
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

/// Shows a spinner while work runs, notes on waiting and retries, and lines for `-vv`.
pub(super) struct Screen {
    notes: bool,
    trace: bool,
    /// Whether stderr is a terminal that can show a spinner.
    spins: bool,
    spinner: Mutex<Option<Spinner>>,
}

struct Spinner {
    bar: ProgressBar,
    message: &'static str,
    /// Bytes received from servers.
    received: u64,
}

impl Screen {
    pub(super) fn new(output: &Output) -> Self {
        let notes = !output.json && !output.quiet;
        let spins = notes && output.verbose == 0 && can_spin();
        Self { notes, trace: output.verbose > 1, spins, spinner: Mutex::new(None) }
    }

    /// Shows a spinner with a message.
    pub(super) fn start(&self, message: &'static str) {
        if self.spins {
            let bar = ProgressBar::new_spinner().with_message(message);
            bar.enable_steady_tick(Duration::from_millis(100));
            *self.spinner() = Some(Spinner { bar, message, received: 0 });
        }
    }

    /// Removes the spinner.
    pub(super) fn clear(&self) {
        if let Some(spinner) = self.spinner().take() {
            spinner.bar.finish_and_clear();
        }
    }

    fn spinner(&self) -> MutexGuard<'_, Option<Spinner>> {
        self.spinner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        self.clear();
    }
}

impl Progress for Screen {
    fn on(&self, event: &ProgressEvent<'_>) {
        match event {
            ProgressEvent::Waiting if self.notes => {
                Output::print_stderr(
                    "note: waiting for another process that works on this project",
                );
            }
            ProgressEvent::Trace { line } if self.trace => Output::print_stderr(line),
            ProgressEvent::Retrying { url, wait, why, .. } if self.notes => {
                let seconds = wait.as_secs_f32();
                let line = format!("note: retrying {url} in {seconds:.1} s: {why}");
                match &*self.spinner() {
                    Some(spinner) => spinner.bar.suspend(|| Output::print_stderr(&line)),
                    None => Output::print_stderr(&line),
                }
            }
            ProgressEvent::Received { bytes, .. } => {
                if let Some(Spinner { bar, message, received }) = &mut *self.spinner() {
                    *received += bytes;
                    bar.set_message(format!("{message}: {}", DecimalBytes(*received)));
                }
            }
            _ => {}
        }
    }
}

/// Returns whether stderr is an interactive terminal that can show a spinner.
fn can_spin() -> bool {
    io::stderr().is_terminal()
        && env::var("CARGO_TERM_PROGRESS_WHEN").as_deref() != Ok("never")
        && env::var_os("CI").is_none()
        && env::var_os("TERM").is_none_or(|terminal| terminal != "dumb")
}
