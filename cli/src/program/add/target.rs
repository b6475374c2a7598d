//! The source of the manifest that `skills add` is about: a new one, or one with the same location.

use super::{location::Location, request::Request, select::names};
use crate::program::{
    args::{Add, Pin},
    usage_error::usage_error,
};
use helix_skills_format::{
    __internal::{DEFAULT_SKILLS_DIR, UrlKind, listed_all, own_name},
    GitUrl, Lock, LockedSource, ProjectPath, Source, SourceKey,
};
use helix_skills_project::{Error, manifest::Manifest};
use std::path::Path;

impl Request {
    /// Returns the name of the source: of the manifest's source with this location, else of one
    /// that has the skills already, else one that is free.
    pub(super) fn key(
        &self,
        manifest: &Manifest,
        root: &Path,
        lock: &Lock,
    ) -> Result<SourceKey, Error> {
        let names = self.names();
        let mut free = names.iter().filter_map(|name| SourceKey::new(name).ok());
        let free = free.find(|key| !manifest.sources.contains_key(key));
        let is_same = |source: &Source| self.is_same(source, root);
        let refused = |what: String, name: Option<SourceKey>| match name {
            None => usage_error(what, "choose another name with `--name`"),
            name => {
                let args = Add { name, ..self.args.clone() };
                usage_error(what, format!("run `{}`", args.command()))
            }
        };
        if let Some(key) = &self.args.name {
            return match manifest.sources.get(key).is_none_or(is_same) {
                true => Ok(key.clone()),
                false => {
                    let what = "the manifest already has a source";
                    Err(refused(format!("{what} `{key}`, with another location"), free))
                }
            };
        }
        let same = manifest.sources.iter().filter(|(_, source)| is_same(source));
        let same: Vec<&SourceKey> = same.map(|(key, _)| key).collect();
        match same.iter().find(|key| same.len() == 1 || key.as_str() == names[0]) {
            Some(key) => return Ok((*key).clone()),
            None if same.is_empty() => {}
            None => {
                let what = format!("several sources have this location: {}", listed_all(&same));
                return Err(refused(what, Some(same[0].clone())));
            }
        }
        let taken = || refused(format!("no source can be called `{}`", names[0]), None);
        self.holder(manifest, root, lock).cloned().or(free).ok_or_else(taken)
    }

    /// Returns a source that has all of the named skills already: from the same repository, with
    /// the same pin. It can be a plugin.
    fn holder<'m>(
        &self,
        manifest: &'m Manifest,
        root: &Path,
        lock: &Lock,
    ) -> Option<&'m SourceKey> {
        let Location::Repository(url) = &self.location else { return None };
        let Add { include, exclude, rename, prefix, plugin, list, pin, .. } = &self.args;
        let is_more = !exclude.is_empty() || !rename.is_empty() || prefix.is_some();
        if include.is_empty() || is_more || plugin.is_some() || *list {
            return None;
        }
        let holds = |(key, source): &(&SourceKey, &Source)| {
            let own = lock.sources.get(*key).and_then(LockedSource::skills_url);
            let has = |typed| lock.skills_of(key).any(|(name, it)| names(typed, name, &it.path));
            (pin.is_empty() || *pin == Pin::of_source(source))
                && own.is_some_and(|own| place(own, root) == place(url, root))
                && include.iter().all(|typed| has(typed))
        };
        manifest.sources.iter().find(holds).map(|(key, _)| key)
    }

    /// Returns whether a source has the location that was given.
    fn is_same(&self, source: &Source, root: &Path) -> bool {
        match (&self.location, source.directory()) {
            (Location::Repository(url), _) => {
                is_in(source, url, root) && source.plugin() == self.args.plugin.as_ref()
            }
            (Location::Directory(path), own) => own.is_some_and(|own| {
                let real = |path: &ProjectPath| dunce::canonicalize(root.join(path.as_str())).ok();
                path == own || real(path).is_some_and(|path| Some(path) == real(own))
            }),
        }
    }

    /// Returns possible names of the source: the shortest one, and one for when it is taken.
    fn names(&self) -> [String; 2] {
        match (&self.location, &self.args.plugin) {
            (Location::Repository(url), Some(plugin)) => {
                [plugin.to_string(), format!("{}-{plugin}", default_name(url))]
            }
            (Location::Repository(url), None) => {
                let owner = owner(url).unwrap_or("other");
                [default_name(url).to_owned(), format!("{owner}-{}", url.repository_name())]
            }
            (Location::Directory(path), _) => {
                let name = own_name(path).unwrap_or(DEFAULT_SKILLS_DIR);
                [name.to_owned(), format!("local-{name}")]
            }
        }
    }
}

/// Returns whether a source is in a repository.
pub(super) fn is_in(source: &Source, url: &GitUrl, root: &Path) -> bool {
    let own = source.repository();
    own.is_some_and(|own| place(&own.url, root) == place(url, root))
}

/// Returns the name of a new source: that of the repository, or of its owner if many owners have a
/// repository of that name.
pub(super) fn default_name(url: &GitUrl) -> &str {
    match url.repository_name() {
        DEFAULT_SKILLS_DIR if url.kind() != UrlKind::File => owner(url).unwrap_or("skills"),
        name => name,
    }
}

/// Returns the owner of a repository, or the directory that it is in.
fn owner(url: &GitUrl) -> Option<&str> {
    let owner = split(url).1.trim_end_matches('/').rsplit('/').nth(1)?;
    SourceKey::new(owner).is_ok().then_some(owner)
}

/// Splits a URL into its host, with user and port, and its path.
fn split(url: &GitUrl) -> (&str, &str) {
    let text = url.as_str();
    match text.split_once("://") {
        Some((_, rest)) => rest.split_once('/').unwrap_or((rest, "")),
        None => text.split_once(':').unwrap_or(("", text)),
    }
}

/// Returns the host and path of a repository, without what may differ between URLs of the same
/// repository: the protocol, the user, and `.git` at the end.
fn place(url: &GitUrl, root: &Path) -> String {
    if url.kind() == UrlKind::File {
        let path = root.join(url.as_str().strip_prefix("file://").unwrap_or(url.as_str()));
        return dunce::canonicalize(&path).unwrap_or(path).display().to_string();
    }
    let (authority, path) = split(url);
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host).to_ascii_lowercase();
    let path = path.trim_matches('/').trim_end_matches(".git");
    // GitHub ignores case in the names of owners and repositories.
    let path = if host == "github.com" { path.to_ascii_lowercase() } else { path.to_owned() };
    format!("{host}/{path}")
}
