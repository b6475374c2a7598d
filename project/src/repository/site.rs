//! Where the skills of a resolved source lie, and which of them are wanted.

use super::{
    Answered, Kind, Open, Repository, RepositoryRequest, RequestKind,
    discover::{self, Directories, MOST_SKILLS},
    plugin::Home,
    request::ExternalPlugin,
    resolve::{Pinned, Release},
    upstream,
};
use crate::error::{ExceededLimit, UnresolvedSource};
use crate::{
    Error,
    candidate::{unused_selections, wanted},
    contents::FileRules,
    sync::{PreviousLock, Upstream},
};
use crate::{
    manifest::{LockedSource, MarketplaceSource, Pin, Source, VersionPin},
    marketplace::{Plugin, PluginSource},
};
use helix_skills_format::{LockedPlugin, ObjectId, SourceKey};
use helix_skills_git as git;

/// Where the skills of a source lie.
pub(super) enum Located {
    /// In this repository.
    Here(Box<Site>),
    /// The plugin lies in another repository.
    ExternalPlugin(Box<RepositoryRequest>),
}

/// A commit in which the skills of a source lie.
pub(super) struct Site {
    pub(super) key: SourceKey,
    source: Source,
    status_only: bool,
    root: ObjectId,
    /// The plugin whose skills they are; without one, those of the repository.
    plugin: Option<Entry>,
    /// As it will be locked, but for the version of the plugin.
    locked: LockedSource,
    before: Option<Box<PreviousLock>>,
    newest: Option<Release>,
    warnings: Vec<String>,
    details: Vec<String>,
    /// Where the pin led, for messages.
    pub(super) reference: Option<String>,
}

/// The plugin of a source.
struct Entry {
    plugin: Plugin,
    /// Where it lies in the commit.
    place: LockedPlugin,
    /// What the plugin's root is called if it is a skill and a repository's root, too.
    root_name: String,
    /// Whether that is the root of its marketplace.
    at_marketplace_root: bool,
    /// The version that it must declare, because no tag of the marketplace has it.
    version: Option<VersionPin>,
}

impl Repository<'_, '_> {
    /// Where the skills of a source lie, now that its commit is here.
    pub(super) fn locate(
        &mut self,
        asked: RepositoryRequest,
        Pinned { answer, commit }: Pinned,
    ) -> Answered<Located> {
        let RepositoryRequest { key, source, url, kind, status_only } = asked;
        let id = Some(commit.id);
        let mut locked = LockedSource::new(source.clone());
        locked.reference.clone_from(&answer.reference);
        locked.commit = id;
        let site = Site {
            key,
            source,
            status_only,
            root: commit.tree,
            plugin: None,
            locked,
            before: None,
            newest: answer.newest,
            warnings: answer.warnings,
            details: Vec::new(),
            reference: answer.reference,
        };
        match (kind, site.source.clone()) {
            (RequestKind::Plugin(external), Source::Marketplace(market)) => {
                Ok(Ok(Located::Here(Box::new(site.external_plugin_site(url, *external, &market)))))
            }
            (RequestKind::Pin { known, before }, Source::Marketplace(market)) => {
                let known = known.and_then(|known| known.plugin);
                self.locate_plugin(Site { before, ..site }, &market, known, answer.has_no_tag)
            }
            (RequestKind::Pin { before, .. }, _) => {
                Ok(Ok(Located::Here(Box::new(Site { before, ..site }))))
            }
            _ => Ok(Err(vec![Error::unresolved(&site.key, UnresolvedSource::NoRepository)])),
        }
    }

    /// Where the plugin of a source lies, as the index of its marketplace says.
    fn locate_plugin(
        &mut self,
        mut site: Site,
        market: &MarketplaceSource,
        known: Option<LockedPlugin>,
        has_no_tag: bool,
    ) -> Answered<Located> {
        let found = match self.find_plugin(&site.key, market, site.root)? {
            Ok(found) => found,
            Err(errors) => return Ok(Err(errors)),
        };
        site.warnings.extend(found.warnings);
        site.details.extend(found.details);
        let plugin = found.plugin;
        let version = match &market.repository.pin {
            Pin::Version(version) if has_no_tag => Some(version.clone()),
            _ => None,
        };
        match plugin.source.clone() {
            PluginSource::Relative { path, .. } => {
                let (at_marketplace_root, root_name) = (path.is_root(), market.plugin.to_string());
                let place = LockedPlugin::new(path);
                site.plugin =
                    Some(Entry { plugin, place, root_name, at_marketplace_root, version });
                Ok(Ok(Located::Here(Box::new(site))))
            }
            PluginSource::Git { url, path, reference, sha } => {
                let Site {
                    key,
                    source,
                    status_only,
                    locked,
                    before,
                    newest,
                    warnings,
                    details,
                    ..
                } = site;
                let known =
                    known.filter(|known| known.url.as_ref() == Some(&url) && known.path == path);
                let external = ExternalPlugin {
                    market: locked,
                    plugin,
                    path,
                    // A commit counts before a tag or branch, and needs none.
                    pin: reference.filter(|_| sha.is_none()).map_or(Pin::None, Pin::Ref),
                    sha,
                    known,
                    version,
                    before,
                    newest,
                    warnings,
                    details,
                };
                let kind = RequestKind::Plugin(Box::new(external));
                Ok(Ok(Located::ExternalPlugin(Box::new(RepositoryRequest {
                    key,
                    source,
                    url,
                    kind,
                    status_only,
                }))))
            }
        }
    }

    /// The manifests of the plugins; and because that saves a request, with them the files of the skills that a plugin has
    /// whatever its manifest says.
    pub(super) fn fetch_plugins(&mut self, sites: &[Site]) -> Result<(), git::Error> {
        let mut missing = Vec::new();
        for site in sites {
            self.session.count_steps_for(site.key.as_str());
            let Some(home) = site.home() else { continue };
            let Some(manifest) = home.missing_manifest(self.session)? else { continue };
            missing.push(manifest);
            let Ok(rules) = FileRules::new(site.source.select(), self.limits) else { continue };
            if site.status_only {
                continue;
            }
            for found in home
                .without_manifest(self.session)?
                .iter()
                .filter(|found| site.source.select().matches(&found.name))
            {
                if let Some(tree) = found.skill_tree() {
                    missing.extend(tree.missing(self.session, &self.resolved, &rules)?);
                }
            }
        }
        if missing.is_empty() { Ok(()) } else { self.session.blobs(&missing) }
    }

    /// The skills of a source that are wanted.
    pub(super) fn open_site(&mut self, mut site: Site) -> Answered<Open> {
        self.session.count_steps_for(site.key.as_str());
        let directories = match (site.home(), &site.source) {
            (Some(home), _) => match home.read(self.session)? {
                Ok((version, directories)) => {
                    site.locked.plugin = site.plugin.map(|entry| entry.place);
                    if let Some(place) = &mut site.locked.plugin {
                        place.version = version;
                    }
                    directories
                }
                Err(errors) => return Ok(Err(errors)),
            },
            (None, Source::Git(git)) => {
                match discover::directories(self.session, &site.key, git, site.root)? {
                    Ok(directories) => directories,
                    Err(error) => return Ok(Err(vec![error])),
                }
            }
            (None, _) => {
                return Ok(Err(vec![Error::unresolved(&site.key, UnresolvedSource::NoRepository)]));
            }
        };
        let Site { key, source, locked, before, newest, mut warnings, mut details, .. } = site;
        let Directories { mut found, details: noticed } = directories;
        details.extend(noticed.into_lines());
        let upstream = match before {
            Some(before) => Some(upstream::compare(self.session, &before, &found)?),
            None => None,
        };
        let rules = match FileRules::new(source.select(), self.limits) {
            Ok(rules) => rules,
            Err(error) => return Ok(Err(vec![error])),
        };
        if found.len() > MOST_SKILLS {
            let what = Box::new(ExceededLimit::SourceDirectories { key });
            return Ok(Err(vec![Error::Limit { what, limit: MOST_SKILLS as u64 }]));
        }
        let names: Vec<String> = found.iter().map(|found| found.name.clone()).collect();
        match wanted(
            &key,
            source.select(),
            &names,
            upstream.as_ref().unwrap_or(&Upstream::default()),
        ) {
            Ok(wanted) => found.retain(|found| wanted.contains(found.name.as_str())),
            Err(errors) => return Ok(Err(errors)),
        }
        warnings.extend(unused_selections(&key, source.select(), &names));
        let kind = Kind::Resolved { locked: Box::new(locked), found, upstream, warnings, details };
        Ok(Ok(Open { key, source, rules, newest, kind }))
    }
}

impl Site {
    /// A plugin that another repository than its marketplace has, in that repository.
    fn external_plugin_site(
        self,
        url: helix_skills_format::GitUrl,
        external: ExternalPlugin,
        market: &MarketplaceSource,
    ) -> Self {
        let ExternalPlugin {
            market: locked,
            plugin,
            path,
            version,
            before,
            newest,
            warnings,
            details,
            ..
        } = external;
        let mut place = LockedPlugin::new(path);
        place.url = Some(url);
        place.reference = self.locked.reference;
        place.commit = self.locked.commit;
        let root_name = market.plugin.to_string();
        let plugin = Some(Entry { plugin, place, root_name, at_marketplace_root: false, version });
        let warnings = warnings.into_iter().chain(self.warnings).collect();
        Self { plugin, locked, before, newest, warnings, details, ..self }
    }

    fn home(&self) -> Option<Home<'_>> {
        let entry = self.plugin.as_ref()?;
        Some(Home {
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
