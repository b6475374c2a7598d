//! Audit notes on real skills.

// Another corpus than the default one is read, not compared.
#![allow(clippy::print_stdout)]

use crate::corpus;
use helix_skills_format::Code;
use helix_skills_lint::Audit;
use std::collections::BTreeMap;

/// The notes on the corpus, by code. It has no scripts: the rules for these are shown not to take
/// the commands of its 200 markdown files for scripts.
const NOTED: &[(Code, usize)] = &[];

#[test]
fn corpus_is_audited_as_recorded() {
    let root = corpus::root();
    let mut audit = Audit::default();
    for path in corpus::files(&root) {
        audit.scan(&path, &std::fs::read(root.join(&path)).unwrap());
    }
    let audited = audit.finish();
    let mut counts = BTreeMap::<Code, usize>::new();
    for note in &audited.notes {
        println!("{}: {note} [{}]", note.file.as_deref().unwrap_or_default(), note.code.as_str());
        *counts.entry(note.code).or_default() += 1;
    }
    if corpus::is_default() {
        assert_eq!(counts.into_iter().collect::<Vec<_>>(), NOTED);
    }
}
