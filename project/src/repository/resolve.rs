//! Pins to commits.

use super::tags;
use crate::Error;
use crate::manifest::{Pin, VersionPin};
use helix_skills_format::ObjectId;
use helix_skills_format::{SourceKey, nearest};
use helix_skills_git::{self as git, Reference, Session};
use semver::Version;

/// What a pin means.
pub(super) struct Answer {
    /// The commit, or a tag object that leads to it.
    pub(super) commit: ObjectId,
    /// The full name of the tag or branch; none for a bare `sha`.
    pub(super) reference: Option<String>,
    pub(super) warnings: Vec<String>,
    /// The newest release there is, whatever the pin allows, if that was asked.
    pub(super) newest: Option<Release>,
    /// Whether no tag has the version that was asked for, and this is the default branch.
    pub(super) has_no_tag: bool,
    /// Whether the lock has said so, and the repository was not asked.
    pub(super) was_locked: bool,
    /// The pin in words, for messages.
    what: String,
}

impl Answer {
    /// The commit must be the one that `sha` names, if it names one.
    pub(super) fn check_sha(&self, key: &SourceKey, sha: Option<&ObjectId>, commit: ObjectId) -> Result<(), Error> {
        let Some(sha) = sha.filter(|sha| **sha != commit) else { return Ok(()) };
        if self.commit == *sha {
            return Err(Error::Unanswered {
                key: key.clone(),
                what: format!("`sha` {sha} is an annotated tag, which means the commit {commit}"),
                hint: Some(format!("write `\"sha\": \"{commit}\"`")),
            });
        }
        Err(Error::Moved {
            what: format!("the source `{key}`: {}", self.what),
            asserted: "`sha`",
            expected: sha.to_string(),
            found: commit.to_string(),
        })
    }
}

/// A pin to resolve, with what the lock already knows of it.
#[derive(Clone, Copy)]
pub(super) struct Question<'j> {
    pub(super) key: &'j SourceKey,
    pub(super) pin: &'j Pin,
    pub(super) sha: Option<&'j ObjectId>,
    /// The ref and the commit that were locked.
    pub(super) known: Option<(Option<&'j str>, &'j ObjectId)>,
    /// Whether the newest release is asked for as well.
    pub(super) newest: bool,
    /// Whether a version that no tag has leads to the default branch.
    pub(super) or_default_branch: bool,
}

/// Resolves the pins of all sources of one repository, with one request.
pub(super) fn pins(
    session: &mut Session<'_>,
    questions: &[Question<'_>],
) -> Result<Vec<Result<Answer, Error>>, git::Error> {
    let unknown = questions.iter().filter(|question| question.known.is_none());
    let mut prefixes: Vec<String> = unknown.flat_map(prefixes).collect();
    prefixes.sort();
    prefixes.dedup();
    let references = if prefixes.is_empty() { Vec::new() } else { session.refs(&prefixes)? };
    let mut answers = Vec::new();
    for question in questions {
        if let Some((reference, commit)) = question.known {
            let (commit, reference) = (*commit, reference.map(str::to_owned));
            answers.push(Ok(Answer {
                commit,
                reference,
                warnings: Vec::new(),
                newest: None,
                has_no_tag: false,
                was_locked: true,
                what: "the locked pin".to_owned(),
            }));
            continue;
        }
        let mut answer = pin(question, &references);
        if let (Err(Error::Unanswered { .. }), true, Pin::Version(_)) =
            (&answer, question.or_default_branch, question.pin)
            && let Ok(head) = pin(&Question { pin: &Pin::None, sha: None, ..*question }, &references)
        {
            answer = Ok(Answer { has_no_tag: true, ..head });
        }
        if let (true, Ok(answer)) = (question.newest, &mut answer) {
            answer.newest = newest_release(&references, question.key);
        }
        if let Err(Error::Unanswered { hint: hint @ None, .. }) = &mut answer {
            // Only now is it worth asking what there is.
            let all = session.refs(&["HEAD".to_owned(), "refs/heads/".to_owned(), "refs/tags/".to_owned()])?;
            *hint = Some(match question.pin {
                Pin::Ref(name) => known_names(&all, name.as_str()),
                _ => known_versions(&all, question.key),
            });
        }
        answers.push(answer);
    }
    Ok(answers)
}

fn prefixes(question: &Question<'_>) -> Vec<String> {
    let mut prefixes = match question.pin {
        Pin::Version(VersionPin::Exact(version)) => {
            tags::names(version, question.key).into_iter().map(|tag| format!("refs/tags/{tag}")).collect()
        }
        Pin::Version(VersionPin::Range { .. }) => vec!["refs/tags/".to_owned()],
        Pin::Ref(name) => full_names(name.as_str()),
        Pin::None if question.sha.is_some() => Vec::new(),
        Pin::None => vec!["HEAD".to_owned()],
    };
    if question.or_default_branch && matches!(question.pin, Pin::Version(_)) {
        prefixes.push("HEAD".to_owned());
    }
    if question.newest {
        prefixes.push("refs/tags/".to_owned());
    }
    prefixes
}

/// What a short name may stand for, in git's order.
fn full_names(name: &str) -> Vec<String> {
    if name == "HEAD" || name.starts_with("refs/") {
        return vec![name.to_owned()];
    }
    vec![format!("refs/tags/{name}"), format!("refs/heads/{name}")]
}

fn pin(question: &Question<'_>, references: &[Reference]) -> Result<Answer, Error> {
    let key = question.key;
    let find = |name: &str| references.iter().find(|reference| reference.name == name);
    let answer = |reference: &Reference, what: String| Answer {
        commit: reference.peeled,
        reference: Some(reference.target.clone().unwrap_or_else(|| reference.name.clone())),
        warnings: Vec::new(),
        newest: None,
        has_no_tag: false,
        was_locked: false,
        what,
    };
    match question.pin {
        Pin::Version(VersionPin::Exact(version)) => {
            let names = tags::names(version, key);
            let found: Vec<&Reference> = names.iter().filter_map(|tag| find(&format!("refs/tags/{tag}"))).collect();
            match found.as_slice() {
                [] => {
                    let tried = names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
                    Err(Error::unanswered(key, format!("no tag has the version `{version}` (tried {tried})")))
                }
                [first, rest @ ..] => {
                    one_commit(key, version, first, rest)?;
                    Ok(answer(first, format!("the version `{version}`")))
                }
            }
        }
        Pin::Version(VersionPin::Range { text, requirement }) => {
            let mut versions = versions(references, key);
            versions.retain(|(version, _)| requirement.matches(version));
            let Some((newest, first)) = versions.first() else {
                return Err(Error::unanswered(key, format!("no tag has a version in the range `{text}`")));
            };
            let rest: Vec<&Reference> = versions[1..]
                .iter()
                .take_while(|(version, _)| version.cmp_precedence(newest).is_eq())
                .map(|(_, reference)| *reference)
                .collect();
            one_commit(key, &newest.to_string(), first, &rest)?;
            Ok(answer(first, format!("the version `{text}`")))
        }
        Pin::Ref(name) => {
            let names = full_names(name.as_str());
            let found: Vec<&Reference> = names.iter().filter_map(|name| find(name)).collect();
            let Some(first) = found.first() else {
                return Err(Error::unanswered(key, format!("there is no tag or branch `{name}`")));
            };
            let mut answer = answer(first, format!("`{name}`"));
            if found.iter().any(|other| other.peeled != first.peeled) {
                answer.warnings.push(format!("the source `{key}`: `{name}` is a tag and a branch; the tag is taken, write `refs/heads/{name}` for the branch"));
            }
            Ok(answer)
        }
        Pin::None => match question.sha {
            Some(sha) => Ok(Answer {
                commit: *sha,
                reference: None,
                warnings: Vec::new(),
                newest: None,
                has_no_tag: false,
                was_locked: false,
                what: "`sha`".to_owned(),
            }),
            None => match find("HEAD") {
                Some(head) => Ok(answer(head, "the default branch".to_owned())),
                None => Err(Error::Unanswered {
                    key: key.clone(),
                    what: "the repository has no default branch".to_owned(),
                    hint: Some("name a branch with `ref`".to_owned()),
                }),
            },
        },
    }
}

/// Several tags of one version must mean one commit.
fn one_commit(key: &SourceKey, version: &str, first: &Reference, rest: &[&Reference]) -> Result<(), Error> {
    match rest.iter().find(|other| other.peeled != first.peeled) {
        None => Ok(()),
        Some(other) => Err(Error::Unanswered {
            key: key.clone(),
            what: format!(
                "two tags have the version `{version}`: {} means the commit {}, {} means {}",
                first.name, first.peeled, other.name, other.peeled
            ),
            hint: Some("name one of them with `ref`".to_owned()),
        }),
    }
}

/// All tags that are versions, newest first; tags of one version by name.
fn versions<'r>(references: &'r [Reference], key: &SourceKey) -> Vec<(Version, &'r Reference)> {
    let mut versions: Vec<(Version, &Reference)> = references
        .iter()
        .filter_map(|reference| Some((tags::version(reference.name.strip_prefix("refs/tags/")?, key)?, reference)))
        .collect();
    versions.sort_by(|a, b| b.0.cmp_precedence(&a.0).then_with(|| a.1.name.cmp(&b.1.name)));
    versions
}

/// A release of a repository.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Release {
    /// The version as its tag writes it, without `v` or the name before it.
    pub version: String,
    /// The full name of the tag.
    pub reference: String,
    /// The commit.
    pub commit: ObjectId,
}

/// The newest release of a repository. Pre-releases only where there is nothing else.
pub(crate) fn newest_release(references: &[Reference], key: &SourceKey) -> Option<Release> {
    let versions = versions(references, key);
    let (_, newest) = versions.iter().find(|(version, _)| version.pre.is_empty()).or(versions.first())?;
    let tag = newest.name.strip_prefix("refs/tags/")?;
    let version = tags::text(tag, key).to_owned();
    Some(Release { version, reference: newest.name.clone(), commit: newest.peeled })
}

/// So many branches and tags are named at the most.
const NAMES_SHOWN: usize = 10;

fn known_names(references: &[Reference], asked: &str) -> String {
    let short = |reference: &'_ Reference| {
        let name = reference.name.strip_prefix("refs/heads/").or_else(|| reference.name.strip_prefix("refs/tags/"));
        name.unwrap_or(&reference.name).to_owned()
    };
    let head = references.iter().find(|reference| reference.name == "HEAD");
    let default = head.and_then(|head| head.target.as_deref()?.strip_prefix("refs/heads/"));
    let names: Vec<String> = references.iter().filter(|reference| reference.name != "HEAD").map(short).collect();
    let known = match nearest(asked, names.iter().map(String::as_str)) {
        Some(near) if Some(near) == default => return format!("did you mean the default branch, `{near}`?"),
        Some(near) => format!("did you mean `{near}`?"),
        None if names.is_empty() => return "the repository has no branches and no tags".to_owned(),
        None => {
            let more = if names.len() > NAMES_SHOWN { ", and more" } else { "" };
            let shown: Vec<&str> = names.iter().take(NAMES_SHOWN).map(String::as_str).collect();
            format!("it has {}{more}", shown.join(", "))
        }
    };
    match default {
        Some(default) => format!("the default branch is `{default}`; {known}"),
        None => known,
    }
}

fn known_versions(references: &[Reference], key: &SourceKey) -> String {
    let versions = versions(references, key);
    if versions.is_empty() {
        return "the repository has no tags that are versions; pin a branch with `ref` or a commit with `sha`"
            .to_owned();
    }
    let newest: Vec<String> = versions.iter().take(5).map(|(version, _)| version.to_string()).collect();
    format!("the newest of its {} versions are {}", versions.len(), newest.join(", "))
}
