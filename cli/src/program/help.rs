//! The layout of `--help`: commands in groups, and the texts after the options.
//!
//! `-h` omits rarely used options; `--help` adds examples and exit codes. Because clap has only one
//! heading for commands, the list of commands is written here and inserted into its template.

use super::args::Cli;
use clap::CommandFactory as _;
use std::fmt::Write as _;

/// Headings and their commands, in the order of the help.
const GROUPS: [(&str, &[&str]); 4] = [
    ("Commands", &["init", "add", "remove", "sync", "update", "install", "uninstall"]),
    ("Inspection", &["list", "show", "diff", "outdated", "catalog", "search"]),
    ("Authoring", &["new", "validate"]),
    ("Other", &["mcp", "cache", "completions", "help"]),
];

/// The width of the column of commands.
const NAME_WIDTH: usize = 11;

/// Returns the command line. `name` is how the program was called: `skills` or `cargo skills`.
pub(super) fn command_line(name: &'static str) -> clap::Command {
    let command = Cli::command().bin_name(name);
    let command = command.mut_subcommands(|found| found.disable_help_subcommand(true));
    let (commands, header) = (commands(&command), command.get_styles().get_header());
    let template = format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{commands}{header}Options:{header:#}\n{{options}}{{after-help}}"
    );
    command.help_template(template)
}

/// Lists the commands and their summaries under the headings.
fn commands(command: &clap::Command) -> String {
    // Clap adds `help` only when the command line is parsed.
    let help = clap::Command::new("help").about("Print this message or the help of a command");
    let row = |name: &&str| {
        let found = command.find_subcommand(name).unwrap_or(&help);
        let names = [found.get_name()].into_iter().chain(found.get_visible_aliases());
        (names.collect::<Vec<_>>(), found.get_about().map(ToString::to_string).unwrap_or_default())
    };
    let (header, literal) = (command.get_styles().get_header(), command.get_styles().get_literal());
    let mut text = String::new();
    for (heading, commands) in GROUPS {
        let _ = writeln!(text, "{header}{heading}:{header:#}");
        for (names, about) in commands.iter().map(row) {
            let padding = NAME_WIDTH - names.join(", ").len();
            let names = names.join(&format!("{literal:#}, {literal}"));
            let _ = writeln!(text, "  {literal}{names}{literal:#}{:padding$}  {about}", "");
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_grouped_and_have_summaries() {
        let command = command_line("skills");
        command.clone().debug_assert();
        for found in command.get_subcommands() {
            let name = found.get_name();
            assert!(
                GROUPS.iter().any(|(_, names)| names.contains(&name)),
                "`{name}` is in no group"
            );
            assert!(found.get_about().is_some(), "`{name}` has no summary");
        }
    }
}
