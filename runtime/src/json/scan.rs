//! The grammar of JSON: where a value ends, and whether it is valid.

use super::text::escape;

/// Maximum nesting of arrays and objects, in levels.
///
/// `serde_json` accepts the same depth: its recursion limit of 128 refuses the 128th level. The
/// scanner stores one bit per level, so it needs neither recursion nor a heap.
pub const MAX_DEPTH: u32 = 127;

/// How to treat an escape of half a surrogate pair, such as `"\ud800"`, which RFC 8259 allows but
/// Unicode text cannot contain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LoneSurrogates {
    /// An error.
    Refused,
    /// A string without a text: [`Json::text`](super::Json::text) returns `None`.
    Allowed,
}

/// A position in a text, which moves over one token or value at a time. No byte of a value is read
/// more than twice.
///
/// An error says what was expected at the position where the scanner stopped.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scanner<'j> {
    pub(super) text: &'j str,
    pub(super) at: usize,
    pub(super) surrogates: LoneSurrogates,
}

impl Scanner<'_> {
    pub(super) fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Skips the byte `expected`, if it is next.
    pub(super) fn take(&mut self, expected: u8) -> bool {
        let found = self.peek() == Some(expected);
        self.at += usize::from(found);
        found
    }

    pub(super) fn blanks(&mut self) {
        while self.peek().is_some_and(is_blank) {
            self.at += 1;
        }
    }

    /// Skips the only value of the text, and returns its start and end.
    pub(super) fn document(&mut self) -> Result<(usize, usize), &'static str> {
        self.blanks();
        let start = self.at;
        self.value()?;
        let end = self.at;
        self.blanks();
        if self.peek().is_some() {
            Err("expected nothing after the value")
        } else {
            Ok((start, end))
        }
    }

    /// Skips blanks and one value.
    #[inline(never)]
    pub(super) fn value(&mut self) -> Result<(), &'static str> {
        // One bit per open level, the innermost one lowest; 1 is an object.
        let (mut levels, mut depth) = (0_u128, 0);
        loop {
            self.blanks();
            match self.peek() {
                Some(bracket @ (b'{' | b'[')) => {
                    if depth == MAX_DEPTH {
                        return Err("more than 127 nested arrays and objects");
                    }
                    let is_object = bracket == b'{';
                    (levels, depth) = (levels << 1 | u128::from(is_object), depth + 1);
                    self.at += 1;
                    self.blanks();
                    if self.peek() != Some(if is_object { b'}' } else { b']' }) {
                        if is_object {
                            self.key()?;
                        }
                        continue;
                    }
                }
                Some(b'"') => self.string()?,
                Some(b'-' | b'0'..=b'9') => self.number()?,
                _ => self.literal()?,
            }
            while depth > 0 {
                self.blanks();
                let is_object = levels & 1 == 1;
                match self.peek() {
                    Some(b'}') if is_object => {}
                    Some(b']') if !is_object => {}
                    Some(b',') => break,
                    _ if is_object => return Err("expected `,` or `}`"),
                    _ => return Err("expected `,` or `]`"),
                }
                self.at += 1;
                (levels, depth) = (levels >> 1, depth - 1);
            }
            if depth == 0 {
                return Ok(());
            }
            self.at += 1;
            if levels & 1 == 1 {
                self.key()?;
            }
        }
    }

    /// Skips blanks, a key and the colon after it. Returns the start and the end of the key,
    /// including its quotes.
    pub(super) fn key(&mut self) -> Result<(usize, usize), &'static str> {
        self.blanks();
        if self.peek() != Some(b'"') {
            return Err("expected a key in double quotes");
        }
        let start = self.at;
        self.string()?;
        let end = self.at;
        self.blanks();
        if self.take(b':') { Ok((start, end)) } else { Err("expected `:`") }
    }

    /// Skips a string, starting at its opening quote.
    fn string(&mut self) -> Result<(), &'static str> {
        self.at += 1;
        loop {
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(());
                }
                Some(b'\\') => match escape(&self.text[self.at..]) {
                    None => return Err("invalid escape"),
                    Some((None, _)) if self.surrogates == LoneSurrogates::Refused => {
                        return Err("half of a surrogate pair");
                    }
                    Some((_, len)) => self.at += len,
                },
                Some(0..=0x1f) => return Err("a control character in a string"),
                Some(_) => self.at += 1,
                None => return Err("expected a closing quote"),
            }
        }
    }

    fn number(&mut self) -> Result<(), &'static str> {
        self.take(b'-');
        if !self.take(b'0') {
            self.digits()?;
        } else if self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            return Err("a number cannot start with a zero");
        }
        if self.take(b'.') {
            self.digits()?;
        }
        if self.take(b'e') || self.take(b'E') {
            let _ = self.take(b'+') || self.take(b'-');
            self.digits()?;
        }
        Ok(())
    }

    fn digits(&mut self) -> Result<(), &'static str> {
        let start = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        if self.at > start { Ok(()) } else { Err("expected a digit") }
    }

    fn literal(&mut self) -> Result<(), &'static str> {
        let rest = &self.text[self.at..];
        let found = ["null", "true", "false"].into_iter().find(|literal| rest.starts_with(literal));
        self.at += found.ok_or("expected a value")?.len();
        Ok(())
    }
}

/// Returns whether `byte` is white space in JSON.
pub(super) const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}
