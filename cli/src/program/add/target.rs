//! The source of the manifest that `skills add` is about: a new one, or one with the same location.

use super::{
    spec::{Spec, is_default},
    suggested::this_command,
};
use crate::program::{args::Add, typed::Typed, usage_error::usage_error};
use helix_skills_format::{__internal::UrlKind, GitUrl, SourceKey};
use helix_skills_project::{
    Error,
    manifest::{Manifest, Repository, Source},
};
use std::{fs, path::Path};

/// A source of the manifest.
pub(super) enum Target {
    /// A name that is free.
    New(SourceKey),
    /// A source with the location that was given.
    Existing(SourceKey),
}

impl Target {
    /// Finds the source. Relative locations are relative to `root`.
    pub(super) fn find(
        spec: &Spec,
        args: &Add,
        manifest: &Manifest,
        root: &Path,
    ) -> Result<Self, Error> {
        let same = |source: &Source| is_same(spec, args, source, root);
        let names = names(spec, args);
        if let Some(name) = &args.name {
            let key = checked(name)?;
            return match manifest.sources.get(&key) {
                None => Ok(Self::New(key)),
                Some(source) if same(source) => Ok(Self::Existing(key)),
                Some(_) => Err(taken(&key, &names, manifest)),
            };
        }
        let found: Vec<&SourceKey> = manifest
            .sources
            .iter()
            .filter(|(_, source)| same(source))
            .map(|(key, _)| key)
            .collect();
        match found.as_slice() {
            [] => {}
            [key] => return Ok(Self::Existing((*key).clone())),
            several => {
                if let Some(key) = several.iter().find(|key| key.as_str() == names[0]) {
                    return Ok(Self::Existing((*key).clone()));
                }
                let shown: Vec<String> = several.iter().map(|key| format!("`{key}`")).collect();
                let what = format!("several sources have this location: {}", shown.join(", "));
                let hint =
                    format!("run `{}`", this_command(&["--name"], &[("--name", several[0])]));
                return Err(usage_error(what, hint));
            }
        }
        match free(&names, manifest) {
            Some(key) => Ok(Self::New(key)),
            None => Err(taken(&checked(&names[0])?, &names, manifest)),
        }
    }
}

/// Returns the repository of the manifest's sources with this URL, if they all have the same pin.
pub(super) fn shared_repository<'m>(
    url: &GitUrl,
    manifest: &'m Manifest,
    root: &Path,
) -> Option<(&'m SourceKey, &'m Repository)> {
    let mut same = manifest
        .sources
        .iter()
        .filter_map(|(key, source)| Some((key, source.repository()?)))
        .filter(|(_, repository)| location(&repository.url, root) == location(url, root));
    let first = same.next()?;
    same.all(|(_, other)| (&other.pin, &other.sha) == (&first.1.pin, &first.1.sha)).then_some(first)
}

/// Returns whether a source has the location that was given.
fn is_same(spec: &Spec, args: &Add, source: &Source, root: &Path) -> bool {
    match (spec, source) {
        (Spec::Git(url), Source::Git(git)) => {
            let directory = args.skills_dir.as_deref().map(|directory| directory.trim_matches('/'));
            args.plugin.is_none()
                && directory.is_none_or(|directory| directory == git.skills_dir.as_str())
                && location(url, root) == location(&git.repository.url, root)
        }
        (Spec::Git(url), Source::Marketplace(marketplace)) => {
            args.plugin.as_deref() == Some(marketplace.plugin.as_str())
                && location(url, root) == location(&marketplace.repository.url, root)
        }
        (Spec::Path(path), Source::Path(source)) => {
            let real = |path: &str| fs::canonicalize(root.join(path)).ok();
            path == source.path.as_str()
                || real(path).is_some_and(|path| Some(path) == real(source.path.as_str()))
        }
        _ => false,
    }
}

/// Returns the host and path of a repository, without what may differ between URLs of the same
/// repository: the protocol, the user, and `.git` at the end.
fn location(url: &GitUrl, root: &Path) -> String {
    let text = url.as_str();
    if url.kind() == UrlKind::File {
        let path = root.join(text.strip_prefix("file://").unwrap_or(text));
        return fs::canonicalize(&path).unwrap_or(path).display().to_string();
    }
    let rest = match text.split_once("://") {
        Some((_, rest)) => rest.to_owned(),
        None => text.replacen(':', "/", 1),
    };
    let (authority, path) = rest.split_once('/').unwrap_or((&rest, ""));
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host).to_ascii_lowercase();
    let path = path.trim_matches('/').trim_end_matches(".git");
    // GitHub ignores case in the names of owners and repositories.
    let path = if host == "github.com" { path.to_ascii_lowercase() } else { path.to_owned() };
    format!("{host}/{path}")
}

/// Returns possible names of the source, the shortest one first.
fn names(spec: &Spec, args: &Add) -> Vec<String> {
    let parts: Vec<&str> = match spec {
        Spec::Git(url) => {
            let path = url.as_str().trim_end_matches('/').split(['/', ':']);
            path.filter(|part| !matches!(*part, "" | "." | ".." | ".git")).collect()
        }
        Spec::Path(path) => path.split('/').filter(|part| !matches!(*part, "." | "..")).collect(),
    };
    let last = match spec {
        Spec::Git(url) => url.repository_name(),
        Spec::Path(_) => parts.last().copied().unwrap_or("skills"),
    };
    if let Some(plugin) = &args.plugin {
        return vec![plugin.clone(), format!("{last}-{plugin}")];
    }
    let directory = args.skills_dir.as_deref().map(|directory| match directory {
        "." => format!("{last}-root"),
        path => format!("{last}-{}", path.rsplit('/').next().unwrap_or(path)),
    });
    let above = parts.iter().rev().nth(1).map(|above| format!("{above}-{last}"));
    let mut names = vec![last.to_owned()];
    if args.skills_dir.as_deref().is_some_and(is_default) {
        names.extend(above.into_iter().chain(directory));
    } else {
        names.extend(directory.into_iter().chain(above));
    }
    if let Spec::Path(_) = spec {
        names.push(format!("local-{last}"));
    }
    names
}

/// Returns the first name that no source has.
fn free(names: &[String], manifest: &Manifest) -> Option<SourceKey> {
    let mut keys = names.iter().filter_map(|name| SourceKey::new(name).ok());
    keys.find(|key| !manifest.sources.contains_key(key))
}

fn checked(name: &str) -> Result<SourceKey, Error> {
    SourceKey::new(name).map_err(|why| {
        let what = format!("invalid source name `{}`: {why}", Typed::from(name));
        usage_error(what, "choose a name with `--name`")
    })
}

/// Returns the error for a name that another source has.
fn taken(key: &SourceKey, names: &[String], manifest: &Manifest) -> Error {
    let what = format!("the manifest already has a source `{key}`, with another location");
    let numbered: Vec<String> =
        (2..=manifest.sources.len() + 2).map(|number| format!("{}-{number}", names[0])).collect();
    let hint = match free(names, manifest).or_else(|| free(&numbered, manifest)) {
        Some(free) => format!("run `{}`", this_command(&["--name"], &[("--name", free.as_str())])),
        None => "choose another name with `--name`".to_owned(),
    };
    usage_error(what, hint)
}
