//! Resolving pins to commits.

use super::{
    Repository,
    location::Location,
    references::{References, Release, newest_release, releases_first, versions},
};
use crate::{
    Error,
    error::{Fact, incomplete_version, known_references, known_versions, other_tags},
    manifest::{Pin, VersionPin, requirement},
    notes::Notes,
};
use helix_skills_format::{__internal::listed_all, ObjectId, SourceKey};
use helix_skills_git::{self as git, Reference};
use semver::Version;

/// A resolved pin.
pub(super) struct Answer {
    /// The commit, or a tag object that points to it.
    pub(super) commit: ObjectId,
    /// The full name of the tag or branch; `None` for a `sha` alone.
    pub(super) reference: Option<String>,
    /// The newest release, whether or not the pin allows it, if requested.
    pub(super) newest: Option<Release>,
    /// Whether no tag has the requested version, and this is the default branch.
    pub(super) has_no_tag: bool,
    /// The pin, for messages.
    pin: String,
}

impl Answer {
    fn new(commit: ObjectId, reference: Option<String>, pin: String) -> Self {
        Self { commit, reference, newest: None, has_no_tag: false, pin }
    }

    /// Returns an error if `sha` is set and is not `commit`.
    pub(super) fn check_sha(
        &self,
        key: &SourceKey,
        sha: Option<&ObjectId>,
        commit: ObjectId,
    ) -> Result<(), Error> {
        let Some(sha) = sha.filter(|sha| **sha != commit) else { return Ok(()) };
        if self.commit == *sha {
            let why = format!(
                "`sha` {sha} is an annotated tag of the commit {commit}, expected a commit"
            );
            let hint = format!("set `\"sha\": \"{commit}\"`");
            return Err(Error::unresolved(key, why).with_hint(hint));
        }
        Err(Error::moved_from_sha(key, &self.pin, sha, &commit))
    }
}

impl Repository<'_> {
    /// Resolves the pins of all sources of a repository with one network request.
    pub(super) fn pins(
        &mut self,
        locations: &[Location],
    ) -> Result<Vec<Result<Answer, Error>>, git::Error> {
        let unknown = locations.iter().filter(|location| location.known().is_none());
        let mut prefixes: Vec<String> = unknown.flat_map(prefixes).collect();
        let verified = locations.iter().filter_map(Location::verified_tag);
        prefixes.extend(verified.map(|(tag, _)| tag.to_owned()));
        prefixes.sort();
        prefixes.dedup();
        let references =
            if prefixes.is_empty() { Vec::new() } else { self.session.refs(&prefixes)? };
        let mut answers = Vec::new();
        for location in locations {
            if location.known_commit().is_some_and(|id| id.as_bytes().len() != 20) {
                let why = "repositories with SHA-256 object ids are not supported yet";
                let hint = "pin the commit by an id of 40 digits";
                answers.push(Err(Error::unresolved(&location.key, why).with_hint(hint)));
                continue;
            }
            if let Some((reference, commit)) = location.known() {
                let (reference, pin) = (reference.map(str::to_owned), "the locked pin".to_owned());
                answers.push(Ok(Answer::new(commit, reference, pin)));
                continue;
            }
            let sha = location.sha.as_ref();
            let names = location.tag_names();
            let mut answer = pin(location, (&location.pin, sha), &references, &mut self.notes);
            if answer.is_err()
                && location.may_use_default_branch()
                && let Ok(head) = pin(location, (&Pin::None, None), &references, &mut self.notes)
            {
                answer = Ok(Answer { has_no_tag: true, ..head });
            }
            if let (true, Ok(answer)) = (location.needs_newest(), &mut answer) {
                answer.newest = newest_release(&references, &names);
            }
            answers.push(match answer {
                Err(error) => Err(self.with_known(location, error)?),
                answer => answer,
            });
        }
        Ok(answers)
    }

    /// Adds to the error of a pin that does not exist what the repository has instead. Needs a
    /// network request.
    fn with_known(&mut self, location: &Location, error: Error) -> Result<Error, git::Error> {
        if !matches!(error.fact(), Fact::Unresolved { newest: Some(_), .. }) {
            return Ok(error);
        }
        let all = self.session.refs(&References::PREFIXES.map(str::to_owned))?;
        let names = location.tag_names();
        let versions = versions(&all, &names);
        // As in the tag: `0.84`, which is not the exact version 0.84.0.
        let text = |(_, tag): &(Version, &Reference)| {
            names.text(tag.name.strip_prefix("refs/tags/").unwrap_or(&tag.name)).1.to_owned()
        };
        let newest: Vec<String> = versions.iter().map(text).collect();
        let References { default_branch, branches, tags } = References::new(&all);
        let hint = match &location.pin {
            Pin::Ref(name) => {
                let names = [branches, tags].concat();
                known_references(name.as_str(), default_branch.as_deref(), &names)
            }
            Pin::Version(VersionPin::Exact(version))
                if version == "latest" && !newest.is_empty() =>
            {
                let newest = releases_first(&versions).map(text).next().unwrap_or_default();
                format!(
                    "the newest release is {newest}: use `--version {newest}`, or `*` for each newest one"
                )
            }
            Pin::Version(VersionPin::Exact(version)) => {
                incomplete_version(version, releases_first(&versions).map(text))
                    .or_else(|| other_tags(version, &tags))
                    .unwrap_or_else(|| known_versions(&newest))
            }
            _ => known_versions(&newest),
        };
        Ok(error.without_pin(newest).with_hint(hint))
    }
}

fn prefixes(location: &Location) -> Vec<String> {
    let mut prefixes = match &location.pin {
        Pin::Version(VersionPin::Exact(version)) => location
            .tag_names()
            .exact(version)
            .into_iter()
            .map(|tag| format!("refs/tags/{tag}"))
            .collect(),
        Pin::Version(VersionPin::Range(_)) => vec!["refs/tags/".to_owned()],
        Pin::Ref(name) => full_names(name.as_str()),
        Pin::None if location.sha.is_some() => Vec::new(),
        Pin::None => vec!["HEAD".to_owned()],
    };
    if location.may_use_default_branch() {
        prefixes.push("HEAD".to_owned());
    }
    if location.needs_newest() {
        prefixes.push("refs/tags/".to_owned());
    }
    prefixes
}

/// Returns the full names for a short name, in git's order.
pub(super) fn full_names(name: &str) -> Vec<String> {
    if name == "HEAD" || name.starts_with("refs/") {
        return vec![name.to_owned()];
    }
    vec![format!("refs/tags/{name}"), format!("refs/heads/{name}")]
}

fn pin(
    location: &Location,
    (pin, sha): (&Pin, Option<&ObjectId>),
    references: &[Reference],
    notes: &mut Notes,
) -> Result<Answer, Error> {
    let (key, names) = (&location.key, location.tag_names());
    let is_version = matches!(pin, Pin::Version(_));
    let find = |name: &str| references.iter().find(|reference| reference.name == name);
    let answer = |reference: &Reference, pin| {
        // The name of a tag has its version, even if the tag is a symbolic ref.
        let target = reference.target.as_ref().filter(|_| !is_version);
        Answer::new(reference.peeled, Some(target.unwrap_or(&reference.name).clone()), pin)
    };
    match pin {
        Pin::Version(version) => {
            let (found, named, why): (Vec<&Reference>, _, _) = match version {
                VersionPin::Exact(version) => {
                    let tags = names.exact(version);
                    let found = tags.iter().filter_map(|tag| find(&format!("refs/tags/{tag}")));
                    let mut found: Vec<&Reference> = found.collect();
                    // Tags with a name of the source come first.
                    let is_own = |found: &&Reference| names.is_own(&found.name);
                    let has_own = found.first().is_some_and(is_own);
                    found.retain(|found| is_own(found) == has_own);
                    let tried = listed_all(&tags);
                    let why = format!("no tag has the version `{version}` (tried {tried})");
                    (found, version.to_string(), why)
                }
                VersionPin::Range(text) => {
                    let requirement = requirement(text).map_err(|why| {
                        Error::unresolved(key, format!("the range `{text}` is refused: {why}"))
                    })?;
                    let locked = location.locked_reference();
                    let mut found = versions(references, &names);
                    found.retain(|(version, _)| requirement.matches(version));
                    let newest = found.first().map(|(version, _)| version.clone());
                    found.retain(|(version, _)| {
                        newest.as_ref().is_some_and(|it| version.cmp_precedence(it).is_eq())
                    });
                    let tag = locked.and_then(|name| name.strip_prefix("refs/tags/"));
                    let locked = tag.and_then(|tag| names.version(tag));
                    if let (Some(newest), Some(locked)) = (&newest, locked)
                        && *newest < locked
                    {
                        notes.warn(format!(
                            "the source `{key}`: the newest release of `{text}` is {newest}, which is older than the locked {locked}"
                        ));
                    }
                    let newest = newest.map(|version| version.to_string()).unwrap_or_default();
                    let why = format!("no tag has a version in the range `{text}`");
                    (found.into_iter().map(|(_, reference)| reference).collect(), newest, why)
                }
            };
            let Some(first) = found.first() else {
                return Err(Error::unresolved(key, why).without_pin(Vec::new()));
            };
            if let Some(other) = found.iter().find(|other| other.peeled != first.peeled) {
                let why = format!(
                    "two tags have the version `{named}`: {} is the commit {}, {} is {}",
                    first.name, first.peeled, other.name, other.peeled
                );
                return Err(Error::unresolved(key, why).with_hint("pin one of them with `ref`"));
            }
            Ok(answer(first, format!("the version `{}`", version.as_str())))
        }
        Pin::Ref(name) => {
            let names = full_names(name.as_str());
            let found: Vec<&Reference> = names.iter().filter_map(|name| find(name)).collect();
            let Some(first) = found.first() else {
                let why = format!("there is no tag or branch `{name}`");
                return Err(Error::unresolved(key, why).without_pin(Vec::new()));
            };
            if found.iter().any(|other| other.peeled != first.peeled) {
                notes.warn(format!("the source `{key}`: `{name}` is a tag and a branch; using the tag, set `refs/heads/{name}` for the branch"));
            }
            Ok(answer(first, format!("`{name}`")))
        }
        Pin::None => match sha {
            Some(sha) => Ok(Answer::new(*sha, None, "`sha`".to_owned())),
            None => match find("HEAD") {
                Some(head) => Ok(answer(head, "the default branch".to_owned())),
                None => {
                    let why = "the repository has no default branch";
                    Err(Error::unresolved(key, why).with_hint("pin a branch with `ref`"))
                }
            },
        },
    }
}
