//! A server with one client, which started it.

use crate::{SkillServer, Skills};
use rmcp::{ServiceExt, transport::stdio_pipes};
use std::error::Error;

/// Serves skills on stdin and stdout until the client closes the connection.
///
/// [Warnings](Skills::warnings) about single skills are logged with [`tracing`]. Nothing else may
/// print to stdout.
///
/// # Errors
/// If the client does not initialize the connection, or it breaks.
pub async fn serve_stdio(skills: impl Into<Skills>) -> Result<(), Box<dyn Error>> {
    let skills = skills.into();
    for warning in skills.warnings() {
        tracing::warn!("{warning}");
    }
    SkillServer::new(skills).serve(stdio_pipes()).await?.waiting().await?;
    Ok(())
}
