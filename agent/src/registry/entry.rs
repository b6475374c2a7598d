//! Entries of a registry.

use crate::{BoxFuture, Error, future::MaybeSync, run::Shape};
use alloc::{sync::Arc, vec::Vec};
use core::fmt;
use helix_skills_runtime::{
    __internal::{ResourceError, check_resource_path},
    Skill,
};

/// A function that reads a file. `Send + Sync`, like all our futures, except on wasm32.
#[cfg(not(target_arch = "wasm32"))]
type Read = dyn Fn() -> BoxFuture<'static, Vec<u8>> + Send + Sync;
#[cfg(target_arch = "wasm32")]
type Read = dyn Fn() -> BoxFuture<'static, Vec<u8>>;

/// A skill of a [`Registry`](super::Registry) with the data that the skill itself cannot hold: the
/// contract of its input, and files that are read on demand.
///
/// A skill without either converts to an entry.
///
/// ```
/// use helix_skills::{Skill, registry::{Registry, RegistryEntry}, run::Shape};
/// use {schemars::JsonSchema, serde::Deserialize};
/// # use std::sync::Arc;
/// # struct Database;
/// # impl Database {
/// #     async fn labels(&self) -> Result<String, std::io::Error> { Ok("bug\n".into()) }
/// # }
/// # let database = Arc::new(Database);
/// const BODY: &str = "Label issue $number by `labels.txt`.";
/// const TRIAGE: Skill = Skill::define("triage", "Sorts issues.", BODY)
///     .arguments(&["number"])
///     .build();
///
/// #[derive(Deserialize, JsonSchema)]
/// # #[allow(dead_code)]
/// struct Issue {
///     number: u32,
/// }
///
/// let entry = RegistryEntry::new(TRIAGE).input(Shape::new::<Issue>());
/// let entry = entry.resource("labels.txt", move || {
///     let database = Arc::clone(&database);
///     Box::pin(async move { Ok(database.labels().await?.into()) })
/// })?;
/// let mut skills = Registry::new();
/// skills.register(entry)?;
/// let run = skills.run("triage")?.arguments("all");
/// let error = run.check_input().unwrap_err(); // without a model
/// assert!(error.to_string().ends_with(
///     "its input does not fit: `number`: invalid type: string \"all\", expected u32"
/// ));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Two entries are equal if their fields and lazy files are. Contracts and functions are equal if
/// one is a clone of the other.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RegistryEntry {
    /// The skill.
    pub skill: Skill,
    /// The contract of the skill's input.
    pub contract: Option<Shape>,
    /// Where the skill was loaded from, as passed to [`Registry::extend`](super::Registry::extend).
    /// `None` for other skills.
    pub origin: Option<Arc<str>>,
    /// No two have the same path.
    lazy: Vec<LazyFile>,
}

#[derive(Clone)]
struct LazyFile {
    path: Arc<str>,
    read: Arc<Read>,
}

impl fmt::Debug for LazyFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.path.fmt(f)
    }
}

impl PartialEq for LazyFile {
    fn eq(&self, other: &Self) -> bool {
        self.path == other.path && Arc::ptr_eq(&self.read, &other.read)
    }
}

impl RegistryEntry {
    /// Creates an entry of a skill.
    pub fn new(skill: impl Into<Skill>) -> Self {
        Self { skill: skill.into(), contract: None, origin: None, lazy: Vec::new() }
    }

    /// Sets the contract that checks the arguments whenever the skill is called by name: by
    /// [`Registry::run`], or through a toolbox over the registry as a provider. A toolbox over the
    /// [set](super::Registry::set) of the registry does not check it.
    ///
    /// [`Registry::run`]: super::Registry::run
    #[must_use]
    pub fn input(mut self, contract: Shape) -> Self {
        self.contract = Some(contract);
        self
    }

    /// Adds a lazy file to the skill. Its content is read again each time it is needed; listing the
    /// skill does not read it.
    ///
    /// An error of `read` becomes the answer to the model. The file replaces a file of the skill at
    /// the same path. The [set](super::Registry::set) of the registry does not contain it, because
    /// a set cannot await.
    ///
    /// # Errors
    /// If a skill cannot have a file at this path, or this skill has a directory there.
    pub fn resource(
        mut self,
        path: &str,
        read: impl Fn() -> BoxFuture<'static, Vec<u8>> + MaybeSync + 'static,
    ) -> Result<Self, Error> {
        check_resource_path(path)?;
        let is_nested = |other: &str| is_in(path, other) || is_in(other, path);
        let mut files = self.skill.resources().iter();
        let has_nested = files.any(|resource| is_nested(resource.path()));
        if has_nested || self.lazy.iter().any(|file| is_nested(&file.path)) {
            return Err(ResourceError::Nested.into());
        }
        self.lazy.retain(|file| *file.path != *path);
        self.lazy.push(LazyFile { path: path.into(), read: Arc::new(read) });
        Ok(self)
    }

    /// Takes over the contract and the lazy files of `before`, unless this entry has its own.
    pub(super) fn or_data_of(mut self, before: &Self) -> Self {
        self.contract = self.contract.or_else(|| before.contract.clone());
        if self.lazy.is_empty() {
            self.lazy.clone_from(&before.lazy);
        }
        self
    }

    /// Returns the skill with the paths of its lazy files, without their contents.
    pub(super) fn listed(&self) -> Skill {
        let mut skill = self.skill.clone();
        for file in &self.lazy {
            // `resource` has checked the path.
            let _ = skill.insert_resource(&file.path, Vec::new());
        }
        skill
    }

    /// Starts reading the lazy file at `path`, if there is one.
    pub(super) fn read(&self, path: &str) -> Option<BoxFuture<'static, Vec<u8>>> {
        self.lazy.iter().find(|file| *file.path == *path).map(|file| (file.read)())
    }
}

/// Returns whether `path` is in `directory`.
fn is_in(path: &str, directory: &str) -> bool {
    path.strip_prefix(directory).is_some_and(|rest| rest.starts_with('/'))
}

impl<S: Into<Skill>> From<S> for RegistryEntry {
    fn from(skill: S) -> Self {
        Self::new(skill)
    }
}
