//! Agent skills inside your binary: pinned, reviewed, and verified at compile time.
//!
//! ```
//! use helix_skills::include_skills;
//!
//! include_skills!(mod skills, "examples/agent"); // usually `include_skills!(mod skills)`
//!
//! let toolbox = skills::TOOLBOX;
//!
//! // Level 1: the system prompt lists names and descriptions.
//! let prompt = format!("You are a helpful agent.\n\n{}", toolbox.catalog());
//! assert!(prompt.contains("\n- commit-messages: "));
//!
//! // Level 2: the model loads a skill.
//! let answer = |tool, arguments| toolbox.call(tool, arguments).expect("a tool of the toolbox");
//! let body = answer("load_skill", r#"{"name": "commit-messages"}"#).to_string();
//! assert!(body.starts_with("<skill name=\"commit-messages\">\n"));
//!
//! // Level 3: the model reads one of the skill's files.
//! let types = r#"{"skill": "commit-messages", "path": "references/types.md"}"#;
//! let file = answer("read_skill_file", types).to_string();
//! assert!(file.starts_with("<skill_file skill=\"commit-messages\" "));
//!
//! // A wrong call gets an answer that the model can act on.
//! let reply = answer("load_skill", r#"{"name": "commits"}"#).to_string();
//! assert_eq!(reply, "there is no skill `commits`; did you mean `commit-messages`?");
//! ```
//!
//! `helix.skills.json` names the skills and the pinned sources that they come from. The program
//! `skills` (crate `helix-skills-cli`) writes `helix.skills.lock` and the files of each skill. Both
//! are committed and reviewed like code. [`include_skills!`] verifies the files against the
//! lockfile and embeds them. At run time nothing is fetched, read from disk, parsed or allocated.
//!
//! # Where to start
//!
//! - [`include_skills!`] embeds the skills of a project or of a directory. With `pub mod skills` it
//!   makes a constant for each skill and file, so that the compiler checks their names.
//! - [`Skill::define`] and [`skill_set!`] make skills in code.
//! - [`Toolbox`] is the view that one agent has of a set: the catalog for its prompt, its tools,
//!   and the answers to their calls. [`Tool::json`] returns a tool as a model's API expects it, and
//!   [`Toolbox::call`] takes a tool's name and JSON arguments.
//! - [`Toolbox::builder`] limits a toolbox to some skills, preloads others, and sets a [`Budget`]
//!   and a [`Profile`], the conventions of another system.
//! - [`ToolboxBuilder::search`] gives the model a tool to search for skills, [`SkillSet::search`]
//!   ranks them for a query, and [`Toolbox::reminder`] adds the best ones to a user's message.
//! - The module `run` runs a skill as a separate task, whose result is a text or a value of a
//!   type (feature `agent`; also `serde` for values, or `schemars` for values and their schemas).
//! - The module `shell` runs the commands in bodies and the scripts of skills (feature `agent`).
//!   `SystemShell` and `ScriptRunner` are in the crate `helix-skills-host`.
//! - `Provider`, `Providers` and `AsyncToolbox` serve skills from a database or a network (feature
//!   `agent`). `parse_skill` of the crate `helix-skills-format` reads a `SKILL.md`.
//!
//! The answers [`LoadedSkill`], [`SkillFile`] and [`Reply`] escape the text of skills, so that it
//! cannot forge the tags around it.
//!
//! The types are re-exports from `helix-skills-runtime`, whose documentation explains how they
//! relate, and, with the feature `agent`, from `helix-skills-agent`.
//!
//! # Features
//!
//! - `agent`: providers, a registry, runs and trackers.
//! - `serde`: tools, events and messages serialize; with `agent`, also input and results of runs as
//!   values of a type.
//! - `schemars`: JSON Schemas of such values, made from their types. Enables `agent` and `serde`.
//!
//! An agent that only embeds skills allocates nothing to serve them, except in searches, and has no
//! dependencies except those of the macro.

#![no_std]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "agent")]
pub use helix_skills_agent::{
    AsyncToolbox, AsyncToolboxBuilder, Provider, ProviderError, Providers, run,
};
pub use helix_skills_runtime::{
    Budget, Call, Catalog, Definition, Error, ErrorKind, Event, LoadedSkill, Profile, Provenance,
    Reply, Resource, Selection, Skill, SkillFile, SkillSet, TextLimit, Tool, ToolFormat, Toolbox,
    ToolboxBuilder, Value, skill_set,
};

/// Skills whose commands run when they are loaded, in a shell that the host provides.
#[cfg(feature = "agent")]
pub mod shell {
    pub use helix_skills_agent::shell::{
        ExitStatus, ProcessOutput, Shell, ShellCommand, ShellContext,
    };
}

/// Skills that are loaded at run time, from a database, a network or a directory.
#[cfg(feature = "agent")]
pub mod provider {
    pub use helix_skills_agent::{BoxFuture, Provided, ProviderWarning};
}

/// Skills that are added and removed while the program runs.
#[cfg(feature = "agent")]
pub mod registry {
    pub use helix_skills_agent::{Registry, RegistryChange, RegistryEntry, SkillQuery};
}

/// Search for the skills that match a task.
pub mod search {
    pub use helix_skills_runtime::{
        Classifier, Hit, IndexOptions, SearchIndex, SearchMode, SearchOptions, Words,
    };
}

/// Bodies with placeholders, variables and commands, and their values.
pub mod template {
    pub use helix_skills_runtime::{Arguments, Variables};
}

/// Text for a model: escaping, single lines, and estimated tokens.
pub mod text {
    pub use helix_skills_runtime::{Attribute, Neutral, OneLine, estimated_tokens, is_invisible};
}

/// Descriptions, parameters and calls of tools, and the tools that a skill allows.
pub mod toolbox {
    #[cfg(feature = "agent")]
    pub use helix_skills_agent::Tracker;
    pub use helix_skills_runtime::{JsonText, SlashCommand, ToolPolicy};
}

/// Items that `include_skills!` uses. Not part of the public API; exempt from semver.
#[doc(hidden)]
pub mod __private {
    /// The compiler prints this name, and the label of the expression, if `include_skills!` without
    /// `mod` is used as an item, and cannot be made to print more.
    pub use helix_skills_macros::__include_skills as __an_item_needs_mod_NAME;
    pub use helix_skills_runtime::__private::*;
}

/// Verifies skills against their lockfile and embeds them.
///
/// As an expression, it is a constant of type [`SkillSet<'static>`](SkillSet), or, with `preload`,
/// of type [`Toolbox<'static>`](Toolbox). With `mod NAME` as its first argument, it is a module
/// with an item for each skill and each file.
///
/// ```
/// use helix_skills::{SkillSet, include_skills};
/// static ALL: SkillSet = include_skills!("examples/agent");
/// const ONE: SkillSet = include_skills!("examples/agent", only = ["commit-messages"]);
/// assert_eq!(ONE.names().collect::<Vec<_>>(), ["commit-messages"]);
/// assert!(ALL.len() > ONE.len());
/// ```
///
/// # Forms
///
/// - `include_skills!()`: the skills of the package's project. That is the nearest directory with
///   `helix.skills.json`, from the package up, or else the package if it has `helix.skills.lock`.
/// - `include_skills!("path/to/project")`: the skills of the project in that directory. The path is
///   relative to the package's `Cargo.toml`.
/// - `include_skills!(dir = "skills")`: every `skills/NAME/SKILL.md`, without manifest and
///   lockfile. The path is relative to the package's `Cargo.toml`.
///
/// Each form takes these arguments, after a comma:
///
/// - `only = ["name", …]` embeds only these skills. Other skills are neither read nor verified. A
///   name may be repeated.
/// - `preload = ["name", …]` makes a toolbox whose [catalog](Toolbox::catalog) contains the
///   bodies of these skills, and is still a single literal. A name that occurs twice, or that
///   `only` leaves out, is an error. Preloads belong to the toolbox: its set, and other toolboxes
///   over that set, have none.
/// - `search = ["unicode", "when_to_use", "body"]`, any of them, extends the index of
///   [`SkillSet::search`], which always covers names and descriptions: to the
///   [words](search::Words) of all languages, to `when_to_use`, and to bodies. An index of bodies
///   is many times as large.
///
/// # Names checked by the compiler
///
/// ```
/// use helix_skills::{Resource, Skill, SkillSet};
///
/// helix_skills::include_skills!(
///     pub mod skills, "examples/agent", preload = ["commit-messages"]
/// );
///
/// const SET: SkillSet = skills::SKILLS;
/// const ONE: &Skill = skills::COMMIT_MESSAGES;
/// const FILE: &Resource = skills::COMMIT_MESSAGES_REFERENCES_TYPES_MD;
/// const _: () = assert!(skills::CATALOG_TOKENS <= 2_000, "the catalog is over our budget");
///
/// assert_eq!((ONE.name(), FILE.path()), ("commit-messages", "references/types.md"));
/// assert!(skills::TOOLBOX.catalog().to_string().contains("<skill name=\"commit-messages\">"));
/// ```
///
/// If upstream renames or removes a skill or a file, the program no longer compiles where it uses
/// that item:
///
/// ```compile_fail,E0425
/// helix_skills::include_skills!(mod skills, "examples/agent");
/// let skill = skills::COMIT_MESSAGES;
/// ```
///
/// The module has these items:
///
/// - `SKILLS: SkillSet<'static>`: all skills.
/// - `TOOLBOX: Toolbox<'static>`: a toolbox over all skills, with the preloaded ones.
/// - `CATALOG_TOKENS: usize`: the [estimated tokens](text::estimated_tokens) of the toolbox's
///   catalog.
/// - `NAME: &Skill` for each skill: a reference into `SKILLS`, so that each skill is in
///   the program once, however often it is used.
/// - `NAME_PATH_OF_THE_FILE: &Resource` for each file of a skill except `SKILL.md`.
///
/// Names are in upper case; letters without case stay. Each character that a Rust identifier cannot
/// contain becomes `_` (runs of `_` are kept), and a name that cannot start an identifier gets a
/// `_` in front: the skill `3d-view` is `_3D_VIEW`, and its file `docs/a.md` is
/// `_3D_VIEW_DOCS_A_MD`. Two items with the same name are an error that names both. `SKILLS`,
/// `TOOLBOX` and `CATALOG_TOKENS` are reserved, so a skill called `skills` has to be renamed or
/// embedded as an expression. The documentation of each item says what it is, how large it is, and
/// where it comes from.
///
/// The module has the visibility and the attributes that the call gives it; without a doc comment
/// it gets one. The call may also be inside a function.
///
/// # Where it works
///
/// The macro can be renamed, re-exported by another crate, and called by users of that crate. It
/// works in `no_std` crates and under `deny(missing_docs, warnings)`.
///
/// # What is embedded
///
/// The bytes that were hashed. `SKILL.md` is one literal that is already the answer of
/// [`load_skill`](SkillSet::load_skill); every other file is embedded once, and so is the catalog.
/// Each call has one copy of them, in a `static` as in a `const`. Debug and release builds embed
/// the same data. A skill's name is its key in the lockfile: renaming a skill changes names, never
/// bytes.
///
/// # When the macro runs again
///
/// Cargo compiles the crate again whenever the manifest, the lockfile, a listing, or a file that
/// they name changes or is removed. A file that is added to a stored skill is an error when the
/// macro runs, but does not make it run; a manifest that is added is compared when it runs.
/// `skills sync --check` finds such files at once, and so does
/// `helix_skills_project::build::check()` in a build script. With `dir = "skills"`, the macro has
/// no listings: an added file is noticed only if a build script watches the directory with
/// `println!("cargo::rerun-if-changed=skills");`.
///
/// # Errors
///
/// Every error is a compile error at the call. It names the file, what was expected and found, and
/// the command that fixes it. A call reports all errors at once, up to 100. The module form then
/// still defines its items, so that the code that uses them causes no further errors.
///
/// ```compile_fail
/// // error: there is neither a `helix.skills.lock` nor a manifest
/// let skills = helix_skills::include_skills!("no/such/project");
/// ```
///
/// | problem | fix |
/// |---|---|
/// | the manifest is missing | `skills init`, `skills add` |
/// | the lockfile, the store, a listing or a skill is missing | `skills sync` |
/// | a source of the manifest, if there is one, differs from the lockfile | `skills sync` |
/// | a stored file or its listing differs from the lockfile | `skills sync --restore` |
/// | a stored file is in no listing | `skills sync --restore` |
/// | only line ends differ | commit `helix.skills/.gitattributes`, `skills sync --restore` |
/// | the original of a `path` source was edited | `skills sync` |
/// | the lockfile is damaged, has conflict markers or is too new | see the error |
/// | a `SKILL.md` is not UTF-8 or lacks usable frontmatter | `exclude` the skill, or fix the file |
/// | a name in `only` or `preload` is not locked | see the error, which names the most similar ones |
/// | a name in `preload` is repeated, not embedded or not for models | see the error |
/// | two items have the same name | `rename` in the manifest |
///
/// With `dir = "skills"`, these are also errors: two skills with the same name, symbolic links
/// (they are not followed), pipes and devices, paths that some system cannot represent, and a skill
/// larger than the default limits of a lockfile (1,000 files, 32 MiB, 16 levels).
///
/// # Limits
///
/// The paths of a project and of its files have to be UTF-8. To publish a package, its lockfile,
/// its store and the directories of its `path` sources have to be inside the package; `cargo
/// package` leaves out a directory that has its own `Cargo.toml`.
///
/// Hashing takes about 30 ms per megabyte in every build that runs the macro, because cargo
/// compiles macros without optimization. These lines in the workspace's `Cargo.toml` make it
/// negligible:
///
/// ```toml
/// [profile.dev.package.hmac-sha256]
/// opt-level = 3
/// ```
#[macro_export]
macro_rules! include_skills {
    ($($input:tt)*) => { $crate::__private::__an_item_needs_mod_NAME! { $crate; $($input)* } };
}
