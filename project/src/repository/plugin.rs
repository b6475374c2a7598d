//! Finding the skills of a plugin in a commit.

use super::{
    MAX_LISTED, PLUGIN_DIR, Repository, SourceResult,
    discover::Scope,
    location::Location,
    skill_tree::{FoundDirectory, PLUGIN_PARTS},
};
use crate::{
    Error,
    contents::show_place,
    error::SourceErrors,
    marketplace::{Declared, Plugin, PluginError, SkillPlan},
    pins::{allows_declared, incomplete_version},
    selection::Depth,
};
use helix_skills_format::{
    __internal::{listed, one_line_chain},
    DirPath, LockedPlugin, ObjectId,
};
use helix_skills_git::{self as git, EntryKind};
use std::iter;

/// The hint for a mistake of a marketplace.
pub(super) const REPORT: &str =
    "report it to the owner of the marketplace, or pin an earlier version of it";

/// The root directory of a plugin in a commit.
#[derive(Clone, Copy)]
pub(crate) struct PluginRoot<'l> {
    location: &'l Location,
    /// Its entry in the marketplace.
    plugin: &'l Plugin,
    /// Where it is in the repository.
    pub(crate) place: &'l LockedPlugin,
}

impl<'l> PluginRoot<'l> {
    /// Returns the root of the plugin of a source; `None` if the repository itself has the skills.
    pub(crate) fn new(location: &'l Location) -> Option<Self> {
        let (plugin, place) = (location.plugin.as_ref()?, location.locked.plugin.as_ref()?);
        Some(Self { location, plugin, place })
    }

    /// Returns where the skills are, given the plugin's own manifest.
    pub(crate) fn plan(&self, manifest: Option<&Declared>) -> Result<SkillPlan, PluginError> {
        let at_marketplace_root = self.place.url.is_none() && self.place.path.is_root();
        SkillPlan::new(self.plugin, manifest, at_marketplace_root)
    }

    /// Checks a version without a tag in the marketplace against the one that the plugin declares.
    fn check_version(&self, declared: Option<&str>) -> Result<(), Error> {
        let Location { key, must_declare: Some(requested), .. } = self.location else {
            return Ok(());
        };
        if declared.is_some_and(|declared| allows_declared(requested, declared)) {
            return Ok(());
        }
        let (plugin, requested) = (&self.plugin.name, requested.as_str());
        let why = format!(
            "no tag of the marketplace has the version `{requested}`, and the plugin `{plugin}` declares {}",
            declared.unwrap_or("none")
        );
        let other = "a branch of the marketplace with `ref` or a commit with `sha`";
        let hint = match declared {
            Some(declared) => incomplete_version(requested, iter::once(declared.to_owned()))
                .unwrap_or_else(|| format!("pin `{declared}`, or {other}")),
            None => format!("pin {other}"),
        };
        Err(Error::unresolved(key, why).with_hint(hint))
    }
}

/// Returns the path of a plugin's manifest.
fn manifest_path(plugin: &LockedPlugin) -> String {
    let path = plugin.path.join(Declared::FILE);
    path.map_or_else(|_| Declared::FILE.to_owned(), |path| path.to_string())
}

impl Repository<'_> {
    /// Returns the id of the manifest of a plugin in the commit with the tree `root`.
    pub(crate) fn plugin_manifest(
        &self,
        root: ObjectId,
        plugin: &LockedPlugin,
    ) -> Result<Option<ObjectId>, git::Error> {
        self.file(root, &manifest_path(plugin))
    }

    /// Returns what a plugin declares, and its skills.
    pub(crate) fn read_plugin(&mut self, root: PluginRoot<'_>) -> SourceResult<(SkillPlan, Scope)> {
        let Location { key, root: tree, .. } = root.location;
        self.top(root)?;
        let path = manifest_path(root.place);
        let text = self.text(key, *tree, &path)?;
        let manifest = text.map(|text| Declared::parse(&text)).transpose();
        let place = || format!("{key}: {path}");
        let manifest = manifest.map_err(|findings| Error::of_file(&place(), findings, None))?;
        let plan = root.plan(manifest.as_ref());
        let plan =
            plan.map_err(|why| Error::unresolved(key, why.to_string()).with_hint(why.hint))?;
        root.check_version(plan.version.as_deref())?;
        if !plan.bare.is_empty() {
            let (plugin, bare) = (&root.plugin.name, listed(&plan.bare, MAX_LISTED));
            self.notes.warn(format!(
                "the source `{key}`: the plugin `{plugin}` lists {bare} without `./`, which Claude Code requires"
            ));
        }
        let directories = self.directories(root, &plan)?;
        Ok((plan, directories))
    }

    /// Returns the tree of a plugin's root, and its real path.
    fn top(&mut self, root: PluginRoot<'_>) -> SourceResult<(ObjectId, String)> {
        let (location, path) = (root.location, &root.place.path);
        let found = self.directory(location.root, path)?;
        Ok(found.map_err(|problem| {
            let plugin = &root.plugin.name;
            let why = format!("the plugin `{plugin}` should be in `{path}`, but {problem}");
            Error::unresolved(&location.key, why).with_hint(REPORT)
        })?)
    }

    /// Returns the directories that are skills: the listed ones, and those directly below
    /// `skills/`.
    pub(crate) fn directories(
        &mut self,
        root: PluginRoot<'_>,
        plan: &SkillPlan,
    ) -> SourceResult<Scope> {
        let PluginRoot { location, plugin: Plugin { name, .. }, place } = root;
        let key = &location.key;
        let mut scope = Scope::default();
        let mut errors = SourceErrors::new();
        let (tree, physical) = self.top(root)?;
        let mut exists = false;
        for listed in &plan.listed {
            let before = scope.found.len();
            let path = match listed.path.is_root() {
                true => Ok(place.path.clone()),
                false => place.path.join(listed.path.as_str()),
            };
            let is_required = listed.is_required || path.is_err();
            let shown = path.clone().unwrap_or_else(|_| listed.path.clone());
            let problem = match path.map(|path| self.add_skills(root, &path, &mut scope)) {
                Err(why) => Some(why.to_string()),
                Ok(added) => match added? {
                    Err(why) => Some(why.to_owned()),
                    Ok(()) => {
                        exists = true;
                        let none = "it has no SKILL.md, and no directory in it has one";
                        (scope.found.len() == before).then(|| none.to_owned())
                    }
                },
            };
            if let Some(problem) = problem.filter(|_| is_required) {
                let by = listed.by;
                let why = format!("{by} of the plugin `{name}` lists it as skills, but {problem}");
                errors.push(Error::of_plugin(show_place(key, &shown), why));
            }
        }
        let scans = !plan.replaces_default || !exists;
        let mut has_skills_dir = false;
        if scans && let Ok(path) = place.path.join("skills") {
            has_skills_dir = self.add_skills(root, &path, &mut scope)?.is_ok();
        }
        if plan.may_be_one_skill && !has_skills_dir && self.has_skill(&tree)? {
            let (searched, path) = (location.searched(), place.path.clone());
            scope.found.push(FoundDirectory::new(searched, path, tree, physical));
        }
        scope.found.sort_by(|a, b| a.path.cmp(&b.path));
        scope.found.dedup_by(|a, b| a.path == b.path);
        let ignored = self.ignored(tree, plan)?;
        if !ignored.is_empty() {
            let parts = ignored.join(", ");
            self.notes.detail(key, || {
                format!("ignored parts of the plugin `{name}` that are not skills: {parts}")
            });
        }
        if plan.replaces_default && scans {
            // The list is ignored then.
            for error in errors.into_vec(key) {
                self.notes.detail(key, || format!("ignored: {}", one_line_chain(&error)));
            }
        } else if scope.found.is_empty() {
            errors.finish(key)?;
        } else {
            let stale = errors.into_vec(key);
            self.notes.warnings.extend(stale.iter().map(|error| one_line_chain(error)));
        }
        if scope.found.is_empty() && scope.broken.iter().all(|(_, problem)| problem.is_none()) {
            let hint = match ignored.as_slice() {
                [] => format!(
                    "there is no SKILL.md in `{}` or in a directory of its `skills`",
                    place.path
                ),
                parts => format!("it has {}, but only skills are used", parts.join(", ")),
            };
            let why = format!("the plugin `{name}` has no skills");
            return Err(Error::unresolved(key, why).with_hint(hint).into());
        }
        Ok(scope)
    }

    /// Adds the skill in a directory, or those directly below it. The inner error says why the
    /// directory cannot be used.
    fn add_skills(
        &mut self,
        PluginRoot { location, place, .. }: PluginRoot<'_>,
        path: &DirPath,
        scope: &mut Scope,
    ) -> SourceResult<Result<(), &'static str>> {
        let tree = match self.directory(location.root, path)? {
            Ok((tree, _)) => tree,
            Err(why) => return Ok(Err(why)),
        };
        if *path == place.path && !self.has_skill(&tree)? {
            return Ok(Ok(()));
        }
        let mut search = self.search(location.searched());
        scope.found.extend(search.below(path, Depth::One)?);
        scope.near.extend(search.aside.near);
        scope.broken.extend(search.aside.broken);
        Ok(Ok(()))
    }

    /// Returns the parts of the plugin that are not skills.
    fn ignored(&self, tree: ObjectId, plan: &SkillPlan) -> Result<Vec<String>, git::Error> {
        let mut ignored: Vec<String> = plan.ignored.iter().map(|key| format!("`{key}`")).collect();
        for (name, kind) in self.names(tree)? {
            if name == PLUGIN_DIR || (name != "agents" && !PLUGIN_PARTS.contains(&&*name)) {
                continue;
            }
            let slash = if kind == EntryKind::Directory { "/" } else { "" };
            let part = format!("`{name}{slash}`");
            if !ignored.contains(&part) {
                ignored.push(part);
            }
        }
        Ok(ignored)
    }
}
