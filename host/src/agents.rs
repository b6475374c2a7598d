//! Agents of a directory, one markdown file each.

use crate::{
    Error,
    error::Problem,
    home,
    load::read_text,
    rooted_dir::{EntryKind, OpenFile, RootedDir},
};
use helix_skills_format::{Agent, Parsed, parse_agent};
use std::{
    collections::{BTreeMap, btree_map::Entry},
    path::Path,
};

/// Maximum size of an agent's file, whose prompt is part of every request.
const MAX_AGENT_BYTES: u64 = 1 << 20;
/// Maximum number of agents in a directory.
const MAX_AGENTS: u64 = 1000;
/// Maximum number of bytes in all agents of a directory. Without it, links to one file could
/// multiply its size.
const MAX_DIRECTORY_BYTES: u64 = 16 << 20;

/// Agents by their names, and the problems with other files.
type LoadedAgents = (BTreeMap<String, Parsed<Agent>>, Vec<Error>);

/// Reads an agent from a markdown file with frontmatter. Without `name`, the agent has the name of
/// the file.
///
/// ```
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("reviewer.md");
/// # std::fs::write(&path, "---\nskills: [review-code]\n---\nBe kind.\n").unwrap();
/// let reviewer = helix_skills_host::load_agent(path)?.value;
/// assert_eq!((&*reviewer.name, &*reviewer.prompt), ("reviewer", "Be kind."));
/// assert_eq!(reviewer.skills, ["review-code"]);
/// # Ok::<(), helix_skills_host::Error>(())
/// ```
///
/// A toolbox with the skills that the agent lists; a listed name that no skill has is a warning of
/// the toolbox:
///
/// ```
/// use helix_skills::{AsyncToolbox, Profile, Skill, SkillSet, skill_set};
/// # const REVIEW: Skill = Skill::define("review-code", "Reviews code.", "Read it.").build();
/// # static SKILLS: SkillSet = skill_set![REVIEW];
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("reviewer.md");
/// # std::fs::write(&path, "---\nskills: [review-code, retired]\n---\nBe kind.\n").unwrap();
/// # pollster::block_on(async {
/// let reviewer = helix_skills_host::load_agent(path)?.value;
/// // `SKILLS` may also be `Directories`.
/// let toolbox = AsyncToolbox::builder(SKILLS).allow(&reviewer.skills);
/// let toolbox = toolbox.profile(Profile::SkillUse).build().await?;
/// let prompt = reviewer.prompt_with(toolbox.catalog());
/// assert!(prompt.starts_with("Be kind.\n\n## Available Skills\n\n- **review-code**: "));
/// let warning = toolbox.warnings()[0].to_string();
/// assert_eq!(warning, "there is no skill `retired`: the name has no effect");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # }).unwrap();
/// ```
///
/// # Errors
/// If the file does not exist, exceeds 1 MiB, or has no valid frontmatter.
pub fn load_agent(path: impl AsRef<Path>) -> Result<Parsed<Agent>, Error> {
    let path = home::expand(path.as_ref(), None)?;
    read(OpenFile::open(&path)?)
}

/// Reads all agents of a directory, every file directly in it whose name ends in `.md`, and returns
/// them by their names, and the problems with other files. A leading `~` is the user's home
/// directory. Names that begin with a dot are ignored, and nothing is read outside the directory.
///
/// A file that is not an agent, such as a README, is a problem and does not affect others. If two
/// agents have the same name, the one whose file has that name takes precedence, else the first.
///
/// ```
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path();
/// # let text = "---\nskills: [review-code]\n---\nBe kind.\n";
/// # std::fs::write(path.join("reviewer.md"), text).unwrap();
/// # std::fs::write(path.join("README.md"), "# Our agents\n").unwrap();
/// let (agents, problems) = helix_skills_host::load_agents(path)?; // `workspace/agents`
/// assert_eq!(agents["reviewer"].value.skills, ["review-code"]);
/// let problem = problems[0].to_string();
/// assert!(problem.contains("README.md:1:1`: an agent must begin with"));
/// # Ok::<(), helix_skills_host::Error>(())
/// ```
///
/// # Errors
/// If the directory cannot be read, or has more than 1000 such files or more than 16 MiB in them.
pub fn load_agents(directory: impl AsRef<Path>) -> Result<LoadedAgents, Error> {
    let root = RootedDir::open(&home::expand(directory.as_ref(), None)?)?;
    let too_many = |excess: &str, limit| {
        let (excess, hint) = (excess.to_owned(), "keep agents in a separate directory".to_owned());
        Problem::Limit { excess, limit, hint }.at(root.path_to(Path::new("")))
    };
    let mut names = Vec::new();
    for entry in root.read_dir(Path::new(""))? {
        let (name, kind) = entry?;
        let path = Path::new(&name);
        let is_markdown = path.extension().is_some_and(|end| end.eq_ignore_ascii_case("md"));
        let is_hidden = name.as_encoded_bytes().starts_with(b".");
        let kind = kind.unwrap_or_else(|| root.entry_kind(path));
        if is_markdown && !is_hidden && kind != EntryKind::Directory {
            names.push(name);
        }
        if names.len() as u64 > MAX_AGENTS {
            return Err(too_many("too many agents", MAX_AGENTS));
        }
    }
    names.sort_unstable(); // the order of entries depends on the file system

    let (mut found, mut problems) = (Vec::new(), Vec::new());
    let mut bytes = 0;
    for name in names {
        let name = Path::new(&name);
        let file = root.open_file(name);
        bytes += file.as_ref().map_or(0, |file| file.version.len().min(MAX_AGENT_BYTES));
        if bytes > MAX_DIRECTORY_BYTES {
            return Err(too_many("too many bytes in its agents", MAX_DIRECTORY_BYTES));
        }
        match file.and_then(read) {
            Ok(loaded) => found.push((root.path_to(name), loaded)),
            Err(error) => problems.push(error),
        }
    }
    // Those whose files have their names take precedence.
    found.sort_by_key(|(path, Parsed { value, .. })| {
        path.file_stem().is_none_or(|stem| stem != &*value.name)
    });
    let mut agents = BTreeMap::new();
    for (path, loaded) in found {
        match agents.entry(loaded.value.name.clone()) {
            Entry::Vacant(place) => drop(place.insert((path, loaded))),
            Entry::Occupied(other) => {
                let (by, name) = (other.get().0.clone(), loaded.value.name);
                problems.push(Problem::Hidden { by, name }.at(path));
            }
        }
    }
    problems.sort_by(|one, other| one.path().cmp(&other.path()));
    Ok((agents.into_iter().map(|(name, (_, loaded))| (name, loaded)).collect(), problems))
}

fn read(file: OpenFile) -> Result<Parsed<Agent>, Error> {
    let path = file.path().to_owned();
    let text = read_text(file, MAX_AGENT_BYTES)?;
    let parsed = parse_agent(&text, path.file_stem().and_then(|stem| stem.to_str()));
    parsed.map_err(|findings| Problem::Invalid { findings }.at(path))
}
