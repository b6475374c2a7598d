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

use alloc::{string::String, vec::Vec};
use core::mem;

/// The quotes that are open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Quotes {
    #[default]
    None,
    Double,
    Single,
    /// From a `#` to the end of its line.
    Comment,
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

/// Words that a command can follow.
const BEFORE_COMMAND: [&str; 12] =
    ["!", "{", "builtin", "command", "do", "elif", "else", "if", "then", "time", "until", "while"];

/// Commands of `bash` that evaluate their words.
const EVALUATING: [&str; 8] =
    ["compgen", "declare", "eval", "let", "read", "trap", "typeset", "unset"];

/// The simple command that is read.
#[derive(Debug, Default)]
struct SimpleCommand {
    /// The name of the command, empty until it is complete.
    name: String,
    /// The current word, without quotes.
    word: String,
    /// Whether the current word is the target of a redirection.
    is_target: bool,
    /// Whether the current word follows `>&`. `bash` expands it twice.
    is_duplicated: bool,
    /// Whether the command evaluates the words that follow.
    evaluates: bool,
}

impl SimpleCommand {
    fn end_word(&mut self) {
        let word = mem::take(&mut self.word);
        if word.is_empty() {
            // Blanks are allowed between a redirection and its word.
            return;
        }
        let is_target = mem::take(&mut self.is_target);
        self.is_duplicated = false;
        match (&*self.name, &*word) {
            _ if is_target => {}
            ("", word) if word.contains('=') || BEFORE_COMMAND.contains(&word) => {}
            ("", name) => {
                self.evaluates = EVALUATING.contains(&name);
                self.name = word;
            }
            ("[[", "]]") => {
                self.evaluates = false;
                self.name = word;
            }
            ("[" | "[[" | "printf" | "test", "-v") => self.evaluates = true,
            ("local", option) if option.starts_with('-') => self.evaluates = true,
            _ => {}
        }
    }

    fn end(&mut self) {
        self.end_word();
        if !self.is_test() {
            *self = Self::default();
        }
    }

    fn is_test(&self) -> bool {
        self.name == "[["
    }
}

/// Syntax that has an end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Syntax {
    /// The whole command.
    #[default]
    Command,
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

/// Open syntax, with the quotes and the simple command inside it.
#[derive(Debug, Default)]
struct Level {
    syntax: Syntax,
    quotes: Quotes,
    command: SimpleCommand,
}

/// Maximum depth of syntax with values in it, because each value looks at all open levels.
const MAX_DEPTH: usize = 12;

/// Reads the literal text of a command.
#[derive(Debug)]
pub(super) struct ShellReader {
    /// The innermost open syntax.
    level: Level,
    /// The syntax around it, outermost first.
    outer: Vec<Level>,
    too_deep: bool,
    escaped: bool,
    last: char,
    /// The number of `<` at the end of the text.
    less_thans: usize,
    here_document: bool,
    /// Whether a `[[` of the command compares numbers.
    compares_numbers: bool,
}

impl ShellReader {
    /// Creates a reader for `command`, without reading it.
    pub(super) fn new(command: &str) -> Self {
        Self {
            level: Level::default(),
            outer: Vec::new(),
            too_deep: false,
            escaped: false,
            last: '\n',
            less_thans: 0,
            here_document: false,
            compares_numbers: command.contains("[[")
                && [" -eq", " -ne", " -lt", " -le", " -gt", " -ge"]
                    .iter()
                    .any(|test| command.contains(test)),
        }
    }

    /// Reads literal text of the command, without the carriage returns of its line ends.
    pub(super) fn read(&mut self, text: &str) {
        text.replace("\r\n", "\n").chars().for_each(|c| self.read_char(c));
    }

    /// Reads a value, which is part of a word.
    pub(super) fn skip_value(&mut self) {
        self.level.command.word.push('x');
        self.remember('x');
    }

    /// Returns the quotes around a value that follows.
    ///
    /// # Errors
    ///
    /// The place in which it is refused, such as "in arithmetic".
    pub(super) fn quotes(&self) -> Result<Quotes, &'static str> {
        let Level { syntax, quotes, command } = &self.level;
        let is_in =
            |other| *syntax == other || self.outer.iter().any(|level| level.syntax == other);
        match quotes {
            _ if self.too_deep => Err("in deeply nested syntax"),
            Quotes::Comment => Ok(*quotes),
            _ if self.here_document || self.ends_with_here_document() => Err(HERE_DOCUMENT),
            _ if self.escaped => Err("after a backslash"),
            Quotes::None | Quotes::Double if self.last == '$' => Err("after a `$`"),
            _ if is_in(Syntax::Arithmetic) => Err(ARITHMETIC),
            _ if is_in(Syntax::Brackets) => Err("in `[…]`"),
            _ if is_in(Syntax::Braces) => Err("in `${…}`"),
            _ if command.is_test() && self.compares_numbers => Err(ARITHMETIC),
            _ if command.is_duplicated => Err(DUPLICATION),
            _ if command.evaluates && !command.is_target => Err(EVALUATED),
            _ => Ok(*quotes),
        }
    }

    /// Returns whether the text ends with `<<` rather than `<<<`.
    fn ends_with_here_document(&self) -> bool {
        self.level.quotes == Quotes::None && self.less_thans == 2
    }

    fn remember(&mut self, c: char) {
        self.last = c;
        self.less_thans = if c == '<' { self.less_thans + 1 } else { 0 };
    }

    fn read_char(&mut self, c: char) {
        if mem::take(&mut self.escaped) {
            // A backslash before a line feed continues the line.
            if c != '\n' {
                self.level.command.word.push(c);
                self.remember('x');
            }
            return;
        }
        self.here_document |= c != '<' && self.ends_with_here_document();
        if c == '\\' && matches!(self.level.quotes, Quotes::None | Quotes::Double) {
            self.escaped = true;
            return;
        }
        let before = self.last;
        self.remember(c);
        match self.level.quotes {
            Quotes::Comment if c == '\n' => {
                self.level.quotes = Quotes::None;
                self.level.command.end();
            }
            Quotes::Comment => {}
            Quotes::Single if c == '\'' => self.level.quotes = Quotes::None,
            Quotes::Single => self.level.command.word.push(c),
            Quotes::None | Quotes::Double => self.read_expandable(c, before),
        }
    }

    /// Reads a character that may be part of an expansion.
    fn read_expandable(&mut self, c: char, before: char) {
        let is_expansion = before == '$';
        let Level { syntax, quotes, command } = &mut self.level;
        match c {
            // `$$`, `$?` and so on are complete.
            '$' | '?' | '!' | '#' | '@' | '*' | '-' | '0'..='9' if is_expansion => {
                self.skip_value();
            }
            '{' if is_expansion => self.enter(Syntax::Braces),
            '[' if is_expansion => self.enter(Syntax::Brackets),
            '(' if is_expansion => self.enter(Syntax::Parentheses),
            '}' if *syntax == Syntax::Braces => self.leave(),
            ']' if *syntax == Syntax::Brackets => self.leave(),
            '`' if *syntax == Syntax::Backticks => self.leave(),
            '`' => self.enter(Syntax::Backticks),
            '"' if *quotes == Quotes::Double => *quotes = Quotes::None,
            '"' => *quotes = Quotes::Double,
            _ if *quotes == Quotes::Double => command.word.push(c),
            _ => self.read_unquoted(c, before),
        }
    }

    /// Reads a character outside of quotes that is not part of an expansion.
    fn read_unquoted(&mut self, c: char, before: char) {
        let Level { syntax, quotes, command } = &mut self.level;
        match (c, *syntax) {
            ('\'', _) => *quotes = Quotes::Single,
            ('(', Syntax::Parentheses) if before == '(' => {
                *syntax = Syntax::Arithmetic;
                self.enter(Syntax::Arithmetic);
            }
            ('(', Syntax::Arithmetic) => self.enter(Syntax::Arithmetic),
            ('(', _) if before == '=' => self.enter(Syntax::Array),
            ('(', _) => self.enter(Syntax::Parentheses),
            (')', Syntax::Parentheses | Syntax::Array | Syntax::Arithmetic) => {
                self.leave();
                if before == '(' {
                    // `f()`: its commands follow.
                    self.level.command = SimpleCommand::default();
                }
            }
            ('[', _)
                if before.is_ascii_alphanumeric() || before == '_' || *syntax == Syntax::Array =>
            {
                self.enter(Syntax::Brackets);
            }
            ('#', _) if command.word.is_empty() => *quotes = Quotes::Comment,
            (' ' | '\t', _) => command.end_word(),
            ('<' | '>', _) => {
                command.end_word();
                command.is_target = true;
                command.is_duplicated = false;
            }
            ('&', _) if before == '>' => command.is_duplicated = true,
            ('\n' | ';' | '&' | '|' | ')', _) => command.end(),
            _ => command.word.push(c),
        }
    }

    fn enter(&mut self, syntax: Syntax) {
        if self.outer.len() == MAX_DEPTH {
            self.too_deep = true;
            return;
        }
        let mut inner = Level { syntax, ..Level::default() };
        if matches!(syntax, Syntax::Braces | Syntax::Brackets) {
            // It continues a word and its quotes. The others start with a command.
            inner.quotes = self.level.quotes;
            inner.command.word.push('x');
        }
        self.outer.push(mem::replace(&mut self.level, inner));
    }

    /// Leaves the innermost syntax, which is part of a word.
    fn leave(&mut self) {
        if let Some(outer) = self.outer.pop() {
            self.level = outer;
        }
        self.skip_value();
    }
}
