//! Fixes problems that have exactly one fix.

use helix_skills_format::{__internal::skill_md, Code, SkillMd, SkillName};

/// Fixes problems that have exactly one fix. Returns the fixed text, which parses to the same
/// skill, and the codes of the fixed findings in the order of the fixes. `None` if there is nothing
/// to fix.
///
/// These problems are a byte order mark, blank lines before the frontmatter, lines that end with a
/// carriage return alone, values that need quotes, numbers and booleans instead of strings, blanks
/// around the name, and a missing name if the name of the directory is valid on every system. CR LF
/// is kept, because it means the same everywhere.
///
/// ```
/// use helix_skills_format::Code;
/// use helix_skills_lint::fix;
///
/// let (text, codes) = fix("---\ndescription: Tides: when to sail\n---\nx\n", Some("tides")).unwrap();
/// assert_eq!(text, "---\nname: tides\ndescription: 'Tides: when to sail'\n---\nx\n");
/// assert_eq!(codes, [Code::UnquotedValue, Code::MissingName]);
/// assert_eq!(fix(&text, Some("tides")), None);
/// ```
#[must_use]
pub fn fix(text: &str, directory: Option<&str>) -> Option<(String, Vec<Code>)> {
    let before = SkillMd::parse(text, directory, "SKILL.md").ok()?.value;
    let (mut fixed, mut codes) = (text.to_owned(), Vec::new());
    let steps: [(Code, Step); 8] = [
        (Code::ByteOrderMark, |text, _| text.strip_prefix('\u{feff}').map(str::to_owned)),
        (Code::BlankBeforeFrontmatter, |text, _| {
            let start = text.find("---").filter(|at| {
                *at > 0 && text[..*at].trim_start_matches('\u{feff}').trim().is_empty()
            })?;
            Some(text[start..].to_owned())
        }),
        (Code::LoneCarriageReturn, lone_carriage_returns),
        (Code::UnquotedValue, |text, _| {
            let layout = skill_md::layout(text)?;
            Some(replaced(text, &layout.yaml, &skill_md::quoted(&text[layout.yaml.clone()])?))
        }),
        (Code::PaddedName, |text, skill| {
            with_value(text, "name", |value| {
                is_padded(value, skill).then(|| skill.name.to_string())
            })
        }),
        (Code::NameType, |text, _| with_value(text, "name", as_text)),
        (Code::DescriptionType, |text, _| with_value(text, "description", as_text)),
        (Code::MissingName, missing_name),
    ];
    // A fix may become possible after a later one: line endings, once a value is quoted.
    for _ in 0..steps.len() {
        let start = fixed.clone();
        for (code, step) in steps {
            let Some(text) = step(&fixed, &before) else { continue };
            let same = SkillMd::parse(&text, directory, "SKILL.md").is_ok_and(|parsed| {
                let mut after = parsed.value;
                after.layout = before.layout.clone();
                after == before && lines(&text) == lines(&fixed)
            });
            if same && text != fixed {
                fixed = text;
                if !codes.contains(&code) {
                    codes.push(code);
                }
            }
        }
        if fixed == start {
            break;
        }
    }
    (!codes.is_empty()).then_some((fixed, codes))
}

/// One fix: returns the fixed text if it applies. The skill is the parsed text.
type Step = fn(&str, &SkillMd) -> Option<String>;

/// Returns the lines of the body, independent of line endings.
fn lines(text: &str) -> Option<Vec<String>> {
    let layout = skill_md::layout(text)?;
    Some(layout.body(text).replace("\r\n", "\n").split(['\n', '\r']).map(str::to_owned).collect())
}

fn replaced(text: &str, range: &std::ops::Range<usize>, with: &str) -> String {
    format!("{}{with}{}", &text[..range.start], &text[range.end..])
}

/// Converts all line endings to LF if some are CR alone.
fn lone_carriage_returns(text: &str, _: &SkillMd) -> Option<String> {
    let unix = text.replace("\r\n", "\n");
    unix.contains('\r').then(|| unix.replace('\r', "\n"))
}

/// Replaces the value of a key on the line of the key, if `change` returns another value.
fn with_value(text: &str, key: &str, change: impl Fn(&str) -> Option<String>) -> Option<String> {
    let layout = skill_md::layout(text)?;
    let mut yaml = String::new();
    for line in text[layout.yaml.clone()].split_inclusive('\n') {
        let content = line.trim_end_matches(['\n', '\r']);
        let value = content.strip_prefix(key).and_then(|rest| rest.strip_prefix(':'));
        match value.and_then(|value| change(value.trim())) {
            Some(value) => yaml.push_str(&format!("{key}: {value}{}", &line[content.len()..])),
            None => yaml.push_str(line),
        }
    }
    Some(replaced(text, &layout.yaml, &yaml))
}

/// Quotes a value that other parsers read as a number or a boolean.
fn as_text(value: &str) -> Option<String> {
    skill_md::is_typed(value).then(|| format!("\"{value}\""))
}

/// Returns whether a value is the quoted name with blanks around it.
fn is_padded(value: &str, skill: &SkillMd) -> bool {
    let inner =
        ['"', '\''].into_iter().find_map(|quote| value.strip_prefix(quote)?.strip_suffix(quote));
    inner.is_some_and(|inner| inner.trim() == skill.name.as_str() && inner.trim() != inner)
        && skill.name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
}

/// Adds `name` as the first key if the name of the directory is valid on every system.
fn missing_name(text: &str, skill: &SkillMd) -> Option<String> {
    let is_portable =
        |name: &SkillName| name.bytes().all(|b| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'-'));
    let layout = skill_md::layout(text)?;
    let yaml = &text[layout.yaml.clone()];
    let has_name =
        yaml.lines().any(|line| line.trim_start_matches(['"', '\'']).starts_with("name"));
    let ending = if text[..layout.yaml.start].ends_with("\r\n") { "\r\n" } else { "\n" };
    let quote = if skill_md::is_typed(&skill.name) { "\"" } else { "" };
    (!has_name && is_portable(&skill.name)).then(|| {
        replaced(text, &layout.yaml, &format!("name: {quote}{}{quote}{ending}{yaml}", skill.name))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the fixed text of a skill in the directory `tides`, and the codes.
    fn fixed(text: &str) -> Option<(String, Vec<Code>)> {
        fix(text, Some("tides"))
    }

    #[test]
    fn problems_with_one_fix_are_fixed() {
        let rest = "description: Reads tides.\n---\nx\n";
        let whole = format!("---\nname: tides\n{rest}");
        for (text, code) in [
            (format!("\u{feff}{whole}"), Code::ByteOrderMark),
            (format!("\n \n{whole}"), Code::BlankBeforeFrontmatter),
            (whole.replace('\n', "\r"), Code::LoneCarriageReturn),
            (format!("---\nname: \" tides\"\n{rest}"), Code::PaddedName),
            (format!("---\n{rest}"), Code::MissingName),
        ] {
            assert_eq!(fixed(&text), Some((whole.clone(), vec![code])), "{text:?}");
        }
        let text = "---\r\nname: tides\r\ndescription: 42\r\nlicense: a: b\r\n---\r\nx\r\n";
        let expected =
            "---\r\nname: tides\r\ndescription: \"42\"\r\nlicense: 'a: b'\r\n---\r\nx\r\n";
        assert_eq!(
            fixed(text),
            Some((expected.to_owned(), vec![Code::UnquotedValue, Code::DescriptionType]))
        );
    }

    #[test]
    fn fixes_that_need_a_later_one_are_applied() {
        let text = "---\r\ndescription: 42\r\nmetadata:\rx  a: 1i[d, {f: f}]\r\n---\r\nx\r\n";
        let (text, codes) = fixed(text).unwrap();
        assert!(
            codes.contains(&Code::LoneCarriageReturn) && !text.contains('\r'),
            "{codes:?} {text:?}"
        );
        assert_eq!(fixed(&text), None);
    }

    #[test]
    fn other_texts_are_not_changed() {
        for text in [
            "---\nname: tides\ndescription: Reads tides.\n---\nx\n",
            "---\nname: tides\ndescription: Reads tides.\n---\r\nx\r\n",
            "---\nname: other\ndescription: Reads tides.\n---\nx",
            "---\nname: tides\n---\nx\n",
            "---\nname: tides\ndescription: [a\n---\nx\n",
            "nothing",
        ] {
            assert_eq!(fixed(text), None, "{text:?}");
        }
        assert_eq!(fix("---\ndescription: Reads tides.\n---\nx\n", Some("Tide Tables")), None);
        assert_eq!(fix("---\ndescription: Reads tides.\n---\nx\n", None), None);
    }
}
