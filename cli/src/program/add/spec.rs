//! Parsing of the source that `skills add` adds.

use crate::program::{
    args::Add,
    usage_error::{usage_error, usage_error_with},
};
use helix_skills_format::{GitUrl, GitUrlError, RefName, redacted};
use helix_skills_project::Error;
use std::path::{Component, Path, PathBuf};

/// A source on the command line.
pub(super) enum Spec {
    Git(GitUrl),
    /// A directory, relative to the manifest.
    Path(String),
}

impl Spec {
    /// Parses the argument. Paths of the command line are relative to `start`, those of the
    /// manifest to `root`.
    pub(super) fn parse(start: &Path, root: &Path, args: &Add) -> Result<Self, Error> {
        let text = args.source.as_str();
        let is_local = !text.starts_with("//")
            && (text == "."
                || text == ".."
                || ["/", "./", "../"].iter().any(|begin| text.starts_with(begin)));
        if is_local {
            return Self::parse_path(start, root, args);
        }
        if let Some((base, hint)) = forge_page(text) {
            let what = format!(
                "`{}` is a web page of `{}`, not a repository",
                redacted(text),
                redacted(base)
            );
            return Err(usage_error(what, hint));
        }
        if is_short(text) {
            let url = format!("https://github.com/{}.git", text.trim_end_matches(".git"));
            if start.join(text).is_dir() {
                let what = format!(
                    "`{text}` is both a local directory and a possible repository on github.com"
                );
                return Err(usage_error(
                    what,
                    format!("use `./{text}` for the directory or `{url}` for the repository"),
                ));
            }
            return parse_url(&url).map(Self::Git);
        }
        parse_url(text).map(Self::Git)
    }

    fn parse_path(start: &Path, root: &Path, args: &Add) -> Result<Self, Error> {
        let text = &args.source;
        let found = start.join(text);
        if !found.is_dir() {
            let what = match found.exists() {
                true => format!("`{text}` is a file, expected a directory"),
                false => format!("cannot find the directory `{text}`"),
            };
            let hint = "pass a directory with skills or a local repository, relative to the working directory";
            return Err(usage_error(what, hint));
        }
        let path = relative(root, &found)?;
        if is_repository(&found) {
            let path = if path.starts_with("../") { path } else { format!("./{path}") };
            return parse_url(&path).map(Self::Git);
        }
        let (pins, selects) = ("pins a git repository", "is for a git repository");
        let only_git = [
            ("--version", args.version.is_some(), pins),
            ("--ref", args.reference.is_some(), pins),
            ("--sha", args.sha.is_some(), pins),
            ("--plugin", args.plugin.is_some(), selects),
            ("--skills-dir", args.skills_dir.is_some(), selects),
        ];
        match only_git.iter().find(|(_, given, _)| *given) {
            None => Ok(Self::Path(path)),
            Some((option, _, does)) => {
                let what = format!("`{option}` {does}, but `{text}` is a plain directory");
                Err(usage_error(what, format!("remove `{option}`")))
            }
        }
    }
}

/// Returns whether a directory is the root of a git repository, bare or with a work tree.
fn is_repository(directory: &Path) -> bool {
    directory.join(".git").exists()
        || (directory.join("HEAD").is_file() && directory.join("objects").is_dir())
}

fn parse_url(text: &str) -> Result<GitUrl, Error> {
    GitUrl::parse(text).map_err(|why| {
        let shown = redacted(text);
        let what = format!("invalid URL `{}`: {why}", shown.escape_debug());
        let hint = match (why, text.split_once('#')) {
            // A redacted part may be a secret, so it is not repeated.
            (GitUrlError::Path | GitUrlError::Bare, Some((url, reference)))
                if shown == text
                    && RefName::new(reference).is_ok()
                    && (is_short(url) || GitUrl::parse(url).is_ok()) =>
            {
                Some(format!("run `skills add {url} --ref {reference}`"))
            }
            (GitUrlError::Path, Some(_)) => {
                Some("pass the branch or tag with `--ref`, not in the URL".to_owned())
            }
            (GitUrlError::Bare, _) => Some(suggestion(text)),
            _ => why.hint().map(str::to_owned),
        };
        usage_error_with(what, hint)
    })
}

/// Suggests how to write a text without a scheme.
fn suggestion(text: &str) -> String {
    if let Some((repository, pin)) = text.split_once('@')
        && is_short(repository)
    {
        let bare = pin.strip_prefix('v').unwrap_or(pin);
        let is_word = !pin.is_empty()
            && pin.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_./+".contains(&b));
        match bare.starts_with(|first: char| first.is_ascii_digit()) && bare.contains('.') {
            true if is_word => return format!("run `skills add {repository} --version {bare}`"),
            false if is_word => return format!("run `skills add {repository} --ref {pin}`"),
            _ => {}
        }
    }
    if let Some((host, path)) = text.split_once('/')
        && host.contains('.')
        && is_short(path)
    {
        let url = format!("https://{host}/{}.git", path.trim_end_matches(".git"));
        if GitUrl::parse(&url).is_ok() {
            return format!("did you mean `{url}`?");
        }
    }
    "use OWNER/REPO for a repository on github.com, `https://...` for any other, or `./path` for a local directory".to_owned()
}

/// Returns whether a text has the form `owner/repo` of github.com.
fn is_short(text: &str) -> bool {
    let is_valid = |part: &str| {
        !part.is_empty()
            && !part.starts_with(['-', '.'])
            && part.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.'))
    };
    text.split_once('/').is_some_and(|(owner, name)| is_valid(owner) && is_valid(name))
}

/// Recognizes the browser's URL of a directory or file in a repository. Returns the repository and
/// a hint.
fn forge_page(text: &str) -> Option<(&str, String)> {
    let (base, rest) = ["/-/tree/", "/-/blob/", "/tree/", "/blob/"]
        .iter()
        .find_map(|part| text.split_once(part))?;
    if !text.starts_with("https://") {
        return None;
    }
    let (reference, path) = rest.split_once('/').unwrap_or((rest, ""));
    let path = path.trim_end_matches("/SKILL.md").trim_end_matches('/');
    let directory = match path.rsplit_once('/') {
        Some((above, skill)) => format!(" --skills-dir {above} --include {skill}"),
        None if path.is_empty() => String::new(),
        None => format!(" --skills-dir {path}"),
    };
    Some((base, format!("run `skills add {} --ref {reference}{directory}`", redacted(base))))
}

/// Returns `to` relative to the directory `from`, with `/` between its parts.
fn relative(from: &Path, to: &Path) -> Result<String, Error> {
    let real = |path: &Path| std::fs::canonicalize(path).map_err(Error::disk("read", path));
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
