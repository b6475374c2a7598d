//! Values in commands, as real shells read them.
#![cfg(unix)]

use crate::NO_VARIABLES;
use crate::hostile::config;
use helix_skills_runtime::{Arguments, Error, Profile, Template, Variables};
use proptest::{collection::vec, prelude::*, sample::select};
use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// The shells of this machine, as program and arguments; `sh` is one of the others.
fn shells() -> Vec<&'static str> {
    let is_there = |shell: &&str| {
        self::shell(shell).args(["-c", "exit 0"]).status().is_ok_and(|status| status.success())
    };
    ["sh", "bash", "dash", "busybox sh"].into_iter().filter(is_there).collect()
}

fn shell(shell: &str) -> Command {
    let mut words = shell.split(' ');
    let mut command = Command::new(words.next().unwrap());
    command.args(words);
    command
}

/// Creates an empty directory for the test.
fn directory(name: &str) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&directory);
    fs::create_dir_all(&directory).unwrap();
    directory
}

/// Runs a command in a directory and returns its output.
fn run(shell: &str, command: &str, directory: &Path) -> String {
    let output = self::shell(shell)
        .args(["-c", command])
        .current_dir(directory)
        .env("X", "x")
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .unwrap();
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Returns the only command of a block.
fn command(block: &str, value: &str) -> Result<String, Error> {
    let body = format!("```!\n{block}\n```");
    let array = serde_json::json!([value]).to_string();
    let template = Template::new(&body).bind(Arguments::json(&array).unwrap(), &NO_VARIABLES);
    let commands = template.commands()?;
    let [command] = &commands[..] else { panic!("one command: {commands:?}") };
    Ok(command.text())
}

type Printed = fn(&str) -> String;

/// Commands that print a value, and what they print of it.
const PRINTING: [(&str, Printed); 25] = [
    ("printf '[%s]' $0", |value| format!("[{value}]")),
    ("printf '[%s]' a$0'b'", |value| format!("[a{value}b]")),
    ("printf '[%s]' \"a $0 b\"", |value| format!("[a {value} b]")),
    ("printf '[%s]' 'a $0 b'", |value| format!("[a {value} b]")),
    ("printf '[%s]' \"it's $0\"", |value| format!("[it's {value}]")),
    ("printf '[%s]' \"\\\"$0\\\"\"", |value| format!("[\"{value}\"]")),
    ("printf '[%s]' \"${X}$X$0\"", |value| format!("[xx{value}]")),
    ("printf '[%s]' \"$(printf '%sx' $0)\"", |value| format!("[{value}x]")),
    ("printf '[%s]' \"$(printf '%sx' \"$0\")$0\"", |value| format!("[{value}x{value}]")),
    ("x=$0; printf '[%s]' \"$x\"", |value| format!("[{value}]")),
    ("(printf '[%s]' $ARGUMENTS[0])", |value| format!("[{value}]")),
    ("# it's a \"comment\nprintf '[%s]' \\\n  $0", |value| format!("[{value}]")),
    ("f() { printf '[%s]' \"$1\"; }; f $0 # $HOME", |value| format!("[{value}]")),
    ("printf '[%s]' $0 2>/dev/null | cat", |value| format!("[{value}]")),
    ("x=`printf '%sx' $0`; printf '[%s]' \"$x\"", |value| format!("[{value}x]")),
    ("printf '[%s]' \"`printf '%sx' \"$0\"`\"", |value| format!("[{value}x]")),
    ("case $0 in x) ;; *) printf '[%s]' $0;; esac", |value| format!("[{value}]")),
    ("printf '[%s]' \"${X#\"y\"}$0\"", |value| format!("[x{value}]")),
    ("printf '[%s]' \"$$\" >/dev/null; printf '[%s]' \"$0\"", |value| format!("[{value}]")),
    ("printf '[%s]' \"$((1 + 2))$0\"", |value| format!("[3{value}]")),
    ("set -- a b; printf '[%s]' \"$#\" $0", |value| format!("[2][{value}]")),
    ("printf '[%s]' $0 # $0, it's", |value| format!("[{value}]")),
    ("[ a = b ] || printf '[%s]' $0", |value| format!("[{value}]")),
    ("printf '[%s]' '' >&2; printf '[%s]' $0", |value| format!("[{value}]")),
    ("echo ( ; printf '[%s]' $0", |_| String::new()),
];

const HOSTILE: [&str; 20] = [
    "",
    " ",
    "plain",
    "it's",
    "''''",
    "\"",
    "$(touch marker)",
    "`touch marker`",
    "; touch marker #",
    "\ntouch marker\n",
    "' ; touch marker ; '",
    "\" ; touch marker ; \"",
    "'\"$(touch marker)\"'",
    "\\",
    "\\'; touch marker; \\'",
    "$HOME ~ * ${X} $0 $1",
    "!`touch marker`",
    "\n```\n\n```!\ntouch marker\n```\n",
    "$(touch${IFS}marker)",
    "a[$(touch marker)]",
];

#[test]
fn shells_read_every_value_as_one_word() {
    let directory = directory("words");
    for shell in shells() {
        for (block, expected) in PRINTING {
            for value in HOSTILE {
                let output = run(shell, &command(block, value).unwrap(), &directory);
                assert_eq!(output, expected(value), "{shell}: {block}: {value:?}");
            }
        }
    }
    assert_eq!(fs::read_dir(&directory).unwrap().count(), 0);
}

#[test]
fn line_ends_of_commands_are_line_feeds() {
    let block = "# it's\nvalue=$0\nif true; then\n  cat <<END\n$value\nEND\nfi";
    let body = format!("```!\n{block}\n```\nEnd\n").replace('\n', "\r\n");
    let value = Arguments::json(r#"["a\r\nb"]"#).unwrap();
    for profile in Profile::ALL {
        let filled = Template::new(&body).profile(profile).bind(value, &NO_VARIABLES);
        let commands = filled.commands().unwrap();
        // The value is not changed.
        let assignment = "SKILL_VALUE_1='a\r\nb'\n";
        let reference = "\"${SKILL_VALUE_1}\"";
        assert_eq!(commands[0].text(), format!("{assignment}{}", block.replace("$0", reference)));
        assert_eq!(commands.len(), 1);
        // What is only shown stays as written.
        let shown = body.replace("$0", reference).replacen('#', &format!("{assignment}#"), 1);
        assert!(filled.to_string().starts_with(&shown), "{filled}");
    }
    for (block, expected) in PRINTING {
        let crlf = block.replace('\n', "\r\n");
        assert_eq!(command(&crlf, "x").unwrap(), command(block, "x").unwrap(), "{}", expected("x"));
    }
}

#[test]
fn skill_dir_is_filled_in_a_here_document() {
    let (directory, path) = (directory("here"), "/skills/pdf-1.2_x");
    let filled = |block: &str, path: &str| {
        let body = format!("```!\n{block}\n```");
        let template = Template::new(&body);
        let variables = Variables::new().skill_directory(path).session("END");
        let filled = template.bind(Arguments::json(r#"["/x"]"#).unwrap(), &variables);
        filled.commands().map(|commands| commands[0].text())
    };
    for shell in shells() {
        for block in [
            "cat <<END\nin ${SKILL_DIR}\nEND",
            "cat <<'END' | cat\nin ${CLAUDE_SKILL_DIR}\nEND",
            "cat <<-\"END\" && ls ${SKILL_DIR} >&2\n\tin ${SKILL_DIR}\nEND\ncat ${AGENTICK_SKILL_DIR}/none",
        ] {
            let command = filled(block, path).unwrap();
            assert_eq!(
                run(shell, &command, &directory),
                format!("in {path}\n"),
                "{shell}: {block}"
            );
        }
    }
    // Other values could end the here-document, or have a meaning in it or behind it.
    let block = "cat <<END\n${SKILL_DIR}\nEND";
    for path in
        ["/a b", "/$(id)", "/a\nEND", "/a;b", "/`id`", "/a'", "/\\a", "END", "a/b", "", "/ü"]
    {
        let error = filled(block, path).unwrap_err();
        assert!(error.to_string().contains("after a here-document"), "{path}: {error}");
    }
    for block in
        ["cat <<END\n$0\nEND", "cat <<END\n${CLAUDE_SESSION_ID}\nEND", "cat <<${CLAUDE_SESSION_ID}"]
    {
        filled(block, path).unwrap_err();
    }
}

#[test]
fn refusals_have_a_hint_that_works() {
    let directory = directory("hints");
    let rewritten: [(&str, &str, &str); 3] = [
        (
            "cat <<END\n$0\nEND",
            "value=$0\ncat <<END\n$value\nEND",
            "`value=$0`, and write `$value`",
        ),
        (
            "echo ${x:-$0}",
            "value=$0\nprintf '%s\\n' \"${x:-$value}\"",
            "`value=$0`, and write `\"$value\"`",
        ),
        ("read $0 <<<x", "name=$0\nprintf '%s\\n' \"$name\"", "in a line of its own, `name=$0`"),
    ];
    for (refused, allowed, says) in rewritten {
        let error = command(refused, "x").unwrap_err();
        let hint = error.hint().unwrap();
        assert!(hint.contains(says), "{refused}: {hint}");
        assert!(error.to_string().ends_with(hint), "{error}");
        for (shell, value) in
            shells().into_iter().flat_map(|shell| HOSTILE.map(|value| (shell, value)))
        {
            let output = run(shell, &command(allowed, value).unwrap(), &directory);
            assert_eq!(output.trim_end(), value.trim_end(), "{shell}: {allowed}: {value:?}");
        }
    }
    let hint = command("echo $(($0 + 1))", "41").unwrap_err().hint().unwrap();
    assert!(hint.contains("`expr $0 + 1` instead of `$(($0 + 1))`"), "{hint}");
    for shell in shells() {
        assert_eq!(run(shell, &command("expr $0 + 1", "41").unwrap(), &directory), "42\n");
        for value in HOSTILE.into_iter().chain(["a[$(touch marker)]"]) {
            run(shell, &command("expr $0 + 1", value).unwrap(), &directory);
        }
    }
    assert_eq!(fs::read_dir(&directory).unwrap().count(), 0);
}

#[test]
fn values_are_refused_where_bash_evaluates_them() {
    for (block, place) in [
        ("cat <<END\n$0\nEND", "in or after a here-document"),
        ("cat <<$0", "in or after a here-document"),
        ("echo $((1 + $0))", "in arithmetic"),
        ("echo \"$((1 + $0))\"", "in arithmetic"),
        ("echo $((1 + $(echo $0)))", "in arithmetic"),
        ("((x = $0))", "in arithmetic"),
        ("for ((i = 0; i < $0; i++)); do :; done", "in arithmetic"),
        ("[[ $0 -gt 3 ]]", "in arithmetic"),
        ("[[ x == x && 3 -lt \"$0\" ]]", "in arithmetic"),
        ("echo $[1 + $0]", "in `[…]`"),
        ("x[$0]=1", "in `[…]`"),
        ("x[\"$0\"]=1", "in `[…]`"),
        ("x=([$0]=1)", "in `[…]`"),
        ("x+=(a\n[ $0 ]=1)", "in `[…]`"),
        ("echo $$0", "after a `$`"),
        ("echo \"$$0\"", "after a `$`"),
        ("echo ${x:-$0}", "in `${…}`"),
        ("echo \"${x:$(echo $0)}\"", "in `${…}`"),
        ("echo ${$0}", "in `${…}`"),
        ("make test >& $0", "after `>&`"),
        ("make test 2>&\"log $0\"", "after `>&`"),
        ("let n=$0", "in a word that the command evaluates"),
        ("read $0 <<<x", "in a word that the command evaluates"),
        ("if read -r \"$0\"; then :; fi", "in a word that the command evaluates"),
        ("declare -i n=$0", "in a word that the command evaluates"),
        ("f() { local -a x=$0; }", "in a word that the command evaluates"),
        ("x=1 eval \"echo $0\"", "in a word that the command evaluates"),
        ("trap $0 EXIT", "in a word that the command evaluates"),
        ("test -v $0", "in a word that the command evaluates"),
        ("[[ -v $0 ]]", "in a word that the command evaluates"),
        ("printf -v $0 %s x", "in a word that the command evaluates"),
    ] {
        let error = command(block, "x").unwrap_err();
        let hint = error.hint().unwrap();
        assert!(error.to_string().ends_with(&format!(" of the body, {place}: {hint}")), "{error}");
        // Without outputs, the text shows the command as written.
        let body = format!("```!\n{block}\n```");
        assert_eq!(Template::new(&body).fill("x".into(), &Variables::new()), body);
    }
    for fine in [
        "cat <<<$0",
        "echo $# $0",
        "echo 'a<<b `$((' $0",
        "echo \\`\\$\\' $0",
        "echo a#b $0",
        "lower-case $0",
        "echo \"$(date)\" $0",
        "x[1]=$0",
        "x[1 + 2]=3; echo $0",
        "x[$i]=a; ls a[0-9]*.txt $0",
        "x=($0 b); [ $0 = x ]",
        "[[ $0 =~ ^[0-9]+$ ]] && echo $0 \"$(date)\" $(date)",
        "x=~/a; (echo $0)",
        "echo `date` $0 \"`date $0`\"",
        "echo # $0",
        "echo $$$0",
        "case $0 in a) echo b;; esac",
        "read x <<<$0; read -r x < $0",
        "f() { local x=$0; }",
        "export X=$0; grep -v $0; echo read $0",
        "printf %s $0 | grep -v $0; test $0 -eq 3",
        "make test >$0 2>&1",
        "echo $'a $0'",
    ] {
        command(fine, "x").unwrap_or_else(|error| panic!("{fine}: {error}"));
    }
    let agentick =
        Template::new("!`echo \\$0`").profile(Profile::Agentick).bind("x".into(), &NO_VARIABLES);
    assert!(agentick.commands().unwrap_err().to_string().contains("after a backslash"));
}

/// Commands that a shell reads in another way than it seems, with a value that makes use of it.
const MISLEADING: [(&str, &str); 6] = [
    ("echo \"version $$(git describe $0)\"", "$(touch${IFS}marker)"),
    ("echo \"$?(x $0)\" \"$!(x $0)\" \"$-(x $0)\"", "$(touch${IFS}marker)"),
    ("files=(git ls-files | grep $0)", "x\ntouch marker\n"),
    ("echo $'it\\'s $0'", "'; touch marker; '"),
    ("[[ x =~ (a #' ) ]]\necho $0 #'", "\ntouch marker\n"),
    ("echo \"${x#'}\" $0 \"'}\"", "'; touch marker; '"),
];

#[test]
fn no_value_runs_in_misleading_commands() {
    let directory = directory("misleading");
    for shell in shells() {
        for (block, value) in MISLEADING {
            run(shell, &command(block, value).unwrap(), &directory);
            assert!(!directory.join("marker").exists(), "{shell}: {block}");
        }
    }
}

#[test]
fn assignments_precede_the_command_that_refers_to_them() {
    let known = Variables::new().set("DIR", "/a/b");
    let template = Template::new("!`ls $0 '$1' \"$0\" ${DIR}` and\n```!\nls $0\n```")
        .bind("'it is' it\\'s".into(), &known);
    let commands = template.commands().unwrap();
    let values = "SKILL_VALUE_1='it is'; SKILL_VALUE_2='it'\\''s'; ";
    let inline = "ls \"${SKILL_VALUE_1}\" ''\"${SKILL_VALUE_2}\"'' \"${SKILL_VALUE_1}\" /a/b";
    let block = "SKILL_VALUE_1='it is'\nls \"${SKILL_VALUE_1}\"";
    assert_eq!(commands[0].text(), values.replace("; ", "\n") + inline);
    assert_eq!(commands[1].text(), block);
    // What is shown to a model is one line, too.
    assert_eq!(template.to_string(), format!("!`{values}{inline}` and\n```!\n{block}\n```"));
}

#[test]
fn without_arguments_no_word_is_inserted() {
    let commands = |arguments: &'static str| -> Vec<String> {
        let template = Template::new("!`ls $ARGUMENTS` !`ls \"$ARGUMENTS\" $0`")
            .bind(arguments.into(), &NO_VARIABLES);
        let commands = template.commands().unwrap();
        commands.iter().map(|command| command.text()).collect()
    };
    assert_eq!(commands(""), ["ls ", "ls \"\" $0"]);
    let value = |number: u8, text: &str| format!("SKILL_VALUE_{number}='{text}'\n");
    assert_eq!(
        commands("a b"),
        [
            format!("{}ls \"${{SKILL_VALUE_1}}\"", value(1, "a b")),
            format!(
                "{}{}ls \"${{SKILL_VALUE_1}}\" \"${{SKILL_VALUE_2}}\"",
                value(1, "a b"),
                value(2, "a")
            ),
        ]
    );
}

#[test]
fn text_around_empty_arguments_is_adjacent() {
    let known = Variables::new().set("X", "; ls;");
    let commands = |command: &str| {
        let body = format!("```!\n{command}\n```");
        let template = Template::new(&body).bind(Arguments::NONE, &known);
        let commands = template.commands()?;
        Ok::<Vec<String>, Error>(commands.iter().map(|command| command.text()).collect())
    };
    // A comment, whose quotes have no meaning.
    assert_eq!(
        commands("ls $ARGUMENTS#'\nls ${X} #'").unwrap(),
        ["SKILL_VALUE_1='; ls;'\nls #'\nls \"${SKILL_VALUE_1}\" #'"]
    );
    let error = commands("cat <$ARGUMENTS<END\n${X}\nEND").unwrap_err().to_string();
    assert!(error.contains("after a here-document"), "{error}");
}

/// Pieces of commands, combined in any way.
fn pieces() -> impl Strategy<Value = Vec<&'static str>> {
    let all = vec![
        "echo ",
        "printf %s ",
        " ",
        "\n",
        "\"",
        "'",
        "\\",
        "$(",
        ")",
        "(",
        "${",
        "}",
        "{ ",
        "; }",
        "$",
        "#",
        " #",
        ";",
        "|",
        "x",
        "=",
        "X",
        "<",
        "<<",
        "E",
        "\nE\n",
        "`",
        "[",
        "]",
        "$((",
        "))",
        "case ",
        " in ",
        ";; ",
        "esac",
        "if :; then ",
        "fi",
        "!",
        "*",
        "-",
    ];
    vec(prop_oneof![3 => select(all), 1 => Just("$0"), 1 => Just("$ARGUMENTS")], 1..14)
}

proptest! {
    #![proptest_config(config(400))]

    /// Values that would create a file if they were run, between random pieces of shell syntax.
    #[test]
    fn values_are_never_run_in_any_context(pieces in pieces(), value in select(&HOSTILE[6..])) {
        let block = pieces.concat();
        if let Ok(command) = command(&block, value) {
            let directory = directory("random");
            for shell in shells() {
                run(shell, &command, &directory);
                prop_assert!(!directory.join("marker").exists(), "{}: {:?} made of {:?}", shell, command, block);
            }
        }
    }

    #[test]
    fn shells_pass_any_value_unchanged(value in "[^\0]{0,24}", at in 0..PRINTING.len()) {
        let (block, expected) = PRINTING[at];
        let output = run("sh", &command(block, &value).unwrap(), Path::new(env!("CARGO_TARGET_TMPDIR")));
        prop_assert_eq!(output, expected(&value), "{}", block);
    }
}
