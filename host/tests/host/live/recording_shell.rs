//! A shell that runs nothing and records its commands.

use helix_skills_agent::BoxFuture;
use helix_skills_agent::shell::{ExitStatus, ProcessOutput, Shell, ShellCommand};
use std::{
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

/// A command that the shell got.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RecordedCommand {
    pub(crate) text: String,
    pub(crate) directory: Option<String>,
    pub(crate) dialect: Option<String>,
    pub(crate) environment: Vec<(String, String)>,
    pub(crate) time_limit: Duration,
    pub(crate) output_limit: usize,
}

type Answer = dyn Fn(&str) -> Result<ProcessOutput, String> + Send + Sync;

pub(crate) struct RecordingShell {
    answer: Box<Answer>,
    recorded: Mutex<Vec<RecordedCommand>>,
}

impl RecordingShell {
    pub(crate) fn new(
        answer: impl Fn(&str) -> Result<ProcessOutput, String> + Send + Sync + 'static,
    ) -> Arc<Self> {
        Arc::new(Self { answer: Box::new(answer), recorded: Mutex::default() })
    }

    /// The output of every command is its text in angle brackets, as in the recorded cases.
    pub(crate) fn echo() -> Arc<Self> {
        Self::new(|text| {
            Ok(ProcessOutput::new(format!("<{text}>"), ExitStatus::Code(0), Duration::ZERO))
        })
    }

    pub(crate) fn recorded(&self) -> Vec<RecordedCommand> {
        self.recorded.lock().unwrap().clone()
    }

    pub(crate) fn commands(&self) -> Vec<String> {
        self.recorded().into_iter().map(|command| command.text).collect()
    }
}

impl Shell for RecordingShell {
    fn run<'s>(&'s self, command: ShellCommand<'s>) -> BoxFuture<'s, ProcessOutput> {
        self.recorded.lock().unwrap().push(RecordedCommand {
            text: command.text.to_owned(),
            directory: command.directory.map(Into::into),
            dialect: command.dialect.map(Into::into),
            environment: command.environment.to_vec(),
            time_limit: command.time_limit,
            output_limit: command.output_limit,
        });
        Box::pin(async move {
            let start = Instant::now();
            let mut output = (self.answer)(command.text)?;
            output.time = start.elapsed();
            Ok(output)
        })
    }
}
