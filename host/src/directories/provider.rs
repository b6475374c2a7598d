//! `Directories` as a provider: listing, loading and reading skills.

use super::Directories;
use crate::{
    DiscoveredSkill, Error,
    error::Problem,
    error::and_more,
    frontmatter,
    load::{absolute, insert},
    rooted_dir::RootedDir,
};
use helix_skills_agent::{BoxFuture, Provided, Provider, ProviderRequest, ProviderWarning};
use helix_skills_format::{Finding, RelPath};
use helix_skills_runtime::{__internal::ErrorChain, OneLine, Profile, Skill};
use std::path::Path;

/// Returns a warning for each finding of a skill that is used as it is.
pub(crate) fn warnings_of(skill: &DiscoveredSkill) -> impl Iterator<Item = ProviderWarning> {
    skill.findings().iter().map(|finding| ProviderWarning::Finding {
        skill: skill.name().to_owned(),
        what: with_position(skill.skill_md(), finding),
        code: finding.code.as_str(),
        message: finding.message.clone(),
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
        provided.warnings.extend(found.problems().map(warning));
        provided.warnings.extend(enabled.flat_map(warnings_of));
        Ok(provided)
    }

    /// Calls `answer` with the skill `name` of the last scan. If that skill is gone, scans again at
    /// once; a name that was not found is looked up again after the cool-down.
    ///
    /// The paths in an error of `answer` become relative to the directory above the root.
    ///
    /// As long as a listed skill is in its directory, it is used even if a later root has a skill
    /// of that name by now: descriptions and bodies in one conversation belong together.
    fn with_skill<T>(
        &self,
        name: &str,
        profile: Profile,
        answer: impl Fn(&DiscoveredSkill) -> Result<Option<T>, Error>,
    ) -> Result<Option<T>, Error> {
        if !self.is_enabled(name) {
            return Ok(None);
        }
        let answer = |found: &DiscoveredSkill| {
            let above = |path: Option<&Path>| path.and_then(Path::parent).map(Path::to_owned);
            let bases = [above(found.path().parent()), above(Some(&found.root))];
            let bases: Vec<&Path> = bases.iter().flatten().map(|base| &**base).collect();
            answer(found).map_err(|error| error.relative_to(&bases))
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

    /// Returns a discovered skill with its body and the paths of its files, and findings about
    /// files that are left out. `None` if it is gone.
    ///
    /// # Errors
    /// If its `SKILL.md` is no longer valid, with the position of each mistake, or cannot be read.
    pub(super) fn loaded(
        &self,
        found: &DiscoveredSkill,
        profile: Profile,
    ) -> Result<Option<(Skill, Vec<Finding>)>, Error> {
        let Some(root) = unless_missing(RootedDir::open(&found.root))? else { return Ok(None) };
        let read = unless_missing(found.read(&root, profile, &self.limits))?.flatten();
        let Some((mut skill, files)) = read else { return Ok(None) };
        for path in files.paths {
            // The content is read on request.
            insert(&mut skill, &root, &found.inner, &path, "")?;
        }
        Ok(Some((skill, files.left_out)))
    }

    /// Returns the content of a file: `None` if the skill is gone, `Some(None)` if it has no such
    /// file.
    pub(super) fn content(
        &self,
        found: &DiscoveredSkill,
        path: &RelPath,
        profile: Profile,
    ) -> Result<Option<Option<Vec<u8>>>, Error> {
        let Some(root) = self.root_of(found, profile)? else { return Ok(None) };
        let inner = Path::new(&found.inner).join(path.as_str());
        let file = unless_missing(root.open_file(&inner))?;
        Ok(Some(file.map(|file| file.read_whole(self.limits.bytes_per_file)).transpose()?))
    }

    /// Opens the root of a skill, if the skill is still in its directory. Meanwhile a skill of
    /// another name may have been moved there, possibly one that is not [enabled](Self::enabled).
    fn root_of(
        &self,
        found: &DiscoveredSkill,
        profile: Profile,
    ) -> Result<Option<RootedDir>, Error> {
        let Some(root) = unless_missing(RootedDir::open(&found.root))? else { return Ok(None) };
        let Some(mut file) = unless_missing(root.open_file(&found.inner_skill_md()))? else {
            return Ok(None);
        };
        if file.version != found.version {
            match frontmatter::metadata(&mut file, Some(&found.directory), found.file, profile) {
                Ok((parsed, _)) if parsed.skill.name.as_str() == found.name() => {}
                Err(error) if error.findings().is_empty() => return Err(error),
                Ok(_) | Err(_) => return Ok(None),
            }
        }
        Ok(Some(root))
    }
}

fn unless_missing<T>(found: Result<T, Error>) -> Result<Option<T>, Error> {
    match found {
        Err(error) if error.is_missing() => Ok(None),
        found => found.map(Some),
    }
}

fn with_position(path: &Path, finding: &Finding) -> String {
    let position = finding.at.map(|at| format!(":{at}")).unwrap_or_default();
    format!("{}{position}", path.display())
}

/// Converts a problem to a warning: what is left out, and why.
fn warning(problem: &Error) -> ProviderWarning {
    let path = problem.path().unwrap_or(Path::new(""));
    let mut what = path.display().to_string();
    let why = match problem.problem() {
        Some(Problem::Invalid { findings }) => {
            let first = findings.first();
            let more = and_more(findings.len().saturating_sub(1));
            let message = first.map(ToString::to_string).unwrap_or_default();
            if let Some(first) = first {
                what = with_position(path, first);
            }
            format!("{message}{more}")
        }
        Some(Problem::Hidden { by, name }) => {
            format!("`{}` has the same name, `{name}`, and takes precedence", by.display())
        }
        Some(Problem::Missing) => "the directory does not exist".to_owned(),
        Some(Problem::Outside { root }) => {
            let hint = problem.hint().map(|hint| format!("; {hint}")).unwrap_or_default();
            format!("it is a symbolic link out of `{}`, or behind one{hint}", root.display())
        }
        _ => ErrorChain(problem).to_string(),
    };
    ProviderWarning::LeftOut { what, why }
}

impl Provider for Directories {
    fn list<'p>(&'p self, request: &'p ProviderRequest) -> BoxFuture<'p, Provided> {
        Box::pin(async move { Ok(self.listed(request.profile)?) })
    }

    fn load<'p>(
        &'p self,
        name: &'p str,
        request: &'p ProviderRequest,
    ) -> BoxFuture<'p, Option<Skill>> {
        Box::pin(async move {
            let loaded = |found: &_| self.loaded(found, request.profile);
            Ok(self.with_skill(name, request.profile, loaded)?.map(|(skill, _)| skill))
        })
    }

    fn read<'p>(
        &'p self,
        skill: &'p str,
        path: &'p str,
        request: &'p ProviderRequest,
    ) -> BoxFuture<'p, Option<Vec<u8>>> {
        Box::pin(async move {
            let checked = RelPath::new(path);
            let path = checked.map_err(|why| {
                format!("`{}` is not a valid path of a file of a skill: {why}", OneLine(path))
            })?;
            Ok(self
                .with_skill(skill, request.profile, |found| {
                    self.content(found, &path, request.profile)
                })?
                .flatten())
        })
    }

    fn directory<'p>(
        &'p self,
        skill: &'p str,
        request: &'p ProviderRequest,
    ) -> BoxFuture<'p, Option<String>> {
        Box::pin(async move {
            Ok(self.with_skill(skill, request.profile, |found| {
                let Some(_) = self.root_of(found, request.profile)? else { return Ok(None) };
                absolute(found.path())
            })?)
        })
    }
}
