//! The program `skills-mcp`: serves the locked skills of a project.

#![forbid(unsafe_code)]

mod http;

use clap::Parser;
use helix_skills_agent::AsyncToolbox;
use helix_skills_mcp::{SkillServer, Skills, rmcp::model::Implementation};
use helix_skills_project::{Error as ProjectError, ErrorKind, Project};
use helix_skills_runtime::Skill;
use std::{
    env,
    error::Error,
    io::{self, Write as _},
    net::SocketAddr,
    path::PathBuf,
    process::ExitCode,
};

/// Serve the locked skills of a project over MCP, on stdin and stdout or over HTTP.
///
/// Every file is verified against helix.skills.lock first. Clients get the skills as tools, as
/// prompts, and with the skills extension of MCP.
#[derive(Parser)]
#[command(name = "skills-mcp", version, max_term_width = 100)]
#[command(after_long_help = include_str!("help.txt"))]
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
            // The exit codes are those of `skills`.
            let (text, kind) = match error.downcast::<ProjectError>() {
                // This one prints its causes and its hint.
                Ok(error) => (format!("error: {error:?}"), error.kind()),
                Err(error) if error.is::<io::Error>() => {
                    (format!("error: {error}"), ErrorKind::Disk)
                }
                Err(error) => (format!("error: {error}"), ErrorKind::Usage),
            };
            log(&text);
            ExitCode::from(kind as u8)
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
        Some(address) => http::serve(server, address).await,
        None => server.serve_stdio().await,
    }
}

/// Reads the locked skills and verifies all of their files.
fn read(project: Option<PathBuf>) -> Result<Vec<Skill>, ProjectError> {
    let start = match project {
        Some(start) => start,
        None => env::current_dir().map_err(ProjectError::read("."))?,
    };
    let project = Project::find(start)?;
    project.read_skills(&project.require_lock()?, |_| true)
}

/// Prints a line to stderr; stdout belongs to the protocol. Commands name `skills` as the user
/// called it: `cargo skills` sets the variable.
fn log(line: &str) {
    let is_cargo = env::var_os("HELIX_SKILLS_TYPED").is_some_and(|typed| typed == "cargo skills");
    let line = if is_cargo { line.replace("`skills ", "`cargo skills ") } else { line.to_owned() };
    // A closed stderr is ignored.
    let _ = writeln!(io::stderr(), "{line}");
}
