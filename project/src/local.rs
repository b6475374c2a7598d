//! Skills in a directory, read as a `path` source would read them, without manifest and lockfile.

use crate::manifest::Select;
use crate::{
    Error, directory,
    error::{At, Fact},
    facts::SkillFacts,
    license,
    paths::{ProjectPaths, absolute, directory_in},
    slashes::{path_hint, with_slashes},
};
use helix_skills_format::{Code, Limits, Listing, ProjectPath, SkillMd, SourceKey};
use helix_skills_runtime::{Skill, estimated_tokens};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

/// What a skill costs a model, in estimated tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SkillTokens {
    /// The tokens of the description, which is always in the catalog.
    pub description: usize,
    /// The tokens of the body, which a model reads when it loads the skill.
    pub body: usize,
}

impl SkillTokens {
    /// Estimates the tokens of a skill.
    #[must_use]
    pub fn of(skill: &SkillMd) -> Self {
        Self {
            description: estimated_tokens(skill.description().len()),
            body: estimated_tokens(skill.layout.body.len()),
        }
    }
}

/// A skill that is not locked.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LocalSkill {
    /// The skill with the contents of its files.
    pub skill: Skill,
    /// Its `SKILL.md`.
    pub skill_md: SkillMd,
    /// The digests of its files.
    pub listing: Listing,
    /// Its directory, relative to the working directory if it is in there.
    pub directory: PathBuf,
    /// The size of its files in bytes.
    pub bytes: u64,
    /// Its license; `None` if none was found.
    pub license: Option<String>,
    /// For its reviewer.
    pub facts: SkillFacts,
}

/// The skills of a directory.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct LocalSkills {
    /// The skills, sorted by name.
    pub skills: Vec<LocalSkill>,
    /// Warnings, one line each.
    pub warnings: Vec<String>,
}

/// Reads the skill in `directory`, or the skills in its subdirectories. `directory` is relative to
/// `start`.
///
/// # Errors
/// If there is no skill. All problems that would keep a sync from locking the skills, except for
/// invisible text, which is a warning.
pub fn read_directory(start: &Path, directory: &Path) -> Result<LocalSkills, Error> {
    let typed = directory.display();
    let start = absolute(start)?;
    let path = start.join(directory);
    if !path.is_dir() {
        let what = match path.exists() {
            true => format!("`{typed}` is a file, expected a directory"),
            false => format!("cannot find the directory `{typed}`"),
        };
        let hint = "pass a skill, or a directory whose subdirectories are skills";
        return Err(Error::usage(what, path_hint(&start, directory, hint)));
    }
    let real = dunce::canonicalize(&path).map_err(Error::read(directory))?;
    // Links of a skill may lead to files of the working directory, as in a project.
    let start = dunce::canonicalize(&start).map_err(Error::read(&start))?;
    let is_below = real.starts_with(&start) && real != start;
    let root = if is_below { start.clone() } else { real.parent().unwrap_or(&real).to_owned() };
    let below = real.strip_prefix(&root).ok().and_then(Path::to_str).unwrap_or_default();
    let below = if cfg!(windows) { below.replace('\\', "/") } else { below.to_owned() };
    let invalid = |why| Error::usage(format!("cannot read `{typed}`: {why}"), "rename it");
    let path = ProjectPath::new(&format!("./{below}")).map_err(invalid)?;
    let key = SourceKey::new("directory").unwrap_or_else(|why| unreachable!("{why}"));
    let project = ProjectPaths::at(&root);
    let found =
        directory::read_source(&project, &key, (&path, &Select::default()), Limits::default())
            .map_err(|failure| without_manifest(&typed.to_string(), failure))?;
    let mut result = LocalSkills { skills: Vec::new(), warnings: found.warnings };
    let mut directories = BTreeMap::new();
    let mut errors = Vec::new();
    for found in found.skills {
        let directory = directory_in(&real, &found.locked.path);
        let shown = project.show(&directory).display().to_string();
        result.warnings.extend(found.warnings);
        let refused = found.invisible.iter().filter(|it| it.code == Code::InvisibleText);
        result.warnings.extend(refused.map(|finding| {
            let file = finding.file.as_deref().unwrap_or_default();
            let at = At(finding.at);
            format!("{shown}/{file}{at}: {finding}; `include_skills!` refuses it")
        }));
        if let Some(other) = directories.insert(found.name.clone(), shown.clone()) {
            let what = format!("`{other}` and `{shown}` have the name `{}`", found.name);
            errors.push(Error::usage(what, "give each skill the name of its directory"));
            continue;
        }
        let file = found.contents.skill_md();
        let text = file.map(|file| String::from_utf8_lossy(&file.bytes)).unwrap_or_default();
        let mut skill = found.skill.to_skill(&text);
        for other in found.contents.files().iter().filter(|other| Some(*other) != file) {
            let inserted = skill.insert_resource(&other.path, other.bytes.clone());
            inserted.map_err(|why| Error::usage(format!("{shown}: {why}"), "rename the file"))?;
        }
        let paths = found.listing.iter().map(|(path, _)| path.as_str());
        result.skills.push(LocalSkill {
            license: license::of_skill(&found.skill, paths, None),
            facts: SkillFacts::new(&found.skill, found.contents.files()),
            skill,
            skill_md: found.skill,
            listing: found.listing,
            directory: with_slashes(directory.strip_prefix(&start).unwrap_or(&directory)),
            bytes: found.locked.bytes,
        });
    }
    Error::unless_empty(errors)?;
    result.skills.sort_by(|a, b| a.skill_md.name.cmp(&b.skill_md.name));
    Ok(result)
}

/// Replaces what the errors of a source say about the manifest.
fn without_manifest(directory: &str, failure: Error) -> Error {
    let errors = failure.into_iter().map(|error| match error.fact() {
        Fact::Unresolved { why, .. } => {
            let hint = "pass a skill, or a directory whose subdirectories are skills";
            Error::usage(format!("`{directory}`: {why}"), hint)
        }
        _ => error.with_hint(format!("run `skills validate {directory}` for all mistakes")),
    });
    errors.collect::<Vec<_>>().into()
}
