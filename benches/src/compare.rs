//! Times beside times.

use std::time::{Duration, Instant};

const ROUNDS: usize = 15;

/// The median times of one thing done by two.
pub struct Sample {
    /// Ours.
    pub ours: Duration,
    /// The peer's.
    pub theirs: Duration,
}

impl Sample {
    /// Prints one row: both in microseconds for each of `times` repetitions, and the ratio.
    pub fn print(&self, what: &str, peer: &str, times: usize) {
        let micros = |time: Duration| time.as_secs_f64() * 1e6 / times as f64;
        let (ours, theirs) = (micros(self.ours), micros(self.theirs));
        println!("{what}: {ours:.2} µs; {peer}: {theirs:.2} µs; ratio {:.4}", ours / theirs);
    }
}

/// The medians of several rounds in which both take turns, so that a busy machine slows both.
pub fn compare(mut ours: impl FnMut(), mut theirs: impl FnMut()) -> Sample {
    let rounds: Vec<_> = (0..ROUNDS).map(|_| (timed(&mut ours), timed(&mut theirs))).collect();
    let (ours, theirs): (Vec<_>, Vec<_>) = rounds.into_iter().unzip();
    Sample { ours: middle(ours), theirs: middle(theirs) }
}

/// The median of several rounds.
pub fn median(mut work: impl FnMut()) -> Duration {
    middle((0..ROUNDS).map(|_| timed(&mut work)).collect())
}

fn middle(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

fn timed(work: &mut impl FnMut()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}
