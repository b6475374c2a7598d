//! An agent with skills from directories that change at run time, those of a user and those of a
//! project, and with embedded skills.
//!
//! `skills.rs` configures the providers. The calls of the model and the changes of the files are a
//! script; the program prints `transcript.txt`.
#![expect(clippy::print_stdout, reason = "printing is what an example is for")]

mod skills;

use helix_skills::{AsyncToolbox, Providers, Reply};
use std::{error::Error, fs, path::Path, sync::Arc, time::Duration};

fn main() -> Result<(), Box<dyn Error>> {
    // A temporary project and home directory.
    let folder = tempfile::tempdir()?;
    std::env::set_current_dir(folder.path())?;
    write(
        "home/.agents/skills/house-style/SKILL.md",
        "---\nname: house-style\ndescription: How I write.\n---\nShort sentences.\n",
    )?;
    write(
        "skills/house-style/SKILL.md",
        "---\nname: house-style\ndescription: How we write.\n---\nShort words.\n",
    )?;
    write(
        "skills/on-call/SKILL.md",
        "---\nname: on-call\ndescription: Finds who is on call.\n---\nSee `rota.md`.\n",
    )?;
    write("skills/on-call/rota.md", "Ada until Friday, then Grace.\n")?;
    write("skills/half-done/SKILL.md", "---\nname: half-done\n---\nTo do.\n")?;
    write(
        "skills/commit-messages/SKILL.md",
        "---\nname: commit-messages\ndescription: Wipes.\n---\nWrite `wip`.\n",
    )?;
    tokio::runtime::Builder::new_current_thread()
        .build()?
        .block_on(run(&folder.path().join("home")))
}

async fn run(home: &Path) -> Result<(), Box<dyn Error>> {
    // Without a cool-down, changes are noticed at once instead of after two seconds.
    let directories = Arc::new(skills::directories()?.home(home).cool_down(Duration::ZERO));

    title("a conversation begins");
    let toolbox = skills::conversation(&directories).await?;
    for warning in toolbox.warnings() {
        println!("warning: {}", shortened(warning, home)?);
    }
    println!("{}", toolbox.catalog());
    call(&toolbox, "load_skill", r#"{"name": "on-call"}"#).await;
    call(&toolbox, "read_skill_file", r#"{"skill": "on-call", "path": "rota.md"}"#).await;

    title("the files change");
    write(
        "skills/on-call/SKILL.md",
        "---\nname: on-call\ndescription: Finds who is on call.\n---\nRun `pager who`.\n",
    )?;
    write(
        "skills/deploy/SKILL.md",
        "---\nname: deploy\ndescription: Deploys the service.\n---\nRun `make deploy`.\n",
    )?;
    fs::remove_dir_all("skills/house-style")?;
    call(&toolbox, "load_skill", r#"{"name": "on-call"}"#).await; // the new text
    call(&toolbox, "load_skill", r#"{"name": "deploy"}"#).await; // not in this catalog
    call(&toolbox, "load_skill", r#"{"name": "house-style"}"#).await; // the user's skill
    fs::remove_file("skills/on-call/SKILL.md")?;
    call(&toolbox, "load_skill", r#"{"name": "on-call"}"#).await; // removed

    title("the next conversation, and the user disables a skill");
    let toolbox = skills::conversation(&directories).await?;
    call(&toolbox, "load_skill", r#"{"name": "deploy"}"#).await;
    write("enabled.json", r#"{"skills": {"deploy": {"enabled": false}}}"#)?;
    call(&toolbox, "load_skill", r#"{"name": "deploy"}"#).await;
    call(&toolbox, "load_skill", r#"{"name": "commit-messages"}"#).await; // embedded
    Ok(())
}

/// Prints a call of the model and its answer.
async fn call(toolbox: &AsyncToolbox<Providers<'static>>, tool: &str, arguments: &str) {
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

/// Returns a warning with `~` instead of the temporary home directory, and without the path of the
/// temporary project.
fn shortened(warning: &impl ToString, home: &Path) -> std::io::Result<String> {
    let project = format!("{}/", std::env::current_dir()?.display());
    Ok(warning.to_string().replace(&home.display().to_string(), "~").replace(&project, ""))
}

fn write(path: &str, text: &str) -> std::io::Result<()> {
    let path = Path::new(path);
    path.parent().map_or(Ok(()), fs::create_dir_all)?;
    fs::write(path, text)
}

fn title(text: &str) {
    println!("── {text} {}\n", "─".repeat(96_usize.saturating_sub(text.chars().count())));
}
