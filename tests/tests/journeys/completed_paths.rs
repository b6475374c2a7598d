//! Completion of paths: interactive shells in a pseudo terminal quote what they complete.

use crate::completions::{shell, with_sources};
use helix_skills_tests::{Running, Sandbox};

/// Starts an interactive shell with the completions in a terminal, and waits for its prompt.
fn interactive<'s>(sandbox: &'s Sandbox, name: &str) -> Running<'s> {
    let (start, load) = match name {
        "bash" => (
            "bash --noprofile --norc -i",
            "source <(skills completions bash); source <(cargo-skills completions bash)",
        ),
        // `-D` writes no file, `-u` accepts the directories of the system.
        "zsh" => (
            "zsh -f -i",
            "autoload -U compinit; compinit -D -u; source <(skills completions zsh); source <(cargo-skills completions zsh)",
        ),
        _ => (
            "fish --no-config --private",
            "set fish_autosuggestion_enabled 0; skills completions fish | source; cargo-skills completions fish | source",
        ),
    };
    // An interactive shell controls its terminal, and ignores the signals that end others.
    let command = shell(
        sandbox,
        "sh",
        &format!("exec setsid --ctty --wait timeout --foreground -s KILL 120 {start}"),
    );
    // Shells save their history and settings.
    let own = sandbox.project(".shell");
    std::fs::create_dir(&own).unwrap();
    let command = command.env("HISTFILE", "").env("XDG_DATA_HOME", own.join("data"));
    let command = command.env("XDG_CONFIG_HOME", own.join("config"));
    // fish creates a pipe there.
    let command = command.env("XDG_RUNTIME_DIR", &own);
    let command = command.env("LC_ALL", "C.UTF-8").env("NO_COLOR", "1");
    let mut running = command.in_terminal(200);
    running.types(&format!("{load}; echo rea''dy\n"));
    running.wait_for_screen("ready");
    running
}

/// Directories whose names are commands for a shell that does not quote them, and their ends.
const HOSTILE: [(&str, &str); 4] = [
    ("a$(touch PWNED)first", "first"),
    ("b`touch PWNED`second", "second"),
    ("c;touch PWNED;third", "third"),
    ("d'\"&touch PWNED&fourth", "fourth"),
];

/// Completes paths, runs the commands and checks that they get these paths.
fn completes_paths(name: &str) {
    let sandbox = with_sources([("house", "own", "xx-atlas"), ("shared", "more", "pptx")]);
    for (directory, _) in HOSTILE {
        sandbox.write(format!("project/{directory}/README.md"), "");
    }
    sandbox.write("project/yy-notes.lock", "{");
    sandbox.write("project/zz-tides/README.md", "");
    let mut shell = interactive(&sandbox, name);
    let hostile = HOSTILE.map(|(directory, end)| {
        (format!("skills validate ./{}", &directory[..1]), end, format!("neither `./{directory}"))
    });
    // A skill and a directory for an argument that takes both, and a file.
    let plain = [
        ("skills validate xx", "-atlas", "ok 1 skill: "),
        ("cargo-skills validate xx", "-atlas", "ok 1 skill: "),
        ("skills validate zz", "-tides", "neither `zz-tides"),
        ("skills sync --check --lock yy", "-notes.lock", "yy-notes.lock:"),
    ];
    let plain = plain.map(|(typed, completed, run)| (typed.to_owned(), completed, run.to_owned()));
    for (typed, completed, run) in hostile.into_iter().chain(plain) {
        shell.types(&format!("{typed}\t"));
        shell.wait_for_screen(completed);
        shell.types("\r");
        shell.wait_for_screen(&run);
    }
    shell.types("exit\n");
    drop(shell.finish());
    assert!(!sandbox.exists("project/PWNED"));
}

#[test]
fn bash_quotes_paths_that_it_completes() {
    completes_paths("bash");
}

#[test]
#[ignore = "requires zsh"]
fn zsh_quotes_paths_that_it_completes() {
    completes_paths("zsh");
}

#[test]
#[ignore = "requires fish"]
fn fish_quotes_paths_that_it_completes() {
    completes_paths("fish");
}
