//! SKILL.md: parsed, and linted by both sets of rules; also parsed as an agent.

use crate::{Target, checks};
use helix_skills_format::{
    __internal::skill_md::frontmatter, Code, RelPath, Severity, SkillMd, SkillName, parse_agent,
    parse_skill,
};
use helix_skills_lint::{Draft, Rules, lint};
use std::borrow::Cow;

pub(crate) const TARGET: Target = Target {
    name: "skill_md",
    body,
    seeds,
    words: &[
        "---\n",
        "---\r\n",
        "---",
        "\n",
        "\r",
        "\r\n",
        "\u{feff}",
        "name: ",
        "description: ",
        "name: tides\n",
        "\"",
        "'",
        ": ",
        " #",
        "- ",
        "[",
        "]",
        "{",
        "}",
        "|\n  ",
        ">-\n  ",
        "&a ",
        "*a",
        "!!str ",
        "? ",
        "...\n",
        "null",
        "~",
        "true",
        "1.0",
        "0x1f",
        "metadata:\n  a: b\n",
        "allowed-tools: Read, Bash(git *)\n",
        "allowed-tools:\n",
        "license: ",
        "when_to_use: ",
        "argument-hint: ",
        "arguments: [a]\n",
        "disable-model-invocation: ",
        "user-invocable: ",
        "hooks:\n",
        "paths: ",
        "maxTicks: 3\n",
        "skills: [tides, a]\n",
        "skills:\n  - ",
        "version: 1\n",
        "$ARGUMENTS",
        "$1",
        "${a}",
        "!`ls`",
        "```\n",
        "[x](references/a.md)",
        "<a href='x.md'>",
        "scripts/run.sh",
        "# ",
        "    ",
        "\t",
        "%41",
        "//",
        "../",
        "\u{85}",
        "\u{2028}",
        "é",
        "<<<<<<< ",
    ],
    max_len: 2048,
    count: 1500,
};

fn body(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let whole = SkillMd::parse_bytes(input, Some("tides"), "SKILL.md");
    match &text {
        Cow::Borrowed(text) => {
            assert_eq!(
                whole,
                SkillMd::parse(text, Some("tides"), "SKILL.md"),
                "parsing is not deterministic"
            );
            assert!(whole.is_err() || frontmatter(text).is_some(), "no frontmatter");
        }
        Cow::Owned(_) => {
            let findings = whole.expect_err("not UTF-8");
            assert_eq!(
                findings.iter().map(|found| found.code).collect::<Vec<_>>(),
                [Code::NotUtf8]
            );
            let linted = lint(&draft(input, &[]), Rules::Authors, |_| None);
            assert_eq!(linted.iter().map(|found| found.code).collect::<Vec<_>>(), [Code::NotUtf8]);
        }
    }
    for directory in [Some("tides"), None, Some("Other Name")] {
        read(&text, directory);
    }
    agent(&text);
    judge(&text);
}

fn draft<'d>(bytes: &'d [u8], files: &'d [String]) -> Draft<'d> {
    Draft { bytes, directory: Some("tides"), file: "SKILL.md", files: Some(files) }
}

/// Asserts the properties of an agent: valid names, each once, and errors with a reason and a
/// position.
fn agent(text: &str) {
    let parsed = match parse_agent(text, Some("tides")) {
        Ok(parsed) => parsed,
        Err(findings) => {
            assert!(!findings.is_empty(), "refused without a reason");
            checks::assert_findings(&findings, text);
            // A text that is not a valid agent is not a valid skill either: an agent may also take
            // its name from the file.
            assert!(SkillMd::parse(text, Some("tides"), "SKILL.md").is_err());
            return;
        }
    };
    checks::assert_findings(&parsed.findings, text);
    let agent = parsed.value;
    assert_eq!(SkillName::new(&agent.name).as_deref(), Ok(&*agent.name));
    let mut once = agent.skills.clone();
    once.sort();
    once.dedup();
    assert_eq!(once.len(), agent.skills.len(), "{:?}", agent.skills);
    assert!(text.contains(&agent.prompt) && agent.prompt.trim_end() == agent.prompt);
    assert!(agent.prompt_with("x").ends_with('x') && agent.prompt_with("") == agent.prompt);
    if let Ok(skill) = SkillMd::parse(text, Some("tides"), "SKILL.md") {
        assert_eq!(
            (skill.value.name.as_str(), skill.value.layout.body(text)),
            (&*agent.name, &*agent.prompt)
        );
    }
}

fn read(text: &str, directory: Option<&str>) {
    let parsed = match SkillMd::parse(text, directory, "SKILL.md") {
        Ok(parsed) => parsed,
        Err(findings) => {
            assert!(!findings.is_empty(), "refused without a reason");
            assert!(
                findings.iter().all(|found| found.code.when_baking() == Severity::Error),
                "{findings:?}"
            );
            checks::assert_findings(&findings, text);
            assert!(parse_skill(text, directory).is_err());
            return;
        }
    };
    let (skill, findings) = (&parsed.value, &parsed.findings);
    assert!(
        findings.iter().all(|found| found.code.when_baking() != Severity::Error),
        "{findings:?}"
    );
    checks::assert_findings(findings, text);
    assert_eq!(SkillName::new(&skill.name).as_ref(), Ok(&skill.name));
    RelPath::new(format!("{}/x", skill.name)).unwrap_or_else(|why| {
        panic!("the name {:?} is not valid as a directory: {why}", skill.name)
    });
    let description = skill.description();
    assert!(!description.trim().is_empty() && description.trim() == description);
    let layout = &skill.layout;
    assert!(layout.yaml.start <= layout.yaml.end && layout.yaml.end <= layout.frontmatter_end);
    assert!(layout.frontmatter_end <= layout.body.start && layout.body.end <= text.len());
    assert_eq!(layout.body(text), layout.body(text).trim_end());
    {
        let skill = &skill.to_skill(text);
        assert_eq!(skill.skill_md().concat(), text, "the pieces are the file");
        assert_eq!(skill.loaded().len(), skill.loaded().to_string().len());
    };
    let owned = parse_skill(text, directory).expect("a text that parses as a file");
    assert_eq!(owned.value, skill.to_skill(text));
}

fn judge(text: &str) {
    let files = ["references/a.md".to_owned(), "scripts/run.sh".to_owned(), "b c.md".to_owned()];
    for rules in [Rules::Authors, Rules::Open] {
        let findings = lint(&draft(text.as_bytes(), &files), rules, |_| Some(text.into()));
        checks::assert_findings(&findings, text);
        // Findings are sorted by file, then by position; those of SKILL.md come first.
        assert!(findings.is_sorted_by(|a, b| (&a.file, a.at) <= (&b.file, b.at)), "{findings:?}");
        assert!(
            findings.iter().all(|found| rules.severity(found.code) != Severity::Silent),
            "{findings:?}"
        );
        if rules == Rules::Authors
            && let Err(refused) = SkillMd::parse(text, Some("tides"), "SKILL.md")
        {
            // Validation reports everything that would fail a build.
            for found in refused {
                assert!(
                    findings.iter().any(|other| (other.code, other.at) == (found.code, found.at)),
                    "{found:?}"
                );
            }
        }
    }
}

fn seeds() -> Vec<Vec<u8>> {
    [
        "---\nname: tides\ndescription: Reads tide tables. Use when a harbor is named.\n---\n\n# Tides\n\nSee [a](references/a.md).\n",
        "\u{feff}\n---\nname: \" tides\"\ndescription: Tides: when to sail\nlicense: a: b\n---\nx\n",
        "---\r\ndescription: 42\r\nmetadata:\r\n  a: 1.0\r\n  b:\r\n    c: [d, {e: f}]\r\n---\r\nx\r\n",
        "---\rname: tides\rdescription: x\r---\rRun `scripts/run.sh` with $ARGUMENTS and $1.\r",
        "---\nname: tides\ndescription: >-\n  Two\n  lines.\nallowed-tools:\n  - Read\n  - Bash(git status *)\nhooks:\n  PostToolUse:\n    - matcher: Edit\npaths: ['*.rs', a]\nargument-hint: '[file]'\narguments: [file]\ndisable-model-invocation: yes\nmaxTicks: 7\n---\n```sh\n!`rm -rf x`\n```\n$file ${HOME} $1.00\n",
        "---\nname: a\ndescription: &x b\nlicense: *x\n---\n",
        "---js\n{}\n---\n",
        "no frontmatter\n",
    ]
    .map(|text| text.as_bytes().to_vec())
    .to_vec()
}
