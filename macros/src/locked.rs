//! Locked skills, verified against the lockfile.

use crate::{
    files,
    names::Names,
    problem::{Fix, Problem, help},
    project::Project,
    skill::{Bake, BakedSkill, Origin},
};
use helix_skills_format::{
    __internal::skill_md::Rules, Listing, Lock, LockedSkill, LockedSource, RelPath, SkillMd,
    SkillName,
};
use proc_macro2::Span;
use std::{
    io,
    path::{Path, PathBuf},
};

/// The help for a name that no locked skill has.
const UNKNOWN_NAME: &str =
    "correct the name, or add the skill to the manifest and run `skills sync`";

/// Reads the locked skills of `project`; `span` is the argument that names the project.
pub(crate) fn read(project: &Project, span: Option<Span>, names: &Names, bake: &mut Bake) {
    let lock = match read_lock(project, span, bake) {
        Ok(lock) => lock,
        Err(problems) => return bake.problems.extend(problems),
    };
    let drift = project.parse_manifest(&mut bake.tracked, |manifest| lock.drift(manifest));
    bake.problems.extend(drift.map_or_else(
        |problems| problems,
        |drift| {
            let problem = |difference| Problem::at(span, difference).file(&project.manifest());
            drift.into_iter().flatten().map(|found| problem(found).help(help::SYNC)).collect()
        },
    ));
    let known: Vec<_> = lock.skills.keys().map(SkillName::as_str).collect();
    bake.problems.extend(names.problems(&known, &project.lock(), UNKNOWN_NAME));
    let skills: Vec<_> = lock.skills.iter().filter(|(name, _)| names.includes(name)).collect();
    let store = project.store();
    let problem = files::refused_link(&store).or_else(|| {
        let title = "the store is missing: the skills are locked, but not synced here";
        let missing = Problem::at(span, title).detail("expected", store.display().to_string());
        (!store.is_dir()).then(|| missing.help(help::FETCH))
    });
    if let Some(problem) = problem.filter(|_| !skills.is_empty()) {
        bake.unverified.extend(skills.iter().map(|(name, _)| ((*name).clone(), Vec::new())));
        return bake.problems.push(problem);
    }
    for (name, locked) in skills {
        let Some(source) = lock.sources.get(&locked.source) else { continue }; // checked by the parser
        match read_skill(project, name, locked, source, &mut bake.tracked) {
            Ok(skill) => bake.skills.push(skill),
            Err(problems) => {
                bake.problems.extend(problems);
                bake.unverified.insert(name.clone(), listed(&store, name));
            }
        }
    }
}

/// Returns the files of an invalid skill from its listing; empty if that cannot be read.
fn listed(store: &Path, name: &SkillName) -> Vec<RelPath> {
    let text = files::read(&store.join(format!("{name}.sha256"))).unwrap_or_default();
    let listing = Listing::parse(&String::from_utf8_lossy(&text));
    let paths = listing.iter().flat_map(Listing::iter).map(|(path, _)| path);
    paths.filter(|path| !SkillMd::is_file_name(path)).cloned().collect()
}

fn read_lock(project: &Project, span: Option<Span>, bake: &mut Bake) -> Result<Lock, Vec<Problem>> {
    let file = project.lock();
    let text = match files::read_text(&file) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let (title, fix) = if project.manifest().exists() {
                bake.tracked.push(project.manifest());
                ("there is a manifest but no lockfile: the skills were never synced", help::SYNC)
            } else {
                ("there is neither a `helix.skills.lock` nor a manifest", help::INIT)
            };
            let problem = Problem::at(span, title).detail("expected", file.display().to_string());
            return Err(vec![problem.help(fix)]);
        }
        Err(error) => return Err(vec![Problem::from_io(&file, &error).help(help::SYNC)]),
    };
    let lock = Lock::parse(&text).map_err(|findings| {
        let problem = |finding| {
            Problem::from_finding("cannot read the lockfile", &file, finding, "run `skills sync`")
        };
        findings.iter().map(problem).collect()
    });
    bake.tracked.push(file);
    lock
}

fn read_skill(
    project: &Project,
    name: &SkillName,
    locked: &LockedSkill,
    source: &LockedSource,
    tracked: &mut Vec<PathBuf>,
) -> Result<BakedSkill, Vec<Problem>> {
    // The files of a `path` source are used in place.
    let in_place = source.entry.directory().map(|path| {
        let dir = project.dir.join(path.as_str());
        locked.path.parts().fold(dir, |dir, part| dir.join(part))
    });
    let is_stored = in_place.is_none();
    let dir = in_place.unwrap_or_else(|| project.store().join(name.as_str()));
    let stored = is_stored.then_some(&*dir);
    let listing =
        read_listing(project, name, locked, stored, tracked).map_err(|problem| vec![problem])?;
    if let Some(problem) = stored.and_then(files::refused_link) {
        return Err(vec![problem]);
    }
    if !dir.is_dir() {
        let title = format!("the directory of the skill `{name}` is missing");
        let problem = Problem::new(title).detail("expected", dir.display().to_string());
        return Err(vec![problem.help(help::FETCH)]);
    }
    let verified = files::verify(name, &dir, &listing, is_stored);
    // The directory of a `path` source may contain files that its manifest entry excludes.
    let unlisted = stored.map(|dir| files::unlisted(name, dir, &listing)).unwrap_or_default();
    let files = match verified {
        Ok(files) if unlisted.is_empty() => files,
        other => return Err(other.err().into_iter().flatten().chain(unlisted).collect()),
    };
    let directory = locked.path.file_name().unwrap_or(name.as_str());
    let what = format!("the skill `{name}` cannot be used");
    let rules = Rules::locked(name, !is_stored);
    let mut skill = files.bake(directory, rules, origin(locked, source), &|file, finding| {
        let fix = finding.hint.as_deref().unwrap_or(help::FIX_FILE);
        // The author of the lockfile may not be able to fix it.
        let help = format!(
            "{fix}, then run `skills sync`; or add `{directory}` to the source's `exclude`"
        );
        Problem::from_finding(&what, file, finding, fix).help(help)
    })?;
    // The name is valid.
    let _ = skill.skill.rename(name);
    skill.name = name.clone();
    Ok(skill)
}

/// Reads the listing, whose digest is the integrity in the lockfile. `stored` is the directory of
/// the skill in the store; `None` if its files are used in place.
fn read_listing(
    project: &Project,
    name: &SkillName,
    locked: &LockedSkill,
    stored: Option<&Path>,
    tracked: &mut Vec<PathBuf>,
) -> Result<Listing, Problem> {
    let file = project.store().join(format!("{name}.sha256"));
    if let Some(problem) = files::refused_link(&file) {
        return Err(problem);
    }
    if file.is_file() {
        tracked.push(file.clone());
    }
    let expected = locked.integrity.0;
    let title = |is_missing| match is_missing {
        true => format!("the listing of the skill `{name}` is missing from the store"),
        false => format!("the skill `{name}` does not match the integrity in the lockfile"),
    };
    let bytes = files::read_expected(&file, expected, title, help::FETCH, |bytes| match stored {
        _ if expected.matches_other_line_endings(bytes) => Fix::STORED.line_endings,
        Some(dir) if is_whole(dir, name, bytes) => help::REVIEW,
        Some(_) => Fix::STORED.content,
        None => Fix::IN_PLACE.content,
    })?;
    let text = String::from_utf8_lossy(&bytes);
    let what = format!("cannot read the listing of the skill `{name}`");
    Listing::parse(&text).map_err(|finding| {
        Problem::from_finding(&what, &file, &finding, "run `skills sync --restore`")
    })
}

/// Returns whether the files of a stored skill match its listing.
fn is_whole(dir: &Path, name: &SkillName, listing: &[u8]) -> bool {
    let listing = std::str::from_utf8(listing).ok().and_then(|text| Listing::parse(text).ok());
    listing.is_some_and(|listing| {
        files::verify(name, dir, &listing, true).is_ok()
            && files::unlisted(name, dir, &listing).is_empty()
    })
}

fn origin(locked: &LockedSkill, source: &LockedSource) -> Origin {
    let (url, path) = match source.entry.directory() {
        Some(path) if locked.path.is_root() => (None, path.as_str().to_owned()),
        Some(path) => (None, format!("{}/{}", path.as_str().trim_end_matches('/'), locked.path)),
        None => (source.skills_url().map(|url| url.as_str().to_owned()), locked.path.to_string()),
    };
    Origin {
        source: Some(locked.source.as_str().to_owned()),
        url,
        reference: source.reference.clone(),
        commit: source.skills_commit().map(ToString::to_string),
        path,
        integrity: Some(locked.integrity.to_string()),
    }
}
