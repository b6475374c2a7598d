//! Recorded cases of templates: what other systems' code does with a body, and what their
//! documentation says.

use crate::NO_VARIABLES;
use helix_skills_conformance::{Case, Deviation, Report, Value, cases, json};
use helix_skills_runtime::{
    __internal::{TokenMode, tokenize},
    Arguments, CommandForm, FilledTemplate, Profile, Template, Variables,
};
use serde_json::value::RawValue;
use std::collections::BTreeMap;

const SUBSTITUTIONS: &[Deviation] =
    &[Deviation::new(&["agentick subst/rescan-var"], "what is inserted is never read again")
        .ours(r#"{"output":"$ARGUMENTS","usesArguments":false}"#)];

const TOKENS: &[Deviation] = &[
    Deviation::new(&["python shlex tok/'\"unterminated x'"], "prose is valid")
        .ours(r#"["\"unterminated","x"]"#),
    Deviation::new(&["python shlex tok/\"it's fine\""], "prose is valid")
        .ours(r#"["it's","fine"]"#),
];

const INJECTIONS: &[Deviation] = &[
    Deviation::new(
        &["inject/block-crlf"],
        "a shell would read the carriage return of a line end as a part of the command",
    )
    .ours(r#"[{"command":"ls","end":13,"kind":"block","start":0}]"#),
    Deviation::new(&["inject/arg-block-injection"], "an argument never becomes a command")
        .ours(r#"{"commandsRun":[],"output":"```!\nid\n```"}"#),
    Deviation::new(
        &["inject/arg-into-command"],
        "a value is one word of a command, never a part of its syntax; `unquoted` behaves like theirs",
    )
    .ours(r#"{"commandsRun":["SKILL_VALUE_1='foo; rm -rf /'\ngrep \"${SKILL_VALUE_1}\" ."],"output":"<SKILL_VALUE_1='foo; rm -rf /'\ngrep \"${SKILL_VALUE_1}\" .>"}"#),
    Deviation::new(
        &["inject/output-not-rescanned-args"],
        "a value is one word of a command; `unquoted` behaves like theirs",
    )
    .ours(r#"{"commandsRun":["SKILL_VALUE_1='$1'\necho \"${SKILL_VALUE_1}\""],"output":"<SKILL_VALUE_1='$1'\necho \"${SKILL_VALUE_1}\">"}"#),
];

/// Calls `then` with the input of a template, in the profile of the recorded system.
fn template<T>(
    case: &Case,
    body: &str,
    then: impl FnOnce(Profile, FilledTemplate<'_>) -> T,
) -> Option<T> {
    let profile = match &*case.peer {
        "agentick" => Profile::Agentick,
        "claude-code docs" => Profile::ClaudeCode,
        _ => return None,
    };
    let input: BTreeMap<String, &RawValue> = serde_json::from_str(&case.input_text).unwrap();
    let body: String = serde_json::from_str(input[body].get()).unwrap();
    let names: Option<Vec<String>> =
        input.get("argumentNames").and_then(|names| serde_json::from_str(names.get()).unwrap());
    let names: Vec<&str> = names.iter().flatten().map(String::as_str).collect();
    let known: Option<BTreeMap<String, String>> =
        input.get("vars").and_then(|known| serde_json::from_str(known.get()).unwrap());
    let known = known.into_iter().flatten();
    let known = known.fold(Variables::new(), |all, (name, value)| all.set(name, value));
    let arguments = Arguments::json(input.get("args").map_or("null", |args| args.get())).unwrap();
    let template = Template::new(&body).named(&names).profile(profile);
    Some(then(profile, template.bind(arguments, &known)))
}

/// Returns the commands and the text with their outputs: the commands in angle brackets, as
/// recorded.
fn run(template: FilledTemplate<'_>) -> (Vec<String>, String) {
    let run = template.command_texts().unwrap();
    let outputs: Vec<String> = run.iter().map(|command| format!("<{command}>")).collect();
    let outputs: Vec<&str> = outputs.iter().map(String::as_str).collect();
    let text = template.with_outputs(&outputs).to_string();
    (run, alone(&text).to_owned())
}

/// The text before arguments that follow the body.
const FOLLOW: &str = "\n\nARGUMENTS: ";

/// Returns the text without the arguments after it, which the recorded functions leave to their
/// callers.
fn alone(text: &str) -> &str {
    text.split(FOLLOW).next().unwrap()
}

#[test]
fn substitutions_conform_to_recorded_cases() {
    let cases = cases!("substitute");
    let mut report = Report::new(&cases, SUBSTITUTIONS);
    report.each(&cases, |report, case| {
        let theirs = case.expected["output"].as_str().unwrap_or_default();
        let ours = template(case, "template", |profile, template| {
            let text = template.to_string();
            let text = if theirs.contains(FOLLOW) { &text } else { alone(&text) };
            let body = Template::new(case.text("template").unwrap()).profile(profile);
            // Arguments that the body does not use follow it.
            let follow = body.fill("x".into(), &NO_VARIABLES).ends_with(&format!("{FOLLOW}x"));
            json!({"output": text, "usesArguments": !follow})
        });
        match ours {
            Some(ours) => report.compare_fields(case, ours),
            None => report.skip(format!("unknown system {}", case.peer)),
        }
    });
    report.finish();
}

#[test]
fn splitting_conforms_to_recorded_cases() {
    let cases = cases!("tokenize");
    let mut report = Report::new(&cases, TOKENS);
    report.each(&cases, |report, case| {
        let mode = if case.peer == "agentick" { TokenMode::Agentick } else { TokenMode::Posix };
        let text = case.input.as_str().unwrap();
        let tokens = tokenize(text, mode);
        report.compare(case, tokens);
    });
    report.finish();
}

/// Converts an offset to UTF-16 units, as recorded.
fn utf16(text: &str, at: usize) -> u64 {
    text[..at].encode_utf16().count() as u64
}

/// Returns the outputs of the commands of a case, if it is known which these were: their record is
/// only the text they are in.
fn outputs(commands: &[String]) -> Option<Vec<&'static str>> {
    let output_of = |command: &String| match command.as_str() {
        "one" => Some("!`three`"),
        "two" => Some("2"),
        "x" => Some("out\n"),
        _ => None,
    };
    commands.iter().map(output_of).collect()
}

#[test]
fn injections_conform_to_recorded_cases() {
    let cases = cases!("inject");
    let mut report = Report::new(&cases, INJECTIONS);
    report.each(&cases, |report, case| {
        let Some(body) = case.input.as_str() else {
            let json =
                |(run, text): (Vec<String>, String)| json!({"commandsRun": run, "output": text});
            let ours = template(case, "body", |_, template| {
                (json(run(template.clone())), json(run(template.unquoted(true))))
            });
            let Some((ours, raw)) = ours else {
                report.skip(format!("unknown system {}", case.peer));
                return;
            };
            if ours["output"] != case.expected["output"]
                && case.group != "inject/arg-block-injection"
            {
                assert_eq!(raw["output"], case.expected["output"], "{} unquoted", case.id);
            }
            report.compare_fields(case, ours);
            return;
        };
        let template = Template::new(body).profile(Profile::Agentick);
        let filled = template.bind(Arguments::NONE, &NO_VARIABLES);
        let (commands, texts) = (filled.commands(), filled.command_texts().unwrap());
        match &case.expected {
            Value::Array(_) => {
                let found = commands.iter().zip(&texts).map(|(command, text)| {
                    let part = template.parts().find(|part| part.at() == command.at).unwrap();
                    json!({
                        "kind": if command.form == CommandForm::Inline { "inline" } else { "block" },
                        "command": text,
                        "start": utf16(body, part.at()),
                        "end": utf16(body, part.at() + part.source().len()),
                    })
                });
                report.compare(case, Value::from_iter(found));
            }
            Value::String(_) => match outputs(&texts) {
                Some(outputs) => {
                    report.compare(case, filled.with_outputs(&outputs).to_string());
                }
                None => report.skip("the outputs of its commands are described in words"),
            },
            // Failures are handled by the host, which gets the offset, form and command.
            other => {
                let theirs = other["error"].as_str().unwrap_or_default();
                let ours = commands.last().zip(texts.last()).map(|(last, text)| {
                    let form = if last.form == CommandForm::Inline { "inline" } else { "block" };
                    format!("at offset {} ({form} command `{}`)", utf16(body, last.at), text)
                });
                let place = ours.filter(|place| theirs.contains(place));
                report.compare_with(case, &true.into(), place.is_some());
            }
        }
    });
    report.finish();
}
