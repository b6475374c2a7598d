//! Skills parsed from texts that are not files.

use helix_skills_format::{
    Code, Finding, ParseSkillError, Parsed, Severity, SkillMd, parse_flat_skill, parse_skill,
};
use helix_skills_runtime::{IndexOptions, SearchOptions, Skill, SkillSet, Toolbox, Value};
use std::error::Error;

fn scalar(text: &'static str) -> Value {
    Value::Text(text.into())
}

fn list<const N: usize>(items: [Value; N]) -> Value {
    Value::List(Vec::from(items).into())
}

fn map(key: &'static str, value: Value) -> Value {
    Value::Map(vec![(key.into(), value)].into())
}

fn codes(findings: &[Finding]) -> Vec<Code> {
    findings.iter().map(|finding| finding.code).collect()
}

#[test]
fn parses_a_skill_from_text() {
    let text = "\u{feff}---\r\nname: Pdf_Tools\r\ndescription: |\r\n  Reads PDF files.\r\n  All of them.\r\n\
        metadata: {version: 1.0, author: me, nested: {a: b}}\r\nallowed-tools: Read, Bash(x *)\r\narguments: from to\r\n\
        disable-model-invocation: yes\r\nmaxTicks: 4\r\nhooks: {Stop: [{run: x}]}\r\nkey: [a, [b]]\r\n---\r\n\r\n# PDF\r\n\r\n";
    let parsed = parse_skill(text, Some("other")).unwrap();
    assert_eq!(
        codes(&parsed.findings),
        [Code::NameCharacter, Code::TypedValue, Code::NestedMetadata, Code::UnknownField]
    );
    assert!(parsed.findings.iter().all(|finding| finding.code.when_baking() < Severity::Error));
    {
        assert_eq!(
            (parsed.value.name(), parsed.value.description()),
            ("Pdf_Tools", "Reads PDF files.\nAll of them.")
        );
        assert!(parsed.value.metadata().eq([("author", "me"), ("version", "1.0")]));
        assert_eq!(parsed.value.allowed_tools().unwrap(), ["Read", "Bash(x *)"]);
        assert_eq!(parsed.value.arguments(), ["from", "to"]);
        assert_eq!(parsed.value.max_ticks(), Some(4));
        assert!(parsed.value.disable_model_invocation() && parsed.value.user_invocable());
        let run = map("run", scalar("x"));
        assert_eq!(
            parsed.value.extra()[0],
            ("metadata".into(), map("nested", map("a", scalar("b"))))
        );
        assert_eq!(parsed.value.extra()[1], ("hooks".into(), map("Stop", list([run]))));
        assert_eq!(parsed.value.extra()[2].1, list([scalar("a"), list([scalar("b")])]));
        assert_eq!(parsed.value.body(), "# PDF");
        assert_eq!(parsed.value.skill_md().concat(), text);
        assert!(
            parsed.value.resources().is_empty() && parsed.value.provenance().source().is_none()
        );
    };
}

#[test]
fn error_of_a_text_has_its_findings() {
    fn name(text: &str) -> Result<String, Box<dyn Error + Send + Sync>> {
        Ok(parse_skill(text, None)?.value.name().to_owned())
    }
    assert_eq!(name("---\nname: a\ndescription: b\n---\nc\n").unwrap(), "a");
    let two = name("---\nname: ../x\ndescription: ''\n---\n").unwrap_err();
    let error = two.downcast_ref::<ParseSkillError>().unwrap();
    assert_eq!(codes(&error.findings), [Code::BadName, Code::MissingDescription]);
    assert_eq!(
        error.to_string(),
        "invalid `SKILL.md` at 2:7: `../x` cannot be a name: a name cannot start or end with a dot or contain two in a row; \
         a name consists of lower-case letters, digits and `-`: `tide-tables` (and 1 more problem)",
    );
    let one = name("Use it.\n").unwrap_err();
    let why = "invalid `SKILL.md` at 1:1: a SKILL.md must begin with frontmatter";
    assert!(one.to_string().starts_with(why) && !one.to_string().contains(" more"), "{one}");
}

#[test]
fn missing_name_is_the_fallback() {
    let text = "---\ndescription: x\n---\ny\n";
    let parsed = parse_skill(text, Some(" my-skill ")).unwrap();
    assert_eq!(
        (parsed.value.name(), codes(&parsed.findings)),
        ("my-skill", vec![Code::MissingName, Code::PaddedName])
    );
    assert!(!parsed.findings[0].message.contains("directory"), "{}", parsed.findings[0]);

    let errors = parse_skill(text, None).unwrap_err().findings;
    assert_eq!(codes(&errors), [Code::MissingKey]);
    assert_eq!(errors[0].message, "`name` is missing, and no fallback name was given");
    assert_eq!(errors[0].hint.as_deref(), Some("add `name: …`"));
    assert_eq!(
        codes(&parse_skill(text, Some("../evil")).unwrap_err().findings),
        [Code::MissingName, Code::BadName][1..]
    );
    assert_eq!(
        codes(&parse_skill("# no frontmatter", Some("x")).unwrap_err().findings),
        [Code::NoFrontmatter]
    );
    assert_eq!(
        codes(&parse_skill("---\nname: ../x\ndescription: ''\n---\n", None).unwrap_err().findings),
        [Code::BadName, Code::MissingDescription]
    );
}

#[test]
fn name_and_description_are_required_and_the_rest_kept() {
    let parsed =
        parse_skill("---\nname: a\ndescription: b\ntags: [x, y]\nowner: me\n---\n", None).unwrap();
    {
        let kept =
            [("tags".into(), list([scalar("x"), scalar("y")])), ("owner".into(), scalar("me"))];
        assert_eq!(parsed.value.extra(), kept);
    };
    for (text, code) in [
        ("---\ndescription: b\n---\nx", Code::MissingKey),
        ("---\nname: a\n---\nx", Code::MissingDescription),
        ("---\nname: [a]\ndescription: b\n---\nx", Code::WrongType),
        ("---\nname: a\ndescription: {b: c}\n---\nx", Code::WrongType),
    ] {
        assert_eq!(codes(&parse_skill(text, None).unwrap_err().findings), [code], "{text}");
    }
}

#[test]
fn splits_frontmatter_and_trimmed_body() {
    let parsed =
        parse_skill("---\nname: a\ndescription: b\n---\n\n\n  Text \n\n---\n\n", None).unwrap();
    assert_eq!(
        (parsed.value.name(), parsed.value.description(), parsed.value.body()),
        ("a", "b", "  Text \n\n---")
    );
    assert_eq!(codes(&parse_skill("Text", None).unwrap_err().findings), [Code::NoFrontmatter]);
    assert_eq!(
        codes(&parse_skill("---\nname: a\n", None).unwrap_err().findings),
        [Code::UnclosedFrontmatter]
    );
}

#[test]
fn flat_skill_needs_only_a_line_of_text() {
    for (text, name, description, body) in [
        (
            "\u{feff}\n\n## Sorts issues. ##\r\nmore\n",
            "triage",
            "Sorts issues. ##",
            "## Sorts issues. ##\r\nmore",
        ),
        ("---\nnever closed\n", "triage", "never closed", "---\nnever closed"),
        ("---\nname: other\ndescription: ' '\n---\n***\n\nText\n", "other", "Text", "***\n\nText"),
        ("---\ndescription: Said.\n---\n", "triage", "Said.", ""),
    ] {
        let parsed = parse_flat_skill(text, "triage").unwrap();
        let skill = &parsed.value;
        assert_eq!((skill.name(), skill.description(), skill.body()), (name, description, body));
        assert_eq!(skill.skill_md().concat(), text);
        assert!(
            parsed.findings.iter().all(|finding| finding.code.when_baking() < Severity::Error),
            "{text}"
        );
    }
    let long = "x".repeat(5000);
    assert_eq!(parse_flat_skill(&long, "triage").unwrap().value.description(), &long[..1024]);
    for (text, stem, expected) in [
        ("", "triage", Code::MissingDescription),
        ("---\n# ---\n---\n# * \n", "triage", Code::MissingDescription),
        ("text", "con", Code::BadName),
        ("---\nname: a\ndescription: [b]\n---\ntext", "triage", Code::WrongType),
        ("---\nname: a: b: c\n\t- x\n---\ntext", "triage", Code::Syntax),
    ] {
        assert_eq!(
            codes(&parse_flat_skill(text, stem).unwrap_err().findings),
            [expected],
            "{text}"
        );
    }
}

#[test]
fn frontmatter_len_needs_exactly_the_frontmatter() {
    let text = "\u{feff}\n---\r\nname: é\ndescription: b\n--- \nBödy";
    let end = text.find("Böd").unwrap();
    for length in 0..text.len() {
        let expected = (length >= end).then_some(end);
        assert_eq!(SkillMd::frontmatter_len(&text.as_bytes()[..length]), expected, "{length}");
    }
    assert_eq!(SkillMd::frontmatter_len(b"---\nname: a\n----\n"), None);
    assert_eq!(SkillMd::frontmatter_len(b"---\nname: \xff\n---\n"), None);
    assert_eq!(SkillMd::frontmatter_len(b"---\nname: a\n---\n\xff"), Some(16));
}

#[test]
fn skill_of_a_text_equals_the_skill_of_the_file() {
    let text = "---\nname: a\ndescription: b\nlicense: MIT\n---\nText\n";
    let of_file = SkillMd::parse(text, Some("a"), "SKILL.md").unwrap().value;
    let of_text = parse_skill(text, None).unwrap().value;
    assert_eq!(of_file.to_skill(text), of_text);
    let entry = of_file.to_catalog_entry(&of_file.name);
    assert_eq!((entry.name(), entry.description(), entry.body()), ("a", "b", ""));
    let catalog = |skill| SkillSet::new(&[skill]).catalog().to_string();
    assert_eq!(catalog(entry), catalog(of_text));
}

/// The SKILL.md that `read_skill_file` prints of a skill defined in code parses again for any
/// one-line description.
#[test]
fn skill_md_of_a_defined_skill_parses_to_that_skill() {
    for text in [
        "Reads PDF files.",
        "a: b # c",
        "- x",
        "...",
        "---",
        "'\"\\ {[&*!|>%@`",
        "null",
        "日本\t🦞 </b> <skillful>",
    ] {
        for name in ["pdf", "null", "1e3", "true", "0x1f"] {
            let skills = [Skill::define(name, text, "Body.").build()];
            let shown =
                SkillSet::new(&skills).read_skill_file(name, "SKILL.md").unwrap().to_string();
            let start = shown.find("---\n").unwrap();
            let file = shown[start..].strip_suffix("</skill_file>").unwrap();
            let again =
                parse_skill(file, None).unwrap_or_else(|errors| panic!("{file}: {errors:?}"));
            assert_eq!(
                codes(&again.findings)
                    .into_iter()
                    .filter(|code| *code != Code::DescriptionMarkup)
                    .count(),
                0
            );
            {
                assert_eq!(
                    (again.value.name(), again.value.description(), again.value.body()),
                    (name, text, "Body.")
                );
            };
        }
    }
}

/// Kebab-case name, triggers as the description, a license, tools as a list; no list means no
/// limit.
#[test]
fn reads_the_frontmatter_of_deer_flow() {
    let text = "---\nname: data-analysis\ndescription: Analyze datasets. Use when working with CSV/Excel files.\n\
        license: MIT\nallowed-tools:\n  - bash\n  - read_file\n---\n# Data Analysis\n";
    let parsed = parse_skill(text, None).unwrap();
    assert_eq!(parsed.findings, []);
    {
        assert_eq!((parsed.value.name(), parsed.value.license()), ("data-analysis", Some("MIT")));
        assert_eq!(
            parsed.value.description(),
            "Analyze datasets. Use when working with CSV/Excel files."
        );
        assert_eq!(parsed.value.allowed_tools().unwrap(), ["bash", "read_file"]);
    };
    let all = parse_skill("---\nname: a\ndescription: b\n---\nc\n", None).unwrap();
    assert_eq!(all.value.allowed_tools(), None);
}

#[test]
fn parsed_skills_are_searched() {
    let parsed: Parsed<Skill> =
        parse_skill("---\nname: pdf\ndescription: Reads PDF files.\n---\nx\n", None).unwrap();
    let skills = [parsed.value];
    let index = SkillSet::new(&skills).index(&IndexOptions::new());
    let toolbox = Toolbox::new(SkillSet::new(&skills).with_index(&index));
    let hits = toolbox.search("a pdf", &SearchOptions::new().threshold(0.1));
    assert_eq!(
        toolbox.reminder(&hits),
        "<system-reminder>Relevant skills:\n- pdf (1.04): Reads PDF files.</system-reminder>"
    );
}
