//! The command line.

use clap::{Args, Parser, Subcommand, ValueEnum};
use helix_skills_runtime::Profile;
use std::{num::NonZeroUsize, path::PathBuf};

/// Agent skills from git repositories, pinned and reviewed, inside your Rust binary.
///
/// helix.skills.json, the manifest, says which skills you want, and from which pinned sources. `skills sync` puts their
/// files into helix.skills/, the store, and writes helix.skills.lock: the commit of each source and a digest of each
/// skill. Commit all three, and `include_skills!()` proves and embeds them.
#[derive(Debug, Parser)]
#[command(name = "skills", version, max_term_width = 100)]
pub(super) struct Cli {
    #[command(flatten)]
    pub(super) global: Global,
    #[command(subcommand)]
    pub(super) command: Command,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Everywhere")]
pub(super) struct Global {
    /// Work as if started in this directory
    #[arg(short = 'C', long = "directory", value_name = "DIR", global = true)]
    pub(super) directory: Option<PathBuf>,
    /// The manifest; otherwise helix.skills.json here or in the nearest directory above
    #[arg(long, value_name = "FILE", global = true)]
    pub(super) manifest: Option<PathBuf>,
    /// The lock; otherwise helix.skills.lock beside the manifest
    #[arg(long, value_name = "FILE", global = true)]
    pub(super) lock: Option<PathBuf>,
    /// The store; otherwise helix.skills/ beside the manifest
    #[arg(long, value_name = "DIR", global = true)]
    pub(super) out: Option<PathBuf>,
    /// Print one JSON document on stdout, errors included
    #[arg(long, global = true)]
    pub(super) json: bool,
    /// Print only errors and what was asked for
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub(super) quiet: bool,
    /// Tell also what was left out; given twice, each request
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    pub(super) verbose: u8,
    /// Whether to use colours
    #[arg(long, value_name = "WHEN", global = true)]
    pub(super) color: Option<Color>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Color {
    Auto,
    Always,
    Never,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Start a manifest in this directory
    Init(Init),
    /// Add a source of skills to the manifest, and sync
    Add(Add),
    /// Remove sources from the manifest, and sync
    Remove(Remove),
    /// Make lock and store what the manifest asks for; with --check, prove that they are
    Sync(Sync),
    /// Move sources to the newest that their pins allow, and sync
    Update(Update),
    /// Tell what upstream has that is newer, and whether it still has what is locked
    Outdated(Outdated),
    /// List the locked skills
    List,
    /// Show one skill: what it says of itself, where it comes from, its files
    Show(Show),
    /// Show the text that changed in the store since it was locked, or since an old lock
    Diff(Diff),
    /// Print what a system prompt gets of the locked skills
    Catalog(Catalog),
    /// Find locked skills by what a task is about
    Search(Search),
    /// Tell what does not work in skills, here or elsewhere, and what could be better
    Validate(Validate),
    /// The cache that projects share
    Cache(Cache),
    /// Print the script with which a shell completes the commands
    Completions(Completions),
    /// Print a page of the manual, or write all of them
    Man(Man),
}

impl Command {
    /// The name in JSON documents.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Init(_) => "init",
            Self::Add(_) => "add",
            Self::Sync(_) => "sync",
            Self::Update(_) => "update",
            Self::Outdated(_) => "outdated",
            Self::List => "list",
            Self::Show(_) => "show",
            Self::Remove(_) => "remove",
            Self::Diff(_) => "diff",
            Self::Catalog(_) => "catalog",
            Self::Search(_) => "search",
            Self::Validate(_) => "validate",
            Self::Cache(_) => "cache",
            Self::Completions(_) => "completions",
            Self::Man(_) => "man",
        }
    }
}

#[derive(Debug, Args)]
pub(super) struct Init {
    /// Commit only the lock: the store is put into .gitignore, and every build needs `skills sync` first
    #[arg(long)]
    pub(super) ignore_store: bool,
}

#[derive(Debug, Args)]
pub(super) struct Add {
    /// A repository (https url, OWNER/REPO on github.com, or a local one), or the ./path of a directory with skills
    #[arg(value_name = "URL|OWNER/REPO|./PATH")]
    pub(super) source: String,
    /// Pin a release, exact ("1.2.3") or a range of cargo's kind ("^1.2"); otherwise the newest release
    #[arg(long, value_name = "VERSION", conflicts_with = "reference")]
    pub(super) version: Option<String>,
    /// Pin a tag or a branch
    #[arg(long = "ref", value_name = "REF")]
    pub(super) reference: Option<String>,
    /// Pin a commit, or with the others: what they must mean
    #[arg(long, value_name = "COMMIT")]
    pub(super) sha: Option<String>,
    /// Take only the skills in these directories
    #[arg(long, value_name = "DIR", value_delimiter = ',')]
    pub(super) include: Vec<String>,
    /// Take all but the skills in these directories
    #[arg(long, value_name = "DIR", value_delimiter = ',')]
    pub(super) exclude: Vec<String>,
    /// Take the skills of this plugin: the repository is a Claude plugin marketplace
    #[arg(long, value_name = "NAME", conflicts_with = "skills_dir")]
    pub(super) plugin: Option<String>,
    /// The directory of the repository that holds the skills; otherwise skills
    #[arg(long, value_name = "DIR")]
    pub(super) skills_dir: Option<String>,
    /// What the manifest calls the source; otherwise the name of --plugin, the repository or the directory
    #[arg(long, value_name = "KEY")]
    pub(super) name: Option<String>,
    /// Only change the manifest
    #[arg(long)]
    pub(super) no_sync: bool,
}

#[derive(Debug, Args)]
pub(super) struct Remove {
    /// What the manifest calls the sources
    #[arg(value_name = "KEY", required = true)]
    pub(super) keys: Vec<String>,
    /// Only change the manifest
    #[arg(long)]
    pub(super) no_sync: bool,
}

#[derive(Debug, Args)]
pub(super) struct Sync {
    /// Prove, offline and without writing, that manifest, lock and store agree
    #[arg(long, conflicts_with_all = ["restore", "dry_run"])]
    pub(super) check: bool,
    /// With --check: a skill that is absent from the store is an error
    #[arg(long, requires = "check")]
    pub(super) store: bool,
    /// Fail if the lock would change
    #[arg(long)]
    pub(super) locked: bool,
    /// Fail if the network is needed
    #[arg(long)]
    pub(super) offline: bool,
    /// Both --locked and --offline
    #[arg(long)]
    pub(super) frozen: bool,
    /// Put upstream's bytes back where files of the store were edited, and remove what was added there
    #[arg(long)]
    pub(super) restore: bool,
    /// Show what would change, and change nothing
    #[arg(long)]
    pub(super) dry_run: bool,
}

#[derive(Debug, Args)]
pub(super) struct Update {
    /// What the manifest calls the sources; otherwise all of them
    #[arg(value_name = "SOURCE")]
    pub(super) sources: Vec<String>,
    /// Show what would change, and change nothing
    #[arg(long)]
    pub(super) dry_run: bool,
}

#[derive(Debug, Args)]
pub(super) struct Outdated {
    /// What the manifest calls the sources; otherwise all of them
    #[arg(value_name = "SOURCE")]
    pub(super) sources: Vec<String>,
    /// Exit with 1 if `skills update` would change anything
    #[arg(long)]
    pub(super) exit_code: bool,
}

#[derive(Debug, Args)]
pub(super) struct Show {
    /// The name of a locked skill
    #[arg(value_name = "NAME")]
    pub(super) name: String,
}

#[derive(Debug, Args)]
pub(super) struct Diff {
    /// A lock from before, to compare with the lock; - reads it from standard input. Without one, the lock is compared
    /// with the store
    #[arg(value_name = "OLD.lock")]
    pub(super) old: Option<PathBuf>,
    /// Count changed lines instead of showing them
    #[arg(long)]
    pub(super) stat: bool,
    /// Number of unchanged lines around each change
    #[arg(short = 'U', long, value_name = "LINES", default_value_t = 3, conflicts_with = "stat")]
    pub(super) unified: u32,
    /// Show at most N lines; files that do not fit are counted instead
    #[arg(long, value_name = "N", default_value_t = 100_000, conflicts_with = "stat")]
    pub(super) max_lines: usize,
    /// Exit with 1 if anything differs
    #[arg(long)]
    pub(super) exit_code: bool,
}

#[derive(Debug, Args)]
pub(super) struct Catalog {
    /// Whose conventions to follow
    #[arg(long, value_name = "NAME", default_value = Profile::Helix.name(), value_parser = profiles())]
    pub(super) profile: Profile,
    /// List only these skills
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub(super) only: Vec<String>,
    /// Put the bodies of these skills after the list
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub(super) preload: Vec<String>,
    /// List so many characters at most: descriptions are left out from the end, names never
    #[arg(long, value_name = "N", conflicts_with = "budget_tokens")]
    pub(super) budget_chars: Option<usize>,
    /// List so many estimated tokens at most, in the same way
    #[arg(long, value_name = "N")]
    pub(super) budget_tokens: Option<usize>,
    /// Where the skills lie as files, for the profiles that tell the model
    #[arg(long, value_name = "DIR")]
    pub(super) root: Option<String>,
    /// Print the tools that belong to it, as JSON
    #[arg(long)]
    pub(super) tools: bool,
}

#[derive(Debug, Args)]
pub(super) struct Search {
    /// What the task is about, in any words
    #[arg(value_name = "QUERY", required = true)]
    pub(super) query: Vec<String>,
    /// Print so many at most
    #[arg(short = 'n', long = "max", value_name = "N", default_value = "10")]
    pub(super) most: NonZeroUsize,
}

#[derive(Debug, Args)]
pub(super) struct Validate {
    /// Directories of skills, directories with skills below them, or SKILL.md files; otherwise those of the manifest's
    /// sources of type path, else skills/, else this directory
    #[arg(value_name = "PATH")]
    pub(super) paths: Vec<PathBuf>,
    /// By whose rules: ours for authors, or those of the bare specification on agentskills.io
    #[arg(long, value_name = "RULES", default_value = "authors")]
    pub(super) spec: Spec,
    /// Fail on warnings, too
    #[arg(long)]
    pub(super) deny_warnings: bool,
    /// Mend what has one right answer; what a skill says stays as it is
    #[arg(long)]
    pub(super) fix: bool,
    /// Print the findings as SARIF 2.1.0, for the code scanning of forges
    #[arg(long, conflicts_with = "json")]
    pub(super) sarif: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Spec {
    Authors,
    Open,
}

#[derive(Debug, Args)]
pub(super) struct Cache {
    #[command(subcommand)]
    pub(super) command: CacheCommand,
}

#[derive(Clone, Copy, Debug, Subcommand)]
pub(super) enum CacheCommand {
    /// Print where it lies
    Dir,
    /// Remove every skill from it
    Clean,
}

#[derive(Debug, Args)]
pub(super) struct Completions {
    /// The shell
    #[arg(value_name = "SHELL")]
    pub(super) shell: clap_complete::Shell,
}

#[derive(Debug, Args)]
pub(super) struct Man {
    /// The command whose page to print; otherwise the program's
    #[arg(value_name = "COMMAND")]
    pub(super) command: Vec<String>,
    /// Write every page into this directory
    #[arg(long, value_name = "DIR", conflicts_with = "command")]
    pub(super) dir: Option<PathBuf>,
}

/// The names of the profiles, as values of an option.
fn profiles() -> impl clap::builder::TypedValueParser<Value = Profile> {
    use clap::builder::{PossibleValuesParser, TypedValueParser as _};
    PossibleValuesParser::new(Profile::ALL.map(Profile::name))
        .try_map(|name| Profile::from_name(&name).ok_or("no such profile"))
}
