//! What a skill does, against the tools that it says it needs.

use super::{
    excerpt::excerpt,
    scripts::{Deed, Sights},
};
use helix_skills_format::{Code, Finding, Position};

/// What is done in the files of a skill: the first place for each tool that it takes.
#[derive(Debug, Default)]
pub(super) struct Needs {
    /// Another program, or the network by way of a script: a shell.
    shell: Option<String>,
    /// The SKILL.md, by the name it has.
    skill_md: Option<String>,
}

/// What systems call the tool that runs commands.
const SHELLS: [&str; 11] = [
    "bash",
    "shell",
    "powershell",
    "terminal",
    "execute",
    "exec",
    "run_command",
    "run_shell_command",
    "execute_command",
    "runterminalcommand",
    "*",
];

impl Needs {
    pub(super) fn take(&mut self, path: &str, text: &str, sights: &Sights) {
        let is_skill = helix_skills_format::SkillMd::is_file_name(path);
        if is_skill {
            self.skill_md = Some(path.to_owned());
        }
        // Other texts only speak of commands.
        if self.shell.is_some() || (!is_skill && super::is_markdown(path)) {
            return;
        }
        let deeds = if is_skill { &[Deed::Program][..] } else { &[Deed::Program, Deed::Network, Deed::Install] };
        self.shell = sights.first(deeds).map(|sight| {
            let line = Position::of(text, sight.at).line;
            format!("{} of `{path}` (line {line})", excerpt(&sight.what))
        });
    }

    /// Tells of what is needed and not allowed. Who allows nothing in particular allows everything.
    pub(super) fn compare(self, allowed_tools: impl FnOnce() -> Option<Vec<String>>) -> Option<Finding> {
        let (what, skill_md) = (self.shell?, self.skill_md?);
        let rules = allowed_tools()?;
        let tool = |rule: &str| rule.split('(').next().unwrap_or(rule).trim().to_ascii_lowercase();
        if rules.iter().any(|rule| SHELLS.contains(&tool(rule).as_str())) {
            return None;
        }
        let message = format!("`allowed-tools` has no `Bash`, though {what} needs a shell");
        let finding = Finding::new(Code::UndeclaredTool, None, message).in_file(skill_md);
        Some(finding.hint("a skill that says less than it does deserves a look: read the script"))
    }
}
