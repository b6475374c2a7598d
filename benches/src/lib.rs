//! What the benches share: made-up skills, and times taken in turns.
#![allow(clippy::print_stdout)]

mod compare;
mod skills;

pub use compare::{Sample, compare, median};
pub use skills::{Dice, Skill, Vocabulary};
