//! The staging directory, in which new files are complete before the first one is moved.

use super::{install_plan::InstallPlan, pending::pending_name};
use crate::{
    Cancellation, Error,
    disk::{Durable, RootedDir},
    metadata::is_no_directory,
    store::STAGING,
};
use helix_skills_format::{Listing, SkillName};
use std::{
    borrow::Cow,
    collections::BTreeMap,
    path::{Path, PathBuf},
};

/// Writes listings and new files to the staging directory of the store.
///
/// Also writes the listings of skills to remove, so that the next sync knows their files when the
/// lockfile no longer has them.
pub(super) fn stage<'l>(
    store: &RootedDir,
    installs: &mut [(SkillName, InstallPlan)],
    leaving: impl Iterator<Item = (&'l SkillName, &'l Vec<Listing>)>,
    cancellation: &Cancellation,
) -> Result<(), Error> {
    let directory = Path::new(STAGING);
    if is_no_directory(&store.path_to(directory)) {
        store.remove_file(directory)?;
    }
    let is_new = !store.exists(directory);
    let staged = write(store, directory, installs, leaving, cancellation);
    // No file was moved yet. Only what an earlier sync left there is kept.
    if staged.is_err() && is_new {
        let _ = store.remove_tree(directory);
    }
    staged
}

fn write<'l>(
    store: &RootedDir,
    directory: &Path,
    installs: &mut [(SkillName, InstallPlan)],
    leaving: impl Iterator<Item = (&'l SkillName, &'l Vec<Listing>)>,
    cancellation: &Cancellation,
) -> Result<(), Error> {
    store.create_dir(directory)?;
    let staging = store.open_dir(directory)?;
    // What a killed sync leaves behind must not be committed.
    staging.write(Path::new(".gitignore"), b"*\n", Durable::No)?;
    let text = |listing: &Listing| Cow::Owned(listing.to_string().into_bytes());
    let pending = |name, listing| (PathBuf::from(pending_name(name, listing)), text(listing));
    // An interrupted sync may have left the same listing in the store and in the staging directory.
    let mut files: BTreeMap<PathBuf, Cow<'_, [u8]>> = leaving
        .flat_map(|(name, listings)| listings.iter().map(|listing| pending(name, listing)))
        .collect();
    for (name, plan) in installs.iter_mut().filter(|(_, plan)| plan.has_work()) {
        if !plan.write.is_empty() {
            files.extend([pending(name, &plan.listing)]);
        }
        if plan.writes_listing {
            let staged = PathBuf::from(files.len().to_string());
            plan.staged_listing = Some(directory.join(&staged));
            files.insert(staged, text(&plan.listing));
        }
        for (at, path) in &mut plan.write {
            let staged = PathBuf::from(files.len().to_string());
            *path = directory.join(&staged);
            files.insert(staged, Cow::Borrowed(&plan.contents.files()[*at].bytes));
        }
    }
    staging.write_durably(files.into_iter().collect(), cancellation)?;
    // The last point at which a sync can be canceled: moving the files is quick.
    cancellation.check()
}
