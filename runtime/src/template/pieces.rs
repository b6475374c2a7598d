//! A filled template, piece after piece.

use super::{
    CommandForm, PartKind, Quote, TemplatePart, TemplateParts,
    bound::{Bound, Text},
    shell::Shell,
    source::Inserted,
};
use crate::piece::Piece;
use core::slice;

/// The text of a filled template in pieces that are borrowed from where they lie. A copy of it reads ahead.
#[derive(Clone, Debug)]
pub(super) struct Pieces<'x> {
    bound: &'x Bound<'x>,
    parts: TemplateParts<'x>,
    command: Option<InCommand<'x>>,
    value: Inserted<'x>,
    /// The text after the value.
    literal: &'x str,
    outputs: Option<slice::Iter<'x, &'x str>>,
    /// Whether the arguments are still to follow.
    falls_back: bool,
}

/// Where in a command we are.
#[derive(Clone, Debug)]
struct InCommand<'x> {
    parts: TemplateParts<'x>,
    shell: Shell,
    /// What comes after it.
    closing: &'x str,
}

impl<'x> Pieces<'x> {
    /// Those of the whole text.
    pub(super) fn of(bound: &'x Bound<'x>) -> Self {
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
        }
    }

    /// Those of one command, as a shell gets it.
    pub(super) fn of_command(bound: &'x Bound<'x>, command: &TemplatePart<'x>) -> Self {
        let parts = TemplateParts::new("", 0, bound.syntax);
        let command = Some(InCommand { parts: command.parts(), shell: Shell::new(), closing: "" });
        Self { parts, command, ..Self::new(bound) }
    }

    /// Goes on with the next part; false if there is none.
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
                    Some(InCommand { parts: part.parts(), shell: Shell::new(), closing });
                self.literal = opening;
            }
            _ => {
                let Text { value, literal, .. } = self.bound.text(&part);
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
                return Some(Piece::Text(core::mem::take(&mut self.literal)));
            }
            if !self.advance() {
                return None;
            }
        }
    }
}

/// What a part of a command becomes: its value in quotes, and the text after it. Where quotes would not hold, it stays.
fn in_command<'x>(
    bound: &'x Bound<'x>,
    part: &TemplatePart<'x>,
    shell: &mut Shell,
) -> (Inserted<'x>, &'x str) {
    let Text { value, is_all, literal } = bound.text(part);
    let Some(value) = value else {
        shell.read(literal);
        return (Inserted::NOTHING, literal);
    };
    if bound.filled.quote == Quote::Raw {
        return (Inserted::plain(value), literal);
    }
    let Ok(place) = shell.place() else {
        shell.read(part.source());
        return (Inserted::NOTHING, part.source());
    };
    // Without arguments there is no word, and not an empty one: what comes next touches what came before.
    let is_nothing = is_all && value.clone().next().is_none();
    if !is_nothing {
        shell.skip_value();
    }
    shell.read(literal);
    let value = if is_nothing { Inserted::NOTHING } else { Inserted::quoted(value, place) };
    (value, literal)
}

/// The first value of a command that cannot be put where it is asked for, and why.
pub(super) fn unquotable<'a>(
    bound: &Bound<'a>,
    command: &TemplatePart<'a>,
) -> Option<(TemplatePart<'a>, &'static str)> {
    let mut shell = Shell::new();
    command.parts().find_map(|part| {
        let has_value = bound.text(&part).value.is_some();
        let why = shell.place().err().filter(|_| has_value);
        in_command(bound, &part, &mut shell);
        why.map(|why| (part, why))
    })
}

/// An inline command stands in a line, and its output ends none.
fn trimmed(output: &str, form: CommandForm) -> &str {
    match form {
        CommandForm::Inline => match output.strip_suffix('\n') {
            Some(line) => line.strip_suffix('\r').unwrap_or(line),
            None => output,
        },
        CommandForm::Block => output,
    }
}
