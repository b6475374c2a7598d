//! A command that chooses a skill for a query, such as a model.

use crate::program::{Context, sync::counted};
use helix_skills_project::{__internal::command, Error, ErrorKind};
use helix_skills_runtime::{SkillSet, Toolbox};
use std::{
    io::{BufRead as _, BufReader, Read, Write as _},
    iter,
    process::{Command, Stdio},
    sync::mpsc::{self, Receiver},
    thread,
    time::{Duration, Instant},
};

/// What the command is asked, between the catalog and the query.
const QUESTION: &str = "Which skill would you load for the message below? Answer with its name, or with `none`, and nothing else.";
/// How often to check whether the command has exited.
const POLL_INTERVAL: Duration = Duration::from_millis(10);
/// How long to wait for output after the command has exited: its own processes may keep it open.
const DRAIN_TIME: Duration = Duration::from_secs(1);
/// Maximum number of bytes of the output and of the messages of the command.
const MAX_OUTPUT: u64 = 1 << 20;
/// Maximum number of lines of stderr in the error of a command that failed.
const MAX_LINES: usize = 5;

/// A command that reads a prompt from stdin and prints the name of a skill.
pub(super) struct Judge<'a> {
    context: &'a Context<'a>,
    command: &'a str,
    limit: Duration,
    catalog: String,
}

impl<'a> Judge<'a> {
    pub(super) fn new(
        context: &'a Context<'a>,
        command: &'a str,
        seconds: u64,
        set: SkillSet<'_>,
    ) -> Self {
        let catalog = Toolbox::new(set).catalog().to_string();
        Self { context, command, limit: Duration::from_secs(seconds), catalog }
    }

    /// Returns the last line that the command prints for a query; `None` for `none` or no line.
    pub(super) fn choose(&self, query: &str) -> Result<Option<String>, Error> {
        let prompt = format!("{}\n\n{QUESTION}\n\n{query}\n", self.catalog.trim_end());
        let lines = self.run(prompt)?;
        let mut lines = lines.iter().map(|line| line.trim().trim_matches('`'));
        let name = lines.rfind(|line| !line.is_empty());
        Ok(name.filter(|name| !name.eq_ignore_ascii_case("none")).map(str::to_owned))
    }

    /// Runs the command and returns the lines that it prints.
    fn run(&self, prompt: String) -> Result<Vec<String>, Error> {
        let Self { context, command, limit, .. } = self;
        let failed = |what: String, hint: &str| {
            let message = format!("the command `{command}` {what}");
            Error::new(ErrorKind::Usage, "environment", message).with_hint(hint)
        };
        let io = |error| {
            failed("cannot be run".to_owned(), "pass a command to `--with`").with_source(error)
        };
        let mut child = shell(command)
            .current_dir(&context.start)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(io)?;
        let stdin = child.stdin.take();
        // A command that does not read its input is not an error.
        thread::spawn(move || stdin.map(|mut stdin| stdin.write_all(prompt.as_bytes())));
        let (stdout, stderr) = (lines(child.stdout.take()), lines(child.stderr.take()));
        let begun = Instant::now();
        let status = loop {
            if let Some(status) = child.try_wait().map_err(io)? {
                break Some(status);
            }
            if context.cancellation.is_cancelled() || begun.elapsed() > *limit {
                // It may have exited already.
                let _ = child.kill();
                let _ = child.wait();
                break None;
            }
            thread::sleep(POLL_INTERVAL);
        };
        if context.cancellation.is_cancelled() {
            return Err(Error::interrupted());
        }
        let Some(status) = status else {
            let what = format!("took longer than {}", counted(limit.as_secs(), "second"));
            return Err(failed(what, "allow more time with `--timeout`"));
        };
        let printed = |lines: Receiver<String>| -> Vec<String> {
            iter::from_fn(|| lines.recv_timeout(DRAIN_TIME).ok()).collect()
        };
        if status.success() {
            return Ok(printed(stdout));
        }
        let what = match status.code() {
            Some(code) => format!("failed with exit code {code}"),
            None => format!("failed: {status}"),
        };
        let error = failed(what, "it has to read a prompt from stdin and print a skill's name");
        let mut messages = printed(stderr);
        messages.retain(|line| !line.trim().is_empty());
        let last = messages[messages.len().saturating_sub(MAX_LINES)..].join(" / ");
        Err(if last.is_empty() { error } else { error.with_source(last) })
    }
}

/// Returns a command line as the shell runs it. Only the user writes it: the prompt is not in it.
fn shell(line: &str) -> Command {
    #[cfg(windows)]
    {
        use std::os::windows::process::CommandExt as _;
        let mut shell = command("cmd".as_ref());
        shell.raw_arg("/d /s /c").raw_arg(format!("\"{line}\""));
        shell
    }
    #[cfg(not(windows))]
    {
        let mut shell = command("sh".as_ref());
        shell.args(["-c", line]);
        shell
    }
}

/// Reads lines in a thread of its own, so that a full pipe does not stop the command.
fn lines(pipe: Option<impl Read + Send + 'static>) -> Receiver<String> {
    let (send, receive) = mpsc::channel();
    thread::spawn(move || {
        let pipe =
            pipe.into_iter().flat_map(|pipe| BufReader::new(pipe.take(MAX_OUTPUT)).split(b'\n'));
        for line in pipe.map_while(Result::ok) {
            // The receiver is gone if the command took too long.
            let _ = send.send(String::from_utf8_lossy(&line).into_owned());
        }
    });
    receive
}
