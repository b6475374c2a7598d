//! Skills of this machine in a sandbox: which files to upload, and the prompt text about them.

mod files;
mod mounted;
mod sandbox_path;

pub use files::Upload;
pub use mounted::MountedSkills;

use super::{Directories, warnings_of};
use crate::{
    Discovered, DiscoveredSkill, Error, ErrorKind,
    discovered::Contents,
    error::{Problem, display_path},
    home,
    rooted_dir::RootedDir,
};
use files::{Files, left_out, link};
use helix_skills_agent::ProviderWarning;
use helix_skills_format::Limits;
use helix_skills_runtime::{OneLine, Profile};
use sandbox_path::SandboxPath;
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::Arc,
};

impl Directories {
    /// Scans the directories for skills, and lists the files that a sandbox needs, as in Deep
    /// Agents. It reads only the frontmatter of the skills.
    ///
    /// Each root needs its path in the sandbox ([`Root::at`](crate::Root::at)). Skills are read as
    /// in the profile [`DeepAgents`](Profile::DeepAgents). Uploads, prompt fragment and guard all
    /// use the same list of skills, so that a skill that is left out, or is not
    /// [enabled](Self::enabled), is in none of them.
    ///
    /// - All files of a skill are uploaded, except links, names that begin with a dot, and
    ///   leftovers of editors and systems, which are [listed](MountedSkills::left_out). Files next
    ///   to the skills' directories are not uploaded, because the root may be a user's home. A
    ///   skill that exceeds a limit is left out as a whole.
    /// - A sandbox path must not be inside the path of another root. Several roots may share one
    ///   path, as layers: if two skills have the same directory there, the one in the last root
    ///   takes precedence.
    /// - In the sandbox, `skill.md` is called `SKILL.md`, because that name is in the fragment.
    ///
    /// ```
    /// use helix_skills_host::{Directories, Root};
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let path = folder.path().join("skills");
    /// # std::fs::create_dir_all(path.join("deploy/scripts")).unwrap();
    /// # let text = "---\nname: deploy\ndescription: Deploys to production.\n---\nRun it.\n";
    /// # std::fs::write(path.join("deploy/SKILL.md"), text).unwrap();
    /// # std::fs::write(path.join("deploy/scripts/run.sh"), "exit 0\n").unwrap();
    /// let mounted = Directories::new().root(Root::new(&path).at("/skills")).mount()?;
    /// for file in &mounted.uploads {
    ///     let content = file.read()?; // opened within its root
    ///     println!("{} <- {} bytes", file.sandbox, content.len());
    /// }
    /// let prompt = format!("You are an agent.\n\n{}", mounted.toolbox().catalog());
    /// assert!(prompt.contains("name: deploy\npath: /skills/deploy/SKILL.md\ndescription: "));
    /// let deploy = mounted.skills.get("deploy").unwrap();
    /// assert_eq!(deploy.sandbox(), Some("/skills/deploy/SKILL.md"));
    ///
    /// // Check each call of a tool before answering it.
    /// let mistake = mounted.toolbox().skill_as_tool("deploy", ["bash"]).unwrap().to_string();
    /// assert!(mistake.ends_with("Read `/skills/deploy/SKILL.md`, and follow it."));
    /// # Ok::<(), helix_skills_host::Error>(())
    /// ```
    ///
    /// # Errors
    /// If a sandbox path is missing, not valid or overlaps another one, or if `~` cannot be
    /// expanded because the home directory is not known. All other errors are
    /// [problems](Discovered::problems).
    pub fn mount(&self) -> Result<MountedSkills, Error> {
        // The paths on this machine and in the sandbox.
        let mut mounts: Vec<(PathBuf, SandboxPath)> = Vec::new();
        for root in &self.roots {
            let sandbox = root.sandbox.clone().unwrap_or_default();
            let refused = |why: String| {
                let path = display_path(&root.path);
                let message = match &*sandbox {
                    "" => format!("cannot mount `{path}`: {why}"),
                    sandbox => format!("cannot mount `{path}` at `{}`: {why}", OneLine(sandbox)),
                };
                let hint = "use an absolute path of the sandbox, such as `/skills`, that contains no other mount";
                Problem::other(ErrorKind::Invalid, message, hint).at(&root.path)
            };
            let checked = SandboxPath::new(&sandbox).map_err(refused)?;
            if let Some((_, other)) = mounts.iter().find(|(_, other)| other.overlaps(&checked)) {
                let other = other.to_string();
                return Err(refused(format!("it overlaps the mount at `{}`", OneLine(&other))));
            }
            match home::expand(&root.path, self.home.as_deref()) {
                Ok(host) => mounts.push((host, checked)),
                Err(_) if root.is_optional => {}
                Err(error) => return Err(error),
            }
        }
        let found = &self.scan(Profile::DeepAgents, true)?.discovered;
        let mut collected = MountCollector { limits: self.limits, ..MountCollector::default() };
        collected.problems.extend_from_slice(found.problems());
        for skill in found.0.skills.iter().filter(|skill| self.is_enabled(skill.name())) {
            // A directory may be mounted twice.
            let root = skill.path().parent();
            if let Some(at) = mounts.iter().rposition(|(host, _)| Some(&**host) == root) {
                let added = collected.add(skill, at, &mounts[at].1);
                collected.problems.extend(added.err());
            }
        }
        Ok(collected.finish())
    }
}

/// The skills found so far.
#[derive(Default)]
struct MountCollector {
    limits: Limits,
    /// Keyed by the directory in the sandbox.
    skills: BTreeMap<String, Mounted>,
    left_out: Vec<ProviderWarning>,
    problems: Vec<Error>,
}

/// A skill with its files.
struct Mounted {
    skill: Arc<DiscoveredSkill>,
    /// The index of its mount.
    mount: usize,
    files: Files,
}

impl MountCollector {
    fn add(
        &mut self,
        skill: &Arc<DiscoveredSkill>,
        mount: usize,
        sandbox: &SandboxPath,
    ) -> Result<(), Error> {
        let mut leave_out = |path: &Path, why| self.left_out.push(left_out(path, why));
        if skill.metadata().disable_model_invocation() {
            // A model that can read files could read this one.
            leave_out(skill.skill_md(), "the skill is not for models");
            return Ok(());
        }
        let root = RootedDir::open(&skill.root)?;
        if let Some(path) = link(&root, skill) {
            leave_out(&path, "it is a link");
            return Ok(());
        }
        let files = Files::list(&root, skill, sandbox, &self.limits)?;
        let directory = files.directory.clone();
        let new = Mounted { skill: Arc::clone(skill), mount, files };
        let Some(other) = self.skills.remove(&directory) else {
            self.skills.insert(directory, new);
            return Ok(());
        };
        let (wins, hidden) = if other.mount > mount { (other, new) } else { (new, other) };
        let path = hidden.skill.skill_md();
        let [shown, by] = [path, wins.skill.skill_md()].map(display_path);
        let message = format!(
            "`{shown}` is hidden by `{by}`: both would be at `{}` in the sandbox",
            OneLine(&directory)
        );
        let hint = "rename the directory of one of the two, or mount them at different paths";
        self.problems.push(Problem::other(ErrorKind::Hidden, message, hint).at(path));
        self.skills.insert(directory, wins);
        Ok(())
    }

    fn finish(mut self) -> MountedSkills {
        let mut all: Vec<Mounted> = std::mem::take(&mut self.skills).into_values().collect();
        all.sort_by(|one, other| one.skill.name().cmp(other.skill.name()));
        let mut skills = Contents { profile: Profile::DeepAgents, ..Contents::default() };
        skills.problems = self.problems;
        skills.problems.sort_by(|one, other| one.path().cmp(&other.path()));
        let mut mounted = MountedSkills { left_out: self.left_out, ..MountedSkills::default() };
        for Mounted { skill, files, .. } in all {
            mounted.warnings.extend(warnings_of(&skill));
            let sandbox = Some(format!("{}/SKILL.md", files.directory));
            let found = DiscoveredSkill { sandbox, ..DiscoveredSkill::clone(&skill) };
            skills.skills.push(Arc::new(found));
            let mut listed = skill.metadata().clone();
            listed.set_directory(Some(files.directory));
            mounted.set.push(listed);
            mounted.uploads.extend(files.uploads);
            mounted.left_out.extend(files.left_out);
        }
        mounted.uploads.sort_by(|one, other| one.sandbox.cmp(&other.sandbox));
        mounted.left_out.sort_by_key(ToString::to_string);
        mounted.skills = Discovered(Arc::new(skills));
        mounted
    }
}
