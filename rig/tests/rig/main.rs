//! Agents and models of rig with skills, against servers that answer as OpenAI and Anthropic do.
#![allow(clippy::unwrap_used)]

mod adapter;
mod agent;
mod api;
mod events;
mod guards;
mod model;
mod providers;

use helix_skills::{Skill, SkillSet, Toolbox, include_skills, skill_set};
use std::error::Error;

include_skills!(mod skills, "../examples/agent");

const TOOLBOX: Toolbox<'static> = skills::TOOLBOX;

/// Skills without files.
const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build();
static SKILLS: SkillSet = skill_set![PDF];

/// Returns an error with its causes, `a: b: c`.
fn chain(error: &dyn Error) -> String {
    match error.source() {
        Some(source) => format!("{error}: {}", chain(source)),
        None => error.to_string(),
    }
}
