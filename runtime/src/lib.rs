//! Agent skills at run time: embedded or loaded, and the text that a model reads.
//!
//! ```
//! use helix_skills::{Call, Skill, SkillSet, Toolbox, skill_set};
//!
//! const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build();
//! static SKILLS: SkillSet = skill_set![PDF]; // usually `helix_skills::include_skills!()`
//!
//! let toolbox = Toolbox::new(SKILLS);
//!
//! // Level 1: the system prompt lists names and descriptions.
//! let prompt = format!("You are an agent.\n\n{}", toolbox.catalog());
//! assert!(prompt.ends_with("\n- pdf: Reads PDF files.\n"));
//!
//! // Level 2: the model loads the body of a skill.
//! let body = toolbox.load_skill("pdf")?;
//! assert_eq!(body.to_string(), "<skill name=\"pdf\">\nUse `pdftotext`.\n</skill>");
//!
//! // Level 3: the model reads any file of the skill.
//! let file = toolbox.read_skill_file("pdf", "SKILL.md")?;
//! assert!(file.to_string().starts_with("<skill_file skill=\"pdf\" path=\"SKILL.md\" "));
//!
//! // A wrong call gets an answer that the model can act on.
//! let reply = toolbox.answer(Call::LoadSkill { name: "pfd", arguments: None });
//! assert_eq!(reply.to_string(), "there is no skill `pfd`; did you mean `pdf`?");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Nothing here touches a disk or a network. Catalog and bodies of embedded skills are read without
//! allocating.
//!
//! # Overview
//!
//! - **Skills.** A [`SkillSet`] contains [`Skill`]s, sorted by name. A skill has a body, the fields
//!   of its `SKILL.md`, its [`Resource`]s and its [`Provenance`]. `include_skills!` embeds a set.
//!   [`Skill::define`] and [`skill_set!`] make one in code, checked at compile time in a constant.
//!   A clone of a skill shares its text.
//! - **One agent.** A [`Toolbox`] is a view of a set: the allowed and the preloaded skills, a
//!   [`Budget`], and a [`Profile`] for the conventions of another system. It renders the
//!   [`Catalog`] and the [`Tool`]s, and answers each [`Call`] with a [`Reply`], whose [`Event`] is
//!   for logs. [`Toolbox::call`] takes the name of a tool and its JSON arguments.
//!   [`Toolbox::skill_as_tool`] recognizes a skill that a model calls as if it were a tool.
//! - **Text for a model.** [`Catalog`], [`LoadedSkill`], [`SkillFile`], [`Reply`] and similar types
//!   are `Copy` values that borrow their pieces and implement `Display`. `len()` is the size in
//!   UTF-8 bytes, `write_to()` appends the text to another, and [`estimated_tokens`] estimates the
//!   cost. [`Neutral`], [`OneLine`] and [`Attribute`] escape untrusted text, so that it cannot
//!   forge the tags of this crate.
//! - **Arguments.** A body can have placeholders, variables and commands. [`Skill::fill`] fills
//!   it with [`Arguments`] and [`Variables`]; a shell of `helix-skills-agent` runs its commands. A
//!   toolbox fills the bodies of calls without a shell.
//! - **Tools of the agent.** A [`ToolPolicy`] says which tools an agent may use while a skill is
//!   active.
//! - **Search.** [`SkillSet::search`] ranks the skills for a query, with an embedded
//!   [`SearchIndex`] or a custom [`Classifier`]. [`ToolboxBuilder::search`] gives the model a
//!   search tool, and [`Toolbox::reminder`] adds the best skills to a user's message.
//! - **Slash commands.** [`Toolbox::slash`] turns `/NAME …` in a user's message into the text of
//!   the skill, with the rest as its arguments.
//!
//! The crate `helix-skills-agent` serves skills that are loaded, added or removed at run time, and
//! runs skills as tasks. It renders the same text.
//!
//! # Errors
//!
//! Everything that fails returns an [`Error`], whose [`kind`](Error::kind) is for programs. The
//! messages about calls are for the model, all others for the developer.
//!
//! All types that borrow are `Copy`, `Send`, `Sync` and covariant in their only lifetime. A skill
//! borrows nothing.

#![no_std]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

extern crate alloc;

#[doc(hidden)]
pub mod __internal;
mod array;
mod baked;
mod body;
mod budget;
mod catalog;
mod confusables;
mod define;
mod directory;
mod error;
mod error_chain;
mod escape;
mod excerpt;
mod invisible;
mod json;
mod json_text;
mod known;
mod load;
mod message;
mod name;
mod order;
mod parts;
mod path;
mod profile;
mod provenance;
mod read;
mod render;
mod resource;
mod rules;
mod scalars;
mod search;
mod selection;
mod shared;
mod similar;
mod skill;
mod skill_set;
mod template;
#[cfg(test)]
mod tests;
mod texts;
mod tokens;
mod tool_policy;
mod toolbox;
mod value;
mod view;

pub use budget::{Budget, TextLimit};
pub use catalog::Catalog;
pub use define::Definition;
pub use error::{Error, ErrorKind};
pub use escape::{Attribute, Neutral, OneLine};
pub(crate) use excerpt::Excerpt;
pub use invisible::is_invisible;
pub use json_text::JsonText;
pub use load::LoadedSkill;
pub use profile::Profile;
pub use provenance::Provenance;
pub use read::SkillFile;
pub use resource::Resource;
pub use rules::{check_name, check_path, normalize_path};
pub use search::{Classifier, Hit, IndexOptions, SearchIndex, SearchOptions, Words};
pub use selection::Selection;
pub use skill::Skill;
pub use skill_set::SkillSet;
pub use template::{Arguments, Variables};
pub use texts::Texts;
pub use tokens::estimated_tokens;
pub use tool_policy::ToolPolicy;
pub use toolbox::{
    Call, Event, Reply, SearchMode, SlashCommand, Tool, ToolFormat, Toolbox, ToolboxBuilder,
};
pub use value::Value;
pub(crate) use view::View;
#[doc(hidden)]
pub use {
    name::MAX_NAME_BYTES,
    path::MAX_PATH_BYTES,
    read::MAX_FILE_BYTES,
    template::{
        Command, CommandForm, FilledTemplate, MAX_FILLED_BYTES, PartKind, Template, TemplatePart,
    },
};

/// Items that `include_skills!` and the program `skills` use. Not part of the public API; exempt
/// from semver.
#[doc(hidden)]
pub mod __private {
    pub use crate::array::{IntoSetItem, SetItem, count_skills, sorted_skills};
    pub use crate::baked::{Baked, BakedCatalog};
    pub use crate::escape::is_neutral;
    pub use crate::parts::{Parts, provenance};
    pub use crate::read::skill_md_text;
    pub use crate::resource::{binary, digested, is_plain, neutral, plain, text};
    pub use crate::search::search_index;
    pub use crate::shared::Shared;
    pub use crate::skill::{Fields, skill};
    pub use crate::skill_set::set;
    pub use crate::texts::List;
    pub use crate::toolbox::toolbox;
    pub use alloc::borrow::Cow::Borrowed;
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeDoctests;
