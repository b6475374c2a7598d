//! `skills init`

use super::{Context, args};
use helix_skills_format::__internal::MANIFEST_FILE;
use helix_skills_project::{Error, Project};
use serde_json::json;

pub(super) fn init(context: &Context<'_>, args: &args::Init) -> Result<(), Error> {
    let project = match &context.global.manifest {
        Some(manifest) => {
            let manifest = context.start.join(manifest);
            Project::at(manifest.parent().unwrap_or(&context.start)).manifest_file(&manifest)
        }
        None => Project::at(context.package(Some("the manifest is that of"))),
    };
    let project = context.configured(project);
    let wrote = match args.ignore_store {
        true => project.init_ignoring_store()?,
        false => project.init()?,
    };
    let wrote: Vec<_> = wrote.iter().map(|path| context.shown_here(path)).collect();
    context.output.note("wrote", wrote.join(", "));
    // The one that was used until now.
    let mut above = project.root().ancestors().skip(1).map(|dir| dir.join(MANIFEST_FILE));
    if let (Some(above), None) = (above.find(|file| file.is_file()), &context.global.manifest) {
        let above = context.shown_here(&above);
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
