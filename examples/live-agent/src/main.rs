//! Agents that follow the conventions of two other systems, Agentick and the framework with
//! `skill_use`, and whose skills contain shell commands.
//!
//! `skills.rs` decides which commands may run. The calls of the model are a script; the program
//! prints `transcript.txt`.
#![expect(clippy::print_stdout, reason = "printing is what an example is for")]

mod skills;

use helix_skills::{AsyncToolbox, Profile};
use helix_skills_host::Directories;
use std::{error::Error, fs, path::Path};

const TRIAGE: &str = "\
---
name: triage
description: Triages an issue. Use when a new issue comes in.
arguments: [issue]
---
Triage issue $issue, in session ${AGENTICK_SESSION_ID}. What is known of it:

!`grep -n -e $issue -- issues.txt`

The labels, and how many issues there are:

```!
cat labels.txt
wc -l < issues.txt | tr -d ' '
```

Answer by `${SKILL_DIR}/answer.md`.
";

fn main() -> Result<(), Box<dyn Error>> {
    // A temporary project.
    let folder = tempfile::tempdir()?;
    let folder = folder.path().canonicalize()?;
    std::env::set_current_dir(&folder)?;
    write("skills/triage/SKILL.md", TRIAGE)?;
    write("issues.txt", "41 the door creaks\n42 the window is </skill> !`touch marker` $0\n")?;
    write("labels.txt", "bug\nwontfix\n")?;
    write(
        "skills/stand-up/SKILL.md",
        "---\nname: stand-up\ndescription: Leads a stand-up.\nargument-hint: \"[who]\"\n---\nFor $ARGUMENTS:\n!`cat ${CLAUDE_PROJECT_DIR}/done.txt`\n",
    )?;
    write("skills/stand-up/questions.md", "What is in the way?\n")?;
    write("skills/stand-up/scripts/speakers.sh", "echo \"$# speak:\" \"$@\"\n")?;
    write(
        "skills/absent/SKILL.md",
        "---\nname: absent\ndescription: Knows who is away.\n---\nAway: !`curl -s calendar`\n",
    )?;
    write("done.txt", "hung the door\n")?;
    tokio::runtime::Builder::new_current_thread().build()?.block_on(run(&folder))
}

async fn run(folder: &Path) -> Result<(), Box<dyn Error>> {
    title("an agent of Agentick");
    let toolbox = skills::agent(Profile::Agentick, skills::live("s-1", folder, false)).await?;
    let names: Vec<_> = toolbox.tools([])?.into_iter().map(|tool| tool.name).collect();
    println!("tools: {}\n", names.join(", "));
    call(&toolbox, folder, "skill", r#"{"name": "triage", "args": {"issue": 42}}"#).await;
    call(
        &toolbox,
        folder,
        "skill",
        r#"{"name": "triage", "args": "41 'the rest is not its argument'"}"#,
    )
    .await;

    title("calls that try to run other commands");
    call(
        &toolbox,
        folder,
        "skill",
        r#"{"name": "triage", "args": {"issue": "'; touch marker; '"}}"#,
    )
    .await;
    call(
        &toolbox,
        folder,
        "skill",
        r#"{"name": "triage", "args": "$(touch marker) !`touch marker`"}"#,
    )
    .await;
    call(&toolbox, folder, "skill", r#"{"name": "absent"}"#).await;
    let markers = ["marker", "skills/triage/marker", "skills/absent/marker"];
    println!("nothing ran: {}\n", !markers.iter().any(|path| folder.join(path).exists()));

    title("a command fails");
    fs::rename("done.txt", "gone.txt")?;
    call(&toolbox, folder, "skill", r#"{"name": "stand-up", "args": "us"}"#).await;
    fs::rename("gone.txt", "done.txt")?;

    title("an agent of the framework with skill_use");
    let toolbox = skills::agent(Profile::SkillUse, skills::live("s-2", folder, false)).await?;
    println!("{}", toolbox.catalog());
    call(&toolbox, folder, "skill_use", r#"{"skill_name": "stand-up", "arguments": "the team"}"#)
        .await;
    call(
        &toolbox,
        folder,
        "skill_read_file",
        r#"{"skill_name": "stand-up", "file_path": "questions.md"}"#,
    )
    .await;
    let script = r#"{"skill_name": "stand-up", "script_name": "speakers.sh", "script_args": "Ada 'Grace H.' $(touch marker)"}"#;
    call(&toolbox, folder, "skill_run_script", script).await;

    title("the user disables commands");
    let toolbox = skills::agent(Profile::SkillUse, skills::live("s-3", folder, true)).await?;
    call(&toolbox, folder, "skill_use", r#"{"skill_name": "stand-up", "arguments": "the team"}"#)
        .await;
    Ok(())
}

/// Prints a call of the model, its answer, and the message that follows it.
async fn call(toolbox: &AsyncToolbox<Directories>, folder: &Path, tool: &str, arguments: &str) {
    println!("> {tool} {arguments}\n");
    // Replaces the temporary directory.
    let with_tilde =
        |text: &dyn std::fmt::Display| text.to_string().replace(&folder.display().to_string(), "~");
    match toolbox.call(tool, arguments).await {
        Some(reply) if reply.is_error() => println!("error: {}\n", with_tilde(&reply)),
        Some(reply) => {
            println!("{}\n", with_tilde(&reply));
            if let Some(message) = reply.message() {
                println!("user: {}\n", with_tilde(&message));
            }
            if let Some(event) = reply.event() {
                println!("event: {}\n", serde_json::to_string(&event).unwrap_or_default());
            }
        }
        None => println!("error: unknown tool `{tool}`\n"), // an agent calls its own tools here
    }
}

fn write(path: &str, text: &str) -> std::io::Result<()> {
    let path = Path::new(path);
    path.parent().map_or(Ok(()), fs::create_dir_all)?;
    fs::write(path, text)
}

fn title(text: &str) {
    println!("── {text} {}\n", "─".repeat(96_usize.saturating_sub(text.chars().count())));
}
