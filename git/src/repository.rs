//! What sessions of local and of remote repositories have in common.

use helix_skills_format::ObjectId;

use super::error::GitError;
use super::objects::{Commit, Objects};
use super::reference::Reference;

/// A repository, local or on a server, with the objects read so far. The methods are those of
/// [`Session`](super::Session).
pub(super) trait Repository: Send {
    fn objects(&self) -> &Objects;
    fn objects_mut(&mut self) -> &mut Objects;
    fn refs(&mut self, prefixes: &[String]) -> Result<Vec<Reference>, GitError>;
    fn commit(&mut self, id: &ObjectId, reference: Option<&str>) -> Result<Commit, GitError>;
    fn prefetch_commits(&mut self, ids: &[ObjectId]) -> Result<(), GitError>;
    fn blobs(&mut self, ids: &[ObjectId]) -> Result<(), GitError>;
    /// Reads the commits that lead to `tip`, but not those that lead to `commit`. Returns `false`
    /// if the repository cannot send commits alone.
    fn history(&mut self, commit: &ObjectId, tip: &ObjectId) -> Result<bool, GitError>;
    fn take_redirects(&self) -> Vec<String> {
        Vec::new()
    }
}
