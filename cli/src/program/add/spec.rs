//! What `skills add` is asked to add.

use crate::program::{
    args::Add,
    usage_error::{usage_error, usage_error_with},
};
use helix_skills_format::{GitUrl, GitUrlError, RefName, redacted};
use helix_skills_project::Error;
use std::path::{Component, Path, PathBuf};

/// What was named on the command line.
pub(super) enum Spec {
    Git(GitUrl),
    /// From the manifest's directory.
    Path(String),
}

impl Spec {
    /// `start` is where the command line's paths begin, `root` where the manifest's do.
    pub(super) fn parse(start: &Path, root: &Path, args: &Add) -> Result<Self, Error> {
        let text = args.source.as_str();
        let is_local = !text.starts_with("//")
            && (text == "."
                || text == ".."
                || ["/", "./", "../"].iter().any(|begin| text.starts_with(begin)));
        if is_local {
            return Self::parse_path(start, root, args);
        }
        if let Some((base, hint)) = page_of_a_forge(text) {
            let what = format!(
                "`{}` is a page about `{}`, not the repository",
                redacted(text),
                redacted(base)
            );
            return Err(usage_error(what, hint));
        }
        if is_short(text) {
            let url = format!("https://github.com/{}.git", text.trim_end_matches(".git"));
            if start.join(text).is_dir() {
                let what =
                    format!("`{text}` is a directory here and could be a repository on github.com");
                return Err(usage_error(what, format!("write `./{text}`, or `{url}`")));
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
                false => format!("there is no directory `{text}`"),
            };
            let hint = "name a directory with skills, or a local repository; the path starts here";
            return Err(usage_error(what, hint));
        }
        let path = relative(root, &found)?;
        if is_repository(&found) {
            let path = if path.starts_with("../") { path } else { format!("./{path}") };
            return parse_url(&path).map(Self::Git);
        }
        let (pins, selects) = ("pins git repositories", "is for git repositories");
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
                let what = format!("`{option}` {does}, and `{text}` is a plain directory");
                Err(usage_error(what, format!("leave `{option}` out")))
            }
        }
    }
}

/// Whether a directory is the top of a git repository, with a work tree or without.
fn is_repository(directory: &Path) -> bool {
    directory.join(".git").exists()
        || (directory.join("HEAD").is_file() && directory.join("objects").is_dir())
}

fn parse_url(text: &str) -> Result<GitUrl, Error> {
    GitUrl::parse(text).map_err(|why| {
        let shown = redacted(text);
        let what = format!("the url `{}` is refused: {why}", shown.escape_debug());
        let hint = match (why, text.split_once('#')) {
            // A part that was hidden may be a secret.
            (GitUrlError::Path | GitUrlError::Bare, Some((url, reference)))
                if shown == text
                    && RefName::new(reference).is_ok()
                    && (is_short(url) || GitUrl::parse(url).is_ok()) =>
            {
                Some(format!("write `skills add {url} --ref {reference}`"))
            }
            (GitUrlError::Path, Some(_)) => {
                Some("name a branch or tag with `--ref`, not in the URL".to_owned())
            }
            (GitUrlError::Bare, _) => Some(meant(text)),
            _ => why.hint().map(str::to_owned),
        };
        usage_error_with(what, hint)
    })
}

/// How to write what a text without a scheme may have meant.
fn meant(text: &str) -> String {
    if let Some((repository, pin)) = text.split_once('@')
        && is_short(repository)
    {
        let bare = pin.strip_prefix('v').unwrap_or(pin);
        let is_word = !pin.is_empty()
            && pin.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_./+".contains(&b));
        match bare.starts_with(|first: char| first.is_ascii_digit()) && bare.contains('.') {
            true if is_word => return format!("write `skills add {repository} --version {bare}`"),
            false if is_word => return format!("write `skills add {repository} --ref {pin}`"),
            _ => {}
        }
    }
    if let Some((host, path)) = text.split_once('/')
        && host.contains('.')
        && is_short(path)
    {
        let url = format!("https://{host}/{}.git", path.trim_end_matches(".git"));
        if GitUrl::parse(&url).is_ok() {
            return format!("write `{url}`");
        }
    }
    "write OWNER/REPO for a repository on github.com, the whole `https://...` url of any other, or `./path` for a directory here".to_owned()
}

/// `owner/repo`, as github.com names repositories.
fn is_short(text: &str) -> bool {
    let good = |part: &str| {
        !part.is_empty()
            && !part.starts_with(['-', '.'])
            && part.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.'))
    };
    text.split_once('/').is_some_and(|(owner, name)| good(owner) && good(name))
}

/// The address of a directory or file as a browser shows it: the repository, and how to write what was meant.
fn page_of_a_forge(text: &str) -> Option<(&str, String)> {
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

/// `to` as seen from the directory `from`, `/` between its parts.
fn relative(from: &Path, to: &Path) -> Result<String, Error> {
    let real = |path: &Path| std::fs::canonicalize(path).map_err(Error::disk("read", path));
    let (from, to) = (real(from)?, real(to)?);
    let shared = from.components().zip(to.components()).take_while(|(a, b)| a == b).count();
    let up = from.components().skip(shared).map(|_| Component::ParentDir);
    let path: PathBuf = up.chain(to.components().skip(shared)).collect();
    let text = path.to_str().map(|text| text.replace('\\', "/")).ok_or_else(|| {
        let what = format!("the path `{}` is not UTF-8", path.display());
        usage_error(what, "a manifest is: rename the directory")
    })?;
    Ok(if text.is_empty() { ".".to_owned() } else { text })
}
