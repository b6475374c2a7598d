//! `skills add`: syncs at once, and writes the manifest last, so that a failed sync changes
//! nothing.

mod local;
mod page;
mod request;
mod spec;
mod suggested;
mod written;

use super::usage_error::usage_error;
use super::{Context, args, license, sync};
use helix_skills_format::{MANIFEST_FILE, SourceKey, redacted};
use helix_skills_project::{Error, Failure, ManifestEdit, Synced, manifest::Manifest};
use request::Request;
use serde_json::{Map, Value, json};
use spec::Spec;

/// The warning for a repository without releases to pin.
const NO_RELEASE: &str =
    "the repository has no release tags; its default branch is used and locked";

pub(super) fn add(context: &Context<'_>, args: &args::Add) -> Result<(), Failure> {
    let project = context.project()?;
    let mut edit = context.run("waiting", || project.edit_manifest())?;
    let request = Request::read(context, &project, args)?;
    let (spec, args) = (&request.spec, &request.args);
    let is_pinned = args.version.is_some() || args.reference.is_some() || args.sha.is_some();
    let mut warnings: Vec<String> = Vec::new();
    let key = key(spec, args.name.as_deref().or(args.plugin.as_deref()), edit.manifest())?;
    let mut entry: Vec<(&str, Value)> = Vec::new();
    match spec {
        Spec::Git(url) => {
            let kind = if args.plugin.is_some() { "claude-marketplace" } else { "git" };
            entry.extend([("type", json!(kind)), ("url", json!(url.as_str()))]);
            entry.extend(args.plugin.as_ref().map(|plugin| ("plugin", json!(plugin))));
            let version = match &args.version {
                Some(version) => Some(version.clone()),
                None if is_pinned => None,
                None => {
                    let newest = context.run("looking for the newest release", || {
                        project.newest_release(url, &key)
                    })?;
                    if newest.is_none() {
                        context.output.warning(NO_RELEASE);
                        warnings.push(NO_RELEASE.to_owned());
                    }
                    newest.map(|release| release.version)
                }
            };
            entry.extend(version.map(|version| ("version", json!(version))));
            entry.extend(args.reference.as_ref().map(|reference| ("ref", json!(reference))));
            entry.extend(args.sha.as_ref().map(|sha| ("sha", json!(sha))));
            entry.extend(args.skills_dir.as_ref().map(|directory| ("skillsDir", json!(directory))));
        }
        Spec::Path(path) => entry.extend([("type", json!("path")), ("path", json!(path))]),
    }
    if !args.include.is_empty() {
        entry.push(("include", json!(args.include)));
    }
    if !args.exclude.is_empty() {
        entry.push(("exclude", json!(args.exclude)));
    }
    edit.add(&key, &entry)
        .map_err(|error| usage_error(error.to_string(), "choose another name with `--name`"))?;
    let synced =
        save(context, edit, args.no_sync).map_err(|failure| request.explain(&project, failure))?;
    let pin = entry.iter().find(|(field, _)| matches!(*field, "version" | "ref" | "sha"));
    let pinned = pin
        .map(|(field, value)| format!(", {field} {}", value.as_str().unwrap_or_default()))
        .unwrap_or_default();
    context.output.note("added", format!("the source {key}{pinned}"));
    let entry: Map<String, Value> =
        entry.into_iter().map(|(field, value)| (field.to_owned(), value)).collect();
    let licenses = synced.as_ref().map(|synced| license::print(context, &project, &key, synced));
    finish(
        context,
        synced.as_ref(),
        json!({
            "key": key.as_str(),
            "source": entry,
            "licenses": licenses,
            "warnings": warnings,
        }),
    );
    Ok(())
}

/// Returns the key of the source in the manifest: `requested`, or one derived from its location.
fn key(spec: &Spec, requested: Option<&str>, manifest: &Manifest) -> Result<SourceKey, Error> {
    let derived = match spec {
        Spec::Git(url) => url.repository_name(),
        Spec::Path(path) => {
            path.rsplit('/').find(|part| !matches!(*part, "." | "..")).unwrap_or("skills")
        }
    };
    let name = requested.unwrap_or(derived);
    let key = SourceKey::new(name).map_err(|why| {
        let what = format!("invalid source name `{}`: {why}", redacted(name).escape_debug());
        usage_error(what, "choose a name with `--name`")
    })?;
    if manifest.sources.contains_key(&key) {
        let what = format!("the manifest already has a source `{key}`");
        let hint = format!(
            "edit its entry in `{MANIFEST_FILE}` and run `skills sync`, or choose another name with `--name`"
        );
        return Err(usage_error(what, hint));
    }
    Ok(key)
}

/// Syncs with the changed manifest, then writes it, unless the sync fails.
pub(super) fn save(
    context: &Context<'_>,
    edit: ManifestEdit<'_>,
    no_sync: bool,
) -> Result<Option<Synced>, Failure> {
    if no_sync {
        edit.save()?;
        return Ok(None);
    }
    edit.parse()?;
    let synced = context.run("syncing skills", || edit.save_and_sync());
    Ok(Some(synced.inspect_err(|_| {
        context
            .output
            .note("note:", "the manifest is unchanged; `--no-sync` edits it without a sync");
    })?))
}

/// Prints the result of a change of the manifest.
pub(super) fn finish(context: &Context<'_>, synced: Option<&Synced>, mut fields: Value) {
    match synced {
        None => context.output.note("next:", "skills sync"),
        Some(synced) => {
            sync::print(context, synced, false);
            fields["sync"] = sync::document(synced, false);
        }
    }
    context.output.document(fields);
}
