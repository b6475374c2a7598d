//! Finds out how a value must be quoted at its place in a command.
//!
//! Quoting is safe only if the meaning of quotes at that place is known. This reader follows the
//! command as `sh` and `bash` read it. It refuses values in comments and subscripts, and all values
//! after syntax that it cannot follow: here-documents, backticks, arithmetic, `case`, patterns in
//! parentheses, and expansions such as `${x:-y}`. What a command does with its words, such as
//! `eval` or `sh -c`, is not checked.

/// A context in which a value can be quoted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum QuoteContext {
    Outside,
    Double,
    Single,
    /// Quotes have no meaning or an unknown one, and the value needs none.
    Verbatim,
}

// Contexts in which a value cannot be quoted.
const IN_HERE_DOCUMENT: &str = "in a here-document";
const AFTER_HERE_DOCUMENT: &str = "after a here-document";
const IN_CASE: &str = "in a `case`";
const AFTER_CASE: &str = "after a `case`";
const AFTER_ARITHMETIC: &str = "after arithmetic";
const AFTER_BACKTICK: &str = "after a backtick";
const IN_COMMENT: &str = "in a comment";

/// Returns how to write a command that has a value in `context`, which prevents quoting.
pub(super) fn hint(context: &str) -> &'static str {
    match context {
        IN_HERE_DOCUMENT | AFTER_HERE_DOCUMENT => {
            "set a variable in a line before the here-document, `value=$0`, and write `$value` in it; \
             its delimiter must not be quoted"
        }
        IN_CASE | AFTER_CASE => {
            "set a variable in a line before, `value=$0`, and write `case \"$value\" in`"
        }
        AFTER_ARITHMETIC => {
            "write `expr $0 + 1` instead of `$(($0 + 1))`; for a value after arithmetic, set a \
             variable in a line before, `value=$0`, and write `\"$value\"`"
        }
        AFTER_BACKTICK => "write `$(…)` instead of backticks",
        IN_COMMENT => "remove the value from the comment",
        _ => "set a variable in a line before, `value=$0`, and write `\"$value\"`",
    }
}

/// The syntax that the shell is inside of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ShellContext {
    Outside,
    Double,
    Single,
    /// After `${` and characters of a name.
    Braces {
        in_double: bool,
    },
    /// After a name and `[`: `bash` evaluates a subscript, even if it is quoted.
    Subscript,
    Comment,
    Unknown(&'static str),
}

/// Reads the literal text of a command.
#[derive(Clone, Copy, Debug)]
pub(super) struct ShellReader {
    context: ShellContext,
    /// The preceding characters, the last one in the lowest byte; 0 if they have no meaning.
    last: u64,
    escaped: bool,
    /// One bit for each open parenthesis, set if it was opened inside double quotes, after a
    /// leading 1.
    nesting: u64,
    /// Whether `=(` occurred: `bash` evaluates what is in brackets in an array.
    has_array: bool,
    /// Whether `=~` occurred: in parentheses after it, `#` does not start a comment.
    has_match: bool,
}

impl ShellReader {
    pub(super) const fn new() -> Self {
        Self {
            context: ShellContext::Outside,
            last: 0,
            escaped: false,
            nesting: 1,
            has_array: false,
            has_match: false,
        }
    }

    /// Reads literal text of the command, without the carriage returns of its line ends.
    pub(super) fn read(&mut self, text: &str) {
        let bytes = text.as_bytes();
        for (at, byte) in bytes.iter().enumerate() {
            if !bytes[at..].starts_with(b"\r\n") {
                self.byte(*byte);
            }
        }
    }

    /// Reads an inserted value.
    pub(super) const fn skip_value(&mut self) {
        // A letter: neither an operator nor the start of a word.
        self.last = (self.last << 8) | b'x' as u64;
    }

    /// Returns the context of a value inserted next.
    ///
    /// # Errors
    ///
    /// The reason why it cannot be quoted, such as "in a comment".
    pub(super) fn quote_context(&self) -> Result<QuoteContext, &'static str> {
        let last = self.last as u8;
        if self.escaped {
            return Err("after a backslash");
        }
        match self.context {
            ShellContext::Unknown(why) => Err(why),
            ShellContext::Comment => Err(IN_COMMENT),
            ShellContext::Braces { .. } => Err("in `${…}`"),
            ShellContext::Subscript => Err("in `[…]`"),
            ShellContext::Outside | ShellContext::Double if last == b'$' => Err("after a `$`"),
            ShellContext::Outside if self.ends_with_here_document() => Err(IN_HERE_DOCUMENT),
            ShellContext::Outside if self.ends_with_case() => Err(IN_CASE),
            ShellContext::Outside => Ok(QuoteContext::Outside),
            ShellContext::Double => Ok(QuoteContext::Double),
            ShellContext::Single => Ok(QuoteContext::Single),
        }
    }

    /// Returns whether a path without special characters can be inserted as it is where
    /// [`quote_context`](Self::quote_context) fails: after a here-document, in its text or behind.
    ///
    /// Such a path is the same text in every context there, and it cannot end the here-document.
    pub(super) fn takes_plain_path(&self) -> bool {
        self.context == ShellContext::Unknown(AFTER_HERE_DOCUMENT)
            && !matches!(self.last as u8, b'\\' | b'$')
    }

    const fn ends_with_case(&self) -> bool {
        self.last as u32 == u32::from_be_bytes(*b"case") && begins_word((self.last >> 32) as u8)
    }

    /// Returns whether the text ends with `<<` rather than `<<<`.
    const fn ends_with_here_document(&self) -> bool {
        self.last as u16 == u16::from_be_bytes(*b"<<") && (self.last >> 16) as u8 != b'<'
    }

    fn byte(&mut self, byte: u8) {
        let last = self.last as u8;
        self.last = (self.last << 8) | u64::from(byte);
        if core::mem::take(&mut self.escaped) {
            // An escaped line end continues the line; any other character is part of a word.
            self.last =
                if byte == b'\n' { self.last >> 16 } else { (self.last & !0xff) | u64::from(b'x') };
            return;
        }
        self.context = match self.context {
            ShellContext::Unknown(_) => return,
            ShellContext::Single if byte == b'\'' => self.leave(ShellContext::Outside),
            ShellContext::Comment if byte == b'\n' => ShellContext::Outside,
            ShellContext::Single | ShellContext::Comment => return,
            ShellContext::Braces { in_double } => match byte {
                b'}' => {
                    self.leave(if in_double { ShellContext::Double } else { ShellContext::Outside })
                }
                b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'_' => return,
                _ => ShellContext::Unknown("after an expansion such as `${x:-y}`"),
            },
            ShellContext::Subscript => match byte {
                b']' => self.leave(ShellContext::Outside),
                b'"' | b'\'' | b'`' | b'\\' | b'[' | b'#' | b'{' => {
                    ShellContext::Unknown("after a complex `[…`")
                }
                byte if begins_word(byte) => ShellContext::Unknown("after a complex `[…`"),
                _ => return,
            },
            ShellContext::Outside => self.outside(byte, last),
            ShellContext::Double => self.double(byte, last),
        };
    }

    /// Returns the context after a closing quote or brace, which ends a part of a word.
    const fn leave(&mut self, context: ShellContext) -> ShellContext {
        self.skip_value();
        context
    }

    fn outside(&mut self, byte: u8, last: u8) -> ShellContext {
        let before = Self { last: self.last >> 8, ..*self };
        if byte != b'<' && before.ends_with_here_document() {
            return ShellContext::Unknown(AFTER_HERE_DOCUMENT);
        }
        if byte.is_ascii_whitespace() && before.ends_with_case() {
            return ShellContext::Unknown(AFTER_CASE);
        }
        match (byte, last) {
            (b'\\', _) => {
                self.escaped = true;
                ShellContext::Outside
            }
            (b'\'' | b'"', b'$') => ShellContext::Unknown("after a quote that starts with `$`"),
            (b'\'', _) => ShellContext::Single,
            (b'"', _) => ShellContext::Double,
            (b'`', _) => ShellContext::Unknown(AFTER_BACKTICK),
            (b'{', b'$') => ShellContext::Braces { in_double: false },
            (b'[', b'$') | (b'(', b'(') => ShellContext::Unknown(AFTER_ARITHMETIC),
            (b'[', b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'_') => ShellContext::Subscript,
            (b'[', _) if self.has_array && self.nesting > 1 => {
                ShellContext::Unknown("after a `[` in an array")
            }
            (b'(', b'?' | b'*' | b'+' | b'@' | b'!') => {
                ShellContext::Unknown("after a pattern in parentheses")
            }
            (b'(', last) if self.has_match && last != b'$' => {
                ShellContext::Unknown("after a `(` in or after a `=~`")
            }
            (b'(', last) => {
                self.has_array |= last == b'=';
                self.nest(false)
            }
            (b'~', b'=') => {
                self.has_match |= begins_word((before.last >> 8) as u8);
                ShellContext::Outside
            }
            (b')', _) => match self.nesting {
                0 | 1 => ShellContext::Unknown("after an unmatched `)`"),
                nesting => {
                    self.nesting = nesting >> 1;
                    if nesting & 1 == 1 { ShellContext::Double } else { ShellContext::Outside }
                }
            },
            (b'#', b')') => ShellContext::Unknown("after a `)#`"),
            (b'#', last) if begins_word(last) => ShellContext::Comment,
            _ => ShellContext::Outside,
        }
    }

    fn double(&mut self, byte: u8, last: u8) -> ShellContext {
        match (byte, last) {
            (b'\\', _) => {
                self.escaped = true;
                ShellContext::Double
            }
            (b'"', _) => self.leave(ShellContext::Outside),
            (b'`', _) => ShellContext::Unknown(AFTER_BACKTICK),
            (b'{', b'$') => ShellContext::Braces { in_double: true },
            (b'[', b'$') => ShellContext::Unknown(AFTER_ARITHMETIC),
            (b'(', b'$') => self.nest(true),
            _ => ShellContext::Double,
        }
    }

    /// Returns the context after an opening parenthesis.
    const fn nest(&mut self, in_double: bool) -> ShellContext {
        if self.nesting >> 62 != 0 {
            return ShellContext::Unknown("in too many nested parentheses");
        }
        self.nesting = (self.nesting << 1) | in_double as u64;
        ShellContext::Outside
    }
}

/// Returns whether a word can start after the character `last`.
const fn begins_word(last: u8) -> bool {
    matches!(last, 0 | b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b'(' | b')' | b'<' | b'>')
}
