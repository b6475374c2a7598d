//! How values are inserted into commands.

/// How values are inserted into commands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Quote {
    /// Each value is assigned to a shell variable before the command, which refers to it as one
    /// word: `ls $0` becomes `SKILL_VALUE_1='a b'`, a line feed, and `ls "${SKILL_VALUE_1}"`. No
    /// value can become syntax of the command. `$ARGUMENTS` is one word as well, or none without
    /// arguments; use `$0 $1` for several words.
    ///
    /// Where `bash` would evaluate the content of a variable, such as in arithmetic, and in
    /// here-documents, a value is an error with a [hint](crate::Error::hint). A `${…}` with
    /// an absolute path of letters, digits and `/._-`, such as `${SKILL_DIR}`, is inserted as it
    /// is, also there.
    ///
    /// What a command does with its words is not controlled: `sh -c "… $0"` and a leading `-` can
    /// give them a meaning.
    #[default]
    Posix,
    /// Values are inserted unquoted and can be any part of a command. Use this only if the owner of
    /// the machine chooses all values.
    Raw,
}
