//! Progress on a terminal: a line with what runs, and one for each repository that is being read.

use super::{output::Output, table::terminal_width};
use console::{Term, truncate_str};
use helix_skills_format::{__internal::size, GitUrl, SourceKey};
use helix_skills_project::{FetchEvent, Progress, ProgressEvent, manifest::Manifest};
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::{
    borrow::Cow,
    collections::BTreeMap,
    env, fmt,
    io::{self, IsTerminal as _},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

/// How often the lines are drawn again.
const TICK: Duration = Duration::from_millis(100);
/// Maximum number of times per second that the lines are drawn.
const REDRAWS_PER_SECOND: u8 = 20;
/// How long a server may send nothing before its line says what is waited for.
const PATIENCE: Duration = Duration::from_secs(1);
/// What precedes the text of a repository.
const INDENT: &str = "  ";

/// Shows progress, notes on waiting and retries, and lines for `-vv`.
pub(super) struct Screen {
    notes: bool,
    trace: bool,
    /// Whether stderr is a terminal that can show progress.
    is_live: bool,
    begun: Instant,
    lines: Mutex<Option<Lines>>,
    /// The sources in each repository.
    sources: Mutex<BTreeMap<String, Vec<SourceKey>>>,
}

/// The lines on the terminal while work runs.
struct Lines {
    bars: MultiProgress,
    main: ProgressBar,
    repositories: BTreeMap<String, (ProgressBar, Arc<Mutex<Repository>>)>,
}

impl Screen {
    pub(super) fn new(output: &Output) -> Self {
        let notes = !output.json && !output.quiet;
        Self {
            notes,
            trace: output.verbose > 1,
            is_live: notes && output.verbose == 0 && is_interactive(),
            begun: Instant::now(),
            lines: Mutex::default(),
            sources: Mutex::default(),
        }
    }

    /// Shows a line with a message, and one for each repository that is read.
    pub(super) fn start(&self, message: &'static str) {
        if !self.is_live {
            return;
        }
        // A line that begins after other text would be wrapped, and not removed.
        let _ = Term::stderr().write_str("\r");
        let target = ProgressDrawTarget::stderr_with_hz(REDRAWS_PER_SECOND);
        let bars = MultiProgress::with_draw_target(target);
        let main = bars.add(ProgressBar::new_spinner().with_message(message));
        main.set_style(style("{spinner} {msg}"));
        main.enable_steady_tick(TICK);
        *lock(&self.lines) = Some(Lines { bars, main, repositories: BTreeMap::new() });
    }

    /// Changes the message.
    pub(super) fn message(&self, message: impl Into<Cow<'static, str>>) {
        if let Some(lines) = &*lock(&self.lines) {
            lines.main.set_message(message);
        }
    }

    /// Removes the lines.
    pub(super) fn clear(&self) {
        if let Some(lines) = lock(&self.lines).take() {
            lines.repositories.values().for_each(|(bar, _)| bar.finish_and_clear());
            lines.main.finish_and_clear();
        }
    }

    /// Removes the lines while `print` runs.
    pub(super) fn suspend(&self, print: impl FnOnce()) {
        match &*lock(&self.lines) {
            Some(lines) => lines.bars.suspend(print),
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

    /// Returns how long the work took, for a summary: "4.21 s".
    pub(super) fn elapsed(&self) -> String {
        format!("{:.2} s", self.begun.elapsed().as_secs_f32())
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

    /// Changes the line of a repository, which is added if needed.
    fn change(&self, url: &str, change: impl FnOnce(&mut Repository)) {
        let Some(lines) = &mut *lock(&self.lines) else { return };
        let (_, repository) = lines.repositories.entry(url.to_owned()).or_insert_with(|| {
            let repository = Arc::new(Mutex::new(Repository::new(self.label(url))));
            let shown = Arc::clone(&repository);
            let text = move |_: &ProgressState, line: &mut dyn fmt::Write| {
                // Writing to a `String` cannot fail.
                let _ = line.write_str(&fitted(&lock(&shown).text(Instant::now())));
            };
            let style = style(&format!("{INDENT}{{text}}")).with_key("text", text);
            let bar = lines.bars.add(ProgressBar::new_spinner().with_style(style));
            bar.enable_steady_tick(TICK);
            (bar, repository)
        });
        change(&mut lock(repository));
    }
}

impl Progress for Screen {
    fn on(&self, event: ProgressEvent) {
        match event {
            ProgressEvent::Waiting if self.notes => self.suspend(|| {
                Output::print_stderr("note: waiting for another process that works on this project")
            }),
            ProgressEvent::Writing => self.message("writing files"),
            _ => {}
        }
    }

    fn on_fetch(&self, event: &FetchEvent<'_>) {
        match event {
            FetchEvent::Trace { line } if self.trace => Output::print_stderr(line),
            FetchEvent::Retrying { url, wait, why, .. } if self.notes => {
                let seconds = wait.as_secs_f32();
                let line = format!("note: retrying {url} in {seconds:.1} s: {why}");
                self.suspend(|| Output::print_stderr(&line));
                let at = Instant::now().checked_add(*wait);
                self.change(url, |repository| repository.retry = at);
            }
            FetchEvent::Request { url } => self.change(url, Repository::ask),
            FetchEvent::Received { url, bytes, is_pack } => {
                self.change(url, |repository| repository.receive(*bytes, *is_pack));
            }
            FetchEvent::Finished { url } => {
                if let Some(lines) = &mut *lock(&self.lines)
                    && let Some((bar, _)) = lines.repositories.remove(*url)
                {
                    bar.finish_and_clear();
                    lines.bars.remove(&bar);
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

/// Cuts the text of a repository to the width of the terminal.
fn fitted(text: &str) -> String {
    let width = terminal_width(&Term::stderr()).unwrap_or(usize::MAX);
    truncate_str(text, width.saturating_sub(INDENT.len()), "…").into_owned()
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_spinner())
}

/// The state of a repository that is being read.
struct Repository {
    /// The sources, and the host.
    label: String,
    /// Bytes of responses with objects.
    received: u64,
    /// The time of the last request or byte.
    last: Instant,
    /// Whether a request was sent and no byte has arrived since then.
    is_asked: bool,
    /// When a failed request will be sent again.
    retry: Option<Instant>,
}

impl Repository {
    fn new(label: String) -> Self {
        Self { label, received: 0, last: Instant::now(), is_asked: true, retry: None }
    }

    fn ask(&mut self) {
        (self.last, self.is_asked, self.retry) = (Instant::now(), true, None);
    }

    fn receive(&mut self, bytes: u64, is_pack: bool) {
        (self.last, self.is_asked) = (Instant::now(), false);
        self.received += if is_pack { bytes } else { 0 };
    }

    fn text(&self, now: Instant) -> String {
        let label = &self.label;
        if let Some(at) = self.retry {
            let wait = at.saturating_duration_since(now).as_secs();
            return format!("{label}: retrying in {wait} s");
        }
        let silence = now.saturating_duration_since(self.last);
        if silence >= PATIENCE {
            let what = if self.is_asked { "an answer" } else { "more bytes" };
            return format!("{label}: waiting for {what} ({} s)", silence.as_secs());
        }
        match self.received {
            0 => format!("{label}: resolving"),
            received => format!("{label}: receiving {}", size(received)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn lines_say_what_happens_and_what_is_waited_for() {
        let mut repository = Repository::new("pdf (github.com)".to_owned());
        let text = |repository: &Repository, seconds: u32| {
            let text = repository.text(repository.last + seconds * SECOND);
            text.strip_prefix("pdf (github.com): ").map(str::to_owned)
        };
        assert_eq!(text(&repository, 0).as_deref(), Some("resolving"));
        assert_eq!(text(&repository, 3).as_deref(), Some("waiting for an answer (3 s)"));
        repository.receive(700, false);
        assert_eq!(text(&repository, 0).as_deref(), Some("resolving"));
        repository.ask();
        repository.receive(1_000_000, true);
        repository.receive(2_200_000, true);
        assert_eq!(text(&repository, 0).as_deref(), Some("receiving 3.20 MB"));
        assert_eq!(text(&repository, 1).as_deref(), Some("waiting for more bytes (1 s)"));
        repository.retry = Some(repository.last + 3 * SECOND);
        assert_eq!(text(&repository, 1).as_deref(), Some("retrying in 2 s"));
        repository.ask();
        assert_eq!(text(&repository, 0).as_deref(), Some("receiving 3.20 MB"));
    }
}
