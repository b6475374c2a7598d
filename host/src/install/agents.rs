//! The coding agents and the directories in which they look for skills.

use std::{fmt, path::PathBuf};

/// A coding agent, and with it a directory of skills.
///
/// | directory | agents |
/// |---|---|
/// | `.agents/skills` | Codex, Copilot, Cursor, Gemini CLI, goose, OpenCode, Zed |
/// | `.claude/skills` | Claude Code |
/// | `.kiro/skills` | Kiro |
///
/// The directory is the same in a project and, for all projects of a user, in the home directory,
/// where `CLAUDE_CONFIG_DIR` and `CODEX_HOME` replace `.claude` and the directory of Codex.
///
/// ```
/// use helix_skills_host::install::CodingAgent;
/// assert_eq!(CodingAgent::CLAUDE_CODE.to_string(), "claude-code");
/// // Any other agent: its name, and its directories in a project and in the home directory.
/// let windsurf = CodingAgent::new("windsurf", ".windsurf/skills", ".codeium/windsurf/skills");
/// assert!(!CodingAgent::ALL.contains(&windsurf));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CodingAgent {
    name: &'static str,
    pub(super) title: &'static str,
    pub(super) project: &'static str,
    pub(super) user: &'static str,
    /// The environment variable with the agent's own directory, which has `skills`.
    variable: &'static str,
}

/// The directory that most agents read.
pub(super) const COMMON: &str = ".agents/skills";

impl CodingAgent {
    /// Claude Code.
    pub const CLAUDE_CODE: Self =
        Self::known("claude-code", "Claude Code", ".claude/skills", "CLAUDE_CONFIG_DIR");
    /// Codex.
    pub const CODEX: Self = Self::known("codex", "Codex", COMMON, "CODEX_HOME");
    /// Cursor.
    pub const CURSOR: Self = Self::known("cursor", "Cursor", COMMON, "");
    /// Gemini CLI.
    pub const GEMINI_CLI: Self = Self::known("gemini-cli", "Gemini CLI", COMMON, "");
    /// GitHub Copilot.
    pub const GITHUB_COPILOT: Self = Self::known("github-copilot", "GitHub Copilot", COMMON, "");
    /// goose.
    pub const GOOSE: Self = Self::known("goose", "goose", COMMON, "");
    /// Kiro.
    pub const KIRO_CLI: Self = Self::known("kiro-cli", "Kiro", ".kiro/skills", "");
    /// OpenCode.
    pub const OPENCODE: Self = Self::known("opencode", "OpenCode", COMMON, "");
    /// Zed.
    pub const ZED: Self = Self::known("zed", "Zed", COMMON, "");

    /// All known agents, sorted by name. The names are those of the npm package `skills`.
    pub const ALL: [Self; 9] = [
        Self::CLAUDE_CODE,
        Self::CODEX,
        Self::CURSOR,
        Self::GEMINI_CLI,
        Self::GITHUB_COPILOT,
        Self::GOOSE,
        Self::KIRO_CLI,
        Self::OPENCODE,
        Self::ZED,
    ];

    /// Creates an agent from its name, and its directories of skills in a project and in the home
    /// directory. Both are relative, separated by `/`, and without `..`. An
    /// [`Installer`](super::Installer) knows such an agent only if it is
    /// [passed](super::Installer::agents).
    #[must_use]
    pub const fn new(name: &'static str, project: &'static str, user: &'static str) -> Self {
        Self { name, title: name, project, user, variable: "" }
    }

    /// Returns the agent's own directory, if its environment variable is set.
    pub(super) fn own_directory(self) -> Option<PathBuf> {
        std::env::var_os(self.variable).filter(|own| !own.is_empty()).map(PathBuf::from)
    }

    const fn known(
        name: &'static str,
        title: &'static str,
        directory: &'static str,
        variable: &'static str,
    ) -> Self {
        Self { title, variable, ..Self::new(name, directory, directory) }
    }
}

impl fmt::Display for CodingAgent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name)
    }
}

#[cfg(feature = "clap")]
impl clap::ValueEnum for CodingAgent {
    fn value_variants<'a>() -> &'a [Self] {
        &Self::ALL
    }

    fn to_possible_value(&self) -> Option<clap::builder::PossibleValue> {
        // `claude`, `copilot`, `gemini` and `kiro` are accepted as well.
        let short = self.name.trim_start_matches("github-").trim_end_matches("-code");
        let short = short.trim_end_matches("-cli");
        let alias = (short != self.name).then_some(short);
        Some(clap::builder::PossibleValue::new(self.name).aliases(alias))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_agents_have_names_and_directories() {
        for agent in CodingAgent::ALL {
            let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte == b'-';
            assert!(agent.name.bytes().all(is_plain), "{agent}");
            assert!(agent.project.ends_with("/skills") && agent.user.ends_with("/skills"));
        }
        assert!(CodingAgent::ALL.is_sorted_by_key(|agent| agent.name));
    }
}
