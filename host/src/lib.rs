//! Skills of directories, for agents that have an operating system.
//!
//! ```
//! use helix_skills_host::{Directories, Root};
//! # let folder = tempfile::tempdir().unwrap();
//! # let home = folder.path();
//! # std::fs::create_dir_all(home.join(".claude/skills/pdf")).unwrap();
//! # std::fs::write(home.join(".claude/skills/pdf/SKILL.md"), "---\nname: pdf\ndescription: Reads PDF files.\n---\nUse it.\n").unwrap();
//!
//! let skills = Directories::new()
//!     .root("~/.claude/skills") // `~/.claude/skills/NAME/SKILL.md`
//!     .root(Root::new("skills").optional()) // a skill of the last root that has its name counts
//! #   .home(home)
//!     ;
//! let found = skills.discover()?;
//! for skill in found.iter() {
//!     println!("{}: {} ({})", skill.name(), skill.description(), skill.skill_md().display());
//! }
//! for problem in found.problems() {
//!     eprintln!("warning: {problem:?}"); // a skill that cannot be read breaks nothing but itself
//! }
//! # assert_eq!(found.iter().map(|skill| skill.name()).collect::<Vec<_>>(), ["pdf"]);
//! # Ok::<(), helix_skills_host::Error>(())
//! ```
//!
//! - [`Directories`] is a [`Provider`](helix_skills_agent::Provider): give it to a
//!   [`AsyncToolbox`](helix_skills_agent::AsyncToolbox), alone or beside baked skills in
//!   [`Providers`](helix_skills_agent::Providers). What changes on the disk is in the next conversation's catalog, and in the
//!   next answer.
//! - [`load_skill`] reads one skill whole, a directory by the rules for authors or a single markdown file;
//!   [`read_metadata`] no more of it than its frontmatter.
//! - [`load_agents`] reads the agents of a directory: each has a prompt, and a list of the skills it may use.
//! - [`EnabledFile`] keeps outside of the skills which of them are turned off.
//! - [`Mounts`] says what of the skills to upload into a sandbox, and what to tell a model that reads them there.
//! - A [`SharedRegistry`] has the skills that an application registers and removes while it runs, in any thread, and tells of
//!   changes.
//! - [`Materialized`] writes the skills of another provider, baked ones too, into private directories, so that `${SKILL_DIR}` and scripts
//!   work.
//! - A [`SystemShell`] runs the commands of bodies, and a [`ScriptRunner`] the scripts of skills, in an
//!   [`AsyncToolbox`](helix_skills_agent::AsyncToolbox) that is built with them.
//!
//! ```
//! use helix_skills::{AsyncToolbox, Profile, live::LiveContext};
//! use helix_skills_host::{Directories, ScriptRunner, SystemShell};
//! # let folder = tempfile::tempdir().unwrap();
//! # let path = folder.path();
//! # std::fs::create_dir(path.join("greet")).unwrap();
//! # std::fs::write(path.join("greet/SKILL.md"), "---\nname: greet\ndescription: Greets.\n---\nSay !`echo hello` to $0.\n").unwrap();
//! # #[cfg(unix)]
//! # pollster::block_on(async {
//! let toolbox = AsyncToolbox::builder(Directories::new().root(path))
//!     .profile(Profile::Agentick)
//!     .shell(LiveContext::new(SystemShell::new()).session("s-1")) // or just `SystemShell::new()`
//!     .scripts(ScriptRunner::new())
//!     .build()
//!     .await?;
//! let names: Vec<_> = toolbox.tools(["bash"])?.into_iter().map(|tool| tool.name).collect();
//! assert_eq!(names, ["skill", "skill_run_script"]);
//! let reply = toolbox.call("skill", r#"{"name": "greet", "args": "Ada"}"#).await.expect("a tool of ours");
//! assert_eq!(reply.as_str(), "Say hello\n to Ada.");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # }).unwrap();
//! ```
//!
//! `JsonSchemaValidator`, of the feature `jsonschema`, checks results and inputs of runs against their
//! JSON Schema.
//!
//! Nothing outside of a root is read, wherever links lead: the file that was opened is checked, not its
//! path. Nothing is executed without a shell or a runner, and nothing is written except
//! [`Materialized`] skills, into temporary directories.

//! No public signature names a type of another crate, except those of the other crates of this
//! project.

#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod agents;
mod directories;
mod discovered;
mod enabled;
mod error;
mod error_details;
mod file_version;
mod frontmatter;
mod home;
mod load;
mod materialized;
mod mounts;
mod process;
mod registry;
mod root;
mod rooted_dir;
mod scripts;
mod shell;
mod skill_files;
#[cfg(feature = "jsonschema")]
mod validator;

pub use agents::{LoadedAgent, LoadedAgents, load_agent, load_agents};
pub use directories::Directories;
pub use discovered::{Discovered, DiscoveredSkill};
pub use enabled::EnabledFile;
pub use error::Error;
pub use error_details::{EnabledFileError, ExceededLimit, MountError, SkillPathError};
pub use frontmatter::read_metadata;
pub use load::{DiskSkill, load_skill};
pub use materialized::{Materialized, MaterializedSkill};
pub use mounts::{LeftOut, LeftOutReason, MountedSkills, Mounts, SkillPathMapping, Upload};
pub use process::{Environment, ProcessError};
pub use registry::{SharedRegistry, Subscription};
pub use root::Root;
pub use scripts::{
    ScriptCall, ScriptCallError, ScriptError, ScriptOutput, ScriptRun, ScriptRunner,
};
pub use shell::SystemShell;
#[cfg(feature = "jsonschema")]
pub use validator::JsonSchemaValidator;
