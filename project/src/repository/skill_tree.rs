//! Reading the files of a skill from a commit.

use super::{
    PLUGIN_DIR, Repository,
    links::{DUPLICATE, TO_NOTHING, Target, below, join, resolve},
    location::Searched,
};
use crate::{
    contents::{Admission, Collector, Contents, FileRules, LINK_ABOVE, NAME_NOT_UTF8, show_place},
    error::SourceErrors,
    selection::Place,
};
use helix_skills_format::{DirPath, ObjectId, RelPath, SkillMd, SourceKey};
use helix_skills_git::{self as git, EntryKind, ErrorKind, Session};
use std::collections::{BTreeMap, HashSet};

/// Entries at the root of a plugin that describe it, run, or configure something. They are never
/// taken.
pub(super) const PLUGIN_PARTS: [&str; 8] = [
    PLUGIN_DIR,
    "bin",
    "commands",
    "hooks",
    "output-styles",
    "settings.json",
    ".lsp.json",
    ".mcp.json",
];

/// A directory of a commit that is a skill.
#[derive(Clone)]
pub(crate) struct FoundDirectory {
    /// Its name, which `include` and `exclude` of the manifest refer to.
    pub(crate) name: String,
    pub(crate) path: DirPath,
    pub(crate) tree: ObjectId,
    /// Whether it is the root of the repository or plugin. Then only some entries belong to the
    /// skill.
    pub(crate) is_root: bool,
    /// The root tree of the commit, and the real path of the directory in it.
    pub(crate) root: ObjectId,
    pub(super) physical: String,
    /// Whether another directory has the same tree, and both are the same skill.
    pub(crate) is_copy: bool,
}

impl Place for FoundDirectory {
    fn name(&self) -> &str {
        &self.name
    }

    fn path(&self) -> &DirPath {
        &self.path
    }

    fn copied_tree(&self) -> Option<ObjectId> {
        self.is_copy.then_some(self.tree)
    }
}

/// A directory during a walk.
#[derive(Clone)]
struct Level {
    tree: ObjectId,
    /// The path in the skill with a trailing slash; empty for the skill's root.
    prefix: String,
    /// The real path in the commit.
    physical: String,
    /// Whether it was not reached by a link out of the skill's own tree.
    inside: bool,
}

/// The files of a skill, before they are read.
#[derive(Default)]
pub(crate) struct SkillFiles {
    /// Each with its object, and whether it is executable.
    pub(crate) files: Vec<(RelPath, ObjectId, bool)>,
    /// Links that lead out of the skill's tree, with their target objects.
    pub(crate) links: BTreeMap<RelPath, ObjectId>,
    /// Paths that do not belong to the skill.
    pub(crate) excluded: Vec<String>,
    /// The texts of links that have not been fetched. Until then, the rest is incomplete.
    pub(crate) unknown: Vec<ObjectId>,
    /// What the walk collected; `None` after an error.
    collected: Option<Contents>,
}

/// A walk over the entries of a skill.
struct Walk<'w, 'g, 'r> {
    repository: &'w Repository<'g>,
    skill: &'w FoundDirectory,
    rules: &'r FileRules,
    collector: Collector<'r>,
    found: SkillFiles,
    /// The parent trees, to detect links that lead back to them.
    above: Vec<ObjectId>,
}

impl FoundDirectory {
    /// Creates a directory of the searched commit with its real path.
    pub(crate) fn new(
        (key, locked, root): Searched<'_>,
        path: DirPath,
        tree: ObjectId,
        physical: String,
    ) -> Self {
        let name = locked.entry.directory_name(key, &path).to_owned();
        let is_root = locked.is_root(&path);
        Self { name, path, tree, is_root, root, physical, is_copy: false }
    }

    /// Returns whether a path in the directory belongs to the skill, and not to the repository or
    /// plugin whose root it is.
    pub(crate) fn has(&self, path: &str, (rules, directory): (&FileRules, bool)) -> bool {
        let name = path.split('/').next().unwrap_or(path);
        match self.path.is_root() {
            true => {
                SkillMd::is_file_name(name)
                    || matches!(name, "references" | "scripts" | "assets")
                    || rules.includes(path, directory)
            }
            false => !self.is_root || !PLUGIN_PARTS.contains(&name),
        }
    }
}

impl Repository<'_> {
    /// Finds the files of a skill, and adds errors of the other entries to `errors`.
    pub(crate) fn walk(
        &self,
        skill: &FoundDirectory,
        (key, rules): (&SourceKey, &FileRules),
        errors: &mut SourceErrors,
    ) -> Result<SkillFiles, git::Error> {
        errors.enter(key, &skill.path);
        let place = (show_place(key, &skill.path), skill.path.file_name());
        let mut walk = Walk {
            repository: self,
            skill,
            rules,
            collector: Collector::new(rules, place, errors),
            found: SkillFiles::default(),
            above: vec![skill.tree],
        };
        let (tree, physical) = (skill.tree, skill.physical.clone());
        walk.directory(&Level { tree, prefix: String::new(), physical, inside: true })?;
        walk.collector.is_over_with(walk.found.files.len());
        let (collected, excluded) = walk.collector.finish();
        Ok(SkillFiles { excluded, collected, ..walk.found })
    }
}

impl SkillFiles {
    /// Returns the objects to fetch before the files can be read.
    pub(crate) fn missing(&self, session: &Session<'_>) -> impl Iterator<Item = ObjectId> {
        let files = self.files.iter().map(|(_, id, _)| id).filter(|id| !session.has(id));
        files.chain(&self.unknown).copied()
    }

    /// Reads the files; `None` after adding errors to the collector's.
    pub(crate) fn read(
        &self,
        session: &Session<'_>,
        mut collector: Collector<'_>,
    ) -> Result<Option<Contents>, git::Error> {
        // Their errors are known.
        let files = if self.collected.is_some() { &*self.files } else { &[] };
        for (path, id, executable) in files {
            match session.blob(id) {
                Ok(bytes) => {
                    if collector.admit_size(path, bytes.len() as u64) {
                        collector.add(path.clone(), bytes.to_owned(), *executable);
                    }
                }
                Err(error) if error.kind() == ErrorKind::Limit => collector.too_large(path),
                Err(error) => return Err(error),
            }
            if collector.is_over() {
                break;
            }
        }
        let read = collector.finish().0.zip(self.collected.as_ref());
        Ok(read.map(|(contents, collected)| contents.leaving_out(collected)))
    }
}

impl Walk<'_, '_, '_> {
    fn directory(&mut self, level: &Level) -> Result<(), git::Error> {
        let mut directories = HashSet::new();
        let Repository { session, .. } = self.repository;
        for entry in session.entries(&level.tree)? {
            if self.collector.is_over_with(self.found.files.len()) {
                return Ok(());
            }
            let entry = entry?;
            // The paths of a directory with many entries can be much longer than what was fetched.
            session.step(0, level.prefix.len())?;
            let Ok(name) = std::str::from_utf8(entry.name) else {
                let path = format!("{}{}", level.prefix, String::from_utf8_lossy(entry.name));
                if let Admission::Include(_) = self.collector.admit(&path, false) {
                    self.collector.refuse(&path, NAME_NOT_UTF8);
                }
                continue;
            };
            let path = format!("{}{name}", level.prefix);
            let kind = entry.kind;
            let is_directory = kind == EntryKind::Directory;
            if !self.skill.has(&path, (self.rules, is_directory)) {
                self.collector.exclude(path);
                continue;
            }
            let Admission::Include(checked) = self.collector.admit(&path, is_directory) else {
                continue;
            };
            match kind {
                // If both are files, the collector reports that they collide.
                EntryKind::Directory if !directories.insert(name) => {
                    self.collector.refuse(&path, DUPLICATE);
                }
                EntryKind::Directory => {
                    let physical = join(&level.physical, name);
                    self.enter(&path, (entry.id, physical), level.inside)?;
                }
                EntryKind::File | EntryKind::Executable => {
                    let is_executable = kind == EntryKind::Executable;
                    self.found.files.push((checked, entry.id, is_executable));
                }
                EntryKind::Submodule => {
                    self.collector.refuse(&path, "it is a submodule, which is not fetched")
                }
                EntryKind::Link => self.link(checked, name, level)?,
            }
        }
        Ok(())
    }

    /// Walks a subdirectory, unless a link led back to a parent.
    fn enter(
        &mut self,
        path: &str,
        (tree, physical): (ObjectId, String),
        inside: bool,
    ) -> Result<(), git::Error> {
        if self.above.contains(&tree) {
            self.collector.refuse(path, LINK_ABOVE);
            return Ok(());
        }
        self.above.push(tree);
        self.directory(&Level { tree, prefix: format!("{path}/"), physical, inside })?;
        self.above.pop();
        Ok(())
    }

    fn link(&mut self, path: RelPath, name: &str, level: &Level) -> Result<(), git::Error> {
        let FoundDirectory { tree, root, physical, .. } = self.skill;
        let Repository { session, .. } = self.repository;
        let (kind, id, real) = match resolve(session, *root, &level.physical, name)? {
            Target::Object { kind, id, path } => (kind, id, path),
            Target::Needs(id) => {
                self.found.unknown.push(id);
                return Ok(());
            }
            broken => {
                let why = if let Target::Broken(why) = broken { why } else { TO_NOTHING };
                self.collector.refuse(&path, why);
                return Ok(());
            }
        };
        // All links to this target in the commit are known, and so are those in the skill.
        let inside = level.inside && below(&real, physical).is_some() && {
            // The lockfile also lists links that leave the skill's own tree and come back.
            let start = below(&level.physical, physical).unwrap_or_default();
            let own = resolve(session, *tree, start, name)?;
            matches!(own, Target::Object { id: found, .. } if found == id)
        };
        if !inside {
            self.found.links.insert(path.clone(), id);
        }
        if kind != EntryKind::Directory {
            // A file from outside the skill is never executable, because the lockfile has only its
            // id.
            self.found.files.push((path, id, kind == EntryKind::Executable && inside));
        } else if let Admission::Include(_) = self.collector.admit(&path, true) {
            self.enter(&path, (id, real), inside)?;
        }
        Ok(())
    }
}
