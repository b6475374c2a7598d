//! Skills from directories, for agents that run on an operating system.
//!
//! ```
//! use helix_skills_host::{Directories, Root};
//! # let folder = tempfile::tempdir().unwrap();
//! # let home = folder.path();
//! # std::fs::create_dir_all(home.join(".claude/skills/pdf")).unwrap();
//! # let text = "---\nname: pdf\ndescription: Reads PDF files.\n---\nUse it.\n";
//! # std::fs::write(home.join(".claude/skills/pdf/SKILL.md"), text).unwrap();
//!
//! let skills = Directories::new()
//!     .root("~/.claude/skills") // `~/.claude/skills/NAME/SKILL.md`
//!     .root(Root::new("skills").optional()) // overrides skills of the same name
//! #   .home(home)
//!     ;
//! let found = skills.discover()?;
//! for skill in found.iter() {
//!     println!("{}: {} ({})", skill.name(), skill.metadata().description(), skill.skill_md().display());
//! }
//! for problem in found.problems() {
//!     eprintln!("warning: {problem:?}"); // a broken skill affects no other
//! }
//! # assert_eq!(found.iter().map(|skill| skill.name()).collect::<Vec<_>>(), ["pdf"]);
//! # Ok::<(), helix_skills_host::Error>(())
//! ```
//!
//! - [`Directories`] is a [`Provider`](helix_skills_agent::Provider) for an
//!   [`AsyncToolbox`](helix_skills_agent::AsyncToolbox), alone or together with embedded skills in
//!   [`Providers`](helix_skills_agent::Providers). Changes on disk appear in the next
//!   conversation's catalog and in the next answer.
//! - [`load_skill`] reads a whole skill: a directory, checked by the rules for authors, or a single
//!   markdown file. [`read_metadata`] reads only its frontmatter.
//! - [`load_agents`] reads the agents of a directory. Each has a prompt and a list of the skills it
//!   may use.
//! - [`EnabledFile`] stores which skills are turned off, in a file outside the skills.
//! - [`Directories::mount`] lists which files to upload into a sandbox, and has the prompt text for
//!   a model that reads the skills there.
//! - A [`SharedRegistry`] contains skills that a program registers and removes while it runs. Any
//!   thread can use it, and subscribers get its changes.
//! - [`Materialized`] writes the skills of another provider, or embedded ones, into private
//!   directories, so that `${SKILL_DIR}` and scripts work.
//! - A [`SystemShell`] runs the commands of skill bodies, and a [`ScriptRunner`] the scripts of
//!   skills, in an [`AsyncToolbox`](helix_skills_agent::AsyncToolbox) that is built with them.
//!
//! ```
//! use helix_skills::{AsyncToolbox, Profile};
//! use helix_skills_host::{Directories, ScriptRunner, SystemShell};
//! # let folder = tempfile::tempdir().unwrap();
//! # let path = folder.path();
//! # std::fs::create_dir(path.join("greet")).unwrap();
//! # let text = "---\nname: greet\ndescription: Greets.\n---\nSay !`echo hello` to $0.\n";
//! # std::fs::write(path.join("greet/SKILL.md"), text).unwrap();
//! # #[cfg(unix)]
//! # pollster::block_on(async {
//! let toolbox = AsyncToolbox::builder(Directories::new().root(path))
//!     .profile(Profile::Agentick)
//!     .shell(SystemShell::new()) // or a `ShellContext` with limits, approvals and variables
//!     .scripts(ScriptRunner::new())
//!     .build()
//!     .await?;
//! let names: Vec<_> = toolbox.tools(["bash"])?.into_iter().map(|tool| tool.name).collect();
//! assert_eq!(names, ["skill", "skill_run_script"]);
//! let call = r#"{"name": "greet", "args": "Ada"}"#;
//! let reply = toolbox.call("skill", call).await.expect("our tool");
//! assert_eq!(reply.to_string(), "Say hello\n to Ada.");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # }).unwrap();
//! ```
//!
//! The module `install` (feature `install`) installs the skills of a program in the directories of
//! coding agents, and has the commands for it (feature `clap`). `json_schema` (feature
//! `jsonschema`) checks results and inputs of runs against their JSON Schema.
//!
//! Nothing outside a root is read, except through links into directories of
//! [`Directories::follow_links_into`]: the opened file is checked, not its path. Nothing is
//! executed without a shell or a runner. Only `install`, [`EnabledFile`] and [`Materialized`] write
//! files.
//!
//! Public signatures name no types of other crates, except those of this project.

#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod agents;
mod directories;
mod discovered;
mod enabled;
mod error;
mod file_version;
mod frontmatter;
mod home;
#[cfg(feature = "install")]
pub mod install;
mod load;
mod lock;
mod materialized;
mod process;
mod registry;
mod root;
mod rooted_dir;
mod scripts;
mod search;
mod shell;
mod skill_contents;
mod skill_files;
#[cfg(feature = "jsonschema")]
mod validator;

pub use agents::{load_agent, load_agents};
pub use directories::{Directories, MountedSkills, Upload};
pub use discovered::{Discovered, DiscoveredSkill};
pub use enabled::EnabledFile;
pub use error::{Error, ErrorKind};
pub use frontmatter::read_metadata;
pub use load::load_skill;
pub use materialized::Materialized;
pub use process::Environment;
pub use registry::{LoadedSkills, SharedRegistry};
pub use root::Root;
pub use scripts::{ScriptRun, ScriptRunner};
pub use shell::SystemShell;
#[cfg(feature = "jsonschema")]
pub use validator::json_schema;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeDoctests;
