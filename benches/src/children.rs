//! Child processes and their user time. Linux only.

use std::{error::Error, fs, process::Command};

/// Runs a command and returns its standard error.
///
/// # Errors
/// If the command fails; the error is its standard error.
pub fn run(command: &mut Command) -> Result<String, Box<dyn Error>> {
    let output = command.output()?;
    let messages = String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.success() { Ok(messages) } else { Err(messages.into()) }
}

/// Returns the user time in seconds of all children that have ended: the 16th field of
/// `/proc/self/stat`, in hundredths of a second.
///
/// # Errors
/// If the system does not have this file.
pub fn user_seconds_of_children() -> Result<f64, Box<dyn Error>> {
    let stat = fs::read_to_string("/proc/self/stat")?;
    // The second field, a name in parentheses, may contain blanks.
    let (_, fields) = stat.rsplit_once(") ").ok_or("`/proc/self/stat` has no name")?;
    let ticks: f64 = fields.split(' ').nth(13).ok_or("`/proc/self/stat` is too short")?.parse()?;
    Ok(ticks / 100.0)
}
