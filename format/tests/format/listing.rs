//! Listings, as `sha256sum` writes and reads them.

use helix_skills_format::{Code, Digest, Listing, RelPath};

/// Digests of the empty text and of `abc`, as in every SHA-256 test suite.
const EMPTY: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
const ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

fn path(text: &str) -> RelPath {
    RelPath::new(text).unwrap()
}

#[test]
fn listings_are_sorted_sha256sum_output() {
    let listing = Listing::from_files([
        (path("references/é.md"), b"abc".as_slice()),
        (path("SKILL.md"), b""),
        (path("a b.txt"), b"abc"),
        (path("a/c"), b""),
        (path("a-b"), b""),
    ]);
    let expected = format!(
        "{EMPTY}  SKILL.md\n{ABC}  a b.txt\n{EMPTY}  a-b\n{EMPTY}  a/c\n{ABC}  references/é.md\n"
    );
    assert_eq!(listing.to_string(), expected);
    assert_eq!(Listing::parse(&expected).unwrap(), listing);
    assert_eq!(
        listing.integrity().to_string(),
        format!("sha256:{}", Digest::hash(expected.as_bytes()))
    );
    assert_eq!(listing.get("a/c").unwrap().to_string(), EMPTY);
    assert_eq!(listing.get("a"), None);
}

#[test]
fn empty_listing_is_valid() {
    let listing = Listing::parse("").unwrap();
    assert!(listing.is_empty());
    assert_eq!(listing.to_string(), "");
    assert_eq!(listing.integrity().to_string(), format!("sha256:{EMPTY}"));
}

#[test]
fn printed_listings_parse_to_the_same() {
    // A small deterministic sequence of numbers makes lists of different sizes and paths.
    let mut seed = 1_u64;
    let mut next = move |below: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % below
    };
    let names = ["a", "A", "b c", "é", "技能", "x.md", "--", "z_z", "0"];
    for _ in 0..if cfg!(miri) { 2 } else { 200 } {
        let mut files = std::collections::BTreeMap::new();
        for _ in 0..next(20) {
            let parts: Vec<_> =
                (0..=next(3)).map(|_| names[next(names.len() as u64) as usize]).collect();
            files.insert(path(&parts.join("/")), next(1000).to_string());
        }
        let listing =
            Listing::from_files(files.iter().rev().map(|(path, bytes)| (path.clone(), bytes)));
        let printed = listing.to_string();
        let parsed = Listing::parse(&printed).unwrap();
        assert_eq!(parsed, listing);
        assert_eq!(parsed.to_string(), printed);
        assert_eq!(parsed.len(), files.len());
        assert!(parsed.iter().map(|(path, _)| path).eq(files.keys()));
    }
}

#[test]
fn every_error_has_a_position() {
    let good = format!("{ABC}  b\n");
    for (text, code, at) in [
        (format!("{good}{ABC}  c"), Code::Syntax, "2:1"),
        (format!("{good}\n"), Code::Syntax, "2:1"),
        (format!("{good}{ABC} *c\n"), Code::Syntax, "2:1"),
        (format!("{good}{ABC} c\n"), Code::Syntax, "2:1"),
        (format!("{good}{}  c\n", ABC.to_uppercase()), Code::Syntax, "2:1"),
        (format!("{good}{}  c\n", &ABC[1..]), Code::Syntax, "2:1"),
        (format!("{good}\\{ABC}  c\n"), Code::Syntax, "2:1"),
        (format!("{good}{ABC}  ../c\n"), Code::BadPath, "2:67"),
        (format!("{good}{ABC}  /c\n"), Code::BadPath, "2:67"),
        (format!("{good}{ABC}  c\\d\n"), Code::BadPath, "2:67"),
        (format!("{good}{ABC}  \n"), Code::BadPath, "2:67"),
        (format!("{good}{ABC}  a\n"), Code::Unsorted, "2:67"),
        (format!("{good}{ABC}  b\n"), Code::Unsorted, "2:67"),
        (format!("{good}<<<<<<< ours\n"), Code::ConflictMarkers, "2:1"),
        (format!("{good}=======\n"), Code::ConflictMarkers, "2:1"),
    ] {
        let error = Listing::parse(&text).expect_err(&text);
        assert_eq!((error.code, error.at.unwrap().to_string()), (code, at.to_owned()), "{text}");
        assert!(!error.message.is_empty() && !error.message.contains('\n'));
    }
}

#[test]
fn crlf_listings_are_rejected() {
    let error = Listing::parse(&format!("{ABC}  b\r\n")).unwrap_err();
    assert_eq!(error.at.unwrap().line, 1);
    let error = Listing::parse(&format!("{ABC} b\r\n")).unwrap_err();
    assert!(error.message.contains("CR LF"), "{error}");
}
