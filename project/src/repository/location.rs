//! Where the skills of a source are.

use super::{plugin::PluginRoot, resolve::Release};
use crate::manifest::{LockedSource, Source, VersionPin};
use crate::{fetch::PreviousLock, marketplace::Plugin};
use helix_skills_format::{Limits, ObjectId, SourceKey};

/// A directory of a commit that has the skills of a source.
///
/// Its repository, commit and directory are in `locked`, as the lockfile will have them.
pub(super) struct Location {
    pub(super) key: SourceKey,
    /// The source as it will be locked, without what its files say: its license, and the version
    /// of its plugin.
    pub(super) locked: LockedSource,
    /// The root tree of the commit.
    pub(super) root: ObjectId,
    /// The plugin that has the skills; `None` if the repository itself has them.
    pub(super) plugin: Option<LocatedPlugin>,
    /// What was locked before.
    pub(super) before: Option<Box<PreviousLock>>,
    /// Whether the locked commit stays.
    pub(super) is_same_commit: bool,
    /// The newest release of the source, if requested.
    pub(super) newest: Option<Release>,
    /// Whether the files of the skills are going to be fetched.
    pub(super) needs_files: bool,
}

/// A plugin in the index of its marketplace.
pub(super) struct LocatedPlugin {
    pub(super) entry: Plugin,
    /// The version that it must declare, because no tag of the marketplace has it.
    pub(super) must_declare: Option<VersionPin>,
}

impl Location {
    /// Returns the manifest's entry.
    pub(super) fn source(&self) -> &Source {
        &self.locked.entry
    }

    /// Returns the root directory of the plugin.
    pub(super) fn plugin_root(&self, limits: Limits) -> Option<PluginRoot<'_>> {
        let (found, place) = (self.plugin.as_ref()?, self.locked.plugin.as_ref()?);
        let source = self.source();
        Some(PluginRoot {
            key: &self.key,
            plugin: &found.entry,
            root: self.root,
            path: &place.path,
            root_name: source.plugin()?.as_str(),
            at_marketplace_root: place.url.is_none() && place.path.is_root(),
            version: found.must_declare.as_ref(),
            limits,
        })
    }
}
