//! Agent skills that are loaded at run time, and runs of skills as separate tasks.
//!
//! ```
//! use helix_skills::{AsyncToolbox, Call, Skill, SkillSet, skill_set};
//! # const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build();
//! # static SKILLS: SkillSet = skill_set![PDF];
//! # pollster::block_on(async {
//! // `SKILLS`, directories, or a database
//! let toolbox = AsyncToolbox::builder(SKILLS).build().await?;
//! let prompt = format!("You are an agent.\n\n{}", toolbox.catalog());
//! let reply = toolbox.answer(Call::LoadSkill { name: "pdf", arguments: None }).await;
//! assert_eq!(reply.to_string(), "<skill name=\"pdf\">\nUse `pdftotext`.\n</skill>");
//! # assert!(prompt.ends_with("\n- pdf: Reads PDF files.\n"));
//! # Ok::<(), helix_skills::Error>(())
//! # }).unwrap();
//! ```
//!
//! The crate `helix-skills` re-exports everything here if its feature `agent` is on. Skills, sets
//! and the texts that a model reads come from `helix-skills-runtime`.
//!
//! - A [`Provider`] lists, loads and reads skills that are not embedded in the program: from a
//!   database, a network, a directory. [`Providers`] combines several providers.
//! - An [`AsyncToolbox`] serves the skills of a provider in one conversation: catalog, tools, and
//!   answers, each a [`Reply`](helix_skills_runtime::Reply).
//! - With a [`Shell`](shell::Shell), a toolbox runs the commands of bodies, with limits and
//!   approvals.
//! - A [`Registry`] contains skills that are added and removed while a program runs. A
//!   [`SkillQuery`] finds them.
//! - A [`Run`](run::Run) carries out a skill as a separate task, with the model and the tools of
//!   the host. Its result is a text, or a value of a type.
//! - A [`Tracker`] records which skills a conversation has loaded, so that no body is repeated.
//!
//! Public signatures name no types of other crates, except those of `helix-skills-runtime` and the
//! traits of serde and schemars.
//!
//! # Features
//!
//! | feature | adds |
//! |---|---|
//! | `serde` | typed input and results of runs, input contracts |
//! | `schemars` | schemas that come from these types: `Run::typed` |

#![no_std]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

extern crate alloc;

#[doc(hidden)]
pub mod __internal;
mod error_text;
mod forward;
mod future;
mod provider;
mod registry;
pub mod run;
pub mod shell;
mod toolbox;
mod tracker;

pub use future::{BoxFuture, ProviderError};
pub use provider::{Provided, Provider, ProviderWarning, Providers};
pub use registry::{Registry, RegistryChange, RegistryEntry, SkillQuery};
pub use toolbox::{AsyncToolbox, AsyncToolboxBuilder};
pub use tracker::Tracker;

pub(crate) use helix_skills_runtime::{Error, ErrorKind};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeDoctests;
