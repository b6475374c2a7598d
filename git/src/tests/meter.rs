//! Limits of responses, metered without a server.

use std::sync::Arc;

use helix_skills_format::__internal::one_line_chain;

use super::{Log, options};
use crate::error::GitError;
use crate::meter::Meter;
use crate::shared::{Origin, Shared};

const MEBIBYTE: usize = 1 << 20;

/// Meters a response with a pack: repeatedly, bytes arrive and some of them are read as part of a
/// pack.
fn metered(arriving: usize, of_the_pack: usize, times: usize) -> Result<(), GitError> {
    let mut options = options(&Log::default());
    options.bytes_per_fetch = 256 << 20;
    let shared = Arc::new(Shared::new(options));
    let origin = Origin::new("u".to_owned(), shared);
    let expected = &origin.expected;
    // Bytes of earlier responses do not count.
    expected.add_pack_bytes(100 * MEBIBYTE);
    expected.announce(true);
    let mut meter = Meter::new(expected);
    (0..times).try_for_each(|_| {
        meter.add(arriving, &origin)?;
        expected.add_pack_bytes(of_the_pack);
        Ok(())
    })
}

#[test]
fn packets_outside_the_pack_are_bounded() {
    metered(MEBIBYTE, 0, 32).unwrap();
    let error = metered(MEBIBYTE, 0, 33).unwrap_err();
    assert!(one_line_chain(&error).contains("too little of the response is a pack"), "{error:?}");
    metered(MEBIBYTE, MEBIBYTE / 2, 270).unwrap();
    let error = metered(MEBIBYTE, MEBIBYTE / 4, 70).unwrap_err();
    assert!(one_line_chain(&error).contains("too little of the response is a pack"), "{error:?}");
    let error = metered(MEBIBYTE, MEBIBYTE, 300).unwrap_err();
    assert!(matches!(error, GitError::Limit { key: "bytesPerFetch", .. }), "{error}");
}
