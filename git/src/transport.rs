//! What the protocol is spoken over.

use gix::protocol::transport::client::blocking_io;

/// What gix's protocol code talks to.
pub(super) type Transport = Box<dyn blocking_io::Transport + Send>;
