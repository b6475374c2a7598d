//! The parser of bodies: text, placeholders, variables and commands.

use super::{syntax::Syntax, tokens::is_space};

/// A part of a body, with its offset. The sources of all parts concatenated are the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TemplatePart<'a> {
    at: usize,
    source: &'a str,
    kind: PartKind<'a>,
    escaped: bool,
    /// For a command: the body up to the end of the command, and the offset of the command.
    command: (&'a str, usize),
    syntax: Syntax,
}

/// What a part of a body is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PartKind<'a> {
    /// Literal text.
    Text,
    /// `$ARGUMENTS`: all arguments.
    Arguments,
    /// `$0` or `$ARGUMENTS[0]`: one argument, counted from 0.
    Index(usize),
    /// `$word`: an argument if the word, or its start up to a hyphen, is a declared name or a key
    /// of the arguments. Text otherwise, because most such words are shell variables.
    Name(&'a str),
    /// `${WORD}`: a variable. Text if the host has no value for it.
    Variable(&'a str),
    /// A command whose output replaces it.
    Command(CommandForm),
}

/// How a command is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CommandForm {
    /// `` !`date` ``, at the start of a line or after white space.
    Inline,
    /// The lines between ` ```! ` and ` ``` `.
    Block,
}

impl<'a> TemplatePart<'a> {
    /// Returns the byte offset of the part in the body.
    #[must_use]
    pub const fn at(&self) -> usize {
        self.at
    }

    /// Returns the part as written.
    #[must_use]
    pub const fn source(&self) -> &'a str {
        self.source
    }

    /// Returns what the part is.
    #[must_use]
    pub const fn kind(&self) -> PartKind<'a> {
        self.kind
    }

    pub(super) const fn is_text(&self) -> bool {
        matches!(self.kind, PartKind::Text)
    }

    /// Returns whether a backslash before the part makes it text.
    #[must_use]
    pub const fn is_escaped(&self) -> bool {
        self.escaped
    }

    /// Returns the command without its delimiters; `None` for other parts.
    #[must_use]
    pub fn command(&self) -> Option<&'a str> {
        matches!(self.kind, PartKind::Command(_)).then(|| &self.command.0[self.command.1..])
    }

    /// Returns the parts of a command, none of which are commands; empty for other parts.
    pub const fn parts(&self) -> TemplateParts<'a> {
        let (text, at) = self.command;
        TemplateParts { commands: false, ..TemplateParts::new(text, at, self.syntax) }
    }

    /// Returns the delimiters before and after a command.
    pub(super) fn fences(&self) -> (&'a str, &'a str) {
        let start = self.command.1 - self.at;
        let end = self.command.0.len() - self.at;
        (&self.source[..start], &self.source[end..])
    }
}

/// An iterator over the parts of a body, or of a command in it. It parses each part when it is
/// requested.
#[derive(Clone, Debug)]
#[must_use]
pub struct TemplateParts<'a> {
    text: &'a str,
    at: usize,
    /// The next part, after a text before it.
    ahead: Option<TemplatePart<'a>>,
    commands: bool,
    /// Whether the remaining text has no closing fence, so that the search is not repeated.
    unclosed: bool,
    syntax: Syntax,
}

impl<'a> TemplateParts<'a> {
    pub(super) const fn new(text: &'a str, at: usize, syntax: Syntax) -> Self {
        Self { text, at, ahead: None, commands: true, unclosed: false, syntax }
    }

    const fn part(&self, at: usize, source: &'a str, kind: PartKind<'a>) -> TemplatePart<'a> {
        TemplatePart { at, source, kind, escaped: false, command: ("", 0), syntax: self.syntax }
    }

    /// Parses the part at `at` if it is not text. An escaped part starts with its backslash, which
    /// is not before `least`.
    fn special(&mut self, at: usize, least: usize) -> Option<TemplatePart<'a>> {
        match self.text.as_bytes()[at] {
            b'$' => {
                let (end, kind) = self.placeholder(at)?;
                let part = self.part(at, &self.text[at..end], kind);
                let backslashes = self.text.as_bytes()[least..at]
                    .iter()
                    .rev()
                    .take_while(|b| **b == b'\\')
                    .count();
                if self.syntax.escapes
                    && backslashes % 2 == 1
                    && !matches!(kind, PartKind::Variable(_))
                {
                    let source = &self.text[at - 1..end];
                    return Some(TemplatePart { at: at - 1, source, escaped: true, ..part });
                }
                Some(part)
            }
            b'!' => self.inline(at),
            _ => self.block(at),
        }
    }

    /// Parses the placeholder or variable that starts with the `$` at `at`; returns its end and
    /// kind.
    fn placeholder(&self, at: usize) -> Option<(usize, PartKind<'a>)> {
        let name = at + 1;
        if self.byte(name) == b'{' {
            let end =
                self.run(name + 1, |b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_');
            let is_name = end > name + 1 && !self.byte(name + 1).is_ascii_digit();
            return (is_name && self.byte(end) == b'}')
                .then(|| (end + 1, PartKind::Variable(&self.text[name + 1..end])));
        }
        let all = name + "ARGUMENTS".len();
        if self.has(name, "ARGUMENTS") && !is_word(self.byte(all)) {
            let end = self.run(all + 1, is_digit);
            let index = if self.byte(all) == b'[' && self.byte(end) == b']' {
                self.index(all + 1, end)
            } else {
                None
            };
            return Some(
                index.map_or((all, PartKind::Arguments), |index| (end + 1, PartKind::Index(index))),
            );
        }
        match self.byte(name) {
            b'0'..=b'9' => {
                let end = self.run(name, is_digit);
                let index = self.index(name, end).filter(|_| !is_word(self.byte(end)))?;
                Some((end, PartKind::Index(index)))
            }
            first if is_word(first) => {
                let end = self.run(name, |b| is_word(b) || b == b'-');
                Some((end, PartKind::Name(&self.text[name..end])))
            }
            _ => None,
        }
    }

    /// Parses an index. Values beyond `usize` saturate.
    fn index(&self, start: usize, end: usize) -> Option<usize> {
        let digits = &self.text.as_bytes()[start..end];
        let is_index = digits.len() == 1
            || (digits.len() > 1 && (digits[0] != b'0' || self.syntax.leading_zeros));
        let value = |index: usize, digit: &u8| {
            index.saturating_mul(10).saturating_add(usize::from(*digit - b'0'))
        };
        is_index.then(|| digits.iter().fold(0, value))
    }

    /// Parses a command in backticks.
    fn inline(&self, at: usize) -> Option<TemplatePart<'a>> {
        let start = at + "!`".len();
        if !self.has(at, "!`") || self.text[..at].chars().next_back().is_some_and(|c| !is_space(c))
        {
            return None;
        }
        let end = self.run(start, |b| b != b'`' && b != b'\n');
        (end > start && self.byte(end) == b'`')
            .then(|| self.command(CommandForm::Inline, at, start, end, end + 1))
    }

    /// Parses a command between fences.
    fn block(&mut self, at: usize) -> Option<TemplatePart<'a>> {
        if self.unclosed || !self.has(at, "```!") || (at > 0 && self.byte(at - 1) != b'\n') {
            return None;
        }
        let opening = self.run(at + "```!".len(), is_blank);
        if self.byte(opening) != b'\n' {
            return None;
        }
        let (start, exact) = (opening + 1, self.syntax.exact_fences);
        let mut line = start;
        let mut closing = loop {
            let after = line + "```".len();
            let end = self.run(after, if exact { |b| b == b'\r' } else { is_blank });
            let ends = end == self.text.len() || self.byte(end) == b'\n';
            if ends && self.has(line, "```") && !(exact && end > after + 1) {
                break end;
            }
            line = self.run(line, |b| b != b'\n') + 1;
            if line >= self.text.len() {
                self.unclosed = true;
                return None;
            }
        };
        if line == start {
            return None;
        }
        let mut end = line - 1;
        if end > start && self.byte(end - 1) == b'\r' {
            end -= 1;
        }
        while self.byte(closing - 1) == b'\r' {
            closing -= 1;
        }
        Some(self.command(CommandForm::Block, at, start, end, closing))
    }

    /// Returns the byte at an offset, or 0 after the end, which is not syntax.
    fn byte(&self, at: usize) -> u8 {
        self.text.as_bytes().get(at).copied().unwrap_or(0)
    }

    /// Returns whether `text` is at an offset.
    #[inline(never)]
    fn has(&self, at: usize, text: &str) -> bool {
        self.text.as_bytes().get(at..).is_some_and(|rest| rest.starts_with(text.as_bytes()))
    }

    /// Returns the end of the run of bytes from `from` for which `is` is true.
    #[inline(never)]
    fn run(&self, from: usize, is: fn(u8) -> bool) -> usize {
        let rest = self.text.as_bytes().get(from..).unwrap_or_default();
        from + rest.iter().position(|byte| !is(*byte)).unwrap_or(rest.len())
    }

    fn command(
        &self,
        form: CommandForm,
        at: usize,
        start: usize,
        end: usize,
        closing: usize,
    ) -> TemplatePart<'a> {
        let part = self.part(at, &self.text[at..closing], PartKind::Command(form));
        TemplatePart { command: (&self.text[..end], start), ..part }
    }
}

const fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

const fn is_digit(byte: u8) -> bool {
    byte.is_ascii_digit()
}

/// Returns whether a byte may follow a fence.
const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r')
}

impl<'a> Iterator for TemplateParts<'a> {
    type Item = TemplatePart<'a>;

    fn next(&mut self) -> Option<TemplatePart<'a>> {
        if let Some(part) = self.ahead.take() {
            return Some(part);
        }
        let start = self.at;
        let commands = self.commands;
        let begins = |byte: &u8| *byte == b'$' || (commands && matches!(byte, b'!' | b'`'));
        let mut from = start;
        while let Some(found) = self.text.as_bytes()[from..].iter().position(begins) {
            from += found;
            if let Some(part) = self.special(from, start) {
                self.at = part.at + part.source.len();
                if part.at == start {
                    return Some(part);
                }
                self.ahead = Some(part);
                return Some(self.part(start, &self.text[start..part.at], PartKind::Text));
            }
            from += 1;
        }
        self.at = self.text.len();
        (start < self.text.len()).then(|| self.part(start, &self.text[start..], PartKind::Text))
    }
}
