//! The program `skills`.

mod add;
mod args;
mod cache;
mod init;
mod inspect;
mod output;
mod remove;
mod sync;

use crate::{
    Error, Exit, Failure,
    cache::{Cache, ProjectLock},
    git::{Environment, Git, Options},
    project::{Places, Project},
};
use args::{Cli, Command, Global};
use clap::{CommandFactory as _, FromArgMatches as _};
use helix_skills_format::Limits;
use output::Output;
use std::{env, path::PathBuf, sync::Arc, time::Duration};

/// The Rust line that embeds what was synced.
const RUST_LINE: &str = "static SKILLS: helix_skills::SkillSet = helix_skills::include_skills!();";

/// Runs the program with the process's arguments and environment, and tells how it ends.
#[must_use]
pub fn run() -> Exit {
    let parsed = Cli::command().color(asked_color()).try_get_matches().and_then(|found| Cli::from_arg_matches(&found));
    let cli = match parsed {
        Ok(cli) => cli,
        Err(error) => return usage(&error),
    };
    let output = Output::new(&cli.global, cli.command.name());
    match dispatch(&cli, &output) {
        Ok(()) => match output.take_write_error() {
            None => Exit::Ok,
            Some(error) => {
                output.failure(&Error::disk("write to", "standard output")(error).into());
                Exit::Disk
            }
        },
        Err(failure) => {
            output.failure(&failure);
            failure.exit()
        }
    }
}

/// What `--color` says, for the words that clap prints before it has read it.
fn asked_color() -> clap::ColorChoice {
    let mut arguments = env::args_os().skip(1);
    let value = arguments.find_map(|argument| {
        let text = argument.to_str()?.strip_prefix("--color")?.to_owned();
        Some(text.strip_prefix('=').map(str::to_owned))
    });
    let value = value.map(|inline| inline.or_else(|| arguments.next()?.into_string().ok()));
    match value.flatten().as_deref() {
        Some("always") => clap::ColorChoice::Always,
        Some("never") => clap::ColorChoice::Never,
        _ => clap::ColorChoice::Auto,
    }
}

/// What clap has to say: help and version are data, anything else is an error of usage.
fn usage(error: &clap::Error) -> Exit {
    let wants_json = env::args_os().any(|arg| arg == "--json");
    if error.use_stderr() && wants_json {
        let text = error.render().to_string();
        let what = text.lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned();
        let global = Global {
            directory: None,
            manifest: None,
            lock: None,
            out: None,
            json: true,
            quiet: false,
            verbose: 0,
            color: None,
        };
        let tip = text.lines().find_map(|line| line.trim().strip_prefix("tip: "));
        let hint = Some(tip.unwrap_or("`skills --help` lists the commands").to_owned());
        Output::new(&global, "usage").failure(&Error::Usage { what, hint }.into());
        return Exit::Usage;
    }
    // A reader that went away is no error.
    let _ = error.print();
    if error.use_stderr() { Exit::Usage } else { Exit::Ok }
}

fn dispatch(cli: &Cli, output: &Output) -> Result<(), Failure> {
    let context = Context::new(&cli.global, output)?;
    match &cli.command {
        Command::Init(args) => init::init(&context, args),
        Command::Add(args) => add::add(&context, args),
        Command::Remove(args) => remove::remove(&context, args),
        Command::Sync(args) => sync::sync(&context, args),
        Command::List => inspect::list(&context),
        Command::Show(args) => inspect::show(&context, args),
        Command::Cache(args) => cache::cache(&context, args.command),
    }
}

/// Where the program runs, and how it prints.
struct Context<'o> {
    output: &'o Output,
    /// The working directory, or that of `-C`.
    start: PathBuf,
    places: Places,
}

impl<'o> Context<'o> {
    fn new(global: &Global, output: &'o Output) -> Result<Self, Error> {
        let current = env::current_dir().map_err(Error::disk("read the working directory", "."))?;
        let start = match &global.directory {
            Some(directory) => current.join(directory),
            None => current,
        };
        if !start.is_dir() {
            let what = format!("there is no directory `{}`", start.display());
            return Err(Error::Usage { what, hint: None });
        }
        let places = Places { manifest: global.manifest.clone(), lock: global.lock.clone(), store: global.out.clone() };
        Ok(Self { output, start, places })
    }

    fn project(&self) -> Result<Project, Error> {
        Project::find(&self.start, &self.places)
    }

    fn cache(&self) -> Result<Cache, Error> {
        Cache::locate(&self.start)
    }

    /// Holds the project: nobody else changes its files until this is dropped.
    fn lock(&self, project: &Project) -> Result<ProjectLock, Error> {
        let waiting = || self.output.note("note:", "waiting for another `skills` that works on this project");
        let held = self.cache()?.lock_project(project, waiting)?;
        project.sweep()?;
        Ok(held)
    }

    fn git(&self, limits: Limits, offline: bool) -> Result<Git, Error> {
        let environment = Environment::from_variables(|name| env::var_os(name));
        environment.validate()?;
        let verbose = self.output.verbose;
        Ok(Git::new(Options {
            objects_per_fetch: limits.objects_per_fetch,
            bytes_per_fetch: limits.bytes_per_fetch,
            bytes_per_object: limits.bytes_per_file,
            connect_timeout: seconds("HELIX_SKILLS_CONNECT_TIMEOUT", 30)?,
            stall_timeout: seconds("HELIX_SKILLS_STALL_TIMEOUT", 60)?,
            offline,
            environment,
            verbose: Arc::new(move |line| {
                if verbose > 1 {
                    Output::talk(line);
                }
            }),
        }))
    }
}

/// A time-out in seconds, with a fraction if need be.
fn seconds(variable: &'static str, default: u64) -> Result<Duration, Error> {
    let Some(text) = env::var_os(variable) else { return Ok(Duration::from_secs(default)) };
    let parsed =
        text.to_str().and_then(|text| text.parse().ok()).and_then(|number| Duration::try_from_secs_f64(number).ok());
    parsed
        .filter(|time| !time.is_zero())
        .ok_or_else(|| Error::Usage { what: format!("`{variable}` must be a number of seconds above 0"), hint: None })
}
