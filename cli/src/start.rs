//! Starting another program instead of this one.

use std::{env, io, path::PathBuf, process::Command};

/// Returns the program `name` in the directory of this one, if it is there.
pub(crate) fn neighbor(name: &str) -> Option<PathBuf> {
    let name = format!("{name}{}", env::consts::EXE_SUFFIX);
    let path = env::current_exe().ok()?.with_file_name(name);
    path.is_file().then_some(path)
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
