//! Serves agent skills over the [Model Context Protocol](https://modelcontextprotocol.io), with the
//! types and transports of [`rmcp`].
//!
//! A server with embedded skills on stdin and stdout:
//!
//! ```no_run
//! # mod skills {
//! #     use helix_skills::{Skill, SkillSet, Toolbox, skill_set};
//! #     const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build();
//! #     static SKILLS: SkillSet = skill_set![PDF];
//! #     pub const TOOLBOX: Toolbox<'static> = Toolbox::new(SKILLS);
//! # }
//! // helix_skills::include_skills!(mod skills);
//!
//! #[tokio::main]
//! async fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     helix_skills_mcp::serve_stdio(skills::TOOLBOX).await
//! }
//! ```
//!
//! - [`Skills`] is the value that answers requests. It is made from a
//!   [`Toolbox`](helix_skills_runtime::Toolbox), from a set, or from any
//!   [`Provider`](helix_skills_agent::Provider).
//! - [`SkillServer`] is a [`ServerHandler`](rmcp::ServerHandler) for all transports of `rmcp`,
//!   alone or around a server of yours.
//!
//! A client gets the skills in every form that it supports:
//!
//! | client | gets |
//! |---|---|
//! | every client | the catalog as instructions, and the tools of the toolbox |
//! | clients with prompts | one prompt for each skill that a user can invoke, with its arguments |
//! | clients with the [skills extension] (SEP-2640) | `skills/list` with digests, `skills/get`, files |
//!
//! The digests of skills that `include_skills!` embedded and verified are data of the program: for
//! them, nothing is hashed and no file is opened at run time.
//!
//! [skills extension]: https://modelcontextprotocol.io/seps/2640-skills-extension

#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod bounded;
mod change;
mod entry;
mod files;
mod frontmatter;
mod prompts;
mod serve;
mod server;
mod skills;
mod snapshot;
mod source;
mod tools;
mod uri;

pub use rmcp;
pub use serve::serve_stdio;
pub use server::{SkillServer, Standalone};
pub use skills::Skills;
