//! Finding the skill directories of a commit.

use super::{
    SourceResult, commit_files,
    links::{DUPLICATE, TO_NOTHING, Target, join, resolve},
    market,
    skill_tree::SkillTree,
};
use crate::manifest::{DEFAULT_SKILLS_DIR, Select, is_default_dir};
use crate::{
    Error, contents::is_skill_directory, error::Unresolved, near_skill::NearSkill, notes::Notes,
};
use helix_skills_format::{
    __internal::{near_skill, root_not_read},
    ObjectId,
};
use helix_skills_format::{DirPath, GitUrl, SkillMd, SourceKey};
use helix_skills_git::EntryKind;
use helix_skills_git::{self as git, Session};
use std::{
    collections::{BTreeMap, BTreeSet, HashMap, HashSet},
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
    /// Returns its tree; `None` for a link that was not followed or does not lead to a skill.
    pub(super) fn tree(&self) -> Option<ObjectId> {
        match &self.place {
            DirectoryKind::Tree { tree, .. } => Some(*tree),
            _ => None,
        }
    }

    fn is_tree(&self) -> bool {
        self.tree().is_some()
    }

    /// Returns the tree to read; `None` for a link that was not followed or does not lead to a
    /// skill.
    pub(super) fn skill_tree(&self) -> Option<SkillTree> {
        let DirectoryKind::Tree { root, physical, tree } = &self.place else { return None };
        let (root, physical) = (*root, physical.clone());
        Some(SkillTree { tree: *tree, is_root: self.is_root, root, physical })
    }
}

/// The directories of a commit that are skills.
#[derive(Default)]
pub(super) struct Directories {
    pub(super) found: Vec<FoundDirectory>,
    /// What looks like a skill. Its places have no source yet.
    pub(super) near: Vec<NearSkill>,
    /// The trees that were searched for what looks like a skill.
    searched: HashSet<ObjectId>,
}

/// The directories of the commits of a repository, because many sources may select from the same
/// ones: by the root of the commit, and the entry's `skillsDir` if it is set.
pub(super) type KnownDirectories = HashMap<(ObjectId, Option<DirPath>), Arc<Directories>>;

/// Maximum number of skills of a source. The largest known collections have a few thousand.
pub(super) const MAX_SKILLS: usize = 10_000;

/// Maximum depth of the search for skills in other directories, which an error lists.
const MAX_STRAY_DEPTH: usize = 6;

/// Maximum number of directories of that search.
const MAX_STRAY_DIRECTORIES: usize = 2000;

/// The directory of a commit that has the skills of a source of type `git`.
pub(super) struct SkillsDir<'s> {
    pub(super) key: &'s SourceKey,
    /// The URL of the repository.
    pub(super) url: &'s GitUrl,
    /// `skillsDir` of the manifest.
    pub(super) path: &'s DirPath,
    pub(super) select: &'s Select,
    /// The root tree of the commit.
    pub(super) root: ObjectId,
}

impl SkillsDir<'_> {
    /// Returns the skills of a commit: those directly below `skillsDir`, or that directory itself.
    ///
    /// If `skillsDir` is not set and the default directory does not exist, the root may be a skill.
    /// All trees of the commit have been fetched; only following links may need network requests.
    pub(super) fn directories(
        &self,
        session: &mut Session<'_>,
        known: &mut KnownDirectories,
        notes: &mut Notes,
    ) -> SourceResult<Arc<Directories>> {
        let Self { key, root, .. } = *self;
        let is_default = is_default_dir(self.path);
        let at = (root, Some(self.path.clone()).filter(|_| !is_default));
        let directories = match known.get(&at) {
            Some(directories) => Arc::clone(directories),
            None => {
                let directories = Arc::new(self.read(session, notes)?);
                known.insert(at, Arc::clone(&directories));
                directories
            }
        };
        if directories.has_tree() {
            return Ok(directories);
        }
        // Follows links for this source alone, because its selection decides which ones matter.
        let mut followed = directories.found.clone();
        if has_skills(session, self.select, &mut followed)? {
            let near = directories.near.clone();
            return Ok(Arc::new(Directories { found: followed, near, ..Directories::default() }));
        }
        let strays = strays(session, root)?;
        let plugins = if is_default { market::plugins(session, key, root)? } else { None };
        let why = Unresolved::NoSkills {
            directory: self.path.clone(),
            is_default,
            marketplace: plugins.map(|plugins| (self.url.clone(), plugins)),
            root_is_skill: has_skill(session, &root)?,
            in_default: count_in_default_dir(&strays),
            elsewhere: strays,
            near: directories.near.first().map(|near| near.of(key).warning()),
        };
        Err(Error::unresolved(key, why).into())
    }

    /// Reads the directories that [`directories`](Self::directories) selects from.
    fn read(
        &self,
        session: &mut Session<'_>,
        notes: &mut Notes,
    ) -> Result<Directories, git::Error> {
        let (root, path) = (self.root, self.path);
        let place = commit_files::follow(session, root, path.as_str())?;
        let mut directories = Directories::default();
        let repository = self.url.repository_name();
        let is_default = is_default_dir(path);
        if let Target::Object { kind: EntryKind::Directory, id, path: physical } = place {
            if has_skill(session, &id)? {
                // `skillsDir` is itself a skill.
                directories.found.push(FoundDirectory {
                    name: path.file_name().unwrap_or(repository).to_owned(),
                    path: path.clone(),
                    place: DirectoryKind::Tree { root, physical, tree: id },
                    is_root: path.is_root(),
                });
            } else {
                let place = Place { root, path, tree: id, physical: &physical };
                below(session, place, &mut directories, (self.key, notes))?;
                if is_default && has_skill(session, &root)? {
                    let finding = root_not_read().hint("set `skillsDir` to `.` to take it instead");
                    let near = NearSkill::at_root(repository, &DirPath::root(), finding);
                    directories.near.push(near);
                }
            }
        } else if is_default && has_skill(session, &root)? {
            directories.found.push(FoundDirectory {
                name: repository.to_owned(),
                path: DirPath::root(),
                place: DirectoryKind::Tree { root, physical: String::new(), tree: root },
                is_root: true,
            });
        }
        Ok(directories)
    }
}

/// Returns whether at least one directory is a skill, or a link that is worth an error: one that is
/// broken, or that the manifest includes.
///
/// Follows links, which may need network requests, only if no directory is a skill.
pub(super) fn has_skills(
    session: &mut Session<'_>,
    select: &Select,
    found: &mut [FoundDirectory],
) -> Result<bool, git::Error> {
    if found.iter().any(FoundDirectory::is_tree) {
        return Ok(true);
    }
    // The manifest includes nothing.
    if select.include.as_ref().is_some_and(BTreeSet::is_empty) {
        return Ok(!found.is_empty());
    }
    loop {
        let mut missing = Vec::new();
        for found in found.iter_mut() {
            missing.extend(follow(session, found)?);
        }
        if missing.is_empty() {
            break;
        }
        session.blobs(&missing)?;
    }
    Ok(found.iter().any(|found| match found.place {
        DirectoryKind::Tree { .. } => true,
        DirectoryKind::Broken(_) => !select.exclude.contains(&found.name),
        DirectoryKind::Other => select.requires(&found.name),
        DirectoryKind::Link { .. } => false,
    }))
}

/// Returns the number of these skills directly below the default directory.
fn count_in_default_dir(found: &[String]) -> usize {
    let is_there =
        |path: &str| path.rsplit_once('/').is_some_and(|(above, _)| above == DEFAULT_SKILLS_DIR);
    found.iter().filter(|path| is_there(path)).count()
}

/// A directory of a commit.
pub(super) struct Place<'p> {
    /// The root tree of the commit.
    pub(super) root: ObjectId,
    pub(super) path: &'p DirPath,
    pub(super) tree: ObjectId,
    /// Its real path, without links.
    pub(super) physical: &'p str,
}

/// Adds the skills directly below a directory, and stops soon after [`MAX_SKILLS`].
pub(super) fn below(
    session: &Session<'_>,
    place: Place<'_>,
    directories: &mut Directories,
    (key, notes): (&SourceKey, &mut Notes),
) -> Result<(), git::Error> {
    let Place { root, path: directory, tree, physical } = place;
    let mut seen = HashSet::new();
    for entry in session.entries(&tree)? {
        let entry = entry?;
        if directories.found.len() > MAX_SKILLS {
            break;
        }
        let Ok(name) = std::str::from_utf8(entry.name) else {
            notes.detail(key, || {
                format!("ignored `{}`, whose name is not UTF-8", entry.name.escape_ascii())
            });
            continue;
        };
        let kind = entry.kind;
        if !matches!(kind, EntryKind::Directory | EntryKind::Link) || !is_skill_directory(name) {
            continue;
        }
        let Ok(path) = directory.join(name) else {
            notes.detail(key, || {
                format!("ignored the directory `{}`, whose name is invalid", name.escape_debug())
            });
            continue;
        };
        let place = if !seen.insert(name) {
            DirectoryKind::Broken(DUPLICATE)
        } else if kind == EntryKind::Link {
            DirectoryKind::Link { root, parent: physical.to_owned() }
        } else if has_skill(session, &entry.id)? {
            DirectoryKind::Tree { root, physical: join(physical, name), tree: entry.id }
        } else {
            notes.detail(key, || {
                format!("the directory `{path}` has no SKILL.md and is not a skill")
            });
            directories.look_into(session, (&path, name), entry.id)?;
            continue;
        };
        directories.found.push(FoundDirectory {
            name: name.to_owned(),
            path,
            place,
            is_root: false,
        });
    }
    directories.found.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(())
}

impl Directories {
    fn has_tree(&self) -> bool {
        self.found.iter().any(FoundDirectory::is_tree)
    }

    /// Notes what looks like a skill in a directory without a SKILL.md.
    fn look_into(
        &mut self,
        session: &Session<'_>,
        (path, name): (&DirPath, &str),
        tree: ObjectId,
    ) -> Result<(), git::Error> {
        // A hostile repository can have one large tree in many places.
        if self.searched.len() >= MAX_STRAY_DIRECTORIES || !self.searched.insert(tree) {
            return Ok(());
        }
        let mut entries = BTreeMap::new();
        for entry in session.entries(&tree)?.take(MAX_STRAY_DIRECTORIES) {
            let entry = entry?;
            if let Ok(name) = std::str::from_utf8(entry.name) {
                entries.insert(name, (entry.kind == EntryKind::Directory, entry.id));
            }
        }
        let names = entries.iter().map(|(name, (is_directory, _))| (*name, *is_directory));
        let found = near_skill(path.as_str(), names, |name| match entries.get(name) {
            Some((_, id)) => has_skill(session, id),
            None => Ok(false),
        })?;
        self.near.extend(found.map(|(file, finding)| NearSkill {
            directory: name.to_owned(),
            place: file.escape_debug().to_string(),
            finding,
        }));
        Ok(())
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

/// Returns directories with a SKILL.md anywhere in the commit, for a message.
fn strays(session: &Session<'_>, root: ObjectId) -> Result<Vec<String>, git::Error> {
    let mut found = Vec::new();
    let mut open = vec![(String::new(), root, 0)];
    let mut seen = HashSet::new();
    while let Some((path, tree, depth)) = open.pop() {
        if !path.is_empty() && has_skill(session, &tree)? {
            found.push(path.escape_debug().to_string());
        }
        if depth >= MAX_STRAY_DEPTH || seen.len() >= MAX_STRAY_DIRECTORIES || !seen.insert(tree) {
            continue;
        }
        for entry in session.entries(&tree)? {
            let entry = entry?;
            if open.len() >= MAX_STRAY_DIRECTORIES {
                break;
            }
            let Ok(name) = std::str::from_utf8(entry.name) else { continue };
            let ignored = matches!(name, ".git" | "node_modules" | "target" | "dist" | "build");
            if entry.kind != EntryKind::Directory || ignored {
                continue;
            }
            let below = if path.is_empty() { name.to_owned() } else { format!("{path}/{name}") };
            open.push((below, entry.id, depth + 1));
        }
    }
    found.sort();
    Ok(found)
}
