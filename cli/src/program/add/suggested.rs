//! Commands that messages suggest.

use super::spec::{is_default, short};
use crate::program::{args::Add, quoted::quoted, typed::Typed};
use helix_skills_format::SourceKey;
use helix_skills_project::manifest::Source;
use std::env;

/// Returns the command with these arguments.
pub(super) fn add_command(args: &Add) -> String {
    let mut options: Vec<(&str, &str)> = Vec::new();
    let skills_dir = args.skills_dir.as_deref().filter(|directory| !is_default(directory));
    let (include, exclude) = (args.include.join(","), args.exclude.join(","));
    let rename: Vec<String> =
        args.rename.iter().map(|(directory, name)| format!("{directory}={name}")).collect();
    for (name, value) in [
        ("--version", args.version.as_deref()),
        ("--ref", args.reference.as_deref()),
        ("--sha", args.sha.as_deref()),
        ("--plugin", args.plugin.as_deref()),
        ("--skills-dir", skills_dir),
        ("--name", args.name.as_deref()),
        ("--include", Some(include.as_str()).filter(|include| !include.is_empty())),
        ("--exclude", Some(exclude.as_str()).filter(|exclude| !exclude.is_empty())),
        ("--prefix", args.prefix.as_deref()),
    ] {
        options.extend(value.map(|value| (name, value)));
    }
    options.extend(rename.iter().map(|rename| ("--rename", rename.as_str())));
    let mut command = with_options(&args.source, &options);
    for (flag, is_set) in
        [("--list", args.list), ("--no-sync", args.no_sync), ("--dry-run", args.dry_run)]
    {
        if is_set {
            command.push(' ');
            command.push_str(flag);
        }
    }
    if let Some(word) = &args.word {
        command.push(' ');
        command.push_str(&quoted(&word.to_string()));
    }
    command
}

/// Returns the command that lists what the repository has at the pin of `args`.
pub(super) fn list_command(args: &Add) -> String {
    add_command(&Add {
        list: true,
        no_sync: false,
        dry_run: false,
        plugin: None,
        skills_dir: None,
        name: None,
        include: Vec::new(),
        exclude: Vec::new(),
        rename: Vec::new(),
        prefix: None,
        ..args.clone()
    })
}

/// Returns the command that adds a source with these options.
fn with_options(source: &Typed, options: &[(&str, &str)]) -> String {
    let mut command = format!("skills add {}", quoted(&source.to_string()));
    for (option, value) in options {
        command.push_str(&format!(" {option} {}", quoted(value)));
    }
    command
}

/// Returns the command that changes the pin of a source; `None` if the source has none.
pub(in crate::program) fn pin_command(
    key: &SourceKey,
    source: &Source,
    (option, value): (&str, &str),
) -> Option<String> {
    let url = &source.repository()?.url;
    let plugin = match source {
        Source::Marketplace(marketplace) => Some(marketplace.plugin.as_str()),
        _ => None,
    };
    let mut options = vec![(option, value)];
    options.extend(plugin.map(|plugin| ("--plugin", plugin)));
    // Without a name, a source with the name of its plugin or repository is found first.
    if key.as_str() != plugin.unwrap_or(url.repository_name()) {
        options.push(("--name", key.as_str()));
    }
    Some(with_options(&short(url).into(), &options))
}

/// Returns the arguments with another pin.
pub(super) fn pinned(args: &Add, option: &str, value: &str) -> Add {
    let value = |name| (name == option).then(|| value.to_owned());
    let (version, reference, sha) = (value("--version"), value("--ref"), value("--sha"));
    Add { version, reference, sha, ..args.clone() }
}

/// Returns the command of this run without the options `without`, and with the options `with`.
pub(super) fn this_command(without: &[&str], with: &[(&str, &str)]) -> String {
    let typed: Vec<String> = env::args_os()
        .skip(1)
        .map(|argument| Typed::from(argument.as_os_str()).to_string())
        .collect();
    let mut text = "skills".to_owned();
    let mut push = |argument: &str| {
        text.push(' ');
        text.push_str(&quoted(argument));
    };
    let mut arguments = typed.iter();
    while let Some(argument) = arguments.next() {
        if without.contains(&argument.as_str()) {
            arguments.next();
        } else if !argument.split_once('=').is_some_and(|(name, _)| without.contains(&name)) {
            push(argument);
        }
    }
    for (option, value) in with {
        push(option);
        push(value);
    }
    text
}
