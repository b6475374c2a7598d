//! Kinds of errors.

/// The kind of an error. Its number is the exit code of the program, for scripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The lockfile or the store is missing or out of date, or a skill has errors.
    Drift = 1,
    /// A mistake in the command line, the environment or the manifest.
    Usage = 2,
    /// The network failed, or a server sent an invalid response.
    Network = 3,
    /// The server refused the credentials or requires some.
    Authentication = 4,
    /// Bytes do not match a digest, or a pin no longer means the locked commit.
    Mismatch = 5,
    /// A limit or a budget is exceeded, or a skill has invisible text.
    Policy = 6,
    /// The local file system failed.
    Disk = 7,
    /// Interrupted.
    Interrupted = 130,
}

impl ErrorKind {
    /// Returns the rank of the kind. Of several errors, the one with the highest rank determines
    /// the exit code: 130, 5, 4, 3, 6, 7, 2, 1.
    pub(crate) fn rank(self) -> u8 {
        match self {
            Self::Interrupted => 7,
            Self::Mismatch => 6,
            Self::Authentication => 5,
            Self::Network => 4,
            Self::Policy => 3,
            Self::Disk => 2,
            Self::Usage => 1,
            Self::Drift => 0,
        }
    }
}
