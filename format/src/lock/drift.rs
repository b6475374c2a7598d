//! Differences between a manifest and a lockfile.

use super::Lock;
use crate::{
    Finding, Source, SourceKey,
    entry::EntryChecks,
    json::{Dialect, Reader},
    list::listed_all,
    settings::Settings,
};
use std::collections::BTreeMap;

#[doc(hidden)]
impl Lock {
    /// Returns every difference between the entries of the manifest with this text and the
    /// lockfile.
    ///
    /// # Errors
    /// The manifest is not valid. Ranges of versions and globs are not checked: every one in the
    /// lockfile is valid, so an invalid one is a difference.
    pub fn drift(&self, manifest: &str) -> Result<Vec<String>, Vec<Finding>> {
        let Settings { sources, .. } =
            Reader::document(manifest, Dialect::Commented, "the manifest", |reader, fields| {
                Settings::read(reader, fields, EntryChecks::NONE)
            })?;
        let changed = sources.iter().filter_map(|(key, source)| self.entry_drift(key, source));
        Ok(changed.chain(self.extra_sources(&sources)).collect())
    }

    /// Returns how an entry of the manifest differs from the locked one.
    #[must_use]
    pub fn entry_drift(&self, key: &SourceKey, source: &Source) -> Option<String> {
        let Some(locked) = self.sources.get(key) else {
            return Some(format!("the source `{key}` is in the manifest but not in the lockfile"));
        };
        (locked.entry != *source).then(|| {
            let keys = listed_all(locked.entry.changed_keys(source));
            format!("the source `{key}` was changed in the manifest since it was locked: {keys}")
        })
    }

    /// Returns the differences for the sources that the manifest does not have.
    pub fn extra_sources<'l>(
        &'l self,
        manifest: &'l BTreeMap<SourceKey, Source>,
    ) -> impl Iterator<Item = String> + 'l {
        self.sources
            .keys()
            .filter(|key| !manifest.contains_key(*key))
            .map(|key| format!("the source `{key}` is in the lockfile but not in the manifest"))
    }
}
