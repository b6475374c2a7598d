//! `skills remove`

use super::{
    Context,
    add::{finish, save},
    args,
};
use helix_skills_project::Failure;
use serde_json::json;

pub(super) fn remove(context: &Context<'_>, args: &args::Remove) -> Result<(), Failure> {
    let project = context.project()?;
    let mut edit = context.run("waiting", || project.edit_manifest())?;
    for key in project.source_keys(&args.keys)? {
        edit.remove(&key);
    }
    let synced = save(context, edit, args.no_sync)?;
    for key in &args.keys {
        context.output.note("removed", format!("the source {key}"));
    }
    finish(context, synced.as_ref(), json!({ "removed": args.keys }));
    Ok(())
}
