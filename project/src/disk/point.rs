//! Where a test can end the program, or let the disk fail.
//!
//! In debug builds
//!
//! - `HELIX_SKILLS_CRASH_AT=N` aborts before the Nth change of the disk;
//! - `HELIX_SKILLS_FAIL_AT=N:CODE` lets the Nth change fail with this error of the operating system, and
//!   `HELIX_SKILLS_FAIL_AT=N..:CODE` that and all that follow, as on a disk that stays full.
//!
//! What is no number there fails nothing. In other builds none of this is there.

use std::io;

/// Stands before every single change of the disk.
#[cfg(debug_assertions)]
pub(super) fn point() -> io::Result<()> {
    use std::sync::{
        LazyLock,
        atomic::{AtomicU64, Ordering::Relaxed},
    };
    static CRASH_AT: LazyLock<Option<u64>> =
        LazyLock::new(|| std::env::var("HELIX_SKILLS_CRASH_AT").ok()?.parse().ok());
    static FAIL_AT: LazyLock<Option<Fault>> =
        LazyLock::new(|| Fault::parse(&std::env::var("HELIX_SKILLS_FAIL_AT").ok()?));
    static SEEN: AtomicU64 = AtomicU64::new(0);
    if CRASH_AT.is_none() && FAIL_AT.is_none() {
        return Ok(());
    }
    let number = SEEN.fetch_add(1, Relaxed) + 1;
    if *CRASH_AT == Some(number) {
        std::process::abort();
    }
    match &*FAIL_AT {
        Some(fault) if fault.is_at(number) => Err(io::Error::from_raw_os_error(fault.code)),
        _ => Ok(()),
    }
}

#[cfg(not(debug_assertions))]
#[expect(clippy::unnecessary_wraps, reason = "in debug builds it may fail")]
pub(super) fn point() -> io::Result<()> {
    Ok(())
}

/// Changes that fail.
#[cfg(debug_assertions)]
struct Fault {
    from: u64,
    stays: bool,
    code: i32,
}

#[cfg(debug_assertions)]
impl Fault {
    fn parse(text: &str) -> Option<Self> {
        let (at, code) = text.split_once(':')?;
        let from = at.strip_suffix("..").unwrap_or(at);
        Some(Self { from: from.parse().ok()?, stays: from != at, code: code.parse().ok()? })
    }

    fn is_at(&self, number: u64) -> bool {
        number == self.from || self.stays && number > self.from
    }
}
