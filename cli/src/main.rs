//! The program `skills`: arguments, printing and progress. The operations on a project are in
//! `helix-skills-project`.

#![forbid(unsafe_code)]

mod program;
mod start;

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(program::run())
}
