//! Runs: a skill as a separate task with a result.
//!
//! A toolbox adds the text of a skill to a conversation. A [`Run`] starts a conversation for one
//! skill: with its instructions, the tools that it may use, a limit of turns, and a result for the
//! program, as a text or as a value of a type. The same skill can be used both ways.
//!
//! ```
//! use helix_skills::{template::Arguments, Skill, run::Run};
//! use {schemars::JsonSchema, serde::Deserialize};
//! # use helix_skills::provider::BoxFuture;
//! # use helix_skills::run::{Answer, Message, Model, ToolCall, ToolDefinition, Tools};
//!
//! const BODY: &str = "Look into issue $number. Is it a bug?";
//! const TRIAGE: Skill = Skill::define("triage", "Sorts issues. Use for a new issue.", BODY)
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
//! #     fn answer<'m>(
//! #         &'m self,
//! #         _: &'m [Message],
//! #         _: &'m [ToolDefinition],
//! #     ) -> BoxFuture<'m, Answer> {
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
//! The [system](Message::System) message contains the [text of the host](Run::system), then a text
//! that explains the run and how it ends. The first message of the user is the filled body, between
//! tags that nothing in it can close. Paths of the skill's files follow if one of the tools reads
//! them (a [`Toolbox`](helix_skills_runtime::Toolbox) in the [`Tools`]).
//!
//! # How it ends
//!
//! One answer of the model is a *turn*. There are at most 10 of them, unless the skill (`maxTicks`)
//! or the host ([`Run::max_turns`]) sets another number. In the last one, tools are called only
//! together with `submit`, because the model would not see their results.
//!
//! - [`Run::text`] ends with the first text that calls no tool.
//! - `Run::typed` and `Run::shaped` (features `schemars`, `serde`) end with a call of the tool
//!   `submit`, which only exists in this run, if its arguments have the required type. If not, the
//!   answer names the field that does not fit, and the model may call it again. A text without a
//!   call is answered with a reminder. Other tools that are called in the same message run first,
//!   in order. `submit` twice in one message is refused. All of these use up turns, and a reminder
//!   announces the last one.
//! - A run ends with an [`Error`](crate::Error) if no turns are left, or if the model fails. Errors
//!   of tools, and calls of unknown tools, are answered to the model, and the run continues.
//! - Dropping the future ends the run.
//!
//! # Tools
//!
//! A run offers the tools of the host that the [`ToolPolicy`](helix_skills_runtime::ToolPolicy) of
//! the skill allows, and refuses the others by name. A rule with a condition such as
//! `Bash(git add *)` offers the tool; [`Tools::meets`] decides for each call. A tool of the host
//! must not be named `submit`.

#[cfg(feature = "serde")]
mod arguments;
mod builder;
mod config;
mod error;
mod event;
mod execute;
#[cfg(feature = "serde")]
mod json;
mod message;
mod model;
mod prompt;
#[cfg(feature = "serde")]
mod schema;
mod session;
mod shape;
mod toolbox;
mod tools;
#[cfg(feature = "serde")]
mod typed;
#[cfg(feature = "serde")]
mod validator;

pub use builder::Run;
pub(crate) use error::unknown_skill;
pub use event::{RunEvent, Watcher};
pub use message::{Answer, Message, ToolCall, ToolDefinition};
pub use model::Model;
pub use shape::{Mismatch, Shape};
pub use tools::Tools;
#[cfg(feature = "serde")]
pub use typed::TypedSkill;
#[cfg(feature = "serde")]
pub use validator::{SchemaCheck, SchemaValidator};
