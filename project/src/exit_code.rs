//! Exit codes.

/// The exit code of the program: one number for each kind of error, for scripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
#[non_exhaustive]
pub enum ExitCode {
    /// Success.
    Ok = 0,
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

impl ExitCode {
    /// Returns the rank of the code. Of several errors, the one with the highest rank determines
    /// the exit code: 130, 5, 4, 3, 6, 7, 2, 1.
    pub(crate) fn rank(self) -> u8 {
        match self {
            Self::Interrupted => 8,
            Self::Mismatch => 7,
            Self::Authentication => 6,
            Self::Network => 5,
            Self::Policy => 4,
            Self::Disk => 3,
            Self::Usage => 2,
            Self::Drift => 1,
            Self::Ok => 0,
        }
    }
}
