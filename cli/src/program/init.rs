//! `skills init`

use super::{Context, args};
use helix_skills_format::__internal::MANIFEST_FILE;
use helix_skills_project::{Error, Project};
use serde_json::json;
use std::path::Path;

pub(super) fn init(context: &Context<'_>, args: &args::Init) -> Result<(), Error> {
    let project = match &context.global.manifest {
        Some(manifest) => {
            let manifest = context.start.join(manifest);
            Project::at(manifest.parent().unwrap_or(&context.start)).manifest_file(&manifest)
        }
        None => Project::at(&context.start),
    };
    let project = context.configured(project);
    let wrote = match args.ignore_store {
        true => project.init_ignoring_store()?,
        false => project.init()?,
    };
    let wrote: Vec<_> =
        wrote.iter().map(|path| project.display_path(path).display().to_string()).collect();
    context.output.note("wrote", wrote.join(", "));
    if let Some(above) = above(project.root()).filter(|_| context.global.manifest.is_none()) {
        context.output.note("note:", format!("the new manifest takes precedence over `{above}`"));
    }
    context.output.note("next:", "run `skills add OWNER/REPO`, or `skills add ./PATH`");
    context.output.note("then:", "run `cargo add helix-skills`, and in Rust:");
    context.output.note("     ", super::RUST_LINE);
    context.output.note(
        "     ",
        "// skills::TOOLBOX.catalog() belongs in the system prompt; skills::TOOLBOX.call(tool, arguments) answers a call of the model",
    );
    context.output.document(json!({ "wrote": wrote }));
    Ok(())
}

/// Returns the relative path of a manifest in a parent directory, which was used until now.
fn above(root: &Path) -> Option<String> {
    let root = dunce::canonicalize(root).ok()?;
    let depth =
        root.ancestors().position(|dir| dir != root && dir.join(MANIFEST_FILE).is_file())?;
    Some(format!("{}{MANIFEST_FILE}", "../".repeat(depth)))
}
