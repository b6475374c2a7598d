//! Listings: an accepted text is printed again byte by byte.

use crate::{Target, checks};
use helix_skills_format::{Integrity, Listing};

pub(crate) const TARGET: Target = Target {
    name: "listing",
    body,
    seeds,
    words: &[
        "\n",
        "\r\n",
        "  ",
        " *",
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  ",
        "SKILL.md",
        "a/",
        "..",
        "./",
        "/",
        "\\",
        "-",
        "\0",
        "BA",
        "z",
        ".git",
        "con",
        "<<<<<<<",
        "=======",
        "é",
        "e\u{301}",
        "\u{2028}",
        "\u{feff}",
    ],
    max_len: 1024,
    count: 10_000,
};

fn body(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let listing = match Listing::parse(&text) {
        Ok(listing) => listing,
        Err(finding) => return checks::assert_findings(&[finding], &text),
    };
    assert_eq!(listing.to_string(), text, "two texts are parsed as one listing");
    assert!(listing.iter().map(|(path, _)| path).is_sorted_by(|a, b| a.as_bytes() < b.as_bytes()));
    let backwards: Vec<_> = listing.iter().map(|(path, digest)| (path.clone(), digest)).collect();
    assert_eq!(
        Listing::from_digests(backwards.into_iter().rev()),
        listing,
        "the order of files matters"
    );
    for (path, digest) in listing.iter() {
        checks::assert_inside(path);
        assert_eq!(listing.get(path), Some(digest));
        // `sha256sum` escapes such names and starts the line with a backslash.
        assert!(!path.contains(['\\', '\n', '\r']), "{path:?}");
    }
    assert_eq!(listing.integrity().to_string().parse::<Integrity>(), Ok(listing.integrity()));
}

fn seeds() -> Vec<Vec<u8>> {
    let digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    let line = |path: &str| format!("{digest}  {path}\n");
    [
        String::new(),
        line("SKILL.md"),
        [line("SKILL.md"), line("a b/c.txt"), line("a/b"), line("é.md")].concat(),
        line("SKILL.md").replace("  ", " *"),
    ]
    .map(String::into_bytes)
    .to_vec()
}
