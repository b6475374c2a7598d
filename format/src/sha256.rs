//! The hash function behind digests.
//!
//! Because the macro needs a hash function that compiles quickly and runs unoptimized, the default
//! is `hmac-sha256`, a single small crate. With the feature `fast-hash`, which the programs turn
//! on, `sha2` uses the processor's instructions instead.

use std::io;

#[cfg(feature = "fast-hash")]
use sha2::{Digest as _, Sha256 as Hash};

#[cfg(not(feature = "fast-hash"))]
use hmac_sha256::Hash;

/// Computes the SHA-256 of the bytes that are written to it.
pub(crate) struct Sha256(Hash);

impl Sha256 {
    pub(crate) fn new() -> Self {
        Self(Hash::new())
    }

    #[allow(clippy::useless_conversion, reason = "`sha2` returns an array type of its own")]
    pub(crate) fn finish(self) -> [u8; 32] {
        self.0.finalize().into()
    }
}

impl io::Write for Sha256 {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(all(test, feature = "fast-hash"))]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::io::Write as _;

    proptest! {
        #[test]
        fn both_hash_functions_agree(pieces in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..200), 0..5)) {
            let mut hash = Sha256::new();
            let mut small = hmac_sha256::Hash::new();
            for piece in &pieces {
                hash.write_all(piece).unwrap();
                small.update(piece);
            }
            prop_assert_eq!(hash.finish(), small.finalize());
        }
    }
}
