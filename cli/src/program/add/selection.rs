//! What the skills of a source are selected from.

use super::request::Request;
use crate::program::Context;
use helix_skills_format::{Lock, Source, SourceKey};
use helix_skills_project::Project;

/// What `skills add` selects from.
pub(super) struct Selection<'s> {
    pub(super) context: &'s Context<'s>,
    pub(super) project: &'s Project,
    pub(super) lock: &'s Lock,
    pub(super) request: &'s Request,
    pub(super) key: &'s SourceKey,
    /// The entry that the manifest has.
    pub(super) before: Option<&'s Source>,
}
