//! The package of the working directory, in which `include_skills!` looks for skills.

use super::Context;
use helix_skills_format::__internal::MANIFEST_FILE;
use helix_skills_project::__internal::with_slashes;
use std::{
    fs,
    path::{Component, Path, PathBuf},
};

impl Context<'_> {
    /// Returns the directory of what a command creates: of the package that the working directory
    /// is in, or else that one. If it is another one, a note that begins with `what` names it.
    pub(super) fn package(&self, what: Option<&str>) -> &Path {
        let cargo_toml = |dir: &&Path| dir.join("Cargo.toml").is_file();
        let Some(package) = self.start.ancestors().find(cargo_toml) else { return &self.start };
        let Some(what) = what else { return package };
        let note = |what: &str, dir: &Path| {
            self.output.note("note:", format!("{what} `{}`", dir.display()));
        };
        if package != self.start {
            note(&format!("{what} the package in"), package);
        }
        let text = |dir: &Path| fs::read_to_string(dir.join("Cargo.toml")).unwrap_or_default();
        let above = package.ancestors().find(|dir| is_workspace(&text(dir)));
        let above = above.filter(|above| *above != package);
        if let Some(above) = above.filter(|above| !above.join(MANIFEST_FILE).exists()) {
            note("for one manifest of the whole workspace, run `skills init` in", above);
        }
        package
    }

    /// Returns a path relative to the working directory, for messages.
    pub(super) fn shown_here(&self, path: &Path) -> String {
        relative(&self.start, path).display().to_string()
    }
}

/// Returns whether the text of a `Cargo.toml` has the table `[workspace]`. A line is enough for a
/// note.
fn is_workspace(cargo_toml: &str) -> bool {
    cargo_toml.lines().any(|line| line.trim_start().starts_with("[workspace"))
}

/// Returns an absolute path relative to another one, with `/` between its parts.
pub(super) fn relative(from: &Path, to: &Path) -> PathBuf {
    let (from, to) = (without_up(from), without_up(to));
    let shared = from.components().zip(to.components()).take_while(|(a, b)| a == b).count();
    let up = from.components().skip(shared).map(|_| Component::ParentDir);
    let path: PathBuf = up.chain(to.components().skip(shared)).collect();
    if path.as_os_str().is_empty() { PathBuf::from(".") } else { with_slashes(&path) }
}

/// Resolves each `..` of a path, as if no directory was a link.
fn without_up(path: &Path) -> PathBuf {
    path.components().fold(PathBuf::new(), |resolved, part| match part {
        Component::ParentDir => resolved.parent().unwrap_or(&resolved).to_owned(),
        part => resolved.join(part),
    })
}
