//! Rules of SKILL.md that the recorded cases do not cover.

use helix_skills_format::{Code, Finding, Parsed, Severity, SkillMd};
use helix_skills_runtime::Value;

fn parse(text: &str) -> Result<Parsed<SkillMd>, Vec<Finding>> {
    SkillMd::parse(text, Some("my-skill"), "SKILL.md")
}

/// Parses a skill with these lines after name and description.
fn with(lines: &str) -> Parsed<SkillMd> {
    let text = format!("---\nname: my-skill\ndescription: Does a thing.\n{lines}\n---\nBody\n");
    parse(&text).unwrap_or_else(|errors| panic!("{lines}: {errors:?}"))
}

fn codes(findings: &[Finding]) -> Vec<(Code, String)> {
    findings.iter().map(|f| (f.code, f.at.map(|at| at.to_string()).unwrap_or_default())).collect()
}

fn refused(text: &str) -> Vec<(Code, String)> {
    let errors = parse(text).expect_err(text);
    assert!(!errors.is_empty());
    assert!(errors.iter().all(|e| e.code.when_baking() == Severity::Error), "{errors:?}");
    codes(&errors)
}

/// Returns a value of the metadata.
fn metadata<'s>(skill: &'s SkillMd, key: &str) -> &'s str {
    skill.metadata().find(|(name, _)| *name == key).unwrap().1
}

fn one(code: Code, at: &str) -> Vec<(Code, String)> {
    vec![(code, at.to_owned())]
}

fn text(text: &str) -> Value {
    Value::Text(text.to_owned().into())
}

#[test]
fn max_ticks_over_the_maximum_is_a_warning() {
    let run = with("maxTicks: 101");
    assert_eq!(run.value.max_ticks(), Some(101));
    assert_eq!(run.findings.len(), 1);
    assert_eq!(run.findings[0].code, Code::CappedTicks);
    assert_eq!(run.findings[0].to_string(), "`maxTicks` is 101; a run has at most 100");
    assert_eq!(run.findings[0].at.unwrap().to_string(), "4:11");
    assert!(with("maxTicks: 100").findings.is_empty());
}

#[test]
fn every_field_is_read() {
    let parsed = with(
        "license: '2.0'\ncompatibility: needs git\nmetadata:\n  version: '1.0'\n  ok: 'true'\n\
        allowed-tools:\n  - Bash(git add *, git rm *)\n  - Read\ndisallowed-tools: Write, Edit\nwhen_to_use: Now.\n\
        argument-hint: [file]\narguments: from to\ndisable-model-invocation: 'YES'\nuser-invocable: 0\nmodel: opus\n\
        effort: high\ncontext: fork\nagent: Explore\nbackground: true\nshell: bash\nhooks:\n  Stop:\n    - run: x\n\
        paths: 'src/*.{ts,tsx}, docs/**'\nmaxTicks: 7",
    );
    assert_eq!(parsed.findings, []);
    let skill = parsed.value;
    assert_eq!(skill.name.as_str(), "my-skill");
    assert_eq!(skill.license(), Some("2.0"));
    assert_eq!(skill.compatibility(), Some("needs git"));
    assert_eq!(metadata(&skill, "version"), "1.0");
    assert_eq!(metadata(&skill, "ok"), "true");
    assert_eq!(skill.allowed_tools().unwrap(), ["Bash(git add *, git rm *)", "Read"]);
    assert_eq!(skill.disallowed_tools().unwrap(), ["Write", "Edit"]);
    assert_eq!(skill.when_to_use(), Some("Now."));
    assert_eq!(skill.argument_hint(), Some("[file]"));
    assert_eq!(skill.arguments(), ["from", "to"]);
    assert!(skill.disable_model_invocation());
    assert!(!skill.user_invocable());
    assert_eq!(skill.shell(), Some("bash"));
    assert_eq!(skill.max_ticks(), Some(7));
    // Keys that only other systems interpret are kept with their source text.
    let extra = skill.extra().iter().map(|(key, value)| format!("{key}: {value}"));
    let expected = [
        "model: opus",
        "effort: high",
        "context: fork",
        "agent: Explore",
        "background: true",
        "hooks: {Stop: [{run: x}]}",
        "paths: src/*.{ts,tsx}, docs/**",
    ];
    assert_eq!(extra.collect::<Vec<_>>(), expected);
}

#[test]
fn a_minimal_skill_has_defaults() {
    let parsed = with("");
    assert_eq!(parsed.findings, []);
    let skill = parsed.value;
    assert_eq!((skill.license(), skill.compatibility(), skill.metadata().len()), (None, None, 0));
    assert_eq!((skill.when_to_use(), skill.argument_hint(), skill.extra().len()), (None, None, 0));
    assert!(!skill.disable_model_invocation());
    assert!(skill.user_invocable());
    assert_eq!(
        (skill.allowed_tools(), skill.max_ticks(), skill.arguments().len()),
        (None, None, 0)
    );
}

#[test]
fn unknown_keys_are_kept_in_order_with_their_source_text() {
    let parsed = with("version: 1.0\nzed: [a, 0x1F, {k: ~}]\nTools:\n- x\nallowed_tools: Read");
    let number = |text: &str| Value::Number(text.to_owned().into());
    let null = Value::Null("~".into());
    let nested = Value::List(
        vec![text("a"), number("0x1F"), Value::Map(vec![("k".into(), null)].into())].into(),
    );
    let expected = [
        ("version".into(), number("1.0")),
        ("zed".into(), nested),
        ("Tools".into(), Value::List(vec![text("x")].into())),
        ("allowed_tools".into(), text("Read")),
    ];
    assert_eq!(parsed.value.extra(), expected);
    let places: Vec<_> = codes(&parsed.findings);
    let at = |line: &str| (Code::UnknownField, format!("{line}:1"));
    let lost = (Code::LostRestriction, "8:1".to_owned());
    assert_eq!(places, [at("4"), at("5"), at("6"), lost]);
    assert_eq!(parsed.findings[3].hint.as_deref(), Some("did you mean `allowed-tools`?"));
}

/// The kinds follow YAML 1.2's core schema; quotes and blocks make any value a string.
#[test]
fn scalars_of_unknown_keys_keep_their_kind() {
    for (written, expected) in [
        ("1.0", Value::Number("1.0".into())),
        ("-0o17", Value::Text("-0o17".into())),
        ("0o17", Value::Number("0o17".into())),
        ("+1e3", Value::Number("+1e3".into())),
        ("-.INF", Value::Number("-.INF".into())),
        (".nan", Value::Number(".nan".into())),
        ("1.0.0", Value::Text("1.0.0".into())),
        ("inf", Value::Text("inf".into())),
        ("True", Value::Bool("True".into())),
        ("yes", Value::Text("yes".into())),
        ("~", Value::Null("~".into())),
        ("", Value::Null("".into())),
        ("'1.0'", Value::Text("1.0".into())),
        ("\"true\"", Value::Text("true".into())),
        ("''", Value::Text("".into())),
        ("|-\n  1.0", Value::Text("1.0".into())),
    ] {
        assert_eq!(with(&format!("my-key: {written}")).value.extra()[0].1, expected, "{written}");
    }
}

#[test]
fn compatibility_has_at_most_500_characters() {
    let of = |length: usize| with(&format!("compatibility: {}", "é".repeat(length)));
    assert_eq!(codes(&of(500).findings), []);
    let long = of(501);
    assert_eq!(codes(&long.findings), one(Code::LongCompatibility, "4:16"));
    assert_eq!(long.value.compatibility().map(|text| text.chars().count()), Some(501));
}

#[test]
fn nested_metadata_is_kept_and_reported() {
    let parsed = with("metadata:\n  a: 1.10\n  openclaw:\n    emoji: x\n  list: [y]\n  none:");
    assert_eq!(metadata(&parsed.value, "a"), "1.10");
    assert_eq!(metadata(&parsed.value, "none"), "");
    assert_eq!(parsed.value.extra()[0].0, "metadata");
    assert_eq!(parsed.value.extra()[0].1.to_string(), "{openclaw: {emoji: x}, list: [y]}");
    assert_eq!(
        codes(&parsed.findings),
        [
            (Code::TypedValue, "5:6".to_owned()),
            (Code::NestedMetadata, "7:5".to_owned()),
            (Code::NestedMetadata, "8:9".to_owned()),
            (Code::TypedValue, "9:7".to_owned())
        ]
    );
    assert_eq!(codes(&with("metadata: [a]").findings), one(Code::FieldType, "4:11"));
}

#[test]
fn empty_tool_lists_allow_no_tools() {
    assert_eq!(with("").value.allowed_tools(), None);
    for none in
        ["allowed-tools: []", "allowed-tools: ''", "allowed-tools:", "allowed-tools: {a: b}"]
    {
        assert!(with(none).value.allowed_tools().unwrap().is_empty(), "{none}");
    }
    for list in ["allowed-tools: []", "allowed-tools: ''", "allowed-tools: \" \""] {
        assert_eq!(codes(&with(list).findings), [], "{list}");
    }
    assert_eq!(codes(&with("allowed-tools:").findings), one(Code::EmptyField, "4:14"));
    assert_eq!(
        codes(&with("allowed-tools: Bash(git").findings),
        one(Code::UnclosedParenthesis, "4:16")
    );
    assert_eq!(
        codes(&with("allowed-tools:\n- {a: b}\n- Read").findings),
        one(Code::FieldType, "5:3")
    );
}

#[test]
fn typed_values_are_kept_as_written_and_reported() {
    let typed = |severities: [Severity; 2], text: &str, at: &str| {
        let parsed = with(text);
        assert_eq!(parsed.findings.len(), 1, "{text}");
        let found = &parsed.findings[0];
        assert_eq!([found.code.when_baking(), found.code.when_validating()], severities, "{text}");
        assert_eq!(found.at.map(|at| at.to_string()).as_deref(), Some(at), "{text}");
        parsed.value
    };
    let value = [Severity::Silent, Severity::Warning];
    assert_eq!(typed(value, "license: 2.0", "4:10").license(), Some("2.0"));
    assert_eq!(typed(value, "compatibility: 3", "4:16").compatibility(), Some("3"));
    for (text, kept) in [("1.0", "1.0"), ("3", "3"), ("true", "true"), ("~", "~"), ("null", "null")]
    {
        let skill = typed(value, &format!("metadata:\n  key: {text}"), "5:8");
        assert_eq!(metadata(&skill, "key"), kept);
    }
    let item = [Severity::Warning, Severity::Error];
    let skill = typed(item, "allowed-tools: [Read, 7]", "4:23");
    assert_eq!(skill.allowed_tools().unwrap(), ["Read", "7"]);
    for text in ["7", "true"] {
        let skill = typed(item, &format!("allowed-tools: {text}"), "4:16");
        assert_eq!(skill.allowed_tools().unwrap(), [text]);
    }
    for text in ["license: '2.0'", "metadata: {version: \"1.0\"}", "allowed-tools: [Read, '7']"] {
        assert_eq!(codes(&with(text).findings), [], "{text}");
    }
}

#[test]
fn gates_fail_closed() {
    for odd in ["maybe", "", "2", "[true]", "~"] {
        let parsed = with(&format!("disable-model-invocation: {odd}\nuser-invocable: {odd}"));
        assert!(parsed.value.disable_model_invocation(), "{odd}");
        assert!(!parsed.value.user_invocable(), "{odd}");
        assert_eq!(
            parsed.findings.iter().filter(|f| f.code == Code::FieldType).count(),
            2,
            "{odd}"
        );
    }
    for yes in ["true", "'True'", "YES", "On", "1"] {
        let skill = with(&format!("disable-model-invocation: {yes}\nuser-invocable: {yes}")).value;
        assert!(skill.disable_model_invocation() && skill.user_invocable(), "{yes}");
    }
    for no in ["FALSE", "no", "\"off\"", "0"] {
        let skill = with(&format!("disable-model-invocation: {no}\nuser-invocable: {no}")).value;
        assert!(!skill.disable_model_invocation() && !skill.user_invocable(), "{no}");
    }
}

#[test]
fn fields_of_the_wrong_type_are_reported_and_kept() {
    let triggers = with("when_to_use: [Now]\nargument-hint: {a: b}\narguments: [{a: b}, to]");
    let skill = triggers.value;
    assert_eq!((skill.when_to_use(), skill.argument_hint()), (None, None));
    assert_eq!(skill.arguments(), ["to"]);
    assert_eq!(triggers.findings.iter().filter(|f| f.code == Code::FieldType).count(), 3);

    let parsed = with("license: [MIT]\nmaxTicks: many\nmodel: ~");
    assert_eq!((parsed.value.license(), parsed.value.max_ticks()), (None, None));
    assert_eq!(parsed.value.extra().len(), 2);
    assert_eq!(
        codes(&parsed.findings),
        [
            (Code::FieldType, "4:10".to_owned()),
            (Code::FieldType, "5:11".to_owned()),
            (Code::EmptyField, "6:8".to_owned())
        ]
    );
}

#[test]
fn missing_quotes_are_added_if_nothing_else_is_wrong() {
    let parsed =
        with("when_to_use: Don't: wait # a note\nargument-hint: [file] [format]\nlicense: MIT");
    assert_eq!(parsed.value.when_to_use(), Some("Don't: wait # a note"));
    assert_eq!(parsed.value.argument_hint(), Some("[file] [format]"));
    assert_eq!(
        codes(&parsed.findings),
        [(Code::UnquotedValue, "4:14".to_owned()), (Code::UnquotedValue, "5:16".to_owned())]
    );
    // A value of several lines with a comment, a nested value, and a second mistake are each an
    // error at the first position.
    assert_eq!(
        refused("---\nname: a\ndescription: b\nmodel: Use: this # c\n  and that\n---\n"),
        one(Code::Syntax, "4:11")
    );
    assert_eq!(
        refused("---\nname: a\ndescription: b\nmetadata:\n  c: d: e\n---\n"),
        one(Code::Syntax, "5:7")
    );
    assert_eq!(
        refused("---\nname: a\ndescription: b: c\nx: [\n---\n")[0],
        (Code::Syntax, "3:15".to_owned())
    );
}

/// Values of real skills that YAML would cut or refuse. The text stays as it is, and so do the
/// values of what needs no quotes.
#[test]
fn texts_without_quotes_are_kept_whole() {
    let unquoted = |at: &str| one(Code::UnquotedValue, at);
    for (written, expected, found) in [
        (
            "Has # hash in it. Use when asked.",
            "Has # hash in it. Use when asked.",
            unquoted("3:14"),
        ),
        (
            "First line\n  and issue #12 then more # text.",
            "First line and issue #12 then more # text.",
            unquoted("3:14"),
        ),
        (
            "Review my plan.\n  Pairs with the tech skill: grill first.",
            "Review my plan. Pairs with the tech skill: grill first.",
            unquoted("3:14"),
        ),
        (
            "\n  Stress-test a \"plan\".\n\n  It's for a skill: grill first.",
            "Stress-test a \"plan\".\nIt's for a skill: grill first.",
            unquoted("4:3"),
        ),
        ("Use: this\r\n  and that # one\r", "Use: this and that # one", unquoted("3:14")),
        ("C#, a#b and #c", "C#, a#b and #c", unquoted("3:14")),
        ("C#, a#b", "C#, a#b", Vec::new()),
        ("One\n  line # more\n  and: more", "One line # more and: more", unquoted("3:14")),
        ("\"a # b\" # c", "a # b", Vec::new()),
        (">-\n  a # b: c\n", "a # b: c", Vec::new()),
    ] {
        let text =
            format!("---\nname: my-skill\ndescription: {written}\nx: \"\\u0041 # b\"\n---\nb");
        let parsed = parse(&text).unwrap_or_else(|found| panic!("{text}: {found:?}"));
        assert_eq!(parsed.value.description(), expected);
        let findings: Vec<_> = parsed.findings;
        let findings: Vec<_> =
            findings.into_iter().filter(|it| it.code != Code::UnknownField).collect();
        assert_eq!(codes(&findings), found, "{text}");
        assert_eq!(parsed.value.extra()[0].1, Value::Text("A # b".into()));
    }
    let parsed = with("license: MIT # see LICENSE\nwhen_to_use: issue\n  #12\nmodel: a # b");
    assert_eq!(parsed.value.license(), Some("MIT # see LICENSE"));
    assert_eq!(parsed.value.when_to_use(), Some("issue #12"));
    assert_eq!(parsed.value.extra()[0].1, text("a"));
    let message = "the value of `license` needs quotes; other systems end it at ` #`";
    assert_eq!(parsed.findings[0].message, message);
    // A mapping is not text.
    let parsed = with("license:\n  name: MIT\n  url: x");
    assert_eq!(codes(&parsed.findings), one(Code::FieldType, "5:3"));
}

/// A key in capitals is not read, which is reported when a skill is locked.
#[test]
fn misspelled_keys_are_named() {
    let parsed = with("License: MIT\nwhen-to-use: now\nLicence: MIT");
    let found = |line: &str| (Code::MisspelledField, format!("{line}:1"));
    assert_eq!(
        codes(&parsed.findings),
        [found("4"), found("5"), (Code::UnknownField, "6:1".to_owned())]
    );
    assert_eq!(parsed.findings[0].message, "unknown key `License`: `license` is not read from it");
    assert_eq!(parsed.findings[0].hint.as_deref(), Some("did you mean `license`?"));
    assert_eq!((parsed.value.license(), parsed.value.when_to_use()), (None, None));
}

#[test]
fn fences_are_whole_lines() {
    let parsed = parse(
        "\u{feff}---\t \r\nname: my-skill\r\ndescription: a --- b\r\n--- \r\n\r\n  Text\r\n---\r\n",
    )
    .unwrap();
    assert_eq!(parsed.findings, []);
    assert_eq!(parsed.value.description(), "a --- b");
    let text = "\n \n---\nname: my-skill\ndescription: x\n---\nBody";
    let parsed = parse(text).unwrap();
    assert_eq!(codes(&parsed.findings), one(Code::BlankBeforeFrontmatter, "1:1"));
    assert_eq!(parsed.value.layout.frontmatter_end, text.len() - 4);
    for (text, expected) in [
        ("", one(Code::NoFrontmatter, "1:1")),
        ("# Title\n", one(Code::NoFrontmatter, "1:1")),
        ("---js\n---\n", one(Code::NoFrontmatter, "1:1")),
        ("\n --- \nname: a\n---\n", one(Code::NoFrontmatter, "2:1")),
        ("\u{feff}\u{feff}---\n---\n", one(Code::NoFrontmatter, "1:1")),
        ("---\nname: a\n...\nBody\n", one(Code::UnclosedFrontmatter, "1:1")),
        ("\n---\nname: a\n ---\n", one(Code::UnclosedFrontmatter, "2:1")),
    ] {
        assert_eq!(refused(text), expected, "{text:?}");
    }
}

#[test]
fn the_body_is_trimmed_by_lines() {
    for (after, body) in [
        ("\n\n \t\n  - a\n\n---\nb \n\n", "  - a\n\n---\nb"),
        ("\r\n\r\n\r\n# a\r\n", "# a"),
        ("\n", ""),
        ("", ""),
        ("\n \n\u{3000}\n", ""),
        ("\nno end", "no end"),
    ] {
        let text = format!("---\nname: my-skill\ndescription: x\n---{after}");
        let parsed = parse(&text).unwrap();
        let layout = &parsed.value.layout;
        assert_eq!(layout.body(&text), body, "{after:?}");
        let fence = after.split_inclusive('\n').next().unwrap_or_default();
        assert_eq!(layout.frontmatter_end, text.len() - after.len() + fence.len(), "{after:?}");
        let empty = if body.is_empty() { vec![Code::EmptyBody] } else { vec![] };
        assert_eq!(parsed.findings.iter().map(|f| f.code).collect::<Vec<_>>(), empty, "{after:?}");
    }
}

#[test]
fn carriage_returns_do_not_reach_values() {
    let parsed =
        parse("---\r\nname: my-skill\r\ndescription: |\r\n  a\r\n  b\r\n---\r\nBody\r\n").unwrap();
    assert_eq!(parsed.value.description(), "a\nb");
    assert_eq!(parsed.findings, []);
    let parsed = parse("---\rname: my-skill\rdescription: |\r  a\r  b\rx: y\r---\rBody\r").unwrap();
    assert_eq!(parsed.value.description(), "a\nb");
    assert_eq!(
        codes(&parsed.findings),
        [(Code::LoneCarriageReturn, "1:1".to_owned()), (Code::UnknownField, "6:1".to_owned())]
    );
}

#[test]
fn names_that_need_a_warning() {
    let named = |name: &str, directory: Option<&str>| {
        SkillMd::parse(&format!("---\nname: {name}\ndescription: x\n---\nb"), directory, "SKILL.md")
    };
    let found_codes = |name: &str, directory: &str| {
        let parsed = named(name, Some(directory)).unwrap();
        parsed.findings.iter().map(|f| f.code).collect::<Vec<_>>()
    };
    let (most, more) = ("a".repeat(64), "a".repeat(65));
    assert_eq!(found_codes(&most, &most), []);
    assert_eq!(found_codes(&more, &more), [Code::LongName]);
    assert_eq!(found_codes("my_skill", "my_skill"), [Code::NameCharacter]);
    for tool in ["load_skill", "read_skill_file", "search_skills", "skill_use", "skill_read_file"] {
        assert_eq!(found_codes(tool, tool), [Code::NameCharacter, Code::ToolName]);
    }
    assert_eq!(found_codes("skill", "skill"), [Code::ToolName]);
    assert_eq!(found_codes("load-skill", "load-skill"), []);
    assert_eq!(found_codes("a--b", "a--b"), [Code::NameHyphen]);
    assert_eq!(
        found_codes("Claude", "claude"),
        [Code::NameCharacter, Code::ReservedWord, Code::NameMismatch]
    );
    assert_eq!(found_codes("007", "007"), [Code::NameType]);
    assert_eq!(found_codes("'007'", "007"), []);
    assert_eq!(found_codes("1.5", "1.5"), [Code::NameType, Code::NameCharacter]);
    assert_eq!(found_codes("", "dir"), [Code::MissingName]);
    assert_eq!(found_codes("null", "dir"), [Code::MissingName]);
    for (name, directory) in [
        ("../evil", Some("evil")),
        ("a/b", None),
        ("con", None),
        ("'a b'", None),
        ("\"a\\u200Bb\"", None),
        ("", Some("a b")),
    ] {
        assert_eq!(
            codes(&named(name, directory).unwrap_err()),
            one(Code::BadName, if name.is_empty() { "2:5" } else { "2:7" })
        );
    }
    assert_eq!(codes(&named("", None).unwrap_err()), one(Code::MissingKey, "2:5"));
    assert_eq!(codes(&named("[a]", Some("a")).unwrap_err()), one(Code::WrongType, "2:7"));
    assert_eq!(named("a", None).unwrap().findings, []);
}

#[test]
fn all_errors_are_reported_at_once() {
    assert_eq!(
        refused("---\nname: a/b\ndescription: ''\nLicense: x\n---\n"),
        [(Code::BadName, "2:7".to_owned()), (Code::MissingDescription, "3:14".to_owned())]
    );
    assert_eq!(
        refused("---\nname: &a b\nx: *a\ny: !t z\nx: 1\nm: {k: 1, k: 2}\n---\n"),
        [
            (Code::YamlAnchor, "2:10".to_owned()),
            (Code::YamlAnchor, "3:4".to_owned()),
            (Code::YamlTag, "4:7".to_owned()),
            (Code::DuplicateKey, "5:1".to_owned()),
            (Code::DuplicateKey, "6:11".to_owned()),
        ]
    );
}

#[test]
fn yaml_that_is_rejected() {
    for (yaml, expected) in [
        ("[a, b]", one(Code::WrongType, "2:1")),
        ("text", one(Code::WrongType, "2:1")),
        ("# nothing", one(Code::MissingDescription, "1:1")),
        ("? [a]\n: b", one(Code::ComplexKey, "2:3")),
        ("a: b\n? {c: d}\n: b", one(Code::ComplexKey, "3:3")),
        ("a: b\n: c", one(Code::ComplexKey, "3:1")),
        ("<<: *x", one(Code::YamlAnchor, "2:5")),
        ("a: !!binary aGk=", one(Code::YamlTag, "2:13")),
        ("a: !!python/object:os.system x", one(Code::YamlTag, "2:30")),
        ("%YAML 1.2", one(Code::Syntax, "2:1")),
        ("a: b\n...\nc: d", one(Code::Syntax, "4:1")),
        ("a: b\n--- c", one(Code::Syntax, "3:1")),
        ("a:\n\tb: c", one(Code::Syntax, "3:2")),
        ("a: \"b", one(Code::Syntax, "3:1")),
        ("a: @b", one(Code::Syntax, "2:4")),
    ] {
        assert_eq!(refused(&format!("---\n{yaml}\n---\n")), expected, "{yaml}");
    }
}

#[test]
fn description_is_text_of_bounded_length() {
    let described =
        |text: &str| parse(&format!("---\nname: my-skill\ndescription: {text}\n---\nb")).unwrap();
    assert_eq!(codes(&described(&"é".repeat(1024)).findings), []);
    assert_eq!(codes(&described(&"é".repeat(1025)).findings), one(Code::LongDescription, "3:14"));
    assert_eq!(codes(&described("1e3").findings), one(Code::DescriptionType, "3:14"));
    for text in ["1.2.3", "v1", "yes", "inf", "0xZ", "'42'", "1_000", "-1-"] {
        assert_eq!(codes(&described(text).findings), [], "{text}");
    }
    assert_eq!(
        refused("---\nname: my-skill\ndescription: ~\n---\nb"),
        one(Code::MissingDescription, "3:14")
    );
    assert_eq!(
        refused("---\nname: my-skill\ndescription:\n  a: b\n  c: d\n---\nb"),
        one(Code::WrongType, "4:3")
    );
}

#[test]
fn other_file_names_are_reported() {
    let parsed =
        SkillMd::parse("---\nname: a\ndescription: b\n---\nc", Some("a"), "skill.md").unwrap();
    assert_eq!(codes(&parsed.findings), one(Code::FileName, ""));
}

#[test]
fn bytes_that_are_not_utf8_have_a_position() {
    let mut bytes = "---\nname: a\ndescription: é".as_bytes().to_vec();
    bytes.extend(b"\xc3\x28\n---\n");
    let errors = SkillMd::parse_bytes(&bytes, None, "SKILL.md").unwrap_err();
    assert_eq!(codes(&errors), one(Code::NotUtf8, "3:15"));
    assert_eq!(errors[0].message, "the byte `0xc3` is not UTF-8");
    let good = b"---\nname: a\ndescription: b\n---\nc";
    assert_eq!(SkillMd::parse_bytes(good, None, "SKILL.md").unwrap().value.name.as_str(), "a");
}

#[test]
fn messages_are_one_line() {
    let parsed = with("\"k\\n\\e[31m\": 1");
    assert_eq!(parsed.findings[0].message, "unknown key `k\\n\\u{1b}[31m`");
    assert_eq!(parsed.value.extra()[0].0, "k\n\u{1b}[31m");
}
