//! Files of a skill with any paths and bytes. Accepted files can exist on every file system.

use crate::{Target, checks};
use arbitrary::{Result, Unstructured};
use helix_skills_format::{Limits, Listing, RelPath, Select};
use helix_skills_project::__internal::fuzzing::{collect, compile_globs};
use helix_skills_project::manifest::Manifest;
use helix_skills_runtime::__internal::is_git_name;
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};

pub(crate) const TARGET: Target =
    Target { name: "files", body, seeds, words: PARTS, max_len: 700, count: 4000 };

const PARTS: &[&str] = &[
    "SKILL.md",
    "skill.md",
    "a",
    "A",
    "b.md",
    "é",
    "e\u{301}",
    "ﬁ",
    "fi",
    "ſ",
    "s",
    "K",
    "k",
    "İ",
    "i\u{307}",
    "/",
    "/",
    "/",
    ".",
    "..",
    ".git",
    ".gitignore",
    ".GitModules",
    "git~1",
    "g\u{200c}it",
    "con",
    "nul.txt",
    " ",
    ".",
    "\\",
    ":",
    "\n",
    "\u{202e}",
    "-",
];
const GLOBS: &[&str] = &[
    "*", "**", "?", "[", "]", "!", "^", "-", "a", "z", "{", "}", ",", "/", "\\", ".md", "[a-z]",
    "[!a]", "{a,b}", "**/", "/**", "é", "[z-a]", "[]]", "[", "]",
];

fn body(input: &[u8]) {
    // If the bytes end early, fewer decisions are made.
    run(&mut Unstructured::new(input)).unwrap_or_default();
}

fn run(input: &mut Unstructured<'_>) -> Result<()> {
    let limits = Limits {
        files_per_skill: input.int_in_range(0..=12)?,
        bytes_per_skill: input.int_in_range(0..=200)?,
        bytes_per_file: input.int_in_range(0..=60)?,
        tree_depth: input.int_in_range(0..=4)?,
        ..Limits::default()
    };
    let globs: Vec<String> =
        (0..input.int_in_range(0..=2)?).map(|_| checks::text(input, GLOBS, 4)).collect();
    let select = select(&globs);
    let mut entries: BTreeMap<String, Option<Vec<u8>>> = BTreeMap::new();
    for _ in 0..input.int_in_range(0..=16)? {
        let path = checks::text(input, PARTS, 5);
        let is_file = input.ratio(3, 4)?;
        let bytes = match input.int_in_range(0..=9_u8)? {
            0 => b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n"
                .to_vec(),
            length => vec![b'x'; usize::from(length) * 8],
        };
        entries.insert(path, is_file.then_some(bytes));
    }
    let given = entries.iter().map(|(path, bytes)| (path.as_str(), bytes.as_deref()));
    let Some((result, left_out)) = collect(&select, limits, given) else {
        panic!("an invalid glob was accepted: {globs:?}");
    };
    for path in &left_out {
        let name = path.rsplit('/').next().unwrap_or(path);
        assert!(is_git_name(name) || !globs.is_empty(), "{path:?} was left out");
    }
    let files = match result {
        Ok(files) => files,
        Err(error) => {
            let errors = error.errors().iter();
            errors.for_each(|error| checks::assert_one_line(&error.to_string()));
            return Ok(());
        }
    };
    assert!(
        files.len() as u64 <= limits.files_per_skill
            && files.iter().map(|file| file.bytes.len() as u64).sum::<u64>()
                <= limits.bytes_per_skill
    );
    assert!(files.iter().all(|file| file.bytes.len() as u64 <= limits.bytes_per_file));
    let mut folded = BTreeSet::new();
    for file in &files {
        checks::assert_inside(&file.path);
        assert_eq!(
            entries.get(file.path.as_str()),
            Some(&Some(file.bytes.clone())),
            "{} has other bytes",
            file.path
        );
        assert!(
            folded.insert(file.path.folded()),
            "{} is equal to another path on some file system",
            file.path
        );
    }
    for file in &files {
        // No directory of a file may equal another file, on any file system.
        for (at, _) in file.path.match_indices('/') {
            let above = match RelPath::new(&file.path[..at]) {
                Ok(above) => above,
                // Valid as a directory, but not as a file.
                Err(_) if &file.path[..at] == "-" => continue,
                Err(why) => panic!("{}: {why}", file.path),
            };
            assert!(!folded.contains(&above.folded()), "{above} is a file and a directory");
        }
    }
    let listing = Listing::from_files(files.iter().map(|file| (file.path.clone(), &file.bytes)));
    assert_eq!(Listing::parse(&listing.to_string()).as_ref(), Ok(&listing));
    assert_eq!(listing.len(), files.len());
    // Every file was accepted, refused or left out.
    let taken: BTreeSet<&str> = files.iter().map(|file| file.path.as_str()).collect();
    for (path, bytes) in &entries {
        let is_in = bytes.is_none() || taken.contains(path.as_str()) || left_out.contains(path);
        assert!(is_in, "{path:?} was dropped silently");
    }
    Ok(())
}

/// Returns a selection with those of the globs that a manifest accepts.
fn select(globs: &[String]) -> Select {
    let mut select = Select::default();
    for glob in globs {
        let text =
            json!({"skills": {"a": {"type": "path", "path": "p", "files": {"exclude": [glob]}}}})
                .to_string();
        let Ok(manifest) = Manifest::parse(&text) else { continue };
        for source in manifest.sources.values() {
            compile_globs(&source.select).unwrap_or_else(|why| {
                panic!("{glob:?} was accepted and is not a valid glob: {why}")
            });
            select.exclude_files.extend(source.select.exclude_files.iter().cloned());
        }
    }
    select
}

fn seeds() -> Vec<Vec<u8>> {
    let mut rng = fastrand::Rng::with_seed(3);
    (0..40).map(|_| (0..rng.usize(50..400)).map(|_| rng.u8(..)).collect()).collect()
}
