//! The command line as a whole: the commands in groups, and what only the long help tells.

use super::args::Cli;
use clap::CommandFactory as _;
use std::{ffi::OsString, fmt::Write as _};

/// The commands in the order of the help: what everybody needs first. One that is named nowhere comes last.
const GROUPS: [(&str, &[&str]); 4] = [
    ("Commands", &["init", "add", "remove", "sync", "update"]),
    ("Look", &["list", "show", "diff", "outdated", "catalog", "search"]),
    ("Prove", &["validate"]),
    ("More", &["cache", "completions", "man", "help"]),
];

/// What follows the options in `--help` and in the manual.
const MORE: [(&str, &str); 13] = [
    (
        "init",
        "\
Examples:
  skills init                   commit manifest, lock and store: a fresh clone builds offline
  skills init --ignore-store    commit manifest and lock; `skills sync` before each build",
    ),
    (
        "add",
        "\
Examples:
  skills add heygen-com/hyperframes --include gsap    the newest release on github.com
  skills add https://example.com/team/skills.git --ref main
  skills add anthropics/skills --plugin document-skills
  skills add ./skills                                 skills of your own, read where they lie

A change that cannot be synced leaves the manifest as it was.",
    ),
    (
        "remove",
        "\
Examples:
  skills remove hyperframes

The name is the key in the manifest, which `skills list` shows beside each skill. To drop one skill \
of several, change `include` or `exclude` in the manifest and run `skills sync`.",
    ),
    (
        "sync",
        "\
Examples:
  skills sync             after a change of the manifest, or in a fresh clone
  skills sync --check     in CI: no network, no git, nothing written
  skills sync --locked    before a build where the store is not committed
  skills sync --restore   after an edit in the store that was a mistake

The lock keeps the commit that a pin meant until the pin changes.",
    ),
    (
        "update",
        "\
Examples:
  skills update --dry-run      what would move, and to which commit
  skills update hyperframes    one source only

What moves are ranges, branches and the default branch. An exact version or a commit is changed in \
the manifest.",
    ),
    (
        "outdated",
        "\
Examples:
  skills outdated --exit-code    for a job that asks once a week

Nothing is written. A tag that was moved, or a locked commit whose files are others now, ends with \
exit code 5.",
    ),
    (
        "diff",
        "\
Examples:
  skills diff                                          what was edited since it was locked
  git show HEAD~1:helix.skills.lock | skills diff -    what the last commit changed
  git worktree add ../old v1.0 && skills diff ../old/helix.skills.lock

Old text is taken from the store beside OLD.lock, from the project's store and from the cache, and \
its digest is proved. Nothing is fetched or written. Characters that a terminal obeys or nobody sees \
are shown as \\u{202e} and the like, tabs as \\t, carriage returns as \\r.",
    ),
    (
        "catalog",
        "\
Examples:
  skills catalog | sha256sum                   SkillSet::catalog().digest() of include_skills!()
  skills catalog --preload deploy              include_skills!(preload = [\"deploy\"])
  skills catalog --profile agentick --tools    what other systems would get

The text is, byte for byte, what `include_skills!` bakes, or what a `Toolbox` of that profile renders. \
Every file is proved first, as while compiling; nothing is fetched or written. On a terminal, \
characters that it obeys or nobody sees are shown as \\u{202e} and the like.",
    ),
    (
        "search",
        "\
Examples:
  skills search deploy my docker container
  skills search -n 1 --json \"fill in a pdf form\"

The ranking, over names and descriptions, is that of `SkillSet::search` with the index that \
`include_skills!` bakes. An agent's tool `search_skills` also finds longer words that begin like those of \
the query. Skills that are not for models are not found. Nothing is fetched or written.",
    ),
    (
        "validate",
        "\
Examples:
  skills validate                         the skills of this project
  skills validate skills/pdf --fix        one skill, and mend what has one right answer
  skills validate --deny-warnings         in CI, for skills that must be without fault
  skills validate --spec open             only what the specification's own library refuses
  skills validate --sarif > skills.sarif
  skills validate -v helix.skills/pdf     what to look at in a skill of somebody else

Every finding is told at once; with errors the exit code is 1, warnings alone do not fail. Hidden \
directories, node_modules, target and the store are looked into only where they are named. Nothing \
is fetched, and without --fix nothing is written.

-v adds notes: what a reader would not see or not look at, and no rule forbids. Comments, text behind \
blank runs, archives, programs, files whose name says another thing, commands and network calls of \
scripts. They never fail, --json and --sarif always have them, and no note does not mean that a skill \
is safe. `allow` of the manifest leaves out what somebody has looked at.

--fix takes out byte order marks and blank lines before the frontmatter, ends lines with LF where \
some end with CR alone, puts quotes around values that need them, and adds a name that is missing.",
    ),
    (
        "completions",
        "\
Examples:
  skills completions bash > ~/.local/share/bash-completion/completions/skills
  skills completions zsh > ~/.zfunc/_skills     with ~/.zfunc in $fpath
  skills completions fish > ~/.config/fish/completions/skills.fish

They complete `skills`; a shell cannot look behind `cargo skills`.",
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
The cache holds the files of every skill that was fetched, so that other projects and fresh clones \
need no network for them. It lies where HELIX_SKILLS_CACHE says, else in \
$XDG_CACHE_HOME/helix-skills, else where the platform keeps caches. No build reads it, and deleting it costs nothing but time.",
    ),
];

const EXIT_CODES: &str = "\
Exit codes:
  0  ok                                        5  bytes do not match a digest
  1  lock or store missing or drifted,         6  a limit, budget, invisible text
     a skill with errors                       7  local file system
  2  command line or manifest                130  interrupted
  3  network
  4  authentication";

/// The command line. `name` is what a person types before the command: `skills` or `cargo skills`.
pub(super) fn command_line(name: &'static str) -> clap::Command {
    let mut command = Cli::command().bin_name(name).after_long_help(EXIT_CODES);
    command = command.mut_subcommands(|found| {
        let found = found.disable_help_subcommand(true);
        match MORE.iter().find(|(name, _)| *name == found.get_name()) {
            Some((_, text)) => found.after_long_help(*text),
            None => found,
        }
    });
    for seldom in ["manifest", "lock", "out"] {
        command = command.mut_arg(seldom, |argument| argument.hide_short_help(true));
    }
    let commands = commands(&command);
    let styles = command.get_styles();
    let (header, end) = (styles.get_header().render(), styles.get_header().render_reset());
    let template = format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{commands}{header}Options:{end}\n{{options}}{{after-help}}"
    );
    command.help_template(template)
}

/// The command that somebody typed, where the rest of the line is not understood.
pub(super) fn typed(name: &'static str, arguments: &[OsString]) -> Option<&'static str> {
    let found = command_line(name).ignore_errors(true).try_get_matches_from(arguments).ok()?;
    let typed = found.subcommand_name()?;
    GROUPS.iter().flat_map(|(_, names)| *names).copied().find(|name| *name == typed)
}

/// Every command with what it says of itself, under the headings. Clap itself knows only one heading.
fn commands(command: &clap::Command) -> String {
    // Clap adds `help` when the command line is used.
    let help = clap::Command::new("help").about("Print this, or the help of a command");
    let known: Vec<_> =
        command.get_subcommands().chain([&help]).filter(|found| !found.is_hide_set()).collect();
    let width = known.iter().map(|found| found.get_name().len()).max().unwrap_or_default();
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
            let (name, on, off) = (row.get_name(), literal.render(), literal.render_reset());
            let _ = writeln!(text, "  {on}{name}{off}{:1$}  {about}", "", width - name.len());
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_sound_and_every_command_has_its_place() {
        let command = command_line("skills");
        command.clone().debug_assert();
        for found in command.get_subcommands() {
            let name = found.get_name();
            assert!(
                GROUPS.iter().any(|(_, names)| names.contains(&name)),
                "`{name}` is in no group"
            );
            assert!(found.get_about().is_some(), "`{name}` says nothing of itself");
        }
    }
}
