//! Hostile input: every call gets a reply, and no text can forge a tag.

use crate::{
    dice::Dice,
    folder::{Folder, block_on},
    live::{recording_shell::RecordingShell, skill},
    waiting::wait,
};
use helix_skills_agent::shell::{ExitStatus, ProcessOutput, ShellContext};
use helix_skills_agent::{AsyncToolbox, Provider, SkillQuery};
use helix_skills_format::parse_agent;
use helix_skills_host::{Directories, Materialized, Root, ScriptRunner, SharedRegistry};
use helix_skills_runtime::{Arguments, Neutral, Profile, SlashCommand, Variables};

/// Number of texts for each test.
const TEXTS: usize = 300;

/// Parts of generated texts: beginnings and ends of everything that is parsed.
const PIECES: &[&str] = &[
    "<",
    "</",
    "/",
    ">",
    "skill",
    "skill>",
    "SKILL_FILE",
    "_result",
    "-context>",
    "system",
    "-reminder",
    "\u{200b}",
    "\u{ff1c}",
    "\u{fe64}",
    "ｓkill",
    "\u{301}",
    "а",
    "&lt;",
    "$",
    "$0",
    "$1",
    "$01",
    "$ARGUMENTS",
    "$ARGUMENTS[0]",
    "$ARGUMENTS[99999999999999999999999]",
    "[",
    "]",
    "${SKILL_DIR}",
    "${X}",
    "${",
    "}",
    "$name",
    "$näme",
    "\\",
    "\\$0",
    "!`",
    "`",
    "!`a`",
    "\n!`b $0`\n",
    "```!\n",
    "\n```\n",
    "```",
    "\r\n",
    "\n",
    "\r",
    "\t",
    " ",
    "\0",
    "'",
    "\"",
    "#",
    "(",
    ")",
    "*",
    "{",
    "{\"",
    "\":",
    ",",
    "null",
    "1e999",
    "-",
    "--",
    "---\n",
    "name: a\n",
    "name: ",
    "skills: [a, \"b\"]\n",
    "skills:\n  - a\n",
    "description: d\n",
    ": ",
    "&a ",
    "*a",
    "!!str ",
    "|\n",
    ">-\n  ",
    "\u{feff}",
    "\u{2028}",
    "\u{10ffff}",
    "技能",
    "é",
    "..",
    "../",
    "/skills",
    "//",
    "~",
    "~/",
    "C:\\",
    "a.sh",
    "scripts/",
    "\u{ad}",
    "/help",
    "/a ",
    "/log ",
    "skill_name",
    "script_name",
    "script_args",
    "path",
    "arguments",
    "0",
    "99",
    "\u{7f}",
    "\u{1b}[0m",
    "aux",
    "con.sh",
    ".sh",
    "sh",
];

fn texts(seed: u64) -> impl Iterator<Item = String> {
    let mut dice = Dice::new(seed);
    (0..TEXTS).map(move |_| (0..dice.below(12)).map(|_| dice.of(PIECES)).collect())
}

fn is_neutral(text: &str) -> bool {
    Neutral(text).as_str().is_some()
}

#[test]
fn body_arguments_variables_and_output_forge_no_tag() {
    let folder = Folder::new();
    let directory = folder.text("");
    let mut others = texts(2).zip(texts(3)).zip(texts(4));
    for (at, body) in texts(1).enumerate() {
        let ((arguments, known), output) = others.next().unwrap();
        let json = serde_json::to_string(&[&arguments, &known]).unwrap();
        let object =
            serde_json::to_string(&serde_json::json!({"name": &arguments, "<": &known})).unwrap();
        let shell = RecordingShell::new(move |_| {
            Ok(ProcessOutput::new(
                &*output,
                ExitStatus::Code(i32::from(output.len() % 3 == 0)),
                std::time::Duration::ZERO,
            ))
        });
        let live = ShellContext::new(shell)
            .show_failures(true)
            .unquoted()
            .variables(Variables::new().set("X", &*known).session(&known));
        let skill = skill("log", &format!("e {body}"));
        let profile = Profile::ALL[at % Profile::ALL.len()];
        for arguments in [
            Arguments::text(&arguments),
            Arguments::json(&json).unwrap(),
            Arguments::json(&object).unwrap(),
        ] {
            match wait(live.fill(&skill, profile, arguments, Some(&directory))) {
                Ok(filled) => {
                    assert!(is_neutral(&filled), "{profile:?} {body:?} {arguments:?}: {filled:?}")
                }
                Err(error) => {
                    let text = error.to_string();
                    assert!(is_neutral(&text) && !text.contains('\n'), "{text:?}");
                }
            }
        }
    }
}

#[test]
fn script_call_gets_one_line_of_error_or_data() {
    let folder = Folder::new();
    folder.skill("skills/tool", "tool", "Runs things.");
    folder.write("skills/tool/scripts/a.sh", "printf '%s' \"$@\"\n");
    let skills = Materialized::new(folder.directories(&["skills"]));
    let toolbox =
        block_on(AsyncToolbox::builder(skills).scripts(ScriptRunner::new()).build()).unwrap();
    for (at, (text, other)) in texts(5).zip(texts(6)).enumerate() {
        let script = if at % 8 == 0 { "a.sh" } else { &*other };
        let json =
            serde_json::json!({"skill": "tool", "path": script, "arguments": &text}).to_string();
        for call in [&text, &json] {
            let reply = wait(toolbox.call("skill_run_script", call)).unwrap();
            let text = reply.to_string();
            let (head, is_result) = match text.split_once("\n\n<skill_result ") {
                Some((head, data)) => {
                    let data = data.strip_suffix("</skill_result>").unwrap();
                    assert!(is_neutral(data), "{call:?}: {reply}");
                    (head, true)
                }
                None => (&*text, false),
            };
            assert!(is_neutral(head) && !head.contains('\n'), "{call:?}: {reply}");
            assert!(!(is_result && reply.is_error()));
        }
    }
}

#[test]
fn any_input_is_read_or_refused() {
    let folder = Folder::new();
    folder.skill("skills/tool", "tool", "Runs things.");
    let skills = SharedRegistry::new();
    assert!(skills.load_dir(folder.path("skills")).unwrap().problems.is_empty());
    for (text, other) in texts(7).zip(texts(8)) {
        for agent in
            [text.clone(), format!("---\n{text}"), format!("---\nname: a\n{text}\n---\n{other}")]
        {
            match parse_agent(&agent, Some(&other)) {
                Ok(parsed) => assert!(!parsed.value.name.is_empty()),
                Err(findings) => assert!(!findings.is_empty(), "{agent:?}"),
            }
        }
        for profile in Profile::ALL {
            for message in [&text, &format!("/{text}")] {
                if let Some(command) = SlashCommand::parse(message, profile) {
                    assert!(
                        message[1..].starts_with(command.name())
                            && message.ends_with(command.arguments())
                    );
                }
            }
        }
        for profile in [Profile::Helix, Profile::DeerFlow] {
            assert!(
                SkillQuery::new()
                    .text(&text)
                    .profile(profile)
                    .search(skills.snapshot().set())
                    .len()
                    <= 1
            );
        }
        // Refused, or with uploads at the requested path.
        if let Ok(mounted) =
            Directories::new().root(Root::new(folder.path("skills")).at(&*text)).mount()
        {
            let below = format!("{}/tool/", text.trim_end_matches('/'));
            assert!(
                mounted.uploads.iter().all(|upload| upload.sandbox.starts_with(&below)),
                "{text:?}"
            );
            assert!(text.starts_with('/') && !text.split('/').any(|part| part == ".."), "{text:?}");
        }
        let agent = Directories::new().root(folder.path(&text.replace('\0', "")));
        let _ = block_on(agent.list(Profile::Helix));
    }
}
