//! Fixes problems that have exactly one fix.

use helix_skills_format::{__internal::skill_md, Code, SkillMd, SkillName};
use std::{borrow::Cow, cell::OnceCell};

/// Fixes problems that have exactly one fix. Returns the fixed text, which parses to the same
/// skill, and the codes of the fixed findings in the order of the fixes. `None` if there is nothing
/// to fix. If the skill has errors, the fixed text has the same ones and the same values.
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
    // Most skills have nothing to fix, and are not parsed here.
    let before = OnceCell::new();
    let (mut fixed, mut codes) = (Cow::Borrowed(text), Vec::new());
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
        (Code::PaddedName, |text, _| with_value(text, "name", unpadded)),
        (Code::NameType, |text, _| with_value(text, "name", as_text)),
        (Code::DescriptionType, |text, _| with_value(text, "description", as_text)),
        (Code::MissingName, missing_name),
    ];
    // A fix may become possible after a later one: line endings, once a value is quoted.
    for _ in 0..steps.len() {
        let mut is_changed = false;
        for (code, step) in steps {
            let Some(better) = step(&fixed, directory) else { continue };
            let before = before.get_or_init(|| Meaning::of(text, directory));
            let keeps_body = || lines(&better).is_some_and(|body| lines(&fixed) == Some(body));
            if before.is_kept(&Meaning::of(&better, directory)) && keeps_body() {
                (fixed, is_changed) = (better.into(), true);
                if !codes.contains(&code) {
                    codes.push(code);
                }
            }
        }
        if !is_changed {
            break;
        }
    }
    (!codes.is_empty()).then(|| (fixed.into_owned(), codes))
}

/// One fix: returns another text if it applies. The second text is the name of the directory.
type Step = fn(&str, Option<&str>) -> Option<String>;

/// What a fix must not change.
enum Meaning {
    Skill(Box<SkillMd>),
    /// The text is not a skill.
    Broken {
        errors: Vec<(Code, String)>,
        /// The keys and values of the frontmatter; empty if it cannot be read.
        values: Vec<String>,
        /// The text of the frontmatter with LF.
        yaml: String,
    },
}

impl Meaning {
    fn of(text: &str, directory: Option<&str>) -> Self {
        let errors = match SkillMd::parse(text, directory, "SKILL.md") {
            Ok(parsed) => return Self::Skill(Box::new(parsed.value)),
            Err(findings) => findings.into_iter().map(|found| (found.code, found.message)),
        };
        let yaml = skill_md::layout(text).map_or("", |layout| &text[layout.yaml]);
        let values = skill_md::scalars(yaml, 1).into_iter();
        Self::Broken {
            errors: errors.collect(),
            values: values.map(|(_, value)| value.trim().to_owned()).collect(),
            yaml: yaml.replace("\r\n", "\n").replace('\r', "\n"),
        }
    }

    /// Returns whether a fixed text has the same meaning.
    fn is_kept(&self, after: &Self) -> bool {
        match (self, after) {
            (Self::Skill(before), Self::Skill(after)) => {
                let mut after = after.clone();
                after.layout = before.layout.clone();
                after == *before
            }
            (
                Self::Broken { errors, values, yaml },
                Self::Broken { errors: new_errors, values: new_values, yaml: new_yaml },
            ) => {
                // A missing name is added in front.
                let added = new_values.len().saturating_sub(values.len());
                let is_added = added == 0 || (added == 2 && new_values[0] == "name");
                let same_values =
                    !values.is_empty() && is_added && new_values[added..] == values[..];
                errors == new_errors && (same_values || yaml == new_yaml)
            }
            _ => false,
        }
    }
}

/// Returns the lines of the body, independent of line endings.
fn lines(text: &str) -> Option<Vec<String>> {
    let layout = skill_md::layout(text)?;
    Some(layout.body(text).replace("\r\n", "\n").split(['\n', '\r']).map(str::to_owned).collect())
}

fn replaced(text: &str, range: &std::ops::Range<usize>, with: &str) -> String {
    format!("{}{with}{}", &text[..range.start], &text[range.end..])
}

/// Converts all line endings to LF if some are CR alone.
fn lone_carriage_returns(text: &str, _: Option<&str>) -> Option<String> {
    let unix = text.contains('\r').then(|| text.replace("\r\n", "\n"))?;
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
    (yaml != text[layout.yaml.clone()]).then(|| replaced(text, &layout.yaml, &yaml))
}

/// Quotes a value that other parsers read as a number or a boolean.
fn as_text(value: &str) -> Option<String> {
    skill_md::is_typed(value).then(|| format!("\"{value}\""))
}

/// Removes the blanks inside of the quotes of a name, if it needs no quotes.
fn unpadded(value: &str) -> Option<String> {
    let inner =
        ['"', '\''].into_iter().find_map(|quote| value.strip_prefix(quote)?.strip_suffix(quote))?;
    let name = inner.trim();
    let is_plain = !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    (name != inner && is_plain).then(|| name.to_owned())
}

/// Adds `name` as the first key if the name of the directory is valid on every system.
fn missing_name(text: &str, directory: Option<&str>) -> Option<String> {
    let is_portable =
        |name: &SkillName| name.bytes().all(|b| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'-'));
    let name = directory.and_then(|name| SkillName::new(name).ok()).filter(is_portable)?;
    let layout = skill_md::layout(text)?;
    let yaml = &text[layout.yaml.clone()];
    let has_name =
        yaml.lines().any(|line| line.trim_start_matches(['"', '\'']).starts_with("name"));
    let ending = if text[..layout.yaml.start].ends_with("\r\n") { "\r\n" } else { "\n" };
    let quote = if skill_md::is_typed(&name) { "\"" } else { "" };
    (!has_name)
        .then(|| replaced(text, &layout.yaml, &format!("name: {quote}{name}{quote}{ending}{yaml}")))
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
    fn quotes_keep_comments_and_continued_lines() {
        let text =
            "---\nname: tides\ndescription: It's #1\n  of all: tides\nlicense: MIT # c\n---\nx\n";
        let expected = "---\nname: tides\ndescription: 'It''s #1\n  of all: tides'\nlicense: 'MIT # c'\n---\nx\n";
        assert_eq!(fixed(text), Some((expected.to_owned(), vec![Code::UnquotedValue])));
        assert_eq!(fixed(expected), None);
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
    fn fixes_do_not_need_a_valid_skill() {
        // There is no description.
        let text = "\u{feff}\n---\nlicense: a: b\nallowed-tools: Read\n---\nx\n";
        let expected = "---\nname: tides\nlicense: 'a: b'\nallowed-tools: Read\n---\nx\n";
        let codes = [
            Code::ByteOrderMark,
            Code::BlankBeforeFrontmatter,
            Code::UnquotedValue,
            Code::MissingName,
        ];
        assert_eq!(fixed(text), Some((expected.to_owned(), codes.to_vec())));
        // The frontmatter is not YAML.
        let broken = "---\nname: \" tides\"\ndescription: [a\n---\nx\n";
        assert_eq!(fixed(broken), None);
        let marked = format!("\u{feff}{broken}");
        assert_eq!(fixed(&marked), Some((broken.to_owned(), vec![Code::ByteOrderMark])));
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
