//! Scripts of skills, run when a model asks for it: off unless a host makes a runner.

mod call;
mod error;
mod output;
mod running;
mod tool;

pub use call::{ScriptCall, ScriptCallError};
pub use error::ScriptError;
pub use output::ScriptOutput;
pub use tool::ScriptTool;

use crate::{Environment, process::OUTPUT_LIMIT};
use helix_skills_agent::{Pending, live::Approval};
use helix_skills_runtime::Toolbox;
use std::{collections::BTreeMap, fmt, path::PathBuf, sync::Arc, time::Duration};

/// How long a script may run, unless a host says otherwise.
const TIME_LIMIT: Duration = Duration::from_secs(30);

/// Runs scripts of skills: the tool `skill_run_script` of seed 001, on Linux and macOS, with the rights of the user that the agent
/// runs as. There is no sandbox: whoever makes one lets what strangers wrote run on their machine.
///
/// - Only a file that the skill lists below `scripts/` and that is none by way of a link; `.py` is run by `python3`, `.sh` by `sh`, `.bash` by
///   `bash`, `.js` by `node`, each from the `PATH`, unless [`interpreter`](Self::interpreter) names another.
/// - Arguments are split as a shell splits words, without a shell: nothing in them is expanded, and nothing in them runs.
/// - It runs in the skill's directory, for 30 seconds at most, with nothing to read, and sees of the agent's environment what [`Environment`]
///   passes on; `SKILL_DIR` is set beside. When it is over, all that it has started is killed.
/// - 30,000 bytes of what it says are kept. The model is told how it ended, and that there was more; what it said is
///   [data](ScriptOutput) between tags.
///
/// A skill needs a directory: that of [`Directories`](crate::Directories) is where it lies, so that a script is what lies there *when it
/// starts*. Whoever approves scripts by what is in them wraps the provider in [`Materialized`](crate::Materialized), which also
/// gives baked skills a directory: there nobody changes a file between the question and the run.
///
/// ```
/// use helix_skills_host::{Materialized, ScriptRunner};
/// use helix_skills::{AsyncToolbox, Profile, Resource, Skill, SkillSet, skill_set};
/// # const COUNT: Skill = Skill::define("count", "Counts lines.", "Run `count.sh`.")
/// #     .resources(&[Resource::of_text("scripts/count.sh", "printf '%s\n' \"$@\" | wc -l\n")]).build();
/// # static SKILLS: SkillSet = skill_set![COUNT];
/// # fn wait<T>(future: impl Future<Output = T>) -> T {
/// #     struct Unpark(std::thread::Thread);
/// #     impl std::task::Wake for Unpark { fn wake(self: std::sync::Arc<Self>) { self.0.unpark() } }
/// #     let waker = std::task::Waker::from(std::sync::Arc::new(Unpark(std::thread::current())));
/// #     let mut future = std::pin::pin!(future);
/// #     loop {
/// #         match future.as_mut().poll(&mut std::task::Context::from_waker(&waker)) {
/// #             std::task::Poll::Ready(ready) => return ready,
/// #             _ => std::thread::park(),
/// #         }
/// #     }
/// # }
/// # #[cfg(unix)]
/// # wait(async {
/// let scripts = ScriptRunner::new(); // from here on skills can run programs
/// let toolbox = AsyncToolbox::builder(Materialized::new(SKILLS)).profile(Profile::Seed001).build().await?;
/// toolbox.view(|toolbox| println!("{}", scripts.tool(toolbox).parameters())); // beside the tools of the toolbox
///
/// let call = r#"{"skill_name": "count", "script_name": "count.sh", "script_args": "one 'two three' $(four)"}"#;
/// let reply = scripts.call(&toolbox, "skill_run_script", call).await.expect("our tool");
/// assert!(reply.as_str().starts_with("The script `scripts/count.sh` ended with exit code 0.\n"), "{reply}");
/// # Ok::<(), helix_skills::ToolboxError>(())
/// # }).unwrap();
/// ```
#[derive(Clone)]
#[must_use = "nothing runs before a model asks"]
pub struct ScriptRunner {
    /// By extension.
    interpreters: BTreeMap<String, PathBuf>,
    environment: Environment,
    time_limit: Duration,
    output_limit: usize,
    approve: Option<Arc<Approve>>,
}

type Approve = dyn for<'r> Fn(&'r ScriptRun) -> Pending<'r, Approval> + Send + Sync;

/// A script that is about to run, for whoever has to agree.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ScriptRun {
    /// The name of the skill.
    pub skill: String,
    /// The path of the script in the skill, as `scripts/count.sh`.
    pub script: String,
    /// Its arguments, one by one.
    pub arguments: Vec<String>,
    /// The directory of the skill.
    pub directory: PathBuf,
    /// The program that reads the script.
    pub interpreter: PathBuf,
}

impl ScriptRun {
    /// The file itself, for whoever wants to look into it.
    #[must_use]
    pub fn path(&self) -> PathBuf {
        self.directory.join(&self.script)
    }
}

impl Default for ScriptRunner {
    fn default() -> Self {
        Self::new()
    }
}

impl ScriptRunner {
    /// With the usual interpreters and limits, and without asking anybody.
    pub fn new() -> Self {
        let usual = [("bash", "bash"), ("js", "node"), ("py", "python3"), ("sh", "sh")];
        Self {
            interpreters: usual.map(|(extension, program)| (extension.to_owned(), program.into())).into(),
            environment: Environment::new(),
            time_limit: TIME_LIMIT,
            output_limit: OUTPUT_LIMIT,
            approve: None,
        }
    }

    /// Which program runs the scripts whose names end in `.` and `extension`: a path, or a name that is looked for in `PATH`. Also of an
    /// extension that is none of the four.
    ///
    /// ```
    /// use helix_skills_host::ScriptRunner;
    /// let scripts = ScriptRunner::new().interpreter("py", "/opt/venv/bin/python").interpreter("rb", "ruby");
    /// ```
    pub fn interpreter(mut self, extension: impl Into<String>, program: impl Into<PathBuf>) -> Self {
        self.interpreters.insert(extension.into(), program.into());
        self
    }

    /// What scripts see of the agent's environment.
    pub fn environment(mut self, environment: Environment) -> Self {
        self.environment = environment;
        self
    }

    /// How long a script may run; 30 seconds by default.
    pub const fn time_limit(mut self, limit: Duration) -> Self {
        self.time_limit = limit;
        self
    }

    /// How many bytes of what a script says are kept; 30,000 by default.
    pub const fn output_limit(mut self, bytes: usize) -> Self {
        self.output_limit = bytes;
        self
    }

    /// Asks before every run whether it may.
    ///
    /// ```
    /// use helix_skills::live::Approval;
    /// use helix_skills_host::ScriptRunner;
    /// let scripts = ScriptRunner::new().approve(|run| match (&*run.skill, &*run.script) {
    ///     ("pdf", "scripts/text.py") => Approval::Allow,
    ///     _ => Approval::Deny("only the PDF reader runs here".into()),
    /// });
    /// ```
    pub fn approve(self, approve: impl Fn(&ScriptRun) -> Approval + Send + Sync + 'static) -> Self {
        self.approve_later(move |run| {
            let approval = approve(run);
            Box::pin(async { Ok(approval) })
        })
    }

    /// The same where the answer takes its time: somebody is asked. An error is a no, too.
    pub fn approve_later(
        mut self,
        approve: impl for<'r> Fn(&'r ScriptRun) -> Pending<'r, Approval> + Send + Sync + 'static,
    ) -> Self {
        self.approve = Some(Arc::new(approve));
        self
    }

    /// The tool, as a model is told of it, for the skills of `toolbox`.
    pub const fn tool<'a>(&'a self, toolbox: Toolbox<'a>) -> ScriptTool<'a> {
        ScriptTool::new(self, toolbox)
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
