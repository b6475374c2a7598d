//! The rules that follow from the published guidance for authors of skills.

use helix_skills_format::{Code, Finding};
use helix_skills_lint::{Draft, Rules, lint};
use std::borrow::Cow;

/// Returns the findings on a skill with this name, description and body and with other files.
fn findings(name: &str, description: &str, body: &str, files: &[(&str, &str)]) -> Vec<Finding> {
    let text = format!("---\nname: {name}\ndescription: {description:?}\n---\n{body}\n");
    let paths: Vec<String> = files.iter().map(|(path, _)| (*path).to_owned()).collect();
    let draft = Draft {
        bytes: text.as_bytes(),
        directory: Some(name),
        file: "SKILL.md",
        files: Some(&paths),
    };
    let read = |path: &str| {
        files.iter().find(|(known, _)| *known == path).map(|(_, text)| (*text).to_owned())
    };
    lint(&draft, Rules::Authors, |path| read(path).map(Cow::Owned))
}

fn codes(name: &str, description: &str, body: &str, files: &[(&str, &str)]) -> Vec<Code> {
    findings(name, description, body, files).into_iter().map(|found| found.code).collect()
}

const GOOD: &str = "Reads tide tables of the North Sea. Use when a harbour is named.";

#[test]
fn descriptions_say_what_and_when_in_the_third_person() {
    assert_eq!(codes("tides", GOOD, "x", &[]), []);
    for (description, code) in [
        ("Reads tide tables of the North Sea.", Code::NoTrigger),
        ("I read tide tables. Use when a harbour is named.", Code::DescriptionPerson),
        ("You can read tide tables. Use when a harbour is named.", Code::DescriptionPerson),
        ("You should extract text when a PDF file is named.", Code::DescriptionPerson),
        ("Use when a PDF file is named. Then we extract its text.", Code::DescriptionPerson),
        (
            "Use when a harbour is named. Step 1: open the table. Step 2: read it.",
            Code::DescriptionWorkflow,
        ),
        (
            "Use when a harbour is named, by first opening the table, then reading it.",
            Code::DescriptionWorkflow,
        ),
    ] {
        assert_eq!(codes("tides", description, "x", &[]), [code], "{description}");
    }
}

#[test]
fn names_do_not_contain_anthropic_or_claude() {
    for name in ["claude-tides", "tides-by-anthropic", "myclaude"] {
        assert_eq!(codes(name, GOOD, "x", &[]), [Code::ReservedWord], "{name}");
    }
    assert_eq!(codes("clouds", GOOD, "x", &[]), []);
}

#[test]
fn descriptions_are_specific() {
    for vague in [
        "Tides",
        "Data analysis skill",
        "Helps with tides",
        "Useful for all kinds of tides",
        "A skill for tides",
    ] {
        assert_eq!(codes("tides", vague, "x", &[]), [Code::VagueDescription], "{vague}");
    }
}

#[test]
fn bodies_have_at_most_500_lines() {
    assert_eq!(codes("tides", GOOD, &"line\n".repeat(499), &[]), []);
    assert_eq!(codes("tides", GOOD, vec!["line"; 500].join("\n").as_str(), &[]), []);
    let long = findings("tides", GOOD, vec!["line"; 501].join("\n").as_str(), &[]);
    assert_eq!(long.iter().map(|found| found.code).collect::<Vec<_>>(), [Code::LongBody]);
    assert_eq!(long[0].at.unwrap().to_string(), "505:1", "the first line over the limit");
}

#[test]
fn reference_files_are_mentioned_and_have_valid_links() {
    let body = "Read [bays](references/bays.md) and `references/deep/rivers.md` first.";
    let rivers = (
        "references/deep/rivers.md",
        "See [bays](../bays.md), [script](scripts/run.py), [top](../../SKILL.md).",
    );
    let script = ("scripts/run.py", "print()");
    let bays = ("references/bays.md", "Run `scripts/run.py`, see [rivers](deep/rivers.md#mouths).");
    assert_eq!(codes("tides", GOOD, body, &[bays, rivers, script]), []);
    // Findings name the file: an unmentioned reference with dead links and a link out of the skill.
    let unmentioned = (
        "references/lost.md",
        "[a](../scripts/rum.py)\n\n[b](../../other/SKILL.md) [c](gone/x.md)",
    );
    let found: Vec<String> = findings("tides", GOOD, body, &[bays, unmentioned, rivers, script])
        .into_iter()
        .map(|found| {
            let at = found.at.map(|at| format!(":{at}")).unwrap_or_default();
            format!(
                "{}{at} {} {}",
                found.file.unwrap_or_default(),
                found.code.as_str(),
                found.hint.unwrap_or_default()
            )
        })
        .collect();
    let expected = [
        " unmentioned-file say in SKILL.md when to read or run them, or remove them: a model does not search for files",
        "references/lost.md:1:5 dead-link did you mean `../scripts/run.py`?",
        "references/lost.md:3:5 outside-link copy the file into the skill, or name the other skill instead",
        "references/lost.md:3:31 dead-link add the file, or remove the link",
    ];
    assert_eq!(found, expected);
    // Links in files for human readers are not checked.
    for path in ["README.md", "docs/history.md", "tests/cases.md"] {
        assert_eq!(
            codes("tides", GOOD, body, &[(path, "[a](gone.md)"), bays, rivers, script]),
            [],
            "{path}"
        );
    }
}

#[test]
fn examples_are_actual_code_not_template_text() {
    let example = "import pandas as pd\n\ndf = pd.read_csv('data.csv')\nprint(df.describe())";
    let code = |code: &str| {
        format!("# Data\n\n## Examples\n\n```python\n{code}\n```\n\n## Next\n\nSum it up.")
    };
    assert_eq!(codes("tides", GOOD, &code(example), &[]), []);
    // Examples may have headings of their own, or be in another file.
    for real in [
        "## Examples\n\n### Husum\n\n`tides --harbour Husum`",
        "## Examples\n\nSee [a day](references/day.md).",
        "## Examples of tides\n\n## Harbours\n\nHusum.",
    ] {
        let day = ("references/day.md", "03:12 high");
        assert!(!codes("tides", GOOD, real, &[day]).contains(&Code::TemplateText), "{real}");
    }
    for missing in ["", "# your code here", "...", "// TODO", "<your example here>", "<!-- TBD -->"]
    {
        let found = findings("tides", GOOD, &code(missing), &[]);
        let [only] = &found[..] else { panic!("{missing}: {found:?}") };
        assert_eq!(
            (only.code, only.at.unwrap().to_string().as_str(), &*only.message),
            (Code::TemplateText, "7:1", "the section `Examples` has no example"),
            "{missing}"
        );
        assert_eq!(only.hint.as_deref(), Some("add a real example, or remove the section"));
    }
    for empty in
        ["# Examples", "# Example:\n\n## First\n\n## Second\n", "# Examples\n\n- …\n\n# More\n\nx"]
    {
        assert_eq!(codes("tides", GOOD, empty, &[]), [Code::TemplateText], "{empty}");
    }
    for body in [
        "# Examples\n\n- [TODO: add an example]",
        "TODO: write the instructions",
        "# Insert instructions below",
    ] {
        assert_eq!(codes("tides", GOOD, body, &[]), [Code::TemplateText], "{body}");
    }
    let real = "# Examples\n\n`tides --harbour Husum` prints `03:12 high 4.1 m`. Never leave a TODO behind.";
    assert_eq!(codes("tides", GOOD, real, &[]), []);
    let template = "Replace with description of the skill and when to use it.";
    assert_eq!(codes("tides", template, "x", &[]), [Code::TemplateText]);
}
