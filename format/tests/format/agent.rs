//! Agent definitions in one file.

use helix_skills_format::{Agent, Code, Parsed, parse_agent};
use helix_skills_runtime::Value;

fn summaries(parsed: &Parsed<Agent>) -> Vec<String> {
    let place =
        |at: Option<helix_skills_format::Position>| at.map(|at| at.to_string()).unwrap_or_default();
    parsed
        .findings
        .iter()
        .map(|finding| format!("{} {}", place(finding.at), finding.code.as_str()))
        .collect()
}

#[test]
fn reads_name_skills_and_prompt_of_an_agent() {
    let text = "---\nname: my-agent\nskills:\n  - analyze-pr\n  - generate-report\n---\n\n\
        You are an assistant. Use your skills when appropriate.\n";
    let parsed = parse_agent(text, None).unwrap();
    assert_eq!(summaries(&parsed), [""; 0]);
    let agent = parsed.value;
    assert_eq!((&*agent.name, agent.description.as_deref()), ("my-agent", None));
    assert_eq!(agent.skills, ["analyze-pr", "generate-report"]);
    assert_eq!(agent.prompt, "You are an assistant. Use your skills when appropriate.");
    assert_eq!(agent.extra, []);
}

#[test]
fn keeps_unknown_keys_and_reports_misspelled_ones() {
    let text = "---\nname: a\ndescription: Does: all\nmodel: large\ntools: [Read, 'Bash(git *)']\nskill: pdf\n---\nx\n";
    let parsed = parse_agent(text, None).unwrap();
    assert_eq!(summaries(&parsed), ["3:14 unquoted-value", "6:1 unknown-field"]);
    assert_eq!(parsed.findings[1].hint.as_deref(), Some("did you mean `skills`?"));
    assert_eq!(parsed.value.description.as_deref(), Some("Does: all"));
    assert!(parsed.value.skills.is_empty());
    let tools =
        Value::List(vec![Value::Text("Read".into()), Value::Text("Bash(git *)".into())].into());
    let extra = [
        ("model", Value::Text("large".into())),
        ("tools", tools),
        ("skill", Value::Text("pdf".into())),
    ];
    assert_eq!(parsed.value.extra, extra.map(|(key, value)| (key.into(), value)));
}

#[test]
fn skills_are_read_in_any_form_without_duplicates() {
    for (list, skills, codes) in [
        ("[pdf, csv]", &["pdf", "csv"][..], &[][..]),
        ("pdf, csv xls", &["pdf", "csv", "xls"], &[]),
        ("\n  - pdf\n  - ' csv '\n  - pdf", &["pdf", "csv"], &["5:5 repeated-item"]),
        ("[ｐｄｆ, pdf]", &["pdf"], &["2:15 repeated-item"]),
        ("pdf pdf", &["pdf"], &["2:9 repeated-item"]),
        ("['../x', '']", &["../x"], &["2:18 empty-field"]),
        ("[[a], b]", &["b"], &["2:10 field-type"]),
        ("{a: b}", &[], &["2:9 field-type"]),
        ("[]", &[], &[]),
        ("", &[], &["2:7 empty-field"]),
        ("~", &[], &["2:9 empty-field"]),
    ] {
        let parsed = parse_agent(&format!("---\nskills: {list}\nname: a\n---\nx\n"), None).unwrap();
        assert_eq!(parsed.value.skills, skills, "{list}");
        assert_eq!(summaries(&parsed), codes, "{list}");
    }
}

#[test]
fn missing_name_is_taken_from_the_file() {
    let named = |text: &str, stem| {
        parse_agent(text, stem).map(|parsed| (parsed.value.name.clone(), summaries(&parsed)))
    };
    assert_eq!(
        named("---\nskills: a\n---\nx\n", Some("Code_Clerk")).unwrap(),
        ("Code_Clerk".to_owned(), vec![])
    );
    assert_eq!(
        named("---\nname: ' Clerk '\n---\nx\n", Some("other")).unwrap(),
        ("Clerk".to_owned(), vec![])
    );
    assert_eq!(named("---\nname: claude\n---\n", None).unwrap().1, ["4:1 empty-body"]);
}

#[test]
fn invalid_agents_are_errors_with_position_and_hint() {
    for (text, stem, error) in [
        (
            "Be brief.\n",
            Some("a"),
            "1:1 no-frontmatter: an agent must begin with frontmatter between two `---` lines",
        ),
        (
            "---\nname: a\n",
            None,
            "1:1 unclosed-frontmatter: the frontmatter has no closing `---` line",
        ),
        (
            "---\nskills: a\n---\n",
            None,
            "1:1 missing-key: `name` is missing, and the agent has no file name to use instead",
        ),
        (
            "---\nname: ../x\n---\n",
            None,
            "2:7 bad-name: `../x` cannot be a name: a name cannot start or end with a dot or contain two in a row",
        ),
        (
            "---\n---\n",
            Some("my agent"),
            "1:1 bad-name: `my agent` cannot be a name: a name cannot contain ` `",
        ),
        (
            "---\nname: [a]\n---\n",
            None,
            "2:7 wrong-type: `name` must be a string, not a list or a mapping",
        ),
        ("---\nname: a\nname: b\n---\n", None, "3:1 duplicate-key: duplicate key `name`"),
        ("---\nname: &a b\n---\n", None, "2:10 yaml-anchor: anchors are not allowed"),
    ] {
        let errors = parse_agent(text, stem).unwrap_err();
        let found = format!("{} {}: {}", errors[0].at.unwrap(), errors[0].code.as_str(), errors[0]);
        assert_eq!(found, error);
        assert!(errors[0].hint.is_some(), "{text:?}");
        assert_eq!(errors.len(), 1, "{text:?}");
    }
    let broken = parse_agent("---\nname: [\n---\n", None).unwrap_err();
    assert_eq!(broken[0].code, Code::Syntax);
}
