//! Ctrl-C and other termination signals.

use helix_skills_project::{Cancellation, ErrorKind};
use std::process;

/// Cancels `cancellation` on a signal, so that the work stops without half-written files. A second
/// signal ends the process.
pub(super) fn listen(cancellation: &Cancellation) {
    let cancellation = cancellation.clone();
    let handler = move || {
        if cancellation.is_cancelled() {
            process::exit(ErrorKind::Interrupted as i32);
        }
        cancellation.cancel();
    };
    // Without a handler, a signal ends the process at once, and the next sync cleans up. A second
    // call has no effect.
    let _ = ctrlc::set_handler(handler);
}
