//! The program `skills`.

mod add;
mod answers;
mod args;
mod cache;
mod catalog;
mod complete;
mod diff;
mod facts;
mod help;
mod init;
mod inspect;
mod install;
mod installed;
mod interrupt;
mod license;
mod local;
mod look_alikes;
mod manifest_edit;
mod mcp;
mod new;
mod outdated;
mod output;
mod package;
mod pasted;
mod quoted;
mod remove;
mod screen;
mod search;
mod suggested;
mod sync;
mod table;
mod typed;
mod update;
mod usage_error;
mod validate;

use args::{Cli, Command, Global};
use clap::{
    FromArgMatches as _,
    error::{ContextKind, ContextValue, ErrorKind as ClapError},
};
use helix_skills_format::__internal::nearest;
use helix_skills_project::{Cancellation, Error, ErrorKind, Project};
use output::{Output, called_after, exit_code};
use screen::Screen;
use std::{env, ffi::OsString, io::Write as _, path::PathBuf, sync::Arc};
use typed::Typed;
use usage_error::usage_error;

/// The Rust line that embeds the synced skills.
const RUST_LINE: &str = "helix_skills::include_skills!(mod skills);";

/// Environment variable in which `cargo-skills` passes the command that the user typed.
const TYPED_NAME: &str = "HELIX_SKILLS_TYPED";

/// Returns how the user called the program.
fn program_name() -> &'static str {
    let is_cargo = env::var_os(TYPED_NAME).is_some_and(|typed| typed == "cargo skills");
    if is_cargo { "cargo skills" } else { "skills" }
}

/// Runs the program with the arguments and environment of the process, and returns its exit code.
#[must_use]
pub(crate) fn run() -> u8 {
    let name = program_name();
    complete::answer();
    let arguments = pasted::translate(env::args_os().collect());
    let parsed = help::command_line(name).try_get_matches_from(&arguments).and_then(|found| {
        let command = found.subcommand_name().unwrap_or(name).to_owned();
        Ok((command, Cli::from_arg_matches(&found)?))
    });
    let (command, cli) = match parsed {
        Ok(parsed) => parsed,
        Err(error) => {
            let error = with_suggestion(name, without_secrets(error));
            return print_clap_error(name, &arguments, &error);
        }
    };
    let output = Output::new(&cli.global, command);
    let kind = dispatch(&cli, &output).and_then(|kind| match output.take_write_error() {
        None => Ok(kind),
        Some(error) => Err(Error::disk("write to", "standard output")(error)),
    });
    exit_code(kind.unwrap_or_else(|error| {
        output.failure(&error);
        Some(error.kind())
    }))
}

/// Hides the secrets in the words that an error of clap repeats.
fn without_secrets(mut error: clap::Error) -> clap::Error {
    let words = error.context().filter_map(|(kind, value)| match value {
        ContextValue::String(word) => Some((kind, Typed::from(word.as_str()))),
        _ => None,
    });
    for (kind, word) in words.filter(|(_, word)| word.has_secret()).collect::<Vec<_>>() {
        error.insert(kind, ContextValue::String(word.to_string()));
    }
    error
}

/// Adds the nearest command, which clap does not suggest after `help`.
fn with_suggestion(name: &'static str, mut error: clap::Error) -> clap::Error {
    if let (Some(ContextValue::String(typed)), None) =
        (error.get(ContextKind::InvalidSubcommand), error.get(ContextKind::SuggestedSubcommand))
    {
        let root = help::command_line(name);
        let near = nearest(typed, root.get_subcommands().map(clap::Command::get_name));
        if let Some(near) = near.map(str::to_owned) {
            error.insert(ContextKind::SuggestedSubcommand, ContextValue::Strings(vec![near]));
        }
    }
    error
}

/// Prints what clap returns instead of arguments: help and version, or a usage error.
fn print_clap_error(name: &'static str, arguments: &[OsString], error: &clap::Error) -> u8 {
    let is_error = error.use_stderr();
    // Clap quotes names by `'`, which a user may have typed, too.
    let is_typed = arguments.iter().any(|arg| arg.to_string_lossy().contains('\''));
    let is_quoted = is_error && !is_typed;
    let with_backticks = |text: String| if is_quoted { text.replace('\'', "`") } else { text };
    if let Some(answer) = answers::answer(error) {
        let json = arguments.iter().any(|arg| arg == "--json");
        Output::new(&Global { json, ..Global::default() }, "usage").failure(&answer);
        return exit_code(Some(ErrorKind::Usage));
    }
    if !is_error || !arguments.iter().any(|arg| arg == "--json") {
        let before = ["`", "| ", "\n  ", "("];
        let text = called_after(&before, &with_backticks(error.render().ansi().to_string()));
        // A closed pipe is not an error.
        let _ = match is_error {
            true => anstream::stderr().write_all(text.as_bytes()),
            false => anstream::stdout().write_all(text.as_bytes()),
        };
        return exit_code(is_error.then_some(ErrorKind::Usage));
    }
    // Without its options, the command is found even if the line cannot be parsed.
    let lenient = help::command_line(name).ignore_errors(true);
    let typed = lenient.try_get_matches_from(arguments).ok();
    let typed = typed.as_ref().and_then(|found| found.subcommand_name());
    let called = typed.map_or_else(|| name.to_owned(), |command| format!("{name} {command}"));
    let text = with_backticks(error.render().to_string());
    let what = match error.kind() {
        ClapError::MissingSubcommand | ClapError::DisplayHelpOnMissingArgumentOrSubcommand => {
            format!("`{called}` needs a command")
        }
        _ => {
            let lines = text.lines().map(str::trim).take_while(|line| !line.is_empty());
            let first = lines.collect::<Vec<_>>().join(" ");
            first.trim_start_matches("error: ").to_owned()
        }
    };
    let tip = text.lines().find_map(|line| line.trim().strip_prefix("tip: "));
    let hint = tip.map_or_else(|| format!("run `{called} --help` for usage"), str::to_owned);
    let global = Global { json: true, ..Global::default() };
    let command = typed.unwrap_or("usage").to_owned();
    Output::new(&global, command).failure(&usage_error(what, hint));
    exit_code(Some(ErrorKind::Usage))
}

fn dispatch(cli: &Cli, output: &Output) -> Result<Option<ErrorKind>, Error> {
    let context = Context::new(&cli.global, output)?;
    match &cli.command {
        // These commands can succeed and still find problems, whose kind is the exit code.
        Command::Diff(args) => return diff::diff(&context, args),
        Command::Outdated(args) => return outdated::outdated(&context, args),
        Command::Validate(args) => return validate::validate(&context, args),
        Command::Install(args) => return install::install(&context, args),
        Command::Uninstall(args) => return install::uninstall(&context, args),
        Command::Init(args) => init::init(&context, args),
        Command::Add(args) => add::add(&context, args),
        Command::Remove(args) => remove::remove(&context, args),
        Command::Sync(args) => sync::sync(&context, args),
        Command::Update(args) => update::update(&context, args),
        Command::List(args) => inspect::list(&context, args),
        Command::Show(args) => inspect::show(&context, args),
        Command::Catalog(args) => catalog::catalog(&context, args),
        Command::Search(args) => search::search(&context, args),
        Command::New(args) => new::new(&context, args),
        Command::Mcp(args) => mcp::mcp(&context, args),
        Command::Cache(args) => cache::cache(&context, args.command),
        Command::Completions(args) => complete::completions(&context, args),
    }?;
    Ok(None)
}

/// The project's location, and how to print.
struct Context<'o> {
    output: &'o Output,
    global: &'o Global,
    /// The working directory, or the directory of `-C`.
    start: PathBuf,
    screen: Arc<Screen>,
    cancellation: Cancellation,
}

impl<'o> Context<'o> {
    fn new(global: &'o Global, output: &'o Output) -> Result<Self, Error> {
        let mut start = env::current_dir().map_err(Error::read("."))?;
        start.extend(&global.directory);
        if !start.is_dir() {
            let what = format!("cannot find the directory `{}`", start.display());
            return Err(usage_error(what, "pass an existing directory to `-C`"));
        }
        if let Some(file) = global.out.as_ref().filter(|out| start.join(out).is_file()) {
            let what = format!("`--out {}` names a file; the store is a directory", file.display());
            return Err(usage_error(what, "pass a directory, such as `--out helix.skills`"));
        }
        let (screen, cancellation) = (Arc::new(Screen::new(output)), Cancellation::new());
        Ok(Self { output, global, start, screen, cancellation })
    }

    /// Returns the project of the command.
    fn project(&self) -> Result<Project, Error> {
        let project = match &self.global.manifest {
            Some(file) => Project::from_manifest_file(&self.start, file)?,
            None => Project::find(&self.start)?,
        };
        Ok(self.configured(project))
    }

    /// Applies the paths and callbacks of this run to a project.
    fn configured(&self, mut project: Project) -> Project {
        if let Some(lock) = &self.global.lock {
            project = project.lock_file(self.start.join(lock));
        }
        if let Some(store) = &self.global.out {
            project = project.store_dir(self.start.join(store));
        }
        self.screen.name_sources(|| project.manifest().ok());
        project.progress(self.screen.clone()).cancellation(self.cancellation.clone())
    }

    /// Shows progress while `work` runs, and cancels it on a signal.
    fn run<T>(
        &self,
        what: &'static str,
        work: impl FnOnce() -> Result<T, Error>,
    ) -> Result<T, Error> {
        interrupt::listen(&self.cancellation);
        self.screen.start(what);
        let result = work();
        self.screen.clear();
        result
    }
}
