//! The rules of the specification, as implemented by its reference library: a skill has errors if
//! and only if `skills-ref validate` has any.
//!
//! Bugs of the library are not reproduced: it ends the frontmatter at the first `---`, even in a
//! value, reads `~` and `null` as strings, and accepts names that cannot be directories. Its YAML
//! has no flow style, no anchors and no tags; these are errors here as well.

use granit_parser::{Event, Parser, StructureStyle};
use helix_skills_format::{Code, Finding, Position, Severity, SkillMd, SkillName};

/// The keys of the specification.
const KEYS: [&str; 6] =
    ["name", "description", "license", "compatibility", "metadata", "allowed-tools"];

/// The codes of names and keys, which have other rules here.
const OTHER_RULES: [Code; 4] =
    [Code::NameCharacter, Code::UnknownField, Code::MisspelledField, Code::LostRestriction];

/// Returns the severity of a code. What the library accepts is silent, or a warning if the text of
/// the specification forbids it.
pub(super) fn severity(code: Code) -> Severity {
    match code {
        Code::LoneCarriageReturn
        | Code::NameType
        | Code::PaddedName
        | Code::ReservedWord
        | Code::ToolName
        | Code::DescriptionType
        | Code::DescriptionMarkup
        | Code::TypedValue
        | Code::UnclosedParenthesis
        | Code::InvisibleText
        | Code::InvisibleMark => Severity::Silent,
        Code::NestedMetadata | Code::FieldType | Code::EmptyField | Code::FileName => {
            Severity::Warning
        }
        Code::UnknownField
        | Code::MisspelledField
        | Code::LostRestriction
        | Code::FlowStyle
        | Code::ByteOrderMark => Severity::Error,
        code => code.when_validating(),
    }
}

/// Checks a text, and its `skill` unless it cannot be parsed. The caller removes the findings that
/// are silent.
pub(super) fn lint(text: &str, skill: Option<&SkillMd>, findings: &mut Vec<Finding>) {
    if let Some(skill) = skill {
        findings.retain(|finding| !OTHER_RULES.contains(&finding.code));
        let at = super::value_position(text, skill, "name");
        findings.extend(name_character(&skill.name, at));
        let first_line = Position::from_offset(text, skill.layout.yaml.start).line;
        yaml(&text[skill.layout.yaml.clone()], first_line, findings);
        if skill.extra().iter().any(|(key, _)| key == "compatibility") {
            let at = super::value_position(text, skill, "compatibility");
            findings.push(Finding::new(Code::WrongType, at, "`compatibility` must be a string"));
        }
    }
    if text.starts_with('\u{feff}') {
        let at = Position { line: 1, column: 1 };
        let message =
            "the file starts with a byte order mark, so the reference library finds no frontmatter";
        findings.push(
            Finding::new(Code::ByteOrderMark, at, message)
                .hint("save it as UTF-8 without a byte order mark"),
        );
    }
}

/// Checks that a name has only lower-case letters and digits of any script, and `-`.
fn name_character(name: &SkillName, at: Position) -> Option<Finding> {
    let lower: String = name.chars().flat_map(char::to_lowercase).collect();
    let bad = name.chars().find(|c| !c.is_alphanumeric() && *c != '-');
    let message = match bad {
        Some(c) => format!(
            "the name `{name}` contains `{}`; names have letters, digits and `-`",
            c.escape_debug()
        ),
        None if lower != **name => format!("the name `{name}` is not in lower case"),
        None => return None,
    };
    Some(Finding::new(Code::NameCharacter, at, message))
}

/// Reports keys that the specification does not have, and collections in flow style.
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
                let hint = "write one item per line, or quote the value";
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
