//! What a sync is about to write or remove, noted in the staging directory.
//!
//! The sync after a killed one needs it to distinguish files of the killed one from edited files.

use crate::{Error, disk::RootedDir, metadata::is_no_directory, paths::read_bytes, store::STAGING};
use helix_skills_format::{Listing, SkillName};
use std::{collections::BTreeMap, io, path::Path};

/// The note in the staging directory: an object with the listings of each skill.
const NOTE: &str = "listings.json";

/// Listings of interrupted syncs.
#[derive(Clone, Default)]
pub(in crate::sync) struct Pending(pub(super) BTreeMap<SkillName, Vec<Listing>>);

impl Pending {
    /// Reads the note in a store. Ignores a note that is incomplete or not a regular file, because
    /// no file is moved before the note is complete.
    pub(in crate::sync) fn read(store: &Path) -> Result<Self, Error> {
        let staging = store.join(STAGING);
        let bytes = match read_bytes(&staging.join(NOTE)) {
            _ if is_no_directory(&staging) => None,
            Err(error) if error.io_kind() == Some(io::ErrorKind::InvalidInput) => None,
            read => read?,
        };
        let note: BTreeMap<String, Vec<String>> =
            bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default();
        let mut pending = Self::default();
        for (name, listings) in note {
            let Ok(name) = SkillName::new(&name) else { continue };
            for listing in listings.iter().filter_map(|text| Listing::parse(text).ok()) {
                pending.add(&name, &listing);
            }
        }
        Ok(pending)
    }

    /// Replaces the note in the staging directory of a store.
    pub(super) fn write(&self, staging: &RootedDir) -> Result<(), Error> {
        let texts = |listings: &Vec<Listing>| -> Vec<String> {
            listings.iter().map(Listing::to_string).collect()
        };
        let note: BTreeMap<&str, Vec<String>> =
            self.0.iter().map(|(name, listings)| (name.as_str(), texts(listings))).collect();
        let note = serde_json::json!(note).to_string();
        staging.replace_via(Path::new("listings.new"), Path::new(NOTE), note.as_bytes())
    }

    pub(super) fn add(&mut self, skill: &SkillName, listing: &Listing) {
        let listings = self.0.entry(skill.clone()).or_default();
        if !listings.contains(listing) {
            listings.push(listing.clone());
        }
    }

    pub(super) fn listings(&self, skill: &SkillName) -> &[Listing] {
        self.0.get(skill).map_or(&[], Vec::as_slice)
    }
}
