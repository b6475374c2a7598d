//! The files of a corpus of real skills, the default one or that of `HELIX_CORPUS`.

use std::path::{Path, PathBuf};

/// Returns the directory of the corpus.
pub(crate) fn root() -> PathBuf {
    let default = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/corpus");
    std::env::var_os("HELIX_CORPUS").map_or_else(|| default.into(), PathBuf::from)
}

/// Returns whether the corpus is the one that the recorded results are for.
pub(crate) fn is_default() -> bool {
    std::env::var_os("HELIX_CORPUS").is_none()
}

/// Returns the paths of all files below `root`, sorted, with `/` between their parts.
pub(crate) fn files(root: &Path) -> Vec<String> {
    let mut files = Vec::new();
    collect(root, root, &mut files);
    files.sort();
    files
}

fn collect(root: &Path, directory: &Path, files: &mut Vec<String>) {
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(root, &path, files);
        } else {
            files.push(path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/"));
        }
    }
}
