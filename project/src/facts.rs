//! Facts about a skill that its reviewer looks at first.

use crate::SourceFile;
use helix_skills_format::SkillMd;
use helix_skills_runtime::Template;

/// What a skill can run, and which of its files are not text.
///
/// These are facts, not judgments: a skill without commands, scripts and binary files can still ask
/// a model for anything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SkillFacts {
    /// The commands in its body, which run when it is loaded by an agent with a shell.
    pub commands: Vec<String>,
    /// The rules of its `allowed-tools`.
    pub allowed_tools: Vec<String>,
    /// The paths of its files in `scripts/`, and of those that begin with `#!`.
    pub scripts: Vec<String>,
    /// The paths of its files that are not UTF-8 text.
    pub binary_files: Vec<String>,
}

impl SkillFacts {
    /// Returns the facts about a skill with these files.
    pub(crate) fn new(skill: &SkillMd, files: &[SourceFile]) -> Self {
        let mut facts = Self::default();
        let file = files.iter().find(|file| SkillMd::is_file_name(&file.path));
        let text = file.and_then(|file| std::str::from_utf8(&file.bytes).ok());
        if let Some(body) = text.and_then(|text| text.get(skill.layout.body.clone())) {
            facts.commands = Template::new(body).commands().map(str::to_owned).collect();
        }
        if let Some(tools) = skill.allowed_tools() {
            facts.allowed_tools = tools.iter().map(ToString::to_string).collect();
        }
        for file in files {
            let path = file.path.to_string();
            if std::str::from_utf8(&file.bytes).is_err() || file.bytes.contains(&0) {
                facts.binary_files.push(path.clone());
            }
            if path.starts_with("scripts/") || file.bytes.starts_with(b"#!") {
                facts.scripts.push(path);
            }
        }
        facts
    }
}
