//! A pseudo terminal.

use super::running::Connected;
use rustix::{
    pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt},
    termios::{Winsize, tcsetwinsize},
};
use std::{
    fs::File,
    io,
    os::unix::ffi::OsStrExt as _,
    process::{Command, Stdio},
};

/// Starts a program whose input and outputs are a terminal of this width.
pub(super) fn spawn(command: &mut Command, columns: u16) -> io::Result<Connected> {
    let screen = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY)?;
    grantpt(&screen)?;
    unlockpt(&screen)?;
    let name = ptsname(&screen, Vec::new())?;
    let path = std::ffi::OsStr::from_bytes(name.to_bytes());
    let terminal = File::options().read(true).write(true).open(path)?;
    tcsetwinsize(&terminal, Winsize { ws_row: 50, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 })?;
    let screen = File::from(screen);
    let keyboard = screen.try_clone()?;
    let child = command
        .stdin(Stdio::from(terminal.try_clone()?))
        .stdout(Stdio::from(terminal.try_clone()?))
        .stderr(Stdio::from(terminal))
        .spawn()?;
    Ok(Connected {
        child,
        input: Box::new(keyboard),
        is_terminal: true,
        output: [Box::new(screen), Box::new(io::empty())],
    })
}
