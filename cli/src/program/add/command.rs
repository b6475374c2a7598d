//! Commands that messages suggest.

use super::{
    location::{is_default, short},
    target::default_name,
};
use crate::program::{args::Add, quoted::quoted};
use helix_skills_format::{Source, SourceKey};

impl Add {
    /// Returns the command with these arguments.
    pub(super) fn command(&self) -> String {
        let mut words = vec!["skills".to_owned(), "add".to_owned(), self.source.to_string()];
        let skills_dir = self.skills_dir.as_ref().filter(|directory| !is_default(directory));
        let joined = |names: &[String]| Some(names.join(",")).filter(|names| !names.is_empty());
        for (option, value) in [
            ("--version", self.version.clone()),
            ("--ref", self.reference.clone()),
            ("--sha", self.sha.clone()),
            ("--plugin", self.plugin.clone()),
            ("--skills-dir", skills_dir.cloned()),
            ("--name", self.name.clone()),
            ("--include", joined(&self.include)),
            ("--exclude", joined(&self.exclude)),
            ("--prefix", self.prefix.clone()),
        ] {
            match value {
                // It would be read as an option.
                Some(value) if value.starts_with('-') => words.push(format!("{option}={value}")),
                value => words.extend(value.into_iter().flat_map(|it| [option.to_owned(), it])),
            }
        }
        for (directory, name) in &self.rename {
            words.extend(["--rename".to_owned(), format!("{directory}={name}")]);
        }
        let flags = [
            ("--all", self.all),
            ("--list", self.list),
            ("--no-sync", self.no_sync),
            ("--dry-run", self.dry_run),
        ];
        words.extend(flags.iter().filter(|flag| flag.1).map(|flag| flag.0.to_owned()));
        words.extend(self.words.iter().map(ToString::to_string));
        words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
    }

    /// Returns the command that lists what the repository has at the same pin.
    pub(super) fn list_command(&self) -> String {
        let Self { source, version, reference, sha, .. } = self.clone();
        Self { source, version, reference, sha, list: true, ..Self::default() }.command()
    }

    /// Returns the arguments with another pin.
    pub(super) fn pinned(&self, option: &str, value: &str) -> Self {
        let value = |name| (name == option).then(|| value.to_owned());
        let (version, reference, sha) = (value("--version"), value("--ref"), value("--sha"));
        Self { version, reference, sha, ..self.clone() }
    }
}

/// Returns the command that changes the pin of a source; `None` if the source has none.
pub(in crate::program) fn pin_command(
    key: &SourceKey,
    source: &Source,
    (option, value): (&str, &str),
) -> Option<String> {
    let url = &source.repository()?.url;
    let plugin = source.plugin().map(ToString::to_string);
    // Without a name, a source with the default name is found first.
    let is_named = key.as_str() != plugin.as_deref().unwrap_or(default_name(url));
    let name = is_named.then(|| key.to_string());
    let args = Add { source: short(url).into(), plugin, name, ..Add::default() };
    Some(args.pinned(option, value).command())
}

/// Returns commands as alternatives for a hint.
pub(super) fn alternatives(commands: impl Iterator<Item = String>) -> String {
    commands.map(|command| format!("`{command}`")).collect::<Vec<_>>().join(" or ")
}

#[cfg(test)]
mod tests {
    use super::{Add, quoted};
    use crate::program::args::{Cli, Command};
    use clap::Parser as _;

    fn read(options: &[&str]) -> Add {
        match Cli::parse_from(["skills", "add", "o/r"].iter().chain(options)).command {
            Command::Add(add) => add,
            _ => unreachable!("{options:?}"),
        }
    }

    #[test]
    fn printed_command_is_read_as_the_same_options() {
        for (typed, printed) in [
            (&["-s", "Agent Development", "--skill", "ns:x,y"][..], &["Agent Development,ns:x,y"]),
            (&["-s", "a/b", "--skill", "./it's"], &["a/b,./it's"]),
        ] {
            let (typed, printed) = (read(typed), [&["--include"], &printed[..]].concat());
            let words: Vec<_> = printed.iter().map(|word| quoted(word)).collect();
            assert_eq!(typed.command(), format!("skills add o/r {}", words.join(" ")));
            assert_eq!(read(&printed).include, typed.include);
        }
        let typed = read(&["--include=-x", "--exclude", "R&D notes", "--all"]);
        assert_eq!(typed.command(), "skills add o/r --include=-x --exclude 'R&D notes' --all");
    }
}
