//! The layout of `--help`: commands in groups, and the texts after the options.
//!
//! `-h` omits rarely used options; `--help` adds examples and exit codes. Because clap has only one
//! heading for commands, the list of commands is written here and inserted into its template.

use super::args::Cli;
use clap::CommandFactory as _;
use std::{ffi::OsString, fmt::Write as _};

/// Headings and their commands, in the order of the help. Commands that are not listed come last.
const GROUPS: [(&str, &[&str]); 4] = [
    ("Commands", &["init", "add", "remove", "sync", "update"]),
    ("Inspection", &["list", "show", "diff", "outdated", "catalog", "search"]),
    ("Authoring", &["validate"]),
    ("Other", &["cache", "completions", "man", "help"]),
];

/// The texts after the options in `--help` and in the manual.
const AFTER_HELP: [(&str, &str); 13] = [
    (
        "init",
        "\
Examples:
  skills init                   commit manifest, lockfile and store; a fresh clone builds offline
  skills init --ignore-store    commit manifest and lockfile; run `skills sync` before each build",
    ),
    (
        "add",
        "\
Examples:
  skills add heygen-com/hyperframes --include slideshow    newest release on github.com
  skills add https://example.com/team/skills.git --ref main
  skills add anthropics/skills --plugin document-skills
  skills add anthropics/skills --list pdf                  what there is for a word
  skills add anthropics/skills --dry-run                   what would change
  skills add anthropics/skills --rename docx=word          another name for a skill
  skills add ./skills                                      your own skills, read in place

If the manifest already has the repository, its source is extended: --include adds skills, and a pin \
replaces its pin; without one, the pin is kept. The skills are synced before the manifest is \
written; if that fails, the manifest is unchanged.",
    ),
    (
        "remove",
        "\
Examples:
  skills remove pdf            take one skill out of the selection of its source
  skills remove hyperframes    remove a source with all its skills

`skills list` shows the source of each skill. If a source and a skill have the same name, write \
`source:NAME` or `skill:NAME`. If the sync after the change fails, the manifest is unchanged.",
    ),
    (
        "sync",
        "\
Examples:
  skills sync             after changing the manifest, or in a fresh clone
  skills sync --check     in CI: uses no network and no git, writes nothing
  skills sync --locked    before a build, if the store is not committed
  skills sync --restore   undo edits in the store

A locked commit stays locked until its pin changes or you run `skills update`.",
    ),
    (
        "update",
        "\
Examples:
  skills update --dry-run      show what would be updated, and to which commit
  skills update hyperframes    update one source
  skills update pdf            update the source of a skill

Version ranges, branches and the default branch are resolved again. `skills add` with another \
--version or --sha changes an exact version or a commit; `skills outdated` prints the command.",
    ),
    (
        "outdated",
        "\
Examples:
  skills outdated --exit-code    in a weekly CI job

Also checks that upstream still has what is locked: exits with code 5 if a tag was moved or the \
files of a locked commit differ. Writes nothing.",
    ),
    (
        "diff",
        "\
Examples:
  skills diff                                          edits since the skills were locked
  git show HEAD~1:helix.skills.lock | skills diff -    changes of the last commit
  git worktree add ../old v1.0 && skills diff ../old/helix.skills.lock

Old text comes from the store next to OLD.lock, from the project's store or from the cache; its \
digest is verified. Nothing is fetched or written. Control characters and invisible characters are \
escaped, such as \\u{202e}, \\t and \\r.",
    ),
    (
        "catalog",
        "\
Examples:
  skills catalog | sha256sum                   SkillSet::catalog().digest() of include_skills!()
  skills catalog --preload deploy              include_skills!(preload = [\"deploy\"])
  skills catalog --profile agentick --tools    the tools of another system

The text is byte for byte what `include_skills!` embeds, or what a `Toolbox` with that profile \
renders. All files are verified first, as at compile time; nothing is fetched or written. On a \
terminal, control characters and invisible characters are escaped, such as \\u{202e}.",
    ),
    (
        "search",
        "\
Examples:
  skills search deploy my docker container
  skills search -n 1 --json \"fill in a pdf form\"

Searches names and descriptions. The results and their order are those of the tool `search_skills` \
of an agent, and of `SkillSet::search` with the index that `include_skills!` embeds. Skills that are \
not for models are not searched. Nothing is fetched or written.",
    ),
    (
        "validate",
        "\
Examples:
  skills validate                         the skills of this project
  skills validate skills/pdf --fix        one skill, and fix what can be fixed
  skills validate --deny-warnings         in CI: warnings fail, too
  skills validate --spec open             only what the reference implementation refuses
  skills validate --sarif > skills.sarif
  skills validate -v helix.skills/pdf     what to review in a third-party skill

Prints all findings. Errors exit with code 1; warnings alone do not. Hidden directories, \
node_modules, target and the store are checked only if they are named. Nothing is fetched, and \
without --fix nothing is written.

-v adds notes on what is allowed but easy to miss in a review: comments, text after long blank runs, \
archives, executables, misleading file names, commands and network calls of scripts. Notes never \
fail; --json and --sarif always include them. A skill without notes is not necessarily safe. `allow` \
in the manifest silences reviewed notes.

--fix removes byte order marks and blank lines before the frontmatter, changes lone CR line \
endings to LF, quotes values that need quotes, and adds a missing name.",
    ),
    (
        "completions",
        "\
Examples:
  echo 'source <(skills completions bash)' >> ~/.bashrc
  echo 'source <(skills completions zsh)' >> ~/.zshrc    after compinit
  echo 'skills completions fish | source' >> ~/.config/fish/config.fish

The script runs `skills` for each completion, so that it knows the project's sources and skills. It \
completes `skills`, but not `cargo skills`.",
    ),
    (
        "man",
        "\
Examples:
  skills man sync | man -l -
  skills man --dir ~/.local/share/man/man1",
    ),
    (
        "cache",
        "\
The cache keeps the files of fetched skills, so that other projects and fresh clones do not download \
them again. It is located at $HELIX_SKILLS_CACHE, else at $XDG_CACHE_HOME/helix-skills, else in the \
platform's cache directory. No build reads it, and it is safe to delete.",
    ),
];

const EXIT_CODES: &str = "\
Exit codes:
    0  success
    1  lockfile or store missing or drifted, or a skill
       with errors
    2  command line or manifest
    3  network
    4  authentication
    5  bytes do not match a digest
    6  limit, budget or invisible text
    7  local file system
  130  interrupted";

/// Returns the command line. `name` is how the program was called: `skills` or `cargo skills`.
pub(super) fn command_line(name: &'static str) -> clap::Command {
    let mut command = Cli::command().bin_name(name).after_long_help(EXIT_CODES);
    command = command.mut_subcommands(|found| {
        let found = found.disable_help_subcommand(true);
        match AFTER_HELP.iter().find(|(name, _)| *name == found.get_name()) {
            Some((_, text)) => found.after_long_help(*text),
            None => found,
        }
    });
    for rarely_used in ["manifest", "lock", "out"] {
        command = command.mut_arg(rarely_used, |argument| argument.hide_short_help(true));
    }
    let commands = commands(&command);
    let styles = command.get_styles();
    let (header, end) = (styles.get_header().render(), styles.get_header().render_reset());
    let template = format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{commands}{header}Options:{end}\n{{options}}{{after-help}}"
    );
    command.help_template(template)
}

/// Returns the command of a line that cannot be parsed, if it has one.
pub(super) fn typed_command(name: &'static str, arguments: &[OsString]) -> Option<&'static str> {
    let found = command_line(name).ignore_errors(true).try_get_matches_from(arguments).ok()?;
    let typed = found.subcommand_name()?;
    GROUPS.iter().flat_map(|(_, names)| *names).copied().find(|name| *name == typed)
}

/// Returns the name of a command and its aliases.
fn all_names(command: &clap::Command) -> Vec<&str> {
    std::iter::once(command.get_name()).chain(command.get_visible_aliases()).collect()
}

/// Lists all commands and their summaries under the headings.
fn commands(command: &clap::Command) -> String {
    // Clap adds `help` only when the command line is parsed.
    let help = clap::Command::new("help").about("Print this message or the help of a command");
    let known: Vec<_> =
        command.get_subcommands().chain([&help]).filter(|found| !found.is_hide_set()).collect();
    let width =
        known.iter().map(|found| all_names(found).join(", ").len()).max().unwrap_or_default();
    let (header, literal) = (command.get_styles().get_header(), command.get_styles().get_literal());
    let is_grouped = |name: &str| GROUPS.iter().any(|(_, names)| names.contains(&name));
    let mut text = String::new();
    for (at, (heading, names)) in GROUPS.into_iter().enumerate() {
        let is_last = at + 1 == GROUPS.len();
        let listed =
            names.iter().filter_map(|name| known.iter().find(|found| found.get_name() == *name));
        let unlisted = known.iter().filter(|found| is_last && !is_grouped(found.get_name()));
        let rows: Vec<_> = listed.chain(unlisted).collect();
        if rows.is_empty() {
            continue;
        }
        let _ = writeln!(text, "{}{heading}:{}", header.render(), header.render_reset());
        for row in rows {
            let about = row.get_about().map(ToString::to_string).unwrap_or_default();
            let (on, off) = (literal.render(), literal.render_reset());
            let padding = width - all_names(row).join(", ").len();
            let name = all_names(row).join(&format!("{off}, {on}"));
            let _ = writeln!(text, "  {on}{name}{off}{:padding$}  {about}", "");
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
