//! The rules for authors of skills, which are stricter than those for loading.

use super::{MAX_COMPATIBILITY_CHARS, MAX_DESCRIPTION_CHARS, MAX_NAME_CHARS};
use crate::{
    Value,
    message::Message,
    name::is_device,
    parts::Parts,
    resource::{check_resource_path, first_unsorted},
    scalars::{char_at, count, equal, is_blank},
};
use alloc::borrow::Cow;

/// Returns the message of the first rule that a part breaks.
macro_rules! check {
    ($rule:expr) => {
        if let Some(message) = $rule {
            return Some(message);
        }
    };
}

/// Checks the parts of a skill, whose texts are trimmed, and returns the message of the first rule
/// that they break.
///
/// The message names the skill only if the name itself is invalid, because the caller knows which
/// skill it defines.
pub(super) const fn check(parts: &Parts<'_>) -> Option<Message> {
    check!(name(parts.name));
    if parts.description.is_empty() {
        return Some(Message::new(
            "the description is blank: say what the skill does and when to use it",
        ));
    }
    if let Some(chars) = over(parts.description, MAX_DESCRIPTION_CHARS) {
        return Some(too_long("the description", chars, MAX_DESCRIPTION_CHARS));
    }
    if parts.body.is_empty() {
        return Some(Message::new("the body is blank: write the instructions that a model loads"));
    }
    if let Some(compatibility) = parts.compatibility
        && let Some(chars) = over(compatibility, MAX_COMPATIBILITY_CHARS)
    {
        return Some(too_long("the `compatibility`", chars, MAX_COMPATIBILITY_CHARS));
    }
    check!(texts(parts));
    check!(lists(parts));
    check!(keys(Keys::Metadata(parts.metadata)));
    check!(keys(Keys::Extra(parts.extra)));
    if let Some(0) = parts.max_ticks {
        return Some(Message::new("`maxTicks` is 0: the minimum is 1"));
    }
    resources(parts)
}

const fn too_long(what: &str, chars: usize, most: usize) -> Message {
    let message = Message::new(what).text(" has ").number(chars);
    message.text(" characters, the maximum is ").number(most)
}

const fn blank(field: &str) -> Message {
    Message::new("blank text in `").text(field).text("`: remove it")
}

const fn duplicate(field: &str, value: &str) -> Message {
    Message::new("duplicate ").quoted(value).text(" in `").text(field).text("`: remove one")
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

const fn name(name: &str) -> Option<Message> {
    if name.is_empty() {
        return Some(Message::new("the name of a skill cannot be empty"));
    }
    let named = Message::new("the name ").quoted(name);
    let bytes = name.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'a'..=b'z' | b'0'..=b'9' => {}
            b'-' if at == 0 || at + 1 == bytes.len() || bytes[at - 1] == b'-' => {
                return Some(
                    named.text(" cannot start or end with a hyphen or contain two in a row"),
                );
            }
            b'-' => {}
            _ => {
                return Some(
                    named
                        .text(" cannot contain ")
                        .character(char_at(name, at).0)
                        .text(": use a to z, 0 to 9 and single hyphens"),
                );
            }
        }
        at += 1;
    }
    if bytes.len() > MAX_NAME_CHARS {
        return Some(named.text(" is longer than ").number(MAX_NAME_CHARS).text(" characters"));
    }
    if is_device(name) {
        return Some(named.text(" is reserved for a device on Windows"));
    }
    None
}

const fn texts(parts: &Parts<'_>) -> Option<Message> {
    let texts = [
        ("license", parts.license),
        ("compatibility", parts.compatibility),
        ("when_to_use", parts.when_to_use),
        ("argument-hint", parts.argument_hint),
        ("shell", parts.shell),
    ];
    let mut at = 0;
    while at < texts.len() {
        if let (field, Some(text)) = texts[at]
            && text.is_empty()
        {
            return Some(blank(field));
        }
        at += 1;
    }
    None
}

const fn lists(parts: &Parts<'_>) -> Option<Message> {
    let lists = [
        ("allowed-tools", parts.allowed_tools),
        ("disallowed-tools", parts.disallowed_tools),
        ("arguments", Some(parts.arguments)),
    ];
    let mut at = 0;
    while at < lists.len() {
        if let (field, Some(items)) = lists[at] {
            let mut item = 0;
            while item < items.len() {
                if is_blank(items[item]) {
                    return Some(blank(field));
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
                return Some(duplicate("arguments", parts.arguments[at]));
            }
            before += 1;
        }
        at += 1;
    }
    None
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
const fn keys(keys: Keys<'_>) -> Option<Message> {
    let field = keys.field();
    let mut at = 0;
    while at < keys.len() {
        let key = keys.at(at);
        if is_blank(key) {
            return Some(blank(field));
        }
        let mut before = 0;
        while before < at {
            if equal(keys.at(before), key) {
                return Some(duplicate(field, key));
            }
            before += 1;
        }
        at += 1;
    }
    None
}

const fn resources(parts: &Parts<'_>) -> Option<Message> {
    let mut at = 0;
    while at < parts.resources.len() {
        let path = parts.resources[at].path();
        if let Err(reason) = check_resource_path(path) {
            let (text, found) = reason.message_parts();
            let message = Message::new("invalid resource path ").quoted(path).text(": ").text(text);
            return Some(match found {
                Some(c) => message.text(" ").character(c),
                None => message,
            });
        }
        at += 1;
    }
    // Comparing all pairs of a long list would take long, and sorted paths are unique.
    if first_unsorted(parts.resources).is_none() {
        return None;
    }
    let mut at = 0;
    while at < parts.resources.len() {
        let path = parts.resources[at].path();
        let mut before = 0;
        while before < at {
            if equal(parts.resources[before].path(), path) {
                return Some(duplicate("resources", path));
            }
            before += 1;
        }
        at += 1;
    }
    None
}
