//! Starting programs. They are found in absolute directories of `PATH` only, and find others there.

use crate::metadata::is_executable;
use helix_skills_format::__internal::{absolute_path, find_program};
use std::{
    env,
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// Returns the command that runs a program: a name, or a path.
#[must_use]
#[expect(clippy::disallowed_methods, reason = "the only place, with a path that was found")]
pub fn command(program: &OsStr) -> Command {
    let path = env::var_os("PATH").unwrap_or_default();
    let mut command = Command::new(find(program, &path).unwrap_or_else(|missing| missing));
    command.env("PATH", absolute_path(&path));
    command
}

/// Finds a program as [`find_program`] does.
pub(crate) fn find(program: &OsStr, path: &OsStr) -> Result<PathBuf, PathBuf> {
    let extensions = env::var_os("PATHEXT").filter(|_| cfg!(windows)).unwrap_or_default();
    let is_program = |file: &Path| {
        fs::metadata(file)
            .is_ok_and(|found| found.is_file() && (!cfg!(unix) || is_executable(&found)))
    };
    find_program(Path::new(program), path, &extensions, is_program)
}
