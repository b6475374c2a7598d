//! Progress on a terminal.

mod lines;

use super::output::Output;
use helix_skills_format::{GitUrl, SourceKey};
use helix_skills_project::{Progress, ProgressEvent, manifest::Manifest};
use lines::{Busy, Lines};
use std::{
    collections::BTreeMap,
    env,
    io::{self, IsTerminal as _},
    sync::{Arc, Mutex, MutexGuard, Once, PoisonError},
    thread,
    time::{Duration, Instant},
};

/// How often the lines are drawn again.
const TICK: Duration = Duration::from_millis(100);

/// Shows what runs and which repositories are read, notes on waiting and retries, and lines for
/// `-vv`.
pub(super) struct Screen {
    notes: bool,
    trace: bool,
    /// Whether stderr is a terminal that can show progress.
    is_live: bool,
    /// When the work began, without the time in which the program waited for the user.
    begun: Mutex<Instant>,
    lines: Arc<Mutex<Option<Lines>>>,
    ticker: Once,
    /// The sources in each repository.
    sources: Mutex<BTreeMap<String, Vec<SourceKey>>>,
}

impl Screen {
    pub(super) fn new(output: &Output) -> Self {
        let notes = !output.json && !output.quiet;
        Self {
            notes,
            trace: output.verbose > 1,
            is_live: notes && output.verbose == 0 && is_interactive(),
            begun: Mutex::new(Instant::now()),
            lines: Arc::default(),
            ticker: Once::new(),
            sources: Mutex::default(),
        }
    }

    /// Shows a line with a message, and one for each repository that is read.
    pub(super) fn start(&self, message: &'static str) {
        if !self.is_live {
            return;
        }
        *self.lines() = Some(Lines::new(message));
        let lines = Arc::downgrade(&self.lines);
        self.ticker.call_once(|| {
            thread::spawn(move || {
                while let Some(lines) = lines.upgrade() {
                    if let Some(lines) = &*lock(&lines) {
                        lines.tick(Instant::now());
                    }
                    drop(lines);
                    thread::sleep(TICK);
                }
            });
        });
    }

    /// Removes the lines.
    pub(super) fn clear(&self) {
        if let Some(lines) = self.lines().take() {
            lines.clear();
        }
    }

    /// Removes the lines while `print` runs.
    pub(super) fn suspend(&self, print: impl FnOnce()) {
        match &*self.lines() {
            Some(lines) => lines.suspend(print),
            None => print(),
        }
    }

    /// Names the sources of a manifest in the lines of their repositories.
    pub(super) fn name_sources(&self, read: impl FnOnce() -> Option<Manifest>) {
        let Some(manifest) = self.is_live.then(read).flatten() else { return };
        let mut sources = lock(&self.sources);
        sources.clear();
        for (key, source) in &manifest.sources {
            if let Some(repository) = source.repository() {
                sources.entry(repository.url.to_string()).or_default().push(key.clone());
            }
        }
    }

    /// Runs `ask`, whose time does not count as work.
    pub(super) fn ask<T>(&self, ask: impl FnOnce() -> T) -> T {
        let asked = Instant::now();
        let answer = ask();
        *lock(&self.begun) += asked.elapsed();
        answer
    }

    /// Returns how long the work took, for a summary: "4.21 s".
    pub(super) fn elapsed(&self) -> String {
        format!("{:.2} s", lock(&self.begun).elapsed().as_secs_f32())
    }

    /// Returns the sources and the host of a repository: "pdf, docx (github.com)".
    fn label(&self, url: &str) -> String {
        // The text names the URL that is used, and the one in the manifest if they differ.
        let (used, named) = url.split_once(" (insteadOf ").unwrap_or((url, url));
        let named = named.trim_end_matches(')');
        let parsed = |url| GitUrl::parse_insecure(url).ok();
        let keys = lock(&self.sources)
            .get(named)
            .map(|keys| keys.iter().map(SourceKey::as_str).collect::<Vec<_>>().join(", "));
        let repository = || parsed(named).map(|url| url.repository_name().to_owned());
        let name = keys.or_else(repository).unwrap_or_else(|| named.to_owned());
        match parsed(used).as_ref().and_then(GitUrl::host) {
            Some(host) => format!("{name} ({host})"),
            None => name,
        }
    }

    /// Changes the line of a repository.
    fn change(&self, url: &str, change: impl FnOnce(&mut Busy)) {
        if let Some(lines) = &mut *self.lines() {
            lines.change(url, || self.label(url), change);
        }
    }

    fn lines(&self) -> MutexGuard<'_, Option<Lines>> {
        lock(&self.lines)
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
            ProgressEvent::Waiting if self.notes => self.suspend(|| {
                Output::print_stderr("note: waiting for another process that works on this project")
            }),
            ProgressEvent::Trace { line } if self.trace => Output::print_stderr(line),
            ProgressEvent::Retrying { url, wait, why, .. } if self.notes => {
                let seconds = wait.as_secs_f32();
                let line = format!("note: retrying {url} in {seconds:.1} s: {why}");
                self.suspend(|| Output::print_stderr(&line));
                let at = Instant::now().checked_add(*wait);
                self.change(url, |busy| busy.retry(at));
            }
            ProgressEvent::Request { url } => self.change(url, |busy| busy.ask(Instant::now())),
            ProgressEvent::Received { url, bytes, is_pack } => {
                self.change(url, |busy| busy.receive(*bytes, *is_pack, Instant::now()));
            }
            ProgressEvent::Finished { url } => {
                if let Some(lines) = &mut *self.lines() {
                    lines.remove(url);
                }
            }
            ProgressEvent::Writing => {
                if let Some(lines) = &*self.lines() {
                    lines.set_message("writing files");
                }
            }
            _ => {}
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns whether stderr is an interactive terminal that can move its cursor.
fn is_interactive() -> bool {
    io::stderr().is_terminal()
        && env::var("CARGO_TERM_PROGRESS_WHEN").as_deref() != Ok("never")
        && env::var_os("CI").is_none()
        && env::var_os("TERM").is_none_or(|terminal| terminal != "dumb")
}
