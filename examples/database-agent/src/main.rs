//! An agent with skills from a database that changes at run time, and with embedded skills that no
//! row can replace.
//!
//! The database is a task that answers slowly, and finally not at all (`database.rs`);
//! `provider.rs` makes a provider of it. The calls of the model are a script; the program prints
//! `transcript.txt`.
#![expect(clippy::print_stdout, reason = "printing is what an example is for")]

mod database;
mod provider;

use database::{Database, Tables, Unavailable};
use helix_skills::{AsyncToolbox, Providers, Reply, SkillSet, include_skills};
use provider::SkillTable;
use std::{error::Error, sync::Arc};

/// Reviewed skills: those of the example `agent`.
static BAKED: SkillSet = include_skills!("../agent");

fn main() -> Result<(), Box<dyn Error>> {
    tokio::runtime::Builder::new_current_thread().enable_time().build()?.block_on(run())
}

async fn run() -> Result<(), Box<dyn Error>> {
    let database = Database::open(tables());
    // The first provider with a name serves it, so no row can replace a reviewed skill.
    let table = SkillTable(database.clone());
    let skills = Arc::new(Providers::new().with(BAKED).with_optional(table));

    title("a conversation begins");
    let toolbox = AsyncToolbox::builder(Arc::clone(&skills))
        .preload(&["house-style", "retired"])
        .build()
        .await?;
    toolbox.warnings().iter().for_each(|warning| println!("warning: {warning}"));
    println!("{}", toolbox.catalog());
    let tools: Vec<_> = toolbox.tools([])?.into_iter().map(|tool| tool.name).collect();
    println!("tools: {}\n", tools.join(", "));
    call(&toolbox, "load_skill", r#"{"name": "on-call"}"#).await;
    call(&toolbox, "read_skill_file", r#"{"skill": "on-call", "path": "references/rota.md"}"#)
        .await;

    title("the tables change");
    write(
        &database,
        "on-call",
        "---\ndescription: Finds who is on call.\n---\nAsk the pager: `pager who`.\n",
    )
    .await?;
    write(&database, "deploy", "---\ndescription: Deploys the service.\n---\nRun `make deploy`.\n")
        .await?;
    database.query(|tables| tables.skills.remove("house-style")).await?;
    call(&toolbox, "load_skill", r#"{"name": "on-call"}"#).await; // the new text
    call(&toolbox, "load_skill", r#"{"name": "deploy"}"#).await; // not in this catalog
    call(&toolbox, "load_skill", r#"{"name": "house-style"}"#).await; // removed

    title("the next conversation");
    let toolbox = AsyncToolbox::builder(Arc::clone(&skills)).build().await?;
    call(&toolbox, "load_skill", r#"{"name": "deploy"}"#).await;

    title("the database goes away");
    database.close().await;
    call(&toolbox, "load_skill", r#"{"name": "deploy"}"#).await;
    call(&toolbox, "load_skill", r#"{"name": "release-notes"}"#).await; // embedded

    title("a conversation without a database");
    let toolbox = AsyncToolbox::builder(skills).build().await?;
    toolbox.warnings().iter().for_each(|warning| println!("warning: {warning}"));
    println!("{}", toolbox.catalog());
    Ok(())
}

/// Prints a call of the model and its answer.
async fn call(toolbox: &AsyncToolbox<Arc<Providers<'_>>>, tool: &str, arguments: &str) {
    println!("> {tool} {arguments}\n");
    match toolbox.call(tool, arguments).await {
        Some(reply) if reply.is_error() => println!("error: {reply}\n"),
        Some(reply) => {
            println!("{reply}\n");
            forward(&reply);
        }
        None => println!("error: unknown tool `{tool}`\n"), // an agent calls its own tools here
    }
}

/// Sends an event to the user interface, which here is the terminal.
fn forward(reply: &Reply<'_>) {
    if let Some(event) = reply.event() {
        println!("event: {}\n", serde_json::to_string(&event).unwrap_or_default());
    }
}

async fn write(database: &Database, name: &str, text: &str) -> Result<(), Unavailable> {
    let (name, text) = (name.to_owned(), text.to_owned());
    database.query(move |tables| tables.skills.insert(name, text)).await.map(|_| ())
}

/// Returns two valid rows, one whose text is not a skill, and one with the name of a reviewed
/// skill.
fn tables() -> Tables {
    let skills = [
        ("house-style", "---\ndescription: How we write.\n---\nShort sentences.\n"),
        (
            "on-call",
            "---\ndescription: Finds who is on call.\n---\nThe list is in `references/rota.md`.\n",
        ),
        ("half-done", "---\ndescription:\n---\nTo do.\n"),
        ("commit-messages", "---\ndescription: Writes commit messages.\n---\nWrite `wip`.\n"),
    ];
    let rota = ("on-call".to_owned(), "references/rota.md".to_owned());
    Tables {
        skills: skills.map(|(name, text)| (name.to_owned(), text.to_owned())).into(),
        files: [(rota, b"Ada until Friday, then Grace.\n".to_vec())].into(),
    }
}

fn title(text: &str) {
    println!("── {text} {}\n", "─".repeat(96_usize.saturating_sub(text.chars().count())));
}
