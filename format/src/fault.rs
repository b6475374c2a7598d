//! Points at which tests can kill the program or let a change to the disk fail.
//!
//! In debug builds
//!
//! - `HELIX_SKILLS_CRASH_AT=N` aborts before the Nth change;
//! - `HELIX_SKILLS_FAIL_AT=N:CODE` lets the Nth change fail with this error code of the operating
//!   system, and `HELIX_SKILLS_FAIL_AT=N..:CODE` this and all later ones, as on a full disk.
//!
//! Other values are ignored. Release builds ignore both variables. The crates that write files have
//! this one in common.

use std::{
    env, io, process,
    sync::{
        LazyLock,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
};

/// Kills the program or fails, if the environment says so. Called before every change to the disk.
///
/// # Errors
/// The environment says that this change fails.
pub fn point() -> io::Result<()> {
    static CRASH_AT: LazyLock<Option<u64>> =
        LazyLock::new(|| env::var("HELIX_SKILLS_CRASH_AT").ok()?.parse().ok());
    static FAIL_AT: LazyLock<Option<Fault>> =
        LazyLock::new(|| Fault::parse(&env::var("HELIX_SKILLS_FAIL_AT").ok()?));
    static SEEN: AtomicU64 = AtomicU64::new(0);
    if !cfg!(debug_assertions) || CRASH_AT.is_none() && FAIL_AT.is_none() {
        return Ok(());
    }
    let number = SEEN.fetch_add(1, Relaxed) + 1;
    if *CRASH_AT == Some(number) {
        process::abort();
    }
    match &*FAIL_AT {
        Some(fault) if fault.is_at(number) => Err(io::Error::from_raw_os_error(fault.code)),
        _ => Ok(()),
    }
}

/// The changes that fail.
struct Fault {
    from: u64,
    is_permanent: bool,
    code: i32,
}

impl Fault {
    fn parse(text: &str) -> Option<Self> {
        let (at, code) = text.split_once(':')?;
        let from = at.strip_suffix("..").unwrap_or(at);
        Some(Self { from: from.parse().ok()?, is_permanent: from != at, code: code.parse().ok()? })
    }

    fn is_at(&self, number: u64) -> bool {
        number == self.from || self.is_permanent && number > self.from
    }
}
