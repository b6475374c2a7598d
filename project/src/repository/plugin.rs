//! Finding the skills of a plugin in a commit.

use super::{
    MAX_LISTED, SourceResult,
    commit_files::{directory, file, names, text},
    discover::{Scope, Search, has_skill},
    of_source,
    skill_tree::FoundDirectory,
};
use crate::{
    Error,
    contents::show_place,
    error::{SourceErrors, incomplete_version},
    manifest::VersionPin,
    marketplace::{Declared, Plugin, SkillPlan},
    notes::Notes,
    selection::Depth,
    tags,
};
use helix_skills_format::{
    __internal::{listed, one_line_chain},
    DirPath, Limits, ObjectId, SourceKey,
};
use helix_skills_git::{self as git, EntryKind, Session};
use std::iter;

/// The hint for a mistake of a marketplace.
pub(super) const REPORT: &str =
    "report it to the owner of the marketplace, or pin an earlier version of it";

/// Entries at the root of a plugin that are not skills. They are ignored.
const OTHER_PARTS: [&str; 8] = [
    "agents",
    "bin",
    "commands",
    "hooks",
    "output-styles",
    "settings.json",
    ".lsp.json",
    ".mcp.json",
];

/// The root directory of a plugin in a commit.
pub(super) struct PluginRoot<'h> {
    pub(super) key: &'h SourceKey,
    /// Its entry in the marketplace.
    pub(super) plugin: &'h Plugin,
    /// The root of the commit.
    pub(super) root: ObjectId,
    /// The plugin's root.
    pub(super) path: &'h DirPath,
    /// The name of the plugin's root if it is a skill and the root of the repository, too: the
    /// plugin's name in the manifest, which the lockfile has as well.
    pub(super) root_name: &'h str,
    /// Whether the plugin's root is that of the marketplace.
    pub(super) at_marketplace_root: bool,
    /// The version that the plugin must declare, if any.
    pub(super) version: Option<&'h VersionPin>,
    pub(super) limits: Limits,
}

impl<'h> PluginRoot<'h> {
    /// Returns the root of a plugin in the repository of its marketplace.
    pub(super) fn local(
        key: &'h SourceKey,
        (plugin, path): (&'h Plugin, &'h DirPath),
        root: ObjectId,
        limits: Limits,
    ) -> Self {
        let (root_name, at_marketplace_root) = (plugin.name.as_str(), path.is_root());
        Self { key, plugin, root, path, root_name, at_marketplace_root, version: None, limits }
    }

    /// Returns the id of the plugin's manifest if it has one that was not fetched yet.
    pub(super) fn missing_manifest(
        &self,
        session: &Session<'_>,
    ) -> Result<Option<ObjectId>, git::Error> {
        Ok(file(session, self.root, &self.manifest_path())?.filter(|id| !session.has(id)))
    }

    /// Returns the skills that the plugin has regardless of its manifest.
    pub(super) fn without_manifest(
        &self,
        session: &mut Session<'_>,
    ) -> Result<Vec<FoundDirectory>, git::Error> {
        let Ok(plan) = SkillPlan::new(self.plugin, None, self.at_marketplace_root) else {
            return Ok(Vec::new());
        };
        let directories = of_source(self.directories(session, &plan, &mut Notes::default()))?;
        Ok(directories.map(|scope| scope.found).unwrap_or_default())
    }

    /// Returns the path of the plugin's manifest.
    fn manifest_path(&self) -> String {
        let path = self.path.join(Declared::FILE);
        path.map_or_else(|_| Declared::FILE.to_owned(), |path| path.to_string())
    }

    /// Returns what the plugin declares, and its skills.
    pub(super) fn read(
        &self,
        session: &mut Session<'_>,
        notes: &mut Notes,
    ) -> SourceResult<(SkillPlan, Scope)> {
        self.top(session)?;
        let path = self.manifest_path();
        let text = text(session, self.key, self.root, &path)?;
        let manifest = text.map(|text| Declared::parse(&text)).transpose();
        let place = || format!("{}: {path}", self.key);
        let manifest = manifest.map_err(|findings| Error::of_file(&place(), findings, None))?;
        let plan = SkillPlan::new(self.plugin, manifest.as_ref(), self.at_marketplace_root)
            .map_err(|why| Error::unresolved(self.key, why.to_string()).with_hint(why.hint))?;
        if let Some(version) = self.version {
            self.check_version(version, plan.version.as_deref())?;
        }
        if !plan.bare.is_empty() {
            let (key, plugin, bare) = (self.key, &self.plugin.name, listed(&plan.bare, MAX_LISTED));
            notes.warn(format!(
                "the source `{key}`: the plugin `{plugin}` lists {bare} without `./`, which Claude Code requires"
            ));
        }
        let directories = self.directories(session, &plan, notes)?;
        Ok((plan, directories))
    }

    /// Returns the tree of the plugin's root, and its real path.
    fn top(&self, session: &mut Session<'_>) -> SourceResult<(ObjectId, String)> {
        let found = directory(session, self.root, self.path)?;
        Ok(found.map_err(|problem| {
            let (plugin, path) = (&self.plugin.name, self.path);
            let why = format!("the plugin `{plugin}` should be in `{path}`, but {problem}");
            Error::unresolved(self.key, why).with_hint(REPORT)
        })?)
    }

    /// Returns the directories that are skills: the listed ones, and those directly below
    /// `skills/`.
    fn directories(
        &self,
        session: &mut Session<'_>,
        plan: &SkillPlan,
        notes: &mut Notes,
    ) -> SourceResult<Scope> {
        let mut scope = Scope::default();
        let mut errors = SourceErrors::new();
        let (tree, physical) = self.top(session)?;
        let mut exists = false;
        for listed in &plan.listed {
            let before = scope.found.len();
            let path = match listed.path.is_root() {
                true => Ok(self.path.clone()),
                false => self.path.join(listed.path.as_str()),
            };
            let is_required = listed.is_required || path.is_err();
            let shown = path.clone().unwrap_or_else(|_| listed.path.clone());
            let problem = match path.map(|path| self.add_skills(session, &path, &mut scope, notes))
            {
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
                let (by, plugin) = (listed.by, &self.plugin.name);
                let why =
                    format!("{by} of the plugin `{plugin}` lists it as skills, but {problem}");
                errors.push(Error::of_plugin(show_place(self.key, &shown), why));
            }
        }
        let scans = !plan.replaces_default || !exists;
        let mut has_skills_dir = false;
        if scans && let Ok(path) = self.path.join("skills") {
            has_skills_dir = self.add_skills(session, &path, &mut scope, notes)?.is_ok();
        }
        if plan.may_be_one_skill && !has_skills_dir && has_skill(session, &tree)? {
            let name = self.path.file_name().unwrap_or(self.root_name).to_owned();
            let (path, root) = (self.path.clone(), self.root);
            let (is_root, is_copy) = (true, false);
            let found = FoundDirectory { name, path, tree, is_root, root, physical, is_copy };
            scope.found.push(found);
        }
        scope.found.sort_by(|a, b| a.path.cmp(&b.path));
        scope.found.dedup_by(|a, b| a.path == b.path);
        let ignored = self.ignored(session, tree, plan)?;
        if !ignored.is_empty() {
            let parts = ignored.join(", ");
            let name = &self.plugin.name;
            notes.detail(self.key, || {
                format!("ignored parts of the plugin `{name}` that are not skills: {parts}")
            });
        }
        if plan.replaces_default && scans {
            // The list is ignored then.
            for error in errors.into_vec(self.key) {
                notes.detail(self.key, || format!("ignored: {}", one_line_chain(&error)));
            }
        } else if scope.found.is_empty() {
            errors.finish(self.key)?;
        } else {
            let stale = errors.into_vec(self.key);
            notes.warnings.extend(stale.iter().map(|error| one_line_chain(error)));
        }
        if scope.found.is_empty() && scope.broken.iter().all(|(_, problem)| problem.is_none()) {
            let hint = match ignored.as_slice() {
                [] => format!(
                    "there is no SKILL.md in `{}` or in a directory of its `skills`",
                    self.path
                ),
                parts => format!("it has {}, but only skills are used", parts.join(", ")),
            };
            let why = format!("the plugin `{}` has no skills", self.plugin.name);
            return Err(Error::unresolved(self.key, why).with_hint(hint).into());
        }
        Ok(scope)
    }

    /// Adds the skill in a directory, or those directly below it. The inner error says why the
    /// directory cannot be used.
    fn add_skills(
        &self,
        session: &mut Session<'_>,
        path: &DirPath,
        scope: &mut Scope,
        notes: &mut Notes,
    ) -> SourceResult<Result<(), &'static str>> {
        let tree = match directory(session, self.root, path)? {
            Ok((tree, _)) => tree,
            Err(why) => return Ok(Err(why)),
        };
        let is_root = path == self.path;
        if is_root && !has_skill(session, &tree)? {
            return Ok(Ok(()));
        }
        let name = (self.key, self.root_name);
        let mut search = Search::new(session, name, self.root, self.limits, notes);
        let mut found = search.below(path, Depth::One)?;
        found.iter_mut().for_each(|found| found.is_root = is_root);
        scope.found.extend(found);
        scope.near.extend(search.aside.near);
        scope.broken.extend(search.aside.broken);
        Ok(Ok(()))
    }

    /// Returns the parts of the plugin that are not skills.
    fn ignored(
        &self,
        session: &Session<'_>,
        tree: ObjectId,
        plan: &SkillPlan,
    ) -> Result<Vec<String>, git::Error> {
        let mut ignored: Vec<String> = plan.ignored.iter().map(|key| format!("`{key}`")).collect();
        for (name, kind) in names(session, tree)? {
            if !OTHER_PARTS.contains(&&*name) {
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

    /// Checks a version without a tag in the marketplace against the one that the plugin declares.
    fn check_version(&self, requested: &VersionPin, declared: Option<&str>) -> Result<(), Error> {
        if declared.is_some_and(|declared| tags::allows_declared(requested, declared)) {
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
        Err(Error::unresolved(self.key, why).with_hint(hint))
    }
}
