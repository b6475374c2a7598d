//! Fetching the files of a skill and writing them into a private directory.

use super::WrittenSkill;
use crate::{
    Error,
    error::{Problem, path_text},
    rooted_dir::RootedDir,
    skill_contents::SkillContents,
    skill_files::SkillUsage,
};
use helix_skills_agent::{Provider, ProviderError};
use helix_skills_format::Limits;
use helix_skills_runtime::{Profile, Skill};
use std::{
    fs::{DirBuilder, OpenOptions},
    io::Write,
    path::Path,
};
use tempfile::TempDir;

/// Returns the skill `name` of a provider with the contents of all files.
pub(super) async fn fetch_skill<P: Provider + ?Sized>(
    provider: &P,
    name: &str,
    profile: Profile,
    limits: &Limits,
) -> Result<Option<Skill>, ProviderError> {
    let Some(mut skill) = provider.load(name, profile).await? else { return Ok(None) };
    // The frontmatter may have another name.
    skill.rename(name)?;
    let paths: Vec<String> = skill.resources().iter().map(|file| file.path().to_owned()).collect();
    let mut usage = SkillUsage::new(name, limits);
    for path in paths {
        // Files without content in the loaded skill are read from the provider.
        if skill.resource(&path).is_none_or(|file| file.is_empty()) {
            let Some(content) = provider.read(name, &path, profile).await? else {
                let missing = Problem::Missing.at(Path::new(name).join(path));
                return Err(missing.into());
            };
            usage.add(&path, content.len() as u64)?;
            skill.insert_resource(&path, content)?;
        }
    }
    Ok(Some(skill))
}

/// Returns whether `directory` still has these contents: a script may have changed them.
pub(super) fn match_directory(contents: &SkillContents<'_>, directory: &Path) -> bool {
    let Ok(root) = RootedDir::open(directory) else { return false };
    contents.files.iter().all(|(path, pieces)| {
        let wanted = pieces.concat();
        let found =
            root.open_file(Path::new(path)).and_then(|file| file.read_whole(wanted.len() as u64));
        found.is_ok_and(|found| found == wanted)
    })
}

/// Writes the files into a new private directory.
pub(super) fn write_private(contents: &SkillContents<'_>) -> Result<WrittenSkill, Error> {
    let refused = |source| Problem::Write { source }.at(std::env::temp_dir());
    let directory = temporary_directory().map_err(refused)?;
    // Resolves links, so that paths in the skill can be compared as strings.
    let root = dunce::canonicalize(directory.path()).map_err(refused)?.join(contents.name);
    let Some(path) = root.to_str().map(|_| path_text(&root)) else {
        return Err(Problem::InvalidPath { source: "it is not UTF-8".into() }.at(root));
    };
    for (path, pieces) in &contents.files {
        let file = root.join(path);
        make_directory(file.parent().unwrap_or(&root))?;
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        {
            let mode = if SkillContents::is_executable(path) { 0o700 } else { 0o600 };
            std::os::unix::fs::OpenOptionsExt::mode(&mut options, mode);
        }
        let opened = options.open(&file);
        let written =
            opened.and_then(|mut file| pieces.iter().try_for_each(|piece| file.write_all(piece)));
        written.map_err(|source| Problem::Write { source }.at(file))?;
    }
    Ok(WrittenSkill { path, _directory: directory })
}

/// Creates a temporary directory that only the current user can enter.
fn temporary_directory() -> std::io::Result<TempDir> {
    let mut builder = tempfile::Builder::new();
    builder.prefix("skill-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o700));
    }
    builder.tempdir()
}

fn make_directory(path: &Path) -> Result<(), Error> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    let created = builder.create(path);
    created.map_err(|source| Problem::Write { source }.at(path))
}
