//! Agents of a directory, one markdown file each.

use crate::{
    Error,
    error::{ExceededLimit, Problem},
    home,
    load::not_utf8,
    rooted_dir::{EntryKind, OpenFile, RootedDir},
};
use helix_skills_agent::{AsyncToolbox, AsyncToolboxBuilder, Provider};
use helix_skills_format::{Agent, Finding, parse_agent};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

/// Maximum size of an agent's file, whose prompt is part of every request.
const MAX_AGENT_BYTES: u64 = 1 << 20;
/// Maximum number of agents in a directory.
const MAX_AGENTS: u64 = 1000;
/// Maximum number of bytes in all agents of a directory. Without it, links to one file could
/// multiply its size.
const MAX_DIRECTORY_BYTES: u64 = 16 << 20;

/// An agent that was loaded from a file.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LoadedAgent {
    /// The name, skills and prompt of the agent.
    pub agent: Agent,
    /// The file.
    pub path: PathBuf,
    /// Warnings about the agent.
    pub findings: Vec<Finding>,
}

/// The agents of a directory, and the problems with other files.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct LoadedAgents {
    /// The agents, keyed by name.
    pub agents: BTreeMap<String, LoadedAgent>,
    /// What was left out, and why: files that are not agents, and agents that another one hides.
    pub problems: Vec<Error>,
}

/// Reads an agent from a markdown file with frontmatter. Without `name`, the agent has the name of
/// the file.
///
/// ```
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("reviewer.md");
/// # std::fs::write(&path, "---\nskills: [review-code]\n---\nBe kind.\n").unwrap();
/// let loaded = helix_skills_host::load_agent(path)?;
/// assert_eq!((&*loaded.agent.name, &*loaded.agent.prompt), ("reviewer", "Be kind."));
/// assert_eq!(loaded.agent.skills, ["review-code"]);
/// # Ok::<(), helix_skills_host::Error>(())
/// ```
///
/// # Errors
/// If the file does not exist, exceeds 1 MiB, or has no valid frontmatter.
pub fn load_agent(path: impl AsRef<Path>) -> Result<LoadedAgent, Error> {
    let path = home::expand(path.as_ref(), None)?;
    read(OpenFile::open(&path)?)
}

/// Reads all agents of a directory: every file directly in it whose name ends in `.md`. A leading
/// `~` is the user's home directory. Names that begin with a dot are ignored, and nothing is read
/// outside the directory.
///
/// A file that is not an agent, such as a README, is one of the [problems](LoadedAgents::problems)
/// and does not affect others. If two agents have the same name, the one whose file has that name
/// takes precedence, else the first.
///
/// ```
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path();
/// # let text = "---\nskills: [review-code]\n---\nBe kind.\n";
/// # std::fs::write(path.join("reviewer.md"), text).unwrap();
/// # std::fs::write(path.join("README.md"), "# Our agents\n").unwrap();
/// let agents = helix_skills_host::load_agents(path)?; // `workspace/agents`
/// assert_eq!(agents.agents["reviewer"].agent.skills, ["review-code"]);
/// let problem = agents.problems[0].to_string();
/// assert!(problem.contains("README.md:1:1`: an agent must begin with"));
/// # Ok::<(), helix_skills_host::Error>(())
/// ```
///
/// # Errors
/// If the directory cannot be read, or has more than 1000 such files or more than 16 MiB in them.
pub fn load_agents(directory: impl AsRef<Path>) -> Result<LoadedAgents, Error> {
    let root = RootedDir::open(&home::expand(directory.as_ref(), None)?)?;
    let mut names = Vec::new();
    for entry in root.read_dir(Path::new(""))? {
        let (name, kind) = entry?;
        let is_markdown = Path::new(&name)
            .extension()
            .is_some_and(|extension| extension.eq_ignore_ascii_case("md"));
        let is_hidden = name.as_encoded_bytes().starts_with(b".");
        if is_markdown
            && !is_hidden
            && kind.unwrap_or_else(|| root.entry_kind(Path::new(&name))) != EntryKind::Directory
        {
            names.push(name);
        }
        if names.len() as u64 > MAX_AGENTS {
            let (path, exceeded) = (root.path_to(Path::new("")), ExceededLimit::Agents);
            return Err(Problem::Limit { exceeded, limit: MAX_AGENTS }.at(path));
        }
    }
    names.sort_unstable(); // the order of entries depends on the file system

    let mut agents: BTreeMap<String, LoadedAgent> = BTreeMap::new();
    let mut problems = Vec::new();
    let mut bytes = 0;
    for name in names {
        let file = root.open_file(Path::new(&name));
        bytes += file.as_ref().map_or(0, |file| file.version.len().min(MAX_AGENT_BYTES));
        if bytes > MAX_DIRECTORY_BYTES {
            let (path, exceeded) = (root.path_to(Path::new("")), ExceededLimit::AgentBytes);
            return Err(Problem::Limit { exceeded, limit: MAX_DIRECTORY_BYTES }.at(path));
        }
        match file.and_then(read) {
            Ok(loaded) => problems.extend(insert(&mut agents, loaded)),
            Err(error) => problems.push(error),
        }
    }
    problems.sort_by(|one, other| one.path().cmp(&other.path()));
    Ok(LoadedAgents { agents, problems })
}

/// Inserts an agent. If there is one of its name, returns an error about the hidden one.
fn insert(agents: &mut BTreeMap<String, LoadedAgent>, loaded: LoadedAgent) -> Option<Error> {
    let name = loaded.agent.name.clone();
    let Some(other) = agents.get_mut(&name) else {
        agents.insert(name, loaded);
        return None;
    };
    let hidden = if loaded.is_named_after_file() && !other.is_named_after_file() {
        std::mem::replace(other, loaded)
    } else {
        loaded
    };
    Some(Problem::Hidden { by: other.path.clone(), name }.at(hidden.path))
}

impl LoadedAgent {
    /// Returns a builder for a toolbox with the skills of `provider` that the agent lists. Profile,
    /// preloads and a budget can be added before it is built.
    ///
    /// A listed name that no skill has is a warning of the toolbox.
    ///
    /// ```
    /// use helix_skills::{Profile, Skill, SkillSet, skill_set};
    /// # const REVIEW: Skill = Skill::define("review-code", "Reviews code.", "Read it.").build();
    /// # static SKILLS: SkillSet = skill_set![REVIEW];
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let path = folder.path().join("reviewer.md");
    /// # std::fs::write(&path, "---\nskills: [review-code, retired]\n---\nBe kind.\n").unwrap();
    /// # pollster::block_on(async {
    /// let reviewer = helix_skills_host::load_agent(path)?;
    /// // `SKILLS` may also be `Directories`.
    /// let toolbox = reviewer.toolbox(SKILLS).profile(Profile::SkillUse).build().await?;
    /// let prompt = reviewer.agent.prompt_with(toolbox.catalog());
    /// assert!(prompt.starts_with("Be kind.\n\n## Available Skills\n\n- **review-code**: "));
    /// let warning = toolbox.warnings()[0].to_string();
    /// assert_eq!(warning, "there is no skill `retired`: the name has no effect");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// # }).unwrap();
    /// ```
    pub fn toolbox<P: Provider>(&self, provider: P) -> AsyncToolboxBuilder<P> {
        AsyncToolbox::builder(provider).allow(&self.agent.skills)
    }

    /// Returns whether its file has its name.
    fn is_named_after_file(&self) -> bool {
        self.path.file_stem().is_some_and(|stem| stem == self.agent.name.as_str())
    }
}

fn read(file: OpenFile) -> Result<LoadedAgent, Error> {
    let path = file.path().to_owned();
    let bytes = file.read_whole(MAX_AGENT_BYTES)?;
    let invalid = |findings| Problem::Invalid { findings }.at(path.clone());
    let text = std::str::from_utf8(&bytes).map_err(|_| invalid(not_utf8(&bytes)))?;
    let parsed =
        parse_agent(text, path.file_stem().and_then(|stem| stem.to_str())).map_err(invalid)?;
    Ok(LoadedAgent { agent: parsed.value, path, findings: parsed.findings })
}
