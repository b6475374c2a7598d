//! Approval of commands by the host.

use super::LiveCommand;
use crate::BoxFuture;
use alloc::{string::String, sync::Arc};
use core::fmt;

/// The host's decision on whether a command or script may run.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Approval {
    /// It may run.
    Allow,
    /// It may not run, for this reason, which the model reads.
    Deny(String),
}

/// The host's function that approves commands.
#[derive(Clone)]
pub(super) struct Approver(pub(super) Arc<ApproveFn>);

pub(super) type ApproveFn =
    dyn for<'c> Fn(&'c LiveCommand) -> BoxFuture<'c, Approval> + Send + Sync;

impl fmt::Debug for Approver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Approver")
    }
}
