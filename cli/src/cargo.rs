//! `cargo skills`: hands over to the program `skills` beside it, so that it is installed, and linked, only once.

#![forbid(unsafe_code)]

use std::{
    env,
    ffi::OsString,
    io::{self, Write as _},
    path::PathBuf,
    process::{Command, ExitCode},
};

/// Tells `skills` what was typed; see `program::run`.
const TYPED: &str = "HELIX_SKILLS_TYPED";

fn main() -> ExitCode {
    let mut arguments: Vec<OsString> = env::args_os().skip(1).collect();
    // Cargo repeats the word that it took for this program.
    if arguments.first().is_some_and(|word| word == "skills") {
        arguments.remove(0);
    }
    let mut command = Command::new(program());
    command.args(arguments).env(TYPED, "cargo skills");
    let (why, code) = hand_over(command);
    // Where talk cannot be heard there is nobody to tell.
    let _ = writeln!(
        io::stderr(),
        "error: cannot start the program `skills`: {why}\n  help: install it beside this one with `cargo install helix-skills-cli`"
    );
    ExitCode::from(code)
}

/// The program beside this one, else that on the `PATH`.
fn program() -> PathBuf {
    let name = format!("skills{}", env::consts::EXE_SUFFIX);
    let beside = env::current_exe()
        .ok()
        .map(|this| this.with_file_name(&name))
        .filter(|path| path.is_file());
    beside.unwrap_or_else(|| name.into())
}

/// Becomes the program: signals, terminal and exit code are its own. Comes back only to say why not.
#[cfg(unix)]
fn hand_over(mut command: Command) -> (io::Error, u8) {
    use std::os::unix::process::CommandExt as _;
    (command.exec(), 2)
}

/// Runs the program and ends as it does. Comes back only to say why not.
#[cfg(not(unix))]
fn hand_over(mut command: Command) -> (io::Error, u8) {
    match command.status() {
        Ok(status) => std::process::exit(status.code().unwrap_or(1)),
        Err(why) => (why, 2),
    }
}
