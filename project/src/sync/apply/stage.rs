//! The staging directory, in which new files are complete before the first one is moved.

use super::{Pending, install_plan::InstallPlan};
use crate::{
    Cancellation, Error,
    disk::{Durable, RootedDir},
    metadata::is_no_directory,
    store::STAGING,
};
use helix_skills_format::{Listing, SkillName};
use std::{
    borrow::Cow,
    path::{Path, PathBuf},
};

/// Writes listings and new files to the staging directory of the store.
///
/// First notes the listings of all skills to install and to remove, so that the next sync knows
/// their files even if the lockfile does not have them.
pub(super) fn stage<'l>(
    store: &RootedDir,
    installs: &mut [(SkillName, InstallPlan)],
    leaving: impl Iterator<Item = (&'l SkillName, &'l Vec<Listing>)>,
    mut pending: Pending,
    cancellation: &Cancellation,
) -> Result<(), Error> {
    let directory = Path::new(STAGING);
    if is_no_directory(&store.path_to(directory)) {
        store.remove_file(directory)?;
    }
    let is_new = !store.exists(directory);
    for (name, listings) in leaving {
        listings.iter().for_each(|listing| pending.add(name, listing));
    }
    for (name, plan) in installs.iter().filter(|(_, plan)| !plan.write.is_empty()) {
        pending.add(name, &plan.arrival.listing);
    }
    let staged = write(store, directory, installs, &pending, cancellation);
    // No file was moved yet. Only what an earlier sync left there is kept.
    if staged.is_err() && is_new {
        let _ = store.remove_tree(directory);
    }
    staged
}

fn write(
    store: &RootedDir,
    directory: &Path,
    installs: &mut [(SkillName, InstallPlan)],
    pending: &Pending,
    cancellation: &Cancellation,
) -> Result<(), Error> {
    store.create_dir(directory)?;
    let staging = store.open_dir(directory)?;
    // What a killed sync leaves behind must not be committed.
    staging.write(Path::new(".gitignore"), b"*\n", Durable::No)?;
    pending.write(&staging)?;
    let mut files: Vec<(PathBuf, Cow<'_, [u8]>)> = Vec::new();
    for (_, plan) in installs.iter_mut().filter(|(_, plan)| plan.has_work()) {
        if plan.writes_listing {
            let staged = PathBuf::from(files.len().to_string());
            plan.staged_listing = Some(directory.join(&staged));
            files.push((staged, Cow::Owned(plan.arrival.listing.to_string().into_bytes())));
        }
        for (at, path) in &mut plan.write {
            let staged = PathBuf::from(files.len().to_string());
            *path = directory.join(&staged);
            files.push((staged, Cow::Borrowed(&plan.arrival.contents.files()[*at].bytes)));
        }
    }
    staging.write_durably(files, cancellation)?;
    // The last point at which a sync can be canceled: moving the files is quick.
    cancellation.check()
}
