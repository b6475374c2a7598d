//! Ctrl-C and other termination signals.

use super::output::Output;
use helix_skills_project::{Cancellation, ErrorKind};
use std::{
    process,
    sync::{
        Once,
        atomic::{AtomicBool, Ordering},
    },
};

static LISTENS: Once = Once::new();

/// Whether the program waits for a line of the user, and has nothing to clean up.
static WAITS: AtomicBool = AtomicBool::new(false);

/// Ends the process on the first signal while `read` waits, because a read of a terminal continues
/// after a signal.
pub(super) fn while_waiting<T>(read: impl FnOnce() -> T) -> T {
    WAITS.store(true, Ordering::Relaxed);
    let result = read();
    WAITS.store(false, Ordering::Relaxed);
    result
}

/// Ignores signals while a pager shows the output.
pub(super) fn ignore() {
    // Without a handler, Ctrl-C ends the program before its pager.
    LISTENS.call_once(|| drop(ctrlc::set_handler(|| {})));
}

/// Cancels `cancellation` on a signal, so that the work stops without half-written files. A second
/// signal ends the process.
pub(super) fn listen(cancellation: &Cancellation) {
    LISTENS.call_once(|| {
        let cancellation = cancellation.clone();
        let handler = move || {
            let waits = WAITS.load(Ordering::Relaxed);
            if waits {
                Output::print_stderr("");
                Output::print_stderr("error: interrupted");
            }
            if waits || cancellation.is_cancelled() {
                process::exit(ErrorKind::Interrupted as i32);
            }
            cancellation.cancel();
        };
        // Without a handler, a signal ends the process at once, and the next sync cleans up.
        let _ = ctrlc::set_handler(handler);
    });
}
