//! The text of a filled template, in pieces.

use super::{
    CommandForm, PartKind, Quote, TemplatePart, TemplateParts,
    bound::{Bound, PartText},
    inserted::{Inserted, ValuePieces},
    shell::{QuoteContext, ShellReader},
};
use crate::piece::Piece;
use core::slice;

/// An iterator over the pieces of a filled template, borrowed from body and values. Cloning it
/// allows reading ahead, so that tags are recognized across pieces.
#[derive(Clone, Debug)]
pub(super) struct Pieces<'x> {
    bound: &'x Bound<'x>,
    parts: TemplateParts<'x>,
    command: Option<InCommand<'x>>,
    value: Inserted<'x>,
    /// The text that follows the value.
    literal: &'x str,
    outputs: Option<slice::Iter<'x, &'x str>>,
    /// Whether the arguments still have to follow the body.
    falls_back: bool,
    /// Whether the text is for a shell, which would read the carriage return of a line end as a
    /// part of the last word.
    is_for_shell: bool,
}

/// The position inside a command.
#[derive(Clone, Debug)]
struct InCommand<'x> {
    parts: TemplateParts<'x>,
    shell: ShellReader,
    /// The text that follows the command.
    closing: &'x str,
}

impl<'x> Pieces<'x> {
    /// Returns the pieces of the whole template.
    pub(super) fn whole(bound: &'x Bound<'x>) -> Self {
        Self { falls_back: bound.falls_back(), ..Self::new(bound) }
    }

    fn new(bound: &'x Bound<'x>) -> Self {
        Self {
            bound,
            parts: bound.filled.template.parts(),
            command: None,
            value: Inserted::NOTHING,
            literal: "",
            outputs: bound.filled.outputs.map(<[_]>::iter),
            falls_back: false,
            is_for_shell: false,
        }
    }

    /// Returns the pieces of one command, as a shell gets it.
    pub(super) fn command(bound: &'x Bound<'x>, command: &TemplatePart<'x>) -> Self {
        let parts = TemplateParts::new("", 0, bound.syntax);
        let command =
            Some(InCommand { parts: command.parts(), shell: ShellReader::new(), closing: "" });
        Self { parts, command, is_for_shell: true, ..Self::new(bound) }
    }

    /// Returns the text that follows the value; for a shell, up to the first carriage return of a
    /// line end, which it skips.
    fn take_literal(&mut self) -> &'x str {
        let text = core::mem::take(&mut self.literal);
        let mut pairs = text.as_bytes().windows(2);
        match pairs.position(|pair| self.is_for_shell && pair == b"\r\n") {
            Some(end) => {
                self.literal = &text[end + 1..];
                &text[..end]
            }
            None => text,
        }
    }

    /// Moves to the next part; `false` at the end.
    fn advance(&mut self) -> bool {
        if let Some(command) = &mut self.command {
            match command.parts.next() {
                Some(part) => {
                    (self.value, self.literal) = in_command(self.bound, &part, &mut command.shell)
                }
                None => {
                    self.literal = command.closing;
                    self.command = None;
                }
            }
            return true;
        }
        let Some(part) = self.parts.next() else {
            if core::mem::take(&mut self.falls_back) {
                (self.literal, self.value) =
                    ("", Inserted::after("\n\nARGUMENTS: ", self.bound.all()));
                return true;
            }
            return false;
        };
        match (part.kind(), &mut self.outputs) {
            (PartKind::Command(form), Some(outputs)) => {
                let output = outputs.next().copied().unwrap_or_default();
                self.literal =
                    if self.bound.syntax.trims_output { trimmed(output, form) } else { output };
            }
            (PartKind::Command(_), None) => {
                let (opening, closing) = part.fences();
                self.command =
                    Some(InCommand { parts: part.parts(), shell: ShellReader::new(), closing });
                self.literal = opening;
            }
            _ => {
                let PartText { value, literal, .. } = self.bound.text(&part);
                (self.value, self.literal) =
                    (value.map_or(Inserted::NOTHING, Inserted::plain), literal);
            }
        }
        true
    }
}

impl<'x> Iterator for Pieces<'x> {
    type Item = Piece<'x>;

    fn next(&mut self) -> Option<Piece<'x>> {
        loop {
            if let Some(piece) = self.value.next() {
                return Some(piece);
            }
            if !self.literal.is_empty() {
                return Some(Piece::Text(self.take_literal()));
            }
            if !self.advance() {
                return None;
            }
        }
    }
}

/// Returns the quoted value of a part of a command and the text after it, or the part as written if
/// its value cannot be quoted.
fn in_command<'x>(
    bound: &'x Bound<'x>,
    part: &TemplatePart<'x>,
    shell: &mut ShellReader,
) -> (Inserted<'x>, &'x str) {
    let PartText { value, is_all, literal } = bound.text(part);
    let Some(value) = value else {
        shell.read(literal);
        return (Inserted::NOTHING, literal);
    };
    if bound.filled.quote == Quote::Raw {
        return (Inserted::plain(value), literal);
    }
    let Ok(context) = quote_context(part, &value, shell) else {
        shell.read(part.source());
        return (Inserted::NOTHING, part.source());
    };
    // Without arguments, no word is inserted rather than an empty one: the text before and after it
    // is adjacent.
    let is_nothing = is_all && value.clone().next().is_none();
    if !is_nothing {
        shell.skip_value();
    }
    shell.read(literal);
    let value = if is_nothing { Inserted::NOTHING } else { Inserted::quoted(value, context) };
    (value, literal)
}

/// Returns how the value of a part is quoted, or why it cannot be.
///
/// A `${…}` with a plain path needs no quotes in a here-document. Arguments are refused there: they
/// could be the line that ends it.
fn quote_context(
    part: &TemplatePart<'_>,
    value: &ValuePieces<'_>,
    shell: &ShellReader,
) -> Result<QuoteContext, &'static str> {
    let is_variable = matches!(part.kind(), PartKind::Variable(_));
    match shell.quote_context() {
        Err(_) if is_variable && shell.takes_plain_path() && value.is_plain_path() => {
            Ok(QuoteContext::Verbatim)
        }
        context => context,
    }
}

/// Returns the first part of a command whose value cannot be quoted, and the context that prevents
/// it.
pub(super) fn unquotable<'a>(
    bound: &Bound<'a>,
    command: &TemplatePart<'a>,
) -> Option<(TemplatePart<'a>, &'static str)> {
    let mut shell = ShellReader::new();
    command.parts().find_map(|part| {
        let value = bound.text(&part).value;
        let why = value.and_then(|value| quote_context(&part, &value, &shell).err());
        in_command(bound, &part, &mut shell);
        why.map(|why| (part, why))
    })
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
