//! Resolving pins by the branches and tags of a repository.

use super::{
    hints::{incomplete_version, known_references, known_versions, other_tags},
    references::{References, Release, releases_first, versions},
    tags::TagNames,
};
use crate::{
    Error,
    manifest::{Pin, VersionPin, requirement},
    notes::Notes,
};
use helix_skills_format::{__internal::listed_all, ObjectId, SourceKey};
use helix_skills_git::Reference;
use semver::Version;

/// The pin of a source, with what decides which tags it means.
pub(crate) struct Pinned<'p> {
    pub(crate) key: &'p SourceKey,
    pub(crate) names: TagNames<'p>,
    pub(crate) pin: &'p Pin,
    pub(crate) sha: Option<&'p ObjectId>,
    /// The locked tag or branch.
    pub(crate) locked: Option<&'p str>,
}

/// A resolved pin.
pub(crate) struct Answer {
    /// The commit, or a tag object that points to it.
    pub(crate) commit: ObjectId,
    /// The full name of the tag or branch; `None` for a `sha` alone.
    pub(crate) reference: Option<String>,
    /// The newest release, whether or not the pin allows it, if requested.
    pub(crate) newest: Option<Release>,
    /// Whether no tag has the requested version, and this is the default branch.
    pub(crate) has_no_tag: bool,
    /// The pin, for messages.
    pin: String,
}

impl Answer {
    pub(crate) fn new(commit: ObjectId, reference: Option<String>, pin: String) -> Self {
        Self { commit, reference, newest: None, has_no_tag: false, pin }
    }

    /// Returns an error if `sha` is set and is not `commit`.
    pub(crate) fn check_sha(
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

/// Returns the full names for a short name, in git's order.
pub(crate) fn full_names(name: &str) -> Vec<String> {
    if name == "HEAD" || name.starts_with("refs/") {
        return vec![name.to_owned()];
    }
    vec![format!("refs/tags/{name}"), format!("refs/heads/{name}")]
}

impl Pinned<'_> {
    /// Returns the prefixes of the references to request for [`resolve`](Self::resolve).
    pub(crate) fn prefixes(&self) -> Vec<String> {
        match self.pin {
            Pin::Version(VersionPin::Exact(version)) => {
                let tags = self.names.exact(version).into_iter();
                tags.map(|tag| format!("refs/tags/{tag}")).collect()
            }
            Pin::Version(VersionPin::Range(_)) => vec!["refs/tags/".to_owned()],
            Pin::Ref(name) => full_names(name.as_str()),
            Pin::None if self.sha.is_some() => Vec::new(),
            Pin::None => vec!["HEAD".to_owned()],
        }
    }

    /// Resolves the pin.
    ///
    /// # Errors
    /// No reference, or several ones, are what the pin names.
    pub(crate) fn resolve(
        &self,
        references: &[Reference],
        notes: &mut Notes,
    ) -> Result<Answer, Error> {
        let key = self.key;
        let find = |name: &str| references.iter().find(|reference| reference.name == name);
        // A symbolic ref is locked as the branch that it means.
        let answer = |reference: &Reference, pin| {
            let name = reference.target.as_ref().unwrap_or(&reference.name);
            Answer::new(reference.peeled, Some(name.clone()), pin)
        };
        match self.pin {
            Pin::Version(VersionPin::Exact(version)) => {
                let tags = self.names.exact(version);
                let found = tags.iter().filter_map(|tag| find(&format!("refs/tags/{tag}")));
                let mut found: Vec<&Reference> = found.collect();
                self.names.retain_own(&mut found, |found| &found.name);
                let tried = listed_all(&tags);
                let why = format!("no tag has the version `{version}` (tried {tried})");
                self.release(&found, (version, version), why)
            }
            Pin::Version(VersionPin::Range(range)) => {
                let requirement = requirement(range).map_err(|why| {
                    Error::unresolved(key, format!("the range `{range}` is refused: {why}"))
                })?;
                let mut found = versions(references, &self.names);
                found.retain(|(version, _)| requirement.matches(version));
                let newest = found.first().map(|(version, _)| version.clone());
                found.retain(|(version, _)| {
                    newest.as_ref().is_some_and(|it| version.cmp_precedence(it).is_eq())
                });
                let tag = self.locked.and_then(|name| name.strip_prefix("refs/tags/"));
                let locked = tag.and_then(|tag| self.names.version(tag));
                if let (Some(newest), Some(locked)) = (&newest, locked)
                    && *newest < locked
                {
                    notes.warn(format!(
                        "the source `{key}`: the newest release of `{range}` is {newest}, which is older than the locked {locked}"
                    ));
                }
                let newest = newest.map(|version| version.to_string()).unwrap_or_default();
                let why = format!("no tag has a version in the range `{range}`");
                let found: Vec<&Reference> = found.into_iter().map(|(_, found)| found).collect();
                self.release(&found, (range, &newest), why)
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
            Pin::None => match self.sha {
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

    /// Returns the commit of the tags of a version, which the pin `text` means. `why` is the error
    /// without such a tag.
    fn release(
        &self,
        found: &[&Reference],
        (text, version): (&str, &str),
        why: String,
    ) -> Result<Answer, Error> {
        let key = self.key;
        let Some(first) = found.first() else {
            return Err(Error::unresolved(key, why).without_pin(Vec::new()));
        };
        if let Some(other) = found.iter().find(|other| other.peeled != first.peeled) {
            let why = format!(
                "two tags have the version `{version}`: {} is the commit {}, {} is {}",
                first.name, first.peeled, other.name, other.peeled
            );
            return Err(Error::unresolved(key, why).with_hint("pin one of them with `ref`"));
        }
        // The name of a tag has its version, even if the tag is a symbolic ref.
        let reference = Some(first.name.clone());
        Ok(Answer::new(first.peeled, reference, format!("the version `{text}`")))
    }

    /// Returns the versions that a repository without the pin has, newest first, and a hint. `all`
    /// are all of its branches and tags.
    pub(crate) fn instead(&self, all: &[Reference]) -> (Vec<String>, String) {
        let versions = versions(all, &self.names);
        // As in the tag: `0.84`, which is not the exact version 0.84.0.
        let text = |(_, tag): &(Version, &Reference)| self.names.text(&tag.name).1.to_owned();
        let newest: Vec<String> = versions.iter().map(text).collect();
        let References { default_branch, branches, tags } = References::new(all);
        let mut releases = releases_first(&versions).map(text);
        let hint = match self.pin {
            Pin::Ref(name) => {
                let names = [branches, tags].concat();
                known_references(name.as_str(), default_branch.as_deref(), &names)
            }
            Pin::Version(VersionPin::Exact(version))
                if version == "latest" && !newest.is_empty() =>
            {
                let newest = releases.next().unwrap_or_default();
                format!(
                    "the newest release is {newest}: use `--version {newest}`, or `*` for each newest one"
                )
            }
            Pin::Version(VersionPin::Exact(version)) => incomplete_version(version, releases)
                .or_else(|| other_tags(version, &tags))
                .unwrap_or_else(|| known_versions(&newest)),
            _ => known_versions(&newest),
        };
        (newest, hint)
    }
}
