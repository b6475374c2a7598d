//! Parses and prints the text formats of Helix Skills, without doing any IO.
//!
//! | text | type |
//! |---|---|
//! | `SKILL.md` | [`SkillMd`]; [`parse_skill`] if the text is not in a file |
//! | an agent's `.md` | [`Agent`] |
//! | `allow` of `helix.skills.json` | [`Allow`] |
//! | `helix.skills.lock` | [`Lock`] |
//! | `helix.skills/NAME.sha256` | [`Listing`], whose digest is the [`Integrity`] of a skill |
//!
//! Every problem with a text is a [`Finding`]: a stable code, a place, a message and a hint. Values
//! of these types are valid: a [`SkillName`] can be a directory on every system, joining a
//! [`RelPath`] never leaves the directory, and a [`GitUrl`] is never read as an option of a
//! program.
//!
//! ```
//! use helix_skills_format::{Listing, RelPath};
//! let text = "---\nname: a\ndescription: b\n---\n";
//! let listing = Listing::from_files([(RelPath::new("SKILL.md").unwrap(), text)]);
//! assert!(listing.integrity().to_string().starts_with("sha256:"));
//! ```

#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod allow;
mod entry;
mod error;
mod error_text;
mod fault;
mod finding;
mod git_url;
mod host;
mod integrity;
mod invisible;
mod json;
mod leftovers;
mod limits;
mod list;
mod listing;
mod lock;
mod near_skill;
mod newtype;
mod object_id;
mod one_line;
mod printable;
mod programs;
mod project;
mod project_path;
mod redacted;
mod ref_name;
mod rel_path;
mod settings;
mod sha256;
mod size;
mod skill_md;
mod skill_name;
mod source_key;

pub use allow::Allow;
pub use entry::{Pin, PluginName, Repository, Select, Source, SourceKind, VersionPin};
pub use error::Error;
pub use finding::{Code, Finding, Position, Severity};
pub use git_url::GitUrl;
pub use integrity::{Digest, Integrity};
pub use limits::Limits;
pub use listing::Listing;
pub use lock::{Lock, LockedPlugin, LockedSkill, LockedSource};
pub use object_id::ObjectId;
pub use project_path::ProjectPath;
pub use ref_name::RefName;
pub use rel_path::{DirPath, RelPath};
pub use skill_md::{
    Agent, ParseSkillError, Parsed, SkillMd, parse_agent, parse_flat_skill, parse_skill,
};
pub use skill_name::SkillName;
pub use source_key::SourceKey;

/// What the crates of this project share and no user needs. It changes without notice and is exempt
/// from semver.
#[doc(hidden)]
pub mod __internal {
    pub use crate::entry::{DEFAULT_SKILLS_DIR, EntryChecks, own_name, path_key};
    pub use crate::error_text::{causes, one_line_chain, write_report};
    pub use crate::fault::point;
    pub use crate::host::{is_local, is_local_address, is_loopback};
    pub use crate::json::{
        Dialect, Fields, JsonKind, Reader, Tree, Value, escape_invisible, nearest, quoted,
    };
    pub use crate::leftovers::{is_inert_leftover, leftover};
    pub use crate::list::{and_more, counted, listed, listed_all, more_below};
    pub use crate::near_skill::{near_skill, root_is_skill, root_not_read, skills_not_read};
    pub use crate::one_line::one_line;
    pub use crate::printable::{printable, printable_lines, push_printable, shortened};
    pub use crate::programs::{absolute_path, find_program};
    pub use crate::project::{LOCK_FILE, MANIFEST_FILE, STORE_DIR, find_project, stray_lockfile};
    pub use crate::settings::Settings;
    pub use crate::size::size;
    pub use crate::skill_md::{Layout, parse_utf8};
    pub use crate::{
        git_url::{UrlKind, is_owner_and_repository},
        redacted::redacted,
    };

    /// Text that a model reads and a reviewer cannot see.
    pub mod invisible {
        pub use crate::invisible::check_file;
    }

    /// Parts of a SKILL.md that its lints look at.
    pub mod skill_md {
        pub use crate::skill_md::{Rules, frontmatter, is_typed, layout, quoted, scalars};
    }
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeDoctests;
