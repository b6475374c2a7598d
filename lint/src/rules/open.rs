//! The specification, as its reference library understands it: a skill has errors here if
//! `skills-ref validate` has any.
//!
//! Where the library is wrong we do not follow. It cuts the frontmatter at the first `---`, also
//! inside of a value; takes `~` and `null` for texts; and lets names be directories that no system
//! can have. Its YAML has no flow style, no anchors and no tags: these are errors, as there.

use super::Draft;
use granit_parser::{Event, Parser, StructureStyle};
use helix_skills_format::{Code, Finding, ParsedSkillMd, Position, Severity, SkillMd, SkillName};

/// The keys that the specification has.
const KEYS: [&str; 6] =
    ["name", "description", "license", "compatibility", "metadata", "allowed-tools"];

/// What the library does not mind is silent or, where the text of the specification does, a
/// warning.
pub(super) fn severity(code: Code) -> Severity {
    match code {
        Code::LoneCarriageReturn
        | Code::NameType
        | Code::PaddedName
        | Code::ReservedWord
        | Code::DescriptionType
        | Code::DescriptionMarkup
        | Code::UnclosedParenthesis
        | Code::InvisibleText => Severity::Silent,
        Code::NestedMetadata | Code::FieldType | Code::EmptyField | Code::FileName => {
            Severity::Warning
        }
        Code::UnknownField | Code::FlowStyle | Code::ByteOrderMark => Severity::Error,
        code => code.when_validating(),
    }
}

/// The findings; the caller leaves out those that are silent.
pub(super) fn lint(text: &str, draft: &Draft<'_>) -> Vec<Finding> {
    let mut found = match SkillMd::examine(text, draft.directory, draft.file) {
        Err(findings) => findings,
        Ok(ParsedSkillMd { skill, mut findings }) => {
            // Both are judged otherwise here.
            findings.retain(|finding| {
                !matches!(finding.code, Code::NameCharacter | Code::UnknownField)
            });
            let at = super::value_position(text, &skill, "name");
            findings.extend(name_character(&skill.name, at));
            let first_line = Position::from_offset(text, skill.layout.yaml.start).line;
            yaml(&text[skill.layout.yaml.clone()], first_line, &mut findings);
            if skill.extra.iter().any(|(key, _)| key == "compatibility") {
                let at = super::value_position(text, &skill, "compatibility");
                findings.push(Finding::new(Code::WrongType, at, "`compatibility` must be a text"));
            }
            findings
        }
    };
    if text.starts_with('\u{feff}') {
        let at = Position { line: 1, column: 1 };
        let message = "the file begins with a byte order mark, and the reference library then sees no frontmatter";
        found.push(
            Finding::new(Code::ByteOrderMark, at, message).hint("save it as UTF-8 without a mark"),
        );
    }
    found
}

/// Letters and digits of every script, in lower case.
fn name_character(name: &SkillName, at: Position) -> Option<Finding> {
    let lower: String = name.chars().flat_map(char::to_lowercase).collect();
    let bad = name.chars().find(|c| !c.is_alphanumeric() && *c != '-');
    let message = match bad {
        Some(c) => format!(
            "the name `{name}` holds `{}`; names have letters, digits and `-`",
            c.escape_debug()
        ),
        None if lower != **name => format!("the name `{name}` is not in lower case"),
        None => return None,
    };
    Some(Finding::new(Code::NameCharacter, at, message))
}

/// Keys that the specification does not have, and collections in flow style.
fn yaml(text: &str, first_line: u32, findings: &mut Vec<Finding>) {
    let mut parser = Parser::new_from_str(text);
    let (mut depth, mut is_key) = (0_usize, false);
    while let Some(Ok((event, span))) = parser.next_event() {
        let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        let at = Position {
            line: first_line.saturating_add(count(span.start.line()).saturating_sub(1)),
            column: count(span.start.col()).saturating_add(1),
        };
        match event {
            Event::SequenceStart(StructureStyle::Flow, ..)
            | Event::MappingStart(StructureStyle::Flow, ..) => {
                let message =
                    "the reference library refuses lists in brackets and mappings in braces";
                let hint = "write one item a line, or put the value in quotes";
                findings.push(Finding::new(Code::FlowStyle, at, message).hint(hint));
                depth += 1;
            }
            Event::MappingStart(..) if depth == 0 => {
                (depth, is_key) = (1, true);
            }
            Event::SequenceStart(..) | Event::MappingStart(..) => depth += 1,
            Event::SequenceEnd | Event::MappingEnd => {
                depth = depth.saturating_sub(1);
                is_key = depth == 1;
            }
            Event::Scalar(key, ..) if depth == 1 => {
                if is_key && !KEYS.contains(&&*key) {
                    let key = key.escape_debug();
                    let message = format!("the specification has no key `{key}`");
                    findings.push(Finding::new(Code::UnknownField, at, message));
                }
                is_key = !is_key;
            }
            _ => {}
        }
    }
}
