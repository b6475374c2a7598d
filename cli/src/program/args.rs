//! Arguments of the command line, with the texts of `--help`.

use super::typed::Typed;
use clap::{
    Args, ColorChoice, Parser, Subcommand, ValueHint,
    builder::{ArgExt, PossibleValuesParser, TypedValueParser},
};
use helix_skills_format::{
    DirPath, ObjectId, PluginName, RefName, SkillName, SourceKey, VersionPin,
};
use helix_skills_host::install::CodingAgent;
use helix_skills_lint::Rules;
use helix_skills_runtime::Profile;
use std::{ffi::OsString, num::NonZeroUsize, path::PathBuf};

/// Agent skills from git repositories, pinned and reviewed, inside your Rust binary.
///
/// The manifest, helix.skills.json, lists the skills you want and the pinned sources they come
/// from. `skills sync` copies their files to the store, helix.skills/, and writes
/// helix.skills.lock: the commit of each source and a digest of each skill. Commit all three, and
/// `include_skills!()` verifies and embeds the skills.
#[derive(Parser)]
#[command(name = "skills", version, max_term_width = 100)]
#[command(after_long_help = include_str!("help/exit-codes.txt"))]
pub(super) struct Cli {
    #[command(flatten)]
    pub(super) global: Global,
    #[command(subcommand)]
    pub(super) command: Command,
}

#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Global options")]
pub(super) struct Global {
    /// Change to this directory before doing anything
    #[arg(short = 'C', long = "directory", value_name = "DIR", value_hint = ValueHint::DirPath, global = true)]
    pub(super) directory: Option<PathBuf>,
    /// Path to the manifest [default: helix.skills.json here or in the nearest parent directory]
    #[arg(long, value_name = "FILE", global = true, hide_short_help = true)]
    pub(super) manifest: Option<PathBuf>,
    /// Path to the lockfile [default: helix.skills.lock next to the manifest]
    #[arg(long, value_name = "FILE", global = true, hide_short_help = true)]
    pub(super) lock: Option<PathBuf>,
    /// Path to the store [default: helix.skills/ next to the manifest]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, global = true, hide_short_help = true)]
    pub(super) out: Option<PathBuf>,
    /// Print one JSON document to stdout, errors included
    #[arg(long, global = true)]
    pub(super) json: bool,
    /// Print only errors and the requested output
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub(super) quiet: bool,
    /// Also print what was skipped; -vv prints each request
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    pub(super) verbose: u8,
    /// When to use color
    #[arg(long, value_name = "WHEN", global = true)]
    pub(super) color: Option<ColorChoice>,
}

// Hidden aliases are the names that other package managers have for the same thing.
#[derive(Subcommand)]
pub(super) enum Command {
    /// Create a manifest for this package
    #[command(after_long_help = include_str!("help/init.txt"))]
    Init(Init),
    /// Add skills to the manifest
    #[command(alias = "i")]
    #[command(after_long_help = include_str!("help/add.txt"))]
    Add(Box<Add>),
    /// Remove skills or sources from the manifest
    #[command(visible_alias = "rm")]
    #[command(after_long_help = include_str!("help/remove.txt"))]
    Remove(Remove),
    /// Make lockfile and store match the manifest
    #[command(after_long_help = include_str!("help/sync.txt"))]
    Sync(Sync),
    /// Update skills within their pins
    #[command(alias = "upgrade")]
    #[command(after_long_help = include_str!("help/update.txt"))]
    Update(Update),
    /// Install the locked skills for coding agents
    #[command(after_long_help = include_str!("help/install.txt"))]
    Install(Install),
    /// Remove the installed skills
    #[command(after_long_help = include_str!("help/uninstall.txt"))]
    Uninstall(Uninstall),
    /// Show newer versions of the locked sources
    #[command(after_long_help = include_str!("help/outdated.txt"))]
    Outdated(Outdated),
    /// List locked skills, or those of a directory
    #[command(visible_alias = "ls", alias = "tree")]
    #[command(after_long_help = include_str!("help/list.txt"))]
    List(List),
    /// Show a skill, or what a model gets of it
    #[command(after_long_help = include_str!("help/show.txt"))]
    Show(Show),
    /// Show what changed in the store or lockfile
    #[command(after_long_help = include_str!("help/diff.txt"))]
    Diff(Diff),
    /// Print the catalog for a system prompt
    #[command(after_long_help = include_str!("help/catalog.txt"))]
    Catalog(Catalog),
    /// Search locked skills, or those of a directory
    #[command(after_long_help = include_str!("help/search.txt"))]
    Search(Search),
    /// Create a skill
    #[command(alias = "create")]
    #[command(after_long_help = include_str!("help/new.txt"))]
    New(New),
    /// Check skills for mistakes
    #[command(after_long_help = include_str!("help/validate.txt"))]
    Validate(Validate),
    /// Serve the locked skills over MCP
    #[command(after_long_help = include_str!("help/mcp.txt"))]
    Mcp(Mcp),
    /// Manage the cache that projects share
    #[command(after_long_help = include_str!("help/cache.txt"))]
    Cache(Cache),
    /// Print a shell completion script
    #[command(after_long_help = include_str!("help/completions.txt"))]
    Completions(Completions),
}

#[derive(Debug, Args)]
pub(super) struct Mcp {
    /// Arguments of the program `skills-mcp`
    #[arg(value_name = "ARGUMENT", trailing_var_arg = true, allow_hyphen_values = true)]
    pub(super) arguments: Vec<OsString>,
}

#[derive(Debug, Args)]
pub(super) struct Init {
    /// Add the store to .gitignore; every build then needs `skills sync` first
    #[arg(long)]
    pub(super) ignore_store: bool,
}

#[derive(Clone, Default, Args)]
pub(super) struct Add {
    /// Repository (HTTPS URL, OWNER/REPO on github.com, or local path), skill or directory in one
    /// (OWNER/REPO/DIR, or its web page), or ./PATH of a directory with skills
    #[arg(value_name = "URL|OWNER/REPO|./PATH", value_hint = ValueHint::DirPath)]
    pub(super) source: Typed,
    /// With --list, show only what has these words in its name or description
    #[arg(value_name = "WORD")]
    pub(super) words: Vec<Typed>,
    /// Show what the source offers, without writing anything
    #[arg(long, short_alias = 'l')]
    pub(super) list: bool,
    #[command(flatten)]
    pub(super) table: Table,
    #[command(flatten)]
    pub(super) pin: Pin,
    /// Include only these skills, by name or by path, wherever they are in the repository
    #[arg(long, alias = "skill", short_alias = 's', value_name = "SKILL", value_delimiter = ',')]
    pub(super) include: Vec<String>,
    /// Add all skills without asking
    #[arg(long)]
    pub(super) all: bool,
    /// Exclude these skills
    #[arg(long, value_name = "SKILL", value_delimiter = ',')]
    pub(super) exclude: Vec<String>,
    /// Give the skill in this directory, a name or a path, another name
    #[arg(long, value_name = "DIR=NAME", value_parser = rename)]
    pub(super) rename: Vec<(String, SkillName)>,
    /// Prefix for the names of the skills
    #[arg(long, value_name = "TEXT")]
    pub(super) prefix: Option<String>,
    /// Take the skills of this plugin; the repository is a Claude plugin marketplace. May be given
    /// several times
    #[arg(long = "plugin", value_name = "NAME", conflicts_with = "skills_dir")]
    #[arg(value_parser = PluginName::new)]
    pub(super) plugins: Vec<PluginName>,
    /// Directory of the repository to search for skills, at any depth [default: `skills`, or the
    /// whole repository if that has none]
    #[arg(long, value_name = "DIR", value_parser = DirPath::new)]
    pub(super) skills_dir: Option<DirPath>,
    /// Name of the source in the manifest [default: name of the plugin, repository or directory;
    /// of the owner if the repository is called `skills`]
    #[arg(long, value_name = "KEY", value_parser = SourceKey::new)]
    pub(super) name: Option<SourceKey>,
    /// Ask no questions; many skills still need names or --all
    #[arg(short, long)]
    pub(super) yes: bool,
    /// Edit only the manifest, without a sync. Needs the network only for the web page of a branch
    /// or tag, to find where its name ends in the address
    #[arg(long)]
    pub(super) no_sync: bool,
    /// Show what would change without writing anything
    #[arg(long)]
    pub(super) dry_run: bool,
    /// Coding agents, for which npm `skills` and `gh skill` install
    #[arg(short, long = "agent", alias = "scope", hide = true, value_delimiter = ',')]
    pub(super) agents: Vec<String>,
    /// Other options of npm `skills` and `gh skill`, which do not apply
    #[arg(short = 'g', short_alias = 'f', long = "global", aliases = OTHERS, hide = true)]
    #[arg(action = clap::ArgAction::Count)]
    pub(super) others: u8,
}

/// The pin of a source.
#[derive(Clone, Default, PartialEq, Eq, Args)]
pub(super) struct Pin {
    /// Pin a release, exact ("1.2.3") or a range as in Cargo ("^1.2") [default: the newest release]
    #[arg(long, value_name = "VERSION", conflicts_with = "reference", value_parser = VersionPin::parse)]
    pub(super) version: Option<VersionPin>,
    /// Pin a tag or branch
    #[arg(long = "ref", aliases = ["tag", "branch", "pin"], value_name = "REF", value_parser = RefName::new)]
    pub(super) reference: Option<RefName>,
    /// Pin a commit; with --version or --ref, fail unless they resolve to it
    #[arg(long, alias = "rev", value_name = "COMMIT", value_parser = commit)]
    pub(super) sha: Option<ObjectId>,
}

/// Options of npm `skills` and `gh skill` that are read like `--global`.
const OTHERS: [&str; 5] = ["copy", "full-depth", "allow-hidden-dirs", "force", "from-local"];

#[derive(Debug, Args)]
pub(super) struct Remove {
    /// Locked skills, or sources of the manifest
    #[arg(value_name = "NAME", required = true, add = Named::SourcesAndSkills)]
    pub(super) names: Vec<String>,
    /// Edit only the manifest, without a sync
    #[arg(long)]
    pub(super) no_sync: bool,
    /// Show what would change without writing anything
    #[arg(long)]
    pub(super) dry_run: bool,
}

#[derive(Debug, Args)]
pub(super) struct Sync {
    /// Check that manifest, lockfile and store agree, offline and without writing
    #[arg(long, conflicts_with_all = ["restore", "dry_run"])]
    pub(super) check: bool,
    /// With --check, fail if a skill is missing from the store
    #[arg(long, requires = "check")]
    pub(super) store: bool,
    /// With --check, also compare the lockfile with the repositories of its sources
    #[arg(long, requires = "check", conflicts_with_all = ["offline", "frozen"])]
    pub(super) upstream: bool,
    /// Fail if the lockfile would change
    #[arg(long)]
    pub(super) locked: bool,
    /// Fail if the network is needed
    #[arg(long)]
    pub(super) offline: bool,
    /// Equivalent to --locked and --offline
    #[arg(long)]
    pub(super) frozen: bool,
    /// Restore edited files in the store, and remove added ones
    #[arg(long)]
    pub(super) restore: bool,
    /// Show what would change without writing anything
    #[arg(long)]
    pub(super) dry_run: bool,
}

#[derive(Debug, Args)]
pub(super) struct Update {
    /// Sources to update, or locked skills whose sources to update [default: all]
    #[arg(value_name = "NAME", add = Named::SourcesAndSkills)]
    pub(super) sources: Vec<String>,
    /// Show what would change without writing anything
    #[arg(long)]
    pub(super) dry_run: bool,
}

#[derive(Args)]
pub(super) struct Install {
    /// Agents to install for, in addition to where the skills are installed [default:
    /// .agents/skills, and the agents whose directory exists]
    #[arg(short, long = "agent", value_name = "AGENT", value_delimiter = ',')]
    pub(super) agents: Vec<CodingAgent>,
    #[command(flatten)]
    pub(super) scope: InstallScope,
    /// Check that the skills are installed as locked, without writing
    #[arg(long, conflicts_with_all = ["force", "dry_run"])]
    pub(super) check: bool,
    /// Replace skills that you have edited, and install those that you have removed
    #[arg(long)]
    pub(super) force: bool,
    /// Show what would change without writing anything
    #[arg(long)]
    pub(super) dry_run: bool,
    /// A source, which other programs install
    #[arg(hide = true)]
    pub(super) sources: Vec<Typed>,
}

/// Where skills are installed.
#[derive(Args)]
pub(super) struct InstallScope {
    /// Use the home directory, for all projects, instead of the project
    #[arg(long, short_alias = 'g', alias = "global")]
    pub(super) user: bool,
    /// Use this directory of skills only
    #[arg(long, value_name = "PATH", conflicts_with = "user")]
    pub(super) dir: Option<PathBuf>,
}

#[derive(Args)]
pub(super) struct Uninstall {
    #[command(flatten)]
    pub(super) scope: InstallScope,
    /// Also remove skills that you have edited
    #[arg(long)]
    pub(super) force: bool,
    /// Show what would change without writing anything
    #[arg(long)]
    pub(super) dry_run: bool,
    /// A skill, which other programs uninstall
    #[arg(hide = true)]
    pub(super) names: Vec<Typed>,
}

#[derive(Debug, Args)]
pub(super) struct Outdated {
    /// Sources to look up, or locked skills whose sources to look up [default: all]
    #[arg(value_name = "NAME", add = Named::SourcesAndSkills)]
    pub(super) sources: Vec<String>,
    /// Exit with code 1 if `skills update` would change anything
    #[arg(long)]
    pub(super) exit_code: bool,
    #[command(flatten)]
    pub(super) table: Table,
}

#[derive(Debug, Args)]
pub(super) struct List {
    /// Directory of skills to read instead of the lockfile; needs no manifest
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(super) dir: Option<PathBuf>,
    #[command(flatten)]
    pub(super) table: Table,
}

/// Options of commands that print a table.
#[derive(Clone, Debug, Default, Args)]
pub(super) struct Table {
    /// Print whole lines, even if they are longer than the terminal is wide
    #[arg(long)]
    pub(super) wide: bool,
}

#[derive(Debug, Args)]
pub(super) struct Show {
    /// Name of a locked skill, or ./PATH of a skill's directory
    #[arg(value_name = "NAME|./PATH", add = Named::SkillsAndFiles)]
    pub(super) name: String,
    /// Print this file of the skill, as `read_skill_file` gives it to a model
    #[arg(value_name = "FILE", conflicts_with = "body", add = Named::FilesOfSkill)]
    pub(super) file: Option<String>,
    /// Print the body, as `load_skill` gives it to a model
    #[arg(long)]
    pub(super) body: bool,
}

#[derive(Debug, Args)]
pub(super) struct Diff {
    /// Older lockfile to compare the lockfile with, `-` for stdin. If omitted, compares the
    /// lockfile with the store
    #[arg(value_name = "OLD.lock")]
    pub(super) old: Option<PathBuf>,
    /// Print the number of changed lines instead of the lines
    #[arg(long)]
    pub(super) stat: bool,
    /// Number of context lines
    #[arg(short = 'U', long, value_name = "LINES", default_value_t = 3, conflicts_with = "stat")]
    pub(super) unified: u32,
    /// Exit with code 1 if anything differs
    #[arg(long)]
    pub(super) exit_code: bool,
}

#[derive(Debug, Args)]
pub(super) struct Catalog {
    /// Directory of skills to read instead of the lockfile; needs no manifest
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(super) dir: Option<PathBuf>,
    /// Agent whose conventions to follow
    #[arg(long, value_name = "NAME", default_value = Profile::Helix.name(), value_parser = profiles())]
    pub(super) profile: Profile,
    /// List only these skills
    #[arg(long, value_name = "NAME", value_delimiter = ',', add = Named::Skills)]
    pub(super) only: Vec<String>,
    /// Append the bodies of these skills
    #[arg(long, value_name = "NAME", value_delimiter = ',', add = Named::Skills)]
    pub(super) preload: Vec<String>,
    /// List at most N characters; omits descriptions from the end, never names
    #[arg(long, value_name = "N", conflicts_with = "budget_tokens")]
    pub(super) budget_chars: Option<usize>,
    /// List at most N estimated tokens, in the same way
    #[arg(long, value_name = "N")]
    pub(super) budget_tokens: Option<usize>,
    /// Directory of the skills' files, for profiles that show it to the model
    #[arg(long, value_name = "DIR")]
    pub(super) root: Option<String>,
    /// Print the tools as JSON instead of the catalog
    #[arg(long)]
    pub(super) tools: bool,
}

#[derive(Debug, Args)]
pub(super) struct Search {
    /// Words that describe the task. If the first one is a ./PATH, the skills of that directory are
    /// searched
    #[arg(value_name = "QUERY", required = true)]
    pub(super) query: Vec<String>,
    /// Maximum number of skills to print
    #[arg(short = 'n', long = "max", value_name = "N", default_value = "10")]
    pub(super) most: NonZeroUsize,
    #[command(flatten)]
    pub(super) table: Table,
}

#[derive(Debug, Args)]
pub(super) struct New {
    /// Name of the skill and of its directory: lower case letters, digits and `-`
    #[arg(value_name = "NAME")]
    pub(super) name: String,
    /// What the skill does and when to use it, for the catalog
    #[arg(long, value_name = "TEXT")]
    pub(super) description: Option<String>,
    /// Directory of skills to create it in [default: the manifest's `path` source, else skills]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(super) dir: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(super) struct Validate {
    /// Skill directories, directories that contain skills, SKILL.md files, or names of locked
    /// skills [default: the manifest's `path` sources, else skills/, else this directory, else the
    /// store]
    #[arg(value_name = "PATH", add = Named::SkillsAndFiles)]
    pub(super) paths: Vec<PathBuf>,
    /// Rules to apply: those for authors, or only the specification of agentskills.io
    #[arg(long, value_name = "RULES", default_value = "authors", value_parser = rules())]
    pub(super) spec: Rules,
    /// Also report placeholders, such as `$ARGUMENTS`, that stay in the text for this agent
    #[arg(long, value_name = "NAME", value_parser = profiles(), conflicts_with = "spec")]
    pub(super) profile: Option<Profile>,
    /// Exit with code 1 on warnings, too
    #[arg(long)]
    pub(super) deny_warnings: bool,
    /// Print the findings as SARIF 2.1.0, for code scanning
    #[arg(long, conflicts_with = "json")]
    pub(super) sarif: bool,
}

#[derive(Debug, Args)]
pub(super) struct Cache {
    #[command(subcommand)]
    pub(super) command: CacheCommand,
}

#[derive(Clone, Copy, Debug, Subcommand)]
pub(super) enum CacheCommand {
    /// Print the path of the cache
    Dir,
    /// Remove all skills from the cache
    Clean,
}

#[derive(Debug, Args)]
pub(super) struct Completions {
    /// Shell to complete commands in
    #[arg(value_name = "SHELL")]
    pub(super) shell: clap_complete::Shell,
}

/// What the values of an argument name, for completion in a shell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Named {
    SourcesAndSkills,
    Skills,
    SkillsAndFiles,
    FilesOfSkill,
    Files,
    Directories,
}

impl ArgExt for Named {}

/// Parses `DIR=NAME`.
fn rename(text: &str) -> Result<(String, SkillName), String> {
    let (directory, name) = text.split_once('=').ok_or("expected DIR=NAME")?;
    let name = SkillName::new(name).map_err(|why| why.to_string())?;
    Ok((directory.to_owned(), name))
}

/// Parses the id of a commit.
fn commit(text: &str) -> Result<ObjectId, String> {
    text.parse().map_err(|why: helix_skills_format::Error| match why.hint() {
        Some(hint) => format!("{why}; {hint}"),
        None => format!("{why}; for a tag or branch, use `--ref`"),
    })
}

/// Parses the name of a profile; `--help` lists the names.
fn profiles() -> impl TypedValueParser<Value = Profile> {
    PossibleValuesParser::new(Profile::ALL.map(Profile::name))
        .try_map(|name| Profile::from_name(&name).ok_or("no such profile"))
}

/// Parses the name of a set of rules.
fn rules() -> impl TypedValueParser<Value = Rules> {
    PossibleValuesParser::new(["authors", "open"])
        .map(|name| if name == "open" { Rules::Open } else { Rules::Authors })
}
