//! The source of the manifest that `skills add` is about: a new one, or one with the same location.

use super::{pin::repository_mut, request::Request};
use crate::program::{
    Context,
    args::{Add, Pin},
    usage_error::usage_error,
};
use helix_skills_format::{
    __internal::{DEFAULT_SKILLS_DIR, UrlKind, listed_all, own_name, path_key},
    DirPath, GitUrl, Lock, LockedSource, SkillName, Source, SourceKey,
};
use helix_skills_project::{Error, Project, manifest::Manifest};
use std::path::{Path, PathBuf};

/// The warning for a repository without releases to pin.
const NO_RELEASE: &str = "the repository has no release tags; its default branch is used";

/// The warning for a source without a pin, because no release was looked up.
const NOT_LOOKED_UP: &str =
    "no release was looked up, so the default branch is used; `--version` pins one";

/// The entry of the manifest that `skills add` adds or changes.
pub(super) struct Target<'t> {
    pub(super) context: &'t Context<'t>,
    pub(super) request: Request<'t>,
    pub(super) lock: Lock,
    pub(super) key: SourceKey,
    /// The entry that the manifest has.
    pub(super) before: Option<Source>,
}

impl<'t> Target<'t> {
    /// Reads the arguments, and finds the source in the manifest.
    pub(super) fn read(
        context: &'t Context<'t>,
        project: &'t Project,
        manifest: &Manifest,
        typed: &Add,
    ) -> Result<Self, Error> {
        let request = Request::read(context, project, typed)?;
        let lock = project.lock().ok().flatten().unwrap_or_default();
        let key = request.key(manifest, &lock)?;
        let before = manifest.sources.get(&key).filter(|_| !request.args.list).cloned();
        Ok(Self { context, request, lock, key, before })
    }

    /// Returns the entry with its pin and prefix, and a warning about the pin of a new one.
    pub(super) fn entry(
        &self,
        manifest: &Manifest,
    ) -> Result<(Source, Option<&'static str>), Error> {
        let Request { project, args, .. } = &self.request;
        let mut warning = None;
        let mut source = self.before.clone().unwrap_or_else(|| self.request.source.clone());
        if !args.pin.is_empty() {
            args.pin.clone().apply(&mut source);
        } else if let (None, Some(repository)) = (&self.before, repository_mut(&mut source)) {
            // Skills of one repository have one pin, unless the source was named.
            let is_shared = |source: &Source| args.name.is_none() && self.request.is_in(source);
            let shared = manifest.sources.iter().find(|(_, source)| is_shared(source));
            if let Some((other, shared)) = shared {
                let pin = Pin::of_source(shared).describe();
                let text = format!("the pin of the source `{other}` is used: {pin}");
                self.context.output.note("note:", text);
                shared.repository().into_iter().for_each(|shared| repository.clone_from(shared));
            } else if args.no_sync {
                warning = Some(NOT_LOOKED_UP);
            } else {
                let ask = || project.newest_release(&self.key, &source);
                match self.context.run("looking for the newest release", ask)? {
                    Some(release) => Pin::version(&release.version).apply(&mut source),
                    None => warning = Some(NO_RELEASE),
                }
            }
        }
        source.select.prefix = args.prefix.clone().or(source.select.prefix);
        Ok((source, warning))
    }
}

impl Request<'_> {
    /// Returns the name of the source: of the manifest's source with this location, else of one
    /// that has the skills already, else one that is free.
    fn key(&self, manifest: &Manifest, lock: &Lock) -> Result<SourceKey, Error> {
        let names = default_names(&self.source);
        let is_free = |key: &SourceKey| !manifest.sources.contains_key(key);
        let free = names.iter().filter_map(|name| SourceKey::new(name).ok()).find(is_free);
        let same = manifest.sources.iter().filter(|(_, source)| self.is_same(source));
        let same: Vec<&SourceKey> = same.map(|(key, _)| key).collect();
        let has_name = |key: &&&SourceKey| same.len() == 1 || key.as_str() == names[0];
        let found = match &self.args.name {
            Some(key) => Some(key).filter(|key| is_free(key) || same.contains(key)),
            None if same.is_empty() => self.holder(manifest, lock),
            None => same.iter().find(has_name).copied(),
        };
        let (what, name) = match (found, &self.args.name) {
            (Some(key), _) => return Ok(key.clone()),
            (None, Some(key)) => {
                let what = "the manifest already has a source";
                (format!("{what} `{key}`, with another location"), free)
            }
            (None, None) if same.is_empty() => match free {
                Some(key) => return Ok(key),
                None => (format!("no source can be called `{}`", names[0]), None),
            },
            (None, None) => {
                let what = format!("several sources have this location: {}", listed_all(&same));
                (what, Some(same[0].clone()))
            }
        };
        let hint = match name {
            None => "choose another name with `--name`".to_owned(),
            name => format!("run `{}`", Add { name, ..self.args.clone() }.command()),
        };
        Err(usage_error(what, hint))
    }

    /// Returns a source that has all of the named skills already: from the same repository, with
    /// the same pin. It can be a plugin.
    fn holder<'m>(&self, manifest: &'m Manifest, lock: &Lock) -> Option<&'m SourceKey> {
        let Add { include, exclude, rename, prefix, plugins, list, pin, .. } = &self.args;
        let is_more = !exclude.is_empty() || !rename.is_empty() || prefix.is_some();
        if include.is_empty() || is_more || !plugins.is_empty() || *list {
            return None;
        }
        let holds = |(key, source): &(&SourceKey, &Source)| {
            let own = lock.sources.get(*key).and_then(LockedSource::skills_url);
            let has = |typed| lock.skills_of(key).any(|(name, it)| names(typed, name, &it.path));
            (pin.is_empty() || *pin == Pin::of_source(source))
                && own.is_some_and(|own| self.is_at(own))
                && include.iter().all(|typed| has(typed))
        };
        manifest.sources.iter().find(holds).map(|(key, _)| key)
    }

    /// Returns whether a source has the location that was given.
    fn is_same(&self, source: &Source) -> bool {
        let root = self.project.root();
        match (self.source.directory(), source.directory()) {
            (Some(path), Some(own)) => real(root, path.as_str()) == real(root, own.as_str()),
            _ => self.is_in(source) && source.plugin() == self.source.plugin(),
        }
    }

    /// Returns whether a source is in the repository that was given.
    fn is_in(&self, source: &Source) -> bool {
        source.repository().is_some_and(|own| self.is_at(&own.url))
    }

    /// Returns whether a URL is that of the repository that was given.
    fn is_at(&self, url: &GitUrl) -> bool {
        let root = self.project.root();
        self.source.repository().is_some_and(|own| place(&own.url, root) == place(url, root))
    }
}

/// Returns whether a typed name is that of a locked skill, its directory's, or its path.
pub(super) fn names(typed: &str, own: &SkillName, path: &DirPath) -> bool {
    own.as_str() == typed || path.file_name() == Some(typed) || path_key(path) == typed
}

/// Returns possible names of a source: the shortest one, and one for when it is taken.
pub(in crate::program) fn default_names(source: &Source) -> [String; 2] {
    let Some(url) = source.repository().map(|repository| &repository.url) else {
        let name = source.directory().and_then(own_name).unwrap_or(DEFAULT_SKILLS_DIR);
        return [name.to_owned(), format!("local-{name}")];
    };
    let owner = url.authority_and_path().1.trim_end_matches('/').rsplit('/').nth(1);
    let owner = owner.filter(|owner| SourceKey::new(owner).is_ok());
    let repository = url.repository_name();
    let name = match repository {
        // Many owners have a repository of that name.
        DEFAULT_SKILLS_DIR if url.kind() != UrlKind::File => owner.unwrap_or(repository),
        name => name,
    };
    match source.plugin() {
        Some(plugin) => [plugin.to_string(), format!("{name}-{plugin}")],
        None => [name.to_owned(), format!("{}-{repository}", owner.unwrap_or("other"))],
    }
}

/// Returns the host and path of a repository, without what may differ between URLs of the same
/// repository: the protocol, the user, and `.git` at the end.
fn place(url: &GitUrl, root: &Path) -> String {
    if url.kind() == UrlKind::File {
        let path = url.as_str().strip_prefix("file://").unwrap_or(url.as_str());
        return real(root, path).display().to_string();
    }
    let (authority, path) = url.authority_and_path();
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host).to_ascii_lowercase();
    let path = path.trim_matches('/').trim_end_matches(".git");
    // GitHub ignores case in the names of owners and repositories.
    let path = if host == "github.com" { path.to_ascii_lowercase() } else { path.to_owned() };
    format!("{host}/{path}")
}

/// Returns a path of the manifest without links, if it exists.
fn real(root: &Path, path: &str) -> PathBuf {
    let path = root.join(path);
    dunce::canonicalize(&path).unwrap_or(path)
}
