//! Agents that lie in a directory, one markdown file each.

use crate::{
    Error, ExceededLimit, home,
    load::not_utf8,
    rooted_dir::{EntryKind, OpenFile, RootedDir},
};
use helix_skills_agent::{AsyncToolbox, AsyncToolboxBuilder, Provider};
use helix_skills_format::{Agent, Finding, parse_agent};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

/// The largest file of an agent: its prompt is a part of every request.
const MOST_BYTES: u64 = 1 << 20;
/// The most files of a directory that are looked at.
const MOST_FILES: u64 = 1000;
/// Bytes of all files of a directory that are read: links to one file multiply it.
const MAX_DIRECTORY_BYTES: u64 = 16 << 20;

/// An agent of a file.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LoadedAgent {
    /// The agent: its name, its skills and its prompt.
    pub agent: Agent,
    /// The file.
    pub path: PathBuf,
    /// What is odd and keeps nothing from working.
    pub findings: Vec<Finding>,
}

/// The agents of a directory, each name once, and what is wrong with the rest.
#[derive(Debug, Default)]
pub struct LoadedAgents {
    /// By name, in the order of bytes.
    agents: Vec<LoadedAgent>,
    problems: Vec<Error>,
}

impl LoadedAgents {
    /// The agents, by name.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &LoadedAgent> + DoubleEndedIterator {
        self.agents.iter()
    }

    /// The agent `name`.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&LoadedAgent> {
        let at =
            self.agents.binary_search_by(|loaded| loaded.agent.name.as_str().cmp(name)).ok()?;
        self.agents.get(at)
    }

    /// What was left out, and why: files that are no agents, and agents that another one hides.
    pub fn problems(&self) -> impl ExactSizeIterator<Item = &Error> {
        self.problems.iter()
    }
}

/// Reads an agent: a markdown file with frontmatter. The name of the file is the agent's where it has none.
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
/// When there is no such file, when it has more than 1 MiB, or no frontmatter that can be used.
pub fn load_agent(path: impl AsRef<Path>) -> Result<LoadedAgent, Error> {
    let path = home::expanded(path.as_ref(), None)?;
    read(OpenFile::open(&path)?)
}

/// Reads all agents of a directory: every file whose name ends in `.md`, one level and no deeper; `~` at the beginning is
/// the home of the user. What begins with a dot is not looked at, and nothing is read outside of the directory.
///
/// One file that is no agent breaks nothing but itself. Of two agents of one name that counts whose file has the name, else
/// the first.
///
/// ```
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path();
/// # std::fs::write(path.join("reviewer.md"), "---\nskills: [review-code]\n---\nBe kind.\n").unwrap();
/// # std::fs::write(path.join("README.md"), "# Our agents\n").unwrap();
/// let agents = helix_skills_host::load_agents(path)?; // `workspace/agents`
/// assert_eq!(agents.get("reviewer").unwrap().agent.skills, ["review-code"]);
/// assert!(agents.problems().next().unwrap().to_string().contains("README.md:1:1`: an agent begins with"));
/// # Ok::<(), helix_skills_host::Error>(())
/// ```
///
/// # Errors
/// When the directory cannot be read, has more than 1000 such files, or files with more than 16 MiB
/// in all.
pub fn load_agents(directory: impl AsRef<Path>) -> Result<LoadedAgents, Error> {
    let root = RootedDir::open(&home::expanded(directory.as_ref(), None)?)?;
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
        if names.len() as u64 > MOST_FILES {
            let (path, exceeded) = (root.path_to(Path::new("")), ExceededLimit::Agents);
            return Err(Error::Limit { path, exceeded, limit: MOST_FILES });
        }
    }
    names.sort_unstable(); // directories are read in the order of the disk

    let mut agents: BTreeMap<String, LoadedAgent> = BTreeMap::new();
    let mut problems = Vec::new();
    let mut bytes = 0;
    for name in names {
        let file = root.open_file(Path::new(&name));
        bytes += file.as_ref().map_or(0, |file| file.version.len().min(MOST_BYTES));
        if bytes > MAX_DIRECTORY_BYTES {
            let (path, exceeded) = (root.path_to(Path::new("")), ExceededLimit::AgentBytes);
            return Err(Error::Limit { path, exceeded, limit: MAX_DIRECTORY_BYTES });
        }
        match file.and_then(read) {
            Ok(loaded) => problems.extend(put(&mut agents, loaded)),
            Err(error) => problems.push(error),
        }
    }
    problems.sort_by(|one, other| one.path().cmp(other.path()));
    Ok(LoadedAgents { agents: agents.into_values().collect(), problems })
}

/// Puts an agent beside others; if there is one of its name, says which of the two is hidden.
fn put(agents: &mut BTreeMap<String, LoadedAgent>, loaded: LoadedAgent) -> Option<Error> {
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
    Some(Error::Hidden { path: hidden.path, by: other.path.clone(), name })
}

impl LoadedAgent {
    /// Starts a toolbox of the skills of `provider` that the agent lists. Add a profile, preloads and a
    /// budget, then build it.
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
    /// let toolbox = reviewer.toolbox(SKILLS).profile(Profile::SkillUse).build().await?; // SKILLS, or directories
    /// let prompt = reviewer.agent.prompt_with(toolbox.catalog());
    /// assert!(prompt.starts_with("Be kind.\n\n## Available Skills\n\n- **review-code**: "));
    /// assert_eq!(toolbox.warnings()[0].to_string(), "there is no skill `retired`: the name has no effect");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// # }).unwrap();
    /// ```
    pub fn toolbox<P: Provider>(&self, provider: P) -> AsyncToolboxBuilder<P> {
        AsyncToolbox::builder(provider).allow(&self.agent.skills)
    }

    /// Whether its file has its name.
    fn is_named_after_file(&self) -> bool {
        self.path.file_stem().is_some_and(|stem| stem == self.agent.name.as_str())
    }
}

fn read(file: OpenFile) -> Result<LoadedAgent, Error> {
    let path = file.path().to_owned();
    let bytes = file.read_whole(MOST_BYTES)?;
    let invalid = |findings| Error::Invalid { path: path.clone(), findings };
    let text = std::str::from_utf8(&bytes).map_err(|_| invalid(not_utf8(&bytes)))?;
    let parsed =
        parse_agent(text, path.file_stem().and_then(|stem| stem.to_str())).map_err(invalid)?;
    Ok(LoadedAgent { agent: parsed.agent, path, findings: parsed.findings })
}
