//! The coding agents and the directories in which they look for skills.

use std::fmt;

/// A coding agent, and with it a directory of skills.
///
/// The directory is the same below a project and below the user's home directory:
///
/// | directory | agents |
/// |---|---|
/// | `.agents/skills` | Codex, Copilot, Cursor, Gemini CLI, goose, OpenCode, Zed |
/// | `.claude/skills` | Claude Code |
/// | `.kiro/skills` | Kiro |
///
/// ```
/// use helix_skills_host::install::CodingAgent;
/// assert_eq!(CodingAgent::Claude.directory(), ".claude/skills");
/// assert_eq!(CodingAgent::Cursor.directory(), CodingAgent::Codex.directory());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum CodingAgent {
    /// Claude Code.
    Claude,
    /// Codex.
    Codex,
    /// GitHub Copilot.
    Copilot,
    /// Cursor.
    Cursor,
    /// Gemini CLI.
    Gemini,
    /// goose.
    Goose,
    /// Kiro.
    Kiro,
    /// OpenCode.
    OpenCode,
    /// Zed.
    Zed,
}

/// All directories, the one that most agents read first.
pub(super) const DIRECTORIES: [&str; 3] = [COMMON, ".claude/skills", ".kiro/skills"];

/// The directory that most agents read.
pub(super) const COMMON: &str = ".agents/skills";

impl CodingAgent {
    /// All agents, sorted by name.
    pub const ALL: [Self; 9] = [
        Self::Claude,
        Self::Codex,
        Self::Copilot,
        Self::Cursor,
        Self::Gemini,
        Self::Goose,
        Self::Kiro,
        Self::OpenCode,
        Self::Zed,
    ];

    /// Returns the name on a command line, in lower case.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Claude => "claude",
            Self::Codex => "codex",
            Self::Copilot => "copilot",
            Self::Cursor => "cursor",
            Self::Gemini => "gemini",
            Self::Goose => "goose",
            Self::Kiro => "kiro",
            Self::OpenCode => "opencode",
            Self::Zed => "zed",
        }
    }

    /// Returns the directory of skills, relative to a project or to the home directory.
    #[must_use]
    pub const fn directory(self) -> &'static str {
        match self {
            Self::Claude => ".claude/skills",
            Self::Kiro => ".kiro/skills",
            _ => COMMON,
        }
    }
}

impl fmt::Display for CodingAgent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(feature = "clap")]
impl clap::ValueEnum for CodingAgent {
    fn value_variants<'a>() -> &'a [Self] {
        &Self::ALL
    }

    fn to_possible_value(&self) -> Option<clap::builder::PossibleValue> {
        // The names of the npm package `skills` are accepted as well.
        let alias = match self {
            Self::Claude => Some("claude-code"),
            Self::Copilot => Some("github-copilot"),
            Self::Gemini => Some("gemini-cli"),
            Self::Kiro => Some("kiro-cli"),
            _ => None,
        };
        Some(clap::builder::PossibleValue::new(self.name()).aliases(alias))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_agent_has_a_name_and_a_known_directory() {
        for agent in CodingAgent::ALL {
            assert!(agent.name().bytes().all(|b| b.is_ascii_lowercase()), "{agent}");
            assert!(DIRECTORIES.contains(&agent.directory()), "{agent}");
        }
        assert!(CodingAgent::ALL.is_sorted_by_key(|agent| agent.name()));
    }
}
