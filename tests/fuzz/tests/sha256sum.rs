//! Listings have the format of coreutils, for files with any names.

use fastrand::Rng;
use helix_skills_format::{Listing, RelPath};
use std::{collections::BTreeMap, fs, process::Command};

/// Pieces of path components. Invalid paths are left out.
const PARTS: [&str; 16] = [
    "a", "B", "é", "e\u{301}", " ", "  ", "-", "--check", "*", "\\", "\n", "日本", ".hidden", "'",
    "$(id)", "~",
];

#[test]
fn listing_equals_the_output_of_sha256sum() {
    let mut rng = Rng::with_seed(1);
    let mut most = 0;
    for _ in 0..25 {
        let dir = tempfile::tempdir().unwrap();
        let mut files = BTreeMap::new();
        for _ in 0..rng.usize(1..12) {
            let part = |rng: &mut Rng| {
                (0..rng.usize(1..4)).filter_map(|_| rng.choice(PARTS)).collect::<String>()
            };
            let path = (0..rng.usize(1..4)).map(|_| part(&mut rng)).collect::<Vec<_>>().join("/");
            let Ok(path) = RelPath::new(path) else { continue };
            let file = dir.path().join(path.as_str());
            let bytes: Vec<u8> = (0..rng.usize(..200)).map(|_| rng.u8(..)).collect();
            let above = file.parent().unwrap();
            // One path may be a directory of another, or equal to it on this file system.
            if !file.exists()
                && fs::create_dir_all(above).is_ok()
                && fs::write(&file, &bytes).is_ok()
            {
                files.insert(path, bytes);
            }
        }
        if files.is_empty() {
            continue;
        }
        most = most.max(files.len());
        let listing = Listing::from_files(files.iter().map(|(path, bytes)| (path.clone(), bytes)));
        let mut command = Command::new("sha256sum");
        command.current_dir(&dir).arg("--").args(files.keys().map(RelPath::as_str));
        let printed = command.output().unwrap();
        assert_eq!(String::from_utf8_lossy(&printed.stdout), listing.to_string(), "{files:?}");
        let sums = dir.path().join("the sums");
        fs::write(&sums, listing.to_string()).unwrap();
        let checked = Command::new("sha256sum")
            .current_dir(&dir)
            .args(["--strict", "--quiet", "-c"])
            .arg(&sums)
            .status();
        assert!(checked.unwrap().success(), "{listing}");
    }
    assert!(most > 4, "{most}");
}
