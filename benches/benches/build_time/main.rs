//! Build times of embedded skills, compared with `include_dir!` and `rust-embed` on the same files.
//!
//! ```console
//! # Generated skills, 16 MB in 900 files
//! $ cargo bench --manifest-path benches/Cargo.toml --bench build_time
//! # The skills of a directory
//! $ cargo bench --manifest-path benches/Cargo.toml --bench build_time -- DIRECTORY
//! ```
//!
//! The agents are packages of one workspace, and each embeds the files in its own way. A row is the
//! median of rounds in which the agents take turns: the user seconds of `cargo build` for the agent
//! alone, with its dependencies already built, and after a change of its only source file. Linux
//! only, where the system reports the time that children took.
#![allow(clippy::print_stdout)]

mod agent;
mod corpus;
mod workspace;

use agent::Agent;
use std::{env, error::Error, path::Path};
use workspace::Workspace;

const ROUNDS: usize = 5;

/// An argument that makes this program lock the skills of the package in `CARGO_MANIFEST_DIR`.
const LOCK: &str = "--lock-skills";

fn main() -> Result<(), Box<dyn Error>> {
    // cargo passes `--bench`.
    let arguments: Vec<String> =
        env::args().skip(1).filter(|argument| argument != "--bench").collect();
    if arguments.first().is_some_and(|argument| argument == LOCK) {
        return Ok(helix_skills_project::build::sync()?);
    }
    let temporary = tempfile::tempdir()?;
    let skills = temporary.path().join("skills");
    match arguments.first() {
        Some(directory) => corpus::copy(Path::new(directory), &skills)?,
        None => corpus::generate(&skills)?,
    }
    let (files, bytes) = corpus::size(&skills)?;
    println!("{files} files, {bytes} bytes");
    for is_hash_optimized in [false, true] {
        let title = if is_hash_optimized {
            "`hmac-sha256` optimized (`opt-level = 3`)"
        } else {
            "default profiles of cargo"
        };
        println!("\n{title}");
        let workspace = Workspace::new(temporary.path(), &skills, is_hash_optimized)?;
        for is_release in [false, true] {
            table(&workspace, is_release)?;
        }
    }
    Ok(())
}

/// Prints a row for each agent.
fn table(workspace: &Workspace, is_release: bool) -> Result<(), Box<dyn Error>> {
    let mut rebuilds = Agent::ALL.map(|_| Vec::new());
    let mut firsts = Agent::ALL.map(|_| Vec::new());
    let mut again = Agent::ALL.map(|_| Vec::new());
    for agent in Agent::ALL {
        workspace.build(agent, is_release)?;
    }
    for _ in 0..ROUNDS {
        for (at, agent) in Agent::ALL.into_iter().enumerate() {
            workspace.clean(agent, is_release)?;
            firsts[at].push(workspace.build(agent, is_release)?.user_seconds);
            workspace.touch(agent)?;
            rebuilds[at].push(workspace.build(agent, is_release)?.user_seconds);
            let nothing = workspace.build(agent, is_release)?;
            if nothing.compiled {
                return Err(format!("{} is built again without a change", agent.title()).into());
            }
            again[at].push(nothing.user_seconds);
        }
    }
    for (at, agent) in Agent::ALL.into_iter().enumerate() {
        let profile = if is_release { "release" } else { "dev" };
        let [first, rebuild, again] =
            [&mut firsts[at], &mut rebuilds[at], &mut again[at]].map(|times| median(times));
        let size = workspace.size(agent, is_release)?;
        println!(
            "{profile}: {}: {first:.2} s without dependencies, {rebuild:.2} s after a change, {again:.2} s without a change, {size} bytes",
            agent.title()
        );
    }
    Ok(())
}

fn median(seconds: &mut [f64]) -> f64 {
    seconds.sort_by(f64::total_cmp);
    seconds[seconds.len() / 2]
}
