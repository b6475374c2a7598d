//! Checks of the guide: the summary lists every page, links have targets, and the real parsers
//! accept the blocks. The Rust blocks are tests of the package in `docs/`.

use crate::checkout::{root, text};
use helix_skills_format::Lock;
use helix_skills_project::manifest::Manifest;
use helix_skills_tests::{
    markdown::{blocks, blocks_of},
    sandbox::program,
};
use regex::Regex;
use std::{collections::BTreeSet, fs, path::Path, process::Command};

/// Returns the pages, by path relative to `docs/src`, with their text.
fn pages() -> Vec<(String, String)> {
    fn walk(directory: &Path, base: &Path, pages: &mut Vec<(String, String)>) {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(&path, base, pages);
            } else {
                let page = path.strip_prefix(base).unwrap().to_str().unwrap().replace('\\', "/");
                pages.push((page, fs::read_to_string(&path).unwrap()));
            }
        }
    }
    let (base, mut pages) = (root().join("docs/src"), Vec::new());
    walk(&base, &base, &mut pages);
    pages.sort();
    pages
}

/// Returns the link targets of a page outside its code.
fn links(page: &str) -> Vec<String> {
    let text: String = page.split("\n```").step_by(2).collect();
    let link = Regex::new(r"\]\(([^)]+)\)").unwrap();
    link.captures_iter(&text).map(|link| link[1].to_owned()).collect()
}

#[test]
fn summary_lists_every_page_once() {
    let listed = links(&text("docs/src/SUMMARY.md"));
    let pages: BTreeSet<String> =
        pages().into_iter().map(|(page, _)| page).filter(|page| page != "SUMMARY.md").collect();
    assert_eq!(listed.iter().cloned().collect::<BTreeSet<_>>(), pages);
    assert_eq!(listed.len(), pages.len());
}

#[test]
fn links_of_the_guide_have_targets() {
    let pages = pages();
    for (page, text) in &pages {
        for link in links(text).iter().filter(|link| !link.contains("://")) {
            let (path, heading) = link.split_once('#').unwrap_or((link, ""));
            let directory = Path::new(page).parent().unwrap();
            let mut target: Vec<&str> =
                directory.iter().map(|part| part.to_str().unwrap()).collect();
            for part in path.split('/') {
                match part {
                    ".." => drop(
                        target
                            .pop()
                            .unwrap_or_else(|| panic!("{page}: `{link}` points outside the guide")),
                    ),
                    part => target.push(part),
                }
            }
            let target = if path.is_empty() { page.clone() } else { target.join("/") };
            let Some((_, text)) = pages.iter().find(|(page, _)| *page == target) else {
                panic!("{page}: `{link}` has no target")
            };
            let anchor = |line: &str| {
                let words = line.trim_start_matches('#').trim().to_lowercase().replace(' ', "-");
                words
                    .chars()
                    .filter(|c| c.is_alphanumeric() || *c == '-' || *c == '_')
                    .collect::<String>()
            };
            let headings = text.lines().filter(|line| line.starts_with('#')).map(anchor);
            assert!(
                heading.is_empty() || headings.into_iter().any(|known| known == heading),
                "{page}: `{link}`"
            );
        }
    }
}

#[test]
fn pages_with_rust_blocks_are_compiled() {
    let compiled = text("docs/guide.rs");
    for (page, text) in pages() {
        let has_rust = blocks(&text).iter().any(|(language, _)| language.starts_with("rust"));
        assert_eq!(compiled.contains(&format!("\"{page}\"")), has_rust, "{page}");
    }
}

#[test]
fn json_blocks_are_manifests_and_lockfiles() {
    let mut read = 0;
    for (page, text) in pages() {
        for block in blocks_of(&text, "json") {
            let problems = if block.contains("\"request\"") {
                // Every field is checked, as in `skills sync --check`.
                Lock::<helix_skills_project::manifest::Source>::parse(block).err()
            } else {
                Manifest::parse(block).err()
            };
            assert!(problems.is_none(), "{page}: {problems:?}");
            read += 1;
        }
    }
    assert!(read >= 5, "{read} blocks");
}

#[test]
fn console_blocks_call_commands_and_options_that_exist() {
    for (page, text) in pages() {
        for block in blocks_of(&text, "console") {
            for line in block.lines().filter_map(|line| line.strip_prefix("$ ")) {
                let mut words = line.split(' ').skip_while(|word| *word != "skills").skip(1);
                let Some(command) = words.next() else { continue };
                let output = Command::new(program()).args([command, "--help"]).output().unwrap();
                assert!(output.status.success(), "{page}: `{line}`");
                let help = String::from_utf8(output.stdout).unwrap();
                for option in words.filter(|word| word.starts_with("--")) {
                    assert!(help.contains(option), "{page}: `{line}`: {option}");
                }
            }
        }
    }
}
