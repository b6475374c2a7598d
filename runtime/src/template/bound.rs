//! The binding of a template: its pieces, with the values of the arguments.

use super::{
    CommandForm, PartKind, Template, TemplatePart, TemplateParts,
    syntax::{MissingName, Syntax},
    values::{ArgumentValues, Value},
};
use crate::Texts;
use alloc::vec::Vec;

/// Maximum number of declared names that are used, because each is compared with every `$word` of
/// the body.
const MAX_NAMES: usize = 64;

/// Maximum length in bytes of a name that is used.
const MAX_NAME_BYTES: usize = 64;

/// A piece of a body or of a command.
#[derive(Clone, Copy, Debug)]
pub(super) enum Piece<'a> {
    Text(&'a str),
    Value(Value),
    /// `${NAME}`, as written.
    Variable(&'a str),
    /// The command at this index of the template's commands.
    Command(usize),
}

/// A command as written in the body.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Command<'a> {
    /// The byte offset of the command in the body.
    pub at: usize,
    /// How the command is written.
    pub form: CommandForm,
    /// The command without its delimiters.
    pub source: &'a str,
    /// The delimiters before and after it.
    pub(super) fences: (&'a str, &'a str),
    pub(super) pieces: Vec<Piece<'a>>,
}

impl<'a> Command<'a> {
    /// Returns the name of each `${VARIABLE}` of the command.
    pub fn variables(&self) -> impl Iterator<Item = &'a str> {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Variable(source) => Some(variable_name(source)),
            _ => None,
        })
    }
}

/// Returns the name in a `${NAME}`.
pub(super) fn variable_name(source: &str) -> &str {
    &source[2..source.len() - 1]
}

/// Binds the parts of a template to the arguments.
pub(super) struct Binder<'a, 'v> {
    syntax: Syntax,
    names: Texts<'a>,
    values: &'v ArgumentValues<'a>,
    pub(super) commands: Vec<Command<'a>>,
    /// Whether a part of the body or of a command uses the arguments, so that they need not follow
    /// the body.
    pub(super) uses_arguments: bool,
}

impl<'a, 'v> Binder<'a, 'v> {
    pub(super) const fn new(template: &Template<'a>, values: &'v ArgumentValues<'a>) -> Self {
        let (syntax, names) = (template.syntax(), template.names);
        Self { syntax, names, values, commands: Vec::new(), uses_arguments: false }
    }

    /// Returns the pieces of a body or of a command.
    pub(super) fn bind(&mut self, parts: TemplateParts<'a>) -> Vec<Piece<'a>> {
        let mut pieces = Vec::new();
        for part in parts {
            self.uses_arguments |= match part.kind() {
                PartKind::Arguments => !part.is_escaped(),
                PartKind::Index(_) if self.syntax.index_is_use => !part.is_escaped(),
                PartKind::Index(_) => part.source().starts_with("$A"),
                _ => false,
            };
            if let PartKind::Command(form) = part.kind() {
                let (source, inner) = (part.command().unwrap_or_default(), self.bind(part.parts()));
                let (at, fences) = (part.at(), part.fences());
                pieces.push(Piece::Command(self.commands.len()));
                self.commands.push(Command { at, form, source, fences, pieces: inner });
                continue;
            }
            let (piece, literal) = self.piece(&part);
            pieces.extend(piece);
            if !literal.is_empty() {
                pieces.push(Piece::Text(literal));
            }
        }
        pieces
    }

    /// Returns what a part becomes, and the literal text after it.
    fn piece(&self, part: &TemplatePart<'a>) -> (Option<Piece<'a>>, &'a str) {
        let source = part.source();
        let value = |value| Some(Piece::Value(value));
        match part.kind() {
            PartKind::Name(run) => self.name(run, source, part.is_escaped()),
            PartKind::Arguments | PartKind::Index(_) if part.is_escaped() => (None, &source[1..]),
            PartKind::Arguments => (value(Value::All), ""),
            PartKind::Index(index) => match self.values.nth(index, self.names) {
                Some(nth) => (value(nth), ""),
                None => match source.strip_prefix("$ARGUMENTS") {
                    Some(rest) if self.syntax.missing_index_is_all => (value(Value::All), rest),
                    _ => (None, source),
                },
            },
            PartKind::Variable(_) => (Some(Piece::Variable(source)), ""),
            PartKind::Text | PartKind::Command(_) => (None, source),
        }
    }

    /// Returns what `$` followed by the name characters `run` becomes. They may start with a known
    /// name; the longest wins.
    fn name(
        &self,
        run: &'a str,
        source: &'a str,
        is_escaped: bool,
    ) -> (Option<Piece<'a>>, &'a str) {
        for name in prefixes(run, self.syntax) {
            let declared = self.names.iter().take(MAX_NAMES).position(|declared| declared == name);
            if declared.is_none() && !(self.syntax.keys_are_names && self.values.has_key(name)) {
                continue;
            }
            if is_escaped {
                return (None, &source[1..]);
            }
            let value = match (self.values.named(name, declared), self.syntax.missing_name) {
                (Some(value), _) => value,
                (None, MissingName::Empty) => Value::Empty,
                (None, MissingName::EmptyIfGiven) if self.values.are_given() => Value::Empty,
                (None, MissingName::EmptyIfGiven | MissingName::Literal) => break,
            };
            return (Some(Piece::Value(value)), &run[name.len()..]);
        }
        (None, source)
    }
}

/// Returns the possible names at the start of the name characters `run`, longest first.
fn prefixes(run: &str, syntax: Syntax) -> impl Iterator<Item = &str> {
    let ends = move |end: &usize| {
        run.as_bytes().get(*end).is_none_or(|byte| *byte == b'-' && !syntax.greedy_names)
    };
    (1..=run.len().min(MAX_NAME_BYTES)).rev().filter(ends).map(|end| &run[..end])
}
