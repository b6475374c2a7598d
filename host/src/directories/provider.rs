//! `Directories` as a provider: listing, loading and reading skills.

use super::Directories;
use crate::{
    DiscoveredSkill, Error,
    error::{Problem, and_more, path_text, with_position},
    load::{absolute, insert},
};
use helix_skills_agent::{BoxFuture, Provided, Provider, ProviderWarning};
use helix_skills_runtime::{__internal::ErrorChain, OneLine, Profile, Skill, check_path};
use std::{ffi::OsStr, path::Path};

/// Returns a warning for each finding of a skill that is used as it is.
pub(crate) fn warnings_of(skill: &DiscoveredSkill) -> impl Iterator<Item = ProviderWarning> {
    skill.findings().iter().map(|finding| {
        let what = with_position(skill.skill_md(), finding);
        let (what, message) = (OneLine(&what), OneLine(&finding.message));
        let text = format!("`{what}`: {message} ({})", finding.code.as_str());
        ProviderWarning::about(skill.name(), text)
    })
}

impl Directories {
    /// Returns the enabled skills, and a warning for each problem and finding.
    fn listed(&self, profile: Profile) -> Result<Provided, Error> {
        let found = &self.scan(profile, false)?.discovered;
        let mut provided = Provided::default();
        let enabled = found.iter().filter(|skill| self.is_enabled(skill.name()));
        for skill in enabled.clone() {
            let mut listed = skill.metadata().clone();
            listed.set_directory(absolute(skill.path())?);
            provided.skills.push(listed);
        }
        provided.warnings.extend(found.problems().iter().map(warning));
        provided.warnings.extend(enabled.flat_map(warnings_of));
        Ok(provided)
    }

    /// Calls `answer` with the skill `name` of the last scan. If that skill is gone, which is
    /// [`Problem::Missing`], scans again at once; a name that was not found is looked up again
    /// after the cool-down.
    ///
    /// The paths in an error of `answer` become relative to the directory above the root.
    ///
    /// As long as a listed skill is in its directory, it is used even if a later root has a skill
    /// of that name by now: descriptions and bodies in one conversation belong together.
    fn with_skill<T>(
        &self,
        name: &str,
        profile: Profile,
        answer: impl Fn(&DiscoveredSkill) -> Result<T, Error>,
    ) -> Result<Option<T>, Error> {
        if !self.is_enabled(name) {
            return Ok(None);
        }
        let answer = |found: &DiscoveredSkill| {
            let above = |path: Option<&Path>| path.and_then(Path::parent).map(Path::to_owned);
            let bases = [above(found.path().parent()), above(Some(&found.root))];
            let bases: Vec<&Path> = bases.iter().flatten().map(|base| &**base).collect();
            match answer(found) {
                Err(error) if error.is_missing() => Ok(None),
                answer => answer.map(Some).map_err(|error| error.relative_to(&bases)),
            }
        };
        let last = self.last_scan(profile)?;
        if let Some(found) = last.discovered.get(name)
            && let Some(answer) = answer(found)?
        {
            return Ok(Some(answer));
        }
        let now = self.scan(profile, last.discovered.get(name).is_some())?;
        now.discovered.get(name).map_or(Ok(None), answer)
    }
}

/// Converts a problem to a warning: what is left out, and why.
fn warning(problem: &Error) -> ProviderWarning {
    let path = problem.path().unwrap_or(Path::new(""));
    let mut what = path_text(path);
    // The problem of a whole root has no file.
    let is_file = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("md"));
    let directory = path.parent().filter(|_| is_file).and_then(Path::file_name);
    let mut skill = directory.and_then(OsStr::to_str);
    let why = match problem.problem() {
        Problem::Invalid { findings } => {
            let first = findings.first();
            let more = and_more(findings.len().saturating_sub(1));
            let message = first.map(ToString::to_string).unwrap_or_default();
            if let Some(first) = first {
                what = with_position(path, first);
            }
            format!("{message}{more}")
        }
        Problem::Hidden { by, name } => {
            skill = Some(name);
            format!("`{}` has the same name, `{name}`, and takes precedence", path_text(by))
        }
        Problem::Missing => "the directory does not exist".to_owned(),
        Problem::Outside { root } => {
            let hint = problem.hint().map(|hint| format!("; {hint}")).unwrap_or_default();
            format!("it is a symbolic link out of `{}`, or behind one{hint}", path_text(root))
        }
        _ => ErrorChain(problem).to_string(),
    };
    ProviderWarning::left_out(skill, &what, &why)
}

impl Provider for Directories {
    fn list(&self, profile: Profile) -> BoxFuture<'_, Provided> {
        Box::pin(async move { Ok(self.listed(profile)?) })
    }

    fn load<'p>(&'p self, name: &'p str, profile: Profile) -> BoxFuture<'p, Option<Skill>> {
        Box::pin(async move {
            Ok(self.with_skill(name, profile, |found| {
                let (mut skill, files) = found.read(profile)?;
                for path in files.paths {
                    // The content is read on request.
                    insert(&mut skill, found.path(), &path, "")?;
                }
                Ok(skill)
            })?)
        })
    }

    fn read<'p>(
        &'p self,
        skill: &'p str,
        path: &'p str,
        profile: Profile,
    ) -> BoxFuture<'p, Option<Vec<u8>>> {
        Box::pin(async move {
            check_path(path).map_err(|why| {
                format!("`{}` is not a valid path of a file of a skill: {why}", OneLine(path))
            })?;
            let content = |found: &DiscoveredSkill| found.content(path, profile);
            Ok(self.with_skill(skill, profile, content)?.flatten())
        })
    }

    fn directory<'p>(&'p self, skill: &'p str, profile: Profile) -> BoxFuture<'p, Option<String>> {
        Box::pin(async move {
            let directory = self.with_skill(skill, profile, |found| {
                found.open_root(profile)?;
                absolute(found.path())
            })?;
            Ok(directory.flatten())
        })
    }
}
