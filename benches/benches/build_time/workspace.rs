//! A workspace of agents.

use crate::{LOCK, agent::Agent, corpus};
use helix_skills_benches::{run, user_seconds_of_children};
use std::{
    env,
    error::Error,
    fs, io,
    path::{Path, PathBuf},
    process::Command,
};

pub struct Workspace {
    root: PathBuf,
}

/// The result of a build.
pub struct Build {
    pub user_seconds: f64,
    /// Whether anything was compiled.
    pub compiled: bool,
}

impl Workspace {
    /// Writes a workspace with a copy of `skills` and one package per agent.
    pub fn new(
        parent: &Path,
        skills: &Path,
        is_hash_optimized: bool,
    ) -> Result<Self, Box<dyn Error>> {
        let root = parent.join(if is_hash_optimized { "optimized" } else { "default" });
        corpus::copy(skills, &root.join("skills"))?;
        fs::write(root.join("all"), corpus::bytes(skills)?)?;
        fs::write(
            root.join("helix.skills.json"),
            "{\"skills\": {\"own\": {\"type\": \"path\", \"path\": \"skills\"}}}\n",
        )?;
        let members = Agent::ALL.map(Agent::package);
        let mut manifest = format!("[workspace]\nresolver = \"3\"\nmembers = {members:?}\n");
        if is_hash_optimized {
            manifest += "[profile.dev.package.hmac-sha256]\nopt-level = 3\n\
                         [profile.release.package.hmac-sha256]\nopt-level = 3\n";
        }
        fs::write(root.join("Cargo.toml"), manifest)?;
        let ours = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").display().to_string();
        for agent in Agent::ALL {
            let dir = root.join(agent.package());
            fs::create_dir_all(dir.join("src"))?;
            fs::write(
                dir.join("Cargo.toml"),
                format!(
                    "[package]\nname = {:?}\nversion = \"0.0.0\"\nedition = \"2024\"\n[dependencies]\n{}\n",
                    agent.package(),
                    agent.dependency(&ours)
                ),
            )?;
            fs::write(dir.join("src/main.rs"), agent.source(&root.display().to_string()))?;
        }
        let mut lock = Command::new(env::current_exe()?);
        lock.arg(LOCK).env("CARGO_MANIFEST_DIR", root.join(Agent::Helix.package()));
        run(lock.env("HELIX_SKILLS_CACHE", root.join("cache")))?;
        Ok(Self { root })
    }

    /// Builds an agent.
    pub fn build(&self, agent: Agent, is_release: bool) -> Result<Build, Box<dyn Error>> {
        let before = user_seconds_of_children()?;
        let mut cargo = self.cargo("build", agent);
        if is_release {
            cargo.arg("--release");
        }
        let messages = run(&mut cargo)?;
        Ok(Build {
            user_seconds: user_seconds_of_children()? - before,
            compiled: messages.contains("Compiling"),
        })
    }

    /// Removes the build output of an agent, but not that of its dependencies.
    pub fn clean(&self, agent: Agent, is_release: bool) -> Result<(), Box<dyn Error>> {
        let mut cargo = self.cargo("clean", agent);
        run(if is_release { cargo.arg("--release") } else { &mut cargo })?;
        Ok(())
    }

    fn cargo(&self, command: &str, agent: Agent) -> Command {
        let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo.current_dir(&self.root).args([command, "-p", agent.package()]);
        cargo.env("CARGO_TARGET_DIR", self.root.join("target")).env("CARGO_TERM_COLOR", "never");
        cargo
    }

    /// Rewrites the source of an agent, so that cargo compiles it again.
    pub fn touch(&self, agent: Agent) -> io::Result<()> {
        let source = self.root.join(agent.package()).join("src/main.rs");
        fs::write(&source, fs::read(&source)?)
    }

    /// Returns the size of an agent's program in bytes.
    pub fn size(&self, agent: Agent, is_release: bool) -> io::Result<u64> {
        let profile = if is_release { "release" } else { "debug" };
        fs::metadata(self.root.join("target").join(profile).join(agent.package()))
            .map(|metadata| metadata.len())
    }
}
