//! What a sync asks of the network, apart from how it is asked.

use super::Upstream;
use crate::manifest::{Lock, LockedSource, Source};
use crate::{Error, candidate::FoundSkill, check::changed_keys, contents::Contents, paths::ProjectPaths};
use helix_skills_format::{Limits, LockedSkill, SkillName, SourceKey, UrlKind};

/// A locked skill whose bytes are missing.
#[derive(Clone, Debug)]
pub struct Needed {
    pub name: SkillName,
    pub locked: LockedSkill,
}

/// What the lock has of a source.
#[derive(Clone, Debug)]
pub struct Before {
    pub source: LockedSource,
    pub skills: Vec<(SkillName, LockedSkill)>,
}

impl Before {
    pub fn of(key: &SourceKey, source: &LockedSource, lock: &Lock) -> Self {
        let skills = lock.skills_of(key).map(|(name, skill)| (name.clone(), skill.clone()));
        Self { source: source.clone(), skills: skills.collect() }
    }
}

/// Something that only the source can answer.
#[derive(Clone, Debug)]
pub struct Job {
    pub key: SourceKey,
    /// The manifest's entry.
    pub source: Source,
    pub task: Task,
}

/// What is asked.
#[derive(Clone, Debug)]
pub enum Task {
    /// What does the pin mean, and which skills are there? `known` is the answer to the first question where the lock
    /// has it: another selection does not move a pin. With `before`, how did those skills go on?
    Resolve { known: Option<LockedSource>, before: Option<Box<Before>> },
    /// The bytes of skills that are locked.
    Locked { locked: LockedSource, needed: Vec<Needed> },
}

impl Job {
    /// Whether it may be tried without the network: it begins on this disk, or with a source of one's own. Where a plugin
    /// of a local marketplace lies elsewhere, git says so.
    pub fn begins_here(&self) -> bool {
        let url = match &self.task {
            Task::Locked { locked, .. } => locked.skills_url(),
            Task::Resolve { .. } => self.source.repository().map(|repository| &repository.url),
        };
        url.is_none_or(|url| url.kind() == UrlKind::File)
    }

    /// Why the lock, the store and the cache do not do, as the end of a sentence.
    pub fn reason(&self, locked: Option<&LockedSource>, is_update: bool) -> String {
        match (&self.task, locked) {
            (Task::Locked { .. }, _) => "neither the store nor the cache has what was locked".to_owned(),
            (Task::Resolve { .. }, None) => "it is not locked yet".to_owned(),
            (Task::Resolve { .. }, Some(_)) if is_update => "an update asks what its pin means now".to_owned(),
            (Task::Resolve { .. }, Some(locked)) => {
                let changed: Vec<_> = changed_keys(&locked.request, &self.source);
                match changed.as_slice() {
                    [] => "the lock does not have the skills that it asks for".to_owned(),
                    [key] => format!("its `{key}` was changed since it was locked"),
                    keys => {
                        let keys: Vec<_> = keys.iter().map(|key| format!("`{key}`")).collect();
                        format!("its {} were changed since it was locked", keys.join(", "))
                    }
                }
            }
        }
    }

    /// What is missing, as the start of a sentence.
    pub fn describe(&self) -> String {
        let key = &self.key;
        match &self.task {
            Task::Resolve { .. } => format!("resolving the source `{key}`"),
            Task::Locked { needed, .. } => {
                let names: Vec<_> = needed.iter().map(|needed| format!("`{}`", needed.name)).collect();
                format!("fetching {} of the source `{key}`", names.join(", "))
            }
        }
    }
}

/// The answer to a job.
#[derive(Debug)]
pub struct Fetched {
    pub key: SourceKey,
    /// What the pin means, when that was asked.
    pub resolved: Option<LockedSource>,
    /// How skills went on, when that was asked.
    pub upstream: Option<Upstream>,
    /// The skills of a source that was resolved.
    pub skills: Vec<FoundSkill>,
    /// The files of locked skills; their integrity is not proved yet.
    pub restored: Vec<(Needed, Contents)>,
    /// Locked skills that somebody else will put into the store.
    pub put_off: Vec<Needed>,
    pub warnings: Vec<String>,
    pub details: Vec<String>,
}

impl Fetched {
    /// The answer that has nothing.
    pub fn nothing(key: SourceKey) -> Self {
        Self {
            key,
            resolved: None,
            upstream: None,
            skills: Vec::new(),
            restored: Vec::new(),
            put_off: Vec::new(),
            warnings: Vec::new(),
            details: Vec::new(),
        }
    }
}

/// Answers jobs: git in the program, the program itself in a build script.
pub trait Remote {
    /// Answers all jobs, each on its own.
    fn fetch(&self, project: &ProjectPaths, limits: Limits, jobs: Vec<Job>) -> Vec<Result<Fetched, Vec<Error>>>;
}
