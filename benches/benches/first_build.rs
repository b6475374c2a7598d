//! The first dev build of an agent: crates and user seconds, next to `include_dir!` and
//! `rust-embed`.
//!
//! ```console
//! $ cargo bench --manifest-path benches/Cargo.toml --bench first_build
//! ```
//!
//! Each agent embeds the same few skills and prints one of their files; ours asks for it with a
//! tool call. In each round all of them are built from an empty target directory, one after the
//! other. A row is the median of the rounds. Linux only, where the system reports the time that
//! children took.
#![allow(clippy::print_stdout)]

use helix_skills_benches::{Dice, Vocabulary, run, user_seconds_of_children};
use std::{
    env,
    error::Error,
    fs, io,
    path::{Path, PathBuf},
    process::Command,
};

/// An odd number, for the median.
const ROUNDS: usize = 5;

/// An agent's name, its dependency and its program. `DIRECTORY` is replaced by the directory of the
/// skills, `OURS` by that of this repository. The first agent is the baseline.
const AGENTS: [(&str, &str, &str); 3] = [
    (
        "include_dir",
        "include_dir = \"0.7\"",
        "static ALL: include_dir::Dir = include_dir::include_dir!(\"DIRECTORY\");
fn main() {
    let path = std::env::args().nth(1).unwrap_or_default();
    println!(\"{:?}\", ALL.get_file(&path).and_then(|file| file.contents_utf8()));
}
",
    ),
    (
        "rust-embed",
        "rust-embed = { version = \"8\", features = [\"debug-embed\"] }",
        "#[derive(rust_embed::RustEmbed)]
#[folder = \"DIRECTORY\"]
struct All;
fn main() {
    let path = std::env::args().nth(1).unwrap_or_default();
    println!(\"{:?}\", All::get(&path).map(|file| file.data));
}
",
    ),
    (
        "helix-skills",
        "helix-skills = { path = \"OURS\" }",
        "use helix_skills::{SkillSet, Toolbox, include_skills};
static SKILLS: SkillSet = include_skills!(dir = \"DIRECTORY\");
fn main() {
    let arguments = std::env::args().nth(1).unwrap_or_default();
    if let Some(reply) = Toolbox::new(SKILLS).call(\"read_skill_file\", &arguments) {
        println!(\"{reply}\");
    }
}
",
    ),
];

fn main() -> Result<(), Box<dyn Error>> {
    let temporary = tempfile::tempdir()?;
    let root = temporary.path();
    write_skills(&root.join("skills"))?;
    let agents: Vec<PathBuf> = AGENTS
        .iter()
        .map(|agent| write_agent(root, agent))
        .collect::<Result<_, Box<dyn Error>>>()?;
    let (mut seconds, mut crates) = ([const { Vec::new() }; AGENTS.len()], [0; AGENTS.len()]);
    for _ in 0..ROUNDS {
        for (at, agent) in agents.iter().enumerate() {
            let build = build(agent)?;
            seconds[at].push(build.user_seconds);
            crates[at] = build.crates;
        }
    }
    let medians = seconds.map(|mut seconds| {
        seconds.sort_by(f64::total_cmp);
        seconds[ROUNDS / 2]
    });
    for (((name, ..), median), crates) in AGENTS.iter().zip(medians).zip(crates) {
        println!("{name}: {crates} crates, {median:.2} user s, ratio {:.2}", median / medians[0]);
    }
    Ok(())
}

/// Writes a few small skills, as a new agent has them.
fn write_skills(root: &Path) -> io::Result<()> {
    let (vocabulary, mut dice) = (Vocabulary::new(1000), Dice::new(7));
    for skill in vocabulary.skills(&mut dice, 5) {
        let directory = root.join(&skill.name);
        fs::create_dir_all(&directory)?;
        let head =
            format!("---\nname: {}\ndescription: {}\n---\n\n", skill.name, skill.description);
        fs::write(directory.join("SKILL.md"), head + &vocabulary.text(&mut dice, 500))?;
        fs::write(directory.join("details.md"), vocabulary.text(&mut dice, 1000))?;
    }
    Ok(())
}

/// Writes the package of an agent and downloads its dependencies.
fn write_agent(root: &Path, agent: &(&str, &str, &str)) -> Result<PathBuf, Box<dyn Error>> {
    let (name, dependency, program) = agent;
    let directory = root.join(name);
    fs::create_dir_all(directory.join("src"))?;
    let dependency = dependency.replace("OURS", concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    let package = format!("name = \"{name}-agent\"\nversion = \"0.0.0\"\nedition = \"2024\"");
    fs::write(
        directory.join("Cargo.toml"),
        format!("[workspace]\n[package]\n{package}\n[dependencies]\n{dependency}\n"),
    )?;
    fs::write(
        directory.join("src/main.rs"),
        program.replace("DIRECTORY", &root.join("skills").display().to_string()),
    )?;
    run(cargo(&directory).arg("fetch"))?;
    Ok(directory)
}

struct Build {
    user_seconds: f64,
    /// Number of compiled packages, including the agent.
    crates: usize,
}

/// Builds an agent from an empty target directory.
fn build(agent: &Path) -> Result<Build, Box<dyn Error>> {
    match fs::remove_dir_all(agent.join("target")) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error.into()),
        _ => {}
    }
    let before = user_seconds_of_children()?;
    let messages = run(cargo(agent).args(["build", "--offline"]))?;
    let crates =
        messages.lines().filter(|line| line.trim_start().starts_with("Compiling ")).count();
    Ok(Build { user_seconds: user_seconds_of_children()? - before, crates })
}

/// Returns a cargo command with cargo's own profiles.
fn cargo(agent: &Path) -> Command {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo
        .current_dir(agent)
        .env("CARGO_TARGET_DIR", agent.join("target"))
        // Cargo compiles path dependencies incrementally, which takes longer. Only here are our
        // crates path dependencies; a user has them from a registry, like the others.
        .env("CARGO_INCREMENTAL", "0")
        .env("CARGO_TERM_COLOR", "never");
    cargo.env_remove("CARGO_PROFILE_DEV_DEBUG");
    cargo
}
