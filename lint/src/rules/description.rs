//! Checks descriptions, which are all that a model sees of a skill before it decides to load it.

use super::value_position;
use helix_skills_format::{Code, Finding, SkillMd};

/// Words that say when to use a skill, in lower case. A description with such advice contains at
/// least one of them.
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

/// Starts of descriptions that are vague if they are short.
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

/// Starts of sentences in the first or second person.
const PERSONS: [&str; 16] = [
    "i ",
    "i'm ",
    "i'll ",
    "i’m ",
    "i’ll ",
    "my ",
    "let me ",
    "we ",
    "we'll ",
    "we’ll ",
    "you should ",
    "you can ",
    "you are ",
    "you will ",
    "you'll ",
    "your ",
];

/// Words between `you` and what the reader is asked to do.
const MODALS: [&str; 3] = ["should", "can", "will"];

/// Words before a person that ask, or start a clause about the user: `what do I have`, `when we`.
/// After the last ones, `I` is a number.
const OTHER_CLAUSES: &[&str] = &[
    "do", "does", "did", "can", "could", "should", "would", "may", "might", "will", "shall", "am",
    "are", "when", "if", "what", "where", "which", "who", "how", "why", "that", "while", "because",
    "until", "once", "whether", "before", "after", "than", "type", "phase", "part", "level", "war",
];

/// Minimum number of words. A shorter description adds nothing to the name.
const MIN_WORDS: usize = 4;

/// Minimum number of words of a description that starts with one of [`VAGUE`].
const MIN_VAGUE_WORDS: usize = 8;

/// Checks the description of a skill. Skills that models do not load, and descriptions in other
/// languages than English, are not checked.
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
        let message = "the description is too vague for a model to choose the skill";
        report(
            Code::VagueDescription,
            message,
            "say what the skill does, with what kind of input, and when to use it",
        );
    } else if skill.when_to_use.is_none() && !TRIGGERS.iter().any(|words| lower.contains(words)) {
        let message = "the description does not say when to use the skill";
        report(
            Code::NoTrigger,
            message,
            "add a sentence such as `Use when …`, in the words of users",
        );
    }
    if let Some(person) = person(&skill.description) {
        let message = format!("the description is in the first or second person: `{person}`");
        report(
            Code::DescriptionPerson,
            &message,
            "write in the third person: `Reads tide tables`, not `I can read`",
        );
    }
    if is_workflow(&lower) {
        let message =
            "the description lists the steps of the work, so that a model may not load the skill";
        report(
            Code::DescriptionWorkflow,
            message,
            "keep what the skill does and when to use it, and move the steps to the body",
        );
    }
}

/// Returns whether nearly all letters are Latin without accents, so that the words of these rules
/// apply.
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

/// Returns the first or second person: at the start of a sentence, or as the subject of a clause
/// (`so that you can`, but not `when you should`). Quoted text does not count.
fn person(text: &str) -> Option<String> {
    let unquoted = without_quotes(text);
    let lower = unquoted.to_ascii_lowercase();
    let mut sentences = lower.split(['.', '!', '?', '\n']).map(str::trim_start);
    sentences
        .find_map(|sentence| PERSONS.into_iter().find(|person| sentence.starts_with(person)))
        .map(|person| person.trim().to_owned())
        .or_else(|| subject(&unquoted))
}

/// Returns `I`, `we` or `you should` in the midst of a text.
fn subject(text: &str) -> Option<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.windows(3).find_map(|words| {
        let &[before, person, verb] = words else { return None };
        if OTHER_CLAUSES.iter().any(|word| before.eq_ignore_ascii_case(word)) {
            return None;
        }
        let is_verb = verb.starts_with(|first: char| first.is_ascii_lowercase());
        match person {
            "I" | "we" | "We" if is_verb => Some(format!("{person} {verb}")),
            "you" | "You" if MODALS.contains(&verb) => Some(format!("{person} {verb}")),
            _ => None,
        }
    })
}

/// Returns the text without what is in double quotes or backticks.
fn without_quotes(text: &str) -> String {
    let mut end = None;
    let outside = |c: &char| match (end, c) {
        (Some(quote), c) => {
            if quote == *c {
                end = None;
            }
            false
        }
        (None, '"' | '`') => {
            end = Some(*c);
            false
        }
        (None, '“') => {
            end = Some('”');
            false
        }
        _ => true,
    };
    text.chars().filter(outside).collect()
}

/// Returns whether the description has numbered steps, or steps in prose: `first … then …`. `(1) …
/// (2) …` are cases, not steps.
fn is_workflow(lower: &str) -> bool {
    let begins = |number: &str| lower.split_whitespace().any(|word| word == number);
    let step = |number: &str| lower.contains(number);
    // Few descriptions have a digit, so this check is fast.
    let is_numbered = || {
        (begins("1.") && begins("2."))
            || (begins("1)") && begins("2)"))
            || (step("step 1") && step("step 2"))
    };
    (lower.contains('2') && is_numbered()) || lower.split(['.', '\n']).any(is_sequence)
}

/// Returns whether a sentence has two of the words that order steps, in their order.
fn is_sequence(sentence: &str) -> bool {
    let mut last = 0;
    sentence.split(|c: char| !c.is_alphanumeric() && c != '-').any(|word| {
        let place = match word {
            "first" | "firstly" => 1,
            "then" | "next" | "afterwards" => 2,
            "finally" | "lastly" => 3,
            _ => return false,
        };
        let follows = last > 0 && place > last;
        last = place;
        follows
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
            "Lists folders, to answer `what do I have` or what folders do I need. Use when asked.",
            "Styles pages with themes that you can apply. Use when you should decide on colors.",
            "Tests drivers for phase I trials and I/O errors. Use when a driver fails.",
            "Writes reports, then sends them. Use when a month is over; read it first.",
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
    fn bad_descriptions_are_reported() {
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
            "You should extract text from PDF files when they are named.",
            "Use when a form is to be filled in, so you can send it.",
            "Reads PDF files and I fill in their forms when asked.",
            "Use when a PDF file is named: we read it.",
            "We read tide tables when a harbour is named.",
        ] {
            assert_eq!(codes(person, ""), [Code::DescriptionPerson], "{person}");
        }
        for workflow in [
            "Use when deploying. 1. Run the tests. 2. Push the tag.",
            "Use when deploying. First, run the tests, then push the tag.",
            "Use when deploying: step 1 runs the tests, step 2 pushes.",
            "Fills in forms by first opening the file, then reading its fields, finally saving it. Use when asked.",
            "Use when deploying: first the tests run, and then the tag is pushed.",
            "Use when deploying; runs the tests, then tags, and finally pushes.",
        ] {
            assert_eq!(codes(workflow, ""), [Code::DescriptionWorkflow], "{workflow}");
        }
    }

    #[test]
    fn position_is_that_of_the_value() {
        let text = "---\nname: a\ndescription:  Tides\n---\nx\n";
        let draft =
            Draft { bytes: text.as_bytes(), directory: Some("a"), file: "SKILL.md", files: None };
        let findings = lint(&draft, Rules::Authors, |_| None);
        assert_eq!(findings[0].at.map(|at| at.to_string()), Some("3:15".to_owned()));
    }
}
