//! The commands for the manifest that messages suggest.

use super::{
    add::{default_names, short},
    args::{Add, Pin},
    quoted::quoted,
};
use helix_skills_format::{__internal::DEFAULT_SKILLS_DIR, Source, SourceKey};

impl Add {
    /// Returns the options that have a value.
    pub(super) fn options(&self) -> Vec<(&'static str, String)> {
        let joined = |names: &[String]| Some(names.join(",")).filter(|names| !names.is_empty());
        let others = [
            ("plugin", self.plugins.first().map(ToString::to_string)),
            ("skills-dir", self.skills_dir.as_ref().map(ToString::to_string)),
            ("name", self.name.as_ref().map(ToString::to_string)),
            ("include", joined(&self.include)),
            ("exclude", joined(&self.exclude)),
            ("prefix", self.prefix.clone()),
        ];
        let renamed = self.rename.iter().map(|(it, name)| ("rename", Some(format!("{it}={name}"))));
        let all = self.pin.fields().into_iter().chain(others).chain(renamed);
        all.filter_map(|(option, value)| Some((option, value?))).collect()
    }

    /// Returns the command with these arguments.
    pub(super) fn command(&self) -> String {
        let mut words = vec!["skills".to_owned(), "add".to_owned(), self.source.to_string()];
        for (option, value) in self.options() {
            match value.starts_with('-') {
                _ if option == "skills-dir" && value == DEFAULT_SKILLS_DIR => {}
                // It would be read as an option.
                true => words.push(format!("--{option}={value}")),
                false => words.extend([format!("--{option}"), value]),
            }
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
        let Self { source, pin, .. } = self.clone();
        Self { source, pin, list: true, ..Self::default() }.command()
    }
}

/// Returns the command that pins a source to another version, or one without a pin; `None` if the
/// source has no repository.
pub(super) fn pin_command(
    key: &SourceKey,
    source: &Source,
    version: Option<&str>,
) -> Option<String> {
    let pin = version.map(Pin::version).unwrap_or_default();
    Some(Add { pin, ..add_args(key, source)? }.command())
}

/// Returns the arguments that name a source; `None` if it has no repository.
pub(super) fn add_args(key: &SourceKey, source: &Source) -> Option<Add> {
    let url = &source.repository()?.url;
    let plugins = source.plugin().into_iter().cloned().collect();
    // Without a name, a source with the default name is found first.
    let name = (key.as_str() != default_names(source)[0]).then(|| key.clone());
    Some(Add { source: short(url).into(), plugins, name, ..Add::default() })
}

#[cfg(test)]
mod tests {
    use super::{Add, quoted};
    use crate::program::args::{Cli, Command};
    use clap::Parser as _;

    fn read(options: &[&str]) -> Add {
        match Cli::parse_from(["skills", "add", "o/r"].iter().chain(options)).command {
            Command::Add(add) => *add,
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
