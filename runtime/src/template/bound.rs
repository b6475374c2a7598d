//! Templates with their values: the text that each part becomes.

use super::{
    FilledTemplate, PartKind, TemplatePart, TemplateParts,
    syntax::{MissingName, Syntax},
    values::ArgumentValues,
};
use alloc::borrow::Cow;

/// Maximum number of declared names that are used, because each is compared with every `$word` of
/// the body.
const MAX_NAMES: usize = 64;

/// Maximum length in bytes of a name that is used.
const MAX_NAME_BYTES: usize = 64;

/// A template, the values to fill it with, and its syntax.
#[derive(Debug)]
pub(super) struct Bound<'a> {
    pub(super) filled: FilledTemplate<'a>,
    pub(super) syntax: Syntax,
    values: ArgumentValues<'a>,
}

/// The text of a part: a value, and literal text after it.
#[derive(Debug)]
pub(super) struct PartText<'x> {
    pub(super) value: Option<Cow<'x, str>>,
    /// Whether the value is all arguments.
    pub(super) is_all: bool,
    pub(super) literal: &'x str,
}

impl<'x> PartText<'x> {
    const fn literal(literal: &'x str) -> Self {
        Self { value: None, is_all: false, literal }
    }

    fn value(value: impl Into<Cow<'x, str>>, literal: &'x str) -> Self {
        Self { value: Some(value.into()), is_all: false, literal }
    }
}

impl<'a> Bound<'a> {
    pub(super) fn new(filled: FilledTemplate<'a>) -> Self {
        let syntax = filled.template.syntax();
        Self { filled, syntax, values: ArgumentValues::new(filled.arguments, syntax) }
    }

    /// Returns whether the arguments follow the body because nothing in it uses them. Parses the
    /// whole body.
    pub(super) fn falls_back(&self) -> bool {
        self.values.are_given() && !uses_arguments(self.filled.template.parts(), self.syntax)
    }

    /// Returns all arguments, as a text after the body.
    pub(super) fn all(&self) -> &str {
        self.values.all()
    }

    /// Returns the text of a part that is not a command.
    pub(super) fn text<'x>(&'x self, part: &TemplatePart<'x>) -> PartText<'x> {
        let source = part.source();
        let names = self.filled.template.names;
        match part.kind() {
            PartKind::Name(run) => self.name(run, source, part.is_escaped()),
            PartKind::Arguments | PartKind::Index(_) if part.is_escaped() => {
                PartText::literal(&source[1..])
            }
            PartKind::Arguments => {
                PartText { is_all: true, ..PartText::value(self.values.all(), "") }
            }
            PartKind::Index(index) => match self.values.nth(index, names) {
                Some(value) => PartText::value(value, ""),
                None => match source
                    .strip_prefix("$ARGUMENTS")
                    .filter(|_| self.syntax.missing_index_is_all)
                {
                    Some(rest) => {
                        PartText { is_all: true, ..PartText::value(self.values.all(), rest) }
                    }
                    None => PartText::literal(source),
                },
            },
            PartKind::Variable(name) => match self.filled.variable(name) {
                Some(value) => PartText::value(value, ""),
                None => PartText::literal(source),
            },
            PartKind::Text | PartKind::Command(_) => PartText::literal(source),
        }
    }

    /// Returns the text of `$` followed by the name characters `run`, which may start with a known
    /// name; the longest wins.
    fn name<'x>(&'x self, run: &'x str, source: &'x str, is_escaped: bool) -> PartText<'x> {
        let names = self.filled.template.names;
        for name in prefixes(run, self.syntax) {
            let rest = &run[name.len()..];
            let declared = names.iter().take(MAX_NAMES).position(|declared| declared == name);
            if declared.is_none() && !(self.syntax.keys_are_names && self.values.has_key(name)) {
                continue;
            }
            if is_escaped {
                return PartText::literal(&source[1..]);
            }
            return match (self.values.named(name, declared), self.syntax.missing_name) {
                (Some(value), _) => PartText::value(value, rest),
                (None, MissingName::Literal) => PartText::literal(source),
                (None, MissingName::EmptyIfGiven) if !self.values.are_given() => {
                    PartText::literal(source)
                }
                (None, MissingName::Empty | MissingName::EmptyIfGiven) => PartText::value("", rest),
            };
        }
        PartText::literal(source)
    }
}

/// Returns whether a part of the body or of a command uses the arguments, so that they need not
/// follow the body.
fn uses_arguments(mut parts: TemplateParts<'_>, syntax: Syntax) -> bool {
    parts.any(|part| match part.kind() {
        _ if part.is_escaped() => false,
        PartKind::Arguments => true,
        PartKind::Index(_) => syntax.index_is_use || part.source().starts_with("$A"),
        // Commands do not contain commands.
        PartKind::Command(_) => uses_arguments(part.parts(), syntax),
        PartKind::Text | PartKind::Name(_) | PartKind::Variable(_) => false,
    })
}

/// Returns the possible names at the start of the name characters `run`, longest first.
fn prefixes(run: &str, syntax: Syntax) -> impl Iterator<Item = &str> {
    let ends = move |end: &usize| {
        run.as_bytes().get(*end).is_none_or(|byte| *byte == b'-' && !syntax.greedy_names)
    };
    (1..=run.len().min(MAX_NAME_BYTES)).rev().filter(ends).map(|end| &run[..end])
}
