//! Errors of definitions.

use super::{MAX_COMPATIBILITY_CHARS, MAX_DESCRIPTION_CHARS, MAX_NAME_CHARS};
use crate::{Excerpt, ResourceError, message::Message};
use core::fmt;

/// The first rule that a [`Definition`](crate::Definition) breaks.
///
/// It is stored by value, so it outlives the texts that it is about. It names the skill only if the
/// name itself is invalid, because the caller knows which skill it defines;
/// [`build`](crate::Definition::build) adds the name.
///
/// ```
/// use helix_skills::{define::DefinitionError, Skill};
/// let pdf = Skill::define("Pdf", "Reads PDF files.", "Use `pdftotext`.");
/// let error = pdf.try_build().unwrap_err();
/// assert!(matches!(error, DefinitionError::NameCharacter { found: 'P', .. }));
/// assert_eq!(
///     error.to_string(),
///     "the name `Pdf` cannot contain `P`: use a to z, 0 to 9 and single hyphens",
/// );
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum DefinitionError {
    /// The name is empty.
    EmptyName,
    /// The name is longer than 64 characters.
    LongName {
        /// The name.
        name: Excerpt,
    },
    /// The name contains a character that is neither a lower-case ASCII letter, a digit nor a
    /// hyphen.
    NameCharacter {
        /// The name.
        name: Excerpt,
        /// The first such character.
        found: char,
    },
    /// The name starts or ends with a hyphen, or contains two in a row.
    NameHyphen {
        /// The name.
        name: Excerpt,
    },
    /// The name is reserved for a device on Windows.
    NameDevice {
        /// The name.
        name: Excerpt,
    },
    /// The description is empty or contains only white space.
    BlankDescription,
    /// The description is longer than 1024 characters.
    LongDescription {
        /// Number of Unicode scalar values.
        chars: usize,
    },
    /// The body is empty or contains only white space.
    BlankBody,
    /// The compatibility note is longer than 500 characters.
    LongCompatibility {
        /// Number of Unicode scalar values.
        chars: usize,
    },
    /// A text, an item of a list or a key is empty or contains only white space.
    Blank {
        /// The field, as it is called in `SKILL.md`.
        field: &'static str,
    },
    /// A key of `metadata` or `extra`, a name in `arguments`, or the path of a resource is
    /// repeated.
    Duplicate {
        /// The field, as it is called in `SKILL.md`.
        field: &'static str,
        /// The repeated value.
        value: Excerpt,
    },
    /// `maxTicks` is 0.
    NoTicks,
    /// The path of a resource is not valid.
    Resource {
        /// The path.
        path: Excerpt,
        /// The rule that it breaks.
        reason: ResourceError,
    },
}

crate::__error_debug!(DefinitionError {
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
});

impl DefinitionError {
    /// Appends the text of the error to `prefix`.
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
                .text(" cannot contain ")
                .character(*found)
                .text(": use a to z, 0 to 9 and single hyphens"),
            Self::NameHyphen { name } => prefix
                .text("the name ")
                .quoted(name)
                .text(" cannot start or end with a hyphen or contain two in a row"),
            Self::NameDevice { name } => {
                prefix.text("the name ").quoted(name).text(" is reserved for a device on Windows")
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
                prefix.text("blank text in `").text(field).text("`: remove it")
            }
            Self::Duplicate { field, value } => prefix
                .text("duplicate ")
                .quoted(value)
                .text(" in `")
                .text(field)
                .text("`: remove one"),
            Self::NoTicks => prefix.text("`maxTicks` is 0: the minimum is 1"),
            Self::Resource { path, reason } => {
                let (text, found) = reason.message_parts();
                let message =
                    prefix.text("invalid resource path ").quoted(path).text(": ").text(text);
                match found {
                    Some(c) => message.text(" ").character(c),
                    None => message,
                }
            }
        }
    }
}

const fn too_long(message: Message, chars: usize, most: usize) -> Message {
    message.text(" has ").number(chars).text(" characters, the maximum is ").number(most)
}

impl fmt::Display for DefinitionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message(Message::new("")).as_str())
    }
}

impl core::error::Error for DefinitionError {}
