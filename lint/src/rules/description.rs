//! Descriptions: all that a model sees of a skill before it decides to load it.

use super::value_position;
use helix_skills_format::{Code, Finding, SkillMd};

/// What says when to use a skill, in lower case. Descriptions that do are many; one of these words
/// is in all of them.
const TRIGGERS: [&str; 24] = [
    "when",
    "use for",
    "use this",
    "use it",
    "use to ",
    "use if",
    "use on ",
    "use before",
    "use after",
    "used for",
    "used to",
    "used by",
    "use proactively",
    "use only",
    "trigger",
    "if the user",
    "if you",
    "invoke",
    "asks ",
    "asked to",
    "before ",
    "after ",
    "for tasks",
    "activate",
];

/// Beginnings after which nothing is said, unless more follows.
const VAGUE: [&str; 9] = [
    "helps with",
    "help with",
    "helps you with",
    "useful for",
    "useful with",
    "a skill for",
    "skill for",
    "utilities for",
    "various",
];

/// Beginnings of sentences that speak of the model, or to it.
const PERSONS: [&str; 14] = [
    "i ",
    "i'm ",
    "i'll ",
    "i’m ",
    "i’ll ",
    "my ",
    "let me ",
    "we can ",
    "we will ",
    "you can ",
    "you are ",
    "you will ",
    "you'll ",
    "your ",
];

/// A description this short says nothing that the name does not.
const MIN_WORDS: usize = 4;

/// What begins with a vague phrase needs so many words to say something.
const MIN_VAGUE_WORDS: usize = 8;

/// The rules for descriptions. A skill that models do not load, or one in another language than
/// English, has to obey none.
pub(super) fn check(text: &str, skill: &SkillMd, findings: &mut Vec<Finding>) {
    if skill.disable_model_invocation || !is_english(&skill.description) {
        return;
    }
    let lower = skill.description.to_ascii_lowercase();
    let mut report = |code, message: &str, hint: &str| {
        let at = value_position(text, skill, "description");
        findings.push(Finding::new(code, at, message).hint(hint));
    };
    if is_vague(&lower) {
        let message = "the description says too little for a model to choose the skill by";
        report(
            Code::VagueDescription,
            message,
            "say what the skill does, with which things, and when to use it",
        );
    } else if skill.when_to_use.is_none() && !TRIGGERS.iter().any(|words| lower.contains(words)) {
        let message = "the description does not say when to use the skill";
        report(
            Code::NoTrigger,
            message,
            "add a sentence like `Use when …`, with the words that people use",
        );
    }
    if let Some(person) = person(&lower) {
        let message =
            format!("the description speaks in the first or second person: `{}`", person.trim());
        report(
            Code::DescriptionPerson,
            &message,
            "write of the skill: `Reads tide tables`, not `I can read`",
        );
    }
    if is_workflow(&lower) {
        let message = "the description tells the steps of the work; a model that knows them may not load the skill";
        report(
            Code::DescriptionWorkflow,
            message,
            "keep what it does and when to use it; the steps belong in the body",
        );
    }
}

/// Whether the words of these rules can be expected at all: nearly all letters are Latin without
/// accents.
fn is_english(text: &str) -> bool {
    let letters = text.chars().filter(|c| c.is_alphabetic());
    let (all, ascii) = letters
        .fold((0_usize, 0_usize), |(all, ascii), c| (all + 1, ascii + usize::from(c.is_ascii())));
    ascii * 20 >= all * 19
}

fn is_vague(lower: &str) -> bool {
    let words = lower.split_whitespace().count();
    words < MIN_WORDS
        || (words < MIN_VAGUE_WORDS && VAGUE.iter().any(|start| lower.starts_with(start)))
}

/// The person that a sentence begins with. Quoted text is skipped.
fn person(lower: &str) -> Option<&'static str> {
    let sentences = lower.split(['.', '!', '?', '\n']).map(str::trim_start);
    sentences
        .filter_map(|sentence| PERSONS.into_iter().find(|person| sentence.starts_with(person)))
        .next()
}

/// Whether steps are numbered, or told one after the other. `(1) … (2) …` are cases, and stay.
fn is_workflow(lower: &str) -> bool {
    let begins = |number: &str| lower.split_whitespace().any(|word| word == number);
    let step = |number: &str| lower.contains(number);
    // Few descriptions have a digit, and one search tells.
    let is_numbered = || {
        (begins("1.") && begins("2."))
            || (begins("1)") && begins("2)"))
            || (step("step 1") && step("step 2"))
    };
    (lower.contains('2') && is_numbered())
        || lower.split(['.', '\n']).any(|sentence| {
            let first = sentence.find("first, ").filter(|at| sentence[..*at].trim().is_empty());
            first.is_some_and(|at| sentence[at..].contains("then "))
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Draft, Rules, lint};

    fn codes(description: &str, more: &str) -> Vec<Code> {
        let text = format!("---\nname: a\ndescription: {description:?}\n{more}---\nx\n");
        let draft =
            Draft { bytes: text.as_bytes(), directory: Some("a"), file: "SKILL.md", files: None };
        lint(&draft, Rules::Authors, |_| None).into_iter().map(|finding| finding.code).collect()
    }

    #[test]
    fn good_descriptions_pass() {
        for good in [
            "Reads tide tables. Use when a harbour is named.",
            "Use this skill whenever the user wants to do anything with PDF files.",
            "Edits slides: (1) creating decks, (2) changing layouts. Triggers on .pptx files.",
            "Creates diagrams for tasks like \"I want a chart of this\".",
            "First aid for broken builds. Use when cargo fails; then read its output.",
            "Liest Gezeitentafeln für Häfen. Benutzen, wenn möglich, für Flüsse, Häfen, Strände über Öresund.",
            "读取潮汐表",
            "Helps with reading the tide tables of any harbour when sailing is planned.",
        ] {
            assert_eq!(codes(good, ""), [], "{good}");
        }
        assert_eq!(codes("Writes the minutes of a meeting.", "when_to_use: After a meeting\n"), []);
        assert_eq!(codes("Tides", "disable-model-invocation: true\n"), []);
    }

    #[test]
    fn descriptions_that_no_model_can_choose_by_are_told() {
        for vague in
            ["Tides", "PDF tools", "Helps with documents when needed", "Useful for code review"]
        {
            assert_eq!(codes(vague, ""), [Code::VagueDescription], "{vague}");
        }
        assert_eq!(codes("Reads the tide tables of the world.", ""), [Code::NoTrigger]);
        for person in [
            "I can help you when you have PDF files.",
            "Reads PDF files. You can use this when a form is to be filled in.",
            "Your guide to tide tables when sailing.",
        ] {
            assert_eq!(codes(person, ""), [Code::DescriptionPerson], "{person}");
        }
        for workflow in [
            "Use when deploying. 1. Run the tests. 2. Push the tag.",
            "Use when deploying. First, run the tests, then push the tag.",
            "Use when deploying: step 1 runs the tests, step 2 pushes.",
        ] {
            assert_eq!(codes(workflow, ""), [Code::DescriptionWorkflow], "{workflow}");
        }
    }

    #[test]
    fn the_place_is_that_of_the_value() {
        let text = "---\nname: a\ndescription:  Tides\n---\nx\n";
        let draft =
            Draft { bytes: text.as_bytes(), directory: Some("a"), file: "SKILL.md", files: None };
        let findings = lint(&draft, Rules::Authors, |_| None);
        assert_eq!(findings[0].at.map(|at| at.to_string()), Some("3:15".to_owned()));
    }
}
