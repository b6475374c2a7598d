//! `skills init`

use super::usage_error::usage_error;
use super::{Context, args};
use helix_skills_format::MANIFEST_FILE;
use helix_skills_project::{
    Failure, disk,
    paths::{ProjectPaths, read_text},
};
use serde_json::json;
use std::{fs, path::Path};

/// A manifest with nothing in it yet.
const EMPTY: &str = "{\n  // Where skills come from; `skills add` writes here. Run `skills sync` after a change.\n  \"skills\": {}\n}\n";

pub(super) fn init(context: &Context<'_>, args: &args::Init) -> Result<(), Failure> {
    let project = match &context.places.manifest {
        Some(manifest) => ProjectPaths::named(&context.start, manifest),
        None => ProjectPaths::at(&context.start),
    };
    let project = project.with(&context.start, &context.places);
    project.refuse_directory()?;
    if project.manifest.exists() {
        let what = format!("`{}` is there already", project.manifest.display());
        return Err(usage_error(what, "`skills add` puts sources into it").into());
    }
    let mut wrote = vec![project.show(&project.manifest).display().to_string()];
    // Before the manifest, after which nobody calls this again.
    if args.ignore_store {
        let path = project.root.join(".gitignore");
        let mut text = read_text(&path)?.unwrap_or_default();
        let line = format!("/{}/", project.show(&project.store).display());
        if !text.lines().any(|found| found.trim() == line) {
            if !text.is_empty() && !text.ends_with('\n') {
                text.push('\n');
            }
            text.push_str(&line);
            text.push('\n');
            disk::replace(&path, text.as_bytes())?;
            wrote.push(".gitignore".to_owned());
        }
    }
    disk::replace(&project.manifest, EMPTY.as_bytes())?;
    context.output.note("wrote", wrote.join(", "));
    if let Some(above) = above(&project.root).filter(|_| context.places.manifest.is_none()) {
        context.output.note("note:", format!("`{above}` lies above; this one is used from here on"));
    }
    context.output.note("next:", "skills add OWNER/REPO, or skills add ./PATH");
    context.output.note("then:", "cargo add helix-skills, and in Rust:");
    context.output.note("     ", super::RUST_LINE);
    context.output.note(
        "     ",
        "// SKILLS.catalog() belongs into the system prompt; SKILLS.load_skill(name) answers the model's tool",
    );
    context.output.document(json!({ "wrote": wrote }));
    Ok(())
}

/// The manifest that was used here before.
fn above(root: &Path) -> Option<String> {
    let root = fs::canonicalize(root).ok()?;
    let depth = root.ancestors().position(|dir| dir != root && dir.join(MANIFEST_FILE).is_file())?;
    Some(format!("{}{MANIFEST_FILE}", "../".repeat(depth)))
}
