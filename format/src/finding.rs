//! Problems in a text, and their positions.

use std::fmt;

/// A position in a text. Line and column start at 1; columns count Unicode scalar values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
}

impl Position {
    /// Returns the position of the byte `offset` of `text`, or of its end if `offset` is past it.
    ///
    /// ```
    /// use helix_skills_format::Position;
    /// assert_eq!(Position::from_offset("ab\ncé!", 6), Position { line: 2, column: 3 });
    /// ```
    #[doc(hidden)]
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

/// A problem in a text. Match on [`Finding::code`], not on the message.
///
/// `Display` prints only the message, on one line; position and hint are separate.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// The kind of problem.
    pub code: Code,
    /// The position in the text, if there is one.
    pub at: Option<Position>,
    /// The message: one line, lower case, no full stop, values in backticks.
    pub message: String,
    /// How to fix it.
    pub hint: Option<String>,
    /// The file of the skill that the finding is about, if it is not the text that was parsed.
    pub file: Option<String>,
}

#[doc(hidden)]
impl Finding {
    /// Creates a finding, with a position if there is one.
    #[must_use]
    pub fn new(code: Code, at: impl Into<Option<Position>>, message: impl Into<String>) -> Self {
        Self { code, at: at.into(), message: message.into(), hint: None, file: None }
    }

    /// Adds a hint that says how to fix the problem.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Sets the file of the skill that the finding is about.
    #[must_use]
    pub fn in_file(mut self, path: impl Into<String>) -> Self {
        self.file = Some(path.into());
        self
    }
}

/// Sorts findings by their position in the file, those without a position first.
///
/// A single function, because each caller's own sort would be compiled separately.
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
    /// Reported; the text is used anyway.
    Warning,
    /// The text cannot be used.
    Error,
}

impl Severity {
    /// Returns the name used in all output. A silent finding is a note.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Silent => "note",
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

            /// Returns the code with this name.
            #[must_use]
            pub fn parse(name: &str) -> Option<Self> { Self::ALL.iter().copied().find(|code| code.as_str() == name) }
            /// Returns the stable name, as in `--json`.
            #[must_use]
            pub fn as_str(self) -> &'static str { match self { $(Self::$name => $text,)* } }
            /// Returns the severity when a skill is baked or loaded.
            #[must_use]
            pub fn when_baking(self) -> Severity { match self { $(Self::$name => Severity::$baking,)* } }
            /// Returns the severity for `skills validate`.
            #[must_use]
            pub fn when_validating(self) -> Severity { match self { $(Self::$name => Severity::$strict,)* } }
        }
    };
}

codes! {
    /// The text does not follow the syntax of the format.
    Syntax = "syntax", baking Error, strict Error;
    /// The text contains conflict markers of a merge.
    ConflictMarkers = "conflict-markers", baking Error, strict Error;
    /// Written by a newer version of this program.
    NewerVersion = "newer-version", baking Error, strict Error;
    /// The text is larger than the format allows.
    TooLarge = "too-large", baking Error, strict Error;
    /// A key occurs twice.
    DuplicateKey = "duplicate-key", baking Error, strict Error;
    /// A key that the format does not define.
    UnknownKey = "unknown-key", baking Error, strict Error;
    /// A required key is missing.
    MissingKey = "missing-key", baking Error, strict Error;
    /// Two keys that exclude each other.
    ConflictingKeys = "conflicting-keys", baking Error, strict Error;
    /// A value of the wrong type.
    WrongType = "wrong-type", baking Error, strict Error;
    /// A value of the right type that is not allowed.
    BadValue = "bad-value", baking Error, strict Error;
    /// A URL that is not allowed.
    BadUrl = "bad-url", baking Error, strict Error;
    /// A path that is not allowed.
    BadPath = "bad-path", baking Error, strict Error;
    /// A name that is not allowed.
    BadName = "bad-name", baking Error, strict Error;
    /// Lines that are not in the required order.
    Unsorted = "unsorted", baking Error, strict Error;

    // Problems with a plugin of a marketplace.
    /// A plugin source whose type is not supported.
    RefusedSource = "refused-source", baking Error, strict Error;

    // Problems in a SKILL.md.
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
    /// A YAML key that is not a string.
    ComplexKey = "complex-key", baking Error, strict Error;
    /// The description is missing or blank.
    MissingDescription = "missing-description", baking Error, strict Error;
    /// Blank lines before the frontmatter.
    BlankBeforeFrontmatter = "blank-before-frontmatter", baking Warning, strict Error;
    /// Lines that end with a lone carriage return.
    LoneCarriageReturn = "lone-carriage-return", baking Warning, strict Error;
    /// A value that YAML refuses or cuts without quotes, and that was read as if quoted.
    UnquotedValue = "unquoted-value", baking Warning, strict Error;
    /// A file whose name is not exactly `SKILL.md`.
    FileName = "file-name", baking Warning, strict Warning;
    /// A SKILL.md in a place where it is not read.
    MisplacedSkill = "misplaced-skill", baking Warning, strict Warning;
    /// The name is missing; the directory's name is used.
    MissingName = "missing-name", baking Warning, strict Error;
    /// A name of more than 64 characters.
    LongName = "long-name", baking Warning, strict Error;
    /// A name with characters other than `a-z`, `0-9` and `-`.
    NameCharacter = "name-character", baking Warning, strict Error;
    /// A name that starts or ends with a hyphen, or has two in a row.
    NameHyphen = "name-hyphen", baking Warning, strict Error;
    /// A name that differs from the directory's.
    NameMismatch = "name-mismatch", baking Warning, strict Error;
    /// A name that YAML reads as a number or a boolean.
    NameType = "name-type", baking Warning, strict Warning;
    /// A name with spaces around it.
    PaddedName = "padded-name", baking Silent, strict Warning;
    /// A name that contains `claude` or `anthropic`.
    ReservedWord = "reserved-word", baking Silent, strict Warning;
    /// The name of a tool for skills, in any profile.
    ToolName = "tool-name", baking Warning, strict Warning;
    /// A description of more than 1024 characters.
    LongDescription = "long-description", baking Warning, strict Error;
    /// A description that YAML reads as a number or a boolean.
    DescriptionType = "description-type", baking Warning, strict Error;
    /// A description that contains `<` or `>`, which some systems reject.
    DescriptionMarkup = "description-markup", baking Silent, strict Warning;
    /// A compatibility note of more than 500 characters.
    LongCompatibility = "long-compatibility", baking Warning, strict Error;
    /// A metadata value that is not a string.
    NestedMetadata = "nested-metadata", baking Warning, strict Error;
    /// A field whose value has the wrong type and is ignored.
    FieldType = "field-type", baking Warning, strict Error;
    /// A license, compatibility note or metadata value that YAML does not read as a string: a
    /// number, a boolean, or (in metadata) nothing.
    TypedValue = "typed-value", baking Silent, strict Warning;
    /// A field without a value.
    EmptyField = "empty-field", baking Silent, strict Warning;
    /// A field that no supported system reads.
    UnknownField = "unknown-field", baking Silent, strict Warning;
    /// A field that differs from a known one only in case, hyphens or underscores.
    MisspelledField = "misspelled-field", baking Warning, strict Warning;
    /// A mistyped field that would restrict the skill.
    LostRestriction = "lost-restriction", baking Warning, strict Error;
    /// A `maxTicks` over the maximum, which is used instead.
    CappedTicks = "capped-ticks", baking Warning, strict Warning;
    /// A duplicate item of a list.
    RepeatedItem = "repeated-item", baking Warning, strict Warning;
    /// A tool rule with an unclosed parenthesis.
    UnclosedParenthesis = "unclosed-parenthesis", baking Warning, strict Warning;
    /// The body is empty.
    EmptyBody = "empty-body", baking Warning, strict Warning;

    // Advice for authors; see the lint crate.
    /// A file or directory that cannot be read.
    Unreadable = "unreadable", baking Error, strict Error;
    /// A description that does not say when to use the skill.
    NoTrigger = "no-trigger", baking Silent, strict Warning;
    /// A description without specific words.
    VagueDescription = "vague-description", baking Silent, strict Warning;
    /// A description that uses `I`, `we` or `you`.
    DescriptionPerson = "description-person", baking Silent, strict Warning;
    /// A description that lists the steps of a workflow.
    DescriptionWorkflow = "description-workflow", baking Silent, strict Warning;
    /// A body of more than 500 lines.
    LongBody = "long-body", baking Silent, strict Warning;
    /// A link to a file of the skill that does not exist.
    DeadLink = "dead-link", baking Silent, strict Warning;
    /// A link to something outside the skill, which agents do not get.
    OutsideLink = "outside-link", baking Silent, strict Warning;
    /// A file of the skill that no text mentions.
    UnmentionedFile = "unmentioned-file", baking Silent, strict Warning;
    /// A placeholder in a skill that declares no arguments.
    UndeclaredArgument = "undeclared-argument", baking Silent, strict Warning;
    /// A placeholder that stays in the text in the profile that is validated.
    UnfilledPlaceholder = "unfilled-placeholder", baking Silent, strict Warning;
    /// A dollar amount that is read as a placeholder.
    AccidentalPlaceholder = "accidental-placeholder", baking Silent, strict Warning;
    /// A command in a code block: it looks like an example but runs.
    CommandInCode = "command-in-code", baking Silent, strict Warning;

    /// Characters that a model reads and a reviewer does not see.
    InvisibleText = "invisible-text", baking Error, strict Error;
    /// Invisible characters that only change how the visible text next to them looks.
    InvisibleMark = "invisible-mark", baking Warning, strict Warning;
    /// A file whose content was not checked because it is too large or cannot be read.
    UnreadFile = "unread-file", baking Silent, strict Warning;
    /// Text like a command that is none, because no white space is before it.
    NotACommand = "not-a-command", baking Silent, strict Warning;
    /// Template text that was not replaced.
    TemplateText = "template-text", baking Silent, strict Warning;
    /// A list or mapping in YAML's flow style, which the reference library rejects.
    FlowStyle = "flow-style", baking Silent, strict Silent;
    /// A byte order mark, which the reference library rejects.
    ByteOrderMark = "byte-order-mark", baking Silent, strict Silent;
}
