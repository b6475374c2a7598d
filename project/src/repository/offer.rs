//! What a source in a repository offers. Of its skills, only the `SKILL.md` files are fetched.

use super::{
    Reader, Repository, SourceResult, commit_files,
    discover::{self, FoundDirectory, Scope},
    find::key_in,
    links::{Target, resolve},
    location::Location,
    of_source,
    open::OpenedSource,
    plugin::PluginRoot,
    skill_tree::SkillTree,
};
use crate::{
    Error,
    contents::{FileRules, belongs_to_root_skill},
    manifest::{LockedSource, Source},
    marketplace::{Marketplace, Plugin, PluginSource},
    notes::Notes,
    offer::{FoundSkill, Offer, OfferedPlugin, OfferedSkill},
    paths::ProjectPaths,
    selection::{self, Depth, Directories as _},
};
use helix_skills_format::{
    __internal::one_line_chain, DirPath, Limits, ObjectId, SkillMd, SourceKey,
};
use helix_skills_git::{self as git, Git};
use std::sync::Arc;

/// Returns what a source in a repository offers; with `everywhere`, all skills of the repository.
pub(crate) fn offer(
    git: &Git,
    project: &ProjectPaths,
    limits: Limits,
    key: &SourceKey,
    (source, everywhere): (&Source, bool),
) -> Result<Offer, Error> {
    let location = Location::select(key.clone(), source.clone(), None, None, false);
    let read = |repository: &mut Repository<'_, '_>, locations| {
        repository.offer(key, (source, everywhere), locations)
    };
    let (reader, mut notes) = (Reader { git, project, limits }, Notes::default());
    let (found, errors) = reader.read(location.into_iter().collect(), &mut notes, read).split();
    let mut offer = Offer::default();
    for found in found {
        offer.source = found.source.or(offer.source);
        offer.skills.extend(found.skills);
        offer.plugins.extend(found.plugins);
    }
    // The errors of the source are why it has no skills, which a marketplace need not have.
    if offer.plugins.is_empty() {
        Error::unless_empty(errors)?;
    }
    offer.warnings = notes.warnings;
    Ok(offer)
}

/// A plugin in the marketplace's repository.
struct LocalPlugin {
    plugin: Plugin,
    path: DirPath,
}

impl Repository<'_, '_> {
    fn offer(
        &mut self,
        key: &SourceKey,
        (source, everywhere): (&Source, bool),
        locations: Vec<Location>,
    ) -> Result<Vec<Offer>, git::Error> {
        // A source with a plugin or a directory of its own is not the whole marketplace.
        let is_whole = source.has_default_dir();
        let (locations, _) = self.locate(locations)?;
        let mut offer = Offer::default();
        for OpenedSource { location, mut found, rules, .. } in self.open(locations)? {
            self.session.count_steps_for(key.as_str());
            let all = self.all_of(&location, everywhere, &mut found);
            let Some((scope, all)) = self.keep(key, all)? else { continue };
            let files = self.skill_files(&found, is_whole)?;
            for (found, file) in found.iter().zip(files) {
                if let Some((name, id)) = file {
                    let directory = match location.plugin {
                        Some(_) => found.name.clone(),
                        None => key_in(&scope, &found.path),
                    };
                    let named = (&*directory, found);
                    let mut skill = self.offered(named, (name, id), &location.locked, &rules)?;
                    let is_copy = |other: &&FoundDirectory| {
                        other.is_copy && other.place.tree == found.place.tree
                    };
                    let others = all.iter().filter(|other| other.path != found.path);
                    let copies = others.filter(is_copy).map(|other| other.path.clone());
                    skill.copies = copies.collect();
                    offer.skills.push(skill);
                }
            }
            offer.source = Some(location.locked);
        }
        if is_whole {
            self.plugins(key, &mut offer)?;
        }
        self.notes.warnings.extend(self.session.take_redirects());
        Ok(vec![offer])
    }

    /// Returns the scope of a source, and all skills that may be copies of the offered ones.
    ///
    /// Replaces `found`, what the source takes, by what it offers if it does not select skills by
    /// name: also the skills in these skills, or with `everywhere` all of the commit.
    fn all_of(
        &mut self,
        location: &Location,
        everywhere: bool,
        found: &mut Vec<FoundDirectory>,
    ) -> SourceResult<(Arc<Scope>, Vec<FoundDirectory>)> {
        let (key, source, root) = (&location.key, location.source(), location.root);
        let scope = self.scope(key, source, root)?;
        if location.plugin.is_some() || source.select.include.is_some() {
            return Ok((scope, found.clone()));
        }
        let mut all = self.search(key, source, root).below(&DirPath::root(), Depth::Everything)?;
        all.sort_by(|a, b| a.path.cmp(&b.path));
        let is_inside = |inner: &FoundDirectory| {
            let outer = scope.found.iter().filter(|outer| !outer.path.is_root());
            outer.into_iter().any(|outer| outer.path.contains(&inner.path))
        };
        all.retain(|place| everywhere || place.path.is_root() || is_inside(place));
        discover::mark_copies(self.session, &mut all)?;
        let is_offered = |place: &&FoundDirectory| {
            everywhere
                || found.iter().any(|found| found.path == place.path)
                || scope.found.iter().all(|found| found.path != place.path && !place.path.is_root())
        };
        let offered: Vec<&FoundDirectory> = all.iter().filter(is_offered).collect();
        let offered = selection::without_copies(&offered, |_| false);
        *found = offered.into_iter().cloned().collect();
        Ok((scope, all))
    }

    /// Fetches the `SKILL.md` of each directory, and returns their names and ids. Links may need
    /// further requests.
    pub(super) fn skill_files(
        &mut self,
        found: &[FoundDirectory],
        with_index: bool,
    ) -> Result<Vec<Option<(&'static str, ObjectId)>>, git::Error> {
        loop {
            let mut missing = Vec::new();
            let mut files = Vec::new();
            for found in found {
                let file = match self.skill_file(found)? {
                    Some((_, Target::Needs(id))) => {
                        missing.push(id);
                        None
                    }
                    Some((name, Target::Object { id, .. })) => Some((name, id)),
                    _ => None,
                };
                missing.extend(file.map(|(_, id)| id).filter(|id| !self.session.has(id)));
                files.push(file);
            }
            if let (true, Some(root)) = (with_index, self.root()) {
                let index = commit_files::file(self.session, root, Marketplace::FILE)?;
                missing.extend(index.filter(|id| !self.session.has(id)));
            }
            if missing.is_empty() {
                return Ok(files);
            }
            self.session.blobs(&missing)?;
        }
    }

    /// Finds the `SKILL.md` of a directory.
    fn skill_file(
        &self,
        found: &FoundDirectory,
    ) -> Result<Option<(&'static str, Target)>, git::Error> {
        let SkillTree { root, physical, .. } = &found.place;
        for name in SkillMd::FILE_NAMES {
            match resolve(self.session, *root, physical, name)? {
                Target::Nothing => {}
                target => return Ok(Some((name, target))),
            }
        }
        Ok(None)
    }

    fn offered(
        &self,
        (directory, found): (&str, &FoundDirectory),
        (name, id): (&'static str, ObjectId),
        locked: &LockedSource,
        rules: &FileRules,
    ) -> Result<OfferedSkill, git::Error> {
        let (tree, mut names) = (&found.place, Vec::new());
        let files = tree.files((self.session, &self.links), rules)?.files.len() as u64;
        for entry in self.session.entries(&tree.tree)? {
            if let Ok(name) = std::str::from_utf8(entry?.name)
                && (!tree.is_root || belongs_to_root_skill(name))
            {
                names.push(name.to_owned());
            }
        }
        let skill_md = (name, self.session.blob(&id)?);
        let path = &found.path;
        Ok(FoundSkill { directory, path, skill_md, names, files }.offered(locked))
    }

    /// Returns the root of the only commit that was fetched.
    fn root(&self) -> Option<ObjectId> {
        self.commits.values().next().map(|commit| commit.tree)
    }

    /// Adds the plugins of the marketplace, if the repository is one.
    fn plugins(&mut self, key: &SourceKey, offer: &mut Offer) -> Result<(), git::Error> {
        let Some(root) = self.root() else { return Ok(()) };
        let text = commit_files::text(self.session, key, root, Marketplace::FILE);
        let Ok(Some(text)) = of_source(text)? else { return Ok(()) };
        let Ok(marketplace) = Marketplace::parse(&text) else { return Ok(()) };
        let mut local = Vec::new();
        for name in marketplace.names() {
            let mut offered = OfferedPlugin {
                name: name.clone(),
                description: None,
                license: None,
                url: None,
                skills: None,
                problem: None,
            };
            match marketplace.plugin(name) {
                Err(why) => {
                    let finding = why.findings.first().map(ToString::to_string);
                    offered.problem = Some(finding.unwrap_or_else(|| one_line_chain(&why)));
                }
                Ok(plugin) => {
                    offered.description.clone_from(&plugin.description);
                    offered.license.clone_from(&plugin.declared.license);
                    match plugin.source.clone() {
                        PluginSource::Git { url, .. } => offered.url = Some(url),
                        PluginSource::Relative { mut path, otherwise } => {
                            if let Some(otherwise) = otherwise
                                && !commit_files::is_directory(self.session, root, &path)?
                            {
                                path = otherwise;
                            }
                            local.push((offer.plugins.len(), LocalPlugin { plugin, path }));
                        }
                    }
                }
            }
            offer.plugins.push(offered);
        }
        let mut missing = Vec::new();
        for (_, local) in &local {
            missing.extend(local.root(key, root, self.limits).missing_manifest(self.session)?);
        }
        self.session.blobs(&missing)?;
        for (at, local) in local {
            let read = of_source(
                local.root(key, root, self.limits).read(self.session, &mut Notes::default()),
            )?;
            // A plugin without skills is an error of a source, and usual in a marketplace.
            let Ok((plan, scope)) = read else {
                offer.plugins[at].skills = Some(Vec::new());
                continue;
            };
            let plugin = &mut offer.plugins[at];
            plugin.license = plan.license.or(plugin.license.take());
            for skill in &mut offer.skills {
                if scope.found.iter().any(|found| found.path == skill.path) {
                    skill.plugins.push(plugin.name.clone());
                }
            }
            plugin.skills = Some(scope.found.into_iter().map(|found| found.name).collect());
        }
        Ok(())
    }
}

impl LocalPlugin {
    fn root<'h>(&'h self, key: &'h SourceKey, root: ObjectId, limits: Limits) -> PluginRoot<'h> {
        PluginRoot {
            key,
            plugin: &self.plugin,
            root,
            path: &self.path,
            root_name: self.plugin.name.as_str(),
            at_marketplace_root: self.path.is_root(),
            version: None,
            limits,
        }
    }
}
