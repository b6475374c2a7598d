//! `cargo skills`: runs the program `skills` in the same directory.
//!
//! Because cargo looks for a program of this name, it has to exist. It only starts the other one,
//! which keeps it at 0.4 MB instead of 13 MB.

#![forbid(unsafe_code)]

use std::{
    env,
    ffi::OsString,
    io::{self, Write as _},
    path::PathBuf,
    process::{Command, ExitCode},
};

/// Environment variable with the command that the user typed; `program::run` reads it.
const TYPED_NAME: &str = "HELIX_SKILLS_TYPED";

fn main() -> ExitCode {
    let mut arguments: Vec<OsString> = env::args_os().skip(1).collect();
    // Cargo passes its subcommand as the first argument.
    if arguments.first().is_some_and(|word| word == "skills") {
        arguments.remove(0);
    }
    let mut command = Command::new(program());
    command.args(arguments).env(TYPED_NAME, "cargo skills");
    let (why, code) = run(command);
    // A closed stderr is ignored: the exit code remains.
    let _ = writeln!(
        io::stderr(),
        "error: failed to start the program `skills`: {why}\n  help: install it with `cargo install helix-skills-cli`"
    );
    ExitCode::from(code)
}

/// Returns the program in the directory of this one, else its name, to be found in `PATH`.
fn program() -> PathBuf {
    let name = format!("skills{}", env::consts::EXE_SUFFIX);
    let neighbor = env::current_exe()
        .ok()
        .map(|this| this.with_file_name(&name))
        .filter(|path| path.is_file());
    neighbor.unwrap_or_else(|| name.into())
}

/// Replaces this process with the program. Returns only on failure, with an exit code.
#[cfg(unix)]
fn run(mut command: Command) -> (io::Error, u8) {
    use std::os::unix::process::CommandExt as _;
    (command.exec(), 2)
}

/// Runs the program and exits with its exit code. Returns only on failure, with an exit code.
#[cfg(not(unix))]
fn run(mut command: Command) -> (io::Error, u8) {
    match command.status() {
        Ok(status) => std::process::exit(status.code().unwrap_or(1)),
        Err(why) => (why, 2),
    }
}
