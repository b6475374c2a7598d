//! The program `skills-mcp`: serves the locked skills of a project.

#![forbid(unsafe_code)]

use clap::Parser;
use helix_skills_agent::AsyncToolbox;
use helix_skills_mcp::{
    SkillServer, Skills,
    rmcp::{
        model::Implementation,
        transport::{
            StreamableHttpServerConfig, StreamableHttpService,
            streamable_http_server::session::local::LocalSessionManager,
        },
    },
};
use helix_skills_project::{Error as ProjectError, Project};
use helix_skills_runtime::Skill;
use std::{
    error::Error,
    io::{self, Write as _},
    net::SocketAddr,
    path::PathBuf,
    process::ExitCode,
    sync::Arc,
};

/// Serve the locked skills of a project over MCP, on stdin and stdout or over HTTP.
///
/// Every file is verified against helix.skills.lock first. Clients get the skills as tools, as
/// prompts, and with the skills extension of MCP.
#[derive(Parser)]
#[command(name = "skills-mcp", version, max_term_width = 100)]
#[command(after_long_help = include_str!("skills-mcp.txt"))]
struct Cli {
    /// Directory of the project [default: this one, or the nearest parent with a manifest]
    #[arg(long, value_name = "DIR")]
    project: Option<PathBuf>,
    /// Serve over streamable HTTP at this loopback address, such as 127.0.0.1:8000
    #[arg(long, value_name = "ADDRESS:PORT", value_parser = loopback)]
    http: Option<SocketAddr>,
}

/// Parses an address that only this machine reaches.
fn loopback(text: &str) -> Result<SocketAddr, String> {
    let address: SocketAddr =
        text.parse().map_err(|_| "expected an address and a port: 127.0.0.1:8000".to_owned())?;
    if address.ip().is_loopback() {
        return Ok(address);
    }
    Err("only this machine may connect, because there is no authentication: \
         use 127.0.0.1, behind a proxy that checks who connects"
        .to_owned())
}

#[tokio::main]
async fn main() -> ExitCode {
    let cli = Cli::parse();
    match run(cli).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            log(&match error.downcast::<ProjectError>() {
                // This one prints its causes and its hint.
                Ok(error) => format!("error: {error:?}"),
                Err(error) => format!("error: {error}"),
            });
            ExitCode::FAILURE
        }
    }
}

async fn run(cli: Cli) -> Result<(), Box<dyn Error>> {
    let skills = Skills::new(AsyncToolbox::builder(read(cli.project)?)).await?;
    for warning in skills.warnings() {
        log(&format!("warning: {warning}"));
    }
    let name = Implementation::new("skills-mcp", env!("CARGO_PKG_VERSION"));
    let server = SkillServer::new(skills).named(name);
    match cli.http {
        Some(address) => serve_http(server, address).await,
        None => server.serve_stdio().await,
    }
}

/// Reads the locked skills and verifies all of their files.
fn read(project: Option<PathBuf>) -> Result<Vec<Skill>, ProjectError> {
    let start = match project {
        Some(start) => start,
        None => std::env::current_dir().map_err(ProjectError::read("."))?,
    };
    let project = Project::find(start)?;
    project.read_skills(&project.require_lock()?, |_| true)
}

/// Serves until the program is interrupted.
async fn serve_http(server: SkillServer, address: SocketAddr) -> Result<(), Box<dyn Error>> {
    let config = StreamableHttpServerConfig::default()
        // The skills never change, so a request needs no session and no stream.
        .with_legacy_session_mode(false)
        .with_json_response(true)
        // Pages of this machine may connect, as the inspector's does; no page of another site may,
        // nor a name of another site that leads here. These are the names of `allowed_hosts`.
        .with_allowed_origins(["http://localhost:*", "http://127.0.0.1:*", "http://[::1]:*"])
        .enforce_origin_validation();
    let service = StreamableHttpService::new(
        move || Ok(server.clone()),
        Arc::new(LocalSessionManager::default()),
        config,
    );
    let listener = tokio::net::TcpListener::bind(address)
        .await
        .map_err(|error| format!("cannot listen on {address}: {error}"))?;
    log(&format!("listening on http://{}/mcp", listener.local_addr()?));
    let interrupted = async {
        // Without a handler, the signal ends the program.
        let _ = tokio::signal::ctrl_c().await;
    };
    tokio::select! {
        served = axum::serve(listener, axum::Router::new().nest_service("/mcp", service)) => served?,
        () = interrupted => {}
    }
    Ok(())
}

/// Prints a line to stderr; stdout belongs to the protocol.
fn log(line: &str) {
    // A closed stderr is ignored.
    let _ = writeln!(io::stderr(), "{line}");
}
