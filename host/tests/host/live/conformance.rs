//! Conformance cases of commands, run by a shell. If an argument became a command in the recording,
//! the expected value is ours; the reasons are next to the same cases in
//! `runtime/tests/runtime/template/conformance.rs`.

use super::{recording_shell::RecordingShell, skill};
use crate::waiting::wait;
use helix_skills_agent::shell::{ExitStatus, ProcessOutput, ShellContext};
use helix_skills_conformance::{Deviation, Report, Value, cases, json};
use helix_skills_runtime::{Arguments, Profile};
use std::sync::Arc;
use std::time::Duration;

const DEVIATIONS: &[Deviation] = &[
    Deviation::new(
        &["inject/block-crlf"],
        "a shell would read the carriage return of a line end as a part of the command",
    )
    .ours(r#"{"commands":["ls"],"text":"<ls>"}"#),
    Deviation::new(&["inject/arg-block-injection"], "an argument never becomes a command")
        .ours(r#"{"commandsRun":[],"output":"```!\nid\n```"}"#),
    Deviation::new(&["inject/arg-into-command"], "a value is one word of a command")
        .ours(r#"{"commandsRun":["SKILL_VALUE_1='foo; rm -rf /'\ngrep \"${SKILL_VALUE_1}\" ."],"output":"<SKILL_VALUE_1='foo; rm -rf /'\ngrep \"${SKILL_VALUE_1}\" .>"}"#),
    Deviation::new(&["inject/output-not-rescanned-args"], "a value is one word of a command")
        .ours(r#"{"commandsRun":["SKILL_VALUE_1='$1'\necho \"${SKILL_VALUE_1}\""],"output":"<SKILL_VALUE_1='$1'\necho \"${SKILL_VALUE_1}\">"}"#),
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
    let live = ShellContext::new(Arc::clone(shell)).directory_of_shell();
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
    let cases = cases!("inject");
    let mut report = Report::new(&cases, DEVIATIONS).about("in a shell");
    report.each(&cases, |report, case| {
        let Some(body) = case.input.as_str() else {
            // The names of arguments are not passed to a shell.
            let shell = RecordingShell::echo();
            let arguments = case.input["args"].to_string();
            let text = fill(&shell, case.text("body").unwrap(), &arguments).unwrap();
            // Appending arguments to the text is up to the callers of the recorded function.
            let text = text.split("\n\nARGUMENTS: ").next().unwrap();
            report.compare_fields(case, json!({"commandsRun": shell.commands(), "output": text}));
            return;
        };
        match &case.expected {
            Value::Array(matches) if matches.iter().any(|found| found["command"] == "") => {
                // An empty command is recorded as run; its output is empty.
                let text = fill(&RecordingShell::echo(), body, "null").unwrap();
                report.compare_with(case, &"<>".into(), text);
            }
            Value::Array(matches) => {
                let shell = RecordingShell::echo();
                let text = fill(&shell, body, "null").unwrap();
                let commands: Vec<_> = matches.iter().map(|found| &found["command"]).collect();
                // A body has no trailing white space.
                let theirs =
                    json!({"commands": commands, "text": replaced(body, matches).trim_end()});
                let ours = json!({"commands": shell.commands(), "text": text});
                report.compare_with(case, &theirs, ours);
            }
            Value::String(_) => {
                let reply = |text: &str| match recorded(text) {
                    Some(output) => {
                        Ok(ProcessOutput::new(output, ExitStatus::Code(0), Duration::ZERO))
                    }
                    None => Err("unknown".to_owned()),
                };
                let shell = RecordingShell::new(reply);
                let text = fill(&shell, body, "null");
                match shell.commands().iter().all(|command| recorded(command).is_some()) {
                    true => report.compare(case, text.unwrap()),
                    false => report.skip("the outputs of its commands are described in words"),
                }
            }
            other => {
                let theirs = other["error"].as_str().unwrap();
                let failing = theirs.rsplit_once("(inline command `");
                let Some((failing, why)) = failing.and_then(|(_, rest)| rest.split_once("`): "))
                else {
                    report.skip("another form of failure");
                    return;
                };
                let (command, reason) = (failing.to_owned(), why.to_owned());
                let shell = RecordingShell::new(move |text| match text == command {
                    true => Err(reason.clone()),
                    false => Ok(ProcessOutput::new("", ExitStatus::Code(0), Duration::ZERO)),
                });
                let says = format!("its command `{failing}` (line 1) was not run: {why}");
                let says = format!("cannot load the skill `case`: {says}");
                let theirs = json!({"error": says, "last": failing});
                let ours = match fill(&shell, body, "null") {
                    Ok(text) => json!({"text": text, "last": shell.commands().last()}),
                    Err(error) => json!({"error": error, "last": shell.commands().last()}),
                };
                report.compare_with(case, &theirs, ours);
            }
        }
    });
    report.finish();
}
