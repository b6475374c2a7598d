//! The branches and tags of a repository.

use helix_skills_git::Reference;

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
