//! The staging directory: what is coming is complete there before the first file moves.

use super::{install_plan::InstallPlan, pending::pending_name};
use crate::{Cancellation, Error, disk, parallel};
use helix_skills_format::{Listing, SkillName};
use std::path::Path;

/// Files are made durable on so many threads: that work waits for the disk.
const WRITERS: usize = 8;

/// Writes everything that is coming into the staging directory, the listings first; also those of what leaves, so that
/// the next sync knows it even when the lock does not name it any more.
pub(super) fn stage<'l>(
    staging: &Path,
    work: &mut [(SkillName, InstallPlan)],
    leaving: impl Iterator<Item = (&'l SkillName, &'l Vec<Listing>)>,
    cancellation: &Cancellation,
) -> Result<(), Error> {
    disk::create_dir(staging)?;
    // What a killed sync leaves behind is nothing to commit.
    disk::write(&staging.join(".gitignore"), b"*\n", disk::Durable::No)?;
    for (name, listings) in leaving {
        for listing in listings {
            let path = staging.join(pending_name(name, listing));
            disk::write(&path, listing.to_string().as_bytes(), disk::Durable::Yes)?;
        }
    }
    let mut files = Vec::new();
    for (name, plan) in work.iter_mut().filter(|(_, plan)| plan.has_work()) {
        if !plan.write.is_empty() {
            let text = plan.listing.to_string();
            disk::write(
                &staging.join(pending_name(name, &plan.listing)),
                text.as_bytes(),
                disk::Durable::Yes,
            )?;
        }
        for (at, path) in &mut plan.write {
            *path = staging.join(files.len().to_string());
            files.push((path.clone(), &plan.contents.files()[*at].bytes));
        }
    }
    disk::sync_dir(staging)?;
    let results = parallel::map_on(WRITERS, files, |(path, bytes)| {
        cancellation.check()?;
        disk::write(&path, bytes, disk::Durable::Yes)
    });
    results.into_iter().collect::<Result<(), Error>>()?;
    // From here on it is quicker to finish than to go back.
    cancellation.check()
}
