//! The program `skills`; see the library for what it does.

#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(helix_skills_cli::program::run() as u8)
}
