//! Splits a text into arguments like a shell, without running one.

use super::inserted::ValuePieces;
use crate::{
    json::{Text, char_at},
    piece::Piece,
    render::{Render, rendered},
};
use core::fmt::{self, Write};

/// Splits a text into arguments. Nothing is expanded: `$HOME`, `*` and `;` are ordinary characters.
///
/// ```
/// use helix_skills::template::{TokenMode, tokenize};
/// let tokens = |text, mode| -> Vec<String> {
///     tokenize(text, mode).map(|token| token.to_string()).collect()
/// };
/// assert_eq!(tokens("fix 'login bug' \"\"", TokenMode::Posix), ["fix", "login bug", ""]);
/// assert_eq!(tokens("it's fine", TokenMode::Posix), ["it's", "fine"]);
/// assert_eq!(tokens("it's fine", TokenMode::Agentick), ["its fine"]);
/// ```
#[must_use]
pub fn tokenize(text: &str, mode: TokenMode) -> Tokens<'_> {
    Tokens::new(text, false, mode)
}

impl<'a> Tokens<'a> {
    /// Splits a text, or what is between the quotes of a JSON string.
    fn new(text: &'a str, is_json: bool, mode: TokenMode) -> Self {
        let lexer = Lexer { text, is_json, at: 0, open: None, mode, quotes: true };
        let is_prose = mode == TokenMode::Posix && lexer.clone().ends_inside_quotes();
        Self { lexer: Lexer { quotes: !is_prose, ..lexer } }
    }
}

/// How a text is split into arguments.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum TokenMode {
    /// Like a POSIX shell: spaces, tabs and line ends separate words, quotes and backslashes
    /// protect characters, adjacent parts form one word, and `""` is an empty argument.
    ///
    /// A text with an unclosed quote is treated as prose: it is split at white space and keeps its
    /// quotes.
    #[default]
    Posix,
    /// Like Agentick: any white space separates, backslashes are ordinary characters, empty
    /// arguments are dropped, and an unclosed quote extends to the end.
    Agentick,
}

/// An iterator over the arguments of a text, as [`tokenize`] returns it.
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

/// An argument. `Display` is its text without quotes.
#[derive(Clone, Debug)]
pub struct Token<'a> {
    lexer: Lexer<'a>,
}

impl<'a> Token<'a> {
    /// Returns the argument as written, with its quotes.
    #[must_use]
    pub const fn source(&self) -> &'a str {
        self.lexer.text
    }

    /// Returns the pieces of its text.
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

/// An iterator over the pieces of an argument's text.
#[derive(Clone, Debug)]
pub(super) struct TokenPieces<'a>(Lexer<'a>);

impl<'a> Iterator for TokenPieces<'a> {
    type Item = Piece<'a>;

    fn next(&mut self) -> Option<Piece<'a>> {
        self.0.text()
    }
}

/// Reads a text up to the next quote, escape or separator.
#[derive(Clone, Debug)]
struct Lexer<'a> {
    text: &'a str,
    /// Whether the text is the inside of a JSON string, with escapes.
    is_json: bool,
    at: usize,
    /// The open quote.
    open: Option<char>,
    mode: TokenMode,
    /// Whether quotes and backslashes are special.
    quotes: bool,
}

impl<'a> Lexer<'a> {
    fn is_blank(&self, c: char) -> bool {
        match self.mode {
            TokenMode::Posix => matches!(c, ' ' | '\t' | '\r' | '\n'),
            TokenMode::Agentick => is_space(c),
        }
    }

    /// Returns whether `c` is special at this position.
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

    /// Returns the character at an offset and its length as written, or `None` at the end.
    fn char(&self, at: usize) -> Option<(char, usize)> {
        let rest = &self.text[at..];
        if self.is_json { char_at(rest) } else { rest.chars().next().map(|c| (c, c.len_utf8())) }
    }

    /// Skips one separator; `false` if there is none.
    fn blank(&mut self) -> bool {
        let blank = self.char(self.at).filter(|(c, _)| self.is_blank(*c));
        self.at += blank.map_or(0, |(_, len)| len);
        blank.is_some()
    }

    /// Returns the next piece of the argument, which may be empty; `None` at its end.
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

/// Returns whether `c` is white space in JavaScript.
pub(super) fn is_space(c: char) -> bool {
    (c.is_whitespace() && c != '\u{85}') || c == '\u{feff}'
}

/// A text with the positions of its arguments, so that it is not split again for every placeholder.
#[derive(Clone, Debug)]
pub(super) struct SplitText<'a> {
    text: &'a str,
    /// The text of a JSON string with escapes, whose source is `text`.
    decoded: Option<Text<'a>>,
    positions: TokenPositions,
    /// Whether the text is not split.
    is_whole: bool,
}

impl<'a> SplitText<'a> {
    pub(super) fn new(text: &'a str, mode: TokenMode) -> Self {
        Self {
            text,
            decoded: None,
            positions: TokenPositions::find(Tokens::new(text, false, mode)),
            is_whole: false,
        }
    }

    /// Splits the text of a JSON string, which is decoded while it is read.
    pub(super) fn decoded(text: Text<'a>, mode: TokenMode) -> Self {
        match text.as_str() {
            Some(text) => Self::new(text, mode),
            None => {
                let positions = TokenPositions::find(Tokens::new(text.raw(), true, mode));
                Self { text: text.raw(), decoded: Some(text), positions, is_whole: false }
            }
        }
    }

    /// Returns the whole text.
    pub(super) fn all(&self) -> ValuePieces<'a> {
        self.decoded
            .map_or(ValuePieces::text(self.text), |text| ValuePieces::Decoded(text.pieces()))
    }

    /// Returns the argument at `index`.
    pub(super) fn nth(&self, index: usize) -> Option<ValuePieces<'a>> {
        if self.is_whole {
            return (index == 0).then(|| self.all());
        }
        let token = self.positions.nth(self.text, self.decoded.is_some(), index)?;
        Some(ValuePieces::Token(token.pieces()))
    }

    /// Treats the text as one argument if looking up arguments `lookups` times could read more than
    /// [`MAX_LOOKUP_BYTES`].
    ///
    /// `most` is an upper bound of the result of `lookups`, which is called only if `most` lookups
    /// could read more.
    pub(super) fn limit_lookups(&mut self, most: usize, lookups: impl FnOnce() -> usize) {
        let step =
            self.positions.longest.saturating_mul(self.positions.stride).min(self.text.len());
        let exceeds = |lookups: usize| lookups.saturating_mul(step) > MAX_LOOKUP_BYTES;
        self.is_whole = exceeds(most) && exceeds(lookups());
    }
}

/// Maximum number of argument bytes read to find the arguments that a body uses (32 MiB).
///
/// A long argument can have an empty text, such as repeated empty quotes, so the limit on the
/// filled body does not bound the reading. A text that is not split is inserted as it is, where
/// that limit applies.
pub(super) const MAX_LOOKUP_BYTES: usize = 32 << 20;

/// The positions of a text's arguments.
#[derive(Clone, Debug)]
struct TokenPositions {
    mode: TokenMode,
    quotes: bool,
    count: usize,
    /// The length in bytes of the longest argument with its leading separators.
    longest: usize,
    /// The position of every `stride`-th argument is stored.
    stride: usize,
    marks: [usize; MARKS],
}

/// Maximum number of stored positions, on the stack.
const MARKS: usize = 64;

impl TokenPositions {
    #[inline(never)]
    fn find(mut tokens: Tokens<'_>) -> Self {
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
    fn posix_mode_splits_like_a_shell() {
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
        // Each lookup starts at a stored position: Miri takes minutes for a thousand.
        let most = if cfg!(miri) { 200 } else { 1000 };
        for count in [0, 1, 63, 64, 65, 127, 128, 129, most] {
            let text: String = (0..count).map(|at| alloc::format!("'{at} x'\t")).collect();
            let words = SplitText::new(&text, TokenMode::Posix);
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
        // One empty argument of 1,000 bytes.
        let text = "''".repeat(500);
        let whole = |lookups| {
            let mut words = SplitText::new(&text, TokenMode::Posix);
            words.limit_lookups(usize::MAX, || lookups);
            words.nth(0).unwrap().collect::<String>()
        };
        let most = MAX_LOOKUP_BYTES / text.len();
        assert_eq!((&*whole(most), whole(most + 1)), ("", text.clone()));

        // A lookup may skip many arguments.
        let many = "a ".repeat(100_000);
        let mut words = SplitText::new(&many, TokenMode::Posix);
        words.limit_lookups(MAX_LOOKUP_BYTES, || 20_000);
        assert!(words.nth(1).is_none());
        words.limit_lookups(MAX_LOOKUP_BYTES, || 1_000);
        assert_eq!(words.nth(99_999).unwrap().collect::<String>(), "a");
    }
}
