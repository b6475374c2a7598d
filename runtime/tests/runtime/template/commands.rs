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
    ["sh", "bash", "dash", "busybox sh", "mksh"].into_iter().filter(is_there).collect()
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
    let texts = template.command_texts()?;
    let [text] = &texts[..] else { panic!("one command: {texts:?}") };
    Ok(text.clone())
}

type Printed = fn(&str) -> String;

/// Commands that print a value, and what they print of it.
const PRINTING: [(&str, Printed); 22] = [
    ("printf '[%s]' $0", |value| format!("[{value}]")),
    ("printf '[%s]' a$0'b'", |value| format!("[a{value}b]")),
    ("printf '[%s]' ''$0\"$0\"", |value| format!("[{value}{value}]")),
    ("printf '[%s]' \"a $0 b\" --x=$0", |value| format!("[a {value} b][--x={value}]")),
    ("printf '[%s]' \"it's $0\"", |value| format!("[it's {value}]")),
    ("printf '[%s]' \"\\\"$0\\\" \\\\ \\. \\$X\"", |value| format!("[\"{value}\" \\ \\. $X]")),
    ("printf '[%s]' \"${X}$X$0\"", |value| format!("[xx{value}]")),
    ("printf '[%s]' \"$(printf '%sx' $0)\"", |value| format!("[{value}x]")),
    ("printf '[%s]' \"$(printf '%sx' \"$0\")$0\"", |value| format!("[{value}x{value}]")),
    ("printf '[%s]' \"$( printf '%s' \"$(printf '%sx' \"($0\")\" )\"", |value| {
        format!("[({value}x]")
    }),
    ("x=$0; printf '[%s]' \"$x\"", |value| format!("[{value}]")),
    ("x=\"a $0\" ; y=\"$x\"\n\nprintf '[%s]' \"${y}\"", |value| format!("[a {value}]")),
    ("x=$(printf '%sx' $0); printf '[%s]' \"$x\"", |value| format!("[{value}x]")),
    ("printf '[%s]' $ARGUMENTS[0] \\\n  \"$1\"", |value| format!("[{value}][]")),
    ("printf '[%s]' $0 2>/dev/null | cat", |value| format!("[{value}]")),
    ("printf '[%s]' '#$(a) `' \"#\" '' $0", |value| format!("[#$(a) `][#][][{value}]")),
    ("Y='a b' printf '[%s]' $0", |value| format!("[{value}]")),
    ("[ a = b ] || printf '[%s]' $0", |value| format!("[{value}]")),
    ("[ \"$0\" != /x ] && test a = a && printf '[%s]' $0", |value| format!("[{value}]")),
    ("printf '[%s]' '' >&2; printf '[%s]' $0", |value| format!("[{value}]")),
    ("false || printf '[%s]' \"$?\" \"^($0)$\" \"a$|$)\"", |value| {
        format!("[1][^({value})$][a$|$)]")
    }),
    ("printf '[%s]' $1 \"$0\" \"$1\"", |value| format!("[{value}][]")),
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
    let block = "value=$0\n\ntest -n \"$value\" &&\n  echo \"a\nb\" \"$value\"";
    let body = format!("```!\n{block}\n```\nEnd\n").replace('\n', "\r\n");
    let value = Arguments::json(r#"["a\r\nb"]"#).unwrap();
    for profile in Profile::ALL {
        let filled = Template::new(&body).profile(profile).bind(value, &NO_VARIABLES);
        let texts = filled.command_texts().unwrap();
        // The value is not changed.
        let assignments = "SKILL_VALUE_1='a\r\nb'\nunset -v value\n";
        let reference = "\"${SKILL_VALUE_1}\"";
        assert_eq!(texts, [format!("{assignments}{}", block.replace("$0", reference))]);
        // What is only shown stays as written.
        let shown = body.replace("value=$0", &format!("{assignments}value={reference}"));
        assert!(filled.to_string().starts_with(&shown), "{filled}");
    }
    for (block, expected) in PRINTING {
        let crlf = block.replace('\n', "\r\n");
        assert_eq!(command(&crlf, "x").unwrap(), command(block, "x").unwrap(), "{}", expected("x"));
    }
}

#[test]
fn host_variables_do_not_restrict_a_command() {
    let directory = directory("here");
    let filled = |block: &str, path: &str| {
        let body = format!("```!\n{block}\n```");
        let template = Template::new(&body);
        let variables = Variables::new().skill_directory(path).session("END");
        let filled = template.bind(Arguments::json(r#"["/x"]"#).unwrap(), &variables);
        filled.command_texts().map(|texts| texts[0].clone())
    };
    let paths = ["/skills/pdf-1.2_x", "/a b", "/$(touch marker)", "/a;b", "/`id`", "/a'", "", "/ü"];
    for shell in shells() {
        for path in paths {
            // In the grammar, a variable is one word. Elsewhere, the shell expands it, and has it
            // in its environment.
            for block in [
                "printf 'in %s\n' ${SKILL_DIR}",
                "printf '%s\n' in\" \"'${CLAUDE_SKILL_DIR}'",
                "cat <<END\nin ${SKILL_DIR}\nEND",
                "if true; then printf 'in %s\n' \"${SKILL_DIR}\"; fi",
            ] {
                let quoted = path.replace('\'', "'\\''");
                let text = format!("SKILL_DIR='{quoted}'\n{}", filled(block, path).unwrap());
                let output = run(shell, &text, &directory);
                assert_eq!(output, format!("in {path}\n"), "{shell}: {block}");
            }
        }
        let block = "cat <<'END' | cat\nin ${SKILL_DIR}\nEND";
        let output = run(shell, &filled(block, paths[0]).unwrap(), &directory);
        assert_eq!(output, format!("in {}\n", paths[0]), "{shell}");
    }
    assert_eq!(fs::read_dir(&directory).unwrap().count(), 0);
    // A path of the host can begin the name of a command with a value.
    for (path, name) in [("/s", "/s"), ("/a b", "\"${SKILL_VALUE_1}\"")] {
        let text = filled("${SKILL_DIR}/scripts/run.sh $0", path).unwrap();
        assert!(text.contains(&format!("\n{name}/scripts/run.sh \"${{SKILL_VALUE_")), "{text}");
        filled("\"${SKILL_DIR}/scripts/run.sh\" $0", path).unwrap();
        filled("${SKILL_DIR} $0", "eval").unwrap_err();
        filled("${CLAUDE_SESSION_ID} $0", path).unwrap_err();
    }
}

/// Commands of the forms that are common in public skills.
const ACCEPTED: [&str; 26] = [
    "gh pr view $0 --json title,body,files",
    "gh pr diff \"$0\" --name-only | wc -l",
    "gh pr view $0 --json comments | jq '.comments | length'",
    "gh issue view $ARGUMENTS 2>/dev/null || echo \"no issue $ARGUMENTS\"",
    "gh api \"repos/{owner}/{repo}/issues/$0\" --jq '.title' 2>&1",
    "gh api \"repos/acme/tides/pulls/$0/reviews\" --paginate | jq -r '.[] | .body' | head -20",
    "git log --oneline main..$0 -- src/*.rs",
    "git diff $0...HEAD --stat -- ':!*.lock'",
    "git diff \"$(echo $0)\" $9 HEAD",
    "test -f config/$0.json && echo OK || echo NO",
    "[ -n \"$0\" ] && [ -f \"$0\" ] && ./target/release/check --verbose \"$0\" 2>&1 || true",
    "[ \"$0\" = staging ] || [ \"$0\" != \"\" ] && make deploy-$0",
    "echo \"$0\" | grep -E \"^(dev|prod)$\" || echo \"INVALID\"",
    "echo \"$ARGUMENTS\" | tr ' ' '\\n' | head -1",
    "find . -type f -name \"*$0*.md\" | grep -E \"\\.(md|mdx)$\" | head -5",
    "grep -rn -e \"$0\" src/ --include='*.rs' | sort -u",
    "cat docs/$0/README.md 2> /dev/null || echo none",
    "head -40 \"$0\" > /tmp/head.txt; wc -l < /tmp/head.txt",
    "npx --yes some-tool@1.2 route --task \"$ARGUMENTS\" --limit 5",
    "python3 \"$CLAUDE_PLUGIN_ROOT/scripts/run.py\" --id=$0 '--mode' fast",
    "mkdir -p work/active && mv work/active/$0 work/done/",
    "branch=$0; git rev-parse --verify \"$branch\" && git log \"$branch\" -3",
    "base=$(git merge-base HEAD \"origin/$0\")\ngit diff \"$base\"",
    "LC_ALL=C GIT_PAGER=cat git log -1 --format=%s $0",
    "printf '%-8s %d%%\\n' \"$0\" 5",
    "cd packages/$0 && npm test --silent 2>&1 | tail -n 30",
];

#[test]
fn common_forms_of_commands_are_accepted() {
    for block in ACCEPTED {
        command(block, "x").unwrap_or_else(|error| panic!("{error}"));
    }
}

/// Commands with a value that are refused, and a part of what the hint says.
const REFUSED: &[(&str, &str)] = &[
    // The place in quotes is not what it seems.
    ("json=${json:-\"{}\"}; find . -name \"$0\"", "in `\"…\"`, and instead"),
    ("x=\"$(case a in a) echo;; esac)\"; find . -name \"$0\"", "only `echo`, `cd`"),
    ("echo `echo \\\"`; find . -name \"$0\"", "join commands with"),
    ("echo `# it\"s`; find . -name \"$0\"", "join commands with"),
    ("echo ${x:-'}'}; find . -name \"$0\"", "in `\"…\"`, and instead"),
    ("echo ''#\"; find . -name \"$0\"", "join commands with"),
    ("echo $'it\\'s'; find . -name \"$0\"", "in `\"…\"`, and instead"),
    ("(true)# it\"s\nfind . -name \"$0\"", "join commands with"),
    ("a[\"]\"]=1; find . -name \"$0\"", "the name of a program"),
    // `bash` evaluates the value.
    ("[[ 3\t-gt $0 ]]", "only `echo`, `cd`"),
    ("[[ ( -v $0 ) ]]", "join commands with"),
    ("local $0=1", "only `echo`, `cd`"),
    ("2>/dev/null eval $0", "behind the name"),
    (">/dev/null eval $0", "behind the name"),
    ("command -p eval $0", "only `echo`, `cd`"),
    ("time -p eval $0", "only `echo`, `cd`"),
    ("coproc eval $0", "only `echo`, `cd`"),
    ("alias x=$0", "only `echo`, `cd`"),
    ("mapfile -C $0 x", "only `echo`, `cd`"),
    ("wait -n -p $0", "only `echo`, `cd`"),
    ("printf -v$0 x", "fixed format"),
    ("printf -v $0 x", "fixed format"),
    ("declare -i n; n=$0", "only `echo`, `cd`"),
    ("[ -v \"$0\" ]", "`-n -z -e"),
    ("[ \"$0\" -eq 1 ]", "`-n -z -e"),
    ("test -n x -a \"$0\" = y", "`-n -z -e"),
    ("test \"$0\"", "`-n -z -e"),
    ("test $0 x", "`-n -z -e"),
    ("test x $0 y", "`-n -z -e"),
    ("test ! -f $0", "`-n -z -e"),
    ("[ -f $0", "`-n -z -e"),
    ("[ -f \"$0\" -o x ]", "`-n -z -e"),
    ("test -f * = $0", "`-n -z -e"),
    ("printf '%n' $0", "fixed format"),
    ("printf '%*s' $0 x", "fixed format"),
    ("printf '%(%s)T' $0", "fixed format"),
    ("printf \"$0\"", "fixed format"),
    ("printf \"$f\" $0", "fixed format"),
    ("printf $9 $0", "fixed format"),
    ("eval echo $0", "only `echo`, `cd`"),
    ("read $0 <x", "only `echo`, `cd`"),
    ("trap $0 EXIT", "only `echo`, `cd`"),
    ("let n=$0", "only `echo`, `cd`"),
    ("export X=$0", "only `echo`, `cd`"),
    ("set -- $0", "only `echo`, `cd`"),
    (". $0", "only `echo`, `cd`"),
    ("exec $0", "only `echo`, `cd`"),
    ("if test -f $0; then echo; fi", "`&&` and `||` instead of `if`"),
    ("for x in $0; do echo; done", "only `echo`, `cd`"),
    ("! test -f $0", "only `echo`, `cd`"),
    ("{ echo $0; }", "only `echo`, `cd`"),
    ("f() { echo $0; }", "join commands with"),
    ("( echo $0 )", "join commands with"),
    ("echo $0 & echo", "join commands with"),
    ("echo $0 |& cat", "the name of a program"),
    ("echo $0 ;; echo", "the name of a program"),
    ("# it's\necho $0", "join commands with"),
    ("echo a\\ $0", "join commands with"),
    ("echo ü$0", "join commands with"),
    ("echo a\u{a0}$0", "join commands with"),
    ("echo $0)", "join commands with"),
    ("echo \u{0} $0", "join commands with"),
    // The name of a command.
    ("$0", "the name of a program"),
    ("$0 x", "the name of a program"),
    ("./$0 x", "the name of a program"),
    ("\"git\" log $0", "the name of a program"),
    ("e'v'al $0", "the name of a program"),
    ("$9eval $0", "only `echo`, `cd`"),
    ("$x $0", "in `\"…\"`, and instead"),
    ("\"$x\" $0", "the name of a program"),
    ("$(echo eval) $0", "in `\"…\"`, and instead"),
    ("~/x $0", "the name of a program"),
    ("*/x $0", "the name of a program"),
    ("x+=$0", "the name of a program"),
    ("x[$0]=1", "in two words"),
    ("1x=$0", "the name of a program"),
    // Variables.
    ("PATH=$0", "a name in lower case"),
    ("Path=$0", "a name in lower case"),
    ("_=$0", "a name in lower case"),
    ("PS4=\"$(echo $0)\"", "a name in lower case"),
    ("x=$0; IFS=\"$x\"", "a name in lower case"),
    ("histchars=$0", "a name in lower case"),
    ("x=$0 git log", "a command of its own"),
    ("x=1 y=$0", "a command of its own"),
    ("x=$0 y=1", "a command of its own"),
    ("x=$0 >y", "a command of its own"),
    ("GIT_SSH_COMMAND=\"$0\" git fetch", "a command of its own"),
    ("x=$0; GIT_SSH_COMMAND=\"$x\" git fetch", "a command of its own"),
    ("x=($0)", "join commands with"),
    ("x=$(echo $0)x", "a command of its own"),
    ("x=$(echo $0)\"x\"", "a command of its own"),
    ("x=\"a\"$(echo $0)", "in `\"…\"`, and instead"),
    ("x=a$(echo $0)", "in `\"…\"`, and instead"),
    ("x=$0; y=$x", "in `\"…\"`, and instead"),
    // Copies are split.
    ("n=\"$0\"; find $n", "in `\"…\"`, and instead"),
    ("n=\"$0\"; find ${n}", "in `\"…\"`, and instead"),
    ("find $(echo \"$0\")", "in `\"…\"`, and instead"),
    ("n=$0; echo $((n + 1))", "in `\"…\"`, and instead"),
    ("n=$0; echo \"$((n + 1))\"", "join commands with"),
    ("n=$0; echo \"${list[n]}\"", "in `\"…\"`, and instead"),
    ("n=$0; echo \"${!n}\"", "in `\"…\"`, and instead"),
    // Expansions.
    ("echo $(($0 + 1))", "`expr $0 + 1`"),
    ("echo \"$[$0 + 1]\"", "`expr $0 + 1`"),
    ("echo \"${x:-$0}\"", "in `\"…\"`, and instead"),
    ("echo \"${x#$0}\"", "in `\"…\"`, and instead"),
    ("echo \"$$0\"", "in `\"…\"`, and instead"),
    ("echo $$0", "in `\"…\"`, and instead"),
    ("echo \"$* $@ $!\" $0", "in `\"…\"`, and instead"),
    ("echo \"`echo $0`\"", "backticks"),
    ("echo `echo $0`", "join commands with"),
    ("awk '/$0/'", "in `\"…\"` instead of `'…'`"),
    ("echo 'a' 'b $0'", "in `\"…\"` instead of `'…'`"),
    ("ls $0*", "in two words"),
    ("ls ~/$0", "in two words"),
    ("ls {a,$0}", "in two words"),
    ("ls \"$0\"[ab]", "in two words"),
    ("x=$0; ls \"$x\"*", "in two words"),
    // Redirections.
    ("cat <<END\n$0\nEND", "a word without a value"),
    ("cat <<<$0", "a word without a value"),
    ("echo x >$0", "a word without a value"),
    ("echo x > \"a$0\"", "a word without a value"),
    ("echo >&$0", "a word without a value"),
    ("echo >&x $0", "a word without a value"),
    ("echo &>x $0", "join commands with"),
    ("echo 12>x $0", "behind the name"),
    ("echo $0>x", "behind the name"),
    ("echo \"1\">x $0", "behind the name"),
    ("cat <(echo $0)", "join commands with"),
    ("echo >|x $0", "a word without a value"),
    // Quotes and parentheses.
    ("echo \"$0", "close every quote"),
    ("echo $0 'a", "close every quote"),
    ("echo \"$(echo $0\"", "close every quote"),
    ("echo \"$()\" $0", "the name of a program"),
    ("echo $0 |", "the name of a program"),
    ("&& echo $0", "the name of a program"),
];

#[test]
fn commands_outside_of_the_grammar_are_refused() {
    let hint = |block| command(block, "x").err().and_then(|error| error.hint());
    let wrong = REFUSED.iter().filter(|(block, says)| !hint(block).unwrap_or("").contains(says));
    let wrong: Vec<_> = wrong.map(|(block, says)| (block, says, hint(block))).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    for (block, _) in REFUSED {
        let error = command(block, "x").unwrap_err();
        let hint = error.hint().unwrap();
        let message = error.to_string();
        assert!(message.starts_with("cannot insert a value into the command `"), "{message}");
        assert!(message.ends_with(&format!(" of the body: {hint}")) && !message.contains('\n'));
        // Without outputs, the text shows the command as written.
        let body = format!("```!\n{block}\n```");
        assert_eq!(Template::new(&body).fill("x".into(), &Variables::new()), body);
        // A command without a value is not parsed.
        let without = body.replace("$0", "x");
        let filled = Template::new(&without).bind("x".into(), &NO_VARIABLES);
        filled.command_texts().unwrap_or_else(|error| panic!("{without}: {error}"));
    }
    let nested = |depth| format!("echo {}$0{}", "\"$(echo ".repeat(depth), ")\"".repeat(depth));
    command(&nested(8), "x").unwrap();
    assert!(command(&nested(9), "x").unwrap_err().to_string().contains("at most 8"));
    let agentick = Template::new("!`echo \"\\$0\"`")
        .profile(Profile::Agentick)
        .bind("x".into(), &NO_VARIABLES);
    agentick.command_texts().unwrap_err();
    // Values that are empty or absent need the grammar as well.
    for values in [r#"["x", ""]"#, r#"["x"]"#] {
        let template = Template::new("!`if true; then ls $branch; fi`").named(&["a", "branch"]);
        template.bind(Arguments::json(values).unwrap(), &NO_VARIABLES).command_texts().unwrap_err();
    }
}

#[test]
fn own_words_of_shells_are_refused() {
    let allowed = ["[", "cd", "echo", "false", "printf", "pwd", "test", "true", ":"];
    let listed = [
        ("bash", "compgen -bk"),
        ("busybox sh", "help | tail -n +4"),
        ("mksh", "alias | cut -d= -f1; echo typeset whence print global bind source let"),
    ];
    for (shell, list) in listed.into_iter().filter(|(shell, _)| shells().contains(shell)) {
        let words = run(shell, list, Path::new(env!("CARGO_TARGET_TMPDIR")));
        assert!(words.split_whitespace().count() > 10, "{shell}: {words}");
        for word in words.split_whitespace().filter(|word| !allowed.contains(word)) {
            let error = command(&format!("{word} $0"), "x").expect_err(word);
            assert!(error.to_string().contains("only `echo`, `cd`"), "{shell}: {error}");
        }
    }
}

#[test]
fn value_that_could_be_an_option_is_refused() {
    for block in [
        "git log $0",
        "git log \"$0\"",
        "git log ''$0.md",
        "git log x \"$0$0\"",
        "grep -e $0",
        "gh api \"$(git log $0)\"",
        "cat -- x | git log $0",
    ] {
        command(block, "x-").unwrap();
        let error = command(block, "--output=x").unwrap_err().to_string();
        assert!(error.ends_with("pass another one, or write `--` before it in the command"));
    }
    for block in [
        "git log -- $0",
        "grep --regexp=$0",
        "git log ./$0",
        "git log \"x $0\"",
        "echo $0 | cat",
        "printf '%s' \"$0\"",
        "test -f $0",
        "[ \"$0\" = --help ]",
        "cd $0",
        "n=$0; git log \"$n\"",
    ] {
        command(block, "--output=x").unwrap_or_else(|error| panic!("{block}: {error}"));
    }
}

#[test]
fn variables_with_values_are_not_exported() {
    let text = command("url=$0; sh -c 'echo \"<$url>\"'", "x").unwrap();
    assert!(text.contains("\nunset -v url\n"), "{text}");
    for shell in shells() {
        let text = format!("export url=host\n{text}");
        assert_eq!(run(shell, &text, Path::new(env!("CARGO_TARGET_TMPDIR"))), "<>\n", "{shell}");
    }
    // The variables of other commands are left to them.
    let template = Template::new("!`n=$(date); echo \"$n\"` $0").bind("x".into(), &NO_VARIABLES);
    assert_eq!(template.command_texts().unwrap()[0], "n=$(date); echo \"$n\"");
}

#[test]
fn assignments_precede_the_command_that_refers_to_them() {
    let known = Variables::new().set("DIR", "/a/b");
    let template = Template::new("!`ls $0 \"$1\" \"$0\" ${DIR}` and\n```!\nls $0\n```")
        .bind("'it is' it\\'s".into(), &known);
    let texts = template.command_texts().unwrap();
    let values = "SKILL_VALUE_1='it is'; SKILL_VALUE_2='it'\\''s'; ";
    let inline = "ls \"${SKILL_VALUE_1}\" \"${SKILL_VALUE_2}\" \"${SKILL_VALUE_1}\" /a/b";
    let block = "SKILL_VALUE_1='it is'\nls \"${SKILL_VALUE_1}\"";
    assert_eq!(texts, [values.replace("; ", "\n") + inline, block.to_owned()]);
    // What is shown to a model is one line, too.
    assert_eq!(template.to_string(), format!("!`{values}{inline}` and\n```!\n{block}\n```"));
}

#[test]
fn without_arguments_no_word_is_inserted() {
    let commands = |arguments: &'static str| -> Vec<String> {
        let template = Template::new("!`ls $ARGUMENTS` !`ls \"$ARGUMENTS\" $0`");
        template.bind(arguments.into(), &NO_VARIABLES).command_texts().unwrap()
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
    let commands = |command: &str| {
        let body = format!("```!\n{command}\n```");
        let template = Template::new(&body).named(&["a"]);
        let bound = template.bind(Arguments::json(r#"{"x": "; ls;"}"#).unwrap(), &NO_VARIABLES);
        bound.command_texts().map(|texts| texts[0].clone())
    };
    assert_eq!(
        commands("ls x$a $x").unwrap(),
        "SKILL_VALUE_1=''\nSKILL_VALUE_2='; ls;'\nls x\"${SKILL_VALUE_1}\" \"${SKILL_VALUE_2}\""
    );
    // A name without a value is a word.
    commands("$a $x").unwrap_err();
    commands("$a[ -n $x ]").unwrap_err();
    commands("echo 2$a>x $x").unwrap_err();
    commands("git log $a$x").unwrap();
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
