//! A server with one client, which started it.

use crate::{SkillServer, Skills, bounded::Bounded};
use rmcp::{
    ServerHandler, ServiceExt,
    service::ServerInitializeError,
    transport::{async_rw::AsyncRwTransport, stdio_pipes},
};
use std::error::Error;

/// Serves skills on stdin and stdout until the client closes the connection:
/// [`SkillServer::serve_stdio`] for skills and nothing else.
///
/// # Errors
/// If the client does not initialize the connection as the protocol says.
pub async fn serve_stdio(skills: impl Into<Skills>) -> Result<(), Box<dyn Error>> {
    SkillServer::new(skills).serve_stdio().await
}

impl<S: ServerHandler> SkillServer<S> {
    /// Serves on stdin and stdout until the client closes the connection.
    ///
    /// Nothing else may print to stdout. [Warnings](Skills::warnings) about single skills are
    /// logged with [`tracing`]. If a client does not read its answers, no further request is read
    /// while 8 MiB of them wait. Answers to requests that were read before are not limited.
    ///
    /// # Errors
    /// If the client does not initialize the connection as the protocol says.
    pub async fn serve_stdio(self) -> Result<(), Box<dyn Error>> {
        for warning in self.skills().warnings() {
            tracing::warn!("{warning}");
        }
        let (input, output) = stdio_pipes();
        match self.serve(Bounded::new(AsyncRwTransport::new(input, output))).await {
            Ok(running) => running.waiting().await.map(drop).map_err(Into::into),
            // A client that looks for the program may start it and leave.
            Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }
}
