//! A project on disk: its manifest, lockfile and store, and everything that changes them.
//!
//! [`Project`] resolves, syncs, updates and checks a project; for sources in repositories it needs the feature `git`. Build
//! scripts use [`build`], which needs no feature.
//!
//! ```
//! use helix_skills_project::{Project, manifest::Manifest};
//! // Manifest, lock and listings as checked types:
//! let manifest = Manifest::parse(r#"{"skills": {"own": {"type": "path", "path": "skills"}}}"#).unwrap();
//! assert_eq!(manifest.sources.len(), 1);
//! // What `skills sync --check` does, here in a directory without a manifest:
//! let failure = Project::at("/nowhere").check().unwrap_err();
//! assert_eq!(failure.exit() as u8, 2);
//! ```
//!
//! Errors can be sent to other threads and passed on with `?`; what a `main` prints of them is
//! readable:
//!
//! ```
//! use std::error::Error;
//! fn check() -> Result<usize, Box<dyn Error + Send + Sync>> {
//!     Ok(helix_skills_project::Project::at("/nowhere").check()?.skills)
//! }
//! assert!(format!("{:?}", check().unwrap_err()).starts_with("cannot find "));
//! ```
//!
//! A build script that proves, before the crate is compiled, that manifest, lock and store agree; it does without any
//! feature:
//!
//! ```no_run
//! fn main() -> Result<(), helix_skills_project::Failure> {
//!     helix_skills_project::build::check()
//! }
//! ```

#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod audit;
pub mod build;

mod budget;
mod cache;
mod cancellation;
mod candidate;
#[doc(hidden)]
pub mod check;
mod contents;
#[doc(hidden)]
pub mod cost;
#[doc(hidden)]
pub mod diff;
mod difference;
mod directory;
#[doc(hidden)]
pub mod disk;
pub mod error;
mod exit;
mod failure;
#[cfg(feature = "fuzzing")]
#[doc(hidden)]
pub mod fuzzing;
mod gate;
mod locked_file;
pub mod manifest;
pub mod marketplace;
mod metadata;
#[cfg(feature = "git")]
mod network;
mod parallel;
#[doc(hidden)]
pub mod paths;
mod progress;
mod project;
mod project_lock;
mod regular_file;
#[cfg(feature = "git")]
mod repository;
#[cfg(feature = "schema")]
pub mod schema;
mod source;
#[doc(hidden)]
pub mod store;
#[doc(hidden)]
pub mod sync;
#[doc(hidden)]
pub mod validate;
#[doc(hidden)]
pub mod verified_skill;
#[cfg(not(feature = "git"))]
mod without_git;

pub use cancellation::Cancellation;
pub use candidate::FoundSkill;
pub use check::Checked;
pub use contents::{Contents, SkillFile};
pub use difference::Difference;
pub use error::Error;
pub use exit::Exit;
pub use failure::Failure;
pub use manifest::{GitSource, MarketplaceSource, PathSource};
pub use progress::{Event, Progress};
pub use project::Project;
#[cfg(feature = "git")]
pub use repository::{Release, SourceStatus, UpstreamState};
pub use source::{Resolution, Scope, Source};
pub use sync::{Change, Moved, Renamed, Synced, Upstream};

/// Listings, skills, names, paths and findings as checked types.
pub use helix_skills_format as format;

/// What the program `skills` needs besides. It changes without notice and is exempt from semver.
#[doc(hidden)]
pub mod __internal {
    pub use crate::{cache::Cache, contents::show_place, project_lock::ProjectLock};
}
