//! What an installation has done, or would do.

use serde::Serialize;
use serde_json::{Value, json};
use std::fmt;

/// What [`Installer`](super::Installer) has done with each skill, or would do in a dry run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Installation {
    pub(super) skills: Vec<InstalledSkill>,
    pub(super) warnings: Vec<String>,
    pub(super) is_dry_run: bool,
}

/// A skill in one directory.
///
/// `Display` is one line, such as `added pdf (.agents/skills/pdf)`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct InstalledSkill {
    pub(super) name: String,
    pub(super) path: String,
    #[serde(skip)]
    pub(super) program: String,
    pub(super) change: SkillChange,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) link: Option<String>,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) diff: String,
}

/// What happens to a skill in one directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum SkillChange {
    /// Written; nothing was there.
    Added,
    /// Replaced by the version that the program brings.
    Updated,
    /// Removed: the program no longer brings it, or was asked to uninstall it.
    Removed,
    /// Already as the program brings it.
    Unchanged,
    /// Kept, because the user has edited it. `force` replaces or removes it.
    Edited,
    /// Not written, because the user has removed it. `force` writes it again.
    Deleted,
    /// Not written, because the program did not write what is there. Not even `force` touches it:
    /// the user has to move it away.
    Foreign,
}

impl SkillChange {
    /// Returns the name in JSON documents, such as `added`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Updated => "updated",
            Self::Removed => "removed",
            Self::Unchanged => "unchanged",
            Self::Edited => "edited",
            Self::Deleted => "deleted",
            Self::Foreign => "foreign",
        }
    }
}

impl Installation {
    /// Returns the skills, by directory and name.
    #[must_use]
    pub fn skills(&self) -> &[InstalledSkill] {
        &self.skills
    }

    /// Returns whether nothing is left to do: each skill is as the program brings it, or as the
    /// user has edited or removed it.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.skills.iter().all(|skill| match skill.change {
            SkillChange::Added | SkillChange::Updated | SkillChange::Removed => !self.is_dry_run,
            SkillChange::Unchanged | SkillChange::Edited | SkillChange::Deleted => true,
            SkillChange::Foreign => false,
        })
    }

    /// Returns what a coding agent may not read as intended: a directory that an agent does not
    /// read, a skill with another name in its `SKILL.md`, a description that is too long.
    #[must_use]
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Returns the fields of a JSON document: `dryRun`, `complete`, `warnings` and `skills`, each
    /// with `name`, `path`, `change`, and `link` and `diff` if it has them.
    #[must_use]
    pub fn to_json(&self) -> Value {
        json!({
            "dryRun": self.is_dry_run,
            "complete": self.is_complete(),
            "warnings": self.warnings,
            "skills": self.skills,
        })
    }
}

impl InstalledSkill {
    /// Returns the name of the skill.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the path of its directory, as a user types it: relative to the project
    /// (`.agents/skills/pdf`), below the home directory (`~/.agents/skills/pdf`) or absolute.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Returns what happened to it.
    #[must_use]
    pub fn change(&self) -> SkillChange {
        self.change
    }

    /// Returns the target of its link, if the skill is a link to a copy in another directory.
    #[must_use]
    pub fn link(&self) -> Option<&str> {
        self.link.as_deref()
    }

    /// Returns, for an [edited](SkillChange::Edited) skill that the program brings, the unified
    /// diff from what is brought to what is there, with the edits as `+` lines, for the files that
    /// the user has edited; otherwise an empty text.
    #[must_use]
    pub fn diff(&self) -> &str {
        &self.diff
    }
}

impl fmt::Display for InstalledSkill {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, path, program, .. } = self;
        write!(f, "{} {name} ({path}", self.change.as_str())?;
        match (&self.link, self.change) {
            (Some(link), SkillChange::Added | SkillChange::Updated) => write!(f, " -> {link})"),
            (_, SkillChange::Edited) => {
                write!(f, "): it was edited since {program} wrote it, and is kept")
            }
            (_, SkillChange::Deleted) => {
                write!(f, "): it was removed since {program} wrote it, and stays removed")
            }
            (_, SkillChange::Foreign) => write!(f, "): {program} did not write what is there"),
            _ => f.write_str(")"),
        }
    }
}
