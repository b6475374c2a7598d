//! The one reading of a body: text, placeholders, variables and commands.

use super::{syntax::Syntax, tokens::is_space};

/// One part of a body, with its place. The sources of all parts, one after the other, are the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TemplatePart<'a> {
    at: usize,
    source: &'a str,
    kind: PartKind<'a>,
    escaped: bool,
    /// Of a command: the body up to the command's end, and where the command begins in it.
    command: (&'a str, usize),
    syntax: Syntax,
}

/// What a part of a body is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PartKind<'a> {
    /// Stays as it is.
    Text,
    /// `$ARGUMENTS`: all of them.
    Arguments,
    /// `$0` or `$ARGUMENTS[0]`: one of them, counted from 0.
    Index(usize),
    /// `$word`: an argument, where the word, or its beginning up to a hyphen, is a declared name or a key of the arguments.
    /// Text otherwise: most of these are variables of a shell.
    Name(&'a str),
    /// `${WORD}`: something that the host knows. Text where it does not.
    Variable(&'a str),
    /// A command whose output is meant to stand there.
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
    /// Where it begins in the body, in bytes.
    #[must_use]
    pub const fn at(&self) -> usize {
        self.at
    }

    /// The part as it is written.
    #[must_use]
    pub const fn source(&self) -> &'a str {
        self.source
    }

    /// What it is.
    #[must_use]
    pub const fn kind(&self) -> PartKind<'a> {
        self.kind
    }

    /// Whether a backslash before it makes it text.
    #[must_use]
    pub const fn is_escaped(&self) -> bool {
        self.escaped
    }

    /// The command as it is written, without what marks it as one; none for every other part.
    #[must_use]
    pub fn command(&self) -> Option<&'a str> {
        matches!(self.kind, PartKind::Command(_)).then(|| &self.command.0[self.command.1..])
    }

    /// The parts of a command, which has no commands in it; none of every other part.
    pub const fn parts(&self) -> TemplateParts<'a> {
        let (text, at) = self.command;
        TemplateParts { commands: false, ..TemplateParts::new(text, at, self.syntax) }
    }

    /// What marks a command, before it and after it.
    pub(super) fn fences(&self) -> (&'a str, &'a str) {
        let start = self.command.1 - self.at;
        let end = self.command.0.len() - self.at;
        (&self.source[..start], &self.source[end..])
    }
}

/// The parts of a body, or of a command in it. Nothing is kept of them: each is found when it is asked for.
#[derive(Clone, Debug)]
#[must_use]
pub struct TemplateParts<'a> {
    text: &'a str,
    at: usize,
    /// The part that follows the text before it.
    ahead: Option<TemplatePart<'a>>,
    commands: bool,
    /// Whether no fence closes a block any more: looked for once.
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

    /// The part that begins at `at`, if one does that is not text. An escaped one begins with its backslash, which is not
    /// before `least`.
    fn special(&mut self, at: usize, least: usize) -> Option<TemplatePart<'a>> {
        match self.text.as_bytes()[at] {
            b'$' => {
                let (length, kind) = self.placeholder(&self.text[at + 1..])?;
                let part = self.part(at, &self.text[at..=at + length], kind);
                let backslashes = self.text.as_bytes()[least..at].iter().rev().take_while(|b| **b == b'\\').count();
                if self.syntax.escapes && backslashes % 2 == 1 && !matches!(kind, PartKind::Variable(_)) {
                    let source = &self.text[at - 1..=at + length];
                    return Some(TemplatePart { at: at - 1, source, escaped: true, ..part });
                }
                Some(part)
            }
            b'!' => self.inline(at),
            _ => self.block(at),
        }
    }

    /// What follows a `$`: its length, and what it is.
    fn placeholder(&self, rest: &'a str) -> Option<(usize, PartKind<'a>)> {
        const ALL: &str = "ARGUMENTS";
        let run = |text: &str, is: fn(u8) -> bool| text.bytes().take_while(|b| is(*b)).count();
        let goes_on = |text: &str| text.bytes().next().is_some_and(is_word);
        if let Some(variable) = rest.strip_prefix('{') {
            let length = run(variable, |b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_');
            let is_name = !variable.starts_with(|c: char| c.is_ascii_digit()) && length > 0;
            return (is_name && variable[length..].starts_with('}'))
                .then(|| (length + 2, PartKind::Variable(&variable[..length])));
        }
        if let Some(after) = rest.strip_prefix(ALL).filter(|after| !goes_on(after)) {
            let digits = after.strip_prefix('[').map_or("", |index| &index[..run(index, |b| b.is_ascii_digit())]);
            let index = self.index(digits).filter(|_| after[1 + digits.len()..].starts_with(']'));
            return Some(match index {
                Some(index) => (ALL.len() + digits.len() + 2, PartKind::Index(index)),
                None => (ALL.len(), PartKind::Arguments),
            });
        }
        match rest.as_bytes().first()? {
            b'0'..=b'9' => {
                let length = run(rest, |b| b.is_ascii_digit());
                let index = self.index(&rest[..length]).filter(|_| !goes_on(&rest[length..]))?;
                Some((length, PartKind::Index(index)))
            }
            b'A'..=b'Z' | b'a'..=b'z' | b'_' => {
                let length = run(rest, |b| is_word(b) || b == b'-');
                Some((length, PartKind::Name(&rest[..length])))
            }
            _ => None,
        }
    }

    /// An index of digits alone; one that is larger than any is the largest.
    fn index(&self, digits: &str) -> Option<usize> {
        let is_index = !digits.is_empty()
            && digits.bytes().all(|b| b.is_ascii_digit())
            && (digits.len() == 1 || !digits.starts_with('0') || self.syntax.leading_zeros);
        is_index.then(|| digits.parse().unwrap_or(usize::MAX))
    }

    /// A command in backticks.
    fn inline(&self, at: usize) -> Option<TemplatePart<'a>> {
        let rest = self.text[at..].strip_prefix("!`")?;
        if self.text[..at].chars().next_back().is_some_and(|c| !is_space(c)) {
            return None;
        }
        let length = rest.find(['`', '\n']).filter(|length| *length > 0 && rest[*length..].starts_with('`'))?;
        Some(self.command(CommandForm::Inline, at, at + 2, at + 2 + length, at + 3 + length))
    }

    /// A command between fences.
    fn block(&mut self, at: usize) -> Option<TemplatePart<'a>> {
        let is_blank = |c: char| matches!(c, ' ' | '\t' | '\r');
        if self.unclosed || !(at == 0 || self.text[..at].ends_with('\n')) {
            return None;
        }
        let (opening, _) = self.text[at..].strip_prefix("```!")?.split_once('\n')?;
        if !opening.chars().all(is_blank) {
            return None;
        }
        let start = at + "```!".len() + opening.len() + 1;
        let closes = |line: &str| match line.strip_prefix("```") {
            Some(rest) if self.syntax.exact_fences => matches!(rest, "" | "\r"),
            Some(rest) => rest.chars().all(is_blank),
            None => false,
        };
        let mut line_start = start;
        let closing = self.text[start..].split('\n').find(|line| {
            let is_closing = closes(line);
            line_start += if is_closing { 0 } else { line.len() + 1 };
            is_closing
        });
        let Some(closing) = closing else {
            self.unclosed = true;
            return None;
        };
        if line_start == start {
            return None;
        }
        let command = &self.text[start..line_start - 1];
        let end = if self.syntax.exact_fences { command } else { command.strip_suffix('\r').unwrap_or(command) };
        let closing = line_start + closing.trim_end_matches('\r').len();
        Some(self.command(CommandForm::Block, at, start, start + end.len(), closing))
    }

    fn command(&self, form: CommandForm, at: usize, start: usize, end: usize, closing: usize) -> TemplatePart<'a> {
        let part = self.part(at, &self.text[at..closing], PartKind::Command(form));
        TemplatePart { command: (&self.text[..end], start), ..part }
    }
}

const fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
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
