//! Finds commands in a body that look like examples, and text that looks like a command.

use super::first_of;
use crate::{
    excerpt::excerpt,
    markdown::{Markdown, overlaps},
};
use helix_skills_format::{Code, Finding};
use helix_skills_runtime::Template;

/// Reports commands in code blocks, because they run as well if commands are enabled, and text that
/// would be a command after white space.
pub(super) fn check(markdown: &Markdown<'_>, findings: &mut Vec<Finding>) {
    findings.extend(not_a_command(markdown));
    let commands = Template::new(markdown.text).parts().filter(|part| part.command().is_some());
    let in_code = commands.filter_map(|part| {
        // A block of commands is in code if a longer fence is around it.
        let is_in_code = overlaps(&markdown.code, &(part.at()..part.at() + 1));
        let source = part.source().lines().next()?.trim_end();
        is_in_code.then_some((part.at(), source))
    });
    findings.extend(first_of(Code::CommandInCode, markdown, in_code, |first| {
        let message =
            format!("{} in a code block runs as well if commands are enabled", excerpt(first));
        (message, "if it is an example, write `\\!` instead of `!`")
    }));
}

/// Reports the first text that would be a command after white space.
fn not_a_command(markdown: &Markdown<'_>) -> Option<Finding> {
    let is_text = |c: char| !c.is_whitespace() && !matches!(c, '\\' | '`');
    let text = markdown.text;
    let at = text.match_indices("!`").map(|(at, _)| at).find(|at| {
        // The next backtick is in the same line.
        let rest = &text[at + 2..];
        let closes = rest.find(['`', '\n']).is_some_and(|at| at > 0 && rest[at..].starts_with('`'));
        closes && text[..*at].ends_with(is_text) && !markdown.is_code(*at)
    })?;
    let message = "`!` is text here: a command starts a line or follows white space";
    let found = Finding::new(Code::NotACommand, markdown.position(at), message);
    Some(found.hint("if it is a command, write a space before `!`"))
}

#[cfg(test)]
mod tests {
    use crate::{Draft, Rules, lint};
    use helix_skills_format::Code;

    fn report(body: &str) -> Vec<(Code, String, String)> {
        let text =
            format!("---\nname: a\ndescription: Reads tides. Use when asked.\n---\n{body}\n");
        let draft =
            Draft { bytes: text.as_bytes(), directory: Some("a"), file: "SKILL.md", files: None };
        let findings = lint(&draft, Rules::Authors, |_| None);
        findings
            .into_iter()
            .map(|f| (f.code, f.at.map(|at| at.to_string()).unwrap_or_default(), f.message))
            .collect()
    }

    #[test]
    fn commands_outside_of_code_are_ignored() {
        for good in [
            "Tide: !`date`",
            "```!\ndate\n```",
            "```!\necho \"use !`date`\"\necho !`date`\n```",
            "```sh\nKEY=!`date`\n! `date`\n\\!`date`\n!``\n```",
            "````md\n```!bash\ndate\n```\n````",
        ] {
            assert_eq!(report(good), [], "{good}");
        }
    }

    #[test]
    fn text_like_a_command_is_reported() {
        for (body, at) in [
            ("Branch:!`git log`", Some("5:8")),
            ("!`a`, (!`b`)", Some("5:8")),
            ("`x!`, `y`, z!``, \\!`c`, !`d`", None),
        ] {
            let found = report(body);
            let found = found.iter().find(|found| found.0 == Code::NotACommand);
            assert_eq!(found.map(|found| &*found.1), at, "{body}");
        }
    }

    #[test]
    fn commands_in_code_blocks_are_reported() {
        let found = report("```md\nTide: !`date`\n```\n");
        let message = "`` !`date` `` in a code block runs as well if commands are enabled";
        assert_eq!(found, [(Code::CommandInCode, "6:7".to_owned(), message.to_owned())]);
        let found = report("````md\n```!\ndate\n```\n!`a` !`b`\n````\n");
        let message =
            "```` ```! ```` in a code block runs as well if commands are enabled, and 2 more below";
        assert_eq!(found, [(Code::CommandInCode, "6:1".to_owned(), message.to_owned())]);
    }
}
