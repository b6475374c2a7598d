//! A text of arguments, split as a shell splits a line, without a shell.

use super::source::Source;
use crate::{
    json::{Text, char_at},
    piece::Piece,
    render::{Render, rendered},
};
use core::fmt::{self, Write};

/// Splits a text into arguments. Nothing is expanded: `$HOME`, `*` and `;` are characters like others.
///
/// ```
/// use helix_skills::template::{TokenMode, tokenize};
/// let tokens = |text, mode| tokenize(text, mode).map(|token| token.to_string()).collect::<Vec<_>>();
/// assert_eq!(tokens("fix 'login bug' \"\"", TokenMode::Posix), ["fix", "login bug", ""]);
/// assert_eq!(tokens("it's fine", TokenMode::Posix), ["it's", "fine"]);
/// assert_eq!(tokens("it's fine", TokenMode::Agentick), ["its fine"]);
/// ```
#[must_use]
pub fn tokenize(text: &str, mode: TokenMode) -> Tokens<'_> {
    Tokens::new(text, false, mode)
}

impl<'a> Tokens<'a> {
    /// The arguments of a text, or of what is between the quotes of a JSON string.
    fn new(text: &'a str, is_json: bool, mode: TokenMode) -> Self {
        let lexer = Lexer { text, is_json, at: 0, open: None, mode, quotes: true };
        let is_prose = mode == TokenMode::Posix && lexer.clone().ends_inside_quotes();
        Self { lexer: Lexer { quotes: !is_prose, ..lexer } }
    }
}

/// How a text becomes arguments.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum TokenMode {
    /// As a POSIX shell reads words: blanks, tabs and line ends separate; quotes and backslashes protect; parts that touch are one;
    /// `""` is an argument without characters. A text with a quote that nothing closes is prose: it is split at white space,
    /// and keeps its quotes.
    #[default]
    Posix,
    /// As Agentick does: any white space separates, backslashes are characters, an argument without characters is none, and
    /// a quote that nothing closes reaches to the end.
    Agentick,
}

/// The arguments of a text, in order: what [`tokenize`] returns.
#[derive(Clone, Debug)]
pub struct Tokens<'a> {
    lexer: Lexer<'a>,
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        loop {
            while self.lexer.blank() {}
            let start = self.lexer.clone();
            let mut is_empty = true;
            while let Some(text) = self.lexer.text() {
                is_empty &= text.is_empty();
            }
            let source = &start.text[start.at..self.lexer.at];
            if source.is_empty() {
                return None;
            }
            if !(is_empty && start.mode == TokenMode::Agentick) {
                return Some(Token { lexer: Lexer { text: source, at: 0, ..start } });
            }
        }
    }
}

/// One argument. `Display` is its text without the quotes around it.
#[derive(Clone, Debug)]
pub struct Token<'a> {
    lexer: Lexer<'a>,
}

impl<'a> Token<'a> {
    /// The argument as it is written, with its quotes.
    #[must_use]
    pub const fn source(&self) -> &'a str {
        self.lexer.text
    }

    /// The pieces of its text.
    pub(super) const fn pieces(self) -> TokenPieces<'a> {
        TokenPieces(self.lexer)
    }
}

impl Render for Token<'_> {
    fn render(&self, out: &mut dyn Write) -> fmt::Result {
        self.clone().pieces().try_for_each(|piece| piece.write(out))
    }
}

rendered!(Token);

/// The text of an argument, piece after piece.
#[derive(Clone, Debug)]
pub(super) struct TokenPieces<'a>(Lexer<'a>);

impl<'a> Iterator for TokenPieces<'a> {
    type Item = Piece<'a>;

    fn next(&mut self) -> Option<Piece<'a>> {
        self.0.text()
    }
}

/// Reads a text from quote to quote.
#[derive(Clone, Debug)]
struct Lexer<'a> {
    text: &'a str,
    /// Whether the text is what is between the quotes of a JSON string, with escapes.
    is_json: bool,
    at: usize,
    /// The quote that is open.
    open: Option<char>,
    mode: TokenMode,
    /// Whether quotes and backslashes are any.
    quotes: bool,
}

impl<'a> Lexer<'a> {
    fn is_blank(&self, c: char) -> bool {
        match self.mode {
            TokenMode::Posix => matches!(c, ' ' | '\t' | '\r' | '\n'),
            TokenMode::Agentick => is_space(c),
        }
    }

    /// Whether a character begins something else than text.
    fn is_mark(&self, c: char) -> bool {
        let escapes = self.mode == TokenMode::Posix;
        match self.open {
            Some('\'') => c == '\'',
            Some(quote) => c == quote || (c == '\\' && escapes),
            None => {
                self.is_blank(c)
                    || (self.quotes && (matches!(c, '"' | '\'') || (c == '\\' && escapes)))
            }
        }
    }

    /// The character at a place, and its length as it is written; `None` at the end.
    fn char(&self, at: usize) -> Option<(char, usize)> {
        let rest = &self.text[at..];
        if self.is_json { char_at(rest) } else { rest.chars().next().map(|c| (c, c.len_utf8())) }
    }

    /// Skips a blank, if one is next.
    fn blank(&mut self) -> bool {
        let blank = self.char(self.at).filter(|(c, _)| self.is_blank(*c));
        self.at += blank.map_or(0, |(_, len)| len);
        blank.is_some()
    }

    /// The next piece of the argument, which may be empty; none at its end.
    fn text(&mut self) -> Option<Piece<'a>> {
        let rest = &self.text[self.at..];
        let (first, len) = self.char(self.at)?;
        if !self.is_mark(first) {
            if self.is_json && rest.starts_with('\\') {
                self.at += len;
                return Some(Piece::Char(first));
            }
            let ends = |c| self.is_mark(c) || (self.is_json && c == '\\');
            let end = rest.find(ends).unwrap_or(rest.len());
            self.at += end;
            return Some(Piece::Text(&rest[..end]));
        }
        if self.open.is_none() && self.is_blank(first) {
            return None;
        }
        self.at += len;
        if first != '\\' {
            self.open = if self.open.is_none() { Some(first) } else { None };
            return Some(Piece::Text(""));
        }
        let is_escape = |c: char| self.open.is_none() || matches!(c, '"' | '\\' | '$' | '`');
        let Some((escaped, len)) = self.char(self.at).filter(|(c, _)| is_escape(*c)) else {
            return Some(Piece::Char('\\'));
        };
        self.at += len;
        Some(Piece::Char(escaped))
    }

    fn ends_inside_quotes(mut self) -> bool {
        while self.text().is_some() || self.blank() {}
        self.open.is_some()
    }
}

/// What JavaScript takes for white space.
pub(super) fn is_space(c: char) -> bool {
    (c.is_whitespace() && c != '\u{85}') || c == '\u{feff}'
}

/// A text, and where its arguments are: found once, so that a body full of placeholders does not split the text for each.
#[derive(Clone, Debug)]
pub(super) struct Words<'a> {
    text: &'a str,
    /// The text of a JSON string with escapes, of which `text` is the source.
    decoded: Option<Text<'a>>,
    places: Places,
    /// Whether the text is not split.
    is_whole: bool,
}

impl<'a> Words<'a> {
    pub(super) fn of(text: &'a str, mode: TokenMode) -> Self {
        Self {
            text,
            decoded: None,
            places: Places::of(Tokens::new(text, false, mode)),
            is_whole: false,
        }
    }

    /// The same for a JSON string, which is decoded while it is read.
    pub(super) fn decoded(text: Text<'a>, mode: TokenMode) -> Self {
        match text.as_str() {
            Some(text) => Self::of(text, mode),
            None => {
                let places = Places::of(Tokens::new(text.raw(), true, mode));
                Self { text: text.raw(), decoded: Some(text), places, is_whole: false }
            }
        }
    }

    /// The whole text.
    pub(super) fn all(&self) -> Source<'a> {
        self.decoded.map_or(Source::text(self.text), |text| Source::Decoded(text.pieces()))
    }

    /// The argument at `index`.
    pub(super) fn nth(&self, index: usize) -> Option<Source<'a>> {
        if self.is_whole {
            return (index == 0).then(|| self.all());
        }
        let token = self.places.nth(self.text, self.decoded.is_some(), index)?;
        Some(Source::Token(token.pieces()))
    }

    /// Leaves the text in one piece, the only argument, if looking up words in it `lookups` times
    /// could read more than [`MAX_LOOKUP_BYTES`]. There are at most `most` lookups, which need not
    /// be counted if the text is short.
    pub(super) fn bound(&mut self, most: usize, lookups: impl FnOnce() -> usize) {
        let step = self.places.longest.saturating_mul(self.places.stride).min(self.text.len());
        let exceeds = |lookups: usize| lookups.saturating_mul(step) > MAX_LOOKUP_BYTES;
        self.is_whole = exceeds(most) && exceeds(lookups());
    }
}

/// Bytes of arguments that are read to find the words that a body asks for (32 MiB). A word may be
/// long and put nothing into the body: quotes around nothing, again and again. A text in one piece
/// is put in as it is, so that limits on the filled body apply.
pub(super) const MAX_LOOKUP_BYTES: usize = 32 << 20;

/// The places of the arguments of a text.
#[derive(Clone, Debug)]
struct Places {
    mode: TokenMode,
    quotes: bool,
    count: usize,
    /// Bytes of the longest argument, with the blanks before it.
    longest: usize,
    /// One argument in so many has its place kept.
    stride: usize,
    marks: [usize; MARKS],
}

/// How many places are kept, on the stack.
const MARKS: usize = 64;

impl Places {
    #[inline(never)]
    fn of(mut tokens: Tokens<'_>) -> Self {
        let Lexer { mode, quotes, .. } = tokens.lexer;
        let (mut count, mut longest, mut stride, mut marks) = (0, 0, 1, [0; MARKS]);
        loop {
            let offset = tokens.lexer.at;
            if tokens.next().is_none() {
                break;
            }
            longest = longest.max(tokens.lexer.at - offset);
            if count == stride * MARKS {
                for at in 0..MARKS / 2 {
                    marks[at] = marks[2 * at];
                }
                stride *= 2;
            }
            if count % stride == 0 {
                marks[count / stride] = offset;
            }
            count += 1;
        }
        Self { mode, quotes, count, longest, stride, marks }
    }

    fn nth<'a>(&self, text: &'a str, is_json: bool, index: usize) -> Option<Token<'a>> {
        if index >= self.count {
            return None;
        }
        let at = self.marks[index / self.stride];
        let lexer = Lexer { text, is_json, at, open: None, mode: self.mode, quotes: self.quotes };
        Tokens { lexer }.nth(index % self.stride)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::{
        string::{String, ToString},
        vec::Vec,
    };

    fn split(text: &str, mode: TokenMode) -> Vec<String> {
        tokenize(text, mode).map(|token| token.to_string()).collect()
    }

    #[test]
    fn a_posix_shell_would_split_it_so() {
        for (text, tokens) in [
            (r"a\\ b c", &[r"a\", "b", "c"][..]),
            (r"a\ b c\", &["a b", r"c\"]),
            (r#""a\"b" 'c\' "\d""#, &[r#"a"b"#, r"c\", r"\d"]),
            (r#""\$x \` \\""#, &[r"$x ` \"]),
            (r#"a"b c"'d'\'e"#, &["ab cd'e"]),
            ("'' \"\"", &["", ""]),
            ("a\u{a0}b\r\nc\td", &["a\u{a0}b", "c", "d"]),
            ("", &[]),
            (" \n", &[]),
            (r"$(x) ; 技\能", &["$(x)", ";", "技能"]),
            (r#"say "it's"#, &["say", "\"it's"]),
            (r"a\ b 'c", &[r"a\", "b", "'c"]),
        ] {
            assert_eq!(split(text, TokenMode::Posix), tokens, "{text}");
        }
    }

    #[test]
    fn every_argument_is_found_by_its_index() {
        // Each is looked for from the start, or from a mark near it: Miri takes minutes for a thousand.
        let most = if cfg!(miri) { 200 } else { 1000 };
        for count in [0, 1, 63, 64, 65, 127, 128, 129, most] {
            let text: String = (0..count).map(|at| alloc::format!("'{at} x'\t")).collect();
            let words = Words::of(&text, TokenMode::Posix);
            for at in 0..count {
                assert_eq!(
                    words.nth(at).unwrap().collect::<String>(),
                    alloc::format!("{at} x"),
                    "{count}"
                );
            }
            assert!(words.nth(count).is_none() && words.nth(usize::MAX).is_none());
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "a text of 200 KB, several times")]
    fn bytes_read_for_lookups_are_bounded() {
        // One word that is empty, with 1000 bytes.
        let text = "''".repeat(500);
        let whole = |lookups| {
            let mut words = Words::of(&text, TokenMode::Posix);
            words.bound(usize::MAX, || lookups);
            words.nth(0).unwrap().collect::<String>()
        };
        let most = MAX_LOOKUP_BYTES / text.len();
        assert_eq!((&*whole(most), whole(most + 1)), ("", text.clone()));

        // Every lookup may pass over many words.
        let many = "a ".repeat(100_000);
        let mut words = Words::of(&many, TokenMode::Posix);
        words.bound(MAX_LOOKUP_BYTES, || 20_000);
        assert!(words.nth(1).is_none());
        words.bound(MAX_LOOKUP_BYTES, || 1_000);
        assert_eq!(words.nth(99_999).unwrap().collect::<String>(), "a");
    }
}
