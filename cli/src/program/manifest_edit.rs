//! An edit of the manifest with a sync: of `skills add` and `skills remove`.

use super::{Context, sync};
use helix_skills_format::SourceKey;
use helix_skills_project::{Error, ErrorKind, ManifestEdit, Project, Synced};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Syncs with the changed manifest, then writes it, unless the sync fails or `check` refuses the
/// planned changes. The pins of the named sources are resolved again.
pub(super) fn save(
    context: &Context<'_>,
    (edit, again): (ManifestEdit<'_>, BTreeSet<SourceKey>),
    no_sync: bool,
    check: impl Fn(&Synced) -> Result<(), Error>,
) -> Result<Option<Synced>, Error> {
    if no_sync {
        edit.save()?;
        return Ok(None);
    }
    context.run("syncing skills", || edit.save_and_sync_if(again, check)).map(Some)
}

/// Prints that a failed command did not change the manifest, and what to do next. `is_possible` is
/// whether `--no-sync` may help.
pub(super) fn unchanged(context: &Context<'_>, is_new: bool, is_possible: bool, failure: &Error) {
    let what = if is_new { "no manifest was written" } else { "the manifest is unchanged" };
    let next = match failure.kind() {
        // The disk may have failed after the first change of the store.
        ErrorKind::Disk if is_new => "; run the same command again",
        ErrorKind::Disk => {
            "; run the same command again, or `skills sync` to undo what was written"
        }
        // The manifest can allow what was refused.
        ErrorKind::Policy if is_new => "; `--no-sync` writes it without a sync",
        _ if is_possible => "; `--no-sync` edits it without a sync",
        _ => "",
    };
    context.output.note("note:", format!("{what}{next}"));
}

/// Prints the result of a change of the manifest.
pub(super) fn finish(
    context: &Context<'_>,
    project: &Project,
    synced: Option<&Synced>,
    dry_run: bool,
    mut fields: Value,
) {
    fields["dryRun"] = json!(dry_run);
    match synced {
        None if dry_run => context.output.note("dry run:", "nothing was written"),
        None => context.output.note("next:", "run `skills sync`"),
        Some(synced) => {
            sync::print(context, project, synced, dry_run);
            fields["sync"] = sync::document(synced, dry_run);
        }
    }
    context.output.document(fields);
}
