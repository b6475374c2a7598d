//! Finds placeholders for arguments that are undeclared or unintended.

use super::first_of;
use crate::markdown::Markdown;
use helix_skills_format::{Code, Finding, SkillMd};
use helix_skills_runtime::{__internal::fills_bodies, PartKind, Profile, Template, TemplatePart};
use std::iter;

/// Checks placeholders. `$NAME` without a declaration is a variable of a shell, and so is `$1` in
/// code. In prose, `$1` is an amount of money unless `$0` or `$2` occurs as well.
pub(super) fn check(skill: &SkillMd, markdown: &Markdown<'_>, findings: &mut Vec<Finding>) {
    let declares = !skill.arguments().is_empty() || skill.argument_hint().is_some();
    let (mut amounts, mut undeclared) = (Vec::new(), Vec::new());
    for part in placeholders(Template::new(markdown.text)) {
        let (at, source) = (part.at(), part.source());
        if !matches!(part.kind(), PartKind::Arguments | PartKind::Index(_)) {
            continue;
        }
        let end = at + source.len();
        // Placeholders without an argument are kept, and no skill has a hundred arguments.
        let fraction = if source.len() <= 3 { fraction(&markdown.text[end..]) } else { 0 };
        if fraction > 0 {
            amounts.push((at, &markdown.text[at..end + fraction]));
        } else if !declares && !markdown.is_code(at) {
            undeclared.push((at, source));
        }
    }
    let has = |index: &str| undeclared.iter().any(|(_, found)| *found == index);
    let are_placeholders = has("$0") || (has("$1") && has("$2"));
    let is_index = |source: &str| are_placeholders && source.len() == 2;
    undeclared.retain(|(_, source)| source.starts_with("$ARGUMENTS") || is_index(source));
    findings.extend(first_of(Code::AccidentalPlaceholder, markdown, amounts, |amount| {
        let message = format!(
            "`{amount}` starts with a placeholder, which is replaced if there are arguments"
        );
        (message, format!("write `\\{amount}`"))
    }));
    findings.extend(first_of(Code::UndeclaredArgument, markdown, undeclared, |placeholder| {
        let message =
            format!("`{placeholder}` is a placeholder, but the skill declares no arguments");
        let hint = "add `argument-hint: \"[…]\"` to the frontmatter, or `arguments: NAME …`";
        (message, hint)
    }));
}

/// Reports placeholders that a model sees as they are, because `profile` does not fill them.
///
/// An index is only one if the skill declares arguments; [`check`] reports the others.
pub(super) fn check_profile(
    skill: &SkillMd,
    markdown: &Markdown<'_>,
    profile: Profile,
    findings: &mut Vec<Finding>,
) {
    let declares = !skill.arguments().is_empty() || skill.argument_hint().is_some();
    // In `DeepAgents`, a model reads the file itself.
    if fills_bodies(profile) || (declares && profile != Profile::DeepAgents) {
        return;
    }
    let is_declared = |word: &str| {
        let mut names = skill.arguments().iter();
        names.any(|name| word.strip_prefix(name).is_some_and(|rest| !rest.starts_with(is_of_name)))
    };
    let parts = placeholders(Template::new(markdown.text).profile(profile));
    let unfilled = parts.filter(|part| match part.kind() {
        PartKind::Arguments => true,
        PartKind::Index(_) => declares,
        PartKind::Name(word) => is_declared(word),
        PartKind::Variable(name) => {
            name.ends_with("SKILL_DIR")
                || name.starts_with("CLAUDE_")
                || name.starts_with("AGENTICK_")
        }
        _ => false,
    });
    let unfilled = unfilled.map(|part| (part.at(), part.source()));
    findings.extend(first_of(Code::UnfilledPlaceholder, markdown, unfilled, |first| {
        let message = format!(
            "`{first}` stays in the text, because the profile `{}` does not fill it",
            profile.name()
        );
        let hint =
            "say `the arguments`, which follow the body; files are read by their path in the skill";
        (message, hint)
    }));
}

fn is_of_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Returns the placeholders of a body and of its commands.
fn placeholders(template: Template<'_>) -> impl Iterator<Item = TemplatePart<'_>> {
    let parts = template.parts().flat_map(|part| iter::once(part).chain(part.parts()));
    parts.filter(|part| !part.is_escaped())
}

/// Returns the length of a text such as `.00` or `,500`, which makes an index an amount of money.
fn fraction(rest: &str) -> usize {
    let digits = rest.strip_prefix(['.', ',']).unwrap_or_default();
    let digits = digits.bytes().take_while(u8::is_ascii_digit).count();
    if digits > 0 { digits + 1 } else { 0 }
}

#[cfg(test)]
mod tests {
    use crate::{Draft, Rules, lint};
    use helix_skills_format::Code;
    use helix_skills_runtime::{Profile, Skill, Toolbox, skill_set};

    fn report(body: &str, more: &str) -> Vec<(Code, String)> {
        let text =
            format!("---\nname: a\ndescription: Reads tides. Use when asked.\n{more}---\n{body}\n");
        let draft =
            Draft { bytes: text.as_bytes(), directory: Some("a"), file: "SKILL.md", files: None };
        let findings = lint(&draft, Rules::Authors, |_| None);
        findings.into_iter().map(|found| (found.code, found.message)).collect()
    }

    /// A profile is reported if its toolbox does not fill the placeholder.
    #[test]
    fn placeholders_that_a_profile_does_not_fill_are_reported() {
        const BODY: &str =
            "Read $harbour, $harbours, \\$ARGUMENTS, $HOME.\n!`cat ${CLAUDE_SKILL_DIR}/$0`\n";
        const SKILL: Skill =
            Skill::define("a", "Reads tides.", BODY).arguments(&["harbour"]).build();
        let more = "arguments: harbour\n";
        let text =
            format!("---\nname: a\ndescription: Reads tides. Use when asked.\n{more}---\n{BODY}");
        let draft =
            Draft { bytes: text.as_bytes(), directory: Some("a"), file: "SKILL.md", files: None };
        let skills = skill_set![SKILL];
        for profile in Profile::ALL {
            let toolbox = Toolbox::builder(skills).profile(profile).build().unwrap();
            let found = lint(&draft, Rules::Profile(profile), |_| None);
            let Some(load) = toolbox.tools([]).unwrap().next() else { continue };
            let reply =
                toolbox.call(load.name(), r#"{"name": "a", "arguments": "Husum"}"#).unwrap();
            assert_eq!(reply.to_string().contains("$harbour,"), !found.is_empty(), "{profile:?}");
        }
        let found = lint(&draft, Rules::Profile(Profile::DeepAgents), |_| None);
        assert_eq!((found.len(), found[0].code), (1, Code::UnfilledPlaceholder));
        assert_eq!(found[0].at.unwrap().to_string(), "6:6");
        assert_eq!(
            found[0].message,
            "`$harbour` stays in the text, because the profile `deep-agents` does not fill it, \
             and 2 more below"
        );
    }

    #[test]
    fn declared_placeholders_and_shell_variables_are_ignored() {
        for good in [
            "Use $HOME and ${SKILL_DIR}, $ARGUMENTS_X, $100, $5, $1M.",
            "Write `$ARGUMENTS`, or:\n```sh\necho $1 $ARGUMENTS\n```",
            "It costs \\$1.00.",
            "$250.00 is far from any argument",
            "One is $1, two are $5.",
        ] {
            assert_eq!(report(good, ""), [], "{good}");
        }
        assert_eq!(report("Fix $ARGUMENTS.", "argument-hint: \"[issue]\"\n"), []);
        assert_eq!(report("Fix $ARGUMENTS[0].", "arguments: issue\n"), []);
    }

    #[test]
    fn undeclared_and_accidental_placeholders_are_reported() {
        let found = report("Fix $ARGUMENTS[0].\nAnd $ARGUMENTS.\n", "");
        let message = "`$ARGUMENTS[0]` is a placeholder, but the skill declares no arguments, and one more below";
        assert_eq!(found, [(Code::UndeclaredArgument, message.to_owned())]);
        let found = report("Compare $1 with $2.", "");
        let message =
            "`$1` is a placeholder, but the skill declares no arguments, and one more below";
        assert_eq!(found, [(Code::UndeclaredArgument, message.to_owned())]);
        let found = report("It costs $1.00,\n```\n$2,500 or $3.5\n```", "");
        let message = "`$1.00` starts with a placeholder, which is replaced if there are arguments, and 2 more below";
        assert_eq!(found, [(Code::AccidentalPlaceholder, message.to_owned())]);
    }
}
