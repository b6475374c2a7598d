//! Running scripts of skills for a model, if the host provides a runner.

mod run;
mod tool;

use crate::Environment;
use helix_skills_agent::{BoxFuture, ProviderError};
use std::{collections::BTreeMap, fmt, path::PathBuf, sync::Arc, time::Duration};

/// Default time limit of a script.
const TIME_LIMIT: Duration = Duration::from_secs(30);

/// Default limit for the output of a script, in bytes.
const OUTPUT_LIMIT: usize = 30_000;

/// Runs scripts of skills with the permissions of the user that the agent runs as: the tool
/// `skill_run_script` of a toolbox. It does not sandbox them: an agent with a runner lets untrusted
/// scripts run on its machine.
///
/// - Only files that the skill lists below `scripts/` run, and no links: `.py` with `python3`
///   (`python` on Windows), `.sh` with `sh`, `.bash` with `bash`, `.js` with `node`, each from the
///   `PATH`, unless [`interpreter`](Self::interpreter) names another program. `.bat`, `.cmd` and
///   `.ps1` never run, because their interpreters expand the arguments.
/// - Arguments are an array, or one text that is split as a shell splits words, without a shell:
///   nothing in them is expanded or run.
/// - A script runs in the skill's directory, for at most 30 seconds, without input. It has the
///   variables that [`Environment`] passes on, and `SKILL_DIR`. When it ends, everything that it
///   started is killed.
/// - 30,000 bytes of its output are kept. The model reads how it ended, whether output is missing,
///   and the output as data between tags.
///
/// A skill needs a directory. [`Directories`](crate::Directories) returns the skill's own
/// directory, whose files may change until a script *starts*. If you approve scripts by their
/// content, wrap the provider in [`Materialized`](crate::Materialized), which also gives embedded
/// skills a directory: its files do not change between the approval and the run.
///
/// ```
/// use helix_skills_host::{Materialized, ScriptRunner};
/// use helix_skills::{AsyncToolbox, Resource, Skill, SkillSet, skill_set};
/// # const FILES: &[Resource] =
/// #     &[Resource::from_text("scripts/count.sh", "printf '%s\n' \"$@\" | wc -l\n")];
/// # const COUNT: Skill =
/// #     Skill::define("count", "Counts lines.", "Run `count.sh`.").resources(FILES).build();
/// # static SKILLS: SkillSet = skill_set![COUNT];
/// # #[cfg(unix)]
/// # pollster::block_on(async {
/// let scripts = ScriptRunner::new(); // from here on skills can run programs
/// let skills = Materialized::new(SKILLS);
/// let toolbox = AsyncToolbox::builder(skills)
///     .scripts(scripts)
///     .build()
///     .await?;
///
/// let call = r#"{"skill": "count", "path": "count.sh", "arguments": ["one", "two 3", "$(x)"]}"#;
/// let reply = toolbox.call("skill_run_script", call).await.expect("our tool");
/// assert!(reply.to_string().starts_with("The script `scripts/count.sh` ended with exit code 0.\n"));
/// # Ok::<(), helix_skills::Error>(())
/// # }).unwrap();
/// ```
#[derive(Clone)]
#[must_use = "a runner does nothing until a model calls its tool"]
pub struct ScriptRunner {
    /// Keyed by extension.
    interpreters: BTreeMap<String, PathBuf>,
    environment: Environment,
    time_limit: Duration,
    output_limit: usize,
    approve: Option<Arc<Approve>>,
}

type Approve = dyn for<'r> Fn(&'r ScriptRun) -> BoxFuture<'r, ()> + Send + Sync;

/// A script that is about to run, for the approval by the host.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ScriptRun {
    /// The name of the skill.
    pub skill: String,
    /// The path of the script in the skill, such as `scripts/count.sh`.
    pub script: String,
    /// The arguments, after splitting.
    pub arguments: Vec<String>,
    /// The directory of the skill.
    pub directory: PathBuf,
    /// The program that runs the script.
    pub interpreter: PathBuf,
}

impl Default for ScriptRunner {
    fn default() -> Self {
        Self::new()
    }
}

impl ScriptRunner {
    /// Creates a runner with the default interpreters and limits, which runs every script without
    /// approval.
    ///
    /// `allowed-tools` of the skill is not consulted: a host with a runner wants scripts to run,
    /// and can [approve](Self::approve) each.
    pub fn new() -> Self {
        // Python's installer for Windows has no `python3`.
        let python = if cfg!(windows) { "python" } else { "python3" };
        let defaults = [("bash", "bash"), ("js", "node"), ("py", python), ("sh", "sh")];
        Self {
            interpreters: defaults
                .map(|(extension, program)| (extension.to_owned(), program.into()))
                .into(),
            environment: Environment::new(),
            time_limit: TIME_LIMIT,
            output_limit: OUTPUT_LIMIT,
            approve: None,
        }
    }

    /// Sets the program that runs scripts with this extension (without the dot): a path, or a name
    /// that is searched in `PATH`. Other extensions than the default ones can be added, except
    /// those that never run.
    ///
    /// ```
    /// use helix_skills_host::ScriptRunner;
    /// let scripts = ScriptRunner::new()
    ///     .interpreter("py", "/opt/venv/bin/python")
    ///     .interpreter("rb", "ruby");
    /// ```
    pub fn interpreter(
        mut self,
        extension: impl Into<String>,
        program: impl Into<PathBuf>,
    ) -> Self {
        self.interpreters.insert(extension.into(), program.into());
        self
    }

    /// Sets which environment variables scripts get.
    pub fn environment(mut self, environment: Environment) -> Self {
        self.environment = environment;
        self
    }

    /// Sets how long a script may run; 30 seconds by default.
    pub const fn time_limit(mut self, limit: Duration) -> Self {
        self.time_limit = limit;
        self
    }

    /// Sets how many bytes of output are kept; 30,000 by default.
    pub const fn output_limit(mut self, bytes: usize) -> Self {
        self.output_limit = bytes;
        self
    }

    /// Calls `approve` before each run. An error denies the run; the model reads it.
    ///
    /// ```
    /// use helix_skills_host::ScriptRunner;
    /// let scripts = ScriptRunner::new().approve(|run| match (&*run.skill, &*run.script) {
    ///     ("pdf", "scripts/text.py") => Ok(()),
    ///     _ => Err("only the PDF reader runs here"),
    /// });
    /// ```
    pub fn approve<E: Into<ProviderError>>(
        self,
        approve: impl Fn(&ScriptRun) -> Result<(), E> + Send + Sync + 'static,
    ) -> Self {
        self.approve_later(move |run| {
            let approval = approve(run).map_err(Into::into);
            Box::pin(async { approval })
        })
    }

    /// Like [`approve`](Self::approve), but asynchronous, for example to ask a user.
    pub fn approve_later(
        mut self,
        approve: impl for<'r> Fn(&'r ScriptRun) -> BoxFuture<'r, ()> + Send + Sync + 'static,
    ) -> Self {
        self.approve = Some(Arc::new(approve));
        self
    }
}

impl fmt::Debug for ScriptRunner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ScriptRunner")
            .field("interpreters", &self.interpreters)
            .field("environment", &self.environment)
            .field("time_limit", &self.time_limit)
            .field("output_limit", &self.output_limit)
            .field("asks", &self.approve.is_some())
            .finish()
    }
}
