//! The branches, tags and releases of a repository.

use super::tags::TagNames;
use helix_skills_format::ObjectId;
use helix_skills_git::Reference;
use semver::Version;

/// The branches and tags of a repository, by their short names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct References {
    /// The default branch, if the server names it.
    pub default_branch: Option<String>,
    /// All branches.
    pub branches: Vec<String>,
    /// All tags.
    pub tags: Vec<String>,
}

impl References {
    /// The prefixes of the references to request.
    pub(crate) const PREFIXES: [&str; 3] = ["HEAD", "refs/heads/", "refs/tags/"];

    pub(crate) fn new(references: &[Reference]) -> Self {
        let mut found = Self::default();
        for Reference { name, target, .. } in references {
            if name == "HEAD" {
                let branch = target.as_deref().and_then(|name| name.strip_prefix("refs/heads/"));
                found.default_branch = branch.map(str::to_owned);
            } else if let Some(branch) = name.strip_prefix("refs/heads/") {
                found.branches.push(branch.to_owned());
            } else if let Some(tag) = name.strip_prefix("refs/tags/") {
                found.tags.push(tag.to_owned());
            }
        }
        found
    }
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
pub(crate) fn newest_release(references: &[Reference], names: &TagNames<'_>) -> Option<Release> {
    let versions = versions(references, names);
    let (_, newest) = releases_first(&versions).next()?;
    let version = names.text(&newest.name).1.to_owned();
    Some(Release { version, reference: newest.name.clone(), commit: newest.peeled })
}

/// Returns all releases, then all pre-releases.
pub(super) fn releases_first<'v, 'r>(
    versions: &'v [(Version, &'r Reference)],
) -> impl Iterator<Item = &'v (Version, &'r Reference)> {
    let is_release = |found: &&(Version, &Reference)| found.0.pre.is_empty();
    let (releases, others) = (versions.iter().filter(is_release), versions.iter());
    releases.chain(others.filter(move |found| !is_release(found)))
}

/// Returns all tags that are versions, newest first, and tags of the same version by name.
///
/// If one tag has a name of the source, only such tags count: the others are those of other
/// components. What is locked does not matter: it may be one of these.
pub(super) fn versions<'r>(
    references: &'r [Reference],
    names: &TagNames<'_>,
) -> Vec<(Version, &'r Reference)> {
    let mut versions: Vec<(Version, &Reference)> = references
        .iter()
        .filter_map(|reference| {
            Some((names.version(reference.name.strip_prefix("refs/tags/")?)?, reference))
        })
        .collect();
    names.retain_own(&mut versions, |(_, reference)| &reference.name);
    versions.sort_by(|a, b| b.0.cmp_precedence(&a.0).then_with(|| a.1.name.cmp(&b.1.name)));
    versions
}
