//! Where a repository has skills, to answer an argument that is none of them.

use super::{
    list::{self, can_be_added},
    merge::{Fields, PinFields},
};
use crate::program::{Context, args::Add};
use helix_skills_format::{GitUrl, SourceKey, nearest};
use helix_skills_project::{
    Error, Failure, GitSource, OfferedPlugin, Project, error::UnresolvedSource,
};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};

/// The skills and plugins of a commit.
pub(super) struct Layout {
    /// The directories of the skills; `.` for the root.
    directories: Vec<String>,
    pub(super) plugins: Vec<OfferedPlugin>,
}

/// A part of a repository that can be added.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Part<'l> {
    /// The skill in this directory.
    Skill(&'l str),
    /// The skills in the subdirectories of this directory.
    Directory(&'l str),
    Plugin(&'l str),
}

impl Layout {
    /// Asks the server. Returns `None` if it cannot answer, or has neither skills nor plugins.
    pub(super) fn fetch(
        context: &Context<'_>,
        project: &Project,
        key: &SourceKey,
        url: &GitUrl,
        pin: &PinFields,
    ) -> Option<Self> {
        let mut entry: Fields = vec![("type", json!("git")), ("url", json!(url.as_str()))];
        let pin = pin.iter().filter_map(|(field, value)| Some((*field, json!(value.as_ref()?))));
        entry.extend(pin);
        let layout = match list::fetch(context, project, key, &entry) {
            Ok(offer) => {
                let skills = offer.skills.iter().map(|skill| skill.path.as_str().to_owned());
                let directories = offer.directories.into_iter().chain(skills).collect();
                Self { directories, plugins: offer.plugins }
            }
            Err(failure) => match unresolved(&failure)? {
                UnresolvedSource::NoSkills { elsewhere, root_is_skill, .. } => {
                    let root = root_is_skill.then(|| ".".to_owned());
                    let directories = elsewhere.iter().cloned().chain(root).collect();
                    Self { directories, plugins: Vec::new() }
                }
                _ => return None,
            },
        };
        (!layout.directories.is_empty() || !layout.plugins.is_empty()).then_some(layout)
    }

    /// Returns what is at a path: a skill, one that contains the path, a plugin, or the directory
    /// of the most skills below it.
    pub(super) fn at(&self, path: &str) -> Option<Part<'_>> {
        let is_below = |path: &str, above: &str| {
            path.strip_prefix(above).is_some_and(|rest| rest.starts_with('/'))
        };
        let around = self.skills().filter(|skill| *skill == path || is_below(path, skill));
        if let Some(skill) = around.max_by_key(|skill| skill.len()) {
            return Some(Part::Skill(skill));
        }
        let is_named = |plugin: &&OfferedPlugin| plugin.name.as_str() == name(path);
        let plugin = self.plugins.iter().find(|plugin| is_named(plugin) && can_be_added(plugin));
        if let Some(plugin) = plugin {
            return Some(Part::Plugin(plugin.name.as_str()));
        }
        largest(self.skills().filter(|skill| is_below(skill, path)))
    }

    /// Returns the skill with the name of a path, or with the most similar name.
    pub(super) fn named(&self, path: &str) -> Option<Part<'_>> {
        let near = nearest(name(path), self.skills().map(name))?;
        let of_name = self.skills().filter(|skill| name(skill) == near);
        // Those of the default directory come first.
        of_name.min_by_key(|skill| above(skill) != GitSource::DEFAULT_SKILLS_DIR).map(Part::Skill)
    }

    /// Returns the directories that have skills, and the one of them that has the most.
    pub(super) fn parents(&self) -> (BTreeSet<&str>, Option<Part<'_>>) {
        let root = self.directories.iter().map(String::as_str).find(|directory| *directory == ".");
        match root {
            Some(root) => ([root].into(), Some(Part::Directory(root))),
            None => (self.skills().map(above).collect(), largest(self.skills())),
        }
    }

    /// Returns all directories of skills but the root.
    fn skills(&self) -> impl Iterator<Item = &str> {
        self.directories.iter().map(String::as_str).filter(|directory| *directory != ".")
    }
}

impl Part<'_> {
    /// Returns the arguments that add this part.
    pub(super) fn select(&self, args: &Add) -> Add {
        let (skills_dir, include, plugin) = match *self {
            Self::Skill(path) => (Some(above(path)), vec![name(path).to_owned()], None),
            Self::Directory(path) => (Some(path), Vec::new(), None),
            Self::Plugin(plugin) => (None, Vec::new(), Some(plugin.to_owned())),
        };
        Add { skills_dir: skills_dir.map(str::to_owned), include, plugin, ..args.clone() }
    }

    pub(super) fn name(&self) -> &str {
        let (Self::Skill(path) | Self::Directory(path) | Self::Plugin(path)) = self;
        name(path)
    }
}

/// Returns why the only source of a failure cannot be resolved.
pub(super) fn unresolved(failure: &Failure) -> Option<&UnresolvedSource> {
    let [Error::Unresolved { why, .. }] = failure.errors() else { return None };
    let mut why = &**why;
    while let UnresolvedSource::At { why: inner, .. } = why {
        why = inner;
    }
    Some(why)
}

/// Returns the directory that contains the most of these skills.
fn largest<'l>(skills: impl Iterator<Item = &'l str>) -> Option<Part<'l>> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for skill in skills {
        *counts.entry(above(skill)).or_default() += 1;
    }
    // Of several, the first one.
    let most = counts.into_iter().rev().max_by_key(|(_, count)| *count);
    most.map(|(directory, _)| Part::Directory(directory))
}

fn name(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

fn above(path: &str) -> &str {
    path.rsplit_once('/').map_or(".", |(above, _)| above)
}
