//! Reading the files of a skill from a commit.

use super::links::{DUPLICATE, LinkCache, TO_NOTHING, Target, below, join};
use crate::{
    contents::{Admission, Collector, FileRules, LINK_ABOVE, NAME_NOT_UTF8, belongs_to_root_skill},
    error::SourceErrors,
};
use helix_skills_format::ObjectId;
use helix_skills_format::RelPath;
use helix_skills_git::EntryKind;
use helix_skills_git::{self as git, ErrorKind, Session};
use std::collections::{BTreeMap, HashSet};

/// A directory of a commit to read as a skill.
#[derive(Clone)]
pub(super) struct SkillTree {
    pub(super) tree: ObjectId,
    /// Whether it is the root of the repository. Then only some entries belong to the skill.
    pub(super) is_root: bool,
    /// The root tree of the commit, and the real path of the directory in it.
    pub(super) root: ObjectId,
    pub(super) physical: String,
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

/// The purpose of a walk.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    /// To find the objects to fetch.
    Plan,
    /// To read the files.
    Read,
}

/// A walk over the entries of a skill.
struct Walk<'w, 's, 'r> {
    session: &'w Session<'s>,
    link_cache: &'w LinkCache,
    skill: &'w SkillTree,
    collector: &'w mut Collector<'r>,
    purpose: Purpose,
    links: BTreeMap<RelPath, ObjectId>,
    /// Objects that have not been fetched yet.
    needs: Vec<ObjectId>,
    files: u64,
    max_files: u64,
    /// The parent trees, to detect links that lead back to them.
    above: Vec<ObjectId>,
}

impl SkillTree {
    /// Returns the objects to fetch before the skill can be read. Fetched links may add further
    /// objects.
    pub(super) fn missing(
        &self,
        session: &Session<'_>,
        link_cache: &LinkCache,
        rules: &FileRules,
    ) -> Result<Vec<ObjectId>, git::Error> {
        let mut errors = SourceErrors::count_only();
        let mut collector = Collector::new(rules, String::new(), &mut errors);
        Ok(self
            .walk(session, link_cache, &mut collector, Purpose::Plan, rules.limits.files_per_skill)?
            .needs)
    }

    /// Returns the number of files, without those behind links that were not fetched.
    pub(super) fn count_files(
        &self,
        session: &Session<'_>,
        link_cache: &LinkCache,
        rules: &FileRules,
    ) -> Result<u64, git::Error> {
        let mut errors = SourceErrors::count_only();
        let mut collector = Collector::new(rules, String::new(), &mut errors);
        let most = rules.limits.files_per_skill;
        Ok(self.walk(session, link_cache, &mut collector, Purpose::Plan, most)?.files)
    }

    /// Reads the files into `collector`. Returns the links that lead out of the skill's tree, with
    /// their target objects.
    pub(super) fn collect(
        &self,
        session: &Session<'_>,
        link_cache: &LinkCache,
        collector: &mut Collector<'_>,
    ) -> Result<BTreeMap<RelPath, ObjectId>, git::Error> {
        Ok(self.walk(session, link_cache, collector, Purpose::Read, u64::MAX)?.links)
    }

    fn walk<'w, 's, 'r>(
        &'w self,
        session: &'w Session<'s>,
        link_cache: &'w LinkCache,
        collector: &'w mut Collector<'r>,
        purpose: Purpose,
        max_files: u64,
    ) -> Result<Walk<'w, 's, 'r>, git::Error> {
        let (links, needs, above) = (BTreeMap::new(), Vec::new(), vec![self.tree]);
        let mut walk = Walk {
            session,
            link_cache,
            skill: self,
            collector,
            purpose,
            links,
            needs,
            files: 0,
            max_files,
            above,
        };
        let physical = self.physical.clone();
        walk.directory(&Level { tree: self.tree, prefix: String::new(), physical, inside: true })?;
        Ok(walk)
    }
}

impl Walk<'_, '_, '_> {
    fn directory(&mut self, level: &Level) -> Result<(), git::Error> {
        let mut directories = HashSet::new();
        for entry in self.session.entries(&level.tree)? {
            if self.collector.is_over() || self.files > self.max_files {
                return Ok(());
            }
            let entry = entry?;
            // The paths of a directory with many entries can be much longer than what was fetched.
            self.session.step(0, level.prefix.len())?;
            let Ok(name) = std::str::from_utf8(entry.name) else {
                let path = format!("{}{}", level.prefix, String::from_utf8_lossy(entry.name));
                if let Admission::Include(_) = self.collector.admit(&path, false) {
                    self.collector.refuse(&path, NAME_NOT_UTF8);
                }
                continue;
            };
            let path = format!("{}{name}", level.prefix);
            if self.skill.is_root && level.prefix.is_empty() && !belongs_to_root_skill(name) {
                self.collector.exclude(path);
                continue;
            }
            let kind = entry.kind;
            let Admission::Include(checked) =
                self.collector.admit(&path, kind == EntryKind::Directory)
            else {
                continue;
            };
            match kind {
                // If both are files, the collector reports that they collide.
                EntryKind::Directory if !directories.insert(name) => {
                    self.collector.refuse(&path, DUPLICATE);
                }
                EntryKind::Directory => {
                    let physical = join(&level.physical, name);
                    let inner = Level {
                        tree: entry.id,
                        prefix: format!("{path}/"),
                        physical,
                        inside: level.inside,
                    };
                    self.enter(&path, &inner)?;
                }
                EntryKind::File | EntryKind::Executable => {
                    self.file(checked, entry.id, kind == EntryKind::Executable)?;
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
    fn enter(&mut self, path: &str, level: &Level) -> Result<(), git::Error> {
        if self.above.contains(&level.tree) {
            self.collector.refuse(path, LINK_ABOVE);
            return Ok(());
        }
        self.above.push(level.tree);
        let result = self.directory(level);
        self.above.pop();
        result
    }

    fn link(&mut self, path: RelPath, name: &str, level: &Level) -> Result<(), git::Error> {
        let SkillTree { tree, root, physical, .. } = self.skill;
        let target = self.link_cache.resolve(self.session, *root, &level.physical, name)?;
        let (kind, id, real) = match target {
            Target::Needs(id) => return self.need(id),
            Target::Nothing => {
                self.collector.refuse(&path, TO_NOTHING);
                return Ok(());
            }
            Target::Broken(why) => {
                self.collector.refuse(&path, why);
                return Ok(());
            }
            Target::Object { kind, id, path } => (kind, id, path),
        };
        let inside = level.inside && below(&real, physical).is_some() && {
            // The lockfile also lists links that leave the skill's own tree and come back.
            let start = below(&level.physical, physical).unwrap_or_default();
            match self.link_cache.resolve(self.session, *tree, start, name)? {
                Target::Needs(id) => return self.need(id),
                Target::Object { id: found, .. } => found == id,
                Target::Nothing | Target::Broken(_) => false,
            }
        };
        if !inside {
            self.links.insert(path.clone(), id);
        }
        self.target(
            path,
            kind == EntryKind::Directory,
            id,
            kind == EntryKind::Executable && inside,
            real,
            inside,
        )
    }

    /// Adds the target of a link.
    ///
    /// A file from outside the skill is never executable, because the lockfile has only its id.
    fn target(
        &mut self,
        path: RelPath,
        is_tree: bool,
        id: ObjectId,
        executable: bool,
        physical: String,
        inside: bool,
    ) -> Result<(), git::Error> {
        if !is_tree {
            return self.file(path, id, executable);
        }
        if let Admission::Include(_) = self.collector.admit(&path, true) {
            self.enter(&path, &Level { tree: id, prefix: format!("{path}/"), physical, inside })?;
        }
        Ok(())
    }

    /// Notes an object to fetch. After the fetch, it is an error: the source does not have the
    /// object.
    fn need(&mut self, id: ObjectId) -> Result<(), git::Error> {
        match self.purpose {
            Purpose::Plan => {
                self.needs.push(id);
                Ok(())
            }
            Purpose::Read => self.session.blob(&id).map(|_| ()),
        }
    }

    fn file(&mut self, path: RelPath, id: ObjectId, executable: bool) -> Result<(), git::Error> {
        self.files += 1;
        if self.purpose == Purpose::Plan {
            if !self.session.has(&id) {
                self.needs.push(id);
            }
            return Ok(());
        }
        // Checked before reading, because files over the limit were not fetched.
        if !self.session.has(&id) && !self.collector.admit_size(&path, 0) {
            return Ok(());
        }
        match self.session.blob(&id) {
            Ok(bytes) => {
                if self.collector.admit_size(&path, bytes.len() as u64) {
                    self.collector.add(path, bytes.to_owned(), executable);
                }
                Ok(())
            }
            Err(error) if error.kind() == ErrorKind::Limit => {
                self.collector.too_large(&path);
                Ok(())
            }
            Err(error) => Err(error),
        }
    }
}
