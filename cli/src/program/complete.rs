//! Completion of words in a shell, with the sources and skills of the project.
//!
//! A shell's script runs the program for each completion, so that it is never out of date. Nothing
//! is fetched, and without a project there are no names.
//!
//! Bash inserts a candidate as it is, without quotes. Therefore the program never prints a path,
//! because a file can be named `x$(command)`. It prints a marker instead, and the script lets the
//! shell complete paths itself. All other candidates are commands, options and names, whose types
//! exclude characters that a shell interprets, and files of a skill without such characters.

use super::{
    Context,
    args::{self, Global, Named},
    help::command_line,
    output::Output,
    program_name,
};
use clap::{ArgMatches, FromArgMatches as _, ValueHint, builder::Resettable};
use clap_complete::{ArgValueCompleter, CompleteEnv, CompletionCandidate, Shell, env::Shells};
use console::truncate_str;
use helix_skills_format::{__internal::printable, SkillName, Source};
use helix_skills_project::{Error, Project};
use serde_json::json;
use std::{collections::BTreeMap, env, ffi::OsStr, io};

/// The name of the program in completions, also in those of `cargo skills`.
pub(super) const NAME: &str = "skills";
/// Environment variable in which a script passes the name of its shell.
const VARIABLE: &str = "HELIX_SKILLS_COMPLETE";
/// Environment variable that a script sets if it understands [`FILES`] and [`DIRECTORIES`].
const PATHS_VARIABLE: &str = "HELIX_SKILLS_COMPLETE_PATHS";
/// The marker for "complete files, too". No name contains `<`.
const FILES: &str = "<files>";
/// The marker for "complete directories, too".
const DIRECTORIES: &str = "<directories>";
/// Maximum width of a description.
const LONGEST: usize = 100;

/// Answers a request of a shell's script and ends the program. Returns if there is no request.
pub(super) fn answer() {
    let command = || complete_arguments(command_line(NAME));
    CompleteEnv::with_factory(command).var(VARIABLE).complete();
}

/// Runs `skills completions`.
pub(super) fn completions(context: &Context<'_>, args: &args::Completions) -> Result<(), Error> {
    let text =
        script(args.shell).map_err(Error::disk("write the script for", args.shell.to_string()))?;
    context.output.data(&text);
    context.output.document(json!({ "shell": args.shell.to_string(), "text": text }));
    Ok(())
}

/// Returns the script that registers the completions in a shell.
///
/// The scripts of this program complete paths; in other shells, paths are not completed. Those of
/// `cargo skills` run `cargo-skills`, because another program in `PATH` may be named `skills`. In
/// zsh, the completions of cargo call the function of this name.
fn script(shell: Shell) -> io::Result<String> {
    let (own, for_cargo) = match shell {
        Shell::Bash => (include_str!("complete/skills.bash"), include_str!("complete/cargo.bash")),
        Shell::Fish => (include_str!("complete/skills.fish"), include_str!("complete/cargo.fish")),
        Shell::Zsh => (include_str!("complete/skills.zsh"), ""),
        _ => ("", ""),
    };
    let is_cargo = program_name() != NAME;
    let name = if is_cargo { "cargo-skills" } else { NAME };
    let more = if is_cargo { for_cargo } else { "" };
    let mut bytes = (own.replace(NAME, name) + more).into_bytes();
    if let (true, Some(shell)) = (own.is_empty(), Shells::builtins().completer(&shell.to_string()))
    {
        shell.write_registration(VARIABLE, name, name, name, &mut bytes)?;
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Adds completions of names and paths to the arguments of a command and its subcommands, and
/// removes hidden aliases, which clap would complete.
fn complete_arguments(command: clap::Command) -> clap::Command {
    // Clap takes only `'static` names here; the program ends after the completion.
    let aliases: Vec<&'static str> =
        command.get_visible_aliases().map(|alias| &*alias.to_owned().leak()).collect();
    let command = command.alias(Resettable::Reset).visible_aliases(aliases);
    // `mut_arg` would move the argument behind other positional ones.
    let command = command.mut_args(|found| {
        let named = found.get::<Named>().copied().or(match found.get_value_hint() {
            ValueHint::Unknown | ValueHint::Other => None,
            ValueHint::DirPath => Some(Named::Directories),
            // Without a completer, clap prints paths for any other hint.
            _ => Some(Named::Files),
        });
        let found = found.alias(Resettable::Reset);
        match named {
            Some(named) => {
                found.add(ArgValueCompleter::new(move |current: &OsStr| candidates(named, current)))
            }
            None => found,
        }
    });
    command.mut_subcommands(complete_arguments)
}

/// Returns the names that start with `current`, and the marker for paths.
fn candidates(named: Named, current: &OsStr) -> Vec<CompletionCandidate> {
    let mut found = match named {
        Named::Files | Named::Directories => Vec::new(),
        Named::FilesOfSkill => files_of_skill().unwrap_or_default(),
        _ => project().map(|project| names(&project, named)).unwrap_or_default(),
    };
    found.retain(|candidate| {
        candidate.get_value().as_encoded_bytes().starts_with(current.as_encoded_bytes())
    });
    let marker = match named {
        Named::SourcesAndSkills | Named::Skills | Named::FilesOfSkill => None,
        Named::SkillsAndFiles | Named::Files => Some(FILES),
        Named::Directories => Some(DIRECTORIES),
    };
    // The scripts of other shells would insert the marker.
    let marker = marker.filter(|_| env::var_os(PATHS_VARIABLE).is_some());
    found.extend(marker.map(CompletionCandidate::new));
    found
}

/// Returns the files of the skill in the command line that is completed, except those with a name
/// that a shell would have to quote.
fn files_of_skill() -> Option<Vec<CompletionCandidate>> {
    let found = typed()?;
    let name = found.subcommand_matches("show")?.get_one::<String>("name")?;
    let (project, name) = (project()?, SkillName::new(name).ok()?);
    let skill = project.read_skill(&project.lock().ok()??, &name).ok()?;
    let is_plain = |path: &&str| path.chars().all(|c| c.is_alphanumeric() || "._-/".contains(c));
    let paths = skill.resources().iter().map(|file| file.path()).filter(is_plain);
    Some(paths.map(CompletionCandidate::new).collect())
}

/// Returns the command line that is completed.
fn typed() -> Option<ArgMatches> {
    let words = env::args_os().skip_while(|word| word != "--").skip(1);
    command_line(NAME).ignore_errors(true).try_get_matches_from(words).ok()
}

/// Returns the project of the command line that is completed.
fn project() -> Option<Project> {
    let found = typed()?;
    let global = Global::from_arg_matches(&found).ok()?;
    Context::new(&global, &Output::new(&global, "completions")).ok()?.project().ok()
}

fn names(project: &Project, named: Named) -> Vec<CompletionCandidate> {
    let mut sources = BTreeMap::new();
    if let (Named::SourcesAndSkills, Ok(manifest)) = (named, project.manifest()) {
        let named = manifest.sources.iter();
        sources.extend(named.map(|(key, source)| (key.to_string(), origin(source))));
    }
    let lock = project.lock().ok().flatten().unwrap_or_default();
    let mut found = Vec::new();
    for name in lock.skills.keys() {
        let parsed = project.skill_md(&lock, name);
        let description = parsed.map(|parsed| parsed.description().to_owned()).unwrap_or_default();
        match sources.get(name.as_str()) {
            None => found.push(candidate(name, &description)),
            // The name alone may be ambiguous.
            Some(origin) => found.extend([
                candidate(&format!("source:{name}"), origin),
                candidate(&format!("skill:{name}"), &description),
            ]),
        }
    }
    sources.iter().map(|(key, origin)| candidate(key, origin)).chain(found).collect()
}

/// Returns where a source's skills come from.
fn origin(source: &Source) -> String {
    match (source.directory(), source.repository()) {
        (Some(path), _) => path.to_string(),
        (None, Some(repository)) => repository.url.to_string(),
        (None, None) => source.type_name().to_owned(),
    }
}

/// Returns a candidate. The description is untrusted text.
fn candidate(name: &str, description: &str) -> CompletionCandidate {
    let words = description.split_whitespace().collect::<Vec<_>>().join(" ");
    let shown = truncate_str(&printable(&words), LONGEST, "…").into_owned();
    CompletionCandidate::new(name).help((!shown.is_empty()).then(|| shown.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn completed_arguments_are_valid() {
        complete_arguments(command_line(NAME)).debug_assert();
    }

    #[test]
    fn scripts_have_the_names_of_variables_and_markers() {
        for shell in [Shell::Bash, Shell::Fish, Shell::Zsh] {
            let script = script(shell).unwrap();
            for name in [VARIABLE, PATHS_VARIABLE, FILES, DIRECTORIES] {
                assert!(script.contains(name), "{shell}: {name}");
            }
        }
    }
}
