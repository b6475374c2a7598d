//! Commands that messages suggest.

use helix_skills_format::GitUrl;

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

/// Returns an argument as it is written in a shell.
fn quoted(argument: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-./:=@,+%".contains(c);
    if !argument.is_empty() && argument.chars().all(is_plain) {
        return argument.to_owned();
    }
    format!("'{}'", argument.replace('\'', r"'\''"))
}
