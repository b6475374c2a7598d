//! Comparisons of times.

use std::time::{Duration, Instant};

const ROUNDS: usize = 15;

/// The median times of the same work done by two programs.
pub struct Sample {
    /// Ours.
    pub ours: Duration,
    /// The peer's.
    pub theirs: Duration,
}

impl Sample {
    /// Prints a row: both times in microseconds per repetition, of which there were `times`, and
    /// the ratio.
    pub fn print(&self, what: &str, peer: &str, times: usize) {
        let micros = |time: Duration| time.as_secs_f64() * 1e6 / times as f64;
        let (ours, theirs) = (micros(self.ours), micros(self.theirs));
        println!("{what}: {ours:.2} µs; {peer}: {theirs:.2} µs; ratio {:.4}", ours / theirs);
    }
}

/// Returns the medians of several rounds in which both take turns, so that a busy machine slows
/// down both.
pub fn compare(mut ours: impl FnMut(), mut theirs: impl FnMut()) -> Sample {
    let rounds: Vec<_> = (0..ROUNDS).map(|_| (timed(&mut ours), timed(&mut theirs))).collect();
    let (ours, theirs): (Vec<_>, Vec<_>) = rounds.into_iter().unzip();
    Sample { ours: median_of(ours), theirs: median_of(theirs) }
}

/// Returns the median time of several rounds.
pub fn median(mut work: impl FnMut()) -> Duration {
    median_of((0..ROUNDS).map(|_| timed(&mut work)).collect())
}

fn median_of(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

fn timed(work: &mut impl FnMut()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}
