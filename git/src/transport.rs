//! The transport type of the protocol code.

use gix::protocol::transport::client::blocking_io;

/// The transport that gix's protocol code uses.
pub(super) type Transport = Box<dyn blocking_io::Transport + Send>;
