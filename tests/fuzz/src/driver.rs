//! The driver for stable Rust, which runs the same inputs every time.

use crate::{Target, mutation};
use fastrand::Rng;
use std::{
    env, fs,
    panic::{AssertUnwindSafe, catch_unwind},
    path::Path,
};

/// Runs a target with its regressions, then its seeds, then mutated seeds.
///
/// `HELIX_FUZZ_COUNT` sets the number of mutated seeds (default: the target's own), and
/// `HELIX_FUZZ_SEED` the random seed (default: 1). Returns the number of executions.
///
/// # Panics
/// If the target does. The message has the target, seed, turn and input, and ends with a command
/// that saves the input.
pub fn drive(target: &Target) -> u64 {
    let count = number("HELIX_FUZZ_COUNT").unwrap_or(target.count);
    let seed = number("HELIX_FUZZ_SEED").unwrap_or(1);
    let kept = regressions(target);
    for (name, input) in &kept {
        run(target, input, &format!("the regression `{name}`"));
    }
    let seeds = (target.seeds)();
    for (at, input) in seeds.iter().enumerate() {
        run(target, input, &format!("seed input {at}"));
    }
    for turn in 0..count {
        // Each turn has its own generator, so that it can be repeated alone.
        let mut rng = Rng::with_seed(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(turn));
        let input = mutation::input(target, &seeds, &mut rng);
        run(target, &input, &format!("HELIX_FUZZ_SEED={seed}, turn {turn}"));
    }
    (kept.len() + seeds.len()) as u64 + count
}

/// Returns the inputs that failed once, with their file names.
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
        let cause = cause.unwrap_or("a panic, printed above");
        let octal: String = input.iter().map(|byte| format!("\\{byte:03o}")).collect();
        panic!(
            "fuzz target `{}`, {what}: {cause}\nthe input: {}\nto save it: printf '{octal}' > tests/fuzz/regressions/{0}/NAME",
            target.name,
            input.escape_ascii(),
        );
    }
}
