//! Skills that are run: as a task of their own, with a result.
//!
//! What a toolbox does with a skill is to put its text into a conversation. A [`Run`] makes a conversation of the skill alone: its
//! instructions, the tools that it may use, so many turns, and a result that comes back to the program, as a text or as a
//! value of a type. The same skill serves both.
//!
//! ```
//! use helix_skills::{template::Arguments, Skill, run::Run};
//! use {schemars::JsonSchema, serde::Deserialize};
//! # use helix_skills::{provider::Pending, run::{Answer, Message, Model, ToolCall, ToolDefinition, ToolResult, Tools}};
//!
//! const TRIAGE: Skill = Skill::define("triage", "Sorts issues. Use for a new issue.", "Look into issue $number. Is it a bug?")
//!     .arguments(&["number"])
//!     .allowed_tools(&["search"])
//!     .max_ticks(5)
//!     .build();
//!
//! #[derive(Deserialize, JsonSchema)]
//! struct Verdict {
//!     bug: bool,
//! }
//!
//! # struct Script;
//! # impl Model for Script {
//! #     fn answer<'m>(&'m self, _: &'m [Message], _: &'m [ToolDefinition]) -> Pending<'m, Answer> {
//! #         let call = ToolCall::new("1", "submit", r#"{"bug": true}"#);
//! #         Box::pin(async { Ok(call.into()) })
//! #     }
//! # }
//! # pollster::block_on(async {
//! # let (model, tools) = (Script, ());
//! // `model` is your `Model`, `tools` are your `Tools`.
//! let run = Run::new(TRIAGE).arguments(Arguments::json(r#"{"number": 42}"#)?).tools(&tools);
//! let verdict: Verdict = run.typed(&model).await?;
//! assert!(verdict.bug);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # }).unwrap();
//! ```
//!
//! # What the model gets
//!
//! A [system](Message::System) message of ours, after one of [the host's own](Run::system), that says what a run is and how it ends;
//! then the filled body, between tags that nothing in it can close, as the first message of the user. Paths of the skill's
//! files follow where one of the tools reads them (a [`Toolbox`](helix_skills_runtime::Toolbox) among the [`Tools`]).
//!
//! # How it ends
//!
//! One answer of the model is a *tick*, of which there are `maxTicks` (10, unless the skill or the host says otherwise). In the last
//! one no tool is called any more: nobody would see what it did.
//!
//! - [`Run::text`]: with the first text that calls no tool.
//! - `Run::typed` and `Run::shaped` (features `schemars`, `serde`): with a call of the tool `submit`, which is there for this run
//!   alone, if what it is called with is of the type. If not, the model is told which field does not fit, and may call again. A
//!   text without a call is answered with what is missing; so are `submit` beside other tools, whose results nobody has
//!   seen, and `submit` twice in one message. All of that costs ticks, and before the last one the model is told that it is.
//! - With a [`RunError`], when there are no more ticks, or when the model fails. What a tool fails with, and calls of tools that
//!   there are not, are told to the model.
//! - Whenever its future is dropped.
//!
//! # Tools
//!
//! A run offers those of the host that the skill's [`ToolPolicy`](helix_skills_runtime::ToolPolicy) allows, and refuses the others by name. A rule
//! such as `Bash(git add *)` offers the tool, and leaves to [`Tools::meets`] whether a call is one of those.

#[cfg(feature = "serde")]
mod arguments;
mod builder;
mod config;
mod error;
mod event;
mod execute;
mod goal;
mod input;
mod message;
#[cfg(feature = "serde")]
mod mismatch;
mod model;
mod prompt;
mod run_skill;
mod session;
#[cfg(feature = "serde")]
mod shape;
mod toolbox;
mod tools;
#[cfg(feature = "serde")]
mod typed;
#[cfg(feature = "serde")]
mod validator;

pub use builder::Run;
pub use error::RunError;
pub use event::{RunEvent, Watcher};
pub use input::{InputContract, InputError};
pub use message::{Answer, Message, ToolCall, ToolDefinition, ToolResult};
pub use model::Model;
pub use run_skill::RunSkill;
#[cfg(feature = "serde")]
pub use shape::{Shape, ShapeError};
pub use tools::Tools;
#[cfg(feature = "serde")]
pub use typed::TypedSkill;
#[cfg(feature = "serde")]
pub use validator::{SchemaCheck, SchemaValidator, SchemaViolation};
