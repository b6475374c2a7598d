//! Shared parts of the benches: generated skills, comparisons of times, and times of child
//! processes.
#![allow(clippy::print_stdout)]

mod children;
mod compare;
mod skills;
mod sorted;

pub use children::{run, user_seconds_of_children};
pub use compare::{Sample, compare, median};
pub use skills::{Dice, Skill, Vocabulary};
pub use sorted::sorted;
