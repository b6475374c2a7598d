//! Where the source of `skills add` is: in a repository, or in a local directory.

use crate::program::{
    Context,
    args::Add,
    package::relative,
    typed::Typed,
    usage_error::{usage_error, usage_error_with},
};
use helix_skills_format::{self as format, GitUrl, PluginName, ProjectPath, Repository, Source};
use helix_skills_project::{__internal::path_hint, Error, Project};
use std::path::{Path, PathBuf};

/// The hint of the error for an argument that has none of the readings.
const FORMS: &str = "pass OWNER/REPO[/DIR][@SKILL] or OWNER/REPO#REF[@SKILL] for a repository on github.com, a URL of git, the page of a directory or SKILL.md on GitHub or GitLab, or ./PATH";

/// The hint of the error for plain HTTP to another machine.
const INSECURE: &str = "use https; if the server has only http, write the source with `\"allowInsecure\": true` to the manifest and run `skills sync`";

/// The directory of the project's own skills, in the repository or the directory that contains the
/// project.
const OWN: &str = "skills";

/// The options that only a repository has.
const OF_REPOSITORY: [&str; 5] = ["version", "ref", "sha", "plugin", "skills-dir"];

/// Parses the URL of a repository, or the path of a local one.
pub(super) fn parse_url(typed: &Typed) -> Result<GitUrl, Error> {
    let text = typed.with_secrets();
    GitUrl::parse(text).map_err(|why| {
        if text.is_empty() || why == format::Error::BARE {
            return not_a_source(typed);
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

/// Returns the error for an argument without a reading.
pub(super) fn not_a_source(typed: &Typed) -> Error {
    let text = typed.to_string();
    let parts = text.split_once('@').map(|(plugin, market)| [plugin, market].map(PluginName::new));
    let hint = match parts {
        Some([Ok(plugin), Ok(_)]) => format!(
            "run `skills add OWNER/REPO --plugin {plugin}`, with the repository of the marketplace"
        ),
        _ => FORMS.to_owned(),
    };
    usage_error(format!("`{typed}` is not a source"), hint)
}

/// Returns how a command names a repository: `OWNER/REPO` if it is on github.com.
pub(in crate::program) fn short(url: &GitUrl) -> &str {
    let text = url.as_str();
    let path = text.strip_prefix("https://github.com/").and_then(|path| path.strip_suffix(".git"));
    path.unwrap_or(text)
}

/// Returns the entry of a repository, or of the plugin in it.
pub(super) fn in_repository(url: GitUrl, args: &Add) -> Source {
    let repository = Repository::new(url);
    match args.plugins.first() {
        Some(plugin) => Source::marketplace(repository, plugin.clone()),
        None => Source::git(repository),
    }
}

/// Returns the entry of the directory or local repository that is the argument. Paths of the
/// command line are relative to the working directory, paths in the manifest to its directory.
pub(super) fn local(context: &Context<'_>, project: &Project, args: &Add) -> Result<Source, Error> {
    let (typed, root) = (&args.source, project.root());
    let mut found = context.start.join(typed.with_secrets());
    if !found.is_dir() {
        let hint =
            "pass a directory with skills or a local repository, relative to the working directory";
        let hint = path_hint(&context.start, typed.with_secrets().as_ref(), hint);
        return Err(usage_error(format!("`{typed}` is not a directory"), hint));
    }
    let (real_root, place) = (real(root)?, real(&found)?);
    let repository = real_root.ancestors().find(|above| above.join(".git").exists());
    let is_work_tree = found.join(".git").exists();
    let is_bare = found.join("HEAD").is_file() && found.join("objects").is_dir();
    if (is_work_tree || is_bare) && repository != Some(place.as_path()) {
        let path = in_manifest(&real_root, &place)?;
        let path = if path.starts_with("../") { path } else { format!("./{path}") };
        return Ok(in_repository(parse_url(&path.as_str().into())?, args));
    }
    let options = args.options();
    if let Some((option, _)) = options.iter().find(|(option, _)| OF_REPOSITORY.contains(option)) {
        let what =
            format!("`--{option}` is for a git repository, but `{typed}` is a plain directory");
        return Err(usage_error(what, format!("remove `--{option}`")));
    }
    if real_root.starts_with(&place) && found.join(OWN).is_dir() {
        let note = format!("`{typed}` contains the project; its directory `{OWN}` is added");
        context.output.note("note:", note);
        found.push(OWN);
    }
    let path = in_manifest(&real_root, &real(&found)?)?;
    let path = ProjectPath::new(&path).map_err(|why| {
        usage_error_with(format!("invalid path `{path}`: {why}"), why.hint().map(str::to_owned))
    })?;
    Ok(Source::path(path))
}

fn real(path: &Path) -> Result<PathBuf, Error> {
    dunce::canonicalize(path).map_err(Error::read(path))
}

/// Returns a path relative to a directory, for the manifest. Both have no links.
fn in_manifest(from: &Path, to: &Path) -> Result<String, Error> {
    let path = relative(from, to);
    path.to_str().map(str::to_owned).ok_or_else(|| {
        let what = format!("the path `{}` is not UTF-8", path.display());
        usage_error(what, "rename the directory: the manifest is UTF-8")
    })
}
