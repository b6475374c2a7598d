//! Agent skills inside your binary: pinned, reviewed, and proved while compiling.
//!
//! ```
//! use helix_skills::{Call, SkillSet, Toolbox, include_skills};
//!
//! static SKILLS: SkillSet = include_skills!("examples/agent"); // usually just `include_skills!()`
//!
//! let toolbox = Toolbox::new(SKILLS);
//! let prompt = format!("You are a helpful agent.\n\n{}", toolbox.catalog()); // 1: what there is
//! let answer = toolbox.load_skill("commit-messages")?; //                      2: when the model asks for a skill
//! let file = toolbox.read_skill_file("commit-messages", "references/types.md")?; // 3: and for one of its files
//! let reply = toolbox.answer(Call::LoadSkill { name: "commits", arguments: None }); // a mistake is answered, too
//! assert!(prompt.contains("\n- commit-messages: ") && answer.to_string().starts_with("<skill name="));
//! assert!(reply.to_string().starts_with("there is no skill `commits`; the skills are `commit-messages`, "));
//! # let _ = file.len();
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! `helix.skills.json` says which skills, from which pinned source. The program `skills` (crate `helix-skills-cli`)
//! writes `helix.skills.lock` and the files of each skill; both are committed and reviewed like code.
//! [`include_skills!`] proves these files against the lock and embeds them. At run time nothing is fetched, read,
//! parsed or allocated.
//!
//! | you want | look at |
//! |---|---|
//! | skills of your repository, or of somebody else's, in the program | [`include_skills!`]: every form, every error, and when cargo runs it again |
//! | the compiler to know the names | [`include_skills!`] with `pub mod skills` |
//! | skills in your own code | [`Skill::define`], [`skill_set!`] |
//! | a prompt, tools and their answers for one agent | [`Toolbox`]; [`Toolbox::call`] takes JSON |
//! | to choose: allowed, preloaded, at what cost, by whose conventions | [`Toolbox::builder`], [`Budget`], [`Profile`] |
//! | the model, or a message, to find skills | [`ToolboxBuilder::search`], [`SkillSet::search`], [`search::Reminder`] |
//! | a skill to do a task of its own, and its result as a value of a type | the module `run` (feature `agent`; values need `serde`, their schemas `schemars`) |
//! | commands in bodies, and scripts of skills, to run | the module `live` (feature `agent`); `SystemShell` and `ScriptRunner` of `helix-skills-host` |
//! | skills from a database or a network | `Provider`, `AsyncToolbox`, `Providers` (feature `agent`); `parse_skill` of `helix-skills-format` reads a `SKILL.md` |
//!
//! [`LoadedSkill`], [`SkillFile`] and [`Reply`] are texts that a skill cannot break out of. The types are those of
//! `helix-skills-runtime`, re-exported: `no_std`, no dependencies, `Copy`; that crate's first page says how they hang together.
//! Owned skills, and all that serves them, are those of `helix-skills-agent`.
//!
//! # Features
//!
//! | feature | adds |
//! |---|---|
//! | `alloc` (default) | nothing that is visible here; needs an allocator, as the macro does, so that a first build compiles the runtime once and not twice |
//! | `agent` | skills that own their text, providers, a registry, runs, trackers, indexes made at run time; turns on `alloc` |
//! | `serde` | input and results of runs as values of a type; turns on `agent` |
//! | `schemars` | the schemas of such values from their types; turns on `serde` |
//!
//! An agent of embedded skills allocates nothing and has no dependencies but those of the macro. Without default features
//! it is linked without an allocator, too.

#![no_std]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "agent")]
pub use helix_skills_agent::{
    AsyncToolbox, AsyncToolboxBuilder, Provider, ProviderError, Providers, ReplyBuf, run,
    run::Tools,
};
pub use helix_skills_runtime::{
    Budget, Call, Catalog, Event, LoadError, LoadedSkill, Profile, Provenance, ReadError, Reply,
    Resource, Selection, Skill, SkillFile, SkillSet, TextLimit, Tool, Toolbox, ToolboxBuilder,
    ToolboxError, Value, skill_set,
};
#[cfg(feature = "agent")]
pub use helix_skills_runtime::{SkillBuf, SkillSetBuf};

/// Skills written in code, and owned ones: what their parts and errors are.
pub mod define {
    #[cfg(feature = "agent")]
    pub use helix_skills_runtime::ValueBuf;
    pub use helix_skills_runtime::{
        Definition, DefinitionError, DuplicateSkill, Iter, ResourceError,
    };
}

/// Bodies whose commands run when they are loaded, in a shell that the host brings.
#[cfg(feature = "agent")]
pub mod live {
    pub use helix_skills_agent::live::{
        Approval, CommandFailure, ExitStatus, LiveCommand, LiveContext, LiveError, OnFailure,
        ProcessOutput, Scripts, Shell, ShellCommand, Timer,
    };
}

/// Names of skills and paths of their files, and the limits of both.
pub mod name {
    pub use helix_skills_runtime::{
        MAX_FILE_BYTES, MAX_NAME_BYTES, MAX_PATH_BYTES, NameError, PathError, check_name,
        check_path, is_git_name, normalize_path,
    };
}

/// Skills that have to be waited for: from a database, a network, a directory.
#[cfg(feature = "agent")]
pub mod provider {
    pub use helix_skills_agent::{
        Pending, Provided, Provider, ProviderError, ProviderRequest, ProviderWarning, Providers,
    };
}

/// Skills that come and go while a program runs.
#[cfg(feature = "agent")]
pub mod registry {
    pub use helix_skills_agent::{
        ExtendError, Extended, NameTaken, Registry, RegistryChange, RegistryEntry, SkillQuery,
    };
}

/// Finding skills by what a task says.
pub mod search {
    pub use helix_skills_runtime::{
        Classifier, Document, FoundSkills, Hit, IndexError, IndexOptions, Ranking, Reminder,
        SearchEntries, SearchEntry, SearchIndex, SearchMode, SearchOptions, Words, classifies,
        content_includes,
    };
    #[cfg(feature = "agent")]
    pub use helix_skills_runtime::{SearchIndexBuf, content_matches};
}

/// Skills that a person calls by `/NAME`.
pub mod slash {
    pub use helix_skills_runtime::{InvokedSkill, SlashCommand};
}

/// Bodies with placeholders, variables and commands, and what fills them.
pub mod template {
    pub use helix_skills_runtime::{
        Arguments, Command, CommandError, CommandForm, Commands, FilledTemplate, JsonError,
        MAX_FILLED_BYTES, PartKind, Quote, Template, TemplateNeeds, TemplatePart, TemplateParts,
        Token, TokenMode, Tokens, Variables, tokenize,
    };
}

/// How text goes to a model: neutral between tags, on one line, within a size.
pub mod text {
    pub use helix_skills_runtime::{
        Attribute, BufferTooSmall, Excerpt, KnownNames, Neutral, OneLine, estimated_tokens,
        is_invisible,
    };
}

/// What the tools of a toolbox are made of, and what a skill leaves of the tools of an agent.
pub mod toolbox {
    #[cfg(feature = "agent")]
    pub use helix_skills_agent::{EventBuf, Tracker};
    pub use helix_skills_runtime::{
        CallError, JsonCall, OwnedError, SkillAsTool, SkillContext, ToolDescription, ToolIter,
        ToolParameters, ToolPolicy, ToolRule, View,
    };
}

/// What `include_skills!` calls. No part of the public interface: it changes without notice.
#[doc(hidden)]
pub mod __private {
    pub use helix_skills_macros::__include_skills;
    pub use helix_skills_runtime::__private::*;
}

/// Verifies skills against their lockfile and embeds them: as a constant expression of type
/// [`SkillSet<'static>`](SkillSet), or [`Toolbox<'static>`](Toolbox) with `preload`; or as a module with
/// an item for each skill and file.
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
/// | form | skills of |
/// |---|---|
/// | `include_skills!()` | the project of this package: the nearest directory with `helix.skills.lock` or `helix.skills.json`, from the package up to the root of its workspace |
/// | `include_skills!("path/to/project")` | the project in that directory, relative to the package's `Cargo.toml` |
/// | `include_skills!(dir = "skills")` | every `skills/NAME/SKILL.md`, relative to the package's `Cargo.toml`, without manifest and lock |
///
/// Each takes, after a comma,
///
/// - `only = ["name", …]`: those skills and no others. What is not named is neither read nor proved.
/// - `preload = ["name", …]`: a toolbox whose [catalog](Toolbox::catalog) has the bodies of these, and is
///   still one literal. A preload belongs to the toolbox: the set, and other toolboxes over it, have none.
/// - `search = ["unicode", "when_to_use", "body"]`, any of them: what [`SkillSet::search`] finds beside names and
///   descriptions, and whether [words](search::Words) of all languages count. An index of bodies is many times as large.
///
/// With `pub mod skills` before all others the macro stands in the place of an item, and makes a module.
///
/// # Names that the compiler checks
///
/// ```
/// use helix_skills::{Resource, Skill, SkillSet};
///
/// helix_skills::include_skills!(pub mod skills, "examples/agent", preload = ["commit-messages"]);
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
/// A skill or file that upstream renames or removes is then a compile error where your program mentions it:
///
/// ```compile_fail,E0425
/// helix_skills::include_skills!(mod skills, "examples/agent");
/// let skill = skills::COMIT_MESSAGES;
/// ```
///
/// | item | is |
/// |---|---|
/// | `SKILLS: SkillSet<'static>` | all of them |
/// | `TOOLBOX: Toolbox<'static>` | the toolbox over all of them, with what is preloaded |
/// | `CATALOG_TOKENS: usize` | the [estimated tokens](text::estimated_tokens) of the toolbox's catalog |
/// | `NAME: &Skill<'static>` | the skill in `SKILLS`, not a copy of it: any number of places can mention it, and it is in the program once |
/// | `NAME_PATH_OF_THE_FILE: &Resource<'static>` | a file of it other than `SKILL.md` |
///
/// Names are in upper case, with `_` for each character that a Rust identifier cannot hold, and in front where it cannot
/// begin with the first one: `3d-view` is `_3D_VIEW`, its file `docs/a.md` is `_3D_VIEW_DOCS_A_MD`. Two items of one name
/// are an error that names both. The documentation of each item says what it is, how large, and where it comes from.
///
/// The module has the visibility and attributes it is written with; without a doc comment it gets one. A function may
/// have one, too.
///
/// # Where it works
///
/// The macro can be renamed, re-exported by another crate and called by that crate's users; it works in `no_std` crates
/// and under `deny(missing_docs, warnings)`.
///
/// # What is embedded
///
/// The bytes that were hashed: `SKILL.md` as one literal that already is the answer of
/// [`load_skill`](SkillSet::load_skill), every other file once, and the catalog. Each call has one copy of them, in a
/// `static` and in a `const` alike. Debug and release builds embed the same. A skill's name is its key in the lock: renaming changes names, never bytes.
///
/// # When it runs again
///
/// Whenever the lock, a listing or a file that they name changes or goes away, cargo compiles the crate again. A file
/// that was added to a stored skill is an error when the macro runs, but does not make it run: `skills sync --check`
/// finds it at once, and so does `helix_skills_project::build::check()` in a build script. With `dir = "skills"` there is no listing, and an *added* file
/// is noticed if a build script watches the directory: `println!("cargo::rerun-if-changed=skills");`.
///
/// # Errors
///
/// Every one is a compile error at the call. It names the file, what was expected and what was found, and the command
/// that mends it; all of them are told at once.
///
/// ```compile_fail
/// // error: there is no `helix.skills.lock`, and no manifest to make one of
/// let skills = helix_skills::include_skills!("no/such/project");
/// ```
///
/// | what | command |
/// |---|---|
/// | no manifest | `skills init`, `skills add` |
/// | no lock, no store, a listing or a skill missing | `skills sync` |
/// | a stored file, or its listing, differs from the lock; a file that no listing names | `skills sync --restore` |
/// | only its line ends differ | commit `helix.skills/.gitattributes`, then `skills sync --restore` |
/// | the original of a `path` source was edited | `skills sync` |
/// | a lock that is damaged, holds the markers of a merge, or is of a newer version | as the error says |
/// | a `SKILL.md` that is not UTF-8 or has no usable frontmatter | `exclude` it, or mend it |
/// | a name in `only` or `preload` that is not locked | the error lists the names there are, the nearest first |
/// | a skill in `preload` that is not baked, is there twice, or is not for models | as the error says |
/// | two items of one name | `rename` in the manifest |
///
/// A module is there in spite of them, so that nothing that uses it is an error, too. With `dir = "skills"` also: two skills of one name, symbolic links (they are not followed), pipes and devices, paths
/// that some system cannot hold, and a skill that is larger than a lock allows by default (1,000 files, 32 MiB, 16 levels). A call reports at most 100 errors.
///
/// # Limits
///
/// A project, and every file of it, has to have a path that is UTF-8. To be published, the lock, the store and the
/// directories of `path` sources have to lie inside the package; `cargo package` leaves out a directory with a
/// `Cargo.toml` of its own. Hashing costs about 30 ms a megabyte in every build that runs the macro, because cargo
/// compiles macros without optimization; this in the workspace's `Cargo.toml` makes it negligible:
///
/// ```toml
/// [profile.dev.package.hmac-sha256]
/// opt-level = 3
/// ```
#[macro_export]
macro_rules! include_skills {
    ($($input:tt)*) => { $crate::__private::__include_skills! { $crate; $($input)* } };
}
