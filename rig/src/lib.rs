//! [Helix Skills](https://docs.rs/helix-skills) for agents of [rig](https://rig.rs) **0.46**.
//!
//! Types of rig are in the signatures of this crate, and each minor version of rig breaks them. So
//! a version of this crate works with one minor version of rig, which is its build metadata:
//! `0.1.0+rig-0.46`.
//!
//! ```
//! use helix_skills::include_skills;
//! use helix_skills_rig::AgentBuilderExt;
//! use rig::agent::{Agent, AgentBuilder};
//! use rig::{DynModel, operation::Completion};
//!
//! include_skills!(mod skills, "../examples/agent"); // usually `include_skills!(mod skills)`
//!
//! fn agent(model: impl Into<DynModel<Completion>>) -> Agent {
//!     AgentBuilder::new(model)
//!         .preamble("You help with a repository.")
//!         .skills(skills::TOOLBOX)
//!         .default_max_turns(10)
//!         .build()
//! }
//! ```
//!
//! [`skills`](AgentBuilderExt::skills) takes a `Toolbox<'static>` of embedded skills, or an
//! `AsyncToolbox` over any provider: the directories, registries, shells and scripts of
//! `helix-skills-host`, or your own. Wrap it in [`Skills`] to [receive events](Skills::on_event).
//!
//! Without [`default_max_turns`](rig::agent::AgentBuilder::default_max_turns), an agent of rig
//! calls its model once, and fails when the model calls a tool. Loading a skill takes a turn, and
//! so does reading one of its files.
//!
//! # What the agent gets
//!
//! - **The catalog**, at the end of the system prompt of each request. It is there whether the
//!   preamble is set before, after, or for a single prompt.
//! - **The tools** of the toolbox: `load_skill` and `read_skill_file`, `search_skills` if the
//!   toolbox has a [search](helix_skills_runtime::ToolboxBuilder::search), and the tool for scripts
//!   if it has a runner. Of two tools with the same name, rig keeps the one that was added last,
//!   and logs a warning. If that is not the one for skills, a prompt fails before its first
//!   request, with an error that names the tool.
//! - **An answer to calls of a skill as if it were a tool**, a mistake that otherwise ends the
//!   prompt with `PromptError::UnknownToolCall`. As always in rig, the other calls of the same
//!   message are not run. Calls of other unknown tools are handled as before.
//!
//! A toolbox without skills adds nothing.
//!
//! # What a failing tool does
//!
//! The loop goes on, and the model reads what it can do instead. The result of a call that fails
//! (an unknown skill or file, a provider or a script that fails) is a
//! [`ToolExecutionError`](rig::tool::ToolExecutionError) of kind
//! [`Other`](rig::tool::ToolErrorKind::Other) with this text: rig marks the result as an error for
//! models whose API has such a mark, and hooks and telemetry see it.
//!
//! An error of the model's API (a rate limit, for instance) ends the prompt. Neither rig nor this
//! crate retries.
//!
//! # Which calls only read
//!
//! The tools that only read the files of skills say so in their
//! [annotations](rig::completion::ToolAnnotations): read-only, in a closed world. The tool for
//! scripts does not, and in a toolbox with a shell neither does the tool that loads skills, because
//! it runs the commands of a body. A host that asks its user before such calls finds the
//! annotations in [`Agent::tool_definitions`](rig::agent::Agent::tool_definitions), or in the
//! request that a hook sees.
//!
//! # Skills as tasks of their own
//!
//! A [`RigModel`] is the model of a `helix_skills::run::Run`, whose result is a text or a value of
//! a type, with every provider of rig.
//!
//! # When skills change
//!
//! The catalog of an `AsyncToolbox` is fixed when it is built, and so are the catalog and the tools
//! of an agent. Bodies and files are loaded when the model asks for them. To list added skills,
//! build a new toolbox and a new agent: for each conversation, or when the provider reports a
//! change.

#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod builder;
mod hook;
mod model;
mod skills;
mod source;

pub use builder::AgentBuilderExt;
pub use model::RigModel;
pub use skills::Skills;

/// The example in the README compiles.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
