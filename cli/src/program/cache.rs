//! `skills cache`

use super::{Context, args::CacheCommand, sync::files};
use helix_skills_project::{Cache, Error};
use serde_json::json;

pub(super) fn cache(context: &Context<'_>, command: CacheCommand) -> Result<(), Error> {
    let cache = Cache::locate(&context.start)?;
    let shown = cache.directory().display().to_string();
    match command {
        CacheCommand::Dir => {
            context.output.exact(&format!("{shown}\n"));
            context.output.document(json!({ "directory": shown }));
        }
        CacheCommand::Clean => {
            let (count, bytes) = cache.clean()?;
            context.output.note("removed", format!("{} from {shown}", files(count, bytes)));
            context.output.document(json!({ "directory": shown, "files": count, "bytes": bytes }));
        }
    }
    Ok(())
}
