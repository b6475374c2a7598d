//! `skills remove`

use super::{
    Context,
    add::{finish, save},
    args,
};
use crate::{Error, Failure};
use helix_skills_format::{ManifestText, SourceKey, nearest};
use serde_json::json;

pub(super) fn remove(context: &Context<'_>, args: &args::Remove) -> Result<(), Failure> {
    let project = context.project()?;
    let _held = context.lock(&project)?;
    let manifest = project.read_manifest()?;
    let mut text = super::add::open(&project)?;
    let known: Vec<&str> = manifest.sources.keys().map(SourceKey::as_str).collect();
    let mut errors = Vec::new();
    for key in &args.keys {
        let removed = SourceKey::new(key).is_ok_and(|key| ManifestText::remove(&mut text, &key));
        if !removed {
            let what = format!("the manifest has no source `{}`", key.escape_debug());
            let hint = match nearest(key, known.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None if known.is_empty() => "it has none".to_owned(),
                None => format!("it has {}", known.join(", ")),
            };
            errors.push(Error::Usage { what, hint: Some(hint) });
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
