//! `skills completions`

use super::{Context, args, complete};
use helix_skills_project::Error;
use serde_json::json;

pub(super) fn completions(context: &Context<'_>, args: &args::Completions) -> Result<(), Error> {
    let text = complete::script(args.shell)
        .map_err(Error::disk("write the script for", args.shell.to_string()))?;
    context.output.data(&text);
    context.output.document(json!({ "shell": args.shell.to_string(), "text": text }));
    Ok(())
}
