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
    command: TemplatePart<'x>,
    parts: TemplateParts<'x>,
    shell: ShellReader,
    /// The number of values before this position.
    values: usize,
    /// The end of each assignment, until the command itself begins.
    assigning: Option<&'static str>,
    /// The text that follows the command.
    closing: &'x str,
}

impl<'x> InCommand<'x> {
    fn new(command: TemplatePart<'x>, is_for_shell: bool) -> Self {
        let is_one_line = !is_for_shell && command.kind() == PartKind::Command(CommandForm::Inline);
        Self {
            command,
            parts: command.parts(),
            shell: ShellReader::new(command.command().unwrap_or_default()),
            values: 0,
            assigning: Some(if is_one_line { "'; " } else { "'\n" }),
            closing: "",
        }
    }

    /// Returns what the next part of the command becomes, or `None` at its end: a value and the
    /// text after it. The command is read twice: for the assignments, then for the text.
    fn next(&mut self, bound: &'x Bound<'x>) -> Option<(Inserted<'x>, &'x str)> {
        let Some(part) = self.parts.next() else {
            self.assigning?;
            *self =
                Self { assigning: None, closing: self.closing, ..Self::new(self.command, true) };
            return Some((Inserted::NOTHING, ""));
        };
        let (usage, literal) = value_use(bound, &part, &self.shell);
        match usage {
            ValueUse::Nothing | ValueUse::Verbatim(_) => {}
            ValueUse::Refused(_) => {
                self.shell.read(part.source());
                let shown = if self.assigning.is_none() { part.source() } else { "" };
                return Some((Inserted::NOTHING, shown));
            }
            ValueUse::Referenced(..) => self.values += 1,
        }
        if !matches!(usage, ValueUse::Nothing) {
            self.shell.skip_value();
        }
        self.shell.read(literal);
        Some(match (usage, self.assigning) {
            (ValueUse::Referenced(value, _), Some(close)) => {
                (Inserted::assigned(value, self.values, close), "")
            }
            (ValueUse::Referenced(_, context), None) => {
                (Inserted::reference(self.values, context), literal)
            }
            (_, Some(_)) => (Inserted::NOTHING, ""),
            (ValueUse::Verbatim(value), None) => (Inserted::plain(value), literal),
            (_, None) => (Inserted::NOTHING, literal),
        })
    }
}

/// How a command uses the value of a part.
enum ValueUse<'x> {
    /// There is no value, or it is all of no arguments: the texts around it are adjacent.
    Nothing,
    /// The value has no meaning to a shell, and is inserted.
    Verbatim(ValuePieces<'x>),
    /// The value is assigned to a variable, and referenced in this context.
    Referenced(ValuePieces<'x>, QuoteContext),
    /// The value cannot be used in this context.
    Refused(&'static str),
}

/// Returns how a command uses the value of a part, and the literal text after the value.
///
/// A `${…}` with an absolute path of plain characters is the same text in every context, so it is
/// inserted, also into a here-document. Arguments are not: they could be the line that ends it.
fn value_use<'x>(
    bound: &'x Bound<'x>,
    part: &TemplatePart<'x>,
    shell: &ShellReader,
) -> (ValueUse<'x>, &'x str) {
    let PartText { value, is_all, literal } = bound.text(part);
    let is_variable = matches!(part.kind(), PartKind::Variable(_));
    let usage = match value {
        None => ValueUse::Nothing,
        Some(value) if bound.filled.quote == Quote::Raw => ValueUse::Verbatim(value),
        Some(value) if is_variable && value.is_plain_path() => ValueUse::Verbatim(value),
        Some(value) => match shell.quote_context() {
            Err(context) => ValueUse::Refused(context),
            Ok(_) if is_all && value.clone().next().is_none() => ValueUse::Nothing,
            Ok(context) => ValueUse::Referenced(value, context),
        },
    };
    (usage, literal)
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
        Self {
            parts,
            command: Some(InCommand::new(*command, true)),
            is_for_shell: true,
            ..Self::new(bound)
        }
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
            match command.next(self.bound) {
                Some(next) => (self.value, self.literal) = next,
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
                self.command = Some(InCommand { closing, ..InCommand::new(part, false) });
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

/// Returns the first part of a command whose value is refused, and the context of that part.
pub(super) fn refused<'a>(
    bound: &Bound<'a>,
    command: &TemplatePart<'a>,
) -> Option<(TemplatePart<'a>, &'static str)> {
    let mut shell = ShellReader::new(command.command().unwrap_or_default());
    command.parts().find_map(|part| {
        let (usage, literal) = value_use(bound, &part, &shell);
        match usage {
            ValueUse::Refused(context) => return Some((part, context)),
            ValueUse::Nothing => {}
            ValueUse::Verbatim(_) | ValueUse::Referenced(..) => shell.skip_value(),
        }
        shell.read(literal);
        None
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
