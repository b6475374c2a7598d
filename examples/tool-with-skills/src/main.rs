//! A command-line tool that teaches coding agents how to use it.
//!
//! The skills in `skills/` are part of the program, so that they always describe its version:
//!
//! ```console
//! $ weather skills install --agent claude-code
//! added weather-report (.claude/skills/weather-report)
//! ```

#![forbid(unsafe_code)]

use clap::Parser;
use helix_skills_host::install::SkillsCommand;
use std::{
    io::{self, Write as _},
    process::ExitCode,
};

helix_skills::include_skills!(mod skills, dir = "skills");

/// Reports the weather
#[derive(Parser)]
enum Weather {
    /// Print the weather of a city as JSON
    Report {
        /// Name of the city
        city: String,
    },
    /// Manage the skills of this tool in coding agents
    Skills(SkillsCommand),
}

fn main() -> ExitCode {
    match Weather::parse() {
        Weather::Report { city } => match report(&city) {
            Ok(()) => ExitCode::SUCCESS,
            Err(_) => ExitCode::FAILURE,
        },
        Weather::Skills(command) => command.run("weather", skills::SKILLS),
    }
}

/// Stands for what the tool is for.
fn report(city: &str) -> io::Result<()> {
    writeln!(io::stdout(), "{{\"city\": \"{}\", \"celsius\": 21}}", city.escape_default())
}
