//! How the program ends.

/// How the program ends: one number for each kind of trouble, so that scripts need not read words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
#[non_exhaustive]
pub enum Exit {
    /// Everything is as it should be.
    Ok = 0,
    /// Lock or store are missing or have drifted, or a skill has errors.
    Drift = 1,
    /// The command line or the manifest.
    Usage = 2,
    /// The network, or a server's answer.
    Network = 3,
    /// The server wants other credentials.
    Authentication = 4,
    /// Bytes do not match a digest, or a pin no longer means the locked commit.
    Mismatch = 5,
    /// A limit, a budget, or text that nobody sees.
    Policy = 6,
    /// The local file system.
    Disk = 7,
    /// Somebody asked to stop.
    Interrupted = 130,
}

impl Exit {
    /// Which of several troubles decides how the program ends: 130, 5, 4, 3, 6, 7, 2, 1.
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
