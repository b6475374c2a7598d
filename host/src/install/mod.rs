//! Installs the skills that a program brings into the directories of coding agents.
//!
//! ```
//! use helix_skills_host::install::{CodingAgent, Installer, SkillChange};
//! # use helix_skills::{Skill, SkillSet, skill_set};
//! # const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build();
//! # static SKILLS: SkillSet = skill_set![PDF];
//! # let folder = tempfile::tempdir().unwrap();
//! # let project = folder.path();
//! // static SKILLS: SkillSet = helix_skills::include_skills!();
//! let installer = Installer::new("mytool", SKILLS)
//!     .directory(project) // or `.user()`
//!     .agents([CodingAgent::CODEX, CodingAgent::CLAUDE_CODE]);
//! let report = installer.install()?;
//! let lines: Vec<String> = report.skills().iter().map(ToString::to_string).collect();
//! # #[cfg(unix)]
//! assert_eq!(lines, [
//!     "added pdf (.agents/skills/pdf)",
//!     "added pdf (.claude/skills/pdf -> ../../.agents/skills/pdf)",
//! ]);
//!
//! // The user edits a skill. It is kept until `force(true)`.
//! std::fs::write(project.join(".agents/skills/pdf/SKILL.md"), "mine")?;
//! let report = installer.install()?;
//! assert_eq!(report.skills()[0].change(), SkillChange::Edited);
//! assert!(report.skills()[0].diff().contains("\n+mine"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What happens to a skill
//!
//! Next to the skills is a record of what the program has written, `.PROGRAM.json`, with a digest
//! for each skill. It is compared with the digest of what is there, and of the program's skill:
//!
//! | what is there | what happens | with [`force`](Installer::force) |
//! |---|---|---|
//! | nothing | it is added | |
//! | what the program wrote last | it is updated | |
//! | what the program wrote, and the user edited | it is kept, and the report has the diff | it is replaced: the edits are lost |
//! | nothing, but the program wrote it earlier: the user has removed it | it stays removed | it is added |
//! | a skill, file or link that the program did not write | it is never touched | it is never touched |
//!
//! A skill that the program has written and no longer has is removed, unless it was edited.
//!
//! # Safety
//!
//! A skill is written next to its place and then renamed, so that an agent sees either version. If
//! the program is killed, the next call repairs what is half done. What is moved away is compared
//! with what was found, and put back if it was edited meanwhile. A process waits for up to a
//! minute for another one that installs into the same project, then fails. No link is followed out
//! of the project or home directory: the operating system refuses it, whatever changes meanwhile.
//!
//! # Links
//!
//! Agents read three different directories (see [`CodingAgent`]). A skill is written once, and the
//! other directories have relative links to it; where links are not possible, copies.

mod agents;
mod base;
mod brought;
mod changes;
#[cfg(feature = "clap")]
mod command;
mod diff;
mod found;
mod installer;
mod place;
mod record;
mod report;
mod skills_dir;

use helix_skills_format::__internal::point;

pub use agents::CodingAgent;
#[cfg(feature = "clap")]
pub use command::SkillsCommand;
pub use installer::Installer;
#[doc(hidden)]
pub use installer::installed_differ;
pub use report::{Installation, InstalledSkill, SkillChange};
