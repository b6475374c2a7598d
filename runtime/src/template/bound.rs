//! A template with what is known: which text each of its parts becomes.

use super::{
    FilledTemplate, PartKind, TemplatePart, TemplateParts,
    arguments::Values,
    source::Source,
    syntax::{MissingName, Syntax},
};

/// More names than this are not looked at: a body of many words would take long.
pub(super) const MAX_NAMES: usize = 64;

/// Longer names than this, in bytes, are none.
const MAX_NAME_BYTES: usize = 64;

/// A template, the values that it is filled with, and how.
#[derive(Clone, Debug)]
pub(super) struct Bound<'a> {
    pub(super) filled: FilledTemplate<'a>,
    pub(super) syntax: Syntax,
    values: Values<'a>,
}

/// What a part becomes: a value, and text of the template after it.
#[derive(Clone, Debug)]
pub(super) struct Text<'x> {
    pub(super) value: Option<Source<'x>>,
    /// Whether the value is that of all arguments.
    pub(super) is_all: bool,
    pub(super) literal: &'x str,
}

impl<'x> Text<'x> {
    const fn literal(literal: &'x str) -> Self {
        Self { value: None, is_all: false, literal }
    }

    const fn value(value: Source<'x>, literal: &'x str) -> Self {
        Self { value: Some(value), is_all: false, literal }
    }
}

impl<'a> Bound<'a> {
    pub(super) fn of(filled: FilledTemplate<'a>) -> Self {
        let syntax = filled.template.syntax();
        let mut values = Values::of(filled.arguments, syntax);
        values.bound(&filled.template);
        Self { filled, syntax, values }
    }

    /// Whether the arguments follow the text, because nothing in it takes them. The whole body is read for it.
    pub(super) fn falls_back(&self) -> bool {
        self.values.are_given() && !uses_arguments(self.filled.template.parts(), self.syntax)
    }

    /// All arguments, as a text after the body.
    pub(super) fn all(&self) -> Source<'_> {
        self.values.all()
    }

    /// What a part becomes that is no command.
    pub(super) fn text<'x>(&'x self, part: &TemplatePart<'x>) -> Text<'x> {
        let source = part.source();
        let names = self.filled.template.names;
        match part.kind() {
            PartKind::Name(run) => self.name(run, source, part.is_escaped()),
            PartKind::Arguments | PartKind::Index(_) if part.is_escaped() => {
                Text::literal(&source[1..])
            }
            PartKind::Arguments => Text { is_all: true, ..Text::value(self.values.all(), "") },
            PartKind::Index(index) => match self.values.nth(index, names) {
                Some(value) => Text::value(value, ""),
                None => match source
                    .strip_prefix("$ARGUMENTS")
                    .filter(|_| self.syntax.missing_index_is_all)
                {
                    Some(rest) => Text { is_all: true, ..Text::value(self.values.all(), rest) },
                    None => Text::literal(source),
                },
            },
            PartKind::Variable(name) => match self.filled.variables.get(name) {
                Some(value) => Text::value(value, ""),
                None => Text::literal(source),
            },
            PartKind::Text | PartKind::Command(_) => Text::literal(source),
        }
    }

    /// What `$` and a run of characters becomes that names are made of: the longest name at its start that is known.
    fn name<'x>(&'x self, run: &'x str, source: &'x str, is_escaped: bool) -> Text<'x> {
        let names = self.filled.template.counted_names();
        for name in prefixes(run, self.syntax) {
            let rest = &run[name.len()..];
            let declared = names.iter().position(|declared| *declared == name);
            if declared.is_none() && !(self.syntax.keys_are_names && self.values.has_key(name)) {
                continue;
            }
            if is_escaped {
                return Text::literal(&source[1..]);
            }
            return match (self.values.named(name, declared), self.syntax.missing_name) {
                (Some(value), _) => Text::value(value, rest),
                (None, MissingName::Literal) => Text::literal(source),
                (None, MissingName::EmptyIfGiven) if !self.values.are_given() => {
                    Text::literal(source)
                }
                (None, MissingName::Empty | MissingName::EmptyIfGiven) => {
                    Text::value(Source::EMPTY, rest)
                }
            };
        }
        Text::literal(source)
    }
}

/// Whether something in a body, or in a command, takes the arguments, so that they need not follow the text.
fn uses_arguments(mut parts: TemplateParts<'_>, syntax: Syntax) -> bool {
    parts.any(|part| match part.kind() {
        _ if part.is_escaped() => false,
        PartKind::Arguments => true,
        PartKind::Index(_) => syntax.index_is_use || part.source().starts_with("$A"),
        // There is no command in a command.
        PartKind::Command(_) => uses_arguments(part.parts(), syntax),
        PartKind::Text | PartKind::Name(_) | PartKind::Variable(_) => false,
    })
}

/// What a name can be at the start of characters that names are made of, the longest first.
pub(super) fn prefixes(run: &str, syntax: Syntax) -> impl Iterator<Item = &str> {
    let ends = move |end: &usize| {
        run.as_bytes().get(*end).is_none_or(|byte| *byte == b'-' && !syntax.greedy_names)
    };
    (1..=run.len().min(MAX_NAME_BYTES)).rev().filter(ends).map(|end| &run[..end])
}
