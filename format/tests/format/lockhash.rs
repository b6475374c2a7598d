//! Recorded digests of other systems over the files of a skill. Their algorithms differ from ours,
//! but each record still constrains the listing.

use helix_skills_conformance::{Case, Cases, Deviation, Report, cases};
use helix_skills_format::{Digest, Listing, RelPath};
use std::collections::BTreeMap;

const DEVIATIONS: &[Deviation] = &[
    Deviation::new(
        &["s0560 = s0562", "s0562 = s0564"],
        "a path and its file run together in the peer's text; our listing ends each with a line",
    ),
    Deviation::new(
        &["s0560 = s0564", "s0561 = s0565", "s0565"],
        "the peers leave links out; we follow them, a link's bytes count",
    ),
];

/// Returns the listing of each case.
fn listings(cases: &Cases) -> Vec<(&Case, Listing)> {
    let listing = |case: &Case| {
        let files: BTreeMap<String, String> = serde_json::from_str(&case.input_text).unwrap();
        // `-> TARGET` is a link. A listing contains the bytes of its target.
        let bytes = |content: &String| match content.strip_prefix("-> ") {
            Some(target) => files[target].clone(),
            None => content.clone(),
        };
        Listing::from_files(
            files.iter().map(|(path, file)| (RelPath::new(path).unwrap(), bytes(file))),
        )
    };
    cases.all.iter().map(|case| (case, listing(case))).collect()
}

/// Computes toolhive's digest from a listing: the order of paths and the digest of each file are
/// the same.
fn toolhive(listing: &Listing) -> String {
    let mut text = Vec::new();
    for (path, digest) in listing.iter() {
        let hex = digest.to_string();
        let bytes =
            (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap());
        text.extend(path.bytes().chain([0]).chain(bytes).chain([b'\n']));
    }
    format!("sha256:{}", Digest::hash(&text))
}

#[test]
fn conformance_of_integrity_with_peers() {
    let cases = cases!("lockhash");
    let listings = listings(&cases);
    let mut digests = Report::new(&cases, DEVIATIONS);
    for (case, listing) in listings.iter().filter(|(case, _)| case.peer == "toolhive") {
        digests.compare(case, toolhive(listing));
    }
    // With any algorithm, the same files have one digest, and different files have different
    // ones.
    for (at, (one, listing)) in listings.iter().enumerate() {
        for (other, of_other) in listings[at + 1..].iter().filter(|(it, _)| it.peer == one.peer) {
            let ours = listing.integrity() == of_other.integrity();
            let pair = format!("{} = {}", one.id, other.id);
            let inputs = || format!("{pair}: {} and {}", one.input_text, other.input_text);
            assert_eq!(ours, listing.iter().eq(of_other.iter()), "{}", inputs());
            let theirs = one.expected == other.expected;
            digests.compare_keys(&[&pair], inputs, &theirs.into(), ours);
        }
    }
    digests.finish();
}
