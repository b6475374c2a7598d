//! Commands that messages suggest.

use helix_skills_format::GitUrl;
use helix_skills_project::{error::UnresolvedSource, manifest::Source};
use std::env;

/// Returns the command that adds a repository with these options.
pub(super) fn add_command(url: &GitUrl, options: &[(&str, &str)]) -> String {
    let text = url.as_str();
    let short = text.strip_prefix("https://github.com/").and_then(|path| path.strip_suffix(".git"));
    let mut command = format!("skills add {}", quoted(short.unwrap_or(text)));
    for (option, value) in options {
        command.push_str(&format!(" {option} {}", quoted(value)));
    }
    command
}

/// Returns the command of this run without the options `without`, and with the options `with`.
pub(super) fn this_command(without: &[&str], with: &[(&str, &str)]) -> String {
    let typed: Vec<String> =
        env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned()).collect();
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

/// Returns the hint for a skill that a source with a directory of its own does not have.
pub(super) fn other_directory(source: &Source) -> Option<String> {
    let Source::Git(git) = source else { return None };
    let command = this_command(&["--name", "--skills-dir"], &[("--skills-dir", "DIR")]);
    let directory = &git.skills_dir;
    (!git.has_default_dir())
        .then(|| format!("run `{command}` for another directory than `{directory}`"))
}

/// Returns the hint for a repository whose skills are in other directories; `None` if there are
/// none or too many.
pub(super) fn elsewhere(why: &UnresolvedSource) -> Option<String> {
    const MAX_DIRECTORIES: usize = 3;
    let UnresolvedSource::NoSkills { marketplace: None, root_is_skill, elsewhere, .. } = why else {
        return None;
    };
    let parent =
        |path: &'_ String| path.rsplit_once('/').map_or(".", |(above, _)| above).to_owned();
    let mut directories: Vec<String> = match root_is_skill {
        true => vec![".".to_owned()],
        false => elsewhere.iter().map(parent).collect(),
    };
    directories.sort_unstable();
    directories.dedup();
    if directories.is_empty() || directories.len() > MAX_DIRECTORIES {
        return None;
    }
    let command = |directory: &String| {
        format!("`{}`", this_command(&["--skills-dir"], &[("--skills-dir", directory)]))
    };
    Some(format!("run {}", directories.iter().map(command).collect::<Vec<_>>().join(" or ")))
}

/// Returns an argument as it is written in a shell.
fn quoted(argument: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-./:=@,+%".contains(c);
    if !argument.is_empty() && argument.chars().all(is_plain) {
        return argument.to_owned();
    }
    format!("'{}'", argument.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    #[test]
    fn arguments_are_quoted_for_a_shell() {
        for (argument, expected) in
            [("a/b-c_d=1", "a/b-c_d=1"), ("", "''"), ("^1.2", "'^1.2'"), ("it's", r"'it'\''s'")]
        {
            assert_eq!(super::quoted(argument), expected);
        }
    }
}
