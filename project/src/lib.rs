//! A project on disk: its manifest, lockfile and store, and everything that changes them.
//!
//! A manifest (`helix.skills.json`) says which agent skills a project uses and where they come
//! from. A sync resolves its pins, fetches the skills into the store (`helix.skills/`) and writes
//! the lockfile (`helix.skills.lock`). Commit all three, and `include_skills!` of the crate
//! `helix-skills` verifies and embeds the skills.
//!
//! ```
//! use helix_skills_project::{Project, format::{ProjectPath, Source, SourceKey}};
//! # let directory = tempfile::tempdir()?;
//! # let directory = directory.path();
//! # std::fs::create_dir_all(directory.join("skills/pdf"))?;
//! # let text = "---\nname: pdf\ndescription: Reads PDF files.\n---\nOpen it.\n";
//! # std::fs::write(directory.join("skills/pdf/SKILL.md"), text)?;
//! let project = Project::at(directory).cache_dir(directory.join("cache"));
//! project.init()?;
//! let mut edit = project.edit_manifest()?;
//! edit.set(&SourceKey::new("own")?, &Source::path(ProjectPath::new("skills")?));
//! let synced = edit.save_and_sync()?;
//! assert!(synced.lock.skills.keys().any(|name| name.as_str() == "pdf"));
//! assert_eq!(project.check()?.skills, 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Operations
//!
//! | method of [`Project`] | what it does | command |
//! |---|---|---|
//! | [`at`](Project::at), [`find`](Project::find), [`from_manifest_file`](Project::from_manifest_file) | names a project | `-C`, `--manifest` |
//! | [`init`](Project::init) | writes an empty manifest | `skills init` |
//! | [`edit_manifest`](Project::edit_manifest) | adds and removes sources | `skills add`, `skills remove` |
//! | [`manifest`](Project::manifest), [`lock`](Project::lock) | read the files | |
//! | [`sync`](Project::sync) | makes lockfile and store match the manifest | `skills sync` |
//! | [`sync_manifest`](Project::sync_manifest) | the same with a manifest that is a value | |
//! | [`dry_run`](Project::dry_run) | makes syncs write nothing | `skills sync --dry-run` |
//! | [`update`](Project::update) | resolves pins again and syncs | `skills update` |
//! | [`check`](Project::check), [`check_store`](Project::check_store) | check that manifest, lockfile and store agree | `skills sync --check` |
//! | `check_upstream` (feature `git`) | compares with upstream | `skills sync --check --upstream` |
//! | `outdated` (feature `git`) | asks upstream what is new | `skills outdated` |
//! | [`read_skill`](Project::read_skill), [`read_skills`](Project::read_skills) | read and verify locked skills | `skills show`, `skills catalog` |
//! | [`validate`](Project::validate) | finds mistakes in the project's own skills | `skills validate` |
//!
//! Sources in repositories need the feature `git`; without it they are an error that names it.
//!
//! # Errors
//!
//! Errors are `Send` and `Sync`. Their `Debug` output, which a `main` prints, is readable:
//!
//! ```
//! use std::error::Error;
//! fn check() -> Result<usize, Box<dyn Error + Send + Sync>> {
//!     Ok(helix_skills_project::Project::at("/nowhere").check()?.skills)
//! }
//! assert!(format!("{:?}", check().unwrap_err()).starts_with("cannot find "));
//! ```
//!
//! # Build scripts
//!
//! [`build::check`] fails the build if manifest, lockfile and store do not agree. It needs no
//! feature:
//!
//! ```no_run
//! fn main() -> Result<(), helix_skills_project::Error> {
//!     helix_skills_project::build::check()
//! }
//! ```

#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "git")]
mod attributes;
mod budget;
pub mod build;
mod cache;
mod cancellation;
mod candidate;
mod check;
mod contents;
mod cost;
mod diff;
mod difference;
mod directory;
mod disk;
mod entries;
mod error;
mod facts;
mod fetch;
#[cfg(feature = "git")]
mod find;
#[cfg(feature = "fuzzing")]
#[path = "tests/fuzzing.rs"]
mod fuzzing;
mod invisible_text;
mod license;
mod link_boundary;
mod local;
mod locked_file;
pub mod manifest;
mod marketplace;
#[cfg(feature = "git")]
mod mentions;
mod merge;
mod metadata;
mod near_skill;
#[cfg(feature = "git")]
mod network;
mod notes;
#[cfg(feature = "git")]
mod offer;
#[cfg(feature = "git")]
mod origin;
mod parallel;
mod paths;
mod pins;
mod plan;
mod programs;
mod progress;
mod project;
mod project_lock;
mod regular_file;
#[cfg(feature = "git")]
mod repository;
mod selection;
mod slashes;
mod state;
#[cfg(feature = "git")]
mod status;
mod store;
mod sync;
mod upstream;
pub mod validate;
mod verified_skill;
#[cfg(not(feature = "git"))]
mod without_git;

#[doc(hidden)]
pub use cache::Cache;
pub use cancellation::Cancellation;
pub use check::Checked;
pub(crate) use contents::SourceFile;
pub use error::{Error, ErrorKind};
#[cfg(feature = "git")]
pub use helix_skills_git::__internal::FetchEvent;
pub use progress::{Progress, ProgressEvent};
pub use project::{ManifestEdit, Project};
pub use sync::{SyncChange, Synced};
#[doc(hidden)]
pub use verified_skill::VerifiedSkill;
#[cfg(feature = "git")]
pub use {pins::Release, status::SourceStatus};

/// Listings, skills, names, paths and findings as checked types.
pub use helix_skills_format as format;

/// What the program `skills` and the fuzz targets need in addition. Exempt from semver, like all
/// hidden methods: it changes without notice.
#[doc(hidden)]
pub mod __internal {
    pub use crate::cost::catalog_costs;
    pub use crate::diff::Comparison;
    pub use crate::difference::Difference;
    pub use crate::disk::{create_dir, replace};
    pub use crate::error::Fact;
    pub use crate::facts::SkillFacts;
    #[cfg(feature = "git")]
    pub use crate::find::{Found, FoundSkills};
    pub use crate::local::{LocalSkill, LocalSkills, SkillTokens, read_directory};
    pub use crate::manifest::ManifestText;
    #[cfg(feature = "git")]
    pub use crate::offer::{Offer, OfferedPlugin, OfferedSkill};
    #[cfg(feature = "git")]
    pub use crate::pins::References;
    pub use crate::programs::command;
    pub use crate::project::Removed;
    pub use crate::selection::key_of_locked;
    pub use crate::slashes::{path_hint, with_slashes};
    pub use crate::upstream::{Renamed, Upstream};

    /// Marketplaces of plugins.
    pub mod marketplace {
        pub use crate::marketplace::*;
    }

    /// Readers of untrusted input.
    #[cfg(feature = "fuzzing")]
    pub mod fuzzing {
        pub use crate::fuzzing::*;
    }
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeDoctests;
