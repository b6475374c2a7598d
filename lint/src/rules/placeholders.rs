//! Placeholders for arguments that are not declared or not meant.

use super::markdown::{Kind, Markdown, is_in};
use helix_skills_format::__internal::more_below;
use helix_skills_format::{Code, Finding, SkillMd};

/// The rules for placeholders. `$NAME` without a declaration is no placeholder, `$1` in code
/// belongs to a shell, and in prose it is an amount unless others stand beside it.
pub(super) fn check(skill: &SkillMd, markdown: &Markdown<'_>, findings: &mut Vec<Finding>) {
    if !markdown.contains("$") {
        return;
    }
    let declares = !skill.arguments.is_empty() || skill.argument_hint.is_some();
    let (mut money, mut undeclared) = (Vec::new(), Vec::new());
    for line in markdown.lines() {
        let content = markdown.content(line);
        let spans = if content.contains('$') { markdown.spans(line) } else { continue };
        for (at, _) in content.match_indices('$') {
            if content[..at].ends_with('\\') {
                continue;
            }
            let rest = &content[at + 1..];
            if let Some(amount) = amount(rest) {
                money.push((line.start + at, &rest[..amount]));
            } else if !declares && line.kind == Kind::Prose && !is_in(&spans, at) {
                undeclared
                    .extend(placeholder(rest).map(|placeholder| (line.start + at, placeholder)));
            }
        }
    }
    let has = |index: &str| undeclared.iter().any(|(_, found)| *found == index);
    let are_meant = has("0") || (has("1") && has("2"));
    if !are_meant {
        undeclared.retain(|(_, found)| !found.bytes().all(|b| b.is_ascii_digit()));
    }
    let mut report = |code,
                      found: &[(usize, &str)],
                      message: &dyn Fn(&str, String) -> String,
                      hint: &dyn Fn(&str) -> String| {
        if let [(at, first), others @ ..] = found {
            let message = message(first, more_below(others.len(), ""));
            findings.push(Finding::new(code, markdown.position(*at), message).hint(hint(first)));
        }
    };
    report(
        Code::AccidentalPlaceholder,
        &money,
        &|amount, more| {
            format!(
                "`${amount}` begins with a placeholder: given arguments, it becomes one of them{more}"
            )
        },
        &|amount| format!("write `\\${amount}`"),
    );
    report(
        Code::UndeclaredArgument,
        &undeclared,
        &|placeholder, more| {
            format!("`${placeholder}` stands for arguments, but the skill declares none{more}")
        },
        &|_| "add `argument-hint: \"[…]\"` to the frontmatter, or `arguments: NAME …`".to_owned(),
    );
}

/// The length of an amount such as `1.00` or `2,500`, which is read as the placeholder of its first
/// digits.
fn amount(rest: &str) -> Option<usize> {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let whole = digits(rest);
    // No skill has a hundred arguments, and an index that has no argument stays as it is.
    if !(1..=2).contains(&whole) {
        return None;
    }
    let fraction =
        rest[whole..].strip_prefix(['.', ',']).map(digits).filter(|length| *length > 0)?;
    Some(whole + 1 + fraction)
}

/// `ARGUMENTS`, `ARGUMENTS[0]` or an index, at the start of `rest`.
fn placeholder(rest: &str) -> Option<&str> {
    const ALL: &str = "ARGUMENTS";
    if let Some(after) = rest.strip_prefix(ALL) {
        let index =
            after.strip_prefix('[').and_then(|index| index.find(|c: char| !c.is_ascii_digit()));
        let index = index.filter(|at| *at > 0 && after[at + 1..].starts_with(']'));
        let length = ALL.len() + index.map_or(0, |at| at + 2);
        let goes_on = after.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
        return (!goes_on).then(|| &rest[..length]);
    }
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let goes_on = rest[digits..].starts_with(|c: char| c.is_alphanumeric() || c == '_');
    (digits == 1 && !goes_on).then(|| &rest[..digits])
}

#[cfg(test)]
mod tests {
    use crate::{Draft, Rules, lint};
    use helix_skills_format::Code;

    fn told(body: &str, more: &str) -> Vec<(Code, String)> {
        let text =
            format!("---\nname: a\ndescription: Reads tides. Use when asked.\n{more}---\n{body}\n");
        let draft =
            Draft { bytes: text.as_bytes(), directory: Some("a"), file: "SKILL.md", files: None };
        let findings = lint(&draft, Rules::Authors, |_| None);
        findings.into_iter().map(|found| (found.code, found.message)).collect()
    }

    #[test]
    fn what_is_declared_or_belongs_to_a_shell_is_left_alone() {
        for good in [
            "Use $HOME and ${SKILL_DIR}, $ARGUMENTS_X, $100, $5, $1M.",
            "Write `$ARGUMENTS`, or:\n```sh\necho $1 $ARGUMENTS\n```",
            "It costs \\$1.00.",
            "$250.00 is far from any argument",
            "One is $1, two are $5.",
        ] {
            assert_eq!(told(good, ""), [], "{good}");
        }
        assert_eq!(told("Mend $ARGUMENTS.", "argument-hint: \"[issue]\"\n"), []);
        assert_eq!(told("Mend $ARGUMENTS[0].", "arguments: issue\n"), []);
    }

    #[test]
    fn what_nobody_declares_and_what_nobody_meant_is_told_once() {
        let found = told("Mend $ARGUMENTS[0].\nAnd $ARGUMENTS.\n", "");
        let message =
            "`$ARGUMENTS[0]` stands for arguments, but the skill declares none, and one more below";
        assert_eq!(found, [(Code::UndeclaredArgument, message.to_owned())]);
        let found = told("Compare $1 with $2.", "");
        let message = "`$1` stands for arguments, but the skill declares none, and one more below";
        assert_eq!(found, [(Code::UndeclaredArgument, message.to_owned())]);
        let found = told("It costs $1.00,\n```\n$2,500 or $3.5\n```", "");
        let message = "`$1.00` begins with a placeholder: given arguments, it becomes one of them, and 2 more below";
        assert_eq!(found, [(Code::AccidentalPlaceholder, message.to_owned())]);
    }
}
