//! `cargo skills`: runs the program `skills` in the same directory.
//!
//! Because cargo looks for a program of this name, it has to exist. It only starts the other one,
//! which keeps it at 0.4 MB instead of 13 MB.

#![forbid(unsafe_code)]

mod start;

use helix_skills_project::__internal::command;
use std::{
    env,
    ffi::OsString,
    io::{self, Write as _},
    process::ExitCode,
};

/// Environment variable with the command that the user typed; `program::run` reads it.
const TYPED_NAME: &str = "HELIX_SKILLS_TYPED";

fn main() -> ExitCode {
    let mut arguments: Vec<OsString> = env::args_os().skip(1).collect();
    // Cargo passes its subcommand as the first argument.
    if arguments.first().is_some_and(|word| word == "skills") {
        arguments.remove(0);
    }
    // Another program in `PATH` may have the same name.
    let why = match start::neighbor("skills") {
        None => io::Error::other("it is not in the directory of `cargo-skills`"),
        Some(program) => {
            let mut command = command(program.as_os_str());
            command.args(arguments).env(TYPED_NAME, "cargo skills");
            start::replace(command)
        }
    };
    // A closed stderr is ignored: the exit code remains.
    let _ = writeln!(
        io::stderr(),
        "error: failed to start the program `skills`: {why}\n  help: install it with `cargo install helix-skills-cli`"
    );
    ExitCode::from(2)
}
