//! Attributes of git that hide changes of the files that decide about skills.
//!
//! They are read without git, from the `.gitattributes` files between the repository's root and the
//! file, and from `.git/info/attributes`. Not read are the attributes of the user and of the
//! system, and those of the index, which git uses if a file is missing.

use crate::{
    Error,
    paths::{LARGEST, ProjectPaths},
    regular_file::{self, Links},
    slashes::with_slashes,
    store::ATTRIBUTES,
};
use gix_attributes::{Search, StateRef, glob::pattern::Case, search};
use helix_skills_format::__internal::listed;
use std::path::{Path, PathBuf};

/// The attributes that hide changes, or convert them. Conversions of line endings (`text`, `eol`)
/// are none of them: manifest and lockfile are compared as data.
const NAMES: [&str; 7] = [
    "diff",
    "filter",
    "gitlab-generated",
    "ident",
    "linguist-generated",
    "merge",
    "working-tree-encoding",
];

/// Returns a note on each file with such attributes: manifest, lockfile, the store's own file.
pub(crate) fn notes(project: &ProjectPaths) -> Result<Vec<String>, Error> {
    let root = project.real_root()?;
    let repository = root.ancestors().find(|directory| directory.join(".git").exists());
    let Some(repository) = repository else { return Ok(Vec::new()) };
    let note = |file: &PathBuf| {
        let file = project.show(file);
        let shown = hiding(repository, root.join(&file).strip_prefix(repository).ok()?)?;
        Some(format!("attributes of git can hide changes of `{}`: {shown}", file.display()))
    };
    let files = [&project.manifest, &project.lock, &project.store.join(ATTRIBUTES.0)];
    Ok(files.into_iter().filter_map(note).collect())
}

/// Returns the attributes that hide changes of the file at `path`, relative to `repository`, or the
/// file of attributes that cannot be read; `None` if nothing hides them.
fn hiding(repository: &Path, path: &Path) -> Option<String> {
    let mut known = search::MetadataCollection::default();
    // Has git's own macro, `binary`.
    let globals = Search::new_globals([""; 0], &mut Vec::new(), &mut known);
    let mut attributes = globals.unwrap_or_default();
    let above = path.ancestors().skip(1).map(|above| repository.join(above).join(".gitattributes"));
    let above: Vec<_> = above.map(|file| (file, Some(repository))).collect();
    let of_clone = (repository.join(".git/info/attributes"), None);
    // The later a file, the higher its precedence.
    for (file, root) in above.into_iter().rev().chain([of_clone]) {
        let bytes = regular_file::read(&file, Links::Refuse, LARGEST);
        // Git reads a line, or the file, up to a NUL.
        if let Some(bytes) = bytes.ok().filter(|bytes| !bytes.contains(&0)) {
            let _ = attributes.add_patterns_buffer(&bytes, file, root, &mut known, true);
        } else if file.is_file() && !file.is_symlink() {
            // As in git, a link is ignored.
            let file = with_slashes(file.strip_prefix(repository).unwrap_or(&file));
            return Some(format!("`{}` has a NUL, is too large, or is unreadable", file.display()));
        }
    }
    let mut outcome = search::Outcome::default();
    outcome.initialize_with_selection(&known, NAMES);
    let path = with_slashes(path);
    let path = path.as_os_str().as_encoded_bytes().into();
    attributes.pattern_matching_relative_path(path, Case::Fold, Some(false), &mut outcome);
    let found = outcome.iter_selected().map(|found| found.assignment);
    let hides = found.filter(|found| match (found.name.as_str(), found.state) {
        // Any other state is a driver, or none.
        ("diff" | "merge", state) => !matches!(state, StateRef::Set | StateRef::Unspecified),
        (_, StateRef::Value(value)) => value.as_bstr() != "false",
        (_, state) => !matches!(state, StateRef::Unset | StateRef::Unspecified),
    });
    let found: Vec<String> = hides.map(|found| found.to_string()).collect();
    (!found.is_empty()).then(|| listed(&found, 3))
}
