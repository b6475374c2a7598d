//! Ctrl-C and other signals that end a process.

use helix_skills_project::{Cancellation, ExitCode};
use std::{process, sync::Once};

/// Makes signals interrupt the work that holds `cancellation`, which leaves nothing half-written. A
/// second signal ends the process.
pub(super) fn listen(cancellation: &Cancellation) {
    static LISTENS: Once = Once::new();
    LISTENS.call_once(|| {
        let cancellation = cancellation.clone();
        let handler = move || {
            if cancellation.is_cancelled() {
                process::exit(ExitCode::Interrupted as i32);
            }
            cancellation.cancel();
        };
        // Without a handler a signal ends the process at once; the next sync repairs what that leaves.
        let _ = ctrlc::set_handler(handler);
    });
}
