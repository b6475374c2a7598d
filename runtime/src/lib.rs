//! What an agent links to live on baked skills: borrowed data, and the text that a model reads.
//!
//! `helix_skills::include_skills!` makes a [`SkillSet`] while your program compiles; everything here only reads it.
//! Nothing allocates, nothing fails at start, nothing touches a disk or a network.
//!
//! ```
//! # use helix_skills_runtime::{__private::{skill, Parts}, Catalog, Skill, SkillSet};
//! # const PARTS: Parts = Parts { name: "pdf", description: "Reads PDF files.", body: "Use `pdftotext`.", ..Parts::EMPTY };
//! # const SKILLS: SkillSet = SkillSet::new(&[skill(PARTS)]);
//! // const SKILLS: SkillSet = helix_skills::include_skills!();
//! let prompt = format!("You are an agent.\n\n{}", SKILLS.catalog()); // level 1: what there is
//! let answer = SKILLS.load_skill("pdf")?; // level 2: the body, when the model asks for it
//! assert_eq!(answer.to_string(), "<skill name=\"pdf\">\nUse `pdftotext`.\n</skill>");
//! let file = SKILLS.read_skill_file("pdf", "SKILL.md")?; // level 3: any file of the skill
//! println!("{prompt}\n{answer}\n{file}");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! - [`SkillSet`]: the skills, sorted by name; [`SkillSet::catalog`], [`SkillSet::load_skill`],
//!   [`SkillSet::read_skill_file`].
//! - [`Skill::define`]: a skill in code, its rules checked while compiling; [`skill_set!`] and [`SkillSet::of`]: a set of
//!   such skills.
//! - `SkillBuf`, `SkillSetBuf` (feature `alloc`): skills that own their text and lend views of it.
//! - [`Skill`]: every field of `SKILL.md`, its body, its [`Resource`]s, its [`Provenance`].
//! - [`LoadedSkill`], [`SkillFile`], [`Catalog`]: text for a model, as `Copy` values that borrow their pieces and
//!   implement `Display`; `len()` tells their size in UTF-8 bytes, [`estimated_tokens`] what that costs.
//! - [`Neutral`], [`OneLine`], [`Attribute`]: how text of strangers is put between tags of ours.
//!
//! All types are `Copy`, `Send`, `Sync` and covariant in their one lifetime; what is baked is `'static`.

#![no_std]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "alloc")]
extern crate alloc;

mod array;
mod budget;
mod catalog;
mod define;
mod escape;
mod excerpt;
mod invisible;
mod load;
mod look_alike;
mod message;
mod name;
mod order;
#[cfg(feature = "alloc")]
mod owned;
mod parts;
mod path;
mod profile;
mod provenance;
#[cfg(feature = "alloc")]
mod provider;
mod read;
mod render;
mod resource;
#[cfg(all(test, feature = "alloc"))]
mod samples;
mod scalars;
mod search;
mod selection;
mod skill;
mod skill_context;
mod skill_set;
mod tokens;
mod toolbox;
mod value;
mod view;

pub use array::DuplicateSkill;
pub use budget::{Amount, Budget};
pub use catalog::Catalog;
pub use define::{Definition, DefinitionError};
pub use escape::{Attribute, Neutral, OneLine};
pub use excerpt::Excerpt;
pub use invisible::is_invisible;
pub use load::{LoadError, LoadedSkill};
pub use name::{MAX_NAME_BYTES, NameError, check_name};
#[cfg(feature = "alloc")]
pub use owned::{SkillBuf, SkillSetBuf, ValueBuf};
pub use path::{MAX_PATH_BYTES, PathError, check_path, is_git_name, normalize_path};
pub use profile::Profile;
pub use provenance::Provenance;
#[cfg(feature = "alloc")]
pub use provider::{
    Pending, Provided, Provider, ProviderError, ProviderToolbox, ProviderWarning, Providers, ResolveError,
    ResolvedToolbox,
};
pub use read::{MAX_FILE_BYTES, ReadError, SkillFile};
pub use render::BufferTooSmall;
pub use resource::{Resource, ResourceError};
pub use search::{
    Classifier, Document, Entries, Entry, Hit, IndexError, IndexOptions, Ranking, Reminder, SearchIndex, SearchOptions,
    Words, classifies, content_includes,
};
#[cfg(feature = "alloc")]
pub use search::{SearchIndexBuf, content_matches};
pub use selection::Selection;
pub use skill::Skill;
pub use skill_context::SkillContext;
pub use skill_set::{Iter, SkillSet};
pub use tokens::estimated_tokens;
#[cfg(feature = "serde")]
pub use toolbox::CallError;
pub use toolbox::{
    Call, Event, FoundSkills, Reply, ReservedTool, Tool, ToolDescription, ToolParameters, Toolbox, ToolboxError,
};
#[cfg(feature = "alloc")]
pub use toolbox::{ReplyBuf, Tracker};
pub use value::Value;
pub use view::View;

/// What `include_skills!` and the program call. No part of the public interface: it changes without notice.
#[doc(hidden)]
pub mod __private {
    pub use crate::array::sorted_skills;
    #[cfg(feature = "alloc")]
    pub use crate::owned::{PartsBuf, skill_buf};
    pub use crate::parts::{Baked, Parts, provenance, set, skill};
    pub use crate::resource::{binary, is_plain, plain, text};
    pub use crate::search::search_index;
}
