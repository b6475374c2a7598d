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
    rooted_dir::RootedDir,
};
use files::{Files, link};
use helix_skills_agent::ProviderWarning;
use helix_skills_runtime::{OneLine, Profile};
use sandbox_path::{overlap, sandbox_path};
use std::{collections::BTreeMap, path::PathBuf, sync::Arc};

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
        let mut mounts: Vec<(PathBuf, String)> = Vec::new();
        for (root, host) in self.roots()? {
            let sandbox = root.sandbox.as_deref().unwrap_or_default();
            let refused = |why: String| {
                let path = display_path(&root.path);
                let message = match sandbox {
                    "" => format!("cannot mount `{path}`: {why}"),
                    sandbox => format!("cannot mount `{path}` at `{}`: {why}", OneLine(sandbox)),
                };
                let hint = "use an absolute path of the sandbox, such as `/skills`, that contains no other mount";
                Problem::other(ErrorKind::Invalid, message, hint).at(&root.path)
            };
            let checked = sandbox_path(sandbox).map_err(refused)?;
            if let Some((_, other)) = mounts.iter().find(|(_, other)| overlap(other, &checked)) {
                return Err(refused(format!("it overlaps the mount at `{}`", OneLine(other))));
            }
            mounts.push((host, checked));
        }
        let found = &self.scan(Profile::DeepAgents, true)?.discovered;
        let mut mounted = MountedSkills::default();
        let mut skills = Contents { profile: Profile::DeepAgents, ..Contents::default() };
        skills.problems.extend_from_slice(found.problems());
        // By the directory in the sandbox: the index of the mount, the skill and its files.
        let mut by_directory: BTreeMap<String, (usize, &DiscoveredSkill, Files)> = BTreeMap::new();
        for skill in found.iter().filter(|skill| self.is_enabled(skill.name())) {
            // A directory may be mounted twice.
            let root = skill.path().parent();
            let Some(at) = mounts.iter().rposition(|(host, _)| Some(&**host) == root) else {
                continue;
            };
            let files = match self.files(skill, &mounts[at].1, &mut mounted.left_out) {
                Ok(Some(files)) => files,
                Ok(None) => continue,
                Err(error) => {
                    skills.problems.push(error);
                    continue;
                }
            };
            let directory = files.directory.clone();
            let mut wins = (at, skill, files);
            if let Some(mut hidden) = by_directory.remove(&directory) {
                if hidden.0 > at {
                    std::mem::swap(&mut hidden, &mut wins);
                }
                let path = hidden.1.skill_md();
                let [shown, by] = [path, wins.1.skill_md()].map(display_path);
                let message = format!(
                    "`{shown}` is hidden by `{by}`: both would be at `{}` in the sandbox",
                    OneLine(&directory)
                );
                let hint =
                    "rename the directory of one of the two, or mount them at different paths";
                skills.problems.push(Problem::other(ErrorKind::Hidden, message, hint).at(path));
            }
            by_directory.insert(directory, wins);
        }
        let mut all: Vec<_> = by_directory.into_values().collect();
        all.sort_by_key(|(_, skill, _)| skill.name());
        for (_, skill, files) in all {
            mounted.warnings.extend(warnings_of(skill));
            let sandbox = Some(format!("{}/SKILL.md", files.directory));
            skills.skills.push(Arc::new(DiscoveredSkill { sandbox, ..skill.clone() }));
            let mut listed = skill.metadata().clone();
            listed.set_directory(Some(files.directory));
            mounted.set.push(listed);
            mounted.uploads.extend(files.uploads);
            mounted.left_out.extend(files.left_out);
        }
        skills.problems.sort_by(|one, other| one.path().cmp(&other.path()));
        mounted.uploads.sort_by(|one, other| one.sandbox.cmp(&other.sandbox));
        mounted.left_out.sort_by_key(ToString::to_string);
        mounted.skills = Discovered(Arc::new(skills));
        Ok(mounted)
    }

    /// Lists the files of a skill; `None` if the skill is left out, with a warning in `left_out`.
    fn files(
        &self,
        skill: &DiscoveredSkill,
        sandbox: &str,
        left_out: &mut Vec<ProviderWarning>,
    ) -> Result<Option<Files>, Error> {
        if skill.metadata().disable_model_invocation() {
            // A model that can read files could read this one.
            left_out.push(files::left_out(skill.skill_md(), "the skill is not for models"));
            return Ok(None);
        }
        let root = RootedDir::open(&skill.root)?;
        if let Some(path) = link(&root, skill) {
            left_out.push(files::left_out(&path, "it is a link"));
            return Ok(None);
        }
        Files::list(&root, skill, sandbox, &self.limits).map(Some)
    }
}
