//! The commands into which values are inserted.
//!
//! The text for a shell begins with an assignment for each value, in single quotes:
//! `` !`git log -- $0` `` becomes `SKILL_VALUE_1='a b'`, a line feed, and
//! `git log -- "${SKILL_VALUE_1}"`. A shell reads the value only as part of the assignment, which
//! is complete before it reads the first character of the command. Values are assigned, and not
//! passed as environment variables or positional parameters, because the text is then complete for
//! every shell that a host uses, and child processes do not inherit the values.
//!
//! What a shell does with a variable depends on the command around it: it splits unquoted ones, and
//! evaluates the content of others. A command with a value is therefore parsed by a small grammar,
//! which all shells read in the same way, and anything else is refused:
//!
//! ```text
//! list      command, joined by | && || ; or line ends
//! command   NAME=literal … name word … redirections, or NAME=word alone
//! word      plain characters, values, '…' without values, "…"
//! "…"       text, values, $NAME, ${NAME}, $?, $(list)
//! ```
//!
//! Wildcards are allowed in words without a value. [`check`] has the commands that a shell
//! runs itself, and refuses values that a program could read as an option.

use alloc::{string::String, vec::Vec};

/// Stands for an inserted text in a command. A shell cannot get this character.
pub(super) const INSERTED: char = '\0';

/// The quotes around an inserted text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quotes {
    None,
    Double,
    Single,
}

/// A command of the grammar.
#[derive(Debug, Default)]
pub(super) struct Parsed {
    /// The quotes around each inserted text, in order.
    pub(super) quotes: Vec<Quotes>,
    /// The variables that the command sets to values, each after a blank.
    pub(super) assigned: String,
}

// What to write instead of a command that is not of the grammar.
const CHARACTERS: &str = "write characters other than letters, digits and `_-./:,+@%=` in quotes, \
    and join commands with `|`, `&&`, `||`, `;` or line ends only";
const EXPANSIONS: &str = "write `$NAME`, `${NAME}`, `$?` and `$(…)` in `\"…\"`, and instead of \
    other expansions and backticks a program, such as `expr $0 + 1`";
const SINGLE_QUOTES: &str = "write a value in `\"…\"` instead of `'…'`, or `\\$0` if the program \
    reads `$0`";
const WILDCARDS: &str = "write a value and a wildcard or `~` in two words, or all in `\"…\"`";
const NAME: &str = "begin each command with the name of a program, without quotes, `=`, `$` or a \
    value: `git log -- $0`";
const OWN_WORD: &str = "write `&&` and `||` instead of `if`, longer code in a script, and of the \
    shell's own words only `echo`, `cd`, `pwd`, `printf`, `test`, `[`, `true`, `false` and `:`";
const PRINTF: &str = "write `printf` with a fixed format and no option: `printf '%s' $0`";
const TEST: &str = "write `test` or `[` with one of `-n -z -e -f -d -r -s -x` before one word, or \
    with `=` or `!=` between two, and join several with `&&` or `||`";
const ASSIGNMENT: &str = "set a variable to a value in a command of its own, with a name in lower \
    case: `name=$0`";
const REDIRECTION: &str = "write `<`, `>`, `>>`, `2>` or `2>&1` after a blank, behind the name of \
    a command, to a word without a value, and `| tee -- $0` for one with a value";
const OPTION: &str = "the value begins with `-` and could be an option: pass another one, or write \
    `--` before it in the command";
const NESTING: &str = "close every quote and every `$(`, and nest at most 8 of these";

/// The reserved words, builtins and default aliases of shells, from the manuals of bash 5, dash,
/// busybox sh and mksh. Not in the list are those that [`check`] allows, and `cat`,
/// `mknod`, `realpath`, `rename` and `sleep`, which mksh has as builtins and which do what the
/// programs do.
const OWN_WORDS: &str = " ! . [[ ]] alias autoload bg bind break builtin caller case chdir command \
    compgen complete compopt continue coproc declare dirs disown do done elif else enable esac \
    eval exec exit export extproc fc fg fi for function functions getopts global hash help \
    history if in integer jobs kill let local login logout mapfile nameref newgrp nohup popd \
    print pushd r read readarray readonly return select set shift shopt source stop suspend then \
    time times trap type typeset ulimit umask unalias unset until wait whence while { } ";

/// The variables with a name in lower case that these shells read.
const READ_BY_SHELLS: [&str; 2] = ["auto_resume", "histchars"];

/// Maximum number of nested `$(…)`.
const MAX_DEPTH: usize = 8;

/// Parses a command in which each inserted text is [`INSERTED`]. `values` has the values, and
/// `None` for a text of the host.
///
/// # Errors
///
/// What to write instead, if the command is not of the grammar.
pub(super) fn parse(command: &str, values: &[Option<&str>]) -> Result<Parsed, &'static str> {
    let mut parser = Parser { rest: command, values, depth: 0, parsed: Parsed::default() };
    parser.list()?;
    if parser.rest.is_empty() { Ok(parser.parsed) } else { Err(CHARACTERS) }
}

/// A word of a command.
#[derive(Debug, Default)]
struct Word {
    /// The text without quotes, with [`INSERTED`] for inserted texts, except for empty values.
    text: String,
    /// Whether it has a value, a variable or `$(…)`.
    expands: bool,
    has_value: bool,
    /// Whether it has a wildcard, or a parameter that is empty.
    has_wildcard: bool,
    is_quoted: bool,
    /// Whether it begins with a value that begins with `-`.
    is_option: bool,
}

/// Checks the name of a command, and the words of commands that a shell runs itself.
fn check(command: &[Word]) -> Result<(), &'static str> {
    let Some((name, words)) = command.split_first() else { return Err(NAME) };
    let text = name.text.trim_start_matches(INSERTED);
    let of_host = text.len() < name.text.len();
    let is_path = text.starts_with('/');
    match text {
        _ if name.expands || ((of_host || name.is_quoted) && !is_path) => Err(NAME),
        own if OWN_WORDS.split(' ').any(|word| word == own) => Err(OWN_WORD),
        "[" => match words.split_last() {
            Some((end, words)) if end.is("]") && is_condition(words) => Ok(()),
            _ => Err(TEST),
        },
        text if name.has_wildcard || text.contains(['=', INSERTED]) => Err(NAME),
        "test" if !is_condition(words) => Err(TEST),
        "printf" if !words.first().is_some_and(Word::is_format) => Err(PRINTF),
        "echo" | "cd" | "pwd" | "printf" | "test" | "true" | "false" | ":" => Ok(()),
        _ => match words.iter().take_while(|word| !word.is("--")).any(|word| word.is_option) {
            true => Err(OPTION),
            false => Ok(()),
        },
    }
}

/// Returns whether words are one of the conditions of `test` that no value can change.
fn is_condition(words: &[Word]) -> bool {
    match words {
        [operator, word] => {
            let all = ["-n", "-z", "-e", "-f", "-d", "-r", "-s", "-x"];
            all.into_iter().any(|known| operator.is(known)) && !word.has_wildcard
        }
        [left, operator, right] => {
            let has_wildcard = left.has_wildcard || right.has_wildcard;
            (operator.is("=") || operator.is("!=")) && !has_wildcard
        }
        _ => false,
    }
}

impl Word {
    /// Returns whether the word is always `text`.
    fn is(&self, text: &str) -> bool {
        !self.expands && self.text == text
    }

    /// Returns whether the word is a format that only prints words: not `%n` of `bash`, which sets
    /// a variable.
    fn is_format(&self) -> bool {
        let is_conversion = |text: &str| {
            let text = text.trim_start_matches(|c| "-.0123456789".contains(c));
            text.starts_with(['s', 'b', 'c', 'd', 'i', 'u', 'x', 'f'])
        };
        let is_literal = !self.expands && !self.has_wildcard && !self.text.starts_with('-');
        is_literal && self.text.replace("%%", "").split('%').skip(1).all(is_conversion)
    }
}

/// Reads a command.
#[derive(Debug)]
struct Parser<'c, 'v> {
    rest: &'c str,
    values: &'v [Option<&'v str>],
    depth: usize,
    parsed: Parsed,
}

impl<'c> Parser<'c, '_> {
    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let mut chars = self.rest.chars();
        let next = chars.next();
        self.rest = chars.as_str();
        next
    }

    /// Reads `text` if it follows.
    fn eat(&mut self, text: &str) -> bool {
        let rest = self.rest.strip_prefix(text);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    /// Returns whether one of these characters follows, or the end.
    fn is_at(&self, ends: &[char]) -> bool {
        self.peek().is_none_or(|c| ends.contains(&c))
    }

    fn ends_word(&self) -> bool {
        self.is_at(&[' ', '\t', '\n', ';', '&', '|', ')'])
    }

    fn ends_command(&self) -> bool {
        self.is_at(&['\n', ';', '&', '|', ')'])
    }

    fn is_at_redirection(&self) -> bool {
        self.rest.starts_with(['<', '>'])
    }

    /// Reads blanks, and line ends with a backslash, which continue the line.
    fn blanks(&mut self) {
        while self.eat(" ") || self.eat("\t") || self.eat("\\\n") {}
    }

    /// Reads blanks and line ends.
    fn lines(&mut self) {
        while self.eat(" ") || self.eat("\t") || self.eat("\n") || self.eat("\\\n") {}
    }

    /// Reads commands up to the end or a `)`.
    fn list(&mut self) -> Result<(), &'static str> {
        self.lines();
        loop {
            self.command()?;
            let continues = self.eat("&&") || self.eat("||") || self.eat("|");
            if !continues && !self.eat(";") && !self.eat("\n") {
                return Ok(());
            }
            self.lines();
            if !continues && self.is_at(&[')']) {
                return Ok(());
            }
        }
    }

    /// Reads a simple command.
    fn command(&mut self) -> Result<(), &'static str> {
        let mut is_first = true;
        while let Some(name) = self.assigned_name() {
            let expands = match self.eat("$(") {
                true => self.substitution().map(|()| true)?,
                false => self.word()?.expands,
            };
            self.blanks();
            if expands {
                let is_read = READ_BY_SHELLS.contains(&name)
                    || !name.starts_with(|c: char| c.is_ascii_lowercase())
                    || name.contains(|c: char| c.is_ascii_uppercase());
                if is_read || !is_first || !self.ends_command() {
                    return Err(ASSIGNMENT);
                }
                self.parsed.assigned.extend([" ", name]);
            }
            if self.ends_command() {
                return Ok(());
            }
            is_first = false;
        }
        let mut command = Vec::new();
        while !self.ends_command() {
            let word = self.word()?;
            if self.is_at_redirection() {
                // `2>` is a redirection, and `12>` or `x>` are read in several ways.
                let is_descriptor = matches!(word.text.as_bytes(), [] | [b'0'..=b'9'])
                    && !(word.is_quoted || word.expands || word.has_wildcard);
                if command.is_empty() || !is_descriptor {
                    return Err(REDIRECTION);
                }
                self.redirection()?;
            } else {
                command.push(word);
            }
            self.blanks();
        }
        check(&command)
    }

    /// Reads `NAME=`, if it follows.
    fn assigned_name(&mut self) -> Option<&'c str> {
        let (name, rest) = self.rest.split_at(self.rest.find(|c| !is_name_char(c))?);
        let is_name = name.starts_with(|c: char| !c.is_ascii_digit());
        self.rest = rest.strip_prefix('=').filter(|_| is_name)?;
        Some(name)
    }

    fn redirection(&mut self) -> Result<(), &'static str> {
        if self.eat(">&") {
            let is_digit = self.next().is_some_and(|c| c.is_ascii_digit());
            return if is_digit && self.ends_word() { Ok(()) } else { Err(REDIRECTION) };
        }
        let _ = self.eat("<") || self.eat(">>") || self.eat(">");
        self.blanks();
        let is_empty = self.ends_word() || self.is_at_redirection();
        if is_empty || self.word()?.has_value || !self.ends_word() {
            return Err(REDIRECTION);
        }
        Ok(())
    }

    /// Reads a word up to a character that ends it.
    fn word(&mut self) -> Result<Word, &'static str> {
        let mut word = Word::default();
        while !self.ends_word() && !self.is_at_redirection() {
            match self.next().unwrap_or_default() {
                INSERTED => self.insert(&mut word, Quotes::None),
                '\'' => self.single_quotes(&mut word)?,
                '"' => self.double_quotes(&mut word)?,
                // An index without an argument: a parameter that nothing sets.
                '$' if self.peek().is_some_and(|c| c.is_ascii_digit()) => {
                    self.next();
                    word.has_wildcard = true;
                }
                '$' => return Err(EXPANSIONS),
                c if c.is_ascii_alphanumeric() || "_-./:,+@%=".contains(c) => word.text.push(c),
                c if "*?[]{}~^!".contains(c) => {
                    word.text.push(c);
                    word.has_wildcard |= !matches!(&*word.text, "[" | "]") || !self.ends_word();
                }
                _ => return Err(CHARACTERS),
            }
        }
        if word.expands && word.has_wildcard { Err(WILDCARDS) } else { Ok(word) }
    }

    /// Inserts the next text.
    fn insert(&mut self, word: &mut Word, quotes: Quotes) {
        let value = self.values[self.parsed.quotes.len()];
        self.parsed.quotes.push(quotes);
        word.has_value |= value.is_some();
        word.expands |= value.is_some();
        word.is_option |= value.is_some_and(|value| value.starts_with('-')) && word.text.is_empty();
        if value != Some("") {
            word.text.push(INSERTED);
        }
    }

    fn single_quotes(&mut self, word: &mut Word) -> Result<(), &'static str> {
        word.is_quoted = true;
        loop {
            match self.next().ok_or(NESTING)? {
                '\'' => return Ok(()),
                INSERTED => {
                    self.insert(word, Quotes::Single);
                    if word.has_value {
                        return Err(SINGLE_QUOTES);
                    }
                }
                c => word.text.push(c),
            }
        }
    }

    fn double_quotes(&mut self, word: &mut Word) -> Result<(), &'static str> {
        word.is_quoted = true;
        loop {
            match self.next().ok_or(NESTING)? {
                '"' => return Ok(()),
                INSERTED => self.insert(word, Quotes::Double),
                '`' => return Err(EXPANSIONS),
                '\\' => match self.next() {
                    None | Some('`' | INSERTED) => return Err(CHARACTERS),
                    // A word with a backslash is none that is compared with others.
                    Some(c) => word.text.extend(['\\', c]),
                },
                '$' => self.expansion(word)?,
                c => word.text.push(c),
            }
        }
    }

    /// Reads an expansion in double quotes, after its `$`.
    fn expansion(&mut self, word: &mut Word) -> Result<(), &'static str> {
        match self.peek() {
            // An index without an argument.
            Some('0'..='9' | '?') => drop(self.next()),
            // It is not an expansion: `"^(dev|prod)$"`.
            Some('"' | '|' | ')' | ' ') => word.text.push('$'),
            Some('(') if self.eat("(") => {
                word.expands = true;
                self.substitution()?;
            }
            _ => {
                word.expands = true;
                let is_braced = self.eat("{");
                let length = self.rest.len();
                self.rest = self.rest.trim_start_matches(is_name_char);
                if self.rest.len() == length || (is_braced && !self.eat("}")) {
                    return Err(EXPANSIONS);
                }
            }
        }
        Ok(())
    }

    /// Reads the commands of a `$(…)`, after its parenthesis.
    fn substitution(&mut self) -> Result<(), &'static str> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(NESTING);
        }
        self.list()?;
        self.depth -= 1;
        if self.eat(")") { Ok(()) } else { Err(NESTING) }
    }
}

const fn is_name_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}
