//! Differences between a manifest and a lockfile.

use super::{
    Lock,
    request::{LockedRequest as _, Request},
};
use crate::{
    Finding, SourceKey,
    json::{Dialect, Reader},
    list::listed_all,
    settings::Settings,
};
use std::collections::{BTreeMap, BTreeSet};

impl Lock {
    /// Returns every difference between the manifest with this text and the lockfile, as text.
    ///
    /// # Errors
    /// The manifest is not valid. Values that only select skills are not checked, because an
    /// invalid one is reported as a difference: every value in the lockfile is valid.
    #[doc(hidden)]
    pub fn drift(&self, manifest: &str) -> Result<Vec<String>, Vec<Finding>> {
        let text = manifest.strip_prefix('\u{feff}').unwrap_or(manifest);
        let requests =
            Reader::document(text, Dialect::Commented, "the manifest", |reader, fields| {
                let sources = fields.require(reader, "skills")?;
                let mut requests = BTreeMap::new();
                for (key, at, value) in reader.object(sources, "`skills`")?.entries() {
                    let key = reader.checked(key, at, "the name of a source", SourceKey::new);
                    if let (Some(key), Some(request)) = (key, Request::read(reader, value)) {
                        requests.insert(key, request);
                    }
                }
                Settings::read(reader, fields)?;
                Some(requests)
            })?;
        let mut found = Vec::new();
        for (key, request) in &requests {
            let Some(locked) = self.sources.get(key) else {
                found
                    .push(format!("the source `{key}` is in the manifest but not in the lockfile"));
                continue;
            };
            let keys = request.changed_keys(&locked.entry);
            if !keys.is_empty() {
                found.push(format!(
                    "the source `{key}` was changed in the manifest since it was locked: {}",
                    listed_all(keys)
                ));
            }
        }
        for key in self.sources.keys().filter(|key| !requests.contains_key(*key)) {
            found.push(format!("the source `{key}` is in the lockfile but not in the manifest"));
        }
        Ok(found)
    }
}

impl Request {
    /// Returns the keys whose values differ, sorted.
    fn changed_keys<'r>(&'r self, other: &'r Self) -> BTreeSet<&'r str> {
        let mut changed = BTreeSet::new();
        for key in self.entry.keys().chain(other.entry.keys()) {
            if self.entry.get(key) != other.entry.get(key) {
                changed.insert(key.as_str());
            }
        }
        changed
    }
}
