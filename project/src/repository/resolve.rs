//! Resolving pins to commits.

use super::references::References;
use crate::error::{Fact, incomplete_version, known_references, known_versions};
use crate::manifest::{Pin, Source, VersionPin, requirement};
use crate::notes::Notes;
use crate::{Error, tags::TagNames};
use helix_skills_format::ObjectId;
use helix_skills_format::{__internal::listed_all, SourceKey};
use helix_skills_git::{self as git, Reference, Session};
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
    /// Whether the answer is from the lockfile, without a request.
    pub(super) was_locked: bool,
    /// The pin, for messages.
    pin: String,
}

impl Answer {
    fn new(commit: ObjectId, reference: Option<String>, pin: String) -> Self {
        let (has_no_tag, was_locked) = (false, false);
        Self { commit, reference, newest: None, has_no_tag, was_locked, pin }
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

/// A pin to resolve, with what the lockfile has of it.
#[derive(Clone, Copy)]
pub(super) struct PinQuery<'j> {
    pub(super) key: &'j SourceKey,
    /// The source, whose names its tags may have.
    pub(super) source: &'j Source,
    /// The locked tag or branch. Tags keep its form.
    pub(super) locked: Option<&'j str>,
    pub(super) pin: &'j Pin,
    pub(super) sha: Option<&'j ObjectId>,
    /// The locked ref and commit.
    pub(super) known: Option<(Option<&'j str>, &'j ObjectId)>,
    /// Whether to find the newest release, too.
    pub(super) newest: bool,
    /// Whether a version without a tag resolves to the default branch.
    pub(super) or_default_branch: bool,
}

/// Resolves the pins of all sources of a repository with one network request.
pub(super) fn pins(
    session: &mut Session<'_>,
    queries: &[PinQuery<'_>],
    notes: &mut Notes,
) -> Result<Vec<Result<Answer, Error>>, git::Error> {
    let unknown = queries.iter().filter(|query| query.known.is_none());
    let mut prefixes: Vec<String> = unknown.flat_map(prefixes).collect();
    prefixes.sort();
    prefixes.dedup();
    let references = if prefixes.is_empty() { Vec::new() } else { session.refs(&prefixes)? };
    let mut answers = Vec::new();
    for query in queries {
        if let Some((reference, commit)) = query.known {
            let (commit, reference) = (*commit, reference.map(str::to_owned));
            let answer = Answer::new(commit, reference, "the locked pin".to_owned());
            answers.push(Ok(Answer { was_locked: true, ..answer }));
            continue;
        }
        let mut answer = pin(query, &references, notes);
        if let (Err(_), true, Pin::Version(_)) = (&answer, query.or_default_branch, query.pin)
            && let Ok(head) =
                pin(&PinQuery { pin: &Pin::None, sha: None, ..*query }, &references, notes)
        {
            answer = Ok(Answer { has_no_tag: true, ..head });
        }
        if let (true, Ok(answer)) = (query.newest, &mut answer) {
            let names = TagNames::new(query.key, query.source);
            answer.newest = newest_release(&references, &names, query.locked);
        }
        answers.push(match answer {
            Err(error) => Err(with_known(session, query, error)?),
            answer => answer,
        });
    }
    Ok(answers)
}

fn prefixes(query: &PinQuery<'_>) -> Vec<String> {
    let mut prefixes = match query.pin {
        Pin::Version(VersionPin::Exact(version)) => TagNames::new(query.key, query.source)
            .exact(version)
            .into_iter()
            .map(|tag| format!("refs/tags/{tag}"))
            .collect(),
        Pin::Version(VersionPin::Range(_)) => vec!["refs/tags/".to_owned()],
        Pin::Ref(name) => full_names(name.as_str()),
        Pin::None if query.sha.is_some() => Vec::new(),
        Pin::None => vec!["HEAD".to_owned()],
    };
    if query.or_default_branch && matches!(query.pin, Pin::Version(_)) {
        prefixes.push("HEAD".to_owned());
    }
    if query.newest {
        prefixes.push("refs/tags/".to_owned());
    }
    prefixes
}

/// Returns the full names for a short name, in git's order.
fn full_names(name: &str) -> Vec<String> {
    if name == "HEAD" || name.starts_with("refs/") {
        return vec![name.to_owned()];
    }
    vec![format!("refs/tags/{name}"), format!("refs/heads/{name}")]
}

fn pin(query: &PinQuery<'_>, references: &[Reference], notes: &mut Notes) -> Result<Answer, Error> {
    let key = query.key;
    let find = |name: &str| references.iter().find(|reference| reference.name == name);
    let answer = |reference: &Reference, pin| {
        // The name of a tag has its version, even if the tag is a symbolic ref.
        let target = reference.target.as_ref().filter(|_| !matches!(query.pin, Pin::Version(_)));
        Answer::new(reference.peeled, Some(target.unwrap_or(&reference.name).clone()), pin)
    };
    match query.pin {
        Pin::Version(VersionPin::Exact(version)) => {
            let names = TagNames::new(key, query.source);
            let tried = names.exact(version);
            let found =
                tried.iter().filter_map(|tag| Some((tag, find(&format!("refs/tags/{tag}"))?)));
            let mut found: Vec<_> = found.collect();
            // Tags with a name of the source come first.
            let is_own = found.first().is_some_and(|(tag, _)| names.text(tag).0);
            found.retain(|(tag, _)| names.text(tag).0 == is_own);
            let found: Vec<&Reference> =
                found.into_iter().map(|(_, reference)| reference).collect();
            match found.as_slice() {
                [] => {
                    let tried = listed_all(&tried);
                    let why = format!("no tag has the version `{version}` (tried {tried})");
                    Err(Error::unresolved(key, why).without_pin(Vec::new()))
                }
                [first, rest @ ..] => {
                    check_one_commit(key, version, first, rest)?;
                    Ok(answer(first, format!("the version `{version}`")))
                }
            }
        }
        Pin::Version(VersionPin::Range(text)) => {
            let requirement = requirement(text).map_err(|why| {
                Error::unresolved(key, format!("the range `{text}` is refused: {why}"))
            })?;
            let mut versions = query.versions(references);
            let locked = query.locked.and_then(|name| name.strip_prefix("refs/tags/"));
            let locked = locked.and_then(|tag| TagNames::new(key, query.source).version(tag));
            versions.retain(|(version, _)| requirement.matches(version));
            let Some((newest, first)) = versions.first() else {
                let why = format!("no tag has a version in the range `{text}`");
                return Err(Error::unresolved(key, why).without_pin(Vec::new()));
            };
            let rest: Vec<&Reference> = versions[1..]
                .iter()
                .take_while(|(version, _)| version.cmp_precedence(newest).is_eq())
                .map(|(_, reference)| *reference)
                .collect();
            check_one_commit(key, &newest.to_string(), first, &rest)?;
            if let Some(locked) = locked.filter(|locked| newest < locked) {
                notes.warn(format!(
                    "the source `{key}`: the newest release of `{text}` is {newest}, which is older than the locked {locked}"
                ));
            }
            Ok(answer(first, format!("the version `{text}`")))
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
        Pin::None => match query.sha {
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

/// Returns an error if tags of the same version point to different commits.
fn check_one_commit(
    key: &SourceKey,
    version: &str,
    first: &Reference,
    rest: &[&Reference],
) -> Result<(), Error> {
    match rest.iter().find(|other| other.peeled != first.peeled) {
        None => Ok(()),
        Some(other) => {
            let why = format!(
                "two tags have the version `{version}`: {} is the commit {}, {} is {}",
                first.name, first.peeled, other.name, other.peeled
            );
            Err(Error::unresolved(key, why).with_hint("pin one of them with `ref`"))
        }
    }
}

impl PinQuery<'_> {
    fn versions<'r>(&self, references: &'r [Reference]) -> Vec<(Version, &'r Reference)> {
        versions(references, &TagNames::new(self.key, self.source), self.locked)
    }
}

/// Returns all tags that are versions, newest first, and tags of the same version by name.
///
/// If one tag has a name of the source, only such tags count: the others are those of other
/// components. If the locked one has none, none of them counts.
fn versions<'r>(
    references: &'r [Reference],
    names: &TagNames<'_>,
    locked: Option<&str>,
) -> Vec<(Version, &'r Reference)> {
    let tag = |reference: &'r Reference| reference.name.strip_prefix("refs/tags/");
    let is_own = |name: &str| names.text(name).0;
    let mut versions: Vec<(Version, &Reference)> = references
        .iter()
        .filter_map(|reference| Some((names.version(tag(reference)?)?, reference)))
        .collect();
    let has_own = match locked.and_then(|name| name.strip_prefix("refs/tags/")) {
        Some(locked) => is_own(locked),
        None => versions.iter().any(|(_, reference)| tag(reference).is_some_and(is_own)),
    };
    versions.retain(|(_, reference)| tag(reference).is_some_and(is_own) == has_own);
    versions.sort_by(|a, b| b.0.cmp_precedence(&a.0).then_with(|| a.1.name.cmp(&b.1.name)));
    versions
}

/// A release of a repository.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Release {
    /// The version in its tag, without a prefix such as `v` or a name.
    pub version: String,
    /// The full name of the tag.
    pub reference: String,
    /// The commit.
    pub commit: ObjectId,
}

/// Returns the newest release of a repository. Pre-releases are considered only if there is no
/// other release.
pub(crate) fn newest_release(
    references: &[Reference],
    names: &TagNames<'_>,
    locked: Option<&str>,
) -> Option<Release> {
    let versions = versions(references, names, locked);
    let (_, newest) = releases_first(&versions).next()?;
    let tag = newest.name.strip_prefix("refs/tags/")?;
    let version = names.text(tag).1.to_owned();
    Some(Release { version, reference: newest.name.clone(), commit: newest.peeled })
}

/// Returns all releases, then all pre-releases.
fn releases_first<'v, 'r>(
    versions: &'v [(Version, &'r Reference)],
) -> impl Iterator<Item = &'v (Version, &'r Reference)> {
    let is_release = |found: &&(Version, &Reference)| found.0.pre.is_empty();
    let (releases, others) = (versions.iter().filter(is_release), versions.iter());
    releases.chain(others.filter(move |found| !is_release(found)))
}

/// Adds to the error of a pin that does not exist what the repository has instead. Needs a network
/// request.
fn with_known(
    session: &mut Session<'_>,
    query: &PinQuery<'_>,
    error: Error,
) -> Result<Error, git::Error> {
    if !matches!(error.fact(), Fact::Unresolved { newest: Some(_), .. }) {
        return Ok(error);
    }
    let all = session.refs(&References::PREFIXES.map(str::to_owned))?;
    let versions = query.versions(&all);
    let text = |(version, _): &(Version, _)| version.to_string();
    let newest: Vec<String> = versions.iter().map(text).collect();
    let hint = match query.pin {
        Pin::Ref(name) => {
            let References { default_branch, branches, tags } = References::new(&all);
            known_references(name.as_str(), default_branch.as_deref(), &[branches, tags].concat())
        }
        Pin::Version(VersionPin::Exact(version)) => {
            incomplete_version(version, releases_first(&versions).map(text))
                .unwrap_or_else(|| known_versions(&newest))
        }
        _ => known_versions(&newest),
    };
    Ok(error.without_pin(newest).with_hint(hint))
}
