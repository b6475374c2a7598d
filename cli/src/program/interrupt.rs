//! Ctrl-C and its relatives.

use helix_skills_project::{Cancellation, Exit};
use std::{process, sync::OnceLock};

/// What the signals of this process ask to stop. From the first call on they no longer end the process at once: the first
/// one asks the work to stop, which leaves nothing half-written; the second one ends the process.
pub(super) fn cancellation() -> Cancellation {
    static ASKED: OnceLock<Cancellation> = OnceLock::new();
    let asked = ASKED.get_or_init(|| {
        let cancellation = Cancellation::new();
        let asked = cancellation.clone();
        let handler = move || {
            if asked.is_cancelled() {
                process::exit(Exit::Interrupted as i32);
            }
            asked.cancel();
        };
        // Where no handler can be set, signals do what they always did; what they leave behind the next sync repairs.
        let _ = ctrlc::set_handler(handler);
        cancellation
    });
    asked.clone()
}
