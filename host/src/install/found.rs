//! What is in a directory of skills.

use super::record::Written;
use cap_fs_ext::{DirExt as _, FollowSymlinks, OpenOptionsFollowExt as _, OpenOptionsSyncExt as _};
use cap_std::fs::{Dir, OpenOptions};
use helix_skills_format::{__internal::is_inert_leftover, Digest, Listing, RelPath};
use std::{
    io::{self, Read as _},
    path::Path,
};

/// Maximum number of files in a skill that is there. With more, it counts as edited.
const MAX_FILES: usize = 100_000;

/// Maximum depth of its directories.
const MAX_DEPTH: u64 = 64;

/// Maximum number of entries that cannot be read, after which reading a directory stops.
const MAX_OTHERS: usize = 100;

/// What is at the place of a skill.
pub(super) enum Found {
    Missing,
    /// A directory.
    Copy(Tree),
    /// A symbolic link with this target, separated by `/`.
    Link(String),
    /// A file, an entry whose name differs in case, or a directory that cannot be read.
    Other,
}

impl Found {
    /// Returns what a record has for this; `None` if it cannot be what a program has written.
    pub(super) fn written(&self) -> Option<Written> {
        match self {
            Self::Copy(tree) if tree.others.is_empty() => {
                let listing = Listing::from_digests(tree.files.iter().cloned());
                Some(Written::Copy(listing.integrity()))
            }
            Self::Link(target) => Some(Written::Link(target.clone())),
            _ => None,
        }
    }
}

/// The files of a directory. Inert leftovers, such as `.DS_Store`, are left out.
#[derive(Default)]
pub(super) struct Tree {
    pub(super) files: Vec<(RelPath, Digest)>,
    /// Paths of entries that no skill can have, such as links, or that cannot be read.
    pub(super) others: Vec<String>,
}

/// Returns what is at the place of a skill.
pub(super) fn inspect(dir: &Dir, name: &str) -> io::Result<Found> {
    let metadata = dir.symlink_metadata(name)?;
    if metadata.is_symlink() {
        let target = dir.read_link_contents(name)?;
        return Ok(Found::Link(target.to_string_lossy().replace('\\', "/")));
    }
    if !metadata.is_dir() {
        return Ok(Found::Other);
    }
    let (mut tree, dir) = (Tree::default(), dir.open_dir_nofollow(name));
    match dir.and_then(|dir| walk(&dir, "", 1, &mut tree)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Found::Missing),
        // Not readable for this user, for example.
        Err(_) => Ok(Found::Other),
        Ok(()) => Ok(Found::Copy(tree)),
    }
}

/// Collects the files of a directory. What cannot be read is one of the `others`.
fn walk(dir: &Dir, prefix: &str, depth: u64, tree: &mut Tree) -> io::Result<()> {
    for entry in dir.entries()? {
        let entry = entry?;
        let (name, kind) = (entry.file_name(), entry.file_type()?);
        let text = name.to_string_lossy();
        let path = if prefix.is_empty() { text.to_string() } else { format!("{prefix}/{text}") };
        if is_inert_leftover(&path) {
            continue;
        }
        let is_readable = match RelPath::new(path.clone()) {
            Err(_) => false,
            _ if tree.files.len() >= MAX_FILES || depth > MAX_DEPTH => false,
            Ok(_) if kind.is_dir() => dir
                .open_dir_nofollow(&name)
                .and_then(|dir| walk(&dir, &path, depth + 1, tree))
                .is_ok(),
            Ok(file) if kind.is_file() && name.to_str().is_some() => {
                let digest = open_file(dir, Path::new(&name))
                    .and_then(|mut file| Digest::hash_reader(&mut file));
                digest.map(|digest| tree.files.push((file, digest))).is_ok()
            }
            Ok(_) => false,
        };
        if !is_readable {
            tree.others.push(path);
            if tree.others.len() >= MAX_OTHERS {
                break;
            }
        }
    }
    Ok(())
}

/// Opens a regular file, without following a link or waiting for the other end of a pipe.
fn open_file(dir: &Dir, name: &Path) -> io::Result<cap_std::fs::File> {
    let mut options = OpenOptions::new();
    options.read(true).nonblock(true).follow(FollowSymlinks::No);
    let file = dir.open_with(name, &options)?;
    match file.metadata()?.is_file() {
        true => Ok(file),
        false => Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file")),
    }
}

/// Reads a file, up to `limit` bytes.
pub(super) fn read_file(dir: &Dir, name: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open_file(dir, name)?.take(limit + 1).read_to_end(&mut bytes)?;
    let too_large = || io::Error::other(format!("it is larger than {limit} bytes"));
    Some(bytes).filter(|bytes| bytes.len() as u64 <= limit).ok_or_else(too_large)
}
