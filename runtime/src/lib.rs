//! What an agent links to live on baked skills: borrowed data, and the text that a model reads.
//!
//! ```
//! use helix_skills::{Call, Skill, skill_set, SkillSet, Toolbox};
//!
//! const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build();
//! static SKILLS: SkillSet = skill_set![PDF]; // usually `helix_skills::include_skills!()`
//!
//! let toolbox = Toolbox::new(SKILLS);
//! let prompt = format!("You are an agent.\n\n{}", toolbox.catalog()); // level 1: what there is
//! let answer = toolbox.load_skill("pdf")?; // level 2: the body, when the model asks for it
//! let file = toolbox.read_skill_file("pdf", "SKILL.md")?; // level 3: any file of the skill
//! let reply = toolbox.answer(Call::LoadSkill { name: "pfd", arguments: None }); // whatever a model asks for
//! assert_eq!(answer.to_string(), "<skill name=\"pdf\">\nUse `pdftotext`.\n</skill>");
//! assert_eq!(reply.to_string(), "there is no skill `pfd`; the skills are `pdf`");
//! # assert!(prompt.ends_with("\n- pdf: Reads PDF files.\n") && file.to_string().starts_with("<skill_file "));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Nothing here allocates, fails at start, or touches a disk or a network, unless it says so.
//!
//! # The types
//!
//! - **Skills.** A [`SkillSet`] has [`Skill`]s, sorted by name; a skill has a body, every field of its `SKILL.md`, its
//!   [`Resource`]s and its [`Provenance`]. `include_skills!` bakes a set; [`Skill::define`] and [`skill_set!`] make one in code,
//!   with rules that are checked while compiling; `SkillBuf` and `SkillSetBuf` own their text and lend the same types.
//! - **One agent.** A [`Toolbox`] is a view of a set: what is allowed and preloaded, a [`Budget`], a [`Profile`] for the
//!   conventions of other systems. It renders the [`Catalog`] and the [`Tool`]s, and answers each [`Call`] with a [`Reply`],
//!   whose [`Event`] is for whoever watches; [`Toolbox::call`] takes a tool's name and its JSON.
//!   [`Toolbox::skill_as_tool`] recognizes a skill that is called like a tool.
//! - **Texts for a model.** [`Catalog`], [`LoadedSkill`], [`SkillFile`], [`Reply`] and the like are `Copy` values of borrowed
//!   pieces with `Display`; `len()` is their size in UTF-8 bytes, `write_into()` fills a buffer of yours, and
//!   [`estimated_tokens`] says what they cost. [`Neutral`], [`OneLine`] and [`Attribute`] are how text of strangers is put
//!   between tags of ours, so that nothing in it can pass for one of them.
//! - **Arguments.** A [`Template`] is a body with its placeholders, variables and commands; a host fills it with [`Arguments`] and
//!   [`Variables`], and runs its [`Commands`] if it has a shell. Toolboxes do it for calls, without a shell.
//! - **Tools of the agent.** A [`ToolPolicy`] says which of them a skill leaves to an agent that works on it alone.
//! - **Search.** [`SkillSet::search`] ranks the skills for a query by the [`SearchIndex`] that was baked, or by a
//!   [`Classifier`] of your own; [`ToolboxBuilder::search`] gives it to the model, a [`Reminder`] to a user's message.
//! - **What a person types.** [`Toolbox::slash`] makes of `/NAME …` the text of the skill, with what follows as its arguments.
//!
//! Skills of a database, a network or a directory, skills that come and go, and runs of skills are in the crate
//! `helix-skills-agent`, which renders the same texts.
//!
//! What is wrong is a value: errors such as [`LoadError`] and [`ReadError`] have texts that a model can go on from, those
//! of a configuration such as [`ToolboxError`] and [`DefinitionError`] tell a person what to mend.
//!
//! # Features
//!
//! | feature | adds |
//! |---|---|
//! | `alloc` (default) | skills that own their text, indexes made at run time |
//!
//! All types that borrow are `Copy`, `Send`, `Sync` and covariant in their one lifetime; what is baked is `'static`.

#![no_std]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "alloc")]
extern crate alloc;

#[doc(hidden)]
pub mod __internal;
mod array;
mod body;
mod budget;
mod catalog;
mod confusables;
mod define;
mod directory;
mod error_chain;
mod escape;
mod excerpt;
mod invisible;
mod json;
mod known;
mod load;
mod message;
mod name;
mod order;
#[cfg(feature = "alloc")]
mod owned;
mod owned_error;
mod parts;
mod path;
mod piece;
mod profile;
mod provenance;
mod read;
mod render;
mod resource;
#[cfg(test)]
mod samples;
mod scalars;
mod search;
mod selection;
mod skill;
mod skill_context;
mod skill_set;
mod template;
mod tokens;
mod tool_policy;
mod toolbox;
mod value;
mod view;

pub use array::DuplicateSkill;
pub use budget::{Budget, TextLimit};
pub use catalog::Catalog;
pub use define::{Definition, DefinitionError};
pub use escape::{Attribute, Neutral, OneLine};
pub use excerpt::Excerpt;
pub use invisible::is_invisible;
pub use json::JsonError;
pub use known::KnownNames;
pub use load::{LoadError, LoadedSkill};
pub use name::{MAX_NAME_BYTES, NameError, check_name};
pub use owned_error::OwnedError;
pub use path::{MAX_PATH_BYTES, PathError, check_path, is_git_name, normalize_path};
pub use profile::Profile;
pub use provenance::Provenance;
pub use read::{MAX_FILE_BYTES, ReadError, SkillFile};
pub use render::BufferTooSmall;
pub use resource::{Resource, ResourceError};
pub use search::{
    Classifier, Document, Hit, IndexError, IndexOptions, Ranking, Reminder, SearchEntries,
    SearchEntry, SearchIndex, SearchOptions, Words, classifies, content_includes,
};
pub use selection::Selection;
pub use skill::Skill;
pub use skill_context::SkillContext;
pub use skill_set::{Iter, SkillSet};
pub use template::{
    Arguments, Command, CommandError, CommandForm, Commands, FilledTemplate, MAX_FILLED_BYTES,
    PartKind, Quote, Template, TemplateNeeds, TemplatePart, TemplateParts, Token, TokenMode,
    Tokens, Variables, tokenize,
};
pub use tokens::estimated_tokens;
pub use tool_policy::{ToolPolicy, ToolRule};
pub use toolbox::{
    Call, CallError, Event, FoundSkills, InvokedSkill, JsonCall, Reply, SearchMode, SkillAsTool,
    SlashCommand, Tool, ToolDescription, ToolIter, ToolParameters, Toolbox, ToolboxBuilder,
    ToolboxError,
};
pub use value::Value;
pub use view::View;
#[cfg(feature = "alloc")]
pub use {
    owned::{SkillBuf, SkillSetBuf, ValueBuf},
    search::{SearchIndexBuf, content_matches},
};

/// What `include_skills!` and the program call. No part of the public interface: it changes without notice.
#[doc(hidden)]
pub mod __private {
    pub use crate::array::sorted_skills;
    pub use crate::escape::is_neutral;
    #[cfg(feature = "alloc")]
    pub use crate::owned::{PartsBuf, skill_buf};
    pub use crate::parts::{Baked, BakedCatalog, Parts, provenance, set, skill, toolbox};
    pub use crate::read::skill_md_text;
    pub use crate::resource::{binary, digested, is_plain, neutral, plain, text};
    pub use crate::search::search_index;
}
