//! Listings in the staging directory, which a killed sync was about to write.

use crate::{
    Error,
    store::{self, STAGING},
};
use helix_skills_format::{Listing, SkillName};
use std::{collections::BTreeMap, io, path::Path};

/// Listings of interrupted syncs.
#[derive(Default)]
pub(in crate::sync) struct Pending(pub(super) BTreeMap<SkillName, Vec<Listing>>);

impl Pending {
    pub(in crate::sync) fn read(store: &Path) -> Result<Self, Error> {
        let mut pending: BTreeMap<SkillName, Vec<Listing>> = BTreeMap::new();
        for path in store::files_below(&store.join(STAGING))? {
            let name = path.to_string_lossy();
            let skill = name.strip_suffix(".sha256").and_then(|stem| stem.rsplit_once('.'));
            let Some(skill) = skill.and_then(|(skill, _)| SkillName::new(skill).ok()) else {
                continue;
            };
            match store::read_listing(&store.join(STAGING).join(&path)) {
                Ok(Some(Some(listing))) => pending.entry(skill).or_default().push(listing),
                // A special file, such as a pipe, is not a listing.
                Err(Error::Disk { source, .. }) if source.kind() == io::ErrorKind::InvalidInput => {
                }
                read => drop(read?),
            }
        }
        Ok(Self(pending))
    }

    pub(super) fn listings(&self, skill: &SkillName) -> &[Listing] {
        self.0.get(skill).map_or(&[], Vec::as_slice)
    }
}

/// Returns the name of a skill's listing in the staging directory.
pub(super) fn pending_name(name: &SkillName, listing: &Listing) -> String {
    format!("{name}.{}.sha256", &listing.integrity().0.to_string()[..16])
}
