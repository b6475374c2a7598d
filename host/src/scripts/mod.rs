//! Scripts of skills, run when a model asks for it: off unless a host makes a runner.

mod call;
mod error;
mod output;
mod tool;

pub use call::{ScriptCall, ScriptCallError};
pub use error::ScriptError;
pub use output::ScriptOutput;
pub use tool::ScriptTool;

use crate::{
    Approval, Environment, Error, ProcessError,
    beneath::Beneath,
    process::{OUTPUT_LIMIT, Process},
    skill_files::SkillFiles,
};
use helix_skills_format::Limits;
use helix_skills_runtime::{
    Pending, Provider, ReplyBuf, ResolvedToolbox, TokenMode, Toolbox, normalize_path, tokenize,
};
use std::{
    collections::BTreeMap,
    fmt, io,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

/// Where the scripts of a skill lie.
const SCRIPTS: &str = "scripts/";

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
/// use helix_skills_runtime::{Profile, ProviderToolbox, Resource, Skill, SkillSet, skill_set};
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
/// let toolbox = ProviderToolbox::new(Materialized::new(SKILLS)).profile(Profile::Seed001).resolve().await?;
/// toolbox.view(|toolbox| println!("{}", scripts.tool(toolbox).parameters())); // beside the tools of the toolbox
///
/// let call = r#"{"skill_name": "count", "script_name": "count.sh", "script_args": "one 'two three' $(four)"}"#;
/// let reply = scripts.call(&toolbox, "skill_run_script", call).await.expect("our tool");
/// assert!(reply.as_str().starts_with("The script `scripts/count.sh` ended with exit code 0.\n"), "{reply}");
/// # Ok::<(), helix_skills_runtime::ResolveError>(())
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
    /// use helix_skills_host::{Approval, ScriptRunner};
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

    /// Answers the call of `tool` with `arguments`, the text of a JSON object; `None` if the tool is another one.
    pub async fn call<P: Provider>(
        &self,
        toolbox: &ResolvedToolbox<P>,
        tool: &str,
        arguments: &str,
    ) -> Option<ReplyBuf> {
        if tool != ScriptTool::NAME {
            return None;
        }
        Some(match ScriptCall::from_json(arguments) {
            Ok(call) => self.answer(toolbox, &call).await,
            Err(error) => ReplyBuf::failed(&error.to_string()),
        })
    }

    /// Answers a call: runs a script of a skill that the toolbox shows. What goes wrong is a text for the model, too.
    pub async fn answer<P: Provider>(&self, toolbox: &ResolvedToolbox<P>, call: &ScriptCall) -> ReplyBuf {
        let skill = match toolbox.skill(&call.skill).await {
            Ok(skill) => skill,
            Err(reply) => return reply,
        };
        let scripts: Vec<String> = skill.view(|skill| {
            let paths = skill.resources().iter().map(|file| file.path());
            paths.filter(|path| path.starts_with(SCRIPTS)).map(str::to_owned).collect()
        });
        let ran = async {
            // Before anything is written for it.
            let script = self.known(call, &scripts)?;
            let directory = toolbox.provider().directory(&call.skill).await.map_err(ScriptError::Provider)?;
            let directory = directory.ok_or_else(|| ScriptError::NoDirectory { skill: call.skill.clone() })?;
            self.run(Path::new(&directory), call, script).await
        };
        match ran.await {
            Ok(output) => ReplyBuf::new(output.to_string()),
            Err(error) => ReplyBuf::failed(&error.to_string()),
        }
    }

    /// Runs a script of the skill in `directory`: for a host that knows where its skills lie, and who may use them.
    ///
    /// # Errors
    /// When there is no such script, when it cannot be run, or when it was not approved. How it ended is no error.
    pub async fn run_in(&self, directory: &Path, call: &ScriptCall) -> Result<ScriptOutput, ScriptError> {
        let mut scripts = SkillFiles::of(&Beneath::open(directory)?, "", "SKILL.md", &Limits::default())?.paths;
        scripts.retain(|path| path.starts_with(SCRIPTS));
        let script = self.known(call, &scripts)?;
        self.run(directory, call, script).await
    }

    /// The path of the script that is meant, if it is one of these.
    fn known<'s>(&self, call: &ScriptCall, scripts: &'s [String]) -> Result<&'s str, ScriptError> {
        let asked = || call.script.clone();
        let name = normalize_path(&call.script).map_err(|why| ScriptError::Path { script: asked(), why })?;
        // Skills list their scripts with the directory.
        let name = name.strip_prefix(SCRIPTS).unwrap_or(name);
        let found = scripts.iter().find(|path| path.strip_prefix(SCRIPTS) == Some(name));
        match found {
            Some(script) if self.interpreter_of(script).is_some() => Ok(script),
            Some(_) => {
                Err(ScriptError::Extension { script: asked(), known: self.interpreters.keys().cloned().collect() })
            }
            None => Err(ScriptError::Unknown {
                skill: call.skill.clone(),
                script: asked(),
                scripts: scripts.iter().filter(|path| self.interpreter_of(path).is_some()).cloned().collect(),
            }),
        }
    }

    fn interpreter_of(&self, script: &str) -> Option<&Path> {
        let (stem, extension) = script.rsplit('/').next()?.rsplit_once('.')?;
        self.interpreters.get(extension).filter(|_| !stem.is_empty()).map(PathBuf::as_path)
    }

    async fn run(&self, directory: &Path, call: &ScriptCall, script: &str) -> Result<ScriptOutput, ScriptError> {
        let absolute =
            |path: &Path| std::path::absolute(path).map_err(|source| Error::Read { path: path.to_owned(), source });
        let directory = absolute(directory)?;
        let interpreter = self.interpreter_of(script).unwrap_or(Path::new("sh")).to_owned(); // it was found before
        let run = ScriptRun {
            skill: call.skill.clone(),
            script: script.to_owned(),
            arguments: tokenize(&call.arguments, TokenMode::Posix).map(|token| token.to_string()).collect(),
            directory,
            interpreter,
        };
        if let Some(approve) = &self.approve {
            match approve(&run).await {
                Ok(Approval::Allow) => {}
                Ok(Approval::Deny(why)) => return Err(ScriptError::Denied { script: run.script, why }),
                Err(source) => return Err(ScriptError::NotAsked { script: run.script, source }),
            }
        }
        // As late as can be: what is opened here is a file of the skill, and none by way of a link.
        Beneath::open(&run.directory)?.plain_file(Path::new(&run.script))?;
        let environment = self.environment.clone();
        let environment = environment
            .set("SKILL_DIR", &run.directory)
            // A script that is killed has said what it said, and a skill's directory stays as it is.
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
            Err(ProcessError::Start { program, source }) if source.kind() == io::ErrorKind::NotFound => {
                Err(ScriptError::NoInterpreter { script: run.script, program })
            }
            Err(source) => Err(ScriptError::Process(source)),
        }
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
