//! Where in a command a value would stand: outside of quotes, or in which.
//!
//! A value in quotes is only safe if it is known what the quotes mean at its place. This follows a command as `sh` and `bash`
//! read it, and gives up for good where it meets something that changes the meaning of quotes: no value is put there.

/// A place where quotes keep a value from being anything but a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Outside,
    Double,
    Single,
}

/// What a shell would be in the middle of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Outside,
    Double,
    Single,
    /// `${`, and then characters of a name.
    Braces {
        in_double: bool,
    },
    /// `[` behind characters of a name: `bash` computes what stands there, and a value in quotes is computed, too.
    Subscript,
    Comment,
    Unsure(&'static str),
}

/// A reader of the literal text of a command.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shell {
    state: State,
    /// The characters before, the last one lowest; 0 where they have no meaning.
    last: u64,
    escaped: bool,
    /// One bit for each open parenthesis: whether it was opened inside double quotes. Under the bits is a 1.
    nesting: u64,
    /// Whether there was a `=(`: `bash` computes what stands in brackets in an array.
    has_array: bool,
    /// Whether there was a `=~`: in parentheses after it `#` begins no comment.
    has_match: bool,
}

impl Shell {
    pub(super) const fn new() -> Self {
        Self {
            state: State::Outside,
            last: 0,
            escaped: false,
            nesting: 1,
            has_array: false,
            has_match: false,
        }
    }

    /// Reads text of the command itself.
    pub(super) fn read(&mut self, text: &str) {
        text.bytes().for_each(|byte| self.byte(byte));
    }

    /// Reads a value that was put in.
    pub(super) const fn skip_value(&mut self) {
        // A letter: no operator, no start of a word.
        self.last = (self.last << 8) | b'x' as u64;
    }

    /// Where a value stands that comes next.
    ///
    /// # Errors
    /// What keeps it from being quoted.
    pub(super) fn place(&self) -> Result<Place, &'static str> {
        let last = self.last as u8;
        if self.escaped {
            return Err("after a backslash");
        }
        match self.state {
            State::Unsure(why) => Err(why),
            State::Comment => Err("in a comment"),
            State::Braces { .. } => Err("in `${…}`"),
            State::Subscript => Err("in `[…]`"),
            State::Outside | State::Double if last == b'$' => Err("after a `$`"),
            State::Outside if self.ends_with_here_document() => Err("in a here-document"),
            State::Outside if self.ends_with_case() => Err("in a `case`"),
            State::Outside => Ok(Place::Outside),
            State::Double => Ok(Place::Double),
            State::Single => Ok(Place::Single),
        }
    }

    const fn ends_with_case(&self) -> bool {
        self.last as u32 == u32::from_be_bytes(*b"case") && begins_word((self.last >> 32) as u8)
    }

    /// Whether `<<` is the end, and not `<<<`.
    const fn ends_with_here_document(&self) -> bool {
        self.last as u16 == u16::from_be_bytes(*b"<<") && (self.last >> 16) as u8 != b'<'
    }

    fn byte(&mut self, byte: u8) {
        let last = self.last as u8;
        self.last = (self.last << 8) | u64::from(byte);
        if core::mem::take(&mut self.escaped) {
            // A line that goes on has neither; all else is a character of a word.
            self.last =
                if byte == b'\n' { self.last >> 16 } else { (self.last & !0xff) | u64::from(b'x') };
            return;
        }
        self.state = match self.state {
            State::Unsure(_) => return,
            State::Single if byte == b'\'' => self.leave(State::Outside),
            State::Comment if byte == b'\n' => State::Outside,
            State::Single | State::Comment => return,
            State::Braces { in_double } => match byte {
                b'}' => self.leave(if in_double { State::Double } else { State::Outside }),
                b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'_' => return,
                _ => State::Unsure("after an expansion such as `${x:-y}`"),
            },
            State::Subscript => match byte {
                b']' => self.leave(State::Outside),
                b'"' | b'\'' | b'`' | b'\\' | b'[' | b'#' | b'{' => {
                    State::Unsure("after a `[…` that is no simple one")
                }
                byte if begins_word(byte) => State::Unsure("after a `[…` that is no simple one"),
                _ => return,
            },
            State::Outside => self.outside(byte, last),
            State::Double => self.double(byte, last),
        };
    }

    /// The state after a closing quote or brace, which is the end of a word's part.
    const fn leave(&mut self, state: State) -> State {
        self.skip_value();
        state
    }

    fn outside(&mut self, byte: u8, last: u8) -> State {
        let before = Self { last: self.last >> 8, ..*self };
        if byte != b'<' && before.ends_with_here_document() {
            return State::Unsure("after a here-document");
        }
        if byte.is_ascii_whitespace() && before.ends_with_case() {
            return State::Unsure("after a `case`");
        }
        match (byte, last) {
            (b'\\', _) => {
                self.escaped = true;
                State::Outside
            }
            (b'\'' | b'"', b'$') => State::Unsure("after a quote that begins with `$`"),
            (b'\'', _) => State::Single,
            (b'"', _) => State::Double,
            (b'`', _) => State::Unsure("after a backtick"),
            (b'{', b'$') => State::Braces { in_double: false },
            (b'[', b'$') | (b'(', b'(') => State::Unsure("after arithmetic"),
            (b'[', b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'_') => State::Subscript,
            (b'[', _) if self.has_array && self.nesting > 1 => {
                State::Unsure("after a `[` in an array")
            }
            (b'(', b'?' | b'*' | b'+' | b'@' | b'!') => {
                State::Unsure("after a pattern in parentheses")
            }
            (b'(', last) if self.has_match && last != b'$' => {
                State::Unsure("after a `(` in or behind a `=~`")
            }
            (b'(', last) => {
                self.has_array |= last == b'=';
                self.nest(false)
            }
            (b'~', b'=') => {
                self.has_match |= begins_word((before.last >> 8) as u8);
                State::Outside
            }
            (b')', _) => match self.nesting {
                0 | 1 => State::Unsure("after a `)` that nothing opens"),
                nesting => {
                    self.nesting = nesting >> 1;
                    if nesting & 1 == 1 { State::Double } else { State::Outside }
                }
            },
            (b'#', b')') => State::Unsure("after a `)#`"),
            (b'#', last) if begins_word(last) => State::Comment,
            _ => State::Outside,
        }
    }

    fn double(&mut self, byte: u8, last: u8) -> State {
        match (byte, last) {
            (b'\\', _) => {
                self.escaped = true;
                State::Double
            }
            (b'"', _) => self.leave(State::Outside),
            (b'`', _) => State::Unsure("after a backtick"),
            (b'{', b'$') => State::Braces { in_double: true },
            (b'[', b'$') => State::Unsure("after arithmetic"),
            (b'(', b'$') => self.nest(true),
            _ => State::Double,
        }
    }

    /// The state after an opening parenthesis.
    const fn nest(&mut self, in_double: bool) -> State {
        if self.nesting >> 62 != 0 {
            return State::Unsure("within too many parentheses");
        }
        self.nesting = (self.nesting << 1) | in_double as u64;
        State::Outside
    }
}

/// Whether what follows a character is the start of a word.
const fn begins_word(last: u8) -> bool {
    matches!(last, 0 | b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b'(' | b')' | b'<' | b'>')
}
