//! The frontmatter of a skill as JSON.

use helix_skills_format::__internal::skill_md::frontmatter;
use helix_skills_runtime::Value;
use rmcp::model::{JsonObject, SkillFrontmatter};
use serde_json::{Number, Value as Json};

/// Maximum number of characters of a description in the Agent Skills specification.
const MAX_DESCRIPTION_CHARS: usize = 1024;

/// Reads the frontmatter of a `SKILL.md` with every field that its author wrote.
///
/// # Errors
/// Why the extension cannot express it.
pub(crate) fn read(skill_md: &str) -> Result<SkillFrontmatter, String> {
    let fields = frontmatter(skill_md).ok_or("its frontmatter cannot be read")?;
    let mut all: JsonObject =
        fields.iter().map(|(key, value)| (key.clone(), json(value))).collect();
    let mut text = |key: &str| match all.remove(key) {
        Some(Json::String(text)) => Ok(text),
        Some(_) => Err(format!("`{key}` in its frontmatter is not a text: put it in quotes")),
        None => Err(format!("its frontmatter has no `{key}`")),
    };
    let mut read = SkillFrontmatter::new(text("name")?, text("description")?);
    read.extra = all;
    check_name(&read.name)?;
    match read.description.chars().count() {
        1..=MAX_DESCRIPTION_CHARS => Ok(read),
        0 => Err("its description is empty".to_owned()),
        many => Err(format!(
            "its description has {many} characters, the maximum is {MAX_DESCRIPTION_CHARS}"
        )),
    }
}

/// Checks the rule of the [Agent Skills specification](https://agentskills.io/specification) in
/// the form that all known clients accept: not all of them allow letters other than `a` to `z`.
fn check_name(name: &str) -> Result<(), String> {
    let is_part = |part: &str| {
        !part.is_empty() && part.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
    };
    if name.len() <= 64 && name.split('-').all(is_part) {
        return Ok(());
    }
    Err(format!(
        "clients refuse the name `{name}` in its frontmatter: \
         use at most 64 characters, a to z, 0 to 9 and single hyphens"
    ))
}

/// Converts a value by the [core schema](https://yaml.org/spec/1.2.2/#103-core-schema) of YAML 1.2.
fn json(value: &Value) -> Json {
    match value {
        Value::Bool(text) => Json::Bool(text.eq_ignore_ascii_case("true")),
        Value::Number(text) => number(text),
        Value::Null(_) => Json::Null,
        Value::List(items) => items.iter().map(json).collect(),
        Value::Map(entries) => {
            entries.iter().map(|(key, value)| (key.to_string(), json(value))).collect()
        }
        text => text.as_text().unwrap_or_default().into(),
    }
}

/// Converts a number. JSON has no infinity and no NaN: they become null.
fn number(text: &str) -> Json {
    let radix = |digits, radix| u64::from_str_radix(digits, radix).ok().map(Number::from);
    let whole = match (text.strip_prefix("0x"), text.strip_prefix("0o")) {
        (Some(digits), _) => radix(digits, 16),
        (_, Some(digits)) => radix(digits, 8),
        _ => {
            let unsigned = text.strip_prefix('+').unwrap_or(text);
            let positive = unsigned.parse::<u64>().ok().map(Number::from);
            positive.or_else(|| unsigned.parse::<i64>().ok().map(Number::from))
        }
    };
    let float = || text.parse::<f64>().ok().and_then(Number::from_f64);
    whole.or_else(float).map_or(Json::Null, Json::Number)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use serde_json::json;

    #[test]
    fn values_keep_their_types() {
        let text = "---\nname: pdf\ndescription: 'Reads: PDF.'\nversion: 1.0\nquoted: '1.0'\n\
                    count: 3\nnegative: -0x1\nhex: 0x1F\noctal: 0o17\nzero: 017\nlarge: 1e3\n\
                    yes: yes\nflag: True\nnothing: ~\nempty:\ninfinite: .inf\n\
                    metadata: {a: [1, two, {b: false}], date: 2026-01-01}\n---\nBody\n";
        let read = read(text).unwrap();
        assert_eq!((&*read.name, &*read.description), ("pdf", "Reads: PDF."));
        assert_eq!(
            Json::Object(read.extra),
            json!({
                "version": 1.0, "quoted": "1.0", "count": 3, "negative": "-0x1", "hex": 31,
                "octal": 15, "zero": 17, "large": 1000.0, "yes": "yes", "flag": true,
                "nothing": null, "empty": null, "infinite": null,
                "metadata": {"a": [1, "two", {"b": false}], "date": "2026-01-01"},
            })
        );
    }

    #[test]
    fn frontmatter_that_clients_refuse_has_a_reason() {
        let long = "x".repeat(1025);
        for (fields, reason) in [
            ("description: x", "its frontmatter has no `name`"),
            (
                "name: 1\ndescription: x",
                "`name` in its frontmatter is not a text: put it in quotes",
            ),
            ("name: Pdf\ndescription: x", "clients refuse the name `Pdf` in its frontmatter"),
            ("name: a--b\ndescription: x", "clients refuse the name `a--b`"),
            ("name: größe\ndescription: x", "clients refuse the name `größe`"),
            ("name: pdf\ndescription: ''", "its description is empty"),
            (&format!("name: pdf\ndescription: {long}"), "its description has 1025 characters"),
        ] {
            let error = read(&format!("---\n{fields}\n---\nBody\n")).unwrap_err();
            assert!(error.starts_with(reason), "{error}");
        }
    }
}
