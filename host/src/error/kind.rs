//! Kinds of errors.

/// The kind of an [`Error`](crate::Error), for programs that handle some errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A file, a directory, a script or a program does not exist.
    NotFound,
    /// A skill, a file, a path or a call breaks a rule.
    Invalid,
    /// A limit was exceeded.
    Limit,
    /// Another skill with the same name or path takes precedence.
    Hidden,
    /// A script was not approved.
    Denied,
    /// The operating system, or a callback of the host, failed.
    Failed,
}
