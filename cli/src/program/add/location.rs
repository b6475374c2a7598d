//! Where the source of `skills add` is: in a repository, or in a local directory.

use crate::program::{
    args::Add,
    quoted::quoted,
    typed::Typed,
    usage_error::{usage_error, usage_error_with},
};
use helix_skills_format::{self as format, GitUrl, ProjectPath};
use helix_skills_project::{__internal::path_hint, Error};
use std::path::{Component, Path, PathBuf};

/// The hint of the error for an argument that has none of the readings.
const FORMS: &str = "pass OWNER/REPO[/DIR][@SKILL] or OWNER/REPO#REF[@SKILL] for a repository on github.com, a URL of git, the page of a directory or SKILL.md on GitHub or GitLab, or ./PATH";

/// The hint of the error for plain HTTP to another machine.
const INSECURE: &str = "use https; if the server has only http, write the source with `\"allowInsecure\": true` to the manifest and run `skills sync`";

/// The directory of the project's own skills, in the repository or the directory that contains the
/// project.
const OWN: &str = "skills";

/// Where a source is.
pub(super) enum Location {
    Repository(GitUrl),
    /// A directory, relative to the manifest.
    Directory(ProjectPath),
}

/// Parses the URL of a repository, or the path of a local one.
pub(super) fn parse_url(typed: &Typed) -> Result<GitUrl, Error> {
    let text = typed.with_secrets();
    GitUrl::parse(text).map_err(|why| {
        if text.is_empty() || why == format::Error::BARE {
            return not_a_source(typed, None);
        }
        // The fragment is the only problem.
        let has_ref = text.split_once('#').is_some_and(|(url, _)| GitUrl::parse(url).is_ok());
        let hint = if has_ref {
            Some("pass the branch or tag with `--ref`, not in the URL")
        } else if GitUrl::parse_insecure(text).is_ok() {
            Some(INSECURE)
        } else {
            why.hint()
        };
        usage_error_with(format!("invalid URL `{typed}`: {why}"), hint.map(str::to_owned))
    })
}

/// Returns the error for an argument without a reading. `repository` is the repository that it
/// names anyway.
pub(super) fn not_a_source(typed: &Typed, repository: Option<&GitUrl>) -> Error {
    let hint = match repository {
        Some(url) => format!("run `skills add {} --list`", quoted(short(url))),
        None => FORMS.to_owned(),
    };
    usage_error(format!("`{typed}` is not a source"), hint)
}

/// Returns how a command names a repository: `OWNER/REPO` if it is on github.com.
pub(super) fn short(url: &GitUrl) -> &str {
    let text = url.as_str();
    let path = text.strip_prefix("https://github.com/").and_then(|path| path.strip_suffix(".git"));
    path.unwrap_or(text)
}

/// Finds the directory that is the argument, and returns a note on how the argument was read. Paths
/// of the command line are relative to `start`, paths in the manifest to `root`.
pub(super) fn local(
    start: &Path,
    root: &Path,
    args: &Add,
) -> Result<(Location, Option<String>), Error> {
    let typed = &args.source;
    let mut found = start.join(typed.with_secrets());
    if !found.is_dir() {
        let hint =
            "pass a directory with skills or a local repository, relative to the working directory";
        let hint = path_hint(start, typed.with_secrets().as_ref(), hint);
        return Err(usage_error(format!("`{typed}` is not a directory"), hint));
    }
    let (project, place) = (real(root)?, real(&found)?);
    let repository = project.ancestors().find(|above| above.join(".git").exists());
    let is_own = repository == Some(place.as_path());
    let is_work_tree = found.join(".git").exists();
    let is_bare = found.join("HEAD").is_file() && found.join("objects").is_dir();
    if (is_work_tree || is_bare) && !is_own {
        let path = relative(root, &found)?;
        let path = if path.starts_with("../") { path } else { format!("./{path}") };
        return Ok((Location::Repository(parse_url(&path.as_str().into())?), None));
    }
    let contains_own = project.starts_with(&place) && found.join(OWN).is_dir();
    let note = contains_own
        .then(|| format!("`{typed}` contains the project; its directory `{OWN}` is added"));
    found.extend(contains_own.then_some(OWN));
    let pin = args.pin.fields().into_iter().map(|(option, _)| option);
    let plugin = args.plugin.as_ref().map(|_| "plugin");
    let skills_dir = args.skills_dir.as_ref().map(|_| "skills-dir");
    if let Some(option) = pin.chain(plugin).chain(skills_dir).next() {
        let what =
            format!("`--{option}` is for a git repository, but `{typed}` is a plain directory");
        return Err(usage_error(what, format!("remove `--{option}`")));
    }
    let path = relative(root, &found)?;
    let path = ProjectPath::new(&path).map_err(|why| {
        usage_error_with(format!("invalid path `{path}`: {why}"), why.hint().map(str::to_owned))
    })?;
    Ok((Location::Directory(path), note))
}

fn real(path: &Path) -> Result<PathBuf, Error> {
    dunce::canonicalize(path).map_err(Error::read(path))
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
