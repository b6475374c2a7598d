//! Recorded cases of templates: what other systems' code does with a body, and what their
//! documentation says.
//!
//! `HELIX_CONFORMANCE` names the file of cases. Without it, the feature `conformance` uses the file
//! next to the checkout, and other runs check no cases: `filling` and `hostile` cover the same.

use helix_skills_runtime::{
    Arguments, CommandForm, FilledTemplate, Profile, Quote, Template, TokenMode, Variables,
    tokenize,
};
use serde_json::{Value, value::RawValue};
use std::{collections::BTreeMap, path::PathBuf};

/// Groups of cases with different behavior here, and the reason.
const DEVIATIONS: &[(&str, &str, &str, &str)] = &[
    ("agentick", "subst/rescan-var", "$ARGUMENTS", "what is inserted is never read again"),
    (
        "agentick",
        "inject/arg-block-injection",
        r#"{"run":[],"text":"```!\nid\n```"}"#,
        "an argument never becomes a command",
    ),
    (
        "agentick",
        "inject/arg-into-command",
        r#"{"run":["grep 'foo; rm -rf /' ."],"text":"<grep 'foo; rm -rf /' .>"}"#,
        "a value is one word of a command, never a part of its syntax; `Quote::Raw` behaves like theirs",
    ),
    (
        "agentick",
        "inject/output-not-rescanned-args",
        r#"{"run":["echo '$1'"],"text":"<echo '$1'>"}"#,
        "a value is one word of a command; `Quote::Raw` behaves like theirs",
    ),
    ("python shlex", "tok/'\"unterminated x'", r#"["\"unterminated","x"]"#, "prose is valid"),
    ("python shlex", "tok/\"it's fine\"", r#"["it's","fine"]"#, "prose is valid"),
];

/// A case, with its input as written, because keys of objects have an order.
struct Case {
    group: String,
    peer: String,
    input: Box<RawValue>,
    expected: Value,
}

fn cases(area: &str) -> Vec<Case> {
    let path = match std::env::var_os("HELIX_CONFORMANCE") {
        Some(path) => PathBuf::from(path),
        None if cfg!(feature = "conformance") => PathBuf::from(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../shared/conformance/cases.json"
        )),
        None => return Vec::new(),
    };
    let text = std::fs::read_to_string(&path)
        .unwrap_or_else(|why| panic!("cannot read `{}`: {why}", path.display()));
    let document: BTreeMap<String, Box<RawValue>> = serde_json::from_str(&text).unwrap();
    let cases: Vec<BTreeMap<String, Box<RawValue>>> =
        serde_json::from_str(document["cases"].get()).unwrap();
    let text = |value: &RawValue| serde_json::from_str::<String>(value.get()).unwrap();
    let cases = cases.into_iter().filter(|case| text(&case["area"]) == area).map(|mut case| Case {
        group: text(&case["group"]),
        peer: text(&case["peer"]),
        expected: serde_json::from_str(case["expected"].get()).unwrap(),
        input: case.remove("input").unwrap(),
    });
    let cases: Vec<Case> = cases.collect();
    assert!(cases.len() >= 30, "the cases of {area} are missing");
    cases
}

impl Case {
    fn profile(&self) -> Profile {
        match &self.peer {
            peer if peer.starts_with("agentick ") => Profile::Agentick,
            peer if peer.starts_with("claude-code ") => Profile::ClaudeCode,
            peer => panic!("unknown system {peer}"),
        }
    }

    /// Compares our result with the recorded one.
    fn compare(&self, ours: &str, theirs: &str) {
        let deviation = DEVIATIONS
            .iter()
            .find(|(peer, group, ..)| self.peer.starts_with(peer) && self.group == *group);
        match deviation {
            Some((_, _, expected, reason)) => {
                assert_eq!(ours, *expected, "{}", self.group);
                assert_ne!(
                    ours, theirs,
                    "{} is in DEVIATIONS ({reason}) and no longer deviates",
                    self.group
                );
            }
            None => assert_eq!(ours, theirs, "{} of {}", self.group, self.peer),
        }
    }

    /// Calls `then` with the input of a template.
    fn template<T>(&self, body: &str, then: impl FnOnce(FilledTemplate<'_>) -> T) -> T {
        let input: BTreeMap<String, &RawValue> = serde_json::from_str(self.input.get()).unwrap();
        let body: String = serde_json::from_str(input[body].get()).unwrap();
        let names: Option<Vec<String>> =
            serde_json::from_str(input["argumentNames"].get()).unwrap();
        let names: Vec<&str> = names.iter().flatten().map(String::as_str).collect();
        let known: Option<BTreeMap<String, String>> =
            input.get("vars").and_then(|known| serde_json::from_str(known.get()).unwrap());
        let known: Vec<(&str, &str)> =
            known.iter().flatten().map(|(key, value)| (&**key, &**value)).collect();
        let arguments = Arguments::json(input["args"].get()).unwrap();
        let template = Template::new(&body).named(&names).in_profile(self.profile());
        then(template.fill(arguments, Variables::new().others(&known)))
    }
}

/// Returns the commands and the text with their outputs: the commands in angle brackets, as
/// recorded.
fn run(template: FilledTemplate<'_>) -> (Vec<String>, String) {
    let run: Vec<String> =
        template.commands().unwrap().map(|command| command.to_string()).collect();
    let outputs: Vec<String> = run.iter().map(|command| format!("<{command}>")).collect();
    let outputs: Vec<&str> = outputs.iter().map(String::as_str).collect();
    let text = template.with_outputs(&outputs).unwrap().to_string();
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
    let mut tried = 0;
    for case in cases("substitute") {
        case.template("template", |template| {
            let text = template.to_string();
            let theirs = case.expected["output"].as_str().unwrap();
            let text = if theirs.contains(FOLLOW) { &text } else { alone(&text) };
            case.compare(text, theirs);
        });
        if let Some(uses) = case.expected["usesArguments"].as_bool() {
            let input: Value = serde_json::from_str(case.input.get()).unwrap();
            let template =
                Template::new(input["template"].as_str().unwrap()).in_profile(case.profile());
            assert_eq!(template.uses_arguments(), uses, "{}", case.group);
        }
        tried += 1;
    }
    assert!(tried == 0 || tried == 42, "{tried}");
}

#[test]
fn splitting_conforms_to_recorded_cases() {
    for case in cases("tokenize") {
        let mode =
            if case.peer.starts_with("agentick ") { TokenMode::Agentick } else { TokenMode::Posix };
        let text: String = serde_json::from_str(case.input.get()).unwrap();
        let tokens: Vec<String> = tokenize(&text, mode).map(|token| token.to_string()).collect();
        case.compare(&serde_json::to_string(&tokens).unwrap(), &case.expected.to_string());
    }
}

/// Converts an offset to UTF-16 units, as recorded.
fn utf16(text: &str, at: usize) -> u64 {
    text[..at].encode_utf16().count() as u64
}

#[test]
fn injections_conform_to_recorded_cases() {
    for case in cases("inject") {
        let Ok(body) = serde_json::from_str::<String>(case.input.get()) else {
            let theirs = serde_json::json!({"run": case.expected["commandsRun"], "text": case.expected["output"]});
            let theirs = theirs.to_string();
            let json = |(run, text): (Vec<String>, String)| {
                serde_json::json!({"run": run, "text": text}).to_string()
            };
            case.template("body", |template| {
                case.compare(&json(run(template)), &theirs);
                let is_command = case.group != "inject/arg-block-injection";
                assert_eq!(
                    json(run(template.quoted(Quote::Raw))) == theirs,
                    is_command,
                    "{}",
                    case.group
                );
            });
            continue;
        };
        let template = Template::new(&body)
            .in_profile(Profile::Agentick)
            .fill(Arguments::NONE, Variables::new());
        let commands: Vec<_> = template.commands().unwrap().collect();
        match &case.expected {
            Value::Array(_) => {
                let found = commands.iter().map(|command| {
                    let part = Template::new(&body)
                        .in_profile(Profile::Agentick)
                        .parts()
                        .find(|part| part.at() == command.at())
                        .unwrap();
                    serde_json::json!({
                        "kind": if command.form() == CommandForm::Inline { "inline" } else { "block" },
                        "command": command.to_string(),
                        "start": utf16(&body, part.at()),
                        "end": utf16(&body, part.at() + part.source().len()),
                    })
                });
                case.compare(&Value::from_iter(found).to_string(), &case.expected.to_string());
            }
            // The outputs of the recorded commands are described only in words.
            Value::String(theirs) => {
                let output_of = |command: String| match command.as_str() {
                    "one" => "!`three`",
                    "two" => "2",
                    "x" => "out\n",
                    _ => panic!("unknown output of {command}"),
                };
                let outputs: Vec<&str> =
                    commands.iter().map(|command| output_of(command.to_string())).collect();
                case.compare(&template.with_outputs(&outputs).unwrap().to_string(), theirs);
            }
            // Failures are handled by the host, which gets the offset, form and command.
            other => {
                let theirs = other["error"].as_str().unwrap();
                let last = commands.last().unwrap();
                let place =
                    format!("at offset {} (inline command `{last}`)", utf16(&body, last.at()));
                assert!(theirs.contains(&place) && last.form() == CommandForm::Inline, "{place}");
            }
        }
    }
}
