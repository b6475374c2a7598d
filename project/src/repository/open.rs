//! The second step: the directories of each source that are skills, with their trees.

use super::{
    Repository, SourceResult,
    discover::{FoundDirectory, MAX_SKILLS, SkillsDir},
    links::{self, Target},
    locate::at,
    location::Location,
    of_source, resolve, upstream,
};
use crate::manifest::SourceKind;
use crate::{
    Error,
    candidate::{unused_selections, wanted},
    contents::FileRules,
    license,
    near_skill::{self, NearSkill},
    upstream::Upstream,
};
use helix_skills_format::{__internal::one_line, DirPath, ObjectId};
use helix_skills_git::{self as git, EntryKind};
use std::sync::Arc;

/// A source whose selected directories are known, before their files are fetched.
pub(super) struct OpenedSource {
    /// Where the skills are. What the lockfile will have of the source is complete.
    pub(super) location: Location,
    pub(super) rules: FileRules,
    pub(super) found: Vec<FoundDirectory>,
    /// What changed since the locked commit, if there was a lockfile to compare with.
    pub(super) upstream: Option<Upstream>,
}

impl Repository<'_, '_> {
    /// Finds and selects the skills of each location.
    pub(super) fn open(
        &mut self,
        locations: Vec<Location>,
    ) -> Result<Vec<OpenedSource>, git::Error> {
        self.fetch_plugins(&locations)?;
        let mut opened = Vec::new();
        for location in locations {
            let key = location.key.clone();
            let reference = location.locked.skills_reference().map(str::to_owned);
            let source = at(self.open_location(location), reference.as_deref());
            opened.extend(self.keep(&key, source)?);
        }
        Ok(opened)
    }

    /// Fetches the manifests of the plugins.
    ///
    /// To save a network request, also fetches the files of skills that a plugin has regardless of
    /// its manifest.
    fn fetch_plugins(&mut self, locations: &[Location]) -> Result<(), git::Error> {
        let mut missing = Vec::new();
        for location in locations {
            self.session.count_steps_for(location.key.as_str());
            let Some(root) = location.plugin_root() else { continue };
            let Some(manifest) = root.missing_manifest(self.session)? else { continue };
            missing.push(manifest);
            let select = &location.source().select;
            let Ok(rules) = FileRules::new(select, self.limits) else { continue };
            if !location.needs_files {
                continue;
            }
            let found = root.without_manifest(self.session)?;
            for found in found.iter().filter(|found| select.matches(&found.name)) {
                if let Some(tree) = found.skill_tree() {
                    missing.extend(tree.missing(self.session, &self.link_cache, &rules)?);
                }
            }
        }
        self.session.blobs(&missing)
    }

    /// Returns where the license of a plugin or its repository is. Their trees have been fetched.
    fn license_file(
        &self,
        root: ObjectId,
        plugin: Option<&DirPath>,
    ) -> Result<Option<String>, git::Error> {
        for directory in plugin.into_iter().chain([&DirPath::root()]) {
            let target = links::resolve(self.session, root, "", directory.as_str())?;
            let Target::Object { kind: EntryKind::Directory, id, .. } = target else { continue };
            let mut names = Vec::new();
            for entry in self.session.entries(&id)? {
                let entry = entry?;
                if matches!(entry.kind, EntryKind::File | EntryKind::Executable)
                    && let Ok(name) = std::str::from_utf8(entry.name)
                {
                    names.push(name.to_owned());
                }
            }
            let Some(files) = license::files(names.iter().map(String::as_str)) else { continue };
            let place = match directory.is_root() {
                true => "the repository".to_owned(),
                false => format!("the repository's {directory}"),
            };
            return Ok(one_line(&format!("see {files} of {place}")).ok());
        }
        Ok(None)
    }

    /// Finds and selects the skills of a source.
    fn open_location(&mut self, mut location: Location) -> SourceResult<OpenedSource> {
        let key = location.key.clone();
        self.session.count_steps_for(key.as_str());
        let directories = match (location.plugin_root(), &location.source().kind) {
            (Some(root), _) => match of_source(root.read(self.session, &mut self.notes))? {
                Ok((plan, directories)) => {
                    let declared = plan.license.and_then(|license| one_line(&license).ok());
                    let license = match declared {
                        None => self.license_file(location.root, Some(root.path))?,
                        declared => declared,
                    };
                    location.locked.license = license;
                    if let Some(place) = &mut location.locked.plugin {
                        place.version = plan.version;
                    }
                    Arc::new(directories)
                }
                // In the repository of a plugin elsewhere, tags are not versions of the
                // marketplace.
                Err(error) if location.is_elsewhere() => return Err(error.into()),
                Err(error) => {
                    return Err(resolve::add_known(self.session, &key, error)?.into());
                }
            },
            (None, SourceKind::Git { repository, skills_dir }) => {
                let license = self.license_file(location.root, None)?;
                let (known, notes) = (&mut self.directories, &mut self.notes);
                let place = SkillsDir {
                    key: &key,
                    url: &repository.url,
                    path: skills_dir,
                    select: &location.source().select,
                    root: location.root,
                };
                let directories = place.directories(self.session, known, notes)?;
                location.locked.license = license;
                directories
            }
            (None, _) => return Err(Error::no_repository(&key).into()),
        };
        let (found, select) = (&directories.found, &location.source().select);
        let near: Vec<NearSkill> = directories.near.iter().map(|near| near.of(&key)).collect();
        let upstream = match &location.before {
            Some(before) => {
                let commit = before.source.skills_commit().filter(|id| self.session.has(id));
                let root = match commit {
                    Some(commit) => Some(self.commit(*commit, None)?.tree),
                    None => None,
                };
                Some(upstream::compare(self.session, (before, root), found)?)
            }
            None => None,
        };
        let rules = FileRules::new(select, self.limits)?;
        if found.len() > MAX_SKILLS {
            let what = format!("the number of skill directories in the source `{key}`");
            return Err(Error::limit(what, MAX_SKILLS as u64, None).into());
        }
        let names: Vec<&str> = found.iter().map(|found| &*found.name).collect();
        let nothing = Upstream::default();
        let wanted = wanted(&key, select, &names, upstream.as_ref().unwrap_or(&nothing), &near)?;
        self.notes.warnings.extend(unused_selections(&key, select, &names));
        self.notes.warnings.extend(near_skill::warnings(&near, select));
        let found = found.iter().filter(|found| wanted.contains(&*found.name)).cloned().collect();
        Ok(OpenedSource { location, rules, found, upstream })
    }
}
