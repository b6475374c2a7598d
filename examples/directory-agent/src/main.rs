//! An agent whose skills lie in directories, and change while it runs: those of a person and those of a project, beside skills
//! that were baked. `skills.rs` says where they come from. What a model would call for, and what somebody does to the
//! files, is written down here; `transcript.txt` is what it prints.
#![expect(clippy::print_stdout, reason = "printing is what an example is for")]

mod skills;

use helix_skills::{AsyncToolbox, Providers};
use std::{error::Error, fs, path::Path, sync::Arc, time::Duration};

fn main() -> Result<(), Box<dyn Error>> {
    // A project, and the home of a person, that nobody minds.
    let folder = tempfile::tempdir()?;
    std::env::set_current_dir(folder.path())?;
    write(
        "home/.agents/skills/house-style/SKILL.md",
        "---\ndescription: How I write.\n---\nShort sentences.\n",
    )?;
    write(
        "skills/house-style/SKILL.md",
        "---\nname: house-style\ndescription: How we write.\n---\nShort words.\n",
    )?;
    write(
        "skills/on-call/SKILL.md",
        "---\nname: on-call\ndescription: Finds who is on call.\n---\nSee `people.md`.\n",
    )?;
    write("skills/on-call/people.md", "Ada until Friday, then Grace.\n")?;
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
    // What changes here is noticed at once, and not after two seconds.
    let directories = Arc::new(skills::directories()?.home(home).cool_down(Duration::ZERO));

    title("a conversation begins");
    let toolbox = skills::conversation(&directories).await?;
    toolbox.warnings().iter().for_each(|warning| println!("warning: {}", shown(warning, home)));
    println!("{}", toolbox.catalog());
    call(&toolbox, "load_skill", r#"{"name": "on-call"}"#).await;
    call(&toolbox, "read_skill_file", r#"{"skill": "on-call", "path": "people.md"}"#).await;

    title("somebody edits the files");
    write(
        "skills/on-call/SKILL.md",
        "---\nname: on-call\ndescription: Finds who is on call.\n---\nRun `pager who`.\n",
    )?;
    write(
        "skills/deploy/SKILL.md",
        "---\nname: deploy\ndescription: Deploys the service.\n---\nRun `make deploy`.\n",
    )?;
    fs::remove_dir_all("skills/house-style")?;
    call(&toolbox, "load_skill", r#"{"name": "on-call"}"#).await; // as it is now
    call(&toolbox, "load_skill", r#"{"name": "deploy"}"#).await; // not in the catalog of this conversation
    call(&toolbox, "load_skill", r#"{"name": "house-style"}"#).await; // the person's, which the project's had hidden
    fs::remove_file("skills/on-call/SKILL.md")?;
    call(&toolbox, "load_skill", r#"{"name": "on-call"}"#).await; // no more

    title("the next conversation, and a person turns a skill off");
    let toolbox = skills::conversation(&directories).await?;
    call(&toolbox, "load_skill", r#"{"name": "deploy"}"#).await;
    write("enabled.json", r#"{"skills": {"deploy": {"enabled": false}}}"#)?;
    call(&toolbox, "load_skill", r#"{"name": "deploy"}"#).await;
    call(&toolbox, "load_skill", r#"{"name": "commit-messages"}"#).await; // baked: no directory replaces it
    Ok(())
}

/// A call of the model, and its answer.
async fn call(toolbox: &AsyncToolbox<Providers<'static>>, tool: &str, arguments: &str) {
    println!("> {tool} {arguments}\n");
    match toolbox.call(tool, arguments).await {
        Some(reply) if reply.is_error() => println!("error: {reply}\n"),
        Some(reply) => println!("{reply}\n"),
        None => println!("error: there is no tool `{tool}`\n"), // here an agent asks its own tools
    }
}

/// A warning with `~` for a directory that is another one in every run.
fn shown(warning: &impl ToString, home: &Path) -> String {
    warning.to_string().replace(&home.display().to_string(), "~")
}

fn write(path: &str, text: &str) -> std::io::Result<()> {
    let path = Path::new(path);
    path.parent().map_or(Ok(()), fs::create_dir_all)?;
    fs::write(path, text)
}

fn title(text: &str) {
    println!("── {text} {}\n", "─".repeat(96_usize.saturating_sub(text.chars().count())));
}
