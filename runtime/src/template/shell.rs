//! How values reach a shell, and where a value stands in a command.
//!
//! The text for a shell begins with an assignment for each value, in single quotes:
//! `` !`git log -- $0` `` becomes `SKILL_VALUE_1='a b'`, a line feed, and
//! `git log -- "${SKILL_VALUE_1}"`. A shell reads the value only as part of the assignment, which
//! is complete before it reads the first character of the command. So no command makes a value
//! become syntax, and this does not depend on how a shell reads the command.
//!
//! Values are assigned, and not passed as environment variables or positional parameters: the text
//! is complete for every shell that a host uses, child processes do not inherit the values, and
//! functions and `set --` do not hide them.
//!
//! [`ShellReader`] follows the quotes of a command, because a reference needs double quotes of its
//! own outside of others. If it is wrong, the value is split into words, or the reference is not
//! expanded; nothing is run. It also refuses values where `bash` evaluates the content of
//! variables, such as subscripts. That cannot be complete: `SECURITY.md` says what is not promised.

/// The quotes around a reference to a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum QuoteContext {
    Outside,
    Double,
    Single,
}

// Contexts in which a value is refused.
const HERE_DOCUMENT: &str = "in or after a here-document";
const ARITHMETIC: &str = "in arithmetic";
const DUPLICATION: &str = "after `>&`";
const EVALUATED: &str = "in a word that the command evaluates";

/// Returns how to write a command that has a value in `context`, where it is refused.
pub(super) fn hint(context: &str) -> &'static str {
    match context {
        HERE_DOCUMENT => {
            "set a variable in a line before the here-document, `value=$0`, and write `$value` in it; \
             its delimiter must not be quoted"
        }
        ARITHMETIC => {
            "write `expr $0 + 1` instead of `$(($0 + 1))`, and `[ $0 -gt 3 ]` instead of \
             `[[ $0 -gt 3 ]]`"
        }
        DUPLICATION => "write `>$0 2>&1` instead of `>&$0`",
        EVALUATED => {
            "`bash` would run code in the value; use a fixed name instead of the value, and set it \
             in a line of its own, `name=$0`"
        }
        _ => "set a variable in a line before, `value=$0`, and write `\"$value\"`",
    }
}

/// Which words of a command `bash` evaluates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Evaluates {
    Nothing,
    AfterV,
    AfterOption,
    Words,
}

/// Commands of `bash` that evaluate words.
const EVALUATING: [(&str, Evaluates); 13] = [
    ("[", Evaluates::AfterV),
    ("[[", Evaluates::AfterV),
    ("compgen", Evaluates::Words),
    ("declare", Evaluates::Words),
    ("eval", Evaluates::Words),
    ("let", Evaluates::Words),
    ("local", Evaluates::AfterOption),
    ("printf", Evaluates::AfterV),
    ("read", Evaluates::Words),
    ("test", Evaluates::AfterV),
    ("trap", Evaluates::Words),
    ("typeset", Evaluates::Words),
    ("unset", Evaluates::Words),
];

/// Words that a command can follow.
const BEFORE_COMMAND: [&str; 12] =
    ["!", "{", "builtin", "command", "do", "elif", "else", "if", "then", "time", "until", "while"];

const NUMBER_TESTS: [&str; 6] = [" -eq", " -ne", " -lt", " -le", " -gt", " -ge"];

/// The quotes that are open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Quotes {
    None,
    Double,
    Single,
    Comment,
}

/// Syntax that has an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Nested {
    /// `(…)` and `$(…)`.
    Parentheses,
    /// `x=(…)`.
    Array,
    /// `((…))` and `$((…))`; each is two levels.
    Arithmetic,
    /// `x[…]` and `$[…]`.
    Brackets,
    /// `${…}`.
    Braces,
    Backticks,
}

/// What the current word is, if it follows a redirection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Target {
    None,
    File,
    /// After `>&`, which `bash` expands twice.
    Duplication,
}

/// The simple command that is read.
#[derive(Clone, Copy, Debug)]
struct SimpleCommand {
    /// The first bytes of the current word, without quotes.
    word: [u8; 8],
    length: u8,
    target: Target,
    /// Whether the name of the command is not complete.
    is_start: bool,
    is_test: bool,
    evaluates: Evaluates,
}

impl SimpleCommand {
    const START: Self = Self {
        word: [0; 8],
        length: 0,
        target: Target::None,
        is_start: true,
        is_test: false,
        evaluates: Evaluates::Nothing,
    };

    fn push(&mut self, byte: u8) {
        if let Some(free) = self.word.get_mut(usize::from(self.length)) {
            *free = byte;
        }
        self.length = self.length.saturating_add(1);
    }

    fn end_word(&mut self) {
        if self.length == 0 {
            return;
        }
        let word = self.word.get(..self.length.into()).and_then(|word| str::from_utf8(word).ok());
        let word = word.unwrap_or_default();
        let is_assignment = self.word.contains(&b'=');
        if self.target != Target::None {
            // The name of a file.
        } else if self.is_start && !is_assignment && !BEFORE_COMMAND.contains(&word) {
            self.is_start = false;
            self.is_test = word == "[[";
            let known = EVALUATING.iter().find(|(name, _)| *name == word);
            self.evaluates = known.map_or(Evaluates::Nothing, |(_, evaluates)| *evaluates);
        } else if self.is_test && word == "]]" {
            *self = Self { is_start: false, ..Self::START };
        } else if match self.evaluates {
            Evaluates::AfterV => word == "-v",
            Evaluates::AfterOption => word.starts_with('-'),
            Evaluates::Nothing | Evaluates::Words => false,
        } {
            self.evaluates = Evaluates::Words;
        }
        (self.word, self.length, self.target) = ([0; 8], 0, Target::None);
    }

    fn end(&mut self) {
        self.end_word();
        if !self.is_test {
            *self = Self::START;
        }
    }
}

/// Maximum depth of syntax with values in it.
const MAX_DEPTH: usize = 12;

/// Reads the literal text of a command.
#[derive(Clone, Copy, Debug)]
pub(super) struct ShellReader {
    quotes: Quotes,
    escaped: bool,
    /// The last three bytes, the newest one last.
    last: [u8; 3],
    command: SimpleCommand,
    /// Open syntax, with the quotes and the command around it.
    nested: [(Nested, Quotes, SimpleCommand); MAX_DEPTH],
    depth: usize,
    here_document: bool,
    too_deep: bool,
    /// Whether a `[[` of the command compares numbers.
    compares_numbers: bool,
}

impl ShellReader {
    /// Creates a reader for `command`, without reading it.
    pub(super) fn new(command: &str) -> Self {
        Self {
            quotes: Quotes::None,
            escaped: false,
            last: [b'\n'; 3],
            command: SimpleCommand::START,
            nested: [(Nested::Braces, Quotes::None, SimpleCommand::START); MAX_DEPTH],
            depth: 0,
            here_document: false,
            too_deep: false,
            compares_numbers: command.contains("[[")
                && NUMBER_TESTS.iter().any(|test| command.contains(test)),
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

    /// Reads a value.
    pub(super) fn skip_value(&mut self) {
        self.command.push(b'x');
        self.remember(b'x');
    }

    /// Returns the context of a value that follows.
    ///
    /// # Errors
    ///
    /// The place in which it is refused, such as "in arithmetic".
    pub(super) fn quote_context(&self) -> Result<QuoteContext, &'static str> {
        let is_in = |nested| self.open().any(|(open, ..)| *open == nested);
        let command = &self.command;
        match self.quotes {
            Quotes::Comment => Ok(QuoteContext::Outside),
            _ if self.here_document || self.ends_with_here_document() => Err(HERE_DOCUMENT),
            _ if self.escaped => Err("after a backslash"),
            Quotes::None | Quotes::Double if self.last[2] == b'$' => Err("after a `$`"),
            _ if self.too_deep => Err("in deeply nested syntax"),
            _ if is_in(Nested::Arithmetic) => Err(ARITHMETIC),
            _ if is_in(Nested::Brackets) => Err("in `[…]`"),
            _ if is_in(Nested::Braces) => Err("in `${…}`"),
            _ if command.is_test && self.compares_numbers => Err(ARITHMETIC),
            _ if command.target == Target::Duplication => Err(DUPLICATION),
            _ if command.target == Target::None && command.evaluates == Evaluates::Words => {
                Err(EVALUATED)
            }
            Quotes::None => Ok(QuoteContext::Outside),
            Quotes::Double => Ok(QuoteContext::Double),
            Quotes::Single => Ok(QuoteContext::Single),
        }
    }

    /// Returns the open syntax, outermost first.
    fn open(&self) -> impl DoubleEndedIterator<Item = &(Nested, Quotes, SimpleCommand)> {
        self.nested[..self.depth].iter()
    }

    fn innermost(&self) -> Option<Nested> {
        self.open().next_back().map(|(nested, ..)| *nested)
    }

    /// Returns whether the text ends with `<<` rather than `<<<`.
    fn ends_with_here_document(&self) -> bool {
        self.quotes == Quotes::None && self.last != *b"<<<" && self.last[1..] == *b"<<"
    }

    fn remember(&mut self, byte: u8) {
        self.last = [self.last[1], self.last[2], byte];
    }

    fn byte(&mut self, byte: u8) {
        let before = self.last[2];
        if core::mem::take(&mut self.escaped) {
            if byte != b'\n' {
                self.command.push(byte);
                self.remember(b'x');
            }
            return;
        }
        self.here_document |= byte != b'<' && self.ends_with_here_document();
        let is_expansion = before == b'$' && self.quotes != Quotes::Single;
        match (self.quotes, byte) {
            (Quotes::Single, b'\'') => self.quotes = Quotes::None,
            (Quotes::Comment, b'\n') => {
                self.quotes = Quotes::None;
                self.command.end();
            }
            (Quotes::Comment, _) => {}
            (Quotes::Single, _) => self.command.push(byte),
            // `$$`, `$?` and so on are complete.
            (_, b'$' | b'?' | b'!' | b'#' | b'@' | b'*' | b'-' | b'0'..=b'9') if is_expansion => {
                return self.skip_value();
            }
            (_, b'\\') => {
                self.escaped = true;
                return;
            }
            (Quotes::Double, b'"') => self.quotes = Quotes::None,
            (_, b'`') if self.innermost() == Some(Nested::Backticks) => return self.leave(),
            (_, b'`') => self.enter(Nested::Backticks),
            (_, b'{') if is_expansion => self.enter_inside(Nested::Braces, self.quotes),
            (_, b'[') if is_expansion => self.enter_inside(Nested::Brackets, self.quotes),
            (_, b'(') if is_expansion => self.enter(Nested::Parentheses),
            (_, b'}') if self.innermost() == Some(Nested::Braces) => return self.leave(),
            (_, b']') if self.innermost() == Some(Nested::Brackets) => return self.leave(),
            (Quotes::Double, _) => self.command.push(byte),
            (Quotes::None, _) => return self.outside(byte, before),
        }
        self.remember(byte);
    }

    /// Reads a byte outside of quotes.
    fn outside(&mut self, byte: u8, before: u8) {
        let is_word = self.command.length > 0;
        match byte {
            b'\'' => self.quotes = Quotes::Single,
            b'"' => self.quotes = Quotes::Double,
            b'(' if before == b'(' && self.innermost() == Some(Nested::Parentheses) => {
                self.nested[self.depth - 1].0 = Nested::Arithmetic;
                self.enter(Nested::Arithmetic);
            }
            b'(' if self.innermost() == Some(Nested::Arithmetic) => self.enter(Nested::Arithmetic),
            b'(' if before == b'=' => self.enter(Nested::Array),
            b'(' => self.enter(Nested::Parentheses),
            b')' if matches!(
                self.innermost(),
                Some(Nested::Parentheses | Nested::Array | Nested::Arithmetic)
            ) =>
            {
                self.leave();
                if before == b'(' {
                    // `f()`: its commands follow.
                    self.command = SimpleCommand::START;
                }
                return;
            }
            b'[' if before.is_ascii_alphanumeric()
                || before == b'_'
                || self.innermost() == Some(Nested::Array) =>
            {
                self.enter_inside(Nested::Brackets, Quotes::None);
            }
            b'#' if !is_word => self.quotes = Quotes::Comment,
            b' ' | b'\t' => {
                // Blanks are allowed between a redirection and its word.
                if is_word {
                    self.command.end_word();
                }
            }
            b'<' | b'>' => {
                self.command.end_word();
                self.command.target = Target::File;
            }
            b'&' if before == b'>' => self.command.target = Target::Duplication,
            b'\n' | b';' | b'&' | b'|' | b')' => self.command.end(),
            _ => self.command.push(byte),
        }
        self.remember(byte);
    }

    /// Enters syntax that contains commands.
    fn enter(&mut self, nested: Nested) {
        self.enter_inside(nested, Quotes::None);
        self.command = SimpleCommand::START;
    }

    /// Enters syntax with `quotes` at its start.
    fn enter_inside(&mut self, nested: Nested, quotes: Quotes) {
        match self.nested.get_mut(self.depth) {
            Some(level) => {
                *level = (nested, self.quotes, self.command);
                self.depth += 1;
                self.quotes = quotes;
            }
            None => self.too_deep = true,
        }
    }

    /// Leaves the innermost syntax, which is part of a word.
    fn leave(&mut self) {
        self.depth -= 1;
        (_, self.quotes, self.command) = self.nested[self.depth];
        self.skip_value();
    }
}
