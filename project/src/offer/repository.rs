//! What a source in a repository offers. Of its skills, only the `SKILL.md` files are fetched.

use super::{Offer, OfferedPlugin, OfferedSkill};
use crate::{
    Error,
    contents::FileRules,
    error::{Fact, SourceErrors},
    license,
    manifest::{self, Source},
    notes::Notes,
    repository::{
        FoundDirectory, Location, OpenedSource, PluginRoot, Reader, Repository, Scope,
        SourceResult, Task, distinct_errors, mark_copies, of_source, place,
    },
    selection,
};
use helix_skills_format::{
    __internal::{one_line_chain, skill_md::Rules},
    DirPath, ObjectId, SkillMd, SourceKey,
};
use helix_skills_git as git;
use std::collections::{BTreeMap, HashSet};

impl Reader<'_> {
    /// Returns what a source offers; with `everywhere`, all skills of the repository.
    pub(crate) fn offer(
        &self,
        key: &SourceKey,
        (source, everywhere): (&Source, bool),
    ) -> Result<Offer, Error> {
        let location = Location::new(key.clone(), source.clone(), Task::Select);
        let read = |repository: &mut Repository<'_>, locations| {
            repository.offer(key, (source, everywhere), locations)
        };
        let mut notes = Notes::default();
        let (mut found, failed) = self.read(location.into_iter().collect(), &mut notes, read);
        // The last repository is that of the plugin.
        let mut offer = found.pop().unwrap_or_default();
        // The errors of the source are why it has no skills, which a marketplace need not have.
        if offer.plugins.is_empty() {
            Error::unless_empty(distinct_errors(failed))?;
        }
        offer.warnings = notes.warnings;
        Ok(offer)
    }
}

impl Repository<'_> {
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
        for OpenedSource { location, scope, mut found, rules, .. } in self.open(locations)? {
            self.session.count_steps_for(key.as_str());
            let all = self.all_of((&location, &scope), everywhere, &mut found);
            let Some(all) = self.keep((key, None), all)? else { continue };
            // With the index, which `plugins` reads, in one network request.
            let index = self.root().filter(|_| is_whole).map(|root| self.index(root));
            let index = index.transpose()?.and_then(|(_, index)| index);
            let files = self.skill_files(&found, index)?;
            let (keys, mut copies) = (scope.keys(), BTreeMap::<_, Vec<_>>::new());
            for place in all.iter().filter(|place| place.is_copy) {
                copies.entry((place.tree, &place.name)).or_default().push(&place.path);
            }
            for (found, file) in found.iter().zip(files) {
                if let Some((name, id)) = file {
                    let directory = match location.plugin {
                        Some(_) => found.name.clone(),
                        None => keys.of(&found.path),
                    };
                    let named = (&*directory, found);
                    let mut skill = self.offered(&location, named, (name, id), &rules)?;
                    let same = copies.get(&(found.tree, &found.name)).into_iter().flatten();
                    skill.copies = same.copied().filter(|it| **it != found.path).cloned().collect();
                    offer.skills.push(skill);
                }
            }
            offer.source = Some(location.locked);
        }
        if let (true, Some(repository)) = (is_whole, source.repository()) {
            self.plugins((key, repository), &mut offer)?;
        }
        self.notes.warnings.extend(self.session.take_redirects());
        Ok(vec![offer])
    }

    /// Returns all skills of a source that may be copies of the offered ones.
    ///
    /// Replaces `found`, what the source takes, by what it offers if it does not select skills by
    /// name: also the skills in these skills, or with `everywhere` all of the commit.
    fn all_of(
        &mut self,
        (location, scope): (&Location, &Scope),
        everywhere: bool,
        found: &mut Vec<FoundDirectory>,
    ) -> SourceResult<Vec<FoundDirectory>> {
        if location.plugin.is_some() || location.source().select.include.is_some() {
            return Ok(found.clone());
        }
        let mut all = self.everything(location.searched())?.found.clone();
        all.sort_by(|a, b| a.path.cmp(&b.path));
        let is_inside = |inner: &FoundDirectory| {
            let outer = scope.found.iter().filter(|outer| !outer.path.is_root());
            outer.into_iter().any(|outer| outer.path.contains(&inner.path))
        };
        all.retain(|place| everywhere || place.path.is_root() || is_inside(place));
        mark_copies(&self.session, &mut all)?;
        let is_offered = |place: &&FoundDirectory| {
            everywhere
                || found.iter().any(|found| found.path == place.path)
                || scope.found.iter().all(|found| found.path != place.path && !place.path.is_root())
        };
        let offered: Vec<&FoundDirectory> = all.iter().filter(is_offered).collect();
        let offered = selection::without_copies(&offered, |_| false);
        *found = offered.into_iter().cloned().collect();
        Ok(all)
    }

    fn offered(
        &self,
        location: &Location,
        (directory, found): (&str, &FoundDirectory),
        (name, id): (&'static str, ObjectId),
        rules: &FileRules,
    ) -> Result<OfferedSkill, git::Error> {
        let rules = (&location.key, rules);
        let files = self.walk(found, rules, &mut SourceErrors::new())?.files;
        let (path, rules) = (found.path.clone(), Rules::Fetched { name: None });
        let parsed = SkillMd::parse_as(self.session.blob(&id)?, path.file_name(), name, rules);
        let (name, description, license) = match parsed.map(|parsed| parsed.value) {
            Ok(skill) => {
                let names = files.iter().map(|(path, ..)| path.as_str());
                let license = license::of_skill(&skill, names, Some(&location.locked));
                (skill.name.to_string(), Ok(skill.description().to_owned()), license)
            }
            Err(findings) => {
                let why = findings.first().map(ToString::to_string).unwrap_or_default();
                (directory.to_owned(), Err(why), None)
            }
        };
        Ok(OfferedSkill {
            name,
            directory: directory.to_owned(),
            path,
            description,
            files: files.len() as u64,
            bytes: None,
            license,
            plugins: Vec::new(),
            copies: Vec::new(),
        })
    }

    /// Adds the plugins of the marketplace, if the repository is one.
    fn plugins(
        &mut self,
        (key, repository): (&SourceKey, &manifest::Repository),
        offer: &mut Offer,
    ) -> Result<(), git::Error> {
        let Some(root) = self.root() else { return Ok(()) };
        let Some(marketplace) = self.marketplace((key, &repository.url), root)? else {
            return Ok(());
        };
        let (mut local, mut missing) = (Vec::new(), Vec::new());
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
                Ok(mut plugin) => {
                    offered.description.clone_from(&plugin.description);
                    offered.license.clone_from(&plugin.declared.license);
                    self.settle(root, &mut plugin.source)?;
                    let (place, _) = place(plugin.source.clone());
                    offered.url.clone_from(&place.url);
                    let entry = Source::marketplace(repository.clone(), name.clone());
                    let location = Location::new(key.clone(), entry, Task::Select);
                    if let (None, Some(mut location)) = (&place.url, location) {
                        missing.extend(self.plugin_manifest(root, &place)?);
                        location.locked.plugin = Some(place);
                        let location = Location { root, plugin: Some(plugin), ..location };
                        local.push((offer.plugins.len(), location));
                    }
                }
            }
            offer.plugins.push(offered);
        }
        self.session.blobs(&missing)?;
        for (at, location) in &local {
            let Some(root) = PluginRoot::new(location) else { continue };
            let read = of_source(self.quietly(|it| it.read_plugin(root)))?;
            let plugin = &mut offer.plugins[*at];
            let (plan, scope) = match read {
                Ok(read) => read,
                Err(error) => {
                    plugin.problem = error.errors().first().map(reason);
                    plugin.skills = Some(Vec::new());
                    continue;
                }
            };
            plugin.license = plan.license.or(plugin.license.take());
            let paths: HashSet<&DirPath> = scope.found.iter().map(|found| &found.path).collect();
            let skills = offer.skills.iter_mut().filter(|skill| paths.contains(&skill.path));
            skills.for_each(|skill| skill.plugins.push(plugin.name.clone()));
            plugin.skills = Some(scope.found.into_iter().map(|found| found.name).collect());
        }
        Ok(())
    }
}

/// Returns why a plugin has no skills.
fn reason(error: &Error) -> String {
    let why = match error.fact() {
        Fact::Unresolved { why, .. } => why.clone(),
        _ => error.to_string(),
    };
    let hint = error.hint().map(|hint| format!("; {hint}"));
    why + &hint.unwrap_or_default()
}
