//! The text of a filled template, and of its commands.

use super::{
    CommandForm, FilledTemplate, MAX_FILLED_BYTES, PartKind, TemplatePart,
    bound::{Bound, PartText},
    shell::{Quotes, ShellReader},
};
use crate::{
    Neutral,
    escape::neutral,
    render::{Render, SizeLimit, rendered},
};
use alloc::{borrow::Cow, collections::BTreeMap, format, string::String, vec::Vec};
use core::fmt::{self, Write};

/// The start of the names of shell variables that have values.
const VARIABLE: &str = "SKILL_VALUE_";

impl FilledTemplate<'_> {
    /// Returns whether the text, with its commands as written, exceeds [`MAX_FILLED_BYTES`].
    ///
    /// Writes nothing, and stops counting at the limit.
    #[must_use]
    pub fn is_too_long(&self) -> bool {
        Self { outputs: None, ..*self }.render(&mut SizeLimit(MAX_FILLED_BYTES)).is_err()
    }
}

impl Render for FilledTemplate<'_> {
    fn render(&self, out: &mut dyn Write) -> fmt::Result {
        if self.arguments.is_empty() && self.template.parts().all(|part| part.is_text()) {
            return Neutral(self.template.body).render(out);
        }
        let bound = Bound::new(*self);
        let pieces = whole(&bound);
        neutral(&pieces.iter().map(|piece| &**piece).collect::<Vec<_>>(), out)
    }
}

rendered!(FilledTemplate);

/// Returns the whole text in pieces, which are borrowed from body and values.
fn whole<'x>(bound: &'x Bound<'x>) -> Vec<Cow<'x, str>> {
    let mut pieces: Vec<Cow<'x, str>> = Vec::new();
    let mut outputs = bound.filled.outputs.map(<[_]>::iter);
    for part in bound.filled.template.parts() {
        match (part.kind(), &mut outputs) {
            (PartKind::Command(form), Some(outputs)) => {
                let output = outputs.next().copied().unwrap_or_default();
                let is_trimmed = bound.syntax.trims_output;
                pieces.push(if is_trimmed { trimmed(output, form) } else { output }.into());
            }
            (PartKind::Command(form), None) => {
                let (opening, closing) = part.fences();
                let end = if form == CommandForm::Inline { "; " } else { "\n" };
                let command = CommandText::new(bound, &part, end);
                pieces.extend([opening.into(), command.assignments.into()]);
                pieces.extend(command.pieces);
                pieces.push(closing.into());
            }
            _ => {
                let PartText { value, literal, .. } = bound.text(&part);
                pieces.extend(value);
                pieces.push(literal.into());
            }
        }
    }
    if bound.falls_back() {
        pieces.extend(["\n\nARGUMENTS: ".into(), bound.all().into()]);
    }
    pieces
}

/// Returns a command as a shell gets it. A value that is refused stays a placeholder.
pub(super) fn for_shell<'x>(bound: &'x Bound<'x>, command: &TemplatePart<'x>) -> String {
    let command = CommandText::new(bound, command, "\n");
    command.pieces.iter().fold(command.assignments, |text, piece| match piece {
        // A shell would read a carriage return as a part of the last word.
        Cow::Borrowed(literal) => text + &literal.replace("\r\n", "\n"),
        Cow::Owned(value) => text + value,
    })
}

/// Returns the first part of a command whose value is refused, and the place.
pub(super) fn refused<'x>(
    bound: &'x Bound<'x>,
    command: &TemplatePart<'x>,
) -> Option<(TemplatePart<'x>, &'static str)> {
    let mut shell = ShellReader::new(command.command().unwrap_or_default());
    command.parts().find_map(|part| match value_use(bound, &part, &mut shell) {
        ValueUse::Refused(place) => Some((part, place)),
        _ => None,
    })
}

/// What a part of a command becomes.
enum ValueUse<'x> {
    /// Literal text.
    Nothing(&'x str),
    /// A value that is inserted as it is, and literal text.
    Verbatim(Cow<'x, str>, &'x str),
    /// A value that is assigned to a variable, the quotes around it, and literal text.
    Referenced(Cow<'x, str>, Quotes, &'x str),
    /// A value that cannot be used in this place.
    Refused(&'static str),
}

/// Returns what a part of a command becomes, and moves the reader behind it.
fn value_use<'x>(
    bound: &'x Bound<'x>,
    part: &TemplatePart<'x>,
    shell: &mut ShellReader,
) -> ValueUse<'x> {
    let PartText { value, is_all, literal } = bound.text(part);
    let is_verbatim = |value: &str| {
        bound.filled.is_unquoted
            || (matches!(part.kind(), PartKind::Variable(_)) && is_plain_path(value))
    };
    let usage = match value {
        None => ValueUse::Nothing(literal),
        Some(value) if is_verbatim(&value) => ValueUse::Verbatim(value, literal),
        Some(value) => match shell.quotes() {
            Err(place) => {
                shell.read(part.source());
                return ValueUse::Refused(place);
            }
            // Without arguments there is no word: the texts around it are adjacent.
            Ok(_) if is_all && value.is_empty() => ValueUse::Nothing(literal),
            Ok(quotes) => ValueUse::Referenced(value, quotes, literal),
        },
    };
    if !matches!(usage, ValueUse::Nothing(_)) {
        shell.skip_value();
    }
    shell.read(literal);
    usage
}

/// A command with its values.
struct CommandText<'x> {
    /// The assignment of each value to a shell variable.
    assignments: String,
    /// The command: borrowed pieces are its own text, owned ones stand for values.
    pieces: Vec<Cow<'x, str>>,
}

impl<'x> CommandText<'x> {
    /// Each assignment ends with `end`.
    fn new(bound: &'x Bound<'x>, command: &TemplatePart<'x>, end: &str) -> Self {
        let mut text = Self { assignments: String::new(), pieces: Vec::new() };
        let mut shell = ShellReader::new(command.command().unwrap_or_default());
        let mut numbers = BTreeMap::new();
        for part in command.parts() {
            let (inserted, literal) = match value_use(bound, &part, &mut shell) {
                ValueUse::Nothing(literal) => (None, literal),
                ValueUse::Refused(_) => (None, part.source()),
                ValueUse::Verbatim(value, literal) => (Some(value.into_owned()), literal),
                ValueUse::Referenced(value, quotes, literal) => {
                    let next = numbers.len() + 1;
                    let quoted = || value.replace('\'', "'\\''");
                    let number = *numbers.entry(value.clone()).or_insert_with(|| {
                        text.assignments += &format!("{VARIABLE}{next}='{}'{end}", quoted());
                        next
                    });
                    (Some(reference(number, quotes)), literal)
                }
            };
            text.pieces.extend(inserted.map(Cow::Owned));
            text.pieces.push(literal.into());
        }
        text
    }
}

/// Returns a reference to a variable, as one word between `quotes`.
fn reference(number: usize, quotes: Quotes) -> String {
    match quotes {
        Quotes::None | Quotes::Comment => format!("\"${{{VARIABLE}{number}}}\""),
        Quotes::Double => format!("${{{VARIABLE}{number}}}"),
        Quotes::Single => format!("'\"${{{VARIABLE}{number}}}\"'"),
    }
}

/// Returns whether this is an absolute path of characters that have no meaning to a shell.
///
/// The value of a `${…}` that is such a path is inserted as it is, also into a here-document.
/// Arguments are not: they could be the line that ends it.
fn is_plain_path(value: &str) -> bool {
    value.starts_with('/')
        && value
            .chars()
            .all(|c| matches!(c, 'a'..='z' | 'A'..='Z' | '0'..='9' | '/' | '.' | '_' | '-'))
}

/// Removes the final line end of an inline command's output, because the command is within a line.
fn trimmed(output: &str, form: CommandForm) -> &str {
    match form {
        CommandForm::Inline => match output.strip_suffix('\n') {
            Some(line) => line.strip_suffix('\r').unwrap_or(line),
            None => output,
        },
        CommandForm::Block => output,
    }
}
