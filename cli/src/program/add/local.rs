//! Local directories on the command line of `skills add`.

use super::request::{Location, parse_url};
use crate::program::{args::Add, usage_error::usage_error};
use helix_skills_project::Error;
use std::{
    fs,
    path::{Component, Path, PathBuf},
};

/// The directory of the project's own skills, in the repository or the directory that contains the
/// project.
const OWN: &str = "skills";

/// Finds the directory that is the argument, and returns a note on how the argument was read. Paths
/// of the command line are relative to `start`, paths in the manifest to `root`.
pub(super) fn find(
    start: &Path,
    root: &Path,
    args: &Add,
) -> Result<(Location, Option<String>), Error> {
    let typed = &args.source;
    let mut found = start.join(typed.with_secrets());
    if !found.is_dir() {
        let what = match found.exists() {
            true => format!("`{typed}` is a file, expected a directory"),
            false => format!("cannot find the directory `{typed}`"),
        };
        let hint =
            "pass a directory with skills or a local repository, relative to the working directory";
        return Err(usage_error(what, hint));
    }
    let project = real(root)?;
    let repository = project.ancestors().find(|above| above.join(".git").exists());
    let (mut is_repository, mut note) = (is_repository(&found), None);
    let place = real(&found)?;
    if project.starts_with(&place) && (!is_repository || repository == Some(&place)) {
        if found.join(OWN).is_dir() {
            note = Some(format!("`{typed}` contains the project; its directory `{OWN}` is added"));
            found.push(OWN);
        } else if is_repository {
            let what = format!(
                "`{typed}` is the repository of the project itself, without a directory `{OWN}`"
            );
            let hint = "run `skills add ./DIR` with the directory of its skills";
            return Err(usage_error(what, hint));
        }
        is_repository = false;
    }
    let path = relative(root, &found)?;
    if is_repository {
        let path = if path.starts_with("../") { path } else { format!("./{path}") };
        let location = Location::Repository(parse_url(&path.as_str().into())?);
        return Ok((location, note));
    }
    let (pins, selects) = ("pins a git repository", "is for a git repository");
    let only_git = [
        ("--version", args.version.is_some(), pins),
        ("--ref", args.reference.is_some(), pins),
        ("--sha", args.sha.is_some(), pins),
        ("--plugin", args.plugin.is_some(), selects),
        ("--skills-dir", args.skills_dir.is_some(), selects),
    ];
    if let Some((option, _, does)) = only_git.iter().find(|(_, given, _)| *given) {
        let what = format!("`{option}` {does}, but `{typed}` is a plain directory");
        return Err(usage_error(what, format!("remove `{option}`")));
    }
    Ok((Location::Directory(path), note))
}

/// Returns whether a directory is the root of a git repository, bare or with a work tree.
fn is_repository(directory: &Path) -> bool {
    directory.join(".git").exists()
        || (directory.join("HEAD").is_file() && directory.join("objects").is_dir())
}

fn real(path: &Path) -> Result<PathBuf, Error> {
    fs::canonicalize(path).map_err(Error::read(path))
}

/// Returns `to` relative to the directory `from`, with `/` between its parts.
fn relative(from: &Path, to: &Path) -> Result<String, Error> {
    let (from, to) = (real(from)?, real(to)?);
    let shared = from.components().zip(to.components()).take_while(|(a, b)| a == b).count();
    let up = from.components().skip(shared).map(|_| Component::ParentDir);
    let path: PathBuf = up.chain(to.components().skip(shared)).collect();
    let text = path.to_str().map(|text| text.replace('\\', "/")).ok_or_else(|| {
        let what = format!("the path `{}` is not UTF-8", path.display());
        usage_error(what, "rename the directory: the manifest is UTF-8")
    })?;
    Ok(if text.is_empty() { ".".to_owned() } else { text })
}
