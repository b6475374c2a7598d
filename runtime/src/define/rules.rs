//! The rules for authors of skills, which are stricter than those for loading.

use super::{MAX_COMPATIBILITY_CHARS, MAX_DESCRIPTION_CHARS, MAX_NAME_CHARS};
use crate::{
    Resource, Value,
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
    if let Some(tools) = parts.allowed_tools {
        check!(blank_item("allowed-tools", Items::Texts(tools)));
    }
    if let Some(tools) = parts.disallowed_tools {
        check!(blank_item("disallowed-tools", Items::Texts(tools)));
    }
    check!(keys("arguments", Items::Texts(parts.arguments)));
    check!(keys("metadata", Items::Metadata(parts.metadata)));
    check!(keys("extra", Items::Extra(parts.extra)));
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

/// The texts of a list, the keys of a map or the paths of files.
#[derive(Clone, Copy)]
enum Items<'a> {
    Texts(&'a [&'a str]),
    Metadata(&'a [(&'a str, &'a str)]),
    Extra(&'a [(Cow<'static, str>, Value)]),
    Resources(&'a [Resource]),
}

impl<'a> Items<'a> {
    const fn len(self) -> usize {
        match self {
            Self::Texts(texts) => texts.len(),
            Self::Metadata(entries) => entries.len(),
            Self::Extra(entries) => entries.len(),
            Self::Resources(files) => files.len(),
        }
    }

    const fn at(self, at: usize) -> &'a str {
        match self {
            Self::Texts(texts) => texts[at],
            Self::Metadata(entries) => entries[at].0,
            Self::Extra(entries) => match &entries[at].0 {
                Cow::Borrowed(key) => key,
                Cow::Owned(key) => key.as_str(),
            },
            Self::Resources(files) => files[at].path(),
        }
    }
}

/// Checks the keys of a map, or the names of arguments; nested values are not checked.
const fn keys(field: &str, keys: Items<'_>) -> Option<Message> {
    check!(blank_item(field, keys));
    repeated_item(field, keys)
}

const fn blank_item(field: &str, items: Items<'_>) -> Option<Message> {
    let mut at = 0;
    while at < items.len() {
        if is_blank(items.at(at)) {
            return Some(blank(field));
        }
        at += 1;
    }
    None
}

const fn repeated_item(field: &str, items: Items<'_>) -> Option<Message> {
    let mut at = 0;
    while at < items.len() {
        let mut before = 0;
        while before < at {
            if equal(items.at(before), items.at(at)) {
                let message = Message::new("duplicate ").quoted(items.at(at));
                return Some(message.text(" in `").text(field).text("`: remove one"));
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
    match first_unsorted(parts.resources) {
        Some(_) => repeated_item("resources", Items::Resources(parts.resources)),
        None => None,
    }
}
