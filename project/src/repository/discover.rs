//! Finding the skill directories of a commit.

use super::{
    SourceResult, commit_files,
    links::{DUPLICATE, SUBMODULE, TO_NOTHING, Target, join, resolve},
    skill_tree::SkillTree,
    source_error::SourceError,
};
use crate::{
    Error,
    contents::is_skill_directory,
    near_skill::NearSkill,
    notes::Notes,
    selection::{Depth, Directories, Place},
};
use helix_skills_format::{__internal::near_skill, DirPath, Limits, ObjectId, SkillMd, SourceKey};
use helix_skills_git::{self as git, EntryKind, Session};
use std::{
    collections::{BTreeMap, BTreeSet, HashMap, HashSet},
    convert::Infallible,
    sync::Arc,
};

/// A directory that is a skill, or a link that may lead to one.
#[derive(Clone)]
pub(super) struct FoundDirectory {
    /// Its name, which `include` and `exclude` of the manifest refer to.
    pub(super) name: String,
    pub(super) path: DirPath,
    pub(super) place: DirectoryKind,
    /// Whether it is the root of a repository or plugin. Then only some entries belong to the
    /// skill.
    pub(super) is_root: bool,
    /// Whether another directory has the same tree, and both are the same skill.
    pub(super) is_copy: bool,
}

/// The kind of a directory.
#[derive(Clone)]
pub(super) enum DirectoryKind {
    /// A directory, by its real path in the commit.
    Tree { root: ObjectId, physical: String, tree: ObjectId },
    /// A link that has not been followed yet.
    Link { root: ObjectId, parent: String },
    /// A link that cannot be followed.
    Broken(&'static str),
    /// A link that does not lead to a skill.
    Other,
}

impl FoundDirectory {
    pub(super) fn new(name: &str, path: DirPath, place: DirectoryKind) -> Self {
        let (name, is_root) = (name.to_owned(), path.is_root());
        Self { name, path, place, is_root, is_copy: false }
    }

    /// Returns its tree; `None` for a link that was not followed or does not lead to a skill.
    pub(super) fn tree(&self) -> Option<ObjectId> {
        match &self.place {
            DirectoryKind::Tree { tree, .. } => Some(*tree),
            _ => None,
        }
    }

    /// Returns the tree to read; `None` for a link that was not followed or does not lead to a
    /// skill.
    pub(super) fn skill_tree(&self) -> Option<SkillTree> {
        let DirectoryKind::Tree { root, physical, tree } = &self.place else { return None };
        let (root, physical) = (*root, physical.clone());
        Some(SkillTree { tree: *tree, is_root: self.is_root, root, physical })
    }
}

impl Place for FoundDirectory {
    fn name(&self) -> &str {
        &self.name
    }

    fn path(&self) -> &DirPath {
        &self.path
    }

    fn copied_tree(&self) -> Option<ObjectId> {
        self.tree().filter(|_| self.is_copy)
    }
}

/// The skills that a source searches, by path.
#[derive(Default)]
pub(super) struct Scope {
    pub(super) found: Vec<FoundDirectory>,
    /// What looks like a skill. Its places have no source yet.
    pub(super) near: Vec<NearSkill>,
    /// Submodules next to skills. Their files are in another repository.
    pub(super) submodules: Vec<DirPath>,
}

/// The scopes of the commits of a repository, because many sources may search the same
/// directories: by the root of the commit and `skillsDir`.
pub(super) type KnownScopes = HashMap<(ObjectId, BTreeSet<DirPath>), Arc<Scope>>;

/// Maximum number of skills of a source. The largest known collections have a few thousand.
pub(super) const MAX_SKILLS: usize = 10_000;

/// A search for skills in a commit, all of whose trees have been fetched. Only following links may
/// need network requests.
pub(super) struct Search<'s, 'g> {
    pub(super) session: &'s mut Session<'g>,
    pub(super) key: &'s SourceKey,
    /// The name of the root's directory.
    pub(super) root_name: &'s str,
    /// The root tree of the commit.
    pub(super) root: ObjectId,
    pub(super) limits: Limits,
    pub(super) notes: &'s mut Notes,
    /// What looks like a skill.
    pub(super) near: Vec<NearSkill>,
    pub(super) submodules: Vec<DirPath>,
    /// Trees without skills and directories, which a repository may have in very many places.
    barren: HashSet<ObjectId>,
}

/// A directory that is being searched.
struct Level {
    path: DirPath,
    /// Its real path, without links.
    physical: String,
    tree: ObjectId,
    depth: u64,
}

impl Directories for Search<'_, '_> {
    type Place = FoundDirectory;
    type Error = SourceError;

    fn below(&mut self, directory: &DirPath, depth: Depth) -> SourceResult<Vec<FoundDirectory>> {
        let (tree, physical) =
            match commit_files::follow(self.session, self.root, directory.as_str())? {
                Target::Object { kind: EntryKind::Directory, id, path } => (id, path),
                Target::Broken(SUBMODULE) => {
                    self.submodules.push(directory.clone());
                    return Ok(Vec::new());
                }
                _ => return Ok(Vec::new()),
            };
        let (path, mut found) = (directory.clone(), Vec::new());
        let mut open = vec![Level { path, physical, tree, depth: 0 }];
        while let Some(level) = open.pop() {
            self.search(level, depth, &mut open, &mut found)?;
            if found.len() > MAX_SKILLS {
                let what = format!("the number of skill directories in the source `{}`", self.key);
                return Err(Error::limit(what, MAX_SKILLS as u64, None).into());
            }
        }
        if !found.iter().any(|found| found.tree().is_some()) {
            follow_all(self.session, &mut found)?;
            found.retain(|found| found.tree().is_some());
        }
        Ok(found)
    }

    fn at(&mut self, path: &DirPath) -> SourceResult<Option<FoundDirectory>> {
        let root = self.root;
        match commit_files::follow(self.session, root, path.as_str())? {
            Target::Object { kind: EntryKind::Directory, id, path: physical }
                if has_skill(self.session, &id)? =>
            {
                let place = DirectoryKind::Tree { root, physical, tree: id };
                Ok(Some(self.found(path.clone(), place)))
            }
            Target::Broken(SUBMODULE) => {
                self.submodules.push(path.clone());
                Ok(None)
            }
            _ => Ok(None),
        }
    }
}

impl<'s, 'g> Search<'s, 'g> {
    pub(super) fn new(
        session: &'s mut Session<'g>,
        (key, root_name): (&'s SourceKey, &'s str),
        root: ObjectId,
        limits: Limits,
        notes: &'s mut Notes,
    ) -> Self {
        let (near, submodules, barren) = (Vec::new(), Vec::new(), HashSet::new());
        Self { session, key, root_name, root, limits, notes, near, submodules, barren }
    }

    fn found(&self, path: DirPath, place: DirectoryKind) -> FoundDirectory {
        let name = path.file_name().unwrap_or(self.root_name).to_owned();
        FoundDirectory::new(&name, path, place)
    }

    /// Adds the skill in a directory, or the directories in it to `open`.
    fn search(
        &mut self,
        level: Level,
        depth: Depth,
        open: &mut Vec<Level>,
        found: &mut Vec<FoundDirectory>,
    ) -> SourceResult<()> {
        let Level { path, physical, tree, depth: at } = level;
        self.session.step(0, path.as_str().len())?;
        if self.barren.contains(&tree) {
            return Ok(());
        }
        let root = self.root;
        let is_skill = has_skill(self.session, &tree)?;
        if is_skill {
            if at > self.limits.tree_depth {
                let what = format!("the depth of `{path}` in the source `{}`", self.key);
                return Err(Error::limit(what, self.limits.tree_depth, Some("treeDepth")).into());
            }
            let physical = physical.clone();
            found.push(self.found(path.clone(), DirectoryKind::Tree { root, physical, tree }));
            // The skill at the root has only some of its directories.
            if !path.is_root() && depth != Depth::Everything {
                return Ok(());
            }
        }
        let (mut seen, mut names) = (HashSet::new(), Vec::new());
        for entry in self.session.entries(&tree)? {
            let entry = entry?;
            let Ok(name) = std::str::from_utf8(entry.name) else {
                self.notes.detail(self.key, || {
                    format!("ignored `{}`, whose name is not UTF-8", entry.name.escape_ascii())
                });
                continue;
            };
            if matches!(entry.kind, EntryKind::File | EntryKind::Executable) {
                names.push(name);
            } else if is_skill_directory(name) && depth.searches(name) {
                let Ok(path) = path.join(name) else {
                    self.notes.detail(self.key, || {
                        let name = name.escape_debug();
                        format!("ignored the directory `{name}`, whose name is invalid")
                    });
                    continue;
                };
                let is_new = seen.insert(name);
                match entry.kind {
                    _ if !is_new => {
                        found.push(self.found(path, DirectoryKind::Broken(DUPLICATE)));
                    }
                    EntryKind::Directory if at == 0 || depth != Depth::One => {
                        let (physical, tree) = (join(&physical, name), entry.id);
                        open.push(Level { path, physical, tree, depth: at + 1 });
                    }
                    EntryKind::Link if at == 0 && !path.is_root() => {
                        let parent = physical.clone();
                        found.push(self.found(path, DirectoryKind::Link { root, parent }));
                    }
                    EntryKind::Submodule => self.submodules.push(path),
                    _ => {}
                }
            }
        }
        if !is_skill {
            if seen.is_empty() {
                self.barren.insert(tree);
            }
            let names = names.into_iter().map(|name| (name, false));
            let Ok(looks) = near_skill(path.as_str(), names, |_| Ok::<_, Infallible>(false));
            self.near.extend(looks.map(|(file, finding)| NearSkill {
                directory: path.file_name().unwrap_or_default().to_owned(),
                place: file.escape_debug().to_string(),
                finding,
            }));
        }
        Ok(())
    }
}

/// Marks the directories whose tree another one has, too. A tree with links is not the same skill
/// everywhere.
pub(super) fn mark_copies(
    session: &Session<'_>,
    found: &mut [FoundDirectory],
) -> Result<(), git::Error> {
    let mut counts: BTreeMap<ObjectId, usize> = BTreeMap::new();
    for found in found.iter().filter(|found| !found.is_root) {
        found.tree().into_iter().for_each(|tree| *counts.entry(tree).or_default() += 1);
    }
    let mut copied = HashSet::new();
    for (tree, _) in counts.into_iter().filter(|(_, count)| *count > 1) {
        if !has_link(session, tree)? {
            copied.insert(tree);
        }
    }
    for found in found.iter_mut().filter(|found| !found.is_root) {
        found.is_copy = found.tree().is_some_and(|tree| copied.contains(&tree));
    }
    Ok(())
}

/// Returns whether a link is somewhere in a tree.
fn has_link(session: &Session<'_>, tree: ObjectId) -> Result<bool, git::Error> {
    let mut open = vec![tree];
    // A few trees that contain each other many times have any number of paths.
    let mut seen = HashSet::from([tree]);
    while let Some(tree) = open.pop() {
        for entry in session.entries(&tree)? {
            let entry = entry?;
            match entry.kind {
                EntryKind::Link => return Ok(true),
                EntryKind::Directory if seen.insert(entry.id) => open.push(entry.id),
                _ => {}
            }
        }
    }
    Ok(false)
}

/// Follows all links, which may need network requests.
pub(super) fn follow_all(
    session: &mut Session<'_>,
    found: &mut [FoundDirectory],
) -> Result<(), git::Error> {
    loop {
        let mut missing = Vec::new();
        for found in found.iter_mut() {
            missing.extend(follow(session, found)?);
        }
        if missing.is_empty() {
            return Ok(());
        }
        session.blobs(&missing)?;
    }
}

/// Follows a link to a skill. Returns the id of an object that has to be fetched first.
pub(super) fn follow(
    session: &Session<'_>,
    found: &mut FoundDirectory,
) -> Result<Option<ObjectId>, git::Error> {
    let DirectoryKind::Link { root, parent } = &found.place else { return Ok(None) };
    let root = *root;
    found.place = match resolve(session, root, parent, &found.name)? {
        Target::Needs(id) => return Ok(Some(id)),
        Target::Nothing => DirectoryKind::Broken(TO_NOTHING),
        Target::Broken(why) => DirectoryKind::Broken(why),
        Target::Object { kind: EntryKind::Directory, id, path } if has_skill(session, &id)? => {
            DirectoryKind::Tree { root, physical: path, tree: id }
        }
        Target::Object { .. } => DirectoryKind::Other,
    };
    Ok(None)
}

pub(super) fn has_skill(session: &Session<'_>, tree: &ObjectId) -> Result<bool, git::Error> {
    session.has_file(tree, &SkillMd::FILE_NAMES)
}
