//! Problems with a text, and where they are.

use std::fmt;

/// A place in a text: line and column start at 1, columns count Unicode scalar values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
}

impl Position {
    /// The place of the byte `offset` of `text`; past the end is the end.
    ///
    /// ```
    /// use helix_skills_format::Position;
    /// assert_eq!(Position::from_offset("ab\ncé!", 6), Position { line: 2, column: 3 });
    /// ```
    #[must_use]
    pub fn from_offset(text: &str, offset: usize) -> Self {
        let mut end = offset.min(text.len());
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let before = &text[..end];
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Self {
            line: count(before.bytes().filter(|b| *b == b'\n').count()).saturating_add(1),
            column: count(before[line_start..].chars().count()).saturating_add(1),
        }
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// A problem with a text. Match on [`Finding::code`], not on the message.
///
/// `Display` is the message alone, one line; the place and the hint are separate.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// The kind of problem.
    pub code: Code,
    /// Where in the text, if it has a place.
    pub at: Option<Position>,
    /// The message, in one line: lower case, no full stop, values in backticks.
    pub message: String,
    /// How to fix it.
    pub hint: Option<String>,
    /// The file of the skill that it is in, where that is not the text that was read.
    pub file: Option<String>,
}

impl Finding {
    /// A finding at a place.
    #[must_use]
    pub fn new(code: Code, at: impl Into<Option<Position>>, message: impl Into<String>) -> Self {
        Self { code, at: at.into(), message: message.into(), hint: None, file: None }
    }

    /// The same finding with a hint how to fix it.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The same finding in another file of the skill.
    #[must_use]
    pub fn in_file(mut self, path: impl Into<String>) -> Self {
        self.file = Some(path.into());
        self
    }
}

/// Sorts findings by their position in the file, those without a position first.
///
/// One function, because each caller's own sort would be compiled once more.
pub(crate) fn sort(findings: &mut [Finding]) {
    findings.sort_by_key(|finding| finding.at);
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Finding {}

/// The severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Severity {
    /// Not reported.
    Silent,
    /// Reported on request; nothing has to be fixed.
    Note,
    /// Reported; the text is used all the same.
    Warning,
    /// The text cannot be used.
    Error,
}

impl Severity {
    /// The name in every kind of output; a silent finding has that of a note.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note | Self::Silent => "note",
        }
    }
}

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $text:literal, baking $baking:ident, strict $strict:ident;)*) => {
        /// The kind of a [`Finding`]. The name of each code is stable and kebab-case.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Code { $($(#[$doc])* $name,)* }

        impl Code {
            /// All codes.
            pub const ALL: &[Self] = &[$(Self::$name,)*];

            /// The code with this name.
            #[must_use]
            pub fn parse(name: &str) -> Option<Self> { Self::ALL.iter().copied().find(|code| code.as_str() == name) }
            /// The stable name, as in `--json`.
            #[must_use]
            pub fn as_str(self) -> &'static str { match self { $(Self::$name => $text,)* } }
            /// The severity when a skill is baked or loaded.
            #[must_use]
            pub fn when_baking(self) -> Severity { match self { $(Self::$name => Severity::$baking,)* } }
            /// The severity for `skills validate`.
            #[must_use]
            pub fn when_validating(self) -> Severity { match self { $(Self::$name => Severity::$strict,)* } }
        }
    };
}

codes! {
    /// Not the syntax of the format.
    Syntax = "syntax", baking Error, strict Error;
    /// A merge left its markers.
    ConflictMarkers = "conflict-markers", baking Error, strict Error;
    /// Written by a newer version of this program.
    NewerVersion = "newer-version", baking Error, strict Error;
    /// The text is larger than the format allows.
    TooLarge = "too-large", baking Error, strict Error;
    /// The same key twice.
    DuplicateKey = "duplicate-key", baking Error, strict Error;
    /// A key that the format does not know.
    UnknownKey = "unknown-key", baking Error, strict Error;
    /// A key that must be there is not.
    MissingKey = "missing-key", baking Error, strict Error;
    /// Two keys that exclude each other.
    ConflictingKeys = "conflicting-keys", baking Error, strict Error;
    /// A value of the wrong type.
    WrongType = "wrong-type", baking Error, strict Error;
    /// A value of the right type that is not allowed.
    BadValue = "bad-value", baking Error, strict Error;
    /// A URL that is refused.
    BadUrl = "bad-url", baking Error, strict Error;
    /// A path that is refused.
    BadPath = "bad-path", baking Error, strict Error;
    /// A name that is refused.
    BadName = "bad-name", baking Error, strict Error;
    /// Lines that are not in the order the format has.
    Unsorted = "unsorted", baking Error, strict Error;

    // What can be wrong with the plugin of a marketplace.
    /// A plugin that the marketplace does not have.
    UnknownPlugin = "unknown-plugin", baking Error, strict Error;
    /// A plugin that the marketplace had once.
    RemovedPlugin = "removed-plugin", baking Error, strict Error;
    /// New names that lead nowhere: in a circle, or through too many others.
    RenameChain = "rename-chain", baking Error, strict Error;
    /// A kind of source that plugins have and that skills are not taken from.
    RefusedSource = "refused-source", baking Error, strict Error;

    // What a SKILL.md can have wrong.
    /// A file that is not UTF-8.
    NotUtf8 = "not-utf-8", baking Error, strict Error;
    /// A file that does not begin with a `---` line.
    NoFrontmatter = "no-frontmatter", baking Error, strict Error;
    /// Frontmatter without a closing `---` line.
    UnclosedFrontmatter = "unclosed-frontmatter", baking Error, strict Error;
    /// YAML nested too deeply.
    TooDeep = "too-deep", baking Error, strict Error;
    /// A YAML anchor or alias.
    YamlAnchor = "yaml-anchor", baking Error, strict Error;
    /// A YAML tag.
    YamlTag = "yaml-tag", baking Error, strict Error;
    /// A YAML key that is not a text.
    ComplexKey = "complex-key", baking Error, strict Error;
    /// No description, or a blank one.
    MissingDescription = "missing-description", baking Error, strict Error;
    /// Blank lines before the frontmatter.
    BlankBeforeFrontmatter = "blank-before-frontmatter", baking Warning, strict Error;
    /// Lines that end with a carriage return alone.
    LoneCarriageReturn = "lone-carriage-return", baking Warning, strict Error;
    /// A value that YAML cannot read without quotes, and that was read as if quoted.
    UnquotedValue = "unquoted-value", baking Warning, strict Error;
    /// A file whose name is not exactly `SKILL.md`.
    FileName = "file-name", baking Warning, strict Warning;
    /// No name: the directory's is taken.
    MissingName = "missing-name", baking Warning, strict Error;
    /// A name of more than 64 characters.
    LongName = "long-name", baking Warning, strict Error;
    /// A name with characters other than `a-z`, `0-9` and `-`.
    NameCharacter = "name-character", baking Warning, strict Error;
    /// A name that starts or ends with a hyphen, or holds two in a row.
    NameHyphen = "name-hyphen", baking Warning, strict Error;
    /// A name that is not the directory's.
    NameMismatch = "name-mismatch", baking Warning, strict Error;
    /// A name that YAML takes for a number or a boolean.
    NameType = "name-type", baking Warning, strict Warning;
    /// A name with blanks around it.
    PaddedName = "padded-name", baking Silent, strict Warning;
    /// A name that holds `claude` or `anthropic`.
    ReservedWord = "reserved-word", baking Silent, strict Warning;
    /// A description of more than 1024 characters.
    LongDescription = "long-description", baking Warning, strict Error;
    /// A description that YAML takes for a number or a boolean.
    DescriptionType = "description-type", baking Warning, strict Error;
    /// A description with `<` or `>`, which some systems refuse.
    DescriptionMarkup = "description-markup", baking Silent, strict Warning;
    /// A compatibility note of more than 500 characters.
    LongCompatibility = "long-compatibility", baking Warning, strict Error;
    /// A metadata value that is not a text.
    NestedMetadata = "nested-metadata", baking Warning, strict Error;
    /// A field whose value is of the wrong type and is not used.
    FieldType = "field-type", baking Warning, strict Error;
    /// A field without a value.
    EmptyField = "empty-field", baking Silent, strict Warning;
    /// A field that no known system reads.
    UnknownField = "unknown-field", baking Silent, strict Warning;
    /// A duplicate item of a list.
    RepeatedItem = "repeated-item", baking Warning, strict Warning;
    /// A tool rule whose parenthesis is never closed.
    UnclosedParenthesis = "unclosed-parenthesis", baking Warning, strict Warning;
    /// No body.
    EmptyBody = "empty-body", baking Warning, strict Silent;

    // Advice for authors; see `lint`.
    /// A file or directory that cannot be read.
    Unreadable = "unreadable", baking Error, strict Error;
    /// A description that does not say when to use the skill.
    NoTrigger = "no-trigger", baking Silent, strict Warning;
    /// A description without specific words.
    VagueDescription = "vague-description", baking Silent, strict Warning;
    /// A description that speaks of `I` or to `you`.
    DescriptionPerson = "description-person", baking Silent, strict Warning;
    /// A description that lists the steps of the work.
    DescriptionWorkflow = "description-workflow", baking Silent, strict Warning;
    /// A body of more than 500 lines.
    LongBody = "long-body", baking Silent, strict Warning;
    /// A link to a file of the skill that is not there.
    DeadLink = "dead-link", baking Silent, strict Warning;
    /// A link to something outside of the skill, which no agent gets.
    OutsideLink = "outside-link", baking Silent, strict Warning;
    /// A file of the skill that nothing mentions.
    UnmentionedFile = "unmentioned-file", baking Silent, strict Warning;
    /// A placeholder in a skill that declares no arguments.
    UndeclaredArgument = "undeclared-argument", baking Silent, strict Warning;
    /// An amount of money that is read as a placeholder.
    AccidentalPlaceholder = "accidental-placeholder", baking Silent, strict Warning;
    /// A command in a code block, where it looks like an example and runs all the same.
    CommandInCode = "command-in-code", baking Silent, strict Warning;

    // Notes for reviewers; see `audit`.
    /// Characters that a model reads and a person does not see.
    InvisibleText = "invisible-text", baking Error, strict Error;
    /// A comment in markdown, which is not shown where the page is.
    HtmlComment = "html-comment", baking Note, strict Note;
    /// Text behind a long run of blank lines, or of blanks in a line.
    BlankRun = "blank-run", baking Note, strict Note;
    /// A control character of terminals, or an invisible one.
    ControlCharacter = "control-character", baking Note, strict Note;
    /// A long string of letters and digits that are no words.
    OpaqueText = "opaque-text", baking Note, strict Note;
    /// A text that is not UTF-8.
    OtherEncoding = "other-encoding", baking Note, strict Note;
    /// A file that is not text and has no code of its own.
    BinaryFile = "binary-file", baking Note, strict Note;
    /// An archive, or a document that is one.
    Archive = "archive", baking Note, strict Note;
    /// A program or bytecode.
    CompiledProgram = "compiled-program", baking Note, strict Note;
    /// A file whose name contradicts its content.
    MisnamedFile = "misnamed-file", baking Note, strict Note;
    /// A file that was not looked at: too large, or not readable.
    UnreadFile = "unread-file", baking Note, strict Note;
    /// A script or command that uses the network.
    NetworkAccess = "network-access", baking Note, strict Note;
    /// A script or command that installs packages.
    PackageInstall = "package-install", baking Note, strict Note;
    /// A command that runs what it has just fetched or decoded.
    FetchedCode = "fetched-code", baking Note, strict Note;
    /// A script that reads credentials.
    CredentialAccess = "credential-access", baking Note, strict Note;

    /// Text of a template that was not replaced.
    TemplateText = "template-text", baking Silent, strict Warning;
    /// A list or mapping in YAML's flow style, which the reference library refuses.
    FlowStyle = "flow-style", baking Silent, strict Silent;
    /// A byte order mark, which the reference library refuses.
    ByteOrderMark = "byte-order-mark", baking Silent, strict Silent;
}
