//! Finding, approving and running a script.

use super::{ScriptCall, ScriptOutput, ScriptProblem, ScriptRun, ScriptRunner};
use crate::{
    Error,
    error::Problem,
    process::{Process, ProcessProblem},
    rooted_dir::RootedDir,
    skill_files::SkillFiles,
};
use helix_skills_agent::{BoxFuture, shell::Approval};
use helix_skills_format::Limits;
use helix_skills_runtime::{
    __internal::{TokenMode, tokenize},
    Skill, normalize_path,
};
use std::{
    io,
    path::{Path, PathBuf},
};

/// The directory of a skill's scripts.
const SCRIPTS: &str = "scripts/";

impl ScriptRunner {
    /// Runs a script of a skill that is in `directory`, which is awaited once the script is known.
    pub(super) async fn run_call(
        &self,
        skill: &Skill,
        directory: BoxFuture<'_, Option<String>>,
        call: &ScriptCall,
    ) -> Result<ScriptOutput, Error> {
        let scripts: Vec<String> = {
            let paths = skill.resources().iter().map(|file| file.path());
            paths.filter(|path| path.starts_with(SCRIPTS)).map(str::to_owned).collect()
        };
        let script = self.find_script(call, &scripts)?;
        let directory = directory.await.map_err(ScriptProblem::Provider)?;
        let directory =
            directory.ok_or_else(|| ScriptProblem::NoDirectory { skill: call.skill.clone() })?;
        self.run_at(Path::new(&directory), call, script).await
    }

    /// Runs a script of the skill in `directory`, without a toolbox.
    ///
    /// # Errors
    /// If the script does not exist, cannot be run, or is not approved. A script that fails is not
    /// an error.
    pub async fn run_in(&self, directory: &Path, call: &ScriptCall) -> Result<ScriptOutput, Error> {
        let mut scripts =
            SkillFiles::list(&RootedDir::open(directory)?, "", "SKILL.md", &Limits::default())?
                .paths;
        scripts.retain(|path| path.starts_with(SCRIPTS));
        let script = self.find_script(call, &scripts)?;
        self.run_at(directory, call, script).await
    }

    /// Returns the path of the script that a call names, if it is one of `scripts` and has an
    /// interpreter.
    fn find_script<'s>(
        &self,
        call: &ScriptCall,
        scripts: &'s [String],
    ) -> Result<&'s str, ScriptProblem> {
        let requested = || call.script.clone();
        let name = normalize_path(&call.script)
            .map_err(|why| ScriptProblem::Path { script: requested(), why })?;
        // Models may copy the path from the skill's list of files, which has the directory.
        let name = name.strip_prefix(SCRIPTS).unwrap_or(name);
        let found = scripts.iter().find(|path| path.strip_prefix(SCRIPTS) == Some(name));
        match found {
            Some(script) if self.interpreter_of(script).is_some() => Ok(script),
            Some(_) => Err(ScriptProblem::Extension {
                script: requested(),
                known: self.interpreters.keys().cloned().collect(),
            }),
            None => Err(ScriptProblem::Unknown {
                skill: call.skill.clone(),
                script: requested(),
                scripts: scripts
                    .iter()
                    .filter(|path| self.interpreter_of(path).is_some())
                    .cloned()
                    .collect(),
            }),
        }
    }

    fn interpreter_of(&self, script: &str) -> Option<&Path> {
        let (stem, extension) = script.rsplit('/').next()?.rsplit_once('.')?;
        self.interpreters.get(extension).filter(|_| !stem.is_empty()).map(PathBuf::as_path)
    }

    async fn run_at(
        &self,
        directory: &Path,
        call: &ScriptCall,
        script: &str,
    ) -> Result<ScriptOutput, Error> {
        let absolute = |path: &Path| {
            std::path::absolute(path).map_err(|source| Problem::Read { source }.at(path))
        };
        let directory = absolute(directory)?;
        let interpreter = self.interpreter_of(script).unwrap_or(Path::new("sh")).to_owned(); // `find_script` has checked it
        let run = ScriptRun {
            skill: call.skill.clone(),
            script: script.to_owned(),
            arguments: tokenize(&call.arguments, TokenMode::Posix),
            directory,
            interpreter,
        };
        // Kept open until the script runs, so that no other directory can have its identity.
        let root = RootedDir::open(&run.directory)?;
        if let Some(approve) = &self.approve {
            match approve(&run).await {
                Ok(Approval::Allow) => {}
                Ok(Approval::Deny(why)) => {
                    return Err(ScriptProblem::Denied { script: run.script, why }.into());
                }
                Ok(_) => {
                    return Err(ScriptProblem::Denied {
                        script: run.script,
                        why: "it is not approved".to_owned(),
                    }
                    .into());
                }
                Err(source) => {
                    return Err(ScriptProblem::ApprovalFailed { script: run.script, source }.into());
                }
            }
        }
        // Checked as late as possible: the file exists and is not behind a link.
        root.open_file_nofollow(Path::new(&run.script))?;
        if !root.is_in_place()? {
            return Err(ScriptProblem::DirectoryReplaced { script: run.script }.into());
        }
        let environment = self.environment.clone();
        let environment = environment
            .set("SKILL_DIR", &run.directory)
            // Output is complete if the script is killed, and no bytecode is written into the
            // skill's directory.
            .set("PYTHONUNBUFFERED", "1")
            .set("PYTHONDONTWRITEBYTECODE", "1");
        let process = Process::new(&run.interpreter)
            .arguments([run.path().into_os_string()])
            .arguments(&run.arguments)
            .directory(&run.directory)
            .environment(environment)
            .time_limit(self.time_limit)
            .output_limit(self.output_limit);
        match process.run().await {
            Ok(output) => Ok(ScriptOutput { skill: run.skill, script: run.script, output }),
            Err(ProcessProblem::Start { program, source })
                if source.kind() == io::ErrorKind::NotFound =>
            {
                Err(ScriptProblem::NoInterpreter { script: run.script, program }.into())
            }
            Err(problem) => Err(problem.into()),
        }
    }
}
