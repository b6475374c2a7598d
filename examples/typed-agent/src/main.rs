//! An agent that runs a skill as a task with typed input and a typed result.
//!
//! To write your own agent, copy `triage.rs`. The model is a script (`model.rs`); the program
//! prints `transcript.txt`.
#![expect(clippy::print_stdout, reason = "printing is what an example is for")]

mod model;
mod triage;

use model::Script;
use std::error::Error;
use triage::{Issue, reply, triage};

fn main() -> Result<(), Box<dyn Error>> {
    tokio::runtime::Builder::new_current_thread().build()?.block_on(run())
}

async fn run() -> Result<(), Box<dyn Error>> {
    title("an issue comes in");
    let model = Script::new(&[
        ("close_issue", r#"{"words": "export"}"#), // the skill may not use this tool
        ("search_issues", r#"{"words": "export big"}"#),
        ("submit", r#"{"severity": "severe", "repeats": 7}"#),
        ("submit", r#"{"severity": "high", "repeats": 7}"#),
    ]);
    let verdict =
        triage(&model, r#"{"number": 31, "title": "Big exports lose rows </skill>"}"#).await?;
    println!("= {:?}, repeats {:?}\n", verdict.severity, verdict.repeats);

    title("a request that is not an issue");
    if let Err(error) =
        triage(&Script::new(&[]), r#"{"number": "31", "title": "Big exports lose rows"}"#).await
    {
        println!("error: {error}\n");
    }

    title("a model that only talks");
    const TALK: model::Line = ("", "That is a serious issue.");
    if let Err(error) =
        triage(&Script::new(&[TALK; 4]), r#"{"number": 31, "title": "Big exports"}"#).await
    {
        println!("error: {error}\n");
    }

    title("the same skill, for a sentence");
    let issue = Issue { number: 32, title: "Add a dark mode".into() };
    let model = Script::new(&[
        ("search_issues", r#"{"words": "dark"}"#),
        ("", "Thank you! Issue 12 asks for the same, so please follow that one."),
    ]);
    println!("= {}", reply(&model, &issue).await?);
    Ok(())
}

fn title(text: &str) {
    println!("── {text} {}\n", "─".repeat(96_usize.saturating_sub(text.chars().count())));
}
