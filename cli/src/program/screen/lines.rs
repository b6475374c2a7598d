//! The lines on the terminal while work runs.

use crate::program::table::terminal_width;
use console::{Term, truncate_str};
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

/// How long a server may send nothing before its line says what is waited for.
const PATIENCE: Duration = Duration::from_secs(1);
/// How long a response has to arrive before its rate is shown.
const RATE_AFTER: Duration = Duration::from_millis(500);

/// What precedes the text of a repository.
const INDENT: &str = "  ";

/// A line with what runs, and one for each repository that is being read.
pub(super) struct Lines {
    bars: MultiProgress,
    main: ProgressBar,
    busy: BTreeMap<String, (ProgressBar, Busy)>,
}

impl Lines {
    pub(super) fn new(message: &'static str) -> Self {
        // A line that begins after other text would be wrapped, and not removed.
        let _ = Term::stderr().write_str("\r");
        let bars = MultiProgress::new();
        let main = bars.add(ProgressBar::new_spinner().with_message(message));
        main.set_style(style("{spinner} {wide_msg}"));
        main.tick();
        Self { bars, main, busy: BTreeMap::new() }
    }

    /// Changes the first line.
    pub(super) fn set_message(&self, message: &'static str) {
        self.main.set_message(message);
    }

    /// Changes the line of a repository, which is added if needed.
    pub(super) fn change(
        &mut self,
        url: &str,
        label: impl FnOnce() -> String,
        change: impl FnOnce(&mut Busy),
    ) {
        if !self.busy.contains_key(url) {
            let bar = self.bars.add(
                ProgressBar::new_spinner().with_style(style(&format!("{INDENT}{{wide_msg}}"))),
            );
            self.busy.insert(url.to_owned(), (bar, Busy::new(label(), Instant::now())));
        }
        if let Some((bar, busy)) = self.busy.get_mut(url) {
            change(busy);
            bar.set_message(fitted(&busy.text(Instant::now())));
        }
    }

    /// Removes the line of a repository.
    pub(super) fn remove(&mut self, url: &str) {
        if let Some((bar, _)) = self.busy.remove(url) {
            bar.finish_and_clear();
            self.bars.remove(&bar);
        }
    }

    /// Draws the lines again.
    pub(super) fn tick(&self, now: Instant) {
        self.main.tick();
        for (bar, busy) in self.busy.values() {
            bar.set_message(fitted(&busy.text(now)));
        }
    }

    /// Removes the lines while `print` runs.
    pub(super) fn suspend(&self, print: impl FnOnce()) {
        self.bars.suspend(print);
    }

    /// Removes all lines.
    pub(super) fn clear(self) {
        for (bar, _) in self.busy.values() {
            bar.finish_and_clear();
        }
        self.main.finish_and_clear();
    }
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
pub(super) struct Busy {
    /// The sources, and the host.
    label: String,
    /// Bytes of responses with objects.
    received: u64,
    /// The time of the first byte of the current response with objects, and the bytes before it.
    response: Option<(Instant, u64)>,
    /// The time of the last request or byte.
    last: Instant,
    /// Whether a request was sent and no byte has arrived since then.
    is_asked: bool,
    /// When a failed request will be sent again.
    retry: Option<Instant>,
}

impl Busy {
    fn new(label: String, now: Instant) -> Self {
        Self { label, received: 0, response: None, last: now, is_asked: true, retry: None }
    }

    pub(super) fn ask(&mut self, now: Instant) {
        (self.last, self.is_asked, self.response, self.retry) = (now, true, None, None);
    }

    pub(super) fn receive(&mut self, bytes: u64, is_pack: bool, now: Instant) {
        (self.last, self.is_asked) = (now, false);
        if is_pack {
            self.response.get_or_insert((now, self.received));
            self.received += bytes;
        }
    }

    pub(super) fn retry(&mut self, at: Option<Instant>) {
        self.retry = at;
    }

    fn text(&self, now: Instant) -> String {
        let (label, received) = (&self.label, size(self.received));
        if let Some(at) = self.retry {
            let wait = at.saturating_duration_since(now).as_secs();
            return format!("{label}: retrying in {wait} s");
        }
        let silence = now.saturating_duration_since(self.last);
        if silence >= PATIENCE {
            let what = if self.is_asked { "an answer" } else { "more bytes" };
            let so_far =
                if self.received > 0 { format!(", {received} received") } else { String::new() };
            return format!("{label}: waiting for {what} ({} s){so_far}", silence.as_secs());
        }
        if self.received == 0 {
            return format!("{label}: resolving");
        }
        let rate = self.response.and_then(|(first, before)| {
            let time = now.saturating_duration_since(first);
            let bytes = (self.received - before) as f64;
            (time >= RATE_AFTER).then(|| size((bytes / time.as_secs_f64()) as u64))
        });
        let rate = rate.map(|rate| format!(" at {rate}/s")).unwrap_or_default();
        format!("{label}: receiving {received}{rate}")
    }
}

/// "12 B", "3.2 MB": shorter than in other messages, because lines are cut at the terminal's width.
fn size(bytes: u64) -> String {
    match bytes {
        0..1_000 => format!("{bytes} B"),
        1_000..1_000_000 => format!("{:.1} kB", bytes as f64 / 1e3),
        _ => format!("{:.1} MB", bytes as f64 / 1e6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn lines_say_what_happens_and_what_is_waited_for() {
        let start = Instant::now();
        let mut busy = Busy::new("pdf (github.com)".to_owned(), start);
        assert_eq!(busy.text(start), "pdf (github.com): resolving");
        let waiting = "pdf (github.com): waiting for an answer (3 s)";
        assert_eq!(busy.text(start + 3 * SECOND), waiting);
        busy.receive(700, false, start + 3 * SECOND);
        assert_eq!(busy.text(start + 3 * SECOND), "pdf (github.com): resolving");
        busy.ask(start + 3 * SECOND);
        busy.receive(1_000_000, true, start + 4 * SECOND);
        assert_eq!(busy.text(start + 4 * SECOND), "pdf (github.com): receiving 1.0 MB");
        busy.receive(2_200_000, true, start + 6 * SECOND);
        let receiving = "pdf (github.com): receiving 3.2 MB at 1.6 MB/s";
        assert_eq!(busy.text(start + 6 * SECOND), receiving);
        let rest = "pdf (github.com): waiting for more bytes (1 s), 3.2 MB received";
        assert_eq!(busy.text(start + 7 * SECOND), rest);
        busy.retry(Some(start + 9 * SECOND));
        assert_eq!(busy.text(start + 7 * SECOND), "pdf (github.com): retrying in 2 s");
        busy.ask(start + 9 * SECOND);
        assert_eq!(busy.text(start + 9 * SECOND), "pdf (github.com): receiving 3.2 MB");
    }
}
