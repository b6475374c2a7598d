//! Who decides whether a command runs.

use super::LiveCommand;
use helix_skills_agent::Pending;
use std::fmt;

/// Whether something that a skill asks for may be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Approval {
    /// It may.
    Allow,
    /// It may not, for this reason, which the model is told.
    Deny(String),
}

/// Asks the host.
pub(super) struct Approve(pub(super) Box<Ask>);

type Ask = dyn for<'c> Fn(&'c LiveCommand) -> Pending<'c, Approval> + Send + Sync;

impl fmt::Debug for Approve {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Approve")
    }
}
