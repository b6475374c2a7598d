//! Commands generated from a grammar and near to it, with hostile values in them, run by the shells
//! of this machine: each program gets the words that it gets with a plain value, the value
//! exchanged.
//!
//! `HELIX_SEED` is the first number for the generator [default: a fixed one], and
//! `HELIX_COMMANDS` how many commands are run. CI sets both; a failure prints the seed.

use crate::{dice::Dice, folder::Folder, waiting::wait};
use helix_skills_agent::shell::{ExitStatus, Shell, ShellCommand};
use helix_skills_host::{Environment, SystemShell};
use helix_skills_runtime::{Arguments, Template, Variables};
use std::{fs, os::unix::fs::PermissionsExt, time::Duration};

/// How many commands each shell runs by default.
const COMMANDS: usize = 200;

/// The seed by default.
const SEED: u64 = 7;

/// The value that the hostile ones are compared with.
const PLAIN: &str = "q7q";

/// Words without other words in them.
const WORDS: &[&str] = &[
    "$0",
    "\"$0\"",
    "a$0.b",
    "\"a  $0 b\"",
    "--x=$0",
    "''$0\"$0\"'$ `'",
    "$ARGUMENTS",
    "${X}",
    "\"${X}/$0\"",
    "word",
    "'a  b'",
    "\"c  d\"",
    "*",
    "\"*\"",
    "\"$n\"",
    "\"x ${n} $n\"",
    "\"$?\"",
    "\"\\\"\\$\\\\ \\n $\"",
    "\"^($0|b)$\"",
    "$5",
    "\"$5$0\"",
    "{}",
    "a,b:c/d@e%f=g+h",
    "\"it's\"",
    "'\"'",
    "\"#\"",
    "''",
    "-o",
];

/// Texts that are not in the grammar, or mean something else elsewhere.
const NOISE: &[&str] = &[
    "'",
    "\"",
    "\\",
    "`",
    "$",
    "${",
    "}",
    "$(",
    ")",
    "(",
    "#",
    " #",
    "&",
    ";",
    "|",
    "\n",
    "\\\n",
    "<",
    ">",
    "<<END\n",
    "\nEND\n",
    "<<<",
    ">&",
    "&>",
    "{",
    "[",
    "[[",
    "]]",
    "!",
    "~",
    "*",
    "=",
    "+=",
    "$'",
    "$\"",
    "$((",
    "))",
    "${x:-",
    "$n",
    "$0",
    " ",
    "\t",
    "\r",
    "x=",
    "x[",
    "eval ",
    "if ",
    "then ",
    "fi",
    "case $0 in ",
    "esac",
    "do ",
    "done",
    "time ",
    "coproc ",
    "2",
    "2>",
    "\u{a0}",
    "é",
    "-v ",
    " -a ",
    "-n",
    "@(",
    "%",
    "^",
    "printf -v ",
    "export ",
    "local ",
    "read ",
    ". ",
    "command ",
    "alias ",
];

/// Values that create a file, or split, if they are not one word.
const VALUES: &[&str] = &[
    "q7 * ~ $(touch marker) `touch marker` ; touch marker ; 7q",
    "q7'; touch marker; '7q",
    "q7\"; touch marker; \"7q",
    "q7\ntouch marker\n7q",
    "q7 ) ; touch marker ; ( 7q",
    "q7[$(touch marker)] 7q",
    "a[$(touch marker)0]",
    "q7\nEND\ntouch marker\n 7q",
    "q7}; touch marker; { 7q",
    "q7 #\ntouch marker\n7q",
    "q7 $(touch${IFS}marker) 7q",
    "$(touch marker)",
    "x\ntouch marker\nx",
    "'; touch marker; '",
    "x -o -exec touch marker ; -o -name y",
    "--output=marker",
    "-v",
    "!",
    "(",
    "=",
    "~/x",
    "* *",
    ">marker",
    "PATH=x",
    "eval",
];

fn variable(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name} is not a number: `{text}`")))
}

fn script(programs: &Folder, name: &str, text: &str) {
    programs.write(name, text);
    fs::set_permissions(programs.path(name), fs::Permissions::from_mode(0o700)).unwrap();
}

/// The shells of this machine. `dash`, `busybox` and `mksh` are not everywhere; `sh` and `bash`
/// have to be.
fn shells(programs: &Folder, environment: &Environment) -> Vec<SystemShell> {
    script(programs, "busybox-sh", "#!/bin/sh\nexec busybox sh \"$@\"\n");
    // `mksh` does not skip `--` after `-c`.
    script(programs, "mksh-sh", "#!/bin/sh\nexec mksh -c \"$3\"\n");
    let all = [SystemShell::new(), SystemShell::with_program("bash")];
    let optional = [
        SystemShell::with_program("dash"),
        SystemShell::with_program(programs.path("busybox-sh")),
        SystemShell::with_program(programs.path("mksh-sh")),
    ];
    let works = |shell: &SystemShell| {
        wait(shell.run(ShellCommand::new(":")))
            .is_ok_and(|output| output.exit == ExitStatus::Code(0))
    };
    assert!(all.iter().all(works));
    let all = all.into_iter().chain(optional.into_iter().filter(works));
    all.map(|shell| shell.environment(environment.clone())).collect()
}

fn word(dice: &mut Dice, depth: usize) -> String {
    match dice.below(if depth < 3 { 5 } else { 4 }) {
        4 => {
            let (before, after) = (dice.of(&["", "x ", "$0"]), dice.of(&["", " ", ".$0"]));
            format!("\"{before}$({}){after}\"", list(dice, depth + 1))
        }
        _ => dice.of(WORDS).to_owned(),
    }
}

/// Generates a simple command. `seen` and `out` are programs: one records its words, and the other
/// prints them as well.
fn simple(dice: &mut Dice, depth: usize) -> String {
    let (first, second) = (word(dice, depth), word(dice, depth));
    match dice.below(16) {
        0 => format!("n={}", dice.of(&["$0", "\"$0\"", "a$0", "\"$n  $0\"", "\"$n\"", "word"])),
        1 => format!("n=$({})", list(dice, depth + 1)),
        2 => format!("n={first}"),
        3 => format!("A='b c' B=$5 seen {first} {second}"),
        4 => format!("[ {first} {} {second} ]", dice.of(&["=", "!="])),
        5 => format!("test {} {first}", dice.of(&["-n", "-e", "-f", "-d", "-x"])),
        6 => format!("printf '%s  %s' {first} {second}"),
        7 => format!("seen -- {first} 2>/dev/null {second} >.out"),
        8 => format!("cd -- {first}"),
        9 => dice.of(&["true", "false", ":", "pwd", "cat lines"]).to_owned(),
        10 => format!("printf 'x %s\n' {first}"),
        11 => format!("out {first} -- {second}"),
        _ => format!("seen {first} {second}"),
    }
}

fn list(dice: &mut Dice, depth: usize) -> String {
    let mut text = simple(dice, depth);
    for _ in 0..dice.below(if depth == 0 { 4 } else { 2 }) {
        let join = dice.of(&[" | ", " && ", " || ", "; ", "\n", " |\n  ", " &&\\\n ", ";"]);
        text = format!("{text}{join}{}", simple(dice, depth));
    }
    text
}

/// Generates a command of the grammar, or one that differs from it by a few texts.
fn generate(dice: &mut Dice) -> String {
    let mut command = list(dice, 0);
    for _ in 0..dice.below(6).saturating_sub(3) {
        let places: Vec<usize> = command.char_indices().map(|(at, _)| at).collect();
        command.insert_str(places[dice.below(places.len())], dice.of(NOISE));
    }
    command
}

/// Returns the text of a command with `value`, if it is accepted.
fn text(command: &str, value: &str, known: &Variables) -> Option<String> {
    let body = format!("```!\n{command}\n```");
    let array = serde_json::to_string(&[value]).unwrap();
    let filled = Template::new(&body).bind(Arguments::json(&array).unwrap(), known);
    let texts = filled.command_texts().ok()?;
    texts.into_iter().next().filter(|text| text.contains("SKILL_VALUE_1="))
}

/// Runs a text, and returns what it did: the words of each program, in any order, the exit status,
/// and the names of the files.
fn run(shell: &SystemShell, text: &str, folder: &Folder, words: &Folder) -> (Vec<String>, String) {
    let directory = folder.text("");
    let mut command = ShellCommand::new(text);
    command.directory = Some(&directory);
    command.time_limit = Duration::from_secs(10);
    let output = wait(shell.run(command)).unwrap();
    let noted = fs::read(words.path("words")).unwrap_or_default();
    let _ = fs::remove_file(words.path("words"));
    let noted = String::from_utf8_lossy(&noted).into_owned();
    let mut names = Vec::new();
    for entry in fs::read_dir(&directory).unwrap().map(|entry| entry.unwrap()) {
        names.push(entry.file_name().into_string().unwrap());
        if entry.file_name() != "lines" {
            fs::remove_file(entry.path()).unwrap();
        }
    }
    names.sort();
    let words = noted.split('\u{1e}').map(|words| words.trim_start_matches('\u{1f}').to_owned());
    (words.collect(), format!("{:?} {names:?}", output.exit))
}

#[test]
fn commands_get_the_same_words_with_any_value() {
    let seed = variable("HELIX_SEED").unwrap_or(SEED);
    let count = variable("HELIX_COMMANDS").map_or(COMMANDS, |count| count.try_into().unwrap());
    let (folder, programs) = (Folder::new(), Folder::new());
    folder.write("lines", "a file for globbing");
    let record = "printf '%s\\037' \"$#\" \"$@\" \"$(printf '\\036')\" >> \"${0%/*}/words\"\n";
    script(&programs, "seen", &format!("#!/bin/sh\n{record}"));
    script(&programs, "out", &format!("#!/bin/sh\n{record}printf '%s ' \"$@\"\nprintf .\n"));
    let path = format!("{}:/usr/bin:/bin", programs.path("").display());
    let shells = shells(&programs, &Environment::new().set("PATH", path));
    println!("{count} commands in {} shells, seed {seed}", shells.len());
    let mut dice = Dice::new(seed);
    let (mut ran, mut noted, mut tried) = (0, 0, 0);
    while ran < count {
        tried += 1;
        let command = generate(&mut dice);
        let value = dice.of(VALUES);
        let known = Variables::new().set("X", "it's  host");
        let (Some(plain), Some(hostile)) =
            (text(&command, PLAIN, &known), text(&command, value, &known))
        else {
            continue;
        };
        if !plain.contains(PLAIN) {
            continue;
        }
        ran += 1;
        let array = |value| serde_json::to_string(&[value]).unwrap();
        let exchanged = |word: &String| {
            let marked = word.replace(&array(PLAIN), "\u{1}").replace(PLAIN, value);
            marked.replace('\u{1}', &array(value))
        };
        for shell in &shells {
            let (words, effects) = run(shell, &plain, &folder, &programs);
            let mut expected: Vec<_> = words.iter().map(exchanged).collect();
            let (mut words, hostile_effects) = run(shell, &hostile, &folder, &programs);
            noted += usize::from(words.len() > 1);
            expected.sort();
            words.sort();
            assert_eq!(
                (words, hostile_effects),
                (expected, effects),
                "HELIX_SEED={seed}: {shell:?} ran\n{hostile}\nof\n{command}"
            );
        }
    }
    // Otherwise the parts produce too few valid commands.
    assert!(noted > ran && tried < 20 * ran, "{noted} of {ran} noted something, {tried} tried");
}
