//! Conformance cases of commands, run by a shell. If an argument became a command in the recording,
//! the expected value is ours; the reasons are next to the same cases in
//! `runtime/tests/runtime/template/conformance.rs`.

use super::{recording_shell::RecordingShell, skill};
use crate::{conformance::cases_of, waiting::wait};
use helix_skills_agent::live::{ExitStatus, LiveContext, ProcessOutput};
use helix_skills_runtime::{Arguments, Profile};
use serde_json::Value;
use std::sync::Arc;

/// The commands and the text, where the peer behaves differently.
const DEVIATIONS: [(&str, &[&str], &str); 3] = [
    ("inject/arg-block-injection", &[], "```!\nid\n```"),
    ("inject/arg-into-command", &["grep 'foo; rm -rf /' ."], "<grep 'foo; rm -rf /' .>"),
    ("inject/output-not-rescanned-args", &["echo '$1'"], "<echo '$1'>"),
];

/// The outputs of the recorded commands, which are recorded nowhere else.
fn recorded(command: &str) -> Option<&'static str> {
    Some(match command {
        "one" => "!`three`",
        "two" => "2",
        "x" => "out\n",
        _ => return None,
    })
}

fn fill(shell: &Arc<RecordingShell>, body: &str, arguments: &str) -> Result<String, String> {
    let live = LiveContext::new(Arc::clone(shell)).directory_of_shell();
    let arguments = Arguments::json(arguments).unwrap();
    wait(live.fill(&skill("case", body), Profile::Agentick, arguments, None))
        .map_err(|error| format!("{error:?}"))
}

/// Returns the text with each command replaced by itself, at the recorded positions in UTF-16
/// units.
fn replaced(body: &str, matches: &[Value]) -> String {
    let units: Vec<u16> = body.encode_utf16().collect();
    let (mut text, mut at) = (String::new(), 0);
    for found in matches {
        let place = |key: &str| usize::try_from(found[key].as_u64().unwrap()).unwrap();
        text.push_str(&String::from_utf16(&units[at..place("start")]).unwrap());
        text.push_str(&format!("<{}>", found["command"].as_str().unwrap()));
        at = place("end");
    }
    text + &String::from_utf16(&units[at..]).unwrap()
}

#[test]
fn conformance_of_every_injection_in_a_shell() {
    let mut tried = 0;
    for case in cases_of("inject") {
        tried += 1;
        let group = case["group"].as_str().unwrap();
        let Some(body) = case["input"].as_str() else {
            let body = case["input"]["body"].as_str().unwrap();
            // The names of arguments are not passed to a shell.
            let shell = RecordingShell::echo();
            let text = fill(&shell, body, &case["input"]["args"].to_string()).unwrap();
            // Appending arguments to the text is up to the callers of the recorded function.
            let text = text.split("\n\nARGUMENTS: ").next().unwrap();
            match DEVIATIONS.iter().find(|(deviation, ..)| *deviation == group) {
                Some((_, run, output)) => {
                    assert_eq!(shell.commands(), *run, "{group}");
                    assert_eq!(text, *output, "{group}");
                }
                None => {
                    assert_eq!(
                        Value::from(shell.commands()),
                        case["expected"]["commandsRun"],
                        "{group}"
                    );
                    assert_eq!(text, case["expected"]["output"].as_str().unwrap(), "{group}");
                }
            }
            continue;
        };
        match &case["expected"] {
            Value::Array(matches) if matches.iter().any(|found| found["command"] == "") => {
                // An empty command is recorded as run; its output is empty.
                assert_eq!(fill(&RecordingShell::echo(), body, "null").unwrap(), "<>", "{group}");
            }
            Value::Array(matches) => {
                let shell = RecordingShell::echo();
                // A body has no trailing white space.
                assert_eq!(
                    fill(&shell, body, "null").unwrap(),
                    replaced(body, matches).trim_end(),
                    "{group}"
                );
                let commands: Vec<_> =
                    matches.iter().map(|found| found["command"].clone()).collect();
                assert_eq!(Value::from(shell.commands()), Value::from(commands), "{group}");
            }
            Value::String(theirs) => {
                let reply = |text: &str| {
                    Ok(ProcessOutput::new(recorded(text).unwrap(), ExitStatus::Code(0)))
                };
                assert_eq!(
                    fill(&RecordingShell::new(reply), body, "null").unwrap(),
                    *theirs,
                    "{group}"
                );
            }
            other => {
                assert!(other["error"].as_str().unwrap().ends_with("(inline command `y`): boom"));
                let shell = RecordingShell::new(|text| match text {
                    "y" => Err("boom".to_owned()),
                    _ => Ok(ProcessOutput::new("", ExitStatus::Code(0))),
                });
                let error = fill(&shell, body, "null").unwrap_err();
                assert_eq!(
                    error,
                    "cannot load the skill `case`: its command `y` (line 1) was not run: boom"
                );
                assert_eq!(shell.commands(), ["x", "y"]);
            }
        }
    }
    assert_eq!(tried, 30);
}
