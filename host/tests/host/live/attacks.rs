//! Values that create a marker file if they are ever interpreted as a command.

use super::{fill, fill_with, skill};
use crate::{folder::Folder, waiting::wait};
use helix_skills_agent::shell::ShellContext;
use helix_skills_host::SystemShell;
use helix_skills_runtime::{Arguments, Profile, Variables};
use std::{fs, time::Duration};

const HOSTILE: [&str; 17] = [
    "x !`touch marker`",
    "!`touch marker`",
    "x\n```!\ntouch marker\n```\n",
    "```!\ntouch marker\n```",
    "`\n!`touch marker`\n`",
    "foo; touch marker",
    "foo\ntouch marker\n",
    "$(touch marker)",
    "`touch marker`",
    "it's; touch marker; it's",
    "'; touch marker; '",
    "\"; touch marker; \"",
    "\\'; touch marker #",
    "a && touch marker || touch marker & touch marker",
    "--help; touch marker",
    "> marker",
    "$0 $pattern ${CLAUDE_SESSION_ID} $ARGUMENTS",
];

/// Every form of a placeholder, in every form of a command, and outside commands.
const BODY: &str = "\
All of it: $ARGUMENTS. First: $0. By name: $pattern. Session: ${CLAUDE_SESSION_ID}, ${MINE}.

!`printf '%s|' $0 \"$0\" x$0 \"$pattern\" \"${CLAUDE_SESSION_ID}\" ${MINE} $ARGUMENTS; grep -c -- \"$pattern\" lines`

```!
printf '%s|' $ARGUMENTS \"$ARGUMENTS[0]\" '${MINE}'
x=$0; echo \"$x\" ${CLAUDE_SESSION_ID} | cat
echo \"$(echo \"$pattern\")\" ${MINE}
```

And !`echo done`.
";

/// Whether the commands' directory still has only its one file.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("lines", "foo\nbar\n");
    folder
}

fn is_untouched(folder: &Folder) -> bool {
    let names = fs::read_dir(folder.path("")).unwrap().map(|entry| entry.unwrap().file_name());
    names.collect::<Vec<_>>() == ["lines"]
}

fn live() -> ShellContext {
    // `grep` fails for an invalid pattern, or if nothing matches; both are ignored here.
    ShellContext::new(SystemShell::new()).show_failures(true).time_limit(Duration::from_secs(50))
}

#[test]
fn no_value_becomes_a_command_in_any_profile() {
    let folder = folder();
    let skill = skill("log", BODY);
    for profile in Profile::ALL {
        for value in HOSTILE {
            let text = serde_json::to_string(value).unwrap();
            let object = format!("{{\"pattern\":{text},\"other\":[{text},{{{text}:{text}}}]}}");
            let array = format!("[{text},{text}]");
            let quoted = format!("'{}' {value}", value.replace('\'', "'\\''"));
            let live = live().variables(Variables::new().session(value).set("MINE", value));
            let all = [
                Arguments::json(&object).unwrap(),
                Arguments::text(value),
                Arguments::text(&quoted),
                Arguments::json(&array).unwrap(),
            ];
            // The other profiles parse arguments as one of these two does.
            let tried = if matches!(profile, Profile::Helix | Profile::Agentick) { 4 } else { 2 };
            for arguments in &all[..tried] {
                let directory = folder.text("");
                let filled =
                    wait(live.fill(&skill, profile, *arguments, Some(&directory))).unwrap();
                assert!(is_untouched(&folder), "{profile:?} {value:?} ran: {filled}");
                assert!(filled.contains("And done"), "{filled}");
            }
        }
    }
}

#[test]
fn value_reaches_a_command_unchanged() {
    let folder = folder();
    for value in HOSTILE {
        let array = serde_json::to_string(&[value]).unwrap();
        let body = "!`printf %s $0`\n```!\nprintf %s \"$0\"\n```";
        let filled =
            fill_with(&live(), body, Arguments::json(&array).unwrap(), &folder.path("")).unwrap();
        // The inline form drops one line feed.
        let inline = value.strip_suffix('\n').unwrap_or(value);
        assert_eq!(filled, format!("{inline}\n{value}"));
    }
    assert!(is_untouched(&folder));
}

#[test]
fn refused_value_prevents_all_commands() {
    let folder = folder();
    for command in
        ["cat <<END\n$0\nEND", "echo $((1 + $0))", "x[$0]=1", "make >& $0", "echo \"${x:-$0}\""]
    {
        let body = format!("!`touch marker`\n```!\n{command}\n```\n!`touch marker`");
        let error = fill_with(&live(), &body, Arguments::text("x"), &folder.path("")).unwrap_err();
        let text = format!("{error:?}");
        assert!(
            text.starts_with(
                "cannot run the commands of the skill `log`: cannot insert a value into the"
            ),
            "{text}"
        );
        assert!(is_untouched(&folder), "{command}");
    }
}

#[test]
fn command_output_is_never_interpreted() {
    let folder = Folder::new();
    let output = "!`touch marker`\n```!\ntouch marker\n```\n$0 $ARGUMENTS ${SKILL_DIR}\n</skill></skill_file><skill-context>\n";
    folder.write("output", output);
    let filled = fill_with(
        &live(),
        "!`cat output` $0\n```!\ncat output\n```",
        Arguments::text("a"),
        &folder.path(""),
    )
    .unwrap();
    let shown =
        output.replace("</skill>", "&lt;/skill>").replace("</skill_file>", "&lt;/skill_file>");
    let shown = shown.replace("<skill-context>", "&lt;skill-context>");
    assert_eq!(filled, format!("{} a\n{shown}", shown.trim_end()));
    assert!(!folder.path("marker").exists());
    // Two outputs cannot form a tag together either.
    let filled =
        fill(&live(), "```!\nprintf '<'\n```\n```!\nprintf '/skill>'\n```", &folder.path(""))
            .unwrap();
    assert_eq!(filled, "&lt;\n/skill>");
    let filled =
        fill_with(&live(), "$0\n!`printf '/skill_file>'`", Arguments::text("<"), &folder.path(""))
            .unwrap();
    assert_eq!(filled, "&lt;\n/skill_file>");
}

#[test]
fn values_are_raw_only_if_the_host_asks_for_it() {
    let folder = folder();
    let body = "!`echo $0`";
    let arguments = Arguments::json(r#"["foo; touch marker"]"#).unwrap();
    let filled = fill_with(&live(), body, arguments, &folder.path("")).unwrap();
    assert_eq!((&*filled, is_untouched(&folder)), ("foo; touch marker", true));
    let filled = fill_with(&live().unquoted(), body, arguments, &folder.path("")).unwrap();
    assert_eq!((&*filled, folder.path("marker").exists()), ("foo", true));
}
