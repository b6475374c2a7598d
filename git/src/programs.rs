//! Starting programs. They are found in absolute directories of `PATH` only, and find others there.

use std::env;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;

use helix_skills_format::__internal::{absolute_path, find_program};

/// Returns the command that runs a program: a name, or a path.
#[expect(clippy::disallowed_methods, reason = "the only place, with a path that was found")]
pub(super) fn command(program: &OsStr) -> Command {
    let extensions = env::var_os("PATHEXT").filter(|_| cfg!(windows)).unwrap_or_default();
    let found = find_program(Path::new(program), &search_path(), &extensions, Path::is_file);
    let mut command = Command::new(found.unwrap_or_else(|missing| missing));
    command.env("PATH", search_path());
    command
}

/// Returns a directory that is not in a project, to start programs in that read their directory.
pub(super) fn outside_of_projects() -> PathBuf {
    match cfg!(windows) {
        true => env::var_os("SystemRoot").map_or_else(env::temp_dir, PathBuf::from),
        false => PathBuf::from("/"),
    }
}

/// Returns the `PATH` of programs, without relative directories.
pub(super) fn search_path() -> OsString {
    absolute_path(&env::var_os("PATH").unwrap_or_default())
}
