//! Child processes and the user time that they take. Linux only.

use std::{error::Error, fs, process::Command};

/// Runs a command and returns what it wrote to standard error.
///
/// # Errors
/// What it wrote there, if it failed.
pub fn run(command: &mut Command) -> Result<String, Box<dyn Error>> {
    let output = command.output()?;
    let messages = String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.success() { Ok(messages) } else { Err(messages.into()) }
}

/// The user time in seconds of all children that have ended: the 16th field of `/proc/self/stat`,
/// in hundredths of a second.
///
/// # Errors
/// If the system has no such file.
pub fn user_seconds_of_children() -> Result<f64, Box<dyn Error>> {
    let stat = fs::read_to_string("/proc/self/stat")?;
    // The second field, a name in parentheses, may have blanks.
    let (_, fields) = stat.rsplit_once(") ").ok_or("`/proc/self/stat` has no name")?;
    let ticks: f64 = fields.split(' ').nth(13).ok_or("`/proc/self/stat` is too short")?.parse()?;
    Ok(ticks / 100.0)
}
