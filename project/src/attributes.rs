//! Attributes of git that hide or convert changes of the files that decide about skills.
//!
//! They are read without git, from the `.gitattributes` files between the repository's root and the
//! file, and from `.git/info/attributes`. Not read are the attributes of the user and of the
//! system, and those of the index, which git uses if the file is missing.

use crate::{
    Error,
    paths::{LARGEST, ProjectPaths},
    regular_file::{self, Links},
    slashes::with_slashes,
    store::ATTRIBUTES,
};
use gix_attributes::{
    AssignmentRef, Search, StateRef,
    glob::pattern::Case,
    search::{MetadataCollection, Outcome},
};
use helix_skills_format::__internal::and_more;
use std::path::{Path, PathBuf};

/// The attributes that the store's own file sets or unsets.
const NAMES: [&str; 8] = [
    "diff",
    "eol",
    "filter",
    "ident",
    "linguist-generated",
    "merge",
    "text",
    "working-tree-encoding",
];

/// Returns a note on each file with such attributes: manifest, lockfile, the store's own file.
pub(crate) fn notes(project: &ProjectPaths) -> Result<Vec<String>, Error> {
    let root = project.real_root()?;
    let repository = root.ancestors().find(|directory| directory.join(".git").exists());
    let Some(repository) = repository else { return Ok(Vec::new()) };
    let store = project.store.join(ATTRIBUTES.0);
    let note = |(file, is_data): (&PathBuf, bool)| {
        let shown = project.show(file);
        let path = root.join(&shown);
        let found = attributes(repository, path.strip_prefix(repository).ok()?, is_data);
        let (file, first, more) = (shown.display(), found.first()?, and_more(found.len() - 1));
        Some(format!("attributes of git can hide or convert changes of `{file}`: {first}{more}"))
    };
    // Manifest and lockfile are compared as data: other line endings change nothing.
    let files = [(&project.manifest, true), (&project.lock, true), (&store, false)];
    Ok(files.into_iter().filter_map(note).collect())
}

/// Returns the attributes of the file at `path`, relative to `repository`, with their origin.
fn attributes(repository: &Path, path: &Path, is_data: bool) -> Vec<String> {
    let mut known = MetadataCollection::default();
    let nothing: [PathBuf; 0] = [];
    // Knows the macro `binary`.
    let Ok(mut search) = Search::new_globals(nothing, &mut Vec::new(), &mut known) else {
        return Vec::new();
    };
    let mut files: Vec<(PathBuf, Option<&Path>)> = path
        .ancestors()
        .skip(1)
        .map(|above| (repository.join(above).join(".gitattributes"), Some(repository)))
        .collect();
    files.reverse();
    files.push((repository.join(".git/info/attributes"), None));
    for (file, root) in files {
        // Git ignores a link, too.
        if let Ok(bytes) = regular_file::read(&file, Links::Refuse, LARGEST) {
            let _ = search.add_patterns_buffer(&bytes, file, root, &mut known, true);
        }
    }
    let mut outcome = Outcome::default();
    outcome.initialize_with_selection(&known, NAMES);
    let path = with_slashes(path);
    search.pattern_matching_relative_path(
        path.as_os_str().as_encoded_bytes().into(),
        Case::Fold,
        Some(false),
        &mut outcome,
    );
    let found = outcome.iter_selected().filter(|found| hides(&found.assignment, is_data));
    let shown = found.map(|found| {
        let (file, line) = (found.location.source, found.location.sequence_number);
        let file =
            file.and_then(|file| file.strip_prefix(repository).ok()).unwrap_or(Path::new(""));
        format!("`{}` ({}:{line})", found.assignment, file.display())
    });
    shown.collect()
}

/// Returns whether an attribute hides or converts changes of a file.
fn hides(attribute: &AssignmentRef<'_>, is_data: bool) -> bool {
    match (attribute.name.as_str(), attribute.state) {
        (_, StateRef::Unspecified) => false,
        // Any other state is a driver, or none.
        ("diff" | "merge", state) => state != StateRef::Set,
        ("text" | "eol", _) if is_data => false,
        (_, StateRef::Unset) => false,
        (_, StateRef::Value(value)) => value.as_bstr() != "false",
        (_, StateRef::Set) => true,
    }
}
