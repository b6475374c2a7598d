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

/// Words between `you` and what the reader is asked to do.
const MODALS: [&str; 3] = ["should", "can", "will"];

/// Words before `I` and `we` in a question of a user: `what do I have`. After the last ones, `I` is
/// a number.
const QUESTIONS: [&str; 25] = [
    "do", "does", "did", "can", "could", "should", "would", "may", "might", "will", "shall", "am",
    "are", "what", "where", "which", "who", "how", "why", "than", "type", "phase", "part", "level",
    "war",
];

/// Words that begin a clause about the case in which a skill is used: `when you should`.
const CONDITIONS: [&str; 11] = [
    "when", "whenever", "if", "that", "while", "because", "until", "once", "whether", "before",
    "after",
];

/// Words before an adjective: `the first time`.
const DETERMINERS: [&str; 8] = ["the", "a", "an", "this", "its", "their", "each", "every"];

/// Minimum number of words. A shorter description adds nothing to the name.
const MIN_WORDS: usize = 4;

/// Minimum number of words of a description that starts with one of [`VAGUE`].
const MIN_VAGUE_WORDS: usize = 8;

/// Checks the description of a skill. Skills that models do not load, and descriptions in other
/// languages than English, are not checked.
pub(super) fn check(text: &str, skill: &SkillMd, findings: &mut Vec<Finding>) {
    if skill.disable_model_invocation() || !is_english(skill.description()) {
        return;
    }
    let lower = skill.description().to_ascii_lowercase();
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
    } else if skill.when_to_use().is_none() && !TRIGGERS.iter().any(|words| lower.contains(words)) {
        let message = "the description does not say when to use the skill";
        report(
            Code::NoTrigger,
            message,
            "add a sentence such as `Use when …`, in the words of users",
        );
    }
    let unquoted = without_quotes(skill.description());
    if let Some(person) = person(&unquoted) {
        let message = format!("the description is in the first or second person: `{person}`");
        report(
            Code::DescriptionPerson,
            &message,
            "write in the third person: `Reads tide tables`, not `I can read`",
        );
    }
    if is_workflow(&unquoted) {
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
/// (`so you can`, but not `when you should`).
fn person(text: &str) -> Option<String> {
    sentences(text).find_map(|sentence| {
        let words = sentence.split_whitespace();
        let words: Vec<_> = words
            .map(|word| word.trim_start_matches(|c: char| !c.is_alphanumeric()))
            .filter(|word| !word.is_empty())
            .collect();
        (0..words.len()).find_map(|at| match at {
            0 => addressed(words[0], words.get(1)),
            _ => subject(words[at - 1], words[at], words.get(at + 1)),
        })
    })
}

/// Returns the person that a sentence begins with.
fn addressed(word: &str, next: Option<&&str>) -> Option<String> {
    let lower = word.to_ascii_lowercase();
    let (person, is_short) = contraction(&lower);
    let next = next.copied().unwrap_or_default();
    match person {
        "my" | "your" => Some(word.to_owned()),
        "i" | "we" if is_short => Some(word.to_owned()),
        "i" | "we" if person == lower && !next.is_empty() => Some(word.to_owned()),
        "you" if lower == "you'll" || lower == "you’ll" => Some(word.to_owned()),
        "you" if next == "are" || MODALS.contains(&next) => Some(format!("{word} {next}")),
        "let" if next == "me" => Some(format!("{word} {next}")),
        _ => None,
    }
}

/// Returns `I`, `we` or `you should` in the midst of a sentence.
fn subject(before: &str, word: &str, next: Option<&&str>) -> Option<String> {
    let is_one_of = |words: &[&str]| words.iter().any(|one| before.eq_ignore_ascii_case(one));
    let (person, is_short) = contraction(word);
    let verb = next.copied().unwrap_or_default();
    let is_verb = verb.starts_with(|first: char| first.is_ascii_lowercase());
    match person {
        "I" | "we" | "We" if is_one_of(&QUESTIONS) => None,
        "I" | "we" | "We" if is_short => Some(word.to_owned()),
        "I" | "we" | "We" if person == word && is_verb => Some(format!("{person} {verb}")),
        "you" | "You" if is_one_of(&QUESTIONS) || is_one_of(&CONDITIONS) => None,
        "you" | "You" if MODALS.contains(&verb) => Some(format!("{person} {verb}")),
        _ => None,
    }
}

/// Returns the pronoun of a word such as `I've`, and whether the word has a verb after it.
fn contraction(word: &str) -> (&str, bool) {
    let (person, verb) = word.split_once(['\'', '’']).unwrap_or((word, ""));
    (person, matches!(verb, "m" | "ve" | "re" | "ll" | "d"))
}

fn sentences(text: &str) -> impl Iterator<Item = &str> {
    text.split(['.', '!', '?', '\n'])
}

/// Returns the text without what is in quotes or backticks. An apostrophe is no quote.
fn without_quotes(text: &str) -> String {
    let mut outside = String::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        let is_in_word = outside.ends_with(char::is_alphanumeric);
        let close = match c {
            '"' | '`' => Some(c),
            '“' => Some('”'),
            '\'' if !is_in_word => Some('\''),
            '‘' => Some('’'),
            _ => None,
        };
        let ends = |at: &usize| {
            let is_apostrophe = matches!(close, Some('\'' | '’'));
            let mut after = rest[*at..].chars().skip(1);
            !(is_apostrophe && after.next().is_some_and(char::is_alphanumeric))
        };
        let end = close.and_then(|close| {
            rest.match_indices(close).map(|(at, close)| (at, close.len())).find(|(at, _)| ends(at))
        });
        match end {
            Some((at, len)) => rest = &rest[at + len..],
            None => outside.push(c),
        }
    }
    outside
}

/// Returns whether the description has numbered steps, or steps in prose: `first … then …`. `(1) …
/// (2) …` are cases, not steps.
fn is_workflow(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let begins = |number: &str| lower.split_whitespace().any(|word| word == number);
    let step = |number: &str| lower.contains(number);
    // Few descriptions have a digit, so this check is fast.
    let is_numbered = || {
        (begins("1.") && begins("2."))
            || (begins("1)") && begins("2)"))
            || (step("step 1") && step("step 2"))
    };
    let starts = sentences(text).filter_map(|sentence| words(sentence).next()).map(place);
    (lower.contains('2') && is_numbered())
        || sentences(text).any(|sentence| is_ordered(places(sentence)))
        || is_ordered(starts)
}

/// Returns whether a place follows a smaller one at once.
fn is_ordered(places: impl Iterator<Item = u8>) -> bool {
    let mut last = 0;
    places.into_iter().any(|place| {
        let follows = last > 0 && place > last;
        last = place;
        follows
    })
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '-');
    words.filter(|word| !word.is_empty())
}

/// Returns the places in an order of those words of a sentence that order steps. A clause about a
/// case, as in `when a user first asks`, has no steps, and a capitalized word is a name.
fn places(sentence: &str) -> impl Iterator<Item = u8> {
    let clauses =
        sentence.split([';', ':', '(', '—']).flat_map(|clauses| clauses.split(',').enumerate());
    clauses.flat_map(|(comma, clause)| {
        let words: Vec<_> = words(clause)
            .take_while(|word| !CONDITIONS.iter().any(|one| word.eq_ignore_ascii_case(one)))
            .collect();
        let orders = |at: &usize| {
            let (word, before) = (words[*at], at.checked_sub(1).map(|before| words[before]));
            let is_adjective = before.is_some_and(|before| DETERMINERS.contains(&before))
                || words.get(at + 1).is_some_and(|&next| next == "time");
            let is_name = (comma > 0 || before.is_some())
                && word.starts_with(char::is_uppercase)
                && word.ends_with(char::is_lowercase);
            !is_adjective && !is_name
        };
        let places = (0..words.len()).filter(orders).map(|at| place(words[at]));
        places.filter(|place| *place > 0).collect::<Vec<_>>()
    })
}

/// Returns the place of a word that orders steps, or 0.
fn place(word: &str) -> u8 {
    match &*word.to_ascii_lowercase() {
        "first" | "firstly" => 1,
        "then" | "next" | "afterwards" => 2,
        "finally" | "lastly" => 3,
        _ => 0,
    }
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
            "Answers questions. Use when the user first logs in and then asks for help.",
            "Checks a build the first time, then again when it breaks.",
            "Explains why First, Then and Finally differ from Given, When, Then. Use when asked.",
            "Opens a PDF, extracts its tables, then writes CSV. Use when a table is needed.",
            "Merges PDF files. Use when a user asks 'can we merge PDFs' or says ‘first I'd sort, then we merge’.",
            "Checks the users' files, and I/O of '90s tapes. Use when the users' files are old.",
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
            "Use when I need PDF files read.",
            "Reads PDF files when asked (I also merge them).",
            "I've read all PDF files. Use when one is named.",
            "Use when a PDF file is named, because we’re good at them.",
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
            "First run the checks. Then build the image. Finally roll out. Use when deploying.",
            "Setup, FIRST checks, then installs. Use when deploying.",
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
