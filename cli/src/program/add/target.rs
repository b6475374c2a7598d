//! The source of the manifest that `skills add` is about: a new one, or one with the same location.

use super::{location::Location, request::Request};
use crate::program::{
    args::{Add, Pin},
    usage_error::usage_error,
};
use helix_skills_format::{
    __internal::{DEFAULT_SKILLS_DIR, UrlKind, own_name, path_key},
    GitUrl, Lock, Source, SourceKey, SourceKind,
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
        let is_same = |source: &Source| self.is_same(source, root);
        if let Some(key) = &self.args.name {
            return match manifest.sources.get(key) {
                Some(source) if !is_same(source) => Err(self.taken(key, &names, manifest)),
                _ => Ok(key.clone()),
            };
        }
        let found = manifest.sources.iter().filter(|(_, source)| is_same(source));
        let found: Vec<&SourceKey> = found.map(|(key, _)| key).collect();
        let default = found.iter().find(|key| found.len() == 1 || key.as_str() == names[0]);
        if let Some(key) = default {
            return Ok((*key).clone());
        }
        if let [first, ..] = found.as_slice() {
            let shown: Vec<String> = found.iter().map(|key| format!("`{key}`")).collect();
            let what = format!("several sources have this location: {}", shown.join(", "));
            return Err(usage_error(what, self.with_name(first)));
        }
        if let Some(key) = self.holder(manifest, root, lock) {
            return Ok(key.clone());
        }
        free(&names, manifest).ok_or_else(|| {
            let what = format!("`{}` cannot be the name of a source", names[0].escape_debug());
            usage_error(what, "choose a name with `--name`")
        })
    }

    /// Returns a source that has all of the named skills already: from the same directories of the
    /// same repository, with the same pin. It can be a plugin.
    fn holder<'m>(
        &self,
        manifest: &'m Manifest,
        root: &Path,
        lock: &Lock,
    ) -> Option<&'m SourceKey> {
        let Location::Repository(url) = &self.location else { return None };
        let Add { include, exclude, rename, prefix, plugin, list, .. } = &self.args;
        let is_plain = exclude.is_empty() && rename.is_empty() && prefix.is_none();
        if include.is_empty() || !is_plain || plugin.is_some() || *list {
            return None;
        }
        let place = |url| place(url, root);
        let holds = |(key, source): &(&SourceKey, &Source)| {
            let has = |typed: &String| {
                lock.skills_of(key).any(|(name, skill)| {
                    name.as_str() == typed
                        || skill.path.file_name() == Some(typed)
                        || path_key(&skill.path) == *typed
                })
            };
            (self.args.pin.is_empty() || self.args.pin == Pin::of_source(source))
                && lock.sources.get(*key).and_then(|it| it.skills_url()).map(place)
                    == Some(place(url))
                && include.iter().all(has)
        };
        manifest.sources.iter().find(holds).map(|(key, _)| key)
    }

    /// Returns whether a source has the location that was given.
    fn is_same(&self, source: &Source, root: &Path) -> bool {
        match (&self.location, &source.kind) {
            (Location::Repository(url), SourceKind::Git { repository, .. }) => {
                self.args.plugin.is_none() && place(url, root) == place(&repository.url, root)
            }
            (Location::Repository(url), SourceKind::Marketplace { repository, plugin }) => {
                self.args.plugin.as_ref() == Some(plugin)
                    && place(url, root) == place(&repository.url, root)
            }
            (Location::Directory(path), SourceKind::Path { path: own }) => {
                let real = |path: &str| dunce::canonicalize(root.join(path)).ok();
                path == own
                    || real(path.as_str()).is_some_and(|path| Some(path) == real(own.as_str()))
            }
            _ => false,
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

    /// Returns the error for a name that another source has.
    fn taken(&self, key: &SourceKey, names: &[String], manifest: &Manifest) -> Error {
        let what = format!("the manifest already has a source `{key}`, with another location");
        let hint = match free(names, manifest) {
            Some(free) => self.with_name(&free),
            None => "choose another name with `--name`".to_owned(),
        };
        usage_error(what, hint)
    }

    /// Returns the hint to run the command again with this name of the source.
    fn with_name(&self, key: &SourceKey) -> String {
        let args = Add { name: Some(key.clone()), ..self.args.clone() };
        format!("run `{}`", args.command())
    }
}

impl Location {
    /// Returns a source of this repository, if all sources of the repository have the same pin.
    pub(super) fn shared_repository<'m>(
        &self,
        manifest: &'m Manifest,
        root: &Path,
    ) -> Option<(&'m SourceKey, &'m Source)> {
        let Self::Repository(url) = self else { return None };
        let url = place(url, root);
        let mut same = manifest.sources.iter().filter(|(_, source)| {
            source.repository().is_some_and(|repository| place(&repository.url, root) == url)
        });
        let first = same.next()?;
        let pin = Pin::of_source(first.1);
        same.all(|(_, other)| Pin::of_source(other) == pin).then_some(first)
    }
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
    let text = url.as_str();
    let path = match text.split_once("://") {
        Some((_, rest)) => rest.split_once('/')?.1,
        None => text.split_once(':').map_or(text, |(_, path)| path),
    };
    let owner = path.trim_end_matches('/').rsplit('/').nth(1)?;
    SourceKey::new(owner).is_ok().then_some(owner)
}

/// Returns the host and path of a repository, without what may differ between URLs of the same
/// repository: the protocol, the user, and `.git` at the end.
fn place(url: &GitUrl, root: &Path) -> String {
    let text = url.as_str();
    if url.kind() == UrlKind::File {
        let path = root.join(text.strip_prefix("file://").unwrap_or(text));
        return dunce::canonicalize(&path).unwrap_or(path).display().to_string();
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

/// Returns the first name that no source has.
fn free(names: &[String], manifest: &Manifest) -> Option<SourceKey> {
    let mut keys = names.iter().filter_map(|name| SourceKey::new(name).ok());
    keys.find(|key| !manifest.sources.contains_key(key))
}
