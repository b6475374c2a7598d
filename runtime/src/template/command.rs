//! Commands of a body, for a host that runs them.

use super::{
    CommandForm, FilledTemplate,
    bound::{Command, Piece},
    grammar::{INSERTED, Quotes, parse},
    values::Value,
};
use crate::{Error, ErrorKind, Excerpt};
use alloc::{borrow::Cow, collections::BTreeMap, format, string::String, vec::Vec};

impl<'a> FilledTemplate<'a> {
    /// Returns the commands as written, in the order of the body.
    #[must_use]
    pub fn commands(&self) -> &[Command<'a>] {
        &self.commands
    }

    /// Returns the text that a shell is to run for each command, with line feeds as line ends. The
    /// texts are not for a model.
    ///
    /// # Errors
    ///
    /// If a command has a value and is not of the grammar of [`Skill::fill`](crate::Skill::fill).
    pub fn command_texts(&self) -> Result<Vec<String>, Error> {
        let text = |command| {
            let (assignments, pieces) =
                self.shell_text(command, "\n").map_err(|instead| refused(command, instead))?;
            Ok(pieces.iter().fold(assignments, |text, piece| match piece {
                // A shell would read a carriage return as a part of the last word.
                Cow::Borrowed(literal) => text + &literal.replace("\r\n", "\n"),
                Cow::Owned(inserted) => text + inserted,
            }))
        };
        self.commands.iter().map(text).collect()
    }

    /// Adds a command as a model reads it. If its values cannot be inserted, it is as written.
    pub(super) fn show<'x>(&'x self, command: &'x Command<'_>, texts: &mut Vec<Cow<'x, str>>) {
        let (opening, closing) = command.fences;
        let end = if command.form == CommandForm::Inline { "; " } else { "\n" };
        texts.push(opening.into());
        match self.shell_text(command, end) {
            Ok((assignments, pieces)) => {
                texts.push(assignments.into());
                texts.extend(pieces);
            }
            Err(_) => texts.push(command.source.into()),
        }
        texts.push(closing.into());
    }

    /// Returns the assignments before a command, each of which ends with `end`, and the command:
    /// borrowed pieces are its own text, owned ones are inserted.
    ///
    /// # Errors
    ///
    /// What to write instead, if the command has a value and is not of the grammar.
    fn shell_text<'x>(
        &'x self,
        command: &'x Command<'_>,
        end: &str,
    ) -> Result<(String, Vec<Cow<'x, str>>), &'static str> {
        let all: Vec<_> = command.pieces.iter().map(|piece| self.insertion(*piece)).collect();
        let (mut skeleton, mut values) = (String::new(), Vec::new());
        for (text, kind) in &all {
            if matches!(kind, Kind::Literal) {
                skeleton += &text.replace("\r\n", "\n").replace(INSERTED, "\u{1}");
            } else {
                skeleton.push(INSERTED);
                values.push(matches!(kind, Kind::Value).then_some(&**text));
            }
        }
        let parsed = match parse(&skeleton, &values) {
            Err(instead) if values.iter().any(Option::is_some) => return Err(instead),
            parsed => parsed.unwrap_or_default(),
        };
        let (mut quotes, mut numbers) = (parsed.quotes.into_iter(), BTreeMap::new());
        let (mut assignments, mut pieces) = (String::new(), Vec::new());
        for (text, kind) in all {
            let quotes = match kind {
                Kind::Literal => None,
                Kind::Value | Kind::Host(_) => quotes.next(),
            };
            let Some(quotes) = quotes else {
                // The shell expands a variable of the host where the author wrote it.
                pieces.push(if let Kind::Host(source) = kind { source.into() } else { text });
                continue;
            };
            let next = numbers.len() + 1;
            let number = *numbers.entry(text).or_insert_with_key(|text| {
                let quoted = text.replace('\'', "'\\''");
                assignments += &format!("SKILL_VALUE_{next}='{quoted}'{end}");
                next
            });
            let [before, after] = match quotes {
                Quotes::None => ["\""; 2],
                Quotes::Double => [""; 2],
                Quotes::Single => ["'\"", "\"'"],
            };
            pieces.push(format!("{before}${{SKILL_VALUE_{number}}}{after}").into());
        }
        if !numbers.is_empty() && !parsed.assigned.is_empty() {
            // They are not exported, even if the environment has variables of these names.
            assignments += &format!("unset -v{}{end}", parsed.assigned);
        }
        Ok((assignments, pieces))
    }

    /// Returns what a piece of a command becomes.
    fn insertion<'x>(&'x self, piece: Piece<'x>) -> (Cow<'x, str>, Kind<'x>) {
        let verbatim = |text: Cow<'x, str>| (text.into_owned().into(), Kind::Literal);
        match piece {
            Piece::Text(text) => (text.into(), Kind::Literal),
            Piece::Value(value) => match self.values.text(value) {
                // Without arguments there is no word: the texts around it are adjacent.
                "" if matches!(value, Value::All) => ("".into(), Kind::Literal),
                text if self.is_unquoted => verbatim(text.into()),
                text => (text.into(), Kind::Value),
            },
            Piece::Variable(source) => match self.variable(source) {
                Some(text) if self.is_unquoted || is_plain_path(&text) => verbatim(text),
                Some(text) => (text, Kind::Host(source)),
                None => (source.into(), Kind::Literal),
            },
            // Commands do not contain commands.
            Piece::Command(_) => ("".into(), Kind::Literal),
        }
    }
}

/// What a piece of a command becomes.
enum Kind<'x> {
    /// Borrowed text of the command, or an owned text that is inserted as it is.
    Literal,
    Value,
    /// The value of a variable of the host, which is written as this `${NAME}`.
    Host(&'x str),
}

/// Returns whether this is an absolute path of characters that have no meaning to a shell.
///
/// The value of a `${…}` that is such a path is inserted as it is, also into a here-document.
fn is_plain_path(value: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/._-".contains(&byte);
    value.starts_with('/') && value.bytes().all(is_plain)
}

/// The error that the values of a command cannot be inserted. The message ends with the hint.
#[cold]
fn refused(command: &Command<'_>, instead: &'static str) -> Error {
    let message = format!(
        "cannot insert a value into the command `{}` at byte {} of the body: {instead}",
        Excerpt(command.source),
        command.at,
    );
    Error::new(ErrorKind::Command, message).with_hint(Some(instead))
}
