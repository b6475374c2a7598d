//! Starting another program instead of this one.

use std::{env, io, path::PathBuf, process::Command};

/// Returns the program `name` in the directory of this one, else its name, to be found in `PATH`.
pub(crate) fn program(name: &str) -> PathBuf {
    let name = format!("{name}{}", env::consts::EXE_SUFFIX);
    let neighbor = env::current_exe()
        .ok()
        .map(|this| this.with_file_name(&name))
        .filter(|path| path.is_file());
    neighbor.unwrap_or_else(|| name.into())
}

/// Replaces this process with the program. Returns only on failure.
#[cfg(unix)]
pub(crate) fn replace(mut command: Command) -> io::Error {
    use std::os::unix::process::CommandExt as _;
    command.exec()
}

/// Runs the program and exits with its exit code. Returns only on failure.
#[cfg(not(unix))]
pub(crate) fn replace(mut command: Command) -> io::Error {
    match command.status() {
        Ok(status) => std::process::exit(status.code().unwrap_or(1)),
        Err(why) => why,
    }
}
