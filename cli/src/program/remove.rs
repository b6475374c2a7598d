//! `skills remove`

use super::{
    Context, args,
    manifest_edit::{finish, save, unchanged},
    sync::report,
};
use helix_skills_project::{__internal::Removed, Error};
use serde_json::{Value, json};

pub(super) fn remove(context: &Context<'_>, args: &args::Remove) -> Result<(), Error> {
    let project = context.project()?.dry_run(args.dry_run);
    let mut edit = context.run("waiting", || project.edit_manifest())?;
    let Removed { sources, skills, .. } = edit.remove_named(&args.names)?;
    let synced = save(context, (edit, [].into()), args.no_sync, |_| Ok(()));
    let synced = synced.inspect_err(|failure| unchanged(context, false, !args.no_sync, failure))?;
    for (name, key) in &skills {
        let text = format!("the skill {name} from the source {key}");
        report(context, args.dry_run, "removed", &text);
    }
    for key in &sources {
        report(context, args.dry_run, "removed", &format!("the source {key}"));
    }
    let sources: Vec<&str> = sources.iter().map(|key| key.as_str()).collect();
    let skills: Vec<Value> = skills
        .iter()
        .map(|(name, key)| json!({ "name": name.as_str(), "source": key.as_str() }))
        .collect();
    let fields = json!({ "removed": sources, "skills": skills });
    finish(context, &project, synced.as_ref(), args.dry_run, fields);
    Ok(())
}
