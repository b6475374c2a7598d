//! Commands generated from pieces of shell syntax, with hostile values in them, run by the shells
//! of this machine.
//!
//! `HELIX_SEED` is the first number for the generator [default: a fixed one], and
//! `HELIX_COMMANDS` how many commands are run. CI sets both; a failure prints the seed.

use crate::{dice::Dice, folder::Folder, waiting::wait};
use helix_skills_agent::shell::{ExitStatus, Shell, ShellCommand};
use helix_skills_host::{Environment, SystemShell};
use helix_skills_runtime::{Arguments, Template, Variables};
use std::{fs, os::unix::fs::PermissionsExt, time::Duration};

/// How many commands each shell runs by default.
const COMMANDS: usize = 300;

/// The seed by default.
const SEED: u64 = 7;

/// Parts of the commands. `seen` records its words. No part passes a value to an interpreter on
/// purpose.
const PIECES: &[&str] = &[
    "seen $0",
    "seen \"$0\"",
    "seen '$0'",
    "seen a$0b \"c $0 d\"",
    "seen $ARGUMENTS",
    "seen ${X} $0",
    "$$(",
    "$?(",
    "$!",
    "$#",
    "$-",
    "echo \"version $$(git describe $0)\"",
    "files=(git ls-files | grep $0)",
    "files=(a; $0)",
    ">& $0",
    "&> $0",
    "read $0 x",
    "let n=$0",
    "local -i n=$0",
    "test -v $0",
    "printf -v $0 x",
    "eval $0",
    "[[ $0 -gt 3 ]]",
    "$0",
    "$0",
    "\"$0\"",
    "$ARGUMENTS",
    "$(seen $0)",
    "\"$(seen \"$0\")\"",
    "<(seen $0)",
    "{ seen $0; }",
    "( seen $0 )",
    "f() { seen $0; }; f",
    "x=$0",
    "x=($0)",
    "x=([1]=$0)",
    "x[0]=$0",
    "x[$0]=1",
    "x=([$0]=1)",
    "x+=([ $0 ]=1)",
    "${x[$0]}",
    "[ $0 = x ]",
    "[[ x == $0 ]]",
    "[[ x =~ (a #' ) ]]",
    "[[ x == @(a #') ]]",
    "[[ x =~ ",
    "[[ ",
    " ]]",
    "if true; then",
    "fi",
    "for w in $0 b; do seen $0",
    "done",
    "while false; do",
    "case",
    "case x in",
    "esac",
    "x)",
    ";;",
    "{",
    "}",
    "(",
    ")",
    "$(",
    "$((",
    "))",
    "((",
    "`",
    "<<END\n",
    "<<'END'\n",
    "<<-END\n",
    "<<<$0",
    "\nEND\n",
    "<",
    "<<",
    ">",
    "|",
    "&",
    "&&",
    "||",
    ";",
    "\n",
    "\n",
    " ",
    " ",
    " ",
    "\\",
    "\\\n",
    "\t",
    "\r",
    "#",
    " #",
    "# '",
    "#'",
    "'",
    "'",
    "\"",
    "\"",
    "$",
    "$'",
    "$\"",
    "${",
    "${x:-",
    "${x#",
    "=~",
    "@(",
    "!(",
    "=(",
    "[",
    "]",
    "x[",
    "!",
    "~",
    "*",
    "{a,b}",
    "echo",
    "echo ",
    "true",
    "set -f",
    "coproc",
    "function",
    "select",
    "time",
    "in",
    "do",
    "then",
];

/// Complete commands.
const WHOLE: &[&str] = &[
    "seen $0",
    "seen \"$0\"",
    "seen '$0'",
    "seen a$0b \"c $0 d\"",
    "seen $ARGUMENTS",
    "seen ${X} $0",
    "seen $(seen $0)",
    "seen \"$(seen \"$0\")\"",
    "{ seen $0; }",
    "( seen $0 )",
    "f() { seen $0; }; f",
    "x=$0",
    "x=($0)",
    "x[0]=$0",
    "x[$0]=1",
    "x=([$0]=1)",
    "x=([1]=$0)",
    "[ $0 = x ]",
    "[[ x == $0 ]]",
    "for w in $0 b; do seen $0; done",
    "if seen $0; then seen $0; fi",
    "# it's a comment",
    "echo it\\'s",
    "echo \"it's\"",
    "echo 'a \"b'",
    "seen $0 # it's",
    "seen $0\\\n $0",
    "echo a#'b' $0",
    "echo $# '#' $0",
    "[[ x =~ a(b|c) ]]",
    "echo ${X}",
    "echo \"${HOME}\" $0",
    "seen $0 >&2",
    "cat <<<$0",
    "cat < lines",
    "while seen $0 && false; do :; done",
    "seen `seen $0` \"`seen \"$0\"`\"",
    "case $0 in a) seen $0;; *) seen \"$0\";; esac",
    "seen \"$$ $0 $?\"",
    "seen $# # it's $0",
    "true $((1 + 2)); seen $0",
];

/// Values that create a file or split if they are not quoted. Each begins with `q7` and ends with
/// `7q`, so that a split value is detected.
const VALUES: &[&str] = &[
    "q7 * ~ $(touch marker) `touch marker` ; touch marker ; 7q",
    "q7'; touch marker; '7q",
    "q7\"; touch marker; \"7q",
    "q7\ntouch marker\n7q",
    "q7 ) ; touch marker ; ( 7q",
    "q7 ) ]]; touch marker; [[ x =~ ( 7q",
    "q7 ) ]]; touch marker; [[ x == @( 7q",
    "q7[$(touch marker)] 7q",
    "a[$(touch marker)0]",
    "q7\nEND\ntouch marker\n 7q",
    "q7}; touch marker; { 7q",
    "q7;; esac; touch marker; case x in x) 7q",
    "q7 #\\\ntouch marker\n7q",
    "q7 x) touch marker ;; 7q",
    "q7 $(touch${IFS}marker) 7q",
    "$(touch marker)",
    "x\ntouch marker\n",
    "'; touch marker; '",
    "",
];

fn variable(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name} is not a number: `{text}`")))
}

/// The shells of this machine. `dash` and `busybox` are not everywhere; `sh` and `bash` have to be.
fn shells(programs: &Folder, environment: &Environment) -> Vec<SystemShell> {
    programs.write("busybox-sh", "#!/bin/sh\nexec busybox sh \"$@\"\n");
    fs::set_permissions(programs.path("busybox-sh"), fs::Permissions::from_mode(0o700)).unwrap();
    let busybox = programs.path("busybox-sh");
    let all = [SystemShell::new(), SystemShell::with_program("bash")];
    let optional = [SystemShell::with_program("dash"), SystemShell::with_program(busybox)];
    let works = |shell: &SystemShell| {
        wait(shell.run(ShellCommand::new(":")))
            .is_ok_and(|output| output.exit == ExitStatus::Code(0))
    };
    assert!(all.iter().all(works));
    let all = all.into_iter().chain(optional.into_iter().filter(works));
    all.map(|shell| shell.environment(environment.clone())).collect()
}

/// Generates a command: mostly complete ones, with arbitrary parts in the middle. The second value
/// is whether all parts are complete.
fn generate(dice: &mut Dice) -> (String, bool) {
    let mut command = String::new();
    for _ in 0..1 + dice.below(3) {
        command.push_str(dice.of(WHOLE));
        command.push_str(dice.of(&["\n", "\n", " ; ", " && ", " | ", " "]));
    }
    let others = dice.below(3);
    for _ in 0..others {
        command.push_str(dice.of(PIECES));
        command.push_str(dice.of(&["", " "]));
    }
    // Often the same part again, so that an open quote is closed.
    if others > 0 && dice.below(2) == 0 {
        command = format!(
            "{command}{}seen $0{}{command}",
            dice.of(&[" ", "\n"]),
            dice.of(&["", " ", "\n", " #"])
        );
    }
    (command, others == 0)
}

#[test]
fn no_value_runs_in_commands_of_any_form() {
    let seed = variable("HELIX_SEED").unwrap_or(SEED);
    let count = variable("HELIX_COMMANDS").map_or(COMMANDS, |count| count.try_into().unwrap());
    let folder = Folder::new();
    folder.write("lines", "a file for globbing");
    let programs = Folder::new();
    programs.write("seen", "#!/bin/sh\nprintf '%s\\n' \"$@\" >> words\n");
    fs::set_permissions(programs.path("seen"), fs::Permissions::from_mode(0o700)).unwrap();
    let path = format!("{}:/usr/bin:/bin", programs.path("").display());
    let shells = shells(&programs, &Environment::new().set("PATH", path));
    println!("{count} commands in {} shells, seed {seed}", shells.len());
    let directory = folder.text("");
    let mut dice = Dice::new(seed);
    let (mut ran, mut noted) = (0, 0);
    while ran < count {
        let (command, is_whole) = generate(&mut dice);
        let body = format!("```!\n{command}\n```");
        let value = dice.of(VALUES);
        let array = serde_json::to_string(&[value]).unwrap();
        let known = Variables::new().set("X", value);
        let arguments =
            if dice.below(8) == 0 { Arguments::NONE } else { Arguments::json(&array).unwrap() };
        let filled = Template::new(&body).bind(arguments, &known);
        let Ok(commands) = filled.commands() else { continue };
        let Some(text) = commands.first().map(|command| command.text()) else {
            continue;
        };
        if !text.starts_with("SKILL_VALUE_1=") {
            continue;
        }
        ran += 1;
        for shell in &shells {
            let mut shell_command = ShellCommand::new(&text);
            shell_command.directory = Some(&directory);
            shell_command.time_limit = Duration::from_secs(3);
            // It may time out or be invalid. Only its effects count.
            let _ = wait(shell.run(shell_command)).unwrap();
            let noted_text =
                fs::read_to_string(folder.path("words")).unwrap_or_default().replace(&array, "");
            noted += usize::from(!noted_text.is_empty());
            // Only complete commands promise that a value is one word.
            let is_one_word = !is_whole
                || !value.starts_with("q7")
                || noted_text.matches("q7").count() == noted_text.matches(value).count();
            assert!(
                !folder.path("marker").exists() && is_one_word,
                "HELIX_SEED={seed}: {shell:?} ran\n{text}\nof\n{command}\nand noted\n{noted_text}"
            );
            for name in fs::read_dir(&directory).unwrap().map(|entry| entry.unwrap().path()) {
                if name.is_file() && !name.ends_with("lines") {
                    fs::remove_file(name).unwrap();
                }
            }
        }
    }
    // Otherwise the parts produce too few valid commands.
    assert!(noted > count / 2, "{noted} commands noted something");
}
