//! The rules for authors of skills, which are stricter than those for loading.

use super::{DefinitionError, MAX_COMPATIBILITY_CHARS, MAX_DESCRIPTION_CHARS, MAX_NAME_CHARS};
use crate::{
    Excerpt, Value,
    name::is_device,
    parts::Parts,
    resource::{check_resource_path, first_unsorted},
    scalars::{char_at, count, equal, is_blank},
};
use alloc::borrow::Cow;

type Checked = Result<(), DefinitionError>;

/// The operator `?` for constant functions.
macro_rules! check {
    ($rule:expr) => {
        if let Err(error) = $rule {
            return Err(error);
        }
    };
}

/// Checks the parts of a skill, whose texts are trimmed.
pub(super) const fn check(parts: &Parts<'_>) -> Checked {
    check!(name(parts.name));
    if parts.description.is_empty() {
        return Err(DefinitionError::BlankDescription);
    }
    if let Some(chars) = over(parts.description, MAX_DESCRIPTION_CHARS) {
        return Err(DefinitionError::LongDescription { chars });
    }
    if parts.body.is_empty() {
        return Err(DefinitionError::BlankBody);
    }
    if let Some(compatibility) = parts.compatibility
        && let Some(chars) = over(compatibility, MAX_COMPATIBILITY_CHARS)
    {
        return Err(DefinitionError::LongCompatibility { chars });
    }
    check!(texts(parts));
    check!(lists(parts));
    check!(keys(Keys::Metadata(parts.metadata)));
    check!(keys(Keys::Extra(parts.extra)));
    if let Some(0) = parts.max_ticks {
        return Err(DefinitionError::NoTicks);
    }
    resources(parts)
}

/// Returns the number of characters if it exceeds `most`.
const fn over(text: &str, most: usize) -> Option<usize> {
    // A text never has more characters than bytes.
    if text.len() <= most {
        return None;
    }
    let chars = count(text);
    if chars > most { Some(chars) } else { None }
}

const fn name(name: &str) -> Checked {
    if name.is_empty() {
        return Err(DefinitionError::EmptyName);
    }
    let bytes = name.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'a'..=b'z' | b'0'..=b'9' => {}
            b'-' if at == 0 || at + 1 == bytes.len() || bytes[at - 1] == b'-' => {
                return Err(DefinitionError::NameHyphen { name: Excerpt::new(name) });
            }
            b'-' => {}
            _ => {
                return Err(DefinitionError::NameCharacter {
                    name: Excerpt::new(name),
                    found: char_at(name, at).0,
                });
            }
        }
        at += 1;
    }
    if bytes.len() > MAX_NAME_CHARS {
        return Err(DefinitionError::LongName { name: Excerpt::new(name) });
    }
    if is_device(name) {
        return Err(DefinitionError::NameDevice { name: Excerpt::new(name) });
    }
    Ok(())
}

const fn texts(parts: &Parts<'_>) -> Checked {
    let texts = [
        ("license", parts.license),
        ("compatibility", parts.compatibility),
        ("when_to_use", parts.when_to_use),
        ("argument-hint", parts.argument_hint),
        ("model", parts.model),
        ("effort", parts.effort),
        ("context", parts.context),
        ("agent", parts.agent),
        ("background", parts.background),
        ("shell", parts.shell),
    ];
    let mut at = 0;
    while at < texts.len() {
        if let (field, Some(text)) = texts[at]
            && text.is_empty()
        {
            return Err(DefinitionError::Blank { field });
        }
        at += 1;
    }
    Ok(())
}

const fn lists(parts: &Parts<'_>) -> Checked {
    let lists = [
        ("allowed-tools", parts.allowed_tools),
        ("disallowed-tools", parts.disallowed_tools),
        ("arguments", Some(parts.arguments)),
        ("paths", Some(parts.paths)),
    ];
    let mut at = 0;
    while at < lists.len() {
        if let (field, Some(items)) = lists[at] {
            let mut item = 0;
            while item < items.len() {
                if is_blank(items[item]) {
                    return Err(DefinitionError::Blank { field });
                }
                item += 1;
            }
        }
        at += 1;
    }
    let mut at = 0;
    while at < parts.arguments.len() {
        let mut before = 0;
        while before < at {
            if equal(parts.arguments[before], parts.arguments[at]) {
                let value = Excerpt::new(parts.arguments[at]);
                return Err(DefinitionError::Duplicate { field: "arguments", value });
            }
            before += 1;
        }
        at += 1;
    }
    Ok(())
}

/// The keys of one map.
#[derive(Clone, Copy)]
enum Keys<'a> {
    Metadata(&'a [(&'a str, &'a str)]),
    Extra(&'a [(Cow<'static, str>, Value)]),
}

impl<'a> Keys<'a> {
    const fn field(self) -> &'static str {
        match self {
            Self::Metadata(_) => "metadata",
            Self::Extra(_) => "extra",
        }
    }

    const fn len(self) -> usize {
        match self {
            Self::Metadata(entries) => entries.len(),
            Self::Extra(entries) => entries.len(),
        }
    }

    const fn at(self, at: usize) -> &'a str {
        match self {
            Self::Metadata(entries) => entries[at].0,
            Self::Extra(entries) => match &entries[at].0 {
                Cow::Borrowed(key) => key,
                Cow::Owned(key) => key.as_str(),
            },
        }
    }
}

/// Checks the keys of a map; nested values are not checked.
const fn keys(keys: Keys<'_>) -> Checked {
    let field = keys.field();
    let mut at = 0;
    while at < keys.len() {
        let key = keys.at(at);
        if is_blank(key) {
            return Err(DefinitionError::Blank { field });
        }
        let mut before = 0;
        while before < at {
            if equal(keys.at(before), key) {
                return Err(DefinitionError::Duplicate { field, value: Excerpt::new(key) });
            }
            before += 1;
        }
        at += 1;
    }
    Ok(())
}

const fn resources(parts: &Parts<'_>) -> Checked {
    let mut at = 0;
    while at < parts.resources.len() {
        let path = parts.resources[at].path();
        if let Err(reason) = check_resource_path(path) {
            return Err(DefinitionError::Resource { path: Excerpt::new(path), reason });
        }
        at += 1;
    }
    // Comparing all pairs of a long list would take long, and sorted paths are unique.
    if first_unsorted(parts.resources).is_none() {
        return Ok(());
    }
    let mut at = 0;
    while at < parts.resources.len() {
        let path = parts.resources[at].path();
        let mut before = 0;
        while before < at {
            if equal(parts.resources[before].path(), path) {
                let value = Excerpt::new(path);
                return Err(DefinitionError::Duplicate { field: "resources", value });
            }
            before += 1;
        }
        at += 1;
    }
    Ok(())
}
