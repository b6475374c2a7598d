//! What the benches share: made-up skills, times of alternated runs, and times of child processes.
#![allow(clippy::print_stdout)]

mod children;
mod compare;
mod skills;

pub use children::{run, user_seconds_of_children};
pub use compare::{Sample, compare, median};
pub use skills::{Dice, Skill, Vocabulary};
