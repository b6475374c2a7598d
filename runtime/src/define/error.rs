//! What a definition can have wrong.

use super::{MAX_COMPATIBILITY_CHARS, MAX_DESCRIPTION_CHARS, MAX_NAME_CHARS};
use crate::{Excerpt, ResourceError, message::Message};
use core::fmt;

/// Why a [`Definition`](crate::Definition) is no skill: the first rule that it breaks.
///
/// Kept by value, so that it outlives the texts that it is about. It does not say which skill it is about, except where
/// the name itself is wrong: whoever defines one knows, and [`build`](crate::Definition::build) says so.
///
/// ```
/// use helix_skills::{define::DefinitionError, Skill, text::Excerpt};
/// let error = Skill::define("Pdf", "Reads PDF files.", "Use `pdftotext`.").try_build().unwrap_err();
/// assert_eq!(error, DefinitionError::NameCharacter { name: Excerpt::new("Pdf"), found: 'P' });
/// assert_eq!(error.to_string(), "the name `Pdf` cannot hold `P`: write a to z, 0 to 9 and single hyphens");
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum DefinitionError {
    /// The name has no characters.
    EmptyName,
    /// The name is longer than 64 characters.
    LongName {
        /// The name.
        name: Excerpt,
    },
    /// A character of the name is neither a lower-case ASCII letter, a digit nor a hyphen.
    NameCharacter {
        /// The name.
        name: Excerpt,
        /// The first such character.
        found: char,
    },
    /// The name starts or ends with a hyphen, or holds two in a row.
    NameHyphen {
        /// The name.
        name: Excerpt,
    },
    /// Windows reserves the name for a device.
    NameDevice {
        /// The name.
        name: Excerpt,
    },
    /// The description is empty, or nothing but white space.
    BlankDescription,
    /// The description is longer than 1024 characters.
    LongDescription {
        /// How many Unicode scalar values it has.
        chars: usize,
    },
    /// The body is empty, or nothing but white space.
    BlankBody,
    /// The compatibility note is longer than 500 characters.
    LongCompatibility {
        /// How many Unicode scalar values it has.
        chars: usize,
    },
    /// A text, an item of a list or a key that is given and holds nothing but white space.
    Blank {
        /// The field, as it is called in `SKILL.md`.
        field: &'static str,
    },
    /// A key of `metadata` or `extra`, a name of `arguments`, or a resource that is there twice.
    Duplicate {
        /// The field, as it is called in `SKILL.md`.
        field: &'static str,
        /// What is there twice.
        value: Excerpt,
    },
    /// `maxTicks` is 0.
    NoTicks,
    /// A resource whose path no file of a skill can have.
    Resource {
        /// The path.
        path: Excerpt,
        /// The rule that it breaks.
        reason: ResourceError,
    },
    /// A resource that comes after another one whose path is greater by its bytes.
    UnsortedResource {
        /// The path.
        path: Excerpt,
    },
}

crate::__internal::error_debug!(DefinitionError {
    EmptyName,
    LongName { name },
    NameCharacter { name, found },
    NameHyphen { name },
    NameDevice { name },
    BlankDescription,
    LongDescription { chars },
    BlankBody,
    LongCompatibility { chars },
    Blank { field },
    Duplicate { field, value },
    NoTicks,
    Resource { path, reason },
    UnsortedResource { path },
});

impl DefinitionError {
    /// The text of the error, after `prefix`.
    pub(super) const fn message(&self, prefix: Message) -> Message {
        match self {
            Self::EmptyName => prefix.text("the name of a skill cannot be empty"),
            Self::LongName { name } => prefix
                .text("the name ")
                .quoted(name)
                .text(" is longer than ")
                .number(MAX_NAME_CHARS)
                .text(" characters"),
            Self::NameCharacter { name, found } => prefix
                .text("the name ")
                .quoted(name)
                .text(" cannot hold ")
                .character(*found)
                .text(": write a to z, 0 to 9 and single hyphens"),
            Self::NameHyphen { name } => prefix
                .text("the name ")
                .quoted(name)
                .text(" cannot start or end with a hyphen or hold two in a row"),
            Self::NameDevice { name } => {
                prefix.text("the name ").quoted(name).text(" is that of a device on Windows")
            }
            Self::BlankDescription => {
                prefix.text("the description is blank: say what the skill does and when to use it")
            }
            Self::LongDescription { chars } => {
                too_long(prefix.text("the description"), *chars, MAX_DESCRIPTION_CHARS)
            }
            Self::BlankBody => {
                prefix.text("the body is blank: write the instructions that a model loads")
            }
            Self::LongCompatibility { chars } => {
                too_long(prefix.text("the `compatibility`"), *chars, MAX_COMPATIBILITY_CHARS)
            }
            Self::Blank { field } => {
                prefix.text("a text in `").text(field).text("` is blank: leave it out")
            }
            Self::Duplicate { field, value } => prefix
                .quoted(value)
                .text(" is there twice in `")
                .text(field)
                .text("`: leave one out"),
            Self::NoTicks => prefix.text("`maxTicks` is 0: the least is 1"),
            Self::Resource { path, reason } => {
                let (text, found) = reason.message_parts();
                let message = prefix
                    .text("the path ")
                    .quoted(path)
                    .text(" cannot be that of a resource: ")
                    .text(text);
                match found {
                    Some(c) => message.text(" ").character(c),
                    None => message,
                }
            }
            Self::UnsortedResource { path } => prefix
                .text("the resource ")
                .quoted(path)
                .text(" comes too late: sort them by path, or let `Resource::sorted([…])` do it"),
        }
    }
}

const fn too_long(message: Message, chars: usize, most: usize) -> Message {
    message.text(" has ").number(chars).text(" characters, the most is ").number(most)
}

impl fmt::Display for DefinitionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message(Message::new("")).as_str())
    }
}

impl core::error::Error for DefinitionError {}
