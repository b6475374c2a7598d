//! A complete agent without a model: what a model would ask for is written down in [`script`].
//!
//! The skills lie in `skills/`, `helix.skills.json` names them, `skills sync` wrote the lock and the listings, and
//! `include_skills!` proved all of it when this program was compiled. It opens no file and no connection.
#![expect(clippy::print_stdout, reason = "printing is what an example is for")]

use helix_skills::{SkillSet, estimated_tokens, include_skills};

static SKILLS: SkillSet = include_skills!();

/// A tool call of the model.
enum Call {
    LoadSkill { name: &'static str },
    ReadSkillFile { skill: &'static str, path: &'static str },
}

/// What a model does with this prompt, more or less: it finds the skill, follows it to a file, and slips once.
fn script() -> [Call; 3] {
    [
        Call::LoadSkill { name: "commit-message" },
        Call::LoadSkill { name: "commit-messages" },
        Call::ReadSkillFile { skill: "commit-messages", path: "references/types.md" },
    ]
}

/// The answer to a tool call. A mistake is answered as well: its text tells the model what there is.
fn answer(call: &Call) -> String {
    match call {
        Call::LoadSkill { name } => {
            SKILLS.load_skill(name).map_or_else(|error| error.to_string(), |skill| skill.to_string())
        }
        Call::ReadSkillFile { skill, path } => {
            SKILLS.read_skill_file(skill, path).map_or_else(|error| error.to_string(), |file| file.to_string())
        }
    }
}

fn main() {
    let prompt = format!("You are an agent that helps with a repository.\n\n{}", SKILLS.catalog());
    show("system prompt", &prompt);
    show("user", "Please write a commit message for my staged changes.");
    for call in script() {
        let title = match call {
            Call::LoadSkill { name } => format!("load_skill({name:?})"),
            Call::ReadSkillFile { skill, path } => format!("read_skill_file({skill:?}, {path:?})"),
        };
        show(&title, &answer(&call));
    }
}

/// Prints a part of the conversation under a ruler with its title and its cost.
fn show(title: &str, text: &str) {
    let tokens = estimated_tokens(text.len());
    let title = format!("── {title} · about {tokens} tokens ");
    println!("{title}{}\n\n{}\n", "─".repeat(100_usize.saturating_sub(title.chars().count())), text.trim_end());
}
