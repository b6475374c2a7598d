//! Tests of the rules against the reference library, real skills and random texts.

#[cfg(feature = "corpus")]
use crate::corpus;
use helix_skills_conformance::{Report, cases};
use helix_skills_format::{Code, Severity};
use helix_skills_lint::{Draft, Rules, lint};

#[test]
fn open_rules_conform_to_the_reference_library() {
    let cases = cases!("validate");
    let mut report = Report::new(&cases, &[]);
    report.each(&cases, |report, case| {
        let draft = Draft {
            bytes: case.text("content").unwrap().as_bytes(),
            directory: case.text("dir"),
            file: case.text("file").unwrap(),
            files: None,
        };
        let findings = lint(&draft, Rules::Open, |_| None);
        let errors = findings.iter().filter(|it| Rules::Open.severity(it.code) == Severity::Error);
        let errors: Vec<String> = errors.map(ToString::to_string).collect();
        let theirs = &case.expected["validate"]["errors"];
        // The texts are those of the library; what is compared is whether there are any.
        match theirs.as_array().is_some_and(|theirs| theirs.is_empty() == errors.is_empty()) {
            true => report.compare_with(case, theirs, theirs.clone()),
            false => report.compare_with(case, theirs, errors),
        }
        assert!(
            findings.iter().all(|found| Rules::Open.severity(found.code) > Severity::Silent),
            "{findings:?}"
        );
    });
    report.finish();
}

#[test]
fn body_is_checked_after_broken_frontmatter() {
    let text = format!("---\nname: [tides\n---\n[x](gone.md)\n{}", "line\n".repeat(500));
    let draft = Draft {
        bytes: text.as_bytes(),
        directory: Some("tides"),
        file: "SKILL.md",
        files: Some(&[]),
    };
    let codes: Vec<_> =
        lint(&draft, Rules::Authors, |_| None).into_iter().map(|found| found.code).collect();
    assert_eq!(codes, [Code::Syntax, Code::DeadLink, Code::LongBody]);
    // An invalid name does not hide other findings in the frontmatter.
    let text = "---\nname: a/b\ndescription: <x>\ncolor: red\n---\nx\n";
    let draft = Draft { bytes: text.as_bytes(), ..draft };
    let codes: Vec<_> =
        lint(&draft, Rules::Authors, |_| None).into_iter().map(|found| found.code).collect();
    assert_eq!(codes, [Code::BadName, Code::DescriptionMarkup, Code::UnknownField]);
    assert_eq!(
        lint(&Draft { bytes: b"\xff", ..draft }, Rules::Open, |_| None)[0].code,
        Code::NotUtf8
    );
}

/// The open rules do not check what makes a skill useful.
#[test]
fn advice_is_for_authors_only() {
    let text = "---\nname: claude\ndescription: I\n---\nIt costs $1.00, see [x](gone.md).\n";
    let draft = Draft {
        bytes: text.as_bytes(),
        directory: Some("claude"),
        file: "SKILL.md",
        files: Some(&[]),
    };
    assert_eq!(lint(&draft, Rules::Open, |_| None), []);
    let codes: Vec<_> =
        lint(&draft, Rules::Authors, |_| None).into_iter().map(|found| found.code).collect();
    let all =
        [Code::ReservedWord, Code::VagueDescription, Code::AccidentalPlaceholder, Code::DeadLink];
    assert_eq!(codes, all);
}

/// The findings on each skill of the corpus. All were reviewed and are correct, except that the
/// corpus lacks the scripts and pages that `hyperframes` and `remotion-to-hyperframes` link to.
#[cfg(feature = "corpus")]
const EXPECTED: &[(&str, &[Code])] = &[
    ("deer-flow/skills/public/chart-visualization", &[Code::FieldType]),
    ("deer-flow/skills/public/claude-to-deerflow", &[Code::ReservedWord]),
    ("deer-flow/skills/public/consulting-analysis", &[Code::LongBody]),
    ("deer-flow/skills/public/skill-creator", &[Code::LongBody]),
    (
        "deer-flow/skills/public/skill-reviewer/evals/fixtures/blocked",
        &[Code::MissingDescription, Code::NameMismatch],
    ),
    (
        "deer-flow/skills/public/skill-reviewer/evals/fixtures/needs-revision",
        &[Code::NameMismatch, Code::VagueDescription],
    ),
    (
        "deer-flow/skills/public/skill-reviewer/evals/fixtures/partial-package",
        &[Code::NameMismatch, Code::DeadLink],
    ),
    (
        "deer-flow/skills/public/skill-reviewer/evals/fixtures/prompt-injection",
        &[Code::NameMismatch, Code::UnknownField],
    ),
    (
        "deer-flow/skills/public/skill-reviewer/evals/fixtures/publish-candidate",
        &[Code::NameMismatch],
    ),
    ("deer-flow/skills/public/skill-reviewer/evals/fixtures/zh-output", &[Code::NameMismatch]),
    ("deer-flow/skills/public/vercel-deploy-claimable", &[Code::NameMismatch]),
    ("hyperframes-0.6.70/skills/hyperframes-media", &[Code::OutsideLink]),
    ("hyperframes-0.6.70/skills/hyperframes-registry", &[Code::UnmentionedFile]),
    ("hyperframes-0.6.70/skills/hyperframes", &[Code::DeadLink]),
    (
        "hyperframes-0.6.70/skills/remotion-to-hyperframes",
        &[Code::DeadLink, Code::DeadLink, Code::DeadLink],
    ),
    ("hyperframes-0.6.70/skills/website-to-hyperframes", &[Code::OutsideLink; 4]),
    ("obra-superpowers/skills/brainstorming", &[Code::UnmentionedFile]),
    ("obra-superpowers/skills/subagent-driven-development", &[Code::OutsideLink]),
    ("obra-superpowers/skills/systematic-debugging", &[Code::UnmentionedFile]),
    ("obra-superpowers/skills/using-superpowers", &[Code::UnmentionedFile]),
    ("obra-superpowers/skills/writing-plans", &[Code::UnmentionedFile]),
    ("obra-superpowers/skills/writing-skills", &[Code::OutsideLink, Code::LongBody]),
];

#[cfg(feature = "corpus")]
#[test]
fn real_skills_give_no_false_alarm() {
    let root = corpus::root();
    let all = corpus::files(&root);
    let skills: Vec<&str> = all.iter().filter_map(|path| path.strip_suffix("/SKILL.md")).collect();
    assert!(skills.len() > 50, "{}", skills.len());
    let mut found: Vec<(&str, Vec<Code>)> = Vec::new();
    for skill in skills {
        let prefix = format!("{skill}/");
        let files = all
            .iter()
            .filter_map(|path| path.strip_prefix(&*prefix))
            .filter(|path| *path != "SKILL.md");
        let files: Vec<String> = files.map(str::to_owned).collect();
        let directory = root.join(skill);
        let bytes = std::fs::read(directory.join("SKILL.md")).unwrap();
        let name = skill.rsplit('/').next();
        let draft = Draft { bytes: &bytes, directory: name, file: "SKILL.md", files: Some(&files) };
        let read = |path: &str| std::fs::read_to_string(directory.join(path)).ok().map(Into::into);
        let codes: Vec<_> =
            lint(&draft, Rules::Authors, read).into_iter().map(|found| found.code).collect();
        if !codes.is_empty() {
            found.push((skill, codes));
        }
    }
    if corpus::is_default() {
        let expected: Vec<(&str, Vec<Code>)> =
            EXPECTED.iter().map(|(skill, codes)| (*skill, codes.to_vec())).collect();
        assert_eq!(found, expected);
    }
}

/// Random texts of the pieces that the rules search for do not cause panics.
#[test]
fn hostile_texts_are_checked() {
    const PIECES: [&str; 34] = [
        "---\n",
        "---\r",
        "\u{feff}",
        "\n",
        "\r\n",
        "\r",
        " ",
        "name: ",
        "description: ",
        "\"",
        "'",
        ": ",
        "[",
        "](",
        ")",
        "<",
        ">",
        "`",
        "```",
        "```!\n",
        "!`",
        "$",
        "$1",
        ".5",
        "$ARGUMENTS[",
        "é",
        "\u{202e}",
        "a",
        "42",
        "../",
        "./x.md",
        "%2",
        "%FF",
        "]: ",
    ];
    // The linear congruential generator of Knuth's MMIX.
    let mut state = 1_u64;
    let mut next = |below: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let files = ["references/x.md", "é.md", "a b.md", "x"].map(str::to_owned);
    for round in 0..4000 {
        let mut text =
            String::from(if round % 2 == 0 { "---\nname: a\ndescription: 1\n" } else { "" });
        for _ in 0..next(40) {
            text.push_str(PIECES[next(PIECES.len())]);
        }
        let text = if round % 4 == 0 { text.replacen("1\n", "1\n---\n", 1) } else { text };
        let draft = Draft {
            bytes: text.as_bytes(),
            directory: Some("a"),
            file: "SKILL.md",
            files: Some(&files),
        };
        for rules in [Rules::Authors, Rules::Open] {
            for found in lint(&draft, rules, |_| Some("x".into())) {
                assert!(!found.message.contains(['\n', '\r']), "{text:?}: {found:?}");
                assert!(
                    found.hint.is_some_and(|hint| !hint.contains(['\n', '\r'])),
                    "no hint: {text:?}"
                );
            }
        }
    }
}
