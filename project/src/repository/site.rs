//! Locating the skills of a resolved source, and selecting them.

use super::{
    OpenedKind, OpenedSource, Repository, RepositoryRequest, RequestKind, SourceResult,
    discover::{self, Directories, FoundDirectory, MAX_SKILLS},
    links::{self, Target},
    of_source,
    plugin::PluginRoot,
    request::{ExternalPlugin, Site, SitePlugin},
    resolve::{self, Answer, Pinned},
    upstream,
};
use crate::error::{ExceededLimit, Unresolved};
use crate::{
    Error,
    candidate::{unused_selections, wanted},
    contents::FileRules,
    license,
    near_skill::{self, NearSkill},
    sync::Upstream,
};
use crate::{
    manifest::{LockedSource, MarketplaceSource, Pin, Source},
    marketplace::PluginSource,
};
use helix_skills_format::{__internal::one_line, DirPath, LockedPlugin, ObjectId};
use helix_skills_git::{self as git, Commit, EntryKind};
use std::sync::Arc;

/// The location of a source's skills.
pub(super) enum Located {
    /// In this repository.
    Here(Box<Site>),
    /// In another repository, which has the plugin.
    ExternalPlugin(Box<RepositoryRequest>),
}

impl Repository<'_, '_> {
    /// Locates the skills of a source whose commit was fetched.
    pub(super) fn locate(
        &mut self,
        request: RepositoryRequest,
        Pinned { answer, commit }: Pinned,
    ) -> SourceResult<Located> {
        let RepositoryRequest { key, source, kind, status_only, .. } = request;
        let (known, before) = match kind {
            RequestKind::Plugin(external) => {
                return Ok(Located::Here(Box::new(external.at(answer, commit))));
            }
            RequestKind::Pin { known, before } => (known, before),
            RequestKind::Locked { .. } | RequestKind::Check(_) => {
                return Err(Error::unresolved(&key, Unresolved::NoRepository).into());
            }
        };
        let mut locked = LockedSource::new(source.clone());
        locked.reference.clone_from(&answer.reference);
        locked.commit = Some(commit.id);
        let site = Site {
            key,
            source,
            status_only,
            root: commit.tree,
            plugin: None,
            locked,
            before,
            newest: answer.newest,
            warnings: answer.warnings,
            details: Vec::new(),
            reference: answer.reference,
        };
        match site.source.clone() {
            Source::Marketplace(market) => {
                let known = known.and_then(|known| known.plugin);
                self.locate_plugin(site, &market, known, answer.has_no_tag)
            }
            _ => Ok(Located::Here(Box::new(site))),
        }
    }

    /// Locates the plugin of a source by the index of its marketplace.
    fn locate_plugin(
        &mut self,
        mut site: Site,
        market: &MarketplaceSource,
        known: Option<LockedPlugin>,
        has_no_tag: bool,
    ) -> SourceResult<Located> {
        let found = self.find_plugin(&site.key, market, site.root)?;
        site.warnings.extend(found.warnings);
        site.details.extend(found.details);
        let plugin = found.plugin;
        let version = match &market.repository.pin {
            Pin::Version(version) if has_no_tag => Some(version.clone()),
            _ => None,
        };
        let root_name = market.plugin.to_string();
        match plugin.source.clone() {
            PluginSource::Relative { path, .. } => {
                let (at_marketplace_root, place) = (path.is_root(), LockedPlugin::new(path));
                site.plugin =
                    Some(SitePlugin { plugin, place, root_name, at_marketplace_root, version });
                Ok(Located::Here(Box::new(site)))
            }
            PluginSource::Git { url, path, reference, sha } => {
                let known =
                    known.filter(|known| known.url.as_ref() == Some(&url) && known.path == path);
                let (name, mut place) = (plugin.name.clone(), LockedPlugin::new(path));
                place.url = Some(url.clone());
                let at_marketplace_root = false;
                site.plugin =
                    Some(SitePlugin { plugin, place, root_name, at_marketplace_root, version });
                // A `sha` takes precedence over a tag or branch.
                let pin = reference.filter(|_| sha.is_none()).map_or(Pin::None, Pin::Ref);
                Ok(Located::ExternalPlugin(Box::new(RepositoryRequest {
                    key: site.key.clone(),
                    source: site.source.clone(),
                    url,
                    status_only: site.status_only,
                    kind: RequestKind::Plugin(Box::new(ExternalPlugin {
                        site,
                        plugin: name,
                        pin,
                        sha,
                        known,
                    })),
                })))
            }
        }
    }

    /// Fetches the manifests of the plugins.
    ///
    /// To save a network request, also fetches the files of skills that a plugin has regardless of
    /// its manifest.
    pub(super) fn fetch_plugins(&mut self, sites: &[Site]) -> Result<(), git::Error> {
        let mut missing = Vec::new();
        for site in sites {
            self.session.count_steps_for(site.key.as_str());
            let Some(root) = site.plugin_root() else { continue };
            let Some(manifest) = root.missing_manifest(self.session)? else { continue };
            missing.push(manifest);
            let Ok(rules) = FileRules::new(site.source.select(), self.limits) else { continue };
            if site.status_only {
                continue;
            }
            for found in root
                .without_manifest(self.session)?
                .iter()
                .filter(|found| site.source.select().matches(&found.name))
            {
                if let Some(tree) = found.skill_tree() {
                    missing.extend(tree.missing(self.session, &self.link_cache, &rules)?);
                }
            }
        }
        if missing.is_empty() { Ok(()) } else { self.session.blobs(&missing) }
    }

    /// Returns where the license of a plugin or its repository is. Their trees have been fetched.
    fn license_file(
        &self,
        root: ObjectId,
        plugin: Option<&DirPath>,
    ) -> Result<Option<String>, git::Error> {
        for directory in plugin.into_iter().chain([&DirPath::root()]) {
            let target = links::resolve(self.session, root, "", directory.as_str())?;
            let Target::Object { kind: EntryKind::Directory, id, .. } = target else { continue };
            let mut names = Vec::new();
            for entry in self.session.entries(&id)? {
                let entry = entry?;
                if matches!(entry.kind, EntryKind::File | EntryKind::Executable)
                    && let Ok(name) = std::str::from_utf8(entry.name)
                {
                    names.push(name.to_owned());
                }
            }
            let Some(files) = license::files(names.iter().map(String::as_str)) else { continue };
            let place = match directory.is_root() {
                true => "the repository".to_owned(),
                false => format!("the repository's {directory}"),
            };
            return Ok(one_line(&format!("see {files} of {place}")).ok());
        }
        Ok(None)
    }

    /// Finds and selects the skills of a source.
    pub(super) fn open_site(&mut self, mut site: Site) -> SourceResult<OpenedSource> {
        self.session.count_steps_for(site.key.as_str());
        let directories = match (site.plugin_root(), &site.source) {
            (Some(root), _) => match of_source(root.read(self.session))? {
                Ok((plan, directories)) => {
                    let path = site.plugin.as_ref().map(|entry| entry.place.path.clone());
                    let declared = plan.license.and_then(|license| one_line(&license).ok());
                    site.locked.license = match declared {
                        None => self.license_file(site.root, path.as_ref())?,
                        declared => declared,
                    };
                    site.locked.plugin = site.plugin.map(|entry| entry.place);
                    if let Some(place) = &mut site.locked.plugin {
                        place.version = plan.version;
                    }
                    Arc::new(directories)
                }
                Err(error) => {
                    // In the repository of an external plugin, tags are not versions of the
                    // marketplace.
                    let is_external = site.plugin.is_some_and(|entry| entry.place.url.is_some());
                    return Err(match is_external {
                        true => error,
                        false => resolve::add_known(self.session, &site.key, error)?,
                    }
                    .into());
                }
            },
            (None, Source::Git(git)) => {
                site.locked.license = self.license_file(site.root, None)?;
                let (session, known) = (&mut *self.session, &mut self.directories);
                discover::directories(session, known, &site.key, git, site.root)?
            }
            (None, _) => {
                return Err(Error::unresolved(&site.key, Unresolved::NoRepository).into());
            }
        };
        let Site { key, source, locked, before, newest, mut warnings, mut details, .. } = site;
        let Directories { found, near, details: noticed, .. } = &*directories;
        details.extend(noticed.lines());
        let near: Vec<NearSkill> = near.iter().map(|near| near.of(&key)).collect();
        let upstream = match before {
            Some(before) => Some(upstream::compare(self.session, &before, found)?),
            None => None,
        };
        let rules = FileRules::new(source.select(), self.limits)?;
        if found.len() > MAX_SKILLS {
            let what = ExceededLimit::SourceDirectories { key };
            return Err(what.error(MAX_SKILLS as u64).into());
        }
        let names: Vec<&str> = found.iter().map(|found| &*found.name).collect();
        let renamed = Upstream::default();
        let renamed = upstream.as_ref().unwrap_or(&renamed);
        let wanted = wanted(&key, source.select(), &names, renamed, &near)?;
        let found: Vec<FoundDirectory> =
            found.iter().filter(|found| wanted.contains(&*found.name)).cloned().collect();
        warnings.extend(unused_selections(&key, source.select(), &names));
        warnings.extend(near_skill::warnings(&near, source.select()));
        let kind =
            OpenedKind::Resolved { locked: Box::new(locked), found, upstream, warnings, details };
        Ok(OpenedSource { key, source, rules, newest, kind })
    }
}

impl ExternalPlugin {
    /// Returns the site at the commit of the plugin's repository.
    fn at(self, answer: Answer, commit: Commit) -> Site {
        let mut site = self.site;
        site.root = commit.tree;
        site.warnings.extend(answer.warnings);
        site.reference.clone_from(&answer.reference);
        if let Some(plugin) = &mut site.plugin {
            plugin.place.reference = answer.reference;
            plugin.place.commit = Some(commit.id);
        }
        site
    }
}

impl Site {
    fn plugin_root(&self) -> Option<PluginRoot<'_>> {
        let entry = self.plugin.as_ref()?;
        Some(PluginRoot {
            key: &self.key,
            plugin: &entry.plugin,
            root: self.root,
            path: &entry.place.path,
            root_name: &entry.root_name,
            at_marketplace_root: entry.at_marketplace_root,
            version: entry.version.as_ref(),
            select: self.source.select(),
        })
    }
}
