//! Skills over streamable HTTP, next to the routes of an axum router.

#![allow(clippy::print_stdout)]

use axum::{Router, routing::get};
use helix_skills_mcp::{SkillServer, rmcp};
use rmcp::transport::{
    StreamableHttpServerConfig, StreamableHttpService,
    streamable_http_server::session::local::LocalSessionManager,
};
use std::sync::Arc;
use tokio::net::TcpListener;

helix_skills::include_skills!(mod skills, "../examples/agent");

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let server = SkillServer::new(skills::TOOLBOX);
    // Only `localhost` may connect. A public server sets its own names and origins.
    let config = StreamableHttpServerConfig::default()
        .with_allowed_origins(["http://localhost:*"])
        .enforce_origin_validation();
    let sessions = Arc::new(LocalSessionManager::default());
    let mcp = StreamableHttpService::new(move || Ok(server.clone()), sessions, config);

    let app = Router::new().route("/", get(|| async { "hello" })).nest_service("/mcp", mcp);
    let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
    println!("http://{}", listener.local_addr()?);
    axum::serve(listener, app).await?;
    Ok(())
}
