//! `skills remove`

use super::{
    Context,
    add::{finish, save},
    args,
};
use helix_skills_format::SourceKey;
use helix_skills_project::manifest::ManifestText;
use helix_skills_project::{Error, Failure};
use serde_json::json;

pub(super) fn remove(context: &Context<'_>, args: &args::Remove) -> Result<(), Failure> {
    let project = context.project()?;
    let _held = context.hold(&project)?;
    let manifest = project.read_manifest()?;
    let mut text = super::add::open(&project)?;
    let mut errors = Vec::new();
    for key in &args.keys {
        let removed = SourceKey::new(key).is_ok_and(|key| ManifestText::remove(&mut text, &key));
        if !removed {
            errors.push(Error::unknown_source(key, &manifest));
        }
    }
    Failure::unless_empty(errors)?;
    let synced = save(context, &project, &text, args.no_sync)?;
    for key in &args.keys {
        context.output.note("removed", format!("the source {key}"));
    }
    finish(context, synced.as_ref(), json!({ "removed": args.keys }));
    Ok(())
}
