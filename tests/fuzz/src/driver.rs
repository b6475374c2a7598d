//! The driver for stable Rust: the same inputs in every run.

use crate::{Target, mutation};
use fastrand::Rng;
use std::{
    env, fs,
    panic::{AssertUnwindSafe, catch_unwind},
    path::Path,
};

/// Runs a target: what once failed, the seeds, then changed seeds.
///
/// `HELIX_FUZZ_COUNT` and `HELIX_FUZZ_SEED` are how many of those and which; the seed is 1 otherwise, and the count the
/// target's own. Returns how many executions there were.
///
/// # Panics
/// If the body does: with target, seed, turn and the input, whose last line is the command that keeps it.
pub fn drive(target: &Target) -> u64 {
    let count = number("HELIX_FUZZ_COUNT").unwrap_or(target.count);
    let seed = number("HELIX_FUZZ_SEED").unwrap_or(1);
    let kept = regressions(target);
    for (name, input) in &kept {
        run(target, input, &format!("the kept input `{name}`"));
    }
    let seeds = (target.seeds)();
    for (at, input) in seeds.iter().enumerate() {
        run(target, input, &format!("seed input {at}"));
    }
    for turn in 0..count {
        // Each turn for itself, so that one can be repeated without those before it.
        let mut rng = Rng::with_seed(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(turn));
        let input = mutation::input(target, &seeds, &mut rng);
        run(target, &input, &format!("HELIX_FUZZ_SEED={seed}, turn {turn}"));
    }
    (kept.len() + seeds.len()) as u64 + count
}

/// The inputs that once failed, by the names of their files.
///
/// # Panics
/// If they cannot be read.
#[must_use]
pub fn regressions(target: &Target) -> Vec<(String, Vec<u8>)> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("regressions").join(target.name);
    let mut all: Vec<(String, Vec<u8>)> = fs::read_dir(&dir)
        .into_iter()
        .flatten()
        .map(|entry| {
            let path = entry.unwrap_or_else(|why| panic!("{}: {why}", dir.display())).path();
            let bytes = fs::read(&path).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
            (path.file_name().unwrap_or_default().to_string_lossy().into_owned(), bytes)
        })
        .collect();
    all.sort();
    all
}

fn number(variable: &str) -> Option<u64> {
    let text = env::var(variable).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{variable} is `{text}`, expected a number")))
}

fn run(target: &Target, input: &[u8], what: &str) {
    if let Err(cause) = catch_unwind(AssertUnwindSafe(|| (target.body)(input))) {
        let cause = cause.downcast_ref::<String>().map(String::as_str);
        let cause = cause.unwrap_or("a panic, which is told above");
        let octal: String = input.iter().map(|byte| format!("\\{byte:03o}")).collect();
        panic!(
            "fuzz target `{}`, {what}: {cause}\nthe input: {}\nto keep it: printf '{octal}' > tests/fuzz/regressions/{0}/NAME",
            target.name,
            input.escape_ascii(),
        );
    }
}
