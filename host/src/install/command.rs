//! The commands of a program that brings its own skills.

use super::{CodingAgent, Installation, InstalledSkill, Installer, SkillChange};
use crate::{Error, ErrorKind, error::Problem};
use clap::{Args, Subcommand, ValueEnum as _};
use helix_skills_format::__internal::{
    causes, escape_invisible, one_line_chain, printable, printable_lines,
};
use helix_skills_runtime::{__private::skill_md_text, SkillSet};
use serde_json::{Value, json};
use std::{
    fmt::Write as _,
    io::{self, Write as _},
    path::PathBuf,
    process::ExitCode,
};

/// The version of the JSON documents.
const SCHEMA_VERSION: u64 = 1;

/// The commands `install`, `status`, `uninstall` and `show`, for a program that uses clap 4.
///
/// ```
/// use clap::Parser;
/// use helix_skills_host::install::SkillsCommand;
/// # use helix_skills::{Skill, SkillSet, skill_set};
/// # const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build();
/// # static SKILLS: SkillSet = skill_set![PDF];
///
/// #[derive(Parser)]
/// enum Mytool {
///     /// Manage the skills of mytool in coding agents
///     Skills(SkillsCommand),
/// }
///
/// // static SKILLS: SkillSet = helix_skills::include_skills!();
/// # let arguments = ["mytool", "skills", "show", "pdf"];
/// let Mytool::Skills(command) = Mytool::parse_from(arguments); // `Mytool::parse()`
/// let code = command.run("mytool", SKILLS); // returned from `main`
/// # assert_eq!(format!("{code:?}"), format!("{:?}", std::process::ExitCode::SUCCESS));
/// ```
///
/// The options have no short forms, so that they do not collide with global options of the program.
/// A global option `--json` of the program is the one of these commands.
///
/// Exit codes: 0 if nothing is left to do, 1 if something is (`status`, `--dry-run`) or if
/// something is in the way of a skill, 2 for errors.
#[derive(Clone, Debug, Args)]
pub struct SkillsCommand {
    #[command(subcommand)]
    kind: Kind,
}

#[derive(Clone, Debug, Subcommand)]
enum Kind {
    /// Install the skills for coding agents, or update them
    Install {
        #[command(flatten)]
        options: Options,
        /// Agents to install for, in addition to where the skills are installed [default:
        /// .agents/skills, and the agents whose directory exists]
        #[arg(long = "agent", value_name = "AGENT", value_delimiter = ',')]
        agents: Vec<CodingAgent>,
        #[command(flatten)]
        changes: Changes,
        /// An agent without `--agent`
        #[arg(hide = true)]
        words: Vec<String>,
    },
    /// Show which skills are installed, and whether they are current
    Status(Options),
    /// Remove the installed skills
    Uninstall {
        #[command(flatten)]
        options: Options,
        #[command(flatten)]
        changes: Changes,
    },
    /// Print a skill, or list all of them
    Show {
        /// Name of the skill [default: list all]
        name: Option<String>,
    },
}

#[derive(Clone, Debug, Args)]
struct Options {
    /// Use the home directory, for all projects, instead of the current directory
    #[arg(long, alias = "global")]
    user: bool,
    /// Use this directory of skills only
    #[arg(long, value_name = "PATH", conflicts_with = "user")]
    dir: Option<PathBuf>,
    /// Print one JSON document to stdout, errors included
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, Args)]
struct Changes {
    /// Replace or remove skills that you have edited, and install those that you have removed.
    /// Skills of other origin are never touched
    #[arg(long)]
    force: bool,
    /// Show what would change without writing anything
    #[arg(long)]
    dry_run: bool,
}

impl SkillsCommand {
    /// Runs the command for the skills of `program`, prints the result and returns the exit code.
    #[must_use]
    pub fn run(&self, program: &str, skills: SkillSet<'_>) -> ExitCode {
        let installer = |options: &Options| {
            let installer = Installer::new(program, skills);
            match &options.dir {
                Some(path) => installer.skills_dir(path),
                None if options.user => installer.user(),
                None => installer,
            }
        };
        let (name, options, changes, result) = match &self.kind {
            Kind::Install { options, agents, changes, words } => {
                let installer = installer(options).agents(agents.iter().copied());
                let installer = installer.force(changes.force).dry_run(changes.dry_run);
                let error = words.first().map(|word| unexpected(word));
                let result = error.map_or_else(|| installer.install(), Err);
                ("install", options, Some(changes), result)
            }
            Kind::Status(options) => {
                ("status", options, None, installer(options).dry_run(true).install())
            }
            Kind::Uninstall { options, changes } => {
                let installer = installer(options).force(changes.force).dry_run(changes.dry_run);
                ("uninstall", options, Some(changes), installer.uninstall())
            }
            Kind::Show { name } => return show(program, skills, name.as_deref()),
        };
        let code = result.as_ref().map_or(2, |report| u8::from(!report.is_complete()));
        match result {
            Ok(report) if options.json => print(&document(name, code, report.to_json())),
            Ok(report) => print_report(program, name, changes, &report),
            Err(error) if options.json => {
                let causes: Vec<String> = causes(&error).map(ToString::to_string).collect();
                let error =
                    json!({ "message": error.to_string(), "causes": causes, "hint": error.hint() });
                print(&document(name, code, json!({ "errors": [error] })));
            }
            Err(error) => {
                let help = error.hint().map(|hint| format!("help: {hint}\n")).unwrap_or_default();
                let text = format!("error: {}\n{help}", one_line_chain(&error));
                let _ = io::stderr().lock().write_all(text.as_bytes());
            }
        }
        ExitCode::from(code)
    }
}

/// Returns the error for an agent without `--agent`, or another word.
fn unexpected(word: &str) -> Error {
    let agent = CodingAgent::from_str(word, true).map_or("AGENT".into(), |it| it.to_string());
    let hint = format!("use `--agent {agent}` to install for an agent, or `--dir PATH`");
    let message = format!("unexpected argument `{}` of `install`", word.escape_debug());
    Problem::other(ErrorKind::Invalid, message, hint).at("")
}

fn document(command: &str, code: u8, mut fields: Value) -> String {
    fields["schemaVersion"] = SCHEMA_VERSION.into();
    fields["command"] = command.into();
    fields["ok"] = (code == 0).into();
    fields["exitCode"] = code.into();
    escape_invisible(&format!("{fields:#}\n"))
}

/// Prints what was done; without `changes`, the status.
fn print_report(program: &str, command: &str, changes: Option<&Changes>, report: &Installation) {
    let (mut text, mut help) = (String::new(), String::new());
    let shown =
        |skill: &&InstalledSkill| changes.is_none() || skill.change() != SkillChange::Unchanged;
    for skill in report.skills().iter().filter(shown) {
        // Writing to a `String` cannot fail.
        let _ = match state(skill.change()).filter(|_| changes.is_none()) {
            Some(state) => writeln!(text, "{state} {} ({})", skill.name(), skill.path()),
            None => writeln!(text, "{skill}"),
        };
        text.push_str(&printable_lines(skill.diff()));
    }
    let has = |change| report.skills().iter().any(|skill| skill.change() == change);
    if text.is_empty() {
        let _ = writeln!(text, "nothing to do");
    }
    if has(SkillChange::Edited) || has(SkillChange::Deleted) {
        help.push_str(match command {
            "uninstall" => "help: `--force` removes what you have edited\n",
            _ => "help: `install --force` replaces what you have edited, and installs what you have removed\n",
        });
    }
    if has(SkillChange::Foreign) {
        let _ = writeln!(help, "help: move it away to get the skill of {program}");
    }
    if changes.is_some_and(|changes| changes.dry_run) {
        help.push_str("dry run: nothing was written\n");
    }
    for warning in report.warnings() {
        let _ = writeln!(help, "warning: {}", printable(warning));
    }
    print(&text);
    let _ = io::stderr().lock().write_all(help.as_bytes());
}

/// Returns the state of a skill that would be changed.
fn state(change: SkillChange) -> Option<&'static str> {
    match change {
        SkillChange::Added => Some("missing"),
        SkillChange::Updated => Some("outdated"),
        SkillChange::Removed => Some("obsolete"),
        SkillChange::Unchanged => Some("current"),
        _ => None,
    }
}

fn show(program: &str, skills: SkillSet<'_>, name: Option<&str>) -> ExitCode {
    let Some(name) = name else {
        let line = |skill: &helix_skills_runtime::Skill| {
            format!("{}: {}\n", skill.name(), printable(skill.description()))
        };
        print(&skills.iter().map(line).collect::<String>());
        return ExitCode::SUCCESS;
    };
    let Some(skill) = skills.get(name) else {
        let error = format!("error: {program} has no skill `{}`\n", name.escape_debug());
        let _ = io::stderr().lock().write_all(error.as_bytes());
        return ExitCode::from(2);
    };
    print(&skill_md_text(skill).concat());
    ExitCode::SUCCESS
}

fn print(text: &str) {
    // A closed pipe is not an error.
    let _ = io::stdout().lock().write_all(text.as_bytes());
}
