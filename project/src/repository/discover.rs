//! Finding the skill directories of a commit.

use super::{
    Repository, SourceResult,
    links::{DUPLICATE, SUBMODULE, TO_NOTHING, Target, join},
    location::Searched,
    skill_tree::FoundDirectory,
};
use crate::{
    Error,
    contents::is_skill_directory,
    near_skill::NearSkill,
    selection::{self, Depth},
};
use helix_skills_format::{
    __internal::{near_skill, path_key},
    DirPath, ObjectId, SkillMd,
};
use helix_skills_git::{self as git, EntryKind, Session};
use std::{
    collections::{BTreeMap, BTreeSet, HashMap, HashSet},
    convert::Infallible,
    sync::Arc,
};

/// The skills that a source searches, by path.
#[derive(Default)]
pub(crate) struct Scope {
    pub(crate) found: Vec<FoundDirectory>,
    /// Links next to skills that do not lead to a skill, with why they cannot be followed; `None`
    /// if they lead to something else.
    pub(crate) broken: Vec<(DirPath, Option<&'static str>)>,
    /// What looks like a skill. Its places have no source yet.
    pub(crate) near: Vec<NearSkill>,
    /// Submodules next to skills. Their files are in another repository.
    pub(super) submodules: Vec<DirPath>,
}

impl Scope {
    /// Returns the key that names each skill: the name of its directory if only this skill has it,
    /// else the path.
    pub(crate) fn keys(&self) -> ScopeKeys<'_> {
        let mut counts = HashMap::<&str, usize>::new();
        self.found.iter().for_each(|found| *counts.entry(&found.name).or_default() += 1);
        let key = |found: &FoundDirectory| match counts[&*found.name] {
            1 => found.name.clone(),
            _ => path_key(&found.path),
        };
        ScopeKeys(self.found.iter().map(|found| (&found.path, key(found))).collect())
    }
}

/// The keys of the skills of a scope.
pub(crate) struct ScopeKeys<'s>(HashMap<&'s DirPath, String>);

impl ScopeKeys<'_> {
    /// Returns the key that names the skill at a path, which may be out of the scope.
    pub(crate) fn of(&self, path: &DirPath) -> String {
        self.0.get(path).cloned().unwrap_or_else(|| path_key(path))
    }
}

/// What was searched in a repository, because many sources may search the same directories: by the
/// root of the commit, the name that its directory has, and `skillsDir`; `None` for everything.
pub(super) type KnownScopes = HashMap<(ObjectId, String, Option<BTreeSet<DirPath>>), Arc<Scope>>;

/// Maximum number of skills of a source. The largest known collections have a few thousand.
pub(super) const MAX_SKILLS: usize = 10_000;

/// A search for skills in a commit, all of whose trees have been fetched. Only following links may
/// need network requests.
pub(crate) struct Search<'s, 'g> {
    repository: &'s mut Repository<'g>,
    searched: Searched<'s>,
    /// What was found next to skills.
    pub(super) aside: Scope,
}

/// A directory that is being searched.
struct Level {
    path: DirPath,
    /// Its real path, without links.
    physical: String,
    tree: ObjectId,
    depth: u64,
}

impl<'g> Repository<'g> {
    /// Returns a search of a commit for a source.
    pub(crate) fn search<'s>(&'s mut self, searched: Searched<'s>) -> Search<'s, 'g> {
        Search { repository: self, searched, aside: Scope::default() }
    }
}

impl Search<'_, '_> {
    /// Returns the outermost skills below a directory, or the skill in it.
    pub(crate) fn below(
        &mut self,
        directory: &DirPath,
        depth: Depth,
    ) -> SourceResult<Vec<FoundDirectory>> {
        let (key, _, root) = self.searched;
        let (tree, physical) = match self.repository.directory(root, directory)? {
            Ok(found) => found,
            Err(why) => {
                if why == SUBMODULE {
                    self.aside.submodules.push(directory.clone());
                }
                return Ok(Vec::new());
            }
        };
        let (path, mut found, mut links) = (directory.clone(), Vec::new(), Vec::new());
        let mut open = vec![Level { path, physical, tree, depth: 0 }];
        while let Some(level) = open.pop() {
            self.search(level, depth, (&mut open, &mut links), &mut found)?;
            if found.len() + links.len() > MAX_SKILLS {
                let what = format!("the number of skill directories in the source `{key}`");
                return Err(Error::limit(what, MAX_SKILLS as u64, None).into());
            }
        }
        for (path, skill) in links.iter().zip(self.at(links.iter())?) {
            match skill {
                Ok(skill) => found.push(skill),
                Err(problem) => self.aside.broken.push((path.clone(), problem)),
            }
        }
        Ok(found)
    }

    /// Returns the skills that paths lead to, or why one leads to none, if that is more than that
    /// there is something else.
    pub(crate) fn at<'p>(
        &mut self,
        paths: impl Iterator<Item = &'p DirPath> + Clone,
    ) -> Result<Vec<Result<FoundDirectory, Option<&'static str>>>, git::Error> {
        let (_, _, root) = self.searched;
        let targets = self.repository.follow_all(root, paths.clone().map(DirPath::as_str))?;
        let skill = |(path, target): (&DirPath, _)| match target {
            Target::Object { kind: EntryKind::Directory, id, path: physical }
                if self.repository.has_skill(&id)? =>
            {
                Ok(Ok(FoundDirectory::new(self.searched, path.clone(), id, physical)))
            }
            Target::Nothing => Ok(Err(Some(TO_NOTHING))),
            Target::Broken(why) => Ok(Err(Some(why))),
            Target::Object { .. } | Target::Needs(_) => Ok(Err(None)),
        };
        paths.zip(targets).map(skill).collect()
    }

    /// Adds the skill in a directory, or the directories in it to `open`.
    fn search(
        &mut self,
        level: Level,
        depth: Depth,
        (open, links): (&mut Vec<Level>, &mut Vec<DirPath>),
        found: &mut Vec<FoundDirectory>,
    ) -> SourceResult<()> {
        let Level { path, physical, tree, depth: at } = level;
        let (key, _, _) = self.searched;
        let Repository { session, notes, limits, .. } = &mut *self.repository;
        session.step(0, path.as_str().len())?;
        let is_skill = session.has_file(&tree, &SkillMd::FILE_NAMES)?;
        if is_skill {
            if at > limits.tree_depth {
                if depth == Depth::Everything {
                    return Ok(());
                }
                let what = format!("the depth of `{path}` in the source `{key}`");
                let error = Error::limit(what, limits.tree_depth, Some("treeDepth"));
                let hint =
                    "set `skillsDir` to a directory that is nearer, or raise `limits.treeDepth`";
                return Err(error.with_hint(hint).into());
            }
            let skill = FoundDirectory::new(self.searched, path.clone(), tree, physical.clone());
            found.push(skill);
            // The skill at the root has only some of its directories.
            if !path.is_root() && depth != Depth::Everything {
                return Ok(());
            }
        }
        let has_links = at == 0 && !path.is_root();
        let (mut seen, mut names) = (HashSet::new(), Vec::new());
        for entry in session.entries(&tree)? {
            let entry = entry?;
            let Ok(name) = std::str::from_utf8(entry.name) else {
                notes.detail(key, || {
                    format!("ignored `{}`, whose name is not UTF-8", entry.name.escape_ascii())
                });
                continue;
            };
            if matches!(entry.kind, EntryKind::File | EntryKind::Executable) {
                names.push(name);
            } else if is_skill_directory(name) && depth.searches(name) {
                let Ok(path) = path.join(name) else {
                    notes.detail(key, || {
                        let name = name.escape_debug();
                        format!("ignored the directory `{name}`, whose name is invalid")
                    });
                    continue;
                };
                let is_new = seen.insert(name);
                match entry.kind {
                    _ if !is_new => self.aside.broken.push((path, Some(DUPLICATE))),
                    EntryKind::Directory if at == 0 || depth != Depth::One => {
                        let (physical, tree) = (join(&physical, name), entry.id);
                        open.push(Level { path, physical, tree, depth: at + 1 });
                    }
                    EntryKind::Link if has_links => {
                        links.push(path);
                    }
                    EntryKind::Submodule => self.aside.submodules.push(path),
                    _ => {}
                }
            }
        }
        if !is_skill {
            let names = names.into_iter().map(|name| (name, false));
            let Ok(looks) = near_skill(path.as_str(), names, |_| Ok::<_, Infallible>(false));
            self.aside.near.extend(looks.map(|(file, finding)| NearSkill {
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
pub(crate) fn mark_copies(
    session: &Session<'_>,
    found: &mut [FoundDirectory],
) -> Result<(), git::Error> {
    let mut counts: BTreeMap<ObjectId, usize> = BTreeMap::new();
    for found in found.iter().filter(|found| !found.is_root) {
        *counts.entry(found.tree).or_default() += 1;
    }
    let mut copied = HashSet::new();
    for (tree, _) in counts.into_iter().filter(|(_, count)| *count > 1) {
        if !has_link(session, tree)? {
            copied.insert(tree);
        }
    }
    for found in found {
        found.is_copy = !found.is_root && copied.contains(&found.tree);
    }
    Ok(())
}

/// Returns the directories without copies of a skill.
pub(super) fn distinct(
    session: &Session<'_>,
    mut found: Vec<FoundDirectory>,
) -> Result<Vec<FoundDirectory>, git::Error> {
    mark_copies(session, &mut found)?;
    let found: Vec<&FoundDirectory> = found.iter().collect();
    Ok(selection::without_copies(&found, |_| false).into_iter().cloned().collect())
}

/// Returns whether a link is somewhere in a tree.
pub(crate) fn has_link(session: &Session<'_>, tree: ObjectId) -> Result<bool, git::Error> {
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
