//! Snapshots of a directory, to find out what a run changed.

use std::{
    collections::BTreeMap,
    fmt, fs,
    path::Path,
    time::{SystemTime, UNIX_EPOCH},
};

/// Paths with their contents, modification times and permissions.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Snapshot(BTreeMap<String, PathState>);

#[derive(Clone, PartialEq, Eq)]
struct PathState {
    node: Node,
    changed: SystemTime,
    mode: u32,
}

#[derive(Clone, PartialEq, Eq)]
enum Node {
    Directory,
    File(Vec<u8>),
    Link(String),
    Special,
}

impl Snapshot {
    /// Takes a snapshot of everything below `directory`; it is empty if the directory does not
    /// exist.
    #[must_use]
    pub fn take(directory: &Path) -> Self {
        let mut snapshot = Self::default();
        snapshot.add_children("", directory);
        snapshot
    }

    /// Adds a path and everything below it under `name`.
    pub(super) fn add(&mut self, name: &str, path: &Path) {
        let Ok(data) = path.symlink_metadata() else { return };
        let node = if data.is_dir() {
            Node::Directory
        } else if data.is_symlink() {
            Node::Link(
                fs::read_link(path)
                    .map(|target| target.to_string_lossy().into_owned())
                    .unwrap_or_default(),
            )
        } else if data.is_file() {
            Node::File(fs::read(path).unwrap_or_default())
        } else {
            // Opening a pipe would wait for a writer.
            Node::Special
        };
        let state =
            PathState { node, changed: data.modified().unwrap_or(UNIX_EPOCH), mode: mode(&data) };
        self.0.insert(name.to_owned(), state);
        if data.is_dir() {
            self.add_children(&format!("{name}/"), path);
        }
    }

    fn add_children(&mut self, prefix: &str, directory: &Path) {
        let Ok(entries) = fs::read_dir(directory) else { return };
        for entry in entries.flatten() {
            let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
            self.add(&name, &entry.path());
        }
    }

    /// Returns the paths of files and links, sorted by bytes.
    #[must_use]
    pub fn files(&self) -> Vec<String> {
        self.0
            .iter()
            .filter(|(_, state)| state.node != Node::Directory)
            .map(|(path, _)| path.clone())
            .collect()
    }

    /// Removes these directories or files and everything below them.
    #[must_use]
    pub fn without(mut self, paths: &[&str]) -> Self {
        self.0.retain(|path, _| {
            !paths.iter().any(|left_out| {
                path.strip_prefix(left_out).is_some_and(|r| r.is_empty() || r.starts_with('/'))
            })
        });
        self
    }

    /// Returns the bytes of every file, without times and permissions.
    #[must_use]
    pub fn contents(&self) -> BTreeMap<&str, &[u8]> {
        self.0
            .iter()
            .filter_map(|(path, state)| match &state.node {
                Node::File(bytes) => Some((path.as_str(), bytes.as_slice())),
                Node::Directory | Node::Link(_) | Node::Special => None,
            })
            .collect()
    }

    /// Returns the first path whose file contains these bytes.
    #[must_use]
    pub fn file_containing(&self, needle: &[u8]) -> Option<&str> {
        self.contents()
            .into_iter()
            .find(|(_, bytes)| bytes.windows(needle.len()).any(|w| w == needle))
            .map(|(p, _)| p)
    }

    /// Describes each path that differs from `before` in one line; empty if nothing changed.
    #[must_use]
    pub fn changes_since(&self, before: &Self) -> Vec<String> {
        let mut changes = Vec::new();
        for (path, old) in &before.0 {
            match self.0.get(path) {
                None => changes.push(format!("removed {path}")),
                Some(new) if new.node != old.node => changes.push(format!("changed {path}")),
                Some(new) if new.mode != old.mode => {
                    changes.push(format!("changed the permissions of {path}"))
                }
                Some(new) if new.changed != old.changed => changes.push(format!("touched {path}")),
                Some(_) => {}
            }
        }
        changes.extend(
            self.0
                .keys()
                .filter(|path| !before.0.contains_key(*path))
                .map(|path| format!("added {path}")),
        );
        changes
    }
}

/// Prints paths only, so that a failing comparison of two snapshots fits on a screen.
impl fmt::Debug for Snapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.keys()).finish()
    }
}

#[cfg(unix)]
fn mode(data: &fs::Metadata) -> u32 {
    std::os::unix::fs::PermissionsExt::mode(&data.permissions())
}

#[cfg(not(unix))]
fn mode(data: &fs::Metadata) -> u32 {
    u32::from(data.permissions().readonly())
}
