//! What a source offers before it is added.

mod repository;

use crate::{
    Error, directory, license,
    manifest::{LockedSource, Select},
    marketplace::PluginName,
    paths::ProjectPaths,
};
use helix_skills_format::{DirPath, GitUrl, Limits, ProjectPath, SourceKey};

/// What a source offers: its skills, and the plugins if its repository is a marketplace.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Offer {
    /// What the pin was resolved to; `None` for a `path` source, and for a marketplace that has
    /// skills only in plugins.
    pub source: Option<LockedSource>,
    /// The selected skills, by directory.
    pub skills: Vec<OfferedSkill>,
    /// The plugins, by name, if the source does not name one.
    pub plugins: Vec<OfferedPlugin>,
    /// Warnings, one line each.
    pub warnings: Vec<String>,
}

/// A skill of a source.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct OfferedSkill {
    /// Its name in `SKILL.md`, or that of its directory if the file cannot be parsed.
    pub name: String,
    /// The key that names it in the manifest's `include`: the name of its directory, or the path.
    pub directory: String,
    /// Its directory, relative to the source's root.
    pub path: DirPath,
    /// Its description, or why the skill cannot be added.
    pub description: Result<String, String>,
    /// Number of files.
    pub files: u64,
    /// Total size of the files; `None` in a repository, whose files were not fetched.
    pub bytes: Option<u64>,
    /// Its license, or `None` if none was found.
    pub license: Option<String>,
    /// The plugins that have it.
    pub plugins: Vec<PluginName>,
    /// Other directories of the same name with the same files.
    pub copies: Vec<DirPath>,
}

/// A plugin of a marketplace.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct OfferedPlugin {
    /// Its name.
    pub name: PluginName,
    /// Its description, if it has one.
    pub description: Option<String>,
    /// Its license, as it declares it.
    pub license: Option<String>,
    /// Its repository, if that is not the marketplace's. It was not read.
    pub url: Option<GitUrl>,
    /// Names of its skills; `None` if they are in another repository, or the plugin cannot be used.
    pub skills: Option<Vec<String>>,
    /// Why it cannot be used, or has no skills.
    pub problem: Option<String>,
}

/// Returns what a `path` source offers.
pub(crate) fn of_directory(
    project: &ProjectPaths,
    key: &SourceKey,
    (path, select): (&ProjectPath, &Select),
    limits: Limits,
) -> Result<Offer, Error> {
    let found = directory::read_source(project, key, (path, select), limits)?;
    let skills = found.skills.into_iter().map(|skill| {
        let paths = skill.listing.iter().map(|(path, _)| path.as_str());
        let path = skill.locked.path;
        OfferedSkill {
            name: skill.skill.name.to_string(),
            directory: path.file_name().unwrap_or(skill.skill.name.as_str()).to_owned(),
            description: Ok(skill.skill.description().to_owned()),
            files: skill.locked.files,
            bytes: Some(skill.locked.bytes),
            license: license::of_skill(&skill.skill, paths, None),
            plugins: Vec::new(),
            copies: Vec::new(),
            path,
        }
    });
    Ok(Offer { skills: skills.collect(), warnings: found.warnings, ..Offer::default() })
}
