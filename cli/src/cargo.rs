//! The program `skills` as cargo starts it for `cargo skills`.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(helix_skills_cli::program::run_for_cargo() as u8)
}
