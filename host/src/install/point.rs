//! Points at which tests can kill the program or let a change to the disk fail.
//!
//! In debug builds, `HELIX_SKILLS_CRASH_AT=N` aborts before the Nth change, and
//! `HELIX_SKILLS_FAIL_AT=N:CODE` lets it fail with this error code of the operating system, like
//! in `helix-skills-project`. Release builds ignore both variables.

use std::io;

/// Called before every change to the disk.
#[cfg(debug_assertions)]
pub(super) fn point() -> io::Result<()> {
    use std::sync::{
        LazyLock,
        atomic::{AtomicU64, Ordering::Relaxed},
    };
    static CRASH_AT: LazyLock<Option<u64>> =
        LazyLock::new(|| std::env::var("HELIX_SKILLS_CRASH_AT").ok()?.parse().ok());
    static FAIL_AT: LazyLock<Option<(u64, i32)>> = LazyLock::new(|| {
        let text = std::env::var("HELIX_SKILLS_FAIL_AT").ok()?;
        let (number, code) = text.split_once(':')?;
        Some((number.parse().ok()?, code.parse().ok()?))
    });
    static SEEN: AtomicU64 = AtomicU64::new(0);
    let number = SEEN.fetch_add(1, Relaxed) + 1;
    if *CRASH_AT == Some(number) {
        std::process::abort();
    }
    match *FAIL_AT {
        Some((at, code)) if at == number => Err(io::Error::from_raw_os_error(code)),
        _ => Ok(()),
    }
}

#[cfg(not(debug_assertions))]
#[expect(clippy::unnecessary_wraps, reason = "in debug builds it may fail")]
pub(super) fn point() -> io::Result<()> {
    Ok(())
}
