//! Audit notes on real skills.

// With another corpus than the default one, the notes are printed and not compared.
#![allow(clippy::print_stdout)]

use crate::corpus;
use helix_skills_format::Code;
use helix_skills_lint::Audit;
use std::collections::BTreeMap;

/// The number of notes on the corpus by code. The corpus has no scripts, so the rules for scripts
/// must not note the commands of its 200 Markdown files.
const NOTED: &[(Code, usize)] = &[];

#[test]
fn corpus_is_audited_as_recorded() {
    let root = corpus::root();
    let mut audit = Audit::default();
    for path in corpus::files(&root) {
        audit.scan(&path, &std::fs::read(root.join(&path)).unwrap());
    }
    let mut counts = BTreeMap::<Code, usize>::new();
    for note in &audit.notes {
        println!("{}: {note} [{}]", note.file.as_deref().unwrap_or_default(), note.code.as_str());
        *counts.entry(note.code).or_default() += 1;
    }
    if corpus::is_default() {
        assert_eq!(counts.into_iter().collect::<Vec<_>>(), NOTED);
    }
}
