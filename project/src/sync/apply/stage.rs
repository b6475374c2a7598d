//! The staging directory, in which new files are complete before the first one is moved.

use super::{install_plan::InstallPlan, pending::pending_name};
use crate::{Cancellation, Error, disk, parallel};
use helix_skills_format::{Listing, SkillName};
use std::path::Path;

/// Number of threads that write files. Mostly, they wait for the disk.
const WRITERS: usize = 8;

/// Writes listings and new files to the staging directory.
///
/// Also writes the listings of skills to remove, so that the next sync knows their files when the
/// lockfile no longer has them.
pub(super) fn stage<'l>(
    staging: &Path,
    installs: &mut [(SkillName, InstallPlan)],
    leaving: impl Iterator<Item = (&'l SkillName, &'l Vec<Listing>)>,
    cancellation: &Cancellation,
) -> Result<(), Error> {
    disk::create_dir(staging)?;
    // What a killed sync leaves behind must not be committed.
    disk::write(&staging.join(".gitignore"), b"*\n", disk::Durable::No)?;
    for (name, listings) in leaving {
        for listing in listings {
            let path = staging.join(pending_name(name, listing));
            disk::write(&path, listing.to_string().as_bytes(), disk::Durable::Yes)?;
        }
    }
    let mut files = Vec::new();
    for (name, plan) in installs.iter_mut().filter(|(_, plan)| plan.has_work()) {
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
    // The last point at which a sync can be canceled: moving the files is quick.
    cancellation.check()
}
