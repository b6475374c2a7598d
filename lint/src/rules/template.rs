//! Finds template text that was not replaced by instructions or a real example.

use super::{first_of, value_position};
use crate::{excerpt::excerpt, markdown::Markdown};
use helix_skills_format::{Code, Finding, SkillMd};

/// Starts of template lines, in lower case, after the marks of a list, a heading or a quotation. In
/// skills about such texts (`replace every TODO`), they occur within a sentence.
const BEGINNINGS: [&str; 6] =
    ["[todo", "todo:", "insert instructions below", "[insert ", "[your ", "[add your "];

/// The first characters of [`BEGINNINGS`], which rule out most lines.
const BEGIN: [char; 5] = ['[', 't', 'T', 'i', 'I'];

/// Lines that stand for an example that was not written, in lower case, without the marks of
/// comments, lists and quotations.
const MISSING_EXAMPLES: [&str; 9] = [
    "",
    "todo",
    "tbd",
    "placeholder",
    "coming soon",
    "code here",
    "your code here",
    "example here",
    "your example here",
];

/// Part of a filler text, without its first letter, which may be a capital.
const FILLER: &str = "orem ipsum dolor";

/// Starts of template descriptions, in lower case.
const DESCRIPTIONS: [&str; 6] = [
    "replace with",
    "replace this",
    "todo:",
    "[your ",
    "a description of what",
    "describe what this skill",
];

/// Reports a description that is template text.
pub(super) fn description(text: &str, skill: &SkillMd, findings: &mut Vec<Finding>) {
    let lower = skill.description().to_ascii_lowercase();
    if lower.contains("[todo") || DESCRIPTIONS.iter().any(|start| lower.starts_with(start)) {
        let at = value_position(text, skill, "description");
        let found = Finding::new(Code::TemplateText, at, "the description is template text");
        findings.push(found.hint("say what the skill does, and when to use it"));
    }
}

/// Reports lines of the body that are template text. Code is ignored, because it may be a template
/// for the agent.
pub(super) fn check(markdown: &Markdown<'_>, findings: &mut Vec<Finding>) {
    let mut found = Vec::new();
    for (start, content) in markdown.prose() {
        let text = content.trim_start_matches([' ', '\t', '#', '>', '-', '*']);
        let at = content.len() - text.len();
        if text.starts_with(BEGIN)
            && BEGINNINGS.iter().any(|start| starts_with(text, start))
            && !is_link(text)
        {
            found.push((start + at, text));
        } else if let Some(at) = content.find(FILLER)
            && !markdown.is_code(start + at)
        {
            // Includes the first letter.
            let at = content[..at].char_indices().next_back().map_or(at, |(at, _)| at);
            found.push((start + at, &content[at..]));
        }
    }
    findings.extend(first_of(Code::TemplateText, markdown, found, |first| {
        let hint = "replace it by instructions or a real example, or remove it";
        (format!("{} is template text", excerpt(first)), hint)
    }));
}

/// Reports sections of examples that have no example. Code counts as an example, unless it is only
/// a comment such as `# your code here`.
pub(super) fn examples(markdown: &Markdown<'_>, findings: &mut Vec<Finding>) {
    let (text, headings) = (markdown.text, &markdown.headings);
    let missing = headings.iter().enumerate().filter_map(|(at, (heading, level))| {
        let title = text[heading.clone()].trim_matches(['#', ' ', '\t', ':', '\r', '\n', '=', '-']);
        let is_of_examples =
            ["example", "examples"].iter().any(|it| title.eq_ignore_ascii_case(it));
        let below = &headings[at + 1..];
        let deeper = below.iter().take_while(|(_, next)| next > level).count();
        let ends = below.iter().map(|(next, _)| next.start).chain([text.len()]);
        let parts = headings[at..=at + deeper].iter().zip(ends);
        let mut lines = parts.flat_map(|((heading, _), end)| text[heading.end..end].lines());
        (is_of_examples && lines.all(is_missing)).then_some((heading.start, title))
    });
    findings.extend(first_of(Code::TemplateText, markdown, missing, |title| {
        let hint = "add a real example, or remove the section";
        (format!("the section `{title}` has no example"), hint)
    }));
}

/// Returns whether a line of a section of examples is only a place for one, or a fence.
fn is_missing(line: &str) -> bool {
    let content = line.trim_start_matches([' ', '\t', '>', '-', '*']);
    let is_fence = content.starts_with("```") || content.starts_with("~~~");
    let marks = |c: char| c.is_whitespace() || "#/*-<>[](){}!.\u{2026}:;\"'".contains(c);
    let text = line.trim_matches(marks);
    is_fence || MISSING_EXAMPLES.iter().any(|missing| text.eq_ignore_ascii_case(missing))
}

fn starts_with(text: &str, start: &str) -> bool {
    text.get(..start.len()).is_some_and(|text| text.eq_ignore_ascii_case(start))
}

/// Returns whether a bracket starts a link, `[your account](…)`.
fn is_link(text: &str) -> bool {
    text.starts_with('[')
        && text.find(']').is_some_and(|at| text[at + 1..].starts_with(['(', '[', ':']))
}

#[cfg(test)]
mod tests {
    use crate::{Draft, Rules, lint};
    use helix_skills_format::Code;

    fn report(description: &str, body: &str) -> Vec<(String, String)> {
        let text = format!("---\nname: a\ndescription: {description:?}\n---\n{body}\n");
        let draft =
            Draft { bytes: text.as_bytes(), directory: Some("a"), file: "SKILL.md", files: None };
        let findings = lint(&draft, Rules::Authors, |_| None).into_iter();
        let findings = findings.filter(|found| found.code == Code::TemplateText);
        findings.map(|found| (found.at.unwrap().to_string(), found.message)).collect()
    }

    const GOOD: &str = "Reads tides. Use when a harbour is named.";

    #[test]
    fn texts_about_templates_are_ignored() {
        for good in [
            "Replace every TODO, and never leave `[TODO: …]` or lorem ipsum behind.",
            "```md\n[TODO: fill in]\nlorem ipsum dolor sit amet\n```",
            "- TODOs are tasks.",
            "[Your account](https://example.com) and [insert mode][vim]\n\n[Insert mode]: https://example.com",
            "Write `lorem ipsum dolor` where text is missing.",
            "Call https://example.com.",
        ] {
            assert_eq!(report(GOOD, good), [], "{good}");
        }
    }

    #[test]
    fn template_text_is_reported_once() {
        let found = report(
            GOOD,
            "# [TODO: the title of\u{7} what this is all about, in words]\n\n- TODO: more",
        );
        let message = "`[TODO: the title of<U+0007> what this is all about, in words]` is template text, and one more below";
        assert_eq!(found, [("5:3".to_owned(), message.to_owned())]);
        let found = report(GOOD, "Examples\n---\n\n- # Example\n\n# Example: #\nx");
        let message = "the section `Examples` has no example, and one more below";
        assert_eq!(found, [("5:1".to_owned(), message.to_owned())]);
        let found = report(GOOD, "Say: Lorem ipsum dolor sit.");
        assert_eq!(
            found,
            [("5:6".to_owned(), "`Lorem ipsum dolor sit.` is template text".to_owned())]
        );
        let template = "Replace with description of the skill and when Claude should use it.";
        let found = report(template, "x");
        assert_eq!(found, [("3:14".to_owned(), "the description is template text".to_owned())]);
    }
}
