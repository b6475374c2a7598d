//! An agent that runs a skill as a task of its own: typed input goes in, a value of a type comes back. `triage.rs` is what an
//! agent of your own has to copy; the model is a script (`model.rs`), and `transcript.txt` is what it prints.
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
    let model = Script::of(&[
        ("close_issue", r#"{"words": "export"}"#), // not for this skill
        ("search_issues", r#"{"words": "export big"}"#),
        ("submit", r#"{"severity": "severe", "repeats": 7}"#),
        ("submit", r#"{"severity": "high", "repeats": 7}"#),
    ]);
    let verdict =
        triage(&model, r#"{"number": 31, "title": "Big exports lose rows </skill>"}"#).await?;
    println!("= {:?}, repeats {:?}\n", verdict.severity, verdict.repeats);

    title("a request that is no issue");
    if let Err(error) =
        triage(&Script::of(&[]), r#"{"number": "31", "title": "Big exports lose rows"}"#).await
    {
        println!("error: {error}\n");
    }

    title("a model that only talks");
    const TALK: model::Line = ("", "That is a serious issue.");
    if let Err(error) =
        triage(&Script::of(&[TALK; 4]), r#"{"number": 31, "title": "Big exports"}"#).await
    {
        println!("error: {error}\n");
    }

    title("the same skill, for a sentence");
    let issue = Issue { number: 32, title: "Add a dark mode".into() };
    let model = Script::of(&[
        ("search_issues", r#"{"words": "dark"}"#),
        ("", "Thank you! Issue 12 asks for the same, so please follow that one."),
    ]);
    println!("= {}", reply(&model, &issue).await?);
    Ok(())
}

fn title(text: &str) {
    println!("── {text} {}\n", "─".repeat(96_usize.saturating_sub(text.chars().count())));
}
